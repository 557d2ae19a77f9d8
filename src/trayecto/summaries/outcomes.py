"""How runs and calls ended: statuses of the runs, outcomes of the calls.

Counted: every run by its status, every call by its outcome (``unknown`` where the trace does not
say). The sum of all statuses is the number of runs that were planned, as far as the trace tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from trayecto.document import CallCounts
from trayecto.metrics import Column, Scored


class Accumulator:
    """Counts of statuses and outcomes."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with nothing counted."""
        self.statuses: Counter[str] = Counter()
        self.calls = 0
        self.errors = 0
        self.unknown = 0

    def add(self, run: Scored) -> None:
        """Count one run and its calls."""
        self.statuses[run.trajectory.status] += 1
        outcomes = run.facts.outcomes
        self.calls += len(outcomes)
        self.errors += outcomes.count("error")
        self.unknown += outcomes.count("unknown")

    def merge(self, other: Accumulator) -> None:
        """Add the counts of another part."""
        self.statuses += other.statuses
        self.calls += other.calls
        self.errors += other.errors
        self.unknown += other.unknown

    def value(self) -> dict[str, dict[str, int] | CallCounts]:
        """The counts of the runs, and of their calls."""
        calls = CallCounts(
            total=self.calls,
            ok=self.calls - self.errors - self.unknown,
            error=self.errors,
            unknown=self.unknown,
        )
        return {"statuses": dict(sorted(self.statuses.items())), "calls": calls}
