"""The cluster bootstrap: whole clusters are drawn again, with all that is in them.

For ratios and whatever else has no simple error: cost per accepted run, a pooled rate, a mean of
several columns at once. A cluster that is drawn twice weighs twice, so that all resamples are one
product of weights and sums. Up to seven clusters every resample there can be is counted once:
those that draw the same clusters are computed together, 1,716 instead of 823,543 for seven. Rates
take ``intervals.rate_interval`` instead: where clusters are alike a resample has no width.

Sources: Efron 1979 (Ann. Stat. 7); Davison and Hinkley 1997, 2.4 and 3.8; the project's notes on
statistics, 1.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING

from msgspec import Struct

from trayecto.stats.clusters import check_finite, cluster_sums

if TYPE_CHECKING:
    from numpy import float64
    from numpy.random import Generator
    from numpy.typing import NDArray

RESAMPLES = 10_000
ENUMERATED = 7  # clusters up to which every resample is counted
_TAIL = 0.025  # what lies above the interval
_SLACK = 1e-9  # counts are whole: what is as near to a rank is the rank
AT_ONCE = 2_000_000  # numbers that are held in memory


class Resampled(Struct, frozen=True):
    """What the resamples came to: their mean, standard error, and the middle 95 %.

    ``undefined`` is the share of resamples in which the statistic could not be computed (nothing
    was accepted in them). They are not in mean and error; in the interval they count as too large
    for any number, so that ``high`` is None where they are more than 2.5 %.
    """

    mean: float
    error: float
    low: float
    high: float | None
    undefined: float


def bootstrap_ratio(
    above: Sequence[float],
    below: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Resampled | None:
    """The ratio of two sums over all values; None of fewer than two clusters, or where it never is.

    A pooled rate is successes over ones, a mean over tasks is values over ones with each task a
    cluster. Raises ValueError for what is not finite, where the two are not equally many, and for
    a negative seed or no resamples.
    """
    from numpy import array, errstate, isfinite  # slow to import

    check_finite([*above, *below])
    if len(above) != len(below):
        message = f"{len(above)} values above and {len(below)} below"
        raise ValueError(message)
    sums = array([cluster_sums(above, clusters), cluster_sums(below, clusters)], dtype=float).T
    if len(sums) < 2:  # noqa: PLR2004  # one cluster tells nothing of others
        return None
    totals = resampled(sums, seed=seed, resamples=resamples)
    with errstate(divide="ignore", invalid="ignore"):
        ratios = totals[:, 0] / totals[:, 1]
    known = ratios[isfinite(ratios)]
    return _told(known, 1 - len(known) / len(ratios)) if len(known) else None


def bootstrap_quantile(
    values: Sequence[float],
    share: float,
    clusters: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Resampled | None:
    """A quantile by nearest rank: that of each resample is a value that was observed.

    None of fewer than two clusters. Raises ValueError for a value that is not finite, for a share
    that is not above 0 and at most 1, where values and clusters are not equally many, and for a
    negative seed or no resamples.
    """
    from numpy import argsort, array  # slow to import

    check_finite(values)
    if not 0 < share <= 1:
        message = f"share {share!r} is not above 0 and at most 1"
        raise ValueError(message)
    places: dict[Hashable, int] = {}
    names = range(len(values)) if clusters is None else clusters
    units = [places.setdefault(name, len(places)) for _, name in zip(values, names, strict=True)]
    if len(places) < 2:  # noqa: PLR2004  # one cluster tells nothing of others
        return None
    order = argsort(array(values, dtype=float))
    sorted_values, owners = array(values, dtype=float)[order], array(units)[order]

    def quantiles(weights: NDArray[float64]) -> NDArray[float64]:
        below = weights[:, owners].cumsum(axis=1)
        found: NDArray[float64] = sorted_values[
            (below < share * below[:, -1:] - _SLACK).sum(axis=1)
        ]
        return found

    plan = _Plan(len(places), len(values), seed, resamples)
    return _told(_each_resample(plan, quantiles), 0.0)


def resampled(
    sums: NDArray[float64],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    enumerated: int = ENUMERATED,
) -> NDArray[float64]:
    """The column totals of every resample of the rows: clusters down, statistics across.

    Up to ``enumerated`` clusters all resamples that there can be are given, in no order. Else they
    are drawn, the same for the same seed. Raises ValueError for a negative seed or no resamples.
    """
    plan = _Plan(len(sums), len(sums), seed, resamples, enumerated)
    return _each_resample(plan, lambda weights: weights @ sums)


class _Plan(Struct, frozen=True):
    """How to resample; ``width`` is how many numbers each resample holds in memory."""

    clusters: int
    width: int
    seed: int
    resamples: int
    enumerated: int = ENUMERATED

    def __post_init__(self) -> None:
        _check_draws(self.seed, self.resamples)


def _each_resample(
    plan: _Plan, statistic: Callable[[NDArray[float64]], NDArray[float64]]
) -> NDArray[float64]:
    """The statistic of every resample, from the weights of its clusters (resamples down)."""
    from numpy import concatenate, repeat
    from numpy.random import PCG64, Generator

    if plan.clusters <= plan.enumerated:
        weights, times = _every_weight(plan.clusters)
        return repeat(statistic(weights), times, axis=0)
    chance = Generator(PCG64(plan.seed))
    counts = _pieces(plan.resamples, max(plan.width, plan.clusters))
    return concatenate([statistic(_weights(chance, plan.clusters, count)) for count in counts])


def _check_draws(seed: int, resamples: int) -> None:
    if seed < 0 or resamples < 1:
        message = f"seed {seed!r} must not be negative, and resamples {resamples!r} at least 1"
        raise ValueError(message)


def _pieces(resamples: int, width: int) -> list[int]:
    """How many resamples to take at a time, so that memory holds them."""
    some = max(1, min(resamples, AT_ONCE // width))
    return [min(some, resamples - done) for done in range(0, resamples, some)]


def _weights(chance: Generator, clusters: int, resamples: int) -> NDArray[float64]:
    """How often each cluster is drawn in each of some resamples."""
    from numpy import arange, bincount

    drawn = chance.integers(0, clusters, (resamples, clusters))
    flat = (drawn + arange(resamples)[:, None] * clusters).ravel()
    counts: NDArray[float64] = bincount(flat, minlength=resamples * clusters).astype(float)
    return counts.reshape(resamples, clusters)


def _every_weight(clusters: int) -> tuple[NDArray[float64], list[int]]:
    """All weights that a resample can have, and in how many of the ``C^C`` each is drawn."""
    from numpy import array

    drawn = combinations_with_replacement(range(clusters), clusters)
    counts = [Counter(names) for names in drawn]
    weights = array([[count[name] for name in range(clusters)] for count in counts], dtype=float)
    orders = factorial(clusters)
    return weights, [orders // prod(map(factorial, count.values())) for count in counts]


def _told(values: NDArray[float64], undefined: float) -> Resampled:
    from numpy import percentile

    share = 1 - undefined
    low, high = percentile(values, [min(100.0, end / share) for end in (2.5, 97.5)])
    reached = float(high) if undefined <= _TAIL + _SLACK else None
    return Resampled(float(values.mean()), float(values.std()), float(low), reached, undefined)


def two_stage(
    trials: Sequence[Sequence[float]], *, seed: int = 0, resamples: int = RESAMPLES
) -> Resampled | None:
    """The mean of task means, with tasks drawn again and, in each, its trials drawn again.

    For other tasks of the kind and other runs of them at once. It is a little wide, since the means
    of tasks vary by their trials already. None of fewer than two tasks, or where one has no trial.
    Raises ValueError for a value that is not finite, and for a negative seed or no resamples.
    """
    from numpy import array, concatenate
    from numpy.random import PCG64, Generator

    _check_draws(seed, resamples)
    for task in trials:
        check_finite(task)
    if len(trials) < 2 or not all(map(len, trials)):  # noqa: PLR2004  # a variance needs two
        return None
    chance = Generator(PCG64(seed))
    tasks = [array(task, dtype=float) for task in trials]
    counts = _pieces(resamples, max(len(tasks), *map(len, tasks)))
    return _told(concatenate([_both_stages(chance, tasks, count) for count in counts]), 0.0)


def _both_stages(
    chance: Generator, tasks: Sequence[NDArray[float64]], resamples: int
) -> NDArray[float64]:
    """The mean of drawn tasks' means; a task drawn twice has its trials drawn twice, each apart."""
    from numpy import full, zeros

    weights = _weights(chance, len(tasks), resamples).astype(int)
    totals = zeros(resamples)
    for task, drawn in zip(tasks, weights.T, strict=True):
        size = len(task)
        totals += chance.multinomial(drawn * size, full(size, 1 / size)) @ task / size
    means: NDArray[float64] = totals / len(tasks)
    return means
