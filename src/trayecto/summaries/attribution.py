"""Where the failed runs broke: counted by tool and cause, the most frequent first.

Counted: every run that ``task_success`` counts as failed, those too that broke before anybody
graded them, and those that broke although a success was recorded. Runs for which no rule can name a
culprit are lines of their own, with the reason; of more than 200 lines the least frequent are
counted as one. The same fault sits at different turns of different conversations, so turns are
listed, not grouped by; the first run is the example.

Source: article 000, *Atribución del fallo al paso N*; the design's ruling 7.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct

from trayecto.document import KINDS, OTHER, Blame, shorten
from trayecto.metrics import Column, Scored
from trayecto.scores import Culprit, Kind

TURNS = 200  # turns that a line lists; all runs are counted
# A run that broke did not succeed, whatever was recorded: no step did it, so here is the reason.
OVERRULED = {
    "agent_error": "it ended in an error of the agent, although its success was recorded",
    "budget_exceeded": "out of budget, although its success was recorded",
    "deadline_exceeded": "out of time, although its success was recorded",
    "infra_error": "the infrastructure broke it, although its success was recorded",
    "harness_error": "the harness broke it, although its success was recorded",
}

Key: TypeAlias = tuple[str | None, Kind | None, str | None]
Example: TypeAlias = tuple[str, int, str]  # file, record, id
_OTHER: Key = (None, None, OTHER)


class _Line(Struct):
    """One kind of failure: how many runs, and where to look for it."""

    runs: int
    example: Example  # the least is kept, so that merging agrees
    turn: int | None
    turns: list[int]

    def add(self, runs: int, example: Example, turn: int | None, turns: Sequence[int]) -> None:
        """Add runs that failed alike."""
        self.runs += runs
        if example < self.example:
            self.example, self.turn = example, turn
        for each in turns:
            if len(self.turns) < TURNS or each < self.turns[-1]:
                insort(self.turns, each)
        del self.turns[TURNS:]


class Accumulator:
    """Failed runs by tool and cause."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with no failed run; the columns say where a run's culprit stands."""
        self.place = [column.id for column in columns].index("culprit")
        self.lines: dict[Key, _Line] = {}
        self.failed = 0

    def add(self, run: Scored) -> None:
        """Count one run, if it failed."""
        if run.success is not False:
            return
        self.failed += 1
        found = self._find(run)
        if isinstance(found, Culprit):
            key: Key = (None if found.tool is None else shorten(found.tool), found.kind, None)
            turn: int | None = found.turn
        else:
            key, turn = (None, None, shorten(found)), None
        source = run.trajectory.source
        example = (source.file, source.record, shorten(run.trajectory.id))
        mine = self.lines.get(key)
        if mine is None:
            mine = self.lines[key] = _Line(0, example, turn, [])
        mine.add(1, example, turn, () if turn is None else (turn,))

    def _find(self, run: Scored) -> Culprit | str:
        """The run's culprit, or why it has none."""
        if run.trajectory.success and run.trajectory.status in OVERRULED:
            return OVERRULED[run.trajectory.status]
        at = run.plan.at.get("culprit")
        if at is None:
            return dict(run.plan.skipped)[self.place]
        score = run.scores[at]
        return score.value if isinstance(score.value, Culprit) else score.why or ""

    def merge(self, other: Accumulator) -> None:
        """Add the lines of another part."""
        self.failed += other.failed
        for key, line in other.lines.items():
            mine = self.lines.setdefault(key, _Line(0, line.example, line.turn, []))
            mine.add(line.runs, line.example, line.turn, line.turns)

    def value(self) -> dict[str, list[Blame]]:
        """The lines, the most frequent first; the undefined ones last."""
        order = sorted(self._kept().items(), key=lambda item: (item[0][1] is None, *_rank(item)))
        return {"attribution": [self._blame(key, line) for key, line in order]}

    def _kept(self) -> dict[Key, _Line]:
        """The most frequent lines, and the others as one: so many that hostile runs add none."""
        order = sorted(self.lines.items(), key=_rank)
        kept = dict(order[:KINDS])
        rest = [line for _, line in order[KINDS:]]
        if rest:
            rest += [kept.pop(_OTHER)] if _OTHER in kept else []
            runs = sum(line.runs for line in rest)
            kept[_OTHER] = _Line(runs, min(line.example for line in rest), None, [])
        return kept

    def _blame(self, key: Key, line: _Line) -> Blame:
        tool, cause, why = key
        file, record, name = line.example
        return Blame(
            tool=tool,
            cause=cause,
            trajectories=line.runs,
            share=line.runs / self.failed,
            turn=line.turn,
            example=name,
            file=file,
            record=record,
            why=UNSET if why is None else why,
            turns=line.turns,
        )


def _rank(item: tuple[Key, _Line]) -> tuple[int, str]:
    key, line = item
    return (-line.runs, str(key))
