"""Quantiles and tails of the normal, Student, beta and binomial distributions.

To about twelve digits, which is more than any interval here needs, and without a heavy import: a
report shows intervals on every run. The beta distribution is the one that the others follow from.

Sources: the continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated by the
modified method of Lentz (Thompson and Barnett 1986, J. Comput. Phys. 64).
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

KNOWN = 4096  # quantiles that are kept
_TINY = 1e-300
_EPSILON = 1e-16
_TERMS = 10_000
_NORMAL = NormalDist()


def normal_quantile(probability: float) -> float:
    """The value below which a standard normal falls with this probability, 0 < p < 1."""
    return _NORMAL.inv_cdf(probability)


def normal_tail(value: float) -> float:
    """The probability that a standard normal is greater than a value."""
    return _NORMAL.cdf(-value)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The probability that a Beta(a, b), a and b above 0, is at most x."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b))
    if x < (a + 1) / (a + b + 2):  # where the fraction converges fast
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function."""
    above, below = 1.0, 1 - (a + b) * x / (a + 1)
    below = 1 / (below or _TINY)
    value = below
    for m in range(1, _TERMS):
        before = value
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            below = 1 / ((1 + term * below) or _TINY)
            above = (1 + term / above) or _TINY
            value *= above * below
        if abs(value - before) <= _EPSILON * abs(value):
            break
    return value


@lru_cache(KNOWN)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """The x with ``beta_cdf(x, a, b)`` equal to a probability, by halving: it always converges."""
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if beta_cdf(middle, a, b) < probability:
            low = middle
        else:
            high = middle


def student_tail(value: float, df: float) -> float:
    """The probability that a Student t with ``df`` degrees of freedom is greater than a value."""
    half = beta_cdf(df / (df + value * value), df / 2, 0.5) / 2
    return half if value > 0 else 1 - half


@lru_cache(KNOWN)
def student_quantile(probability: float, df: float) -> float:
    """The value below which a Student t falls with this probability, 0 < p < 1."""
    if probability == 0.5:  # noqa: PLR2004  # the median of a symmetric distribution
        return 0.0
    tail = min(probability, 1 - probability)
    x = beta_quantile(2 * tail, df / 2, 0.5)
    value = sqrt(df * (1 - x) / x)
    return value if probability > tail else -value


def binomial_tail(successes: int, trials: int, rate: float) -> float:
    """The probability of at least so many successes in independent trials of one rate."""
    if successes <= 0:
        return 1.0
    return beta_cdf(rate, successes, trials - successes + 1) if successes <= trials else 0.0
