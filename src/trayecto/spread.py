"""The interval of a number over tasks: how sure a figure of a report is.

A rate takes Wilson's interval on the effective sample size, anything else Student's on the means of
the tasks. What counts as independent is the cluster that a case declares (``cluster``), else the
task; trials of one task never do.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from trayecto.figures import Cluster, Ends, Metric, PassK
from trayecto.stats.bootstrap import bootstrap_ratio
from trayecto.stats.clusters import ROUNDING
from trayecto.stats.distributions import student_quantile
from trayecto.stats.intervals import Interval, mean_interval, rate_interval
from trayecto.stats.ratios import ratio_of_sums

ONE: Final = "one cluster: nothing tells how much another would differ"
ALIKE: Final = "every cluster gives the same, so nothing tells how much another would differ"
CONFIDENCE: Final = 0.95
RESAMPLED: Final = 500  # units; of more the linearised error says the same, and at once


Figure = TypeVar("Figure", Metric, PassK)


class Spread(Struct, frozen=True):
    """An interval with its method, or why there is none, and the clusters behind it."""

    interval: Ends | None
    method: str | None
    clusters: int
    cluster: Cluster
    why: str | None


def unit_of(cluster: str | None, case: str) -> Hashable:
    """What a task is independent by: its declared cluster, else itself."""
    return case if cluster is None else (cluster,)


def declared(units: list[Hashable]) -> list[Hashable] | None:
    """The units of tasks; None where each is the task itself, which is the same and faster."""
    return units if len(set(units)) < len(units) else None


def spread_of(
    values: Sequence[float], units: Sequence[Hashable] | None, *, share: bool, trials: int
) -> Spread | None:
    """The interval of the mean of the tasks' values; None of no values.

    ``units`` is None where no case declares a cluster; ``trials`` is how many runs stand behind the
    values. A share that leaves 0 to 1, as a metric of the user's may, is taken as any number.
    """
    if not values:
        return None
    cluster: Cluster = "task" if units is None else "declared"
    clusters = len(values) if units is None else len(set(units))
    if clusters == 1:
        return Spread(None, None, clusters, cluster, ONE)
    if share and min(values) >= 0 and max(values) <= 1:
        found = rate_interval(values, units, trials=trials, confidence=CONFIDENCE)
        known = None if found is None else found.interval
        return Spread(_ends(known), "wilson_neff_t", clusters, cluster, None)
    interval = mean_interval(values, units, confidence=CONFIDENCE)
    low, high = _ends(interval)
    if low == high:
        return Spread(None, None, clusters, cluster, ALIKE)
    floor = 0.0 if min(values) >= 0 else low  # a mean of what is never negative is not
    return Spread((max(low or 0.0, floor or 0.0), high), "cluster_t", clusters, cluster, None)


def _ends(interval: Interval | None) -> Ends:
    if interval is None:
        raise AssertionError
    return (interval.low, interval.high)


def ratio_spread(above: Sequence[float], below: Sequence[float], cluster: Cluster) -> Spread:
    """The interval of a ratio of sums over units: by resampling them, or linearised where many.

    Where more than one resample in 40 has nothing below, nothing bounds the ratio above. Units that
    all have the same ratio tell nothing of another.
    """
    if len(above) == 1:
        return Spread(None, None, 1, cluster, ONE)
    if len(above) > RESAMPLED:
        found = ratio_of_sums(above, below)
        if found is None or found.error is None:
            raise AssertionError
        half = student_quantile((1 + CONFIDENCE) / 2, found.clusters - 1) * found.error
        ends: Ends = (max(0.0, found.value - half), found.value + half)
        return _unless_alike(Spread(ends, "linearised", len(above), cluster, None))
    told = bootstrap_ratio(above, below)
    if told is None:
        raise AssertionError
    ends = (told.low, told.high)
    return _unless_alike(Spread(ends, "cluster_bootstrap", len(above), cluster, None))


def _unless_alike(spread: Spread) -> Spread:
    """An interval of a ratio, unless its ends differ by no more than rounding."""
    low, high = spread.interval or (0.0, None)
    if high is None or high - low > ROUNDING * high:
        return spread
    return replace(spread, interval=None, method=None, why=ALIKE)


def with_spread(figure: Figure, spread: Spread | None) -> Figure:
    """A figure with its interval, or with the reason why it has none."""
    if spread is None:
        return figure
    return replace(
        figure,
        interval=spread.interval,
        method=spread.method,
        clusters=spread.clusters,
        cluster=spread.cluster,
        interval_why=UNSET if spread.why is None else spread.why,
    )
