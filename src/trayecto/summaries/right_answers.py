"""Right answers by a failing path: the runs that have not failed yet.

Counted: runs that succeeded although their path does not match the reference, or although they
looped or went in a cycle. They are listed, not only counted: each is a case that will fail when the
context, the model or the order of the tools changes.

Source: article 000, *Dos caminos al mismo resultado*; the design's ruling 10.
"""

from __future__ import annotations

from collections.abc import Sequence

from trayecto.metrics import Column, Plan, Scored
from trayecto.summaries._document import RightAnswer, RightAnswers

BAD = {"path_match": False, "loop": True, "call_cycle": True}  # a check, and its failing value
LISTED = 100  # runs that are listed; all are counted


class Accumulator:
    """The runs, by source so that merging agrees on the order."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with no run; the columns say where the checks stand."""
        self.checks = {
            place: (column.id, BAD[column.id])
            for place, column in enumerate(columns)
            if column.id in BAD
        }
        self.found: list[tuple[str, int, str, str, tuple[str, ...]]] = []
        self._of_plan: dict[int, tuple[Plan, list[tuple[int, str, bool]]]] = {}
        self.count = 0
        self.successes = 0

    def add(self, run: Scored) -> None:
        """Note one run, if it succeeded by a failing path."""
        if not run.success:
            return
        self.successes += 1
        scores = run.scores
        checks = self._checks(run.plan)
        failed = [name for at, name, bad in checks if scores[at].value is bad]
        if not failed:
            return
        self.count += 1
        at = run.trajectory
        source = at.source
        self.found.append((source.file, source.record, at.id, at.case_id, tuple(failed)))
        if len(self.found) > 2 * LISTED:
            self.found = sorted(self.found)[:LISTED]

    def _checks(self, plan: Plan) -> list[tuple[int, str, bool]]:
        """Where the scores of a plan hold the checks: looked up once for each plan."""
        known = self._of_plan.get(id(plan))
        if known is None:
            found = [
                (at, *self.checks[place])
                for at, place in enumerate(plan.places)
                if place in self.checks
            ]
            known = self._of_plan[id(plan)] = (plan, found)
        return known[1]

    def merge(self, other: Accumulator) -> None:
        """Add the runs of another part."""
        self.count += other.count
        self.successes += other.successes
        self.found = sorted(self.found + other.found)[:LISTED]

    def value(self) -> RightAnswers:
        """The runs in the order of their files, the first ones by name."""
        listed = [
            RightAnswer(id=name, case=case, failed=list(failed))
            for _, _, name, case, failed in sorted(self.found)[:LISTED]
        ]
        return RightAnswers(count=self.count, of=self.successes, examples=listed)
