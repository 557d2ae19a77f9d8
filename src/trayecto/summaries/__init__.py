"""Summaries: what many scored runs come to. Each file accumulates one thing about a group of runs.

A summary is a module with ``Accumulator(columns)``: ``add(run)``, ``merge(other)``, and either or
both of ``value()``, the group's fields in the document, and ``metrics()``, metrics by id, which
divide once, at the end. Merging is exact: any split of the runs gives the same bytes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import ModuleType
from typing import Protocol, cast

from msgspec import UNSET

from trayecto import _folder
from trayecto.document import (
    OTHER,
    CallCounts,
    Document,
    Group,
    Read,
    Warned,
    most_frequent,
    shorten,
)
from trayecto.figures import Metrics
from trayecto.metrics import Column, Scored, Scores
from trayecto.records import PLACES, Account
from trayecto.summaries import tasks
from trayecto.summaries._strata import EXTRA, UNKNOWN, Strata, check_fields

__all__ = ["EXTRA", "UNKNOWN", "Document", "Summary", "check_fields", "summarize"]

NAMES = 20  # files that are named
_NAME = 160  # characters of a suite or a candidate: more than a label, since they tell groups apart
_PLACE = 400  # characters of the place of a warning: a path, and an id of the trace


class _Accumulator(Protocol):
    """What a file of this folder holds; ``metrics`` or ``value`` may be missing."""

    def add(self, run: Scored) -> None:
        """Add one run."""

    def merge(self, other: _Accumulator) -> None:
        """Add the runs of another part."""

    def metrics(self) -> Metrics:
        """Metrics by id."""

    def value(self) -> dict[str, object]:
        """Fields of the group."""


@cache
def _modules() -> dict[str, ModuleType]:
    """The files of this folder, looked for once."""
    return _folder.entries(sys.modules[__name__])


class Summary:
    """The runs of one candidate on one suite, accumulated."""

    def __init__(
        self, suite: str, candidate: str, columns: tuple[Column, ...], by: Sequence[str] = ()
    ) -> None:
        """Start without a run; ``by`` names fields by which it is taken apart into strata."""
        self.suite = suite
        self.candidate = candidate
        self.parts: dict[str, _Accumulator] = {
            name: module.Accumulator(columns) for name, module in _modules().items()
        }
        self.strata = Strata(by, columns)

    def add(self, runs: Sequence[Scored]) -> None:
        """Add some runs to every accumulator, one accumulator after the other."""
        for part in self.parts.values():
            add = part.add
            for run in runs:
                add(run)
        self.strata.add(runs)

    def merge(self, other: Summary) -> None:
        """Add the runs of another part of the same group."""
        for name, part in self.parts.items():
            part.merge(other.parts[name])
        self.strata.merge(other.strata)

    @property
    def table(self) -> tasks.Accumulator:
        """The tasks of the group."""
        return cast("tasks.Accumulator", self.parts["tasks"])

    @property
    def cases(self) -> Iterable[str]:
        """The tasks of the group, by case id."""
        return self.table.rows

    def value(self) -> Group:
        """The group as it stands in the document."""
        metrics: Metrics = {}
        fields: dict[str, object] = {}
        for part in self.parts.values():
            metrics |= getattr(part, "metrics", dict)()
            fields |= getattr(part, "value", dict)()
        return Group(
            suite=shorten(self.suite, _NAME),
            candidate=shorten(self.candidate, _NAME),
            metrics=dict(sorted(metrics.items())),
            strata=self.strata.value(self.table),
            **fields,  # type: ignore[arg-type]  # tests hold every part to its fields
        )


def summarize(
    scores: Scores,
    watch: Callable[[Scored], object] | None = None,
    *,
    by: Sequence[str] = (),
) -> Document:
    """Read, score and sum up everything: one group for each candidate on each suite.

    Nothing is averaged over groups; only counts are added up over all. ``watch`` is shown each run
    as it passes, for whoever wants more of it than its part in the sums. ``by`` names fields by
    whose values each group is taken apart besides (``turns``, ``model``, ``extra.region``);
    difficulty and split always are, where the cases have them. Raises UsageError for another.
    """
    check_fields(by)
    groups: dict[tuple[str, str], Summary] = {}
    for runs in scores.chunks():
        for key, some in _by_group(runs).items():
            if key not in groups:
                groups[key] = Summary(*key, scores.columns, by)
            groups[key].add(some)
        if watch is not None:
            for run in runs:
                watch(run)
    prices = getattr(scores.prices, "source", None)
    return document([groups[key] for key in sorted(groups)], scores.account, prices)


def _by_group(runs: Iterable[Scored]) -> dict[tuple[str, str], list[Scored]]:
    """Runs by suite and candidate."""
    found: dict[tuple[str, str], list[Scored]] = {}
    for run in runs:
        trajectory = run.trajectory
        found.setdefault((trajectory.suite, trajectory.candidate), []).append(run)
    return found


def document(summaries: Iterable[Summary], account: Account, prices: str | None) -> Document:
    """Put groups and account together as the document that reports print."""
    kept = list(summaries)
    groups = [summary.value() for summary in kept]
    statuses: Counter[str] = Counter()
    for group in groups:
        statuses.update(group.statuses)
    return Document(
        read=_read(account, groups),
        formats=dict(sorted(account.formats.items())),
        trajectories=sum(group.trajectories for group in groups),
        tasks=len({(summary.suite, case) for summary in kept for case in summary.cases}),
        statuses=dict(sorted(statuses.items())),
        calls=CallCounts(
            total=sum(group.calls.total for group in groups),
            ok=sum(group.calls.ok for group in groups),
            error=sum(group.calls.error for group in groups),
            unknown=sum(group.calls.unknown for group in groups),
        ),
        groups=groups,
        metrics=groups[0].metrics if len(groups) == 1 else UNSET,
        prices=prices,
        warnings=_warnings(account),
    )


def _warnings(account: Account) -> list[Warned]:
    """What was odd, by code: codes may be a file's own words, so they are labels as well."""
    counts: Counter[str] = Counter()
    places: dict[str, list[str]] = {}
    for code, count in sorted(account.warnings.items()):
        counts[shorten(code)] += count
        known = places.setdefault(shorten(code), [])
        known += [shorten(place, _PLACE) for place in account.places[code]]
    kept = most_frequent(counts)
    rest = next((code for code in sorted(counts) if code not in kept), "")
    places.setdefault(OTHER, places.get(rest, []))
    return [
        Warned(
            code=code,
            count=count,
            example=places[code][0],
            places=places[code][:PLACES] if len(places[code]) > 1 else UNSET,
        )
        for code, count in sorted(kept.items())
    ]


def _read(account: Account, groups: list[Group]) -> Read:
    names = {name for group in groups for name in group.files}
    return Read(
        files=account.files,
        records=account.records,
        rejected=account.rejected_count,
        unreadable=account.rejected_count - len(account.failed),
        skipped=list(account.skipped),
        failed=list(account.failed),
        repeated_call_ids=account.warnings.get("repeated_call_id", 0),
        rejected_records=list(account.rejected),
        names=sorted(names)[:NAMES],
    )
