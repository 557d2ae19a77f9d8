"""Quantiles and tails of the normal, Student, beta and binomial distributions.

To about twelve digits, which is more than any interval here needs, and without a heavy import: a
report shows intervals on every run. The beta distribution is the one that the others follow from.

Sources: the continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated by the
modified method of Lentz (Thompson and Barnett 1986, J. Comput. Phys. 64).
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

KNOWN = 4096  # quantiles that are kept
_TINY = 1e-300
_EPSILON = 1e-16
_TERMS = 10_000
_STEPS = 12  # of Newton's method
_NEAR = 1e-13  # a step as small as that changes nothing
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
    square = value * value
    if square < 1:  # from the middle: what is left of it far out is lost to rounding here
        half = (1 - beta_cdf(square / (df + square), 0.5, df / 2)) / 2
    else:
        half = beta_cdf(df / (df + square), df / 2, 0.5) / 2
    return half if value > 0 else 1 - half


@lru_cache(KNOWN)
def student_quantile(probability: float, df: float) -> float:
    """The value below which a Student t falls with this probability, 0 < p < 1."""
    if probability == 0.5:  # noqa: PLR2004  # the median of a symmetric distribution
        return 0.0
    tail = min(probability, 1 - probability)
    value = _by_newton(tail, df)
    if value is None:
        x = beta_quantile(2 * tail, df / 2, 0.5)
        value = sqrt(df * (1 - x) / x)
    return value if probability > tail else -value


def _by_newton(tail: float, df: float) -> float | None:
    """The value with so much above it, in a few steps from the expansion of Cornish and Fisher.

    None where these do not settle: far out in the tails of few degrees of freedom. A report asks
    for a hundred of them, and halving takes two milliseconds for each.
    """
    z = -normal_quantile(tail)
    value = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df * df)
    log_peak = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2
    for _ in range(_STEPS):
        density = exp(log_peak - (df + 1) / 2 * log1p(value * value / df))
        step = (student_tail(value, df) - tail) / density if density else value
        value += step
        if value <= 0:
            return None
        if abs(step) <= _NEAR * max(value, 1.0):
            return value
    return None


def binomial_tail(successes: int, trials: int, rate: float) -> float:
    """The probability of at least so many successes in independent trials of one rate."""
    if successes <= 0:
        return 1.0
    return beta_cdf(rate, successes, trials - successes + 1) if successes <= trials else 0.0
