"""One JSON line for each trajectory: its steps, its scores and where it broke.

Text of agent and tools stands here (arguments and answer); observations do not.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.json import Encoder

from trayecto.metrics import Column, Scored
from trayecto.scores import Culprit, Score, Value
from trayecto.trajectory import Arguments, Outcome, Spent, Status

_encode = Encoder(order="deterministic").encode


class _Step(Struct, frozen=True, gc=False):
    tool: str
    arguments: Arguments
    outcome: Outcome


class _Value(Struct, frozen=True, gc=False, omit_defaults=True):
    value: Value | None
    why: str | None = None
    steps: tuple[int, ...] = ()


class _Line(Struct, frozen=True, gc=False):
    file: str
    record: int
    id: str
    suite: str
    candidate: str
    case: str
    trial: int | None
    status: Status
    success: bool | None
    steps: list[_Step]
    tokens: tuple[Spent, ...]
    answer: str | None
    metrics: dict[str, _Value]
    culprit: Culprit | None


def to_line(run: Scored, columns: Sequence[Column]) -> bytes:
    """Write one scored trajectory, without the line's end."""
    trajectory = run.trajectory
    values = {columns[place].id: _value(score) for place, score in _scores(run)}
    culprit = values["culprit"].value if "culprit" in values else None
    return _encode(
        _Line(
            trajectory.source.file,
            trajectory.source.record,
            trajectory.id,
            trajectory.suite,
            trajectory.candidate,
            trajectory.case_id,
            trajectory.trial,
            trajectory.status,
            trajectory.success,
            [_Step(call.tool, call.arguments, call.outcome) for call in run.facts.calls],
            trajectory.spent,
            trajectory.answer,
            {key: value for key, value in values.items() if key != "culprit"},
            culprit if isinstance(culprit, Culprit) else None,
        )
    )


def _scores(run: Scored) -> list[tuple[int, Score]]:
    """Every column's score: those computed, and those that the plan left out, with the reason."""
    computed = list(zip(run.plan.places, run.scores, strict=True))
    return sorted(computed + [(place, Score(None, why)) for place, why in run.plan.skipped])


def _value(score: Score) -> _Value:
    return _Value(score.value, score.why, score.steps)
