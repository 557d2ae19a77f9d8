"""Right answers by a failing path: the runs that have not failed yet.

Counted: runs that succeeded although their path does not match the reference, although they looped
or went in a cycle, or by what they must never do (``corrupt_success``). They are listed, not only
counted: each is a case that will fail when the context, the model or the order of the tools
changes.

Source: article 000, *Dos caminos al mismo resultado*; the design's ruling 10.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from trayecto.document import RightAnswer, RightAnswers, shorten
from trayecto.metrics import Column, Scored

BAD = {
    "call_cycle": True,
    "corrupt_success": True,
    "loop": True,
    "path_match": False,
}  # a check, and its failing value
LISTED = 100  # runs that are listed; all are counted


class Accumulator:
    """The runs, by source so that merging agrees on the order."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with no run."""
        self.found: list[tuple[str, int, str, str, tuple[str, ...]]] = []
        self.count = 0
        self.successes = 0

    def add(self, run: Scored) -> None:
        """Note one run, if it succeeded by a failing path."""
        if not run.success:
            return
        self.successes += 1
        failed = [name for name, bad in BAD.items() if run.value(name) is bad]
        if not failed:
            return
        self.count += 1
        at = run.trajectory
        source = at.source
        found = (source.file, source.record, shorten(at.id), shorten(at.case_id), tuple(failed))
        if len(self.found) < LISTED or found < self.found[-1]:
            insort(self.found, found)
            del self.found[LISTED:]

    def merge(self, other: Accumulator) -> None:
        """Add the runs of another part."""
        self.count += other.count
        self.successes += other.successes
        self.found = sorted(self.found + other.found)[:LISTED]

    def value(self) -> dict[str, RightAnswers]:
        """The runs in the order of their files, the first ones by name."""
        listed = [
            RightAnswer(id=name, file=file, record=record, case=case, failed=list(failed))
            for file, record, name, case, failed in self.found
        ]
        found = RightAnswers(count=self.count, of=self.successes, examples=listed)
        return {"right_answers": found}
