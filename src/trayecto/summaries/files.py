"""In which files the runs stand: the first ones by name.

Counted: every file of which a run was read. A report says with them what it is about, and where to
look; how many files there were stands in the account.
"""

from __future__ import annotations

from collections.abc import Sequence

from trayecto.metrics import Column, Scored

LISTED = 20  # names that are kept


class Accumulator:
    """Names of files, the least of them."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start without a file."""
        self.names: set[str] = set()
        self.last = ""

    def add(self, run: Scored) -> None:
        """Note one run's file: most runs stand in the same one as the run before."""
        file = run.trajectory.source.file
        if file != self.last:
            self.last = file
            self._keep({file})

    def _keep(self, names: set[str]) -> None:
        self.names |= names
        if len(self.names) > 2 * LISTED:
            self.names = set(sorted(self.names)[:LISTED])

    def merge(self, other: Accumulator) -> None:
        """Add the files of another part."""
        self._keep(other.names)

    def value(self) -> dict[str, list[str]]:
        """The first names."""
        return {"files": sorted(self.names)[:LISTED]}
