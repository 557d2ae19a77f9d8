"""Records: what was read, with its case, or rejected, with its reason; and the account of both."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from trayecto.case import Case
from trayecto.trajectory import Trajectory

NAMED = 1000  # rejected records that are named; all are counted
PLACES = 20  # places that are named for a kind of warning; all are counted


class Record(Struct, frozen=True, gc=False):
    """A trajectory that was read, and the case by which it is judged, if any."""

    trajectory: Trajectory
    case: Case | None = None


class Rejected(Struct, frozen=True, gc=False):
    """A record that could not be read: where it is (file, and line or item from 1) and why."""

    file: str
    record: int
    why: str


class Passed(Struct, frozen=True, gc=False):
    """A file that was passed over, and what it was taken for, or why it could not be read."""

    file: str
    why: str


class Account:
    """What became of everything that was to be read: nothing is dropped without standing here.

    ``records`` counts what would have become trajectories, rejected ones and failed files included.
    """

    def __init__(self) -> None:
        """Start with nothing read."""
        self.files = 0
        self.records = 0
        self.rejected_count = 0
        self.rejected: list[Rejected] = []
        self.skipped: list[Passed] = []
        self.failed: list[Passed] = []
        self.formats: Counter[str] = Counter()
        self.warnings: Counter[str] = Counter()
        self.examples: dict[str, str] = {}
        self.places: dict[str, list[str]] = {}

    def reject(self, rejected: Rejected) -> None:
        """Count a record that could not be read, and name it."""
        self.records += 1
        self.rejected_count += 1
        if len(self.rejected) < NAMED:
            self.rejected.append(rejected)

    def fail(self, file: str, why: str) -> None:
        """Count a file of a known format that could not be read, as one rejected record."""
        self.failed.append(Passed(file, why))
        self.reject(Rejected(file, 1, why))

    def warn(self, code: str, example: str, count: int = 1) -> None:
        """Count something odd; the first places where it was seen are kept."""
        self.warnings[code] += count
        self.examples.setdefault(code, example)
        places = self.places.setdefault(code, [])
        if len(places) < PLACES:
            places.append(example)
