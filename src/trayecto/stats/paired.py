"""Two arms on the same tasks: the difference by task, its interval, and a test of it.

Trials are not paired with trials, since nothing is shared between them; tasks are with tasks. Where
tasks come in clusters these are what is independent: the error is clustered, and signs are flipped
by whole clusters.

Sources: Miller 2024 (arXiv 2411.00640), for pairing; Fisher 1935 (The Design of Experiments), for
the permutation of signs; Phipson and Smyth 2010 (SAGMB 9), for (hits + 1)/(flips + 1).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import fsum, sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from msgspec import Struct

from trayecto.stats.clusters import ROUNDING, check_finite, cluster_sums, clustered_mean
from trayecto.stats.distributions import student_quantile, student_tail

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
EXACT = 20  # clusters up to which every combination of signs is tried
FLIPS = 100_000
AT_ONCE = 10_000  # flips held in memory, fewer where there are many clusters
CELLS = 2_000_000  # signs held in memory


class Difference(Struct, frozen=True):
    """Candidate minus base, with its error and what follows from it.

    ``error`` and all after it are None where there is one cluster; ``t``, ``p_value`` and the ends
    of the interval also where the differences vary by no more than rounding, which tells nothing of
    others.
    """

    difference: float
    error: float | None
    df: int | None
    t: float | None
    p_value: float | None
    low: float | None
    high: float | None


def paired_difference(
    base: Sequence[float],
    candidate: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> Difference | None:
    """The mean difference of paired values, with Student's t and clustered error; None of none.

    Raises ValueError where the two are not equally many, for a value that is not finite, and for a
    confidence that is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        message = f"confidence {confidence!r} is not between 0 and 1"
        raise ValueError(message)
    differences = [right - left for left, right in zip(base, candidate, strict=True)]
    found = clustered_mean(differences, clusters)
    if found is None:
        return None
    mean, error, df = found.mean, found.error, found.clusters - 1
    if error is None:
        return Difference(mean, None, None, None, None, None, None)
    # 2/3 - 1/3 and 1/3 - 0 differ in the last digit, and must not make an interval of no width.
    if error <= ROUNDING * max(map(abs, (*base, *candidate))):
        return Difference(mean, 0.0, df, None, None, None, None)
    t = mean / error
    half = student_quantile((1 + confidence) / 2, df) * error
    return Difference(mean, error, df, t, 2 * student_tail(abs(t), df), mean - half, mean + half)


def smallest_p(clusters: int) -> float:
    """The smallest two-sided p that flipping the signs of so many clusters can give."""
    return float(min(1.0, 2.0 ** (1 - clusters)))


def sign_flip(
    differences: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
    alternative: Alternative = "two-sided",
) -> float | None:
    """The p of a sum of differences, if each cluster's could as well have the other sign.

    Exact up to 20 clusters whose sum is not zero, else of 100,000 seeded flips. None of no
    differences. Raises ValueError for a value that is not finite, and for an alternative that is
    none.
    """
    if alternative not in get_args(Alternative):
        message = f"alternative {alternative!r} is none of {get_args(Alternative)}"
        raise ValueError(message)
    check_finite(differences)
    if not differences:
        return None
    sums = cluster_sums(differences, clusters)
    seen = fsum(sums)
    # A flip does not ask which sign a sum had, and zero has none: so neither the order of the tasks
    # nor those that did not change alter what is drawn.
    sizes = sorted(abs(each) for each in sums if each)
    near = ROUNDING * fsum(sizes)  # milliseconds round more coarsely than shares
    if len(sizes) <= EXACT:
        return float(_reached(_every_total(sizes), seen, near, alternative).mean())
    drawn = _drawn_totals(sizes, seed)
    hits = sum(int(_reached(totals, seen, near, alternative).sum()) for totals in drawn)
    return (hits + 1) / (FLIPS + 1)


def _every_total(sizes: Sequence[float]) -> NDArray[float64]:
    """The total under every combination of signs; never more in memory than there are of these."""
    from numpy import concatenate, zeros  # slow to import

    totals = zeros(1)
    for each in sizes:
        totals = concatenate((totals + each, totals - each))
    return totals


def _drawn_totals(sizes: Sequence[float], seed: int) -> Iterator[NDArray[float64]]:
    """The total under each of many random flips, some at a time: one random bit is one sign."""
    from numpy import array, uint8, unpackbits
    from numpy.random import PCG64, Generator

    chance, values = Generator(PCG64(seed)), array(sizes, dtype=float)
    at_once = max(1, min(AT_ONCE, CELLS // len(sizes)))
    for start in range(0, FLIPS, at_once):
        rows = min(at_once, FLIPS - start)
        drawn = chance.integers(0, 256, (rows, -(-len(sizes) // 8)), dtype=uint8)
        kept = unpackbits(drawn, axis=1, count=len(sizes)).astype(float)
        yield 2 * (kept @ values) - values.sum()


def _reached(
    totals: NDArray[float64], seen: float, near: float, alternative: Alternative
) -> NDArray[bool_]:
    """Which totals are at least as extreme as the one that was seen, or as near as rounding."""
    if alternative == "greater":
        return totals >= seen - near
    if alternative == "less":
        return totals <= seen + near
    return abs(totals) >= abs(seen) - near


def rerun_error(trials: Sequence[Sequence[float]]) -> float | None:
    """How much the mean of the same tasks would move if they were run again: a standard error.

    ``trials`` are those of each task. The clustered error answers another question: what other
    tasks of this kind would give. None where a task has fewer than two trials, and of no tasks.
    """
    if not trials or any(len(task) < 2 for task in trials):  # noqa: PLR2004  # a variance needs two
        return None
    return sqrt(fsum(_variance(task) / len(task) for task in trials)) / len(trials)


def _variance(values: Sequence[float]) -> float:
    check_finite(values)
    mean = fsum(values) / len(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
