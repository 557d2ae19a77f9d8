"""Where the failed runs broke: counted by tool and cause, the most frequent first.

Counted: every run that ``task_success`` counts as failed, those too that broke before anybody
graded them. Runs for which no rule can name a culprit are lines of their own, with the reason. The
same fault sits at different turns of different conversations, so turns are listed, not grouped by;
the first run is the example.

Source: article 000, *Atribución del fallo al paso N*; the design's ruling 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from trayecto.metrics import Column, Scored
from trayecto.scores import Culprit, Kind
from trayecto.summaries._document import Blame

TURNS = 200  # turns that a line lists; all runs are counted

Key: TypeAlias = tuple[str | None, Kind | None, str | None]


class _Line(Struct):
    """One kind of failure: how many runs, and where to look for it."""

    runs: int
    example: tuple[str, int, str]  # file, record, id: the least is kept, so that merging agrees
    turn: int | None
    turns: list[int]


class Accumulator:
    """Failed runs by tool and cause."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with no failed run; the columns say where a run's culprit stands."""
        self.place = [column.id for column in columns].index("culprit")
        self.lines: dict[Key, _Line] = {}
        self.failed = 0

    def add(self, run: Scored) -> None:
        """Count one run, if it failed."""
        if run.success is not False or run.trajectory.success:
            return
        self.failed += 1
        found = self._score(run)
        if isinstance(found, Culprit):
            key: Key = (found.tool, found.kind, None)
            turn: int | None = found.turn
        else:
            key, turn = (None, None, found), None
        source = run.trajectory.source
        example = (source.file, source.record, run.trajectory.id)
        self._add(key, _Line(1, example, turn, [] if turn is None else [turn]))

    def _score(self, run: Scored) -> Culprit | str:
        at = run.plan.at.get("culprit")
        if at is None:
            return dict(run.plan.skipped)[self.place]
        score = run.scores[at]
        return score.value if isinstance(score.value, Culprit) else score.why or ""

    def _add(self, key: Key, line: _Line) -> None:
        mine = self.lines.get(key)
        if mine is None:
            self.lines[key] = replace(line)
            return
        mine.runs += line.runs
        if line.example < mine.example:
            mine.example, mine.turn = line.example, line.turn
        mine.turns = sorted(mine.turns + line.turns)[:TURNS]

    def merge(self, other: Accumulator) -> None:
        """Add the lines of another part."""
        self.failed += other.failed
        for key, line in other.lines.items():
            self._add(key, line)

    def value(self) -> list[Blame]:
        """The lines, the most frequent first; the undefined ones last."""
        order = sorted(
            self.lines.items(),
            key=lambda item: (item[0][1] is None, -item[1].runs, str(item[0])),
        )
        return [
            Blame(
                tool=tool,
                cause=cause,
                trajectories=line.runs,
                share=line.runs / self.failed,
                turn=line.turn,
                example=line.example[2],
                why=UNSET if why is None else why,
                turns=line.turns,
            )
            for (tool, cause, why), line in order
        ]
