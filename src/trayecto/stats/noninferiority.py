"""Whether a candidate is not worse than a base by more than a margin that was fixed beforehand.

It passes where the one-sided lower bound of the difference is above minus the margin, fails where
the upper one is below, and else there is not enough evidence. The smoothed bound is the default:
two tasks are added, of which one half moved each way, so that few tasks that did not change prove
nothing. Without them the bound ships a candidate that is worse by exactly the margin up to 45 times
in 100 with five tasks; with them at most 7, and up to 9 where each task has one trial.

Sources: Agresti and Min 2005 (Biometrics 61), generalised to clusters; the project's notes on
statistics, 1.6, with the simulations.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum, isfinite, sqrt
from typing import Literal, TypeAlias

from msgspec import Struct

from trayecto.stats.clusters import check_finite, cluster_sums, clustered_mean
from trayecto.stats.distributions import student_quantile, student_tail

Outcome: TypeAlias = Literal["pass", "fail", "insufficient"]
ALPHA = 0.05
_HALF = 0.5  # above it the lower bound would be the higher one
ADDED = 2  # tasks
MOST = 1_000_000  # tasks: more is no advice


class Bound(Struct, frozen=True):
    """The one-sided bounds of a difference, and what they say of the margin.

    ``shrunk`` is the difference with the added tasks, the middle of the bounds. ``p_value`` is that
    of the plain bound: the probability of so good a difference if the true one is minus the margin.
    """

    observed: float
    shrunk: float
    error: float
    df: int
    lower: float
    upper: float
    verdict: Outcome
    p_value: float | None = None


def smoothed_bound(
    differences: Sequence[float],
    margin: float,
    clusters: Sequence[Hashable] | None = None,
    *,
    alpha: float = ALPHA,
) -> Bound:
    """Smoothed bounds of the mean of differences in [-1, 1], candidate minus base.

    ``n' = n+2``, ``d' = sum/(n+2)``, ``SE' = sqrt(S (C+2)/(C+1))/(n+2)`` with the added tasks in
    ``S``, and Student's t with C+1. Raises ValueError for a difference outside, for none, for a
    negative margin, and for an alpha that is not between 0 and one half.
    """
    _check_limits(margin, alpha)
    _check(differences)
    count = len(differences) + ADDED
    shrunk = fsum(differences) / count
    sums = cluster_sums([each - shrunk for each in differences], clusters)
    spread = fsum(each * each for each in sums)
    spread += ((1 - shrunk) ** 2 + (1 + shrunk) ** 2) / 2 + shrunk * shrunk
    number = len(sums)
    error = sqrt(spread * (number + ADDED) / (number + 1)) / count
    half = student_quantile(1 - alpha, number + 1) * error
    lower, upper = shrunk - half, shrunk + half
    observed = fsum(differences) / len(differences)
    verdict = _judge(lower, upper, margin)
    return Bound(observed, shrunk, error, number + 1, lower, upper, verdict)


def plain_bound(
    differences: Sequence[float],
    margin: float,
    clusters: Sequence[Hashable] | None = None,
    *,
    alpha: float = ALPHA,
) -> Bound | None:
    """Student's bounds without added tasks; None of fewer than two clusters, or without spread.

    Raises ValueError as ``smoothed_bound``, but for differences of any size.
    """
    _check_limits(margin, alpha)
    found = clustered_mean(differences, clusters)
    if found is None or not found.error:
        return None
    df = found.clusters - 1
    half = student_quantile(1 - alpha, df) * found.error
    lower, upper = found.mean - half, found.mean + half
    p_value = student_tail((found.mean + margin) / found.error, df)
    verdict = _judge(lower, upper, margin)
    return Bound(found.mean, found.mean, found.error, df, lower, upper, verdict, p_value)


def smallest_tasks(margin: float, alpha: float = ALPHA, size: float = 1.0) -> int | None:
    """The fewest tasks with which the smoothed bound can pass, if none of them changed.

    Below, no outcome that is the same on both sides proves anything. ``size`` is how many tasks a
    cluster has. None beyond a million. Raises ValueError for a margin that is not between 0 and 1,
    for an alpha as ``smoothed_bound``, and for a size below 1.
    """
    if not (0 < margin < 1 <= size):
        message = f"margin {margin!r} is not between 0 and 1, or size {size!r} is below 1"
        raise ValueError(message)
    _check_limits(margin, alpha)
    if not _passes_unchanged(MOST, margin, alpha, size):
        return None
    low, high = 0, MOST
    while high - low > 1:
        middle = (low + high) // 2
        if _passes_unchanged(middle, margin, alpha, size):
            high = middle
        else:
            low = middle
    return high


def _passes_unchanged(tasks: int, margin: float, alpha: float, size: float) -> bool:
    """Whether so many tasks without any change pass: the bound of ``smoothed_bound``, by hand."""
    clusters = tasks / size
    error = sqrt((clusters + ADDED) / (clusters + 1)) / (tasks + ADDED)
    return student_quantile(1 - alpha, clusters + 1) * error < margin


def _judge(lower: float, upper: float, margin: float) -> Outcome:
    if lower > -margin:
        return "pass"
    return "fail" if upper < -margin else "insufficient"


def _check_limits(margin: float, alpha: float) -> None:
    if not (isfinite(margin) and margin >= 0):
        message = f"margin {margin!r} is no finite number from 0"
        raise ValueError(message)
    if not 0 < alpha < _HALF:
        message = f"alpha {alpha!r} is not between 0 and 0.5"
        raise ValueError(message)


def _check(differences: Sequence[float]) -> None:
    check_finite(differences)
    odd = next((each for each in differences if not -1 <= each <= 1), None)
    if odd is not None or not differences:
        told = "there is none" if odd is None else f"{odd!r} is not"
        message = f"differences lie between -1 and 1: {told}"
        raise ValueError(message)
