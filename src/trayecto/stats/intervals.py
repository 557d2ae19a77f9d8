"""Intervals for one number: a rate, a mean, a count of failures that never came.

The default for a rate is Wilson's interval on the effective sample size, with Student's quantile:
resampling tasks covers 50 % where it promises 95 %, with ten tasks of which 97 % succeed, and this
one 91 to 99 % wherever it was tried. The others have their use: Clopper-Pearson where a promise
must hold at any price, Jeffreys and the uniform prior for who asks for them.

Sources: Wilson 1927 (JASA 22); Clopper and Pearson 1934 (Biometrika 26); Brown, Cai and DasGupta
2001 (Stat. Sci. 16); Franco et al. 2019 (PMC6690503), for the effective sample size; the project's
notes on statistics, with the simulations.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite, sqrt

from msgspec import Struct

from trayecto.stats.clusters import clustered_mean
from trayecto.stats.distributions import beta_quantile, normal_quantile, student_quantile

CONFIDENCE = 0.95
_JEFFREYS, _UNIFORM = 0.5, 1.0


class Interval(Struct, frozen=True):
    """From ``low`` to ``high``."""

    low: float
    high: float


class RateInterval(Struct, frozen=True):
    """A rate with its interval; ``effective`` is how many independent trials it is worth.

    ``interval`` and ``effective`` are None where there is one cluster.
    """

    rate: float
    interval: Interval | None
    effective: float | None
    clusters: int


def wilson(successes: float, trials: float, confidence: float = CONFIDENCE) -> Interval | None:
    """Wilson's interval of independent trials; None of none."""
    _check_counts(successes, trials)
    if not trials:
        return None
    return _score_interval(successes / trials, trials, normal_quantile(_upper(confidence)))


def rate_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    trials: int | None = None,
    confidence: float = CONFIDENCE,
) -> RateInterval | None:
    """The mean of rates of tasks, each in [0, 1], and its interval: the default for any rate.

    ``n_eff = p(1-p)/SE^2``, with the clustered error, takes the place of the number of trials in
    Wilson's interval, and Student's quantile with one degree of freedom less than there are
    clusters that of the normal. Where all tasks are alike, or the rate is 0 or 1, nothing is known
    of the spread, and n_eff is the number of clusters. It is at most ``trials``. None of no values.
    Raises ValueError where a value is no rate.
    """
    if values and not (min(values) >= 0 and max(values) <= 1 and isfinite(sum(values))):
        odd = next(value for value in values if not 0 <= value <= 1)
        message = f"{odd!r} is no rate"
        raise ValueError(message)
    found = clustered_mean(values, clusters)
    if found is None:
        return None
    rate, error, count = min(1.0, found.mean), found.error, found.clusters
    if error is None:
        return RateInterval(rate, None, None, count)
    known = error > 0 and 0 < rate < 1
    effective = rate * (1 - rate) / (error * error) if known else float(count)
    if trials is not None:
        effective = min(effective, trials)
    quantile = student_quantile(_upper(confidence), count - 1)
    return RateInterval(rate, _score_interval(rate, effective, quantile), effective, count)


def _score_interval(rate: float, trials: float, quantile: float) -> Interval:
    """The rates whose score test does not reject this one."""
    square = quantile * quantile
    centre = (rate + square / (2 * trials)) / (1 + square / trials)
    spread = rate * (1 - rate) / trials + square / (4 * trials * trials)
    half = quantile * sqrt(spread) / (1 + square / trials)
    low = 0.0 if rate == 0 else max(0.0, centre - half)
    return Interval(low, 1.0 if rate == 1 else min(1.0, centre + half))


def mean_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> Interval | None:
    """The interval of a mean by Student's t and the clustered error; None of fewer than two."""
    found = clustered_mean(values, clusters)
    if found is None or found.error is None:
        return None
    half = student_quantile(_upper(confidence), found.clusters - 1) * found.error
    return Interval(found.mean - half, found.mean + half)


def clopper_pearson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The exact interval, which covers at least what it promises, whatever the rate; None of none.

    For conditions that must not fail.
    """
    _check_counts(successes, trials)
    failures, tail = trials - successes, 1 - _upper(confidence)
    if not trials:
        return None
    low = beta_quantile(tail, successes, failures + 1) if successes else 0.0
    high = beta_quantile(1 - tail, successes + 1, failures) if failures else 1.0
    return Interval(low, high)


def jeffreys(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The interval of Jeffreys' prior, whole at 0 and at all; None of none."""
    found = _posterior(successes, trials, _JEFFREYS, confidence)
    if found is None:
        return None
    return Interval(found.low if successes else 0.0, found.high if successes < trials else 1.0)


def uniform_prior(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The interval of a uniform prior, Beta(1, 1); None of none."""
    return _posterior(successes, trials, _UNIFORM, confidence)


def _posterior(successes: int, trials: int, prior: float, confidence: float) -> Interval | None:
    _check_counts(successes, trials)
    if not trials:
        return None
    a, b, tail = successes + prior, trials - successes + prior, 1 - _upper(confidence)
    return Interval(beta_quantile(tail, a, b), beta_quantile(1 - tail, a, b))


def zero_failures(trials: int, confidence: float = CONFIDENCE) -> float | None:
    """The highest rate of failure that no failure in so many independent trials leaves possible.

    Exact and one-sided, ``1 - alpha^(1/n)``: 0 of 30 leaves 9.5 %. About 3/n. None of no trials.
    """
    _check_counts(0, trials)
    return 1 - (1 - confidence) ** (1 / trials) if trials else None


def _upper(confidence: float) -> float:
    """The probability up to the upper end of a two-sided interval."""
    if not 0 < confidence < 1:
        message = f"confidence {confidence!r} is not between 0 and 1"
        raise ValueError(message)
    return (1 + confidence) / 2


def _check_counts(successes: float, trials: float) -> None:
    if not (isfinite(trials) and 0 <= successes <= trials):
        message = f"{successes!r} of {trials!r} is no count of successes"
        raise ValueError(message)
