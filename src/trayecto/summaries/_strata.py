"""Strata: the metrics of a group again, for the easy cases and the hard ones, by themselves.

A stratum is a property of a case (difficulty, split, cluster) or of a run; its metrics are those of
the group's table of tasks: trial, task, then stratum, never pooled. Difficulty and split are told
from the rows of that table, at the end, wherever a case has them. All others are for who asks, and
have tables of their own. Of more than 200 strata the first by name are kept, the rest counted as
``other``: which ones does not depend on the order in which runs come. A run of which a property is
not known is in the stratum ``unknown``.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import UNSET
from msgspec.json import Encoder

from trayecto.document import KINDS, OTHER, shorten
from trayecto.errors import UsageError, choose, quoted
from trayecto.figures import Metrics
from trayecto.metrics import Column, Scored
from trayecto.paths import find
from trayecto.summaries import tasks
from trayecto.trajectory import Trajectory, Usage

UNKNOWN = "unknown"
EXTRA = "extra."  # what begins with it names a field of the record that no format knows
_DIFFICULTIES = ("simple", "medium", "complex", "edge")
_encode = Encoder(order="deterministic").encode

Find: TypeAlias = Callable[[Scored], "str | None"]


class Ranges:
    """Numbers by size: a name for each range, the last one open."""

    def __init__(self, ends: Sequence[int], names: Sequence[str]) -> None:
        """Keep the last number of each range, and one name more."""
        self.ends = ends
        self.names = names

    def name(self, number: int | None) -> str | None:
        """The range of a number; None where there is no number."""
        return None if number is None else self.names[bisect_left(self.ends, number)]


COUNTS = Ranges((0, 2, 5, 10, 20), ("0", "1-2", "3-5", "6-10", "11-20", "21+"))
TOKENS = Ranges(
    (1_999, 7_999, 31_999, 127_999),
    ("under 2,000", "2,000-7,999", "8,000-31,999", "32,000-127,999", "128,000+"),
)
_ORDER = {
    name: at for at, name in enumerate((*_DIFFICULTIES, *COUNTS.names, *TOKENS.names, "public"))
}


def _cluster(run: Scored) -> str | None:
    return None if run.case is None else run.case.cluster


def _tools(run: Scored) -> str | None:
    """How many tools the agent had: those that were given for all, else those of the trace."""
    toolbox = run.facts.toolbox
    return COUNTS.name(None if toolbox is None else len(toolbox.contracts))


def _tools_used(run: Scored) -> str | None:
    """How many different tools the run itself called."""
    return COUNTS.name(len(run.facts.by_tool))


def _turns(run: Scored) -> str | None:
    """How many turns the agent took."""
    return COUNTS.name(sum([turn.role == "assistant" for turn in run.trajectory.turns]))


def _context(run: Scored) -> str | None:
    """The most tokens that one turn of the agent read, cached ones too; all must be known."""
    usages = [turn.usage for turn in run.trajectory.turns if turn.role == "assistant"]
    read = [_input(usage) for usage in usages if usage is not None]
    return TOKENS.name(max(read)) if read and len(read) == len(usages) else None


def _input(usage: Usage) -> int:
    return usage.input + (usage.cache_read or 0) + (usage.cache_write or 0)


def _status(run: Scored) -> str | None:
    return run.trajectory.status


def _model(run: Scored) -> str | None:
    """The models of the run; several are one stratum."""
    trajectory = run.trajectory
    names = {spent.model for spent in trajectory.spent} or _models(trajectory)
    if not any(names):
        return None
    return " + ".join(sorted(name or UNKNOWN for name in names))


def _models(trajectory: Trajectory) -> set[str | None]:
    return {turn.model for turn in trajectory.turns if turn.role == "assistant"}


def _extra(path: str, run: Scored) -> str | None:
    """A field that the record has and no format knows; also an inner one (``customer.region``)."""
    found = find(run.trajectory.extra, path)
    if found is UNSET:
        return None
    if found is None or (isinstance(found, str) and found):
        return found
    return _encode(found).decode()


FINDS: dict[str, Find] = {
    "cluster": _cluster,
    "context": _context,
    "model": _model,
    "status": _status,
    "tools": _tools,
    "tools_used": _tools_used,
    "turns": _turns,
}


def finds(by: Iterable[str]) -> dict[str, Find]:
    """How to tell the strata of each field that has tables of its own; raises UsageError."""
    found: dict[str, Find] = {}
    for field in by:
        if field.startswith(EXTRA) and field != EXTRA:
            found[field] = partial(_extra, field.removeprefix(EXTRA))
        elif field in FINDS:
            found[field] = FINDS[field]
        elif field not in tasks.OF_CASES:
            known = sorted([*FINDS, *tasks.OF_CASES])
            raise UsageError(
                f"by {quoted(field)}: there are no such strata; {choose(field, known)} "
                f"A field of your records is written {EXTRA}NAME."
            )
    return found


def check_fields(by: Iterable[str]) -> None:
    """Raise UsageError where there are no strata by one of these fields."""
    finds(by)


class Tables:
    """One table of tasks for each stratum of one field, of the first strata by name."""

    def __init__(self, find: Find, columns: Sequence[Column]) -> None:
        """Start without a stratum."""
        self.find = find
        self.columns = columns
        self.parts: dict[str, tasks.Accumulator] = {}
        self.names: list[str] = []  # sorted: the last one goes when there are too many

    def add(self, run: Scored) -> None:
        """Add one run to its stratum."""
        name = self.find(run)
        self._part(UNKNOWN if name is None else shorten(name)).add(run)

    def _part(self, name: str) -> tasks.Accumulator:
        """The table of a stratum; past the limit, that of the others."""
        part = self.parts.get(name)
        if part is None:
            full = len(self.names) >= KINDS
            if name in (UNKNOWN, OTHER) or (full and name > self.names[-1]):
                name = UNKNOWN if name == UNKNOWN else OTHER
                return self.parts.setdefault(name, tasks.Accumulator(self.columns))
            part = self.parts[name] = tasks.Accumulator(self.columns)
            insort(self.names, name)
            if full:
                self._part(OTHER).merge(self.parts.pop(self.names.pop()))
        return part

    def merge(self, other: Tables) -> None:
        """Add the strata of another part."""
        for name, part in other.parts.items():
            self._part(name).merge(part)


class Strata:
    """The strata of one group, by the fields that were asked for."""

    def __init__(self, by: Sequence[str], columns: Sequence[Column]) -> None:
        """Start without a run; raises UsageError where there is no such field."""
        self.by = by
        self.fields = {field: Tables(find, columns) for field, find in finds(by).items()}

    def add(self, runs: Sequence[Scored]) -> None:
        """Add some runs; where nobody asked, there is nothing to do."""
        for tables in self.fields.values():
            for run in runs:
                tables.add(run)

    def merge(self, other: Strata) -> None:
        """Add the runs of another part."""
        for field, tables in self.fields.items():
            tables.merge(other.fields[field])

    def value(self, table: tasks.Accumulator) -> dict[str, dict[str, Metrics]]:
        """The metrics of every stratum, by field; ``table`` is that of the whole group."""
        found: dict[str, dict[str, tasks.Accumulator]] = {}
        for field in tasks.OF_CASES:
            parts = table.by_case(field, UNKNOWN)
            if field in self.by or parts.keys() - {UNKNOWN}:
                found[field] = parts
        found |= {field: tables.parts for field, tables in sorted(self.fields.items())}
        return {
            field: {name: parts[name].metrics() for name in sorted(parts, key=_place)}
            for field, parts in found.items()
        }


def _place(name: str) -> tuple[bool, bool, int, str]:
    """Ranges by size, other names by themselves, and what is no name of a stratum last."""
    return (name == OTHER, name == UNKNOWN, _ORDER.get(name, len(_ORDER)), name)
