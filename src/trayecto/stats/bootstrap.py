"""The cluster bootstrap: whole clusters are drawn again, with all that is in them.

For ratios and whatever else has no simple error: cost per accepted run, a pooled rate, a mean of
several columns at once. A cluster that is drawn twice weighs twice, so that all resamples are one
product of weights and sums. Up to seven clusters every resample there can be is counted once.
Rates take ``intervals.rate_interval`` instead: where clusters are alike a resample has no width.

Sources: Efron 1979 (Ann. Stat. 7); Davison and Hinkley 1997, 2.4 and 3.8; the project's notes on
statistics, 1.4.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from trayecto.stats.clusters import check_finite, cluster_sums

if TYPE_CHECKING:
    from numpy import float64
    from numpy.random import Generator
    from numpy.typing import NDArray

RESAMPLES = 10_000
ENUMERATED = 7  # clusters up to which every resample is counted
_SLACK = 1e-9  # counts are whole: what is as near to a rank is the rank
AT_ONCE = 2_000_000  # weights that are held in memory


class Resampled(Struct, frozen=True):
    """What the resamples came to: their mean, standard error, and the middle 95 %.

    ``undefined`` is the share of resamples in which the statistic could not be computed (nothing
    was accepted in them); they are in none of the other numbers.
    """

    mean: float
    error: float
    low: float
    high: float
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
    cluster. Raises ValueError for what is not finite, and where the two are not equally many.
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
    that is not above 0 and at most 1, and where values and clusters are not equally many.
    """
    from numpy import array, unique, zeros  # slow to import

    check_finite(values)
    if not 0 < share <= 1:
        message = f"share {share!r} is not above 0 and at most 1"
        raise ValueError(message)
    places: dict[Hashable, int] = {}
    names = range(len(values)) if clusters is None else clusters
    units = [places.setdefault(name, len(places)) for _, name in zip(values, names, strict=True)]
    if len(places) < 2:  # noqa: PLR2004  # one cluster tells nothing of others
        return None
    different, ranks = unique(array(values, dtype=float), return_inverse=True)
    held = zeros((len(places), len(different)))
    for unit, rank in zip(units, ranks, strict=True):
        held[unit, rank] += 1
    below = resampled(held, seed=seed, resamples=resamples).cumsum(axis=1)
    wanted = share * below[:, -1:] - _SLACK
    return _told(different[(below < wanted).sum(axis=1)], 0.0)


def resampled(
    sums: NDArray[float64],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    enumerated: int = ENUMERATED,
) -> NDArray[float64]:
    """The column totals of every resample of the rows: clusters down, statistics across.

    Up to ``enumerated`` clusters all resamples that there can be are given, in no order.
    """
    from numpy import concatenate
    from numpy.random import PCG64, Generator

    clusters = len(sums)
    if clusters <= enumerated:
        return _every_weight(clusters) @ sums
    chance = Generator(PCG64(seed))
    some = max(1, min(resamples, AT_ONCE // clusters))
    counts = [min(some, resamples - done) for done in range(0, resamples, some)]
    return concatenate([_weights(chance, clusters, count) @ sums for count in counts])


def _weights(chance: Generator, clusters: int, resamples: int) -> NDArray[float64]:
    """How often each cluster is drawn in each of some resamples."""
    from numpy import arange, bincount

    drawn = chance.integers(0, clusters, (resamples, clusters))
    flat = (drawn + arange(resamples)[:, None] * clusters).ravel()
    counts: NDArray[float64] = bincount(flat, minlength=resamples * clusters).astype(float)
    return counts.reshape(resamples, clusters)


def _every_weight(clusters: int) -> NDArray[float64]:
    """The weights of all ``C^C`` resamples, each as likely as any other."""
    from numpy import arange, zeros

    codes = arange(clusters**clusters)
    weights = zeros((len(codes), clusters))
    for _ in range(clusters):
        weights[arange(len(codes)), codes % clusters] += 1
        codes = codes // clusters
    return weights


def _told(values: NDArray[float64], undefined: float) -> Resampled:
    from numpy import percentile

    low, high = percentile(values, [2.5, 97.5])
    error = float(values.std())
    return Resampled(float(values.mean()), error, float(low), float(high), undefined)


def two_stage(
    trials: Sequence[Sequence[float]], *, seed: int = 0, resamples: int = RESAMPLES
) -> Resampled | None:
    """The mean of task means, with tasks drawn again and, in each, its trials drawn again.

    For other tasks of the kind and other runs of them at once. It is a little wide, since the means
    of tasks vary by their trials already. None of fewer than two tasks, or where one has no trial.
    """
    from numpy import array, stack
    from numpy.random import PCG64, Generator

    if len(trials) < 2 or not all(trials):  # noqa: PLR2004  # a variance needs two
        return None
    chance = Generator(PCG64(seed))
    columns = []
    for task in trials:
        check_finite(task)
        values = array(task, dtype=float)
        columns.append(_weights(chance, len(values), resamples) @ values / len(values))
    weights = _weights(chance, len(trials), resamples)
    return _told((weights * stack(columns, axis=1)).sum(axis=1) / len(trials), 0.0)
