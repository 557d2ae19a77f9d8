"""The assertions of the cases: how many were made, and how many failed.

Counted: for each metric that answers for an assertion (its module says with ``PASSES`` which value
passes), the runs whose case makes it, and every run whose success was graded. One that could not be
evaluated is counted as such, with the reason: the run broke, or was not graded. It is not a pass,
and not a failure either. What no case asks for is not counted.

Source: the design's ruling 18, and its rule that nothing checked is never a pass.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct, field

from trayecto.document import Check, Checked, CheckedRun, most_frequent, shorten
from trayecto.metrics import Column, Plan, Scored
from trayecto.scores import NOT_ASKED, UNRECORDED

LISTED = 5  # runs of each kind that are named
UNMADE = frozenset({NOT_ASKED, UNRECORDED})  # reasons by which nothing was asserted
Place: TypeAlias = tuple[str, int, str, str]  # file, record, id, case


class _Used(Struct):
    """A plan, and for how many runs it was used."""

    plan: Plan
    runs: int = 0


class _Line(Struct):
    """One assertion: the runs in which it did not pass, the first of them by place."""

    unmade: int = 0
    failed: int = 0
    whys: Counter[str] = field(default_factory=Counter)
    failures: list[Place] = field(default_factory=list)
    others: list[Place] = field(default_factory=list)


class Accumulator:
    """Runs by plan, and what did not pass by column."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with nothing asserted."""
        self.columns = columns
        self.used: dict[int, _Used] = {}
        self.lines = [_Line() for _ in columns]
        self.idle = 0
        self.failed = 0
        self.lacking = 0

    def add(self, run: Scored) -> None:
        """Count one run; what passed needs no look."""
        plan, scores = run.plan, run.scores
        used = self.used.get(id(plan))
        if used is None:
            used = self.used[id(plan)] = _Used(plan)
        used.runs += 1
        odd = [
            (place, scores[at].value is None, scores[at].why or "")
            for place, at, passes in plan.checks
            if scores[at].value != passes
        ]
        if odd or plan.lost:
            self._look(run, odd)

    def _look(self, run: Scored, odd: list[tuple[int, bool, str]]) -> None:
        """Tell what failed from what could not be evaluated, and from what nobody asserted."""
        plan, trajectory = run.plan, run.trajectory
        source = trajectory.source
        where = (source.file, source.record, shorten(trajectory.id), shorten(trajectory.case_id))
        unmade = 0
        failed = False
        lacking = bool(plan.lost)
        for place, unknown, why in odd:
            line = self.lines[place]
            if not unknown:
                failed = True
                line.failed += 1
                _keep(line.failures, where)
            elif why in UNMADE:
                unmade += 1
                line.unmade += 1
            else:
                lacking = True
                self._lack(place, why, where)
        for place, why in plan.lost:
            self._lack(place, why, where)
        self.failed += failed
        self.lacking += lacking
        self.idle += unmade == len(plan.checks) and not plan.lost

    def _lack(self, place: int, why: str, where: Place) -> None:
        line = self.lines[place]
        line.whys[shorten(why)] += 1
        _keep(line.others, where)

    def merge(self, other: Accumulator) -> None:
        """Add the runs of another part."""
        self.idle += other.idle
        self.failed += other.failed
        self.lacking += other.lacking
        for used in other.used.values():
            self.used.setdefault(id(used.plan), _Used(used.plan)).runs += used.runs
        for mine, line in zip(self.lines, other.lines, strict=True):
            mine.unmade += line.unmade
            mine.failed += line.failed
            mine.whys += line.whys
            mine.failures = sorted(mine.failures + line.failures)[:LISTED]
            mine.others = sorted(mine.others + line.others)[:LISTED]

    def value(self) -> dict[str, list[Check] | Checked]:
        """Every assertion that was made, and the runs of which any was."""
        made = self._made()
        runs = sum(used.runs for used in self.used.values() if used.plan.checks or used.plan.lost)
        rows = zip(self.columns, self.lines, made, strict=True)
        return {
            "checks": [_check(column.id, line, n) for column, line, n in rows if n],
            "checked": Checked(
                trajectories=runs - self.idle, failed=self.failed, not_evaluated=self.lacking
            ),
        }

    def _made(self) -> list[int]:
        """For each column, of how many runs its assertion was made."""
        made = [-line.unmade for line in self.lines]
        for used in self.used.values():
            for place, _, _ in used.plan.checks:
                made[place] += used.runs
            for place, _ in used.plan.lost:
                made[place] += used.runs
        return made


def _keep(places: list[Place], where: Place) -> None:
    """Keep a place among the least ones, so that merging agrees."""
    if len(places) < LISTED or where < places[-1]:
        insort(places, where)
        del places[LISTED:]


def _check(metric: str, line: _Line, made: int) -> Check:
    return Check(
        metric=metric,
        asserted=made,
        failed=line.failed,
        not_evaluated=line.whys.total(),
        undefined=most_frequent(line.whys) if line.whys else UNSET,
        examples=[
            *_named(line.failures, failed=True),
            *_named(line.others, failed=False),
        ],
    )


def _named(places: Iterable[Place], *, failed: bool) -> list[CheckedRun]:
    return [
        CheckedRun(id=name, file=file, record=record, case=case, failed=failed)
        for file, record, name, case in places
    ]
