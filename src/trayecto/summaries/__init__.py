"""Summaries: what many scored runs come to. Each file accumulates one thing about a group of runs.

A summary is a module with ``Accumulator(columns)``: ``add(run)``, ``merge(other)``, and ``value()``
or ``metrics()``, which divide once, at the end. Merging is exact: any split of the runs gives the
same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import UNSET

from trayecto.metrics import Column, Scored, Scores
from trayecto.records import Account
from trayecto.summaries import (
    attribution,
    cost_per_accepted,
    latencies,
    outcomes,
    right_answers,
    tasks,
)
from trayecto.summaries._document import (
    CallCounts,
    Document,
    Group,
    PassedFile,
    Read,
    RejectedRecord,
    Warned,
)

__all__ = ["Document", "Summary", "summarize"]


class Summary:
    """The runs of one candidate on one suite, accumulated."""

    def __init__(self, suite: str, candidate: str, columns: tuple[Column, ...]) -> None:
        """Start without a run."""
        self.suite = suite
        self.candidate = candidate
        self.tasks = tasks.Accumulator(columns)
        self.outcomes = outcomes.Accumulator(columns)
        self.latencies = latencies.Accumulator(columns)
        self.cost_per_accepted = cost_per_accepted.Accumulator(columns)
        self.attribution = attribution.Accumulator(columns)
        self.right_answers = right_answers.Accumulator(columns)

    def add(self, runs: Sequence[Scored]) -> None:
        """Add some runs to every accumulator, one accumulator after the other."""
        for accumulator in (
            self.tasks,
            self.outcomes,
            self.latencies,
            self.cost_per_accepted,
            self.attribution,
            self.right_answers,
        ):
            for run in runs:
                accumulator.add(run)

    def merge(self, other: Summary) -> None:
        """Add the runs of another part of the same group."""
        self.tasks.merge(other.tasks)
        self.outcomes.merge(other.outcomes)
        self.latencies.merge(other.latencies)
        self.cost_per_accepted.merge(other.cost_per_accepted)
        self.attribution.merge(other.attribution)
        self.right_answers.merge(other.right_answers)

    def value(self) -> Group:
        """The group as it stands in the document."""
        metrics = self.tasks.metrics()
        metrics |= self.latencies.metrics()
        metrics |= self.cost_per_accepted.metrics()
        return Group(
            suite=self.suite,
            candidate=self.candidate,
            trajectories=self.tasks.runs,
            tasks=len(self.tasks.rows),
            statuses=dict(sorted(self.outcomes.statuses.items())),
            calls=self.outcomes.value(),
            metrics=dict(sorted(metrics.items())),
            attribution=self.attribution.value(),
            right_answers=self.right_answers.value(),
        )


def summarize(scores: Scores, watch: Callable[[Scored], object] | None = None) -> Document:
    """Read, score and sum up everything: one group for each candidate on each suite.

    Nothing is averaged over groups; only counts are added up over all. ``watch`` is shown each run
    as it passes, for whoever wants more of it than its part in the sums.
    """
    groups: dict[tuple[str, str], Summary] = {}
    for runs in scores.chunks():
        for key, some in _by_group(runs).items():
            if key not in groups:
                groups[key] = Summary(*key, scores.columns)
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
        read=_read(account),
        formats=dict(sorted(account.formats.items())),
        trajectories=sum(group.trajectories for group in groups),
        tasks=len({(summary.suite, case) for summary in kept for case in summary.tasks.rows}),
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
        warnings=[
            Warned(code=code, count=count, example=account.examples[code])
            for code, count in sorted(account.warnings.items())
        ],
    )


def _read(account: Account) -> Read:
    return Read(
        files=account.files,
        records=account.records,
        rejected=account.rejected_count,
        skipped=[PassedFile(file=passed.file, why=passed.why) for passed in account.skipped],
        failed=[PassedFile(file=passed.file, why=passed.why) for passed in account.failed],
        repeated_call_ids=account.warnings.get("repeated_call_id", 0),
        rejected_records=[
            RejectedRecord(file=each.file, record=each.record, why=each.why)
            for each in account.rejected
        ],
    )
