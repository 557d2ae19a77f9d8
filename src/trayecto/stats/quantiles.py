"""Quantiles by nearest rank: always a value that was observed, whatever the order of arrival."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from fractions import Fraction

from trayecto.stats.distributions import binomial_tail


def nearest_rank(counts: Mapping[int, int], share: Fraction) -> int | None:
    """The smallest value with at least ``share`` of all values at or below it; None of none.

    ``counts`` says how often each value was seen. The same as numpy's ``inverted_cdf``.
    """
    total = sum(counts.values())
    if not total:
        return None
    rank = max(1, -(-share.numerator * total // share.denominator))
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= rank:
            return value
    raise AssertionError  # pragma: no cover  # the rank never exceeds the total


def rank_bounds(
    values: int, share: Fraction, confidence: float = 0.95
) -> tuple[int | None, int | None]:
    """The ranks between which a quantile lies, of so many independent values; exact, two-sided.

    By the binomial: at most half of the doubt lies beyond each of the two. A bound is None where
    no value is sure enough to be beyond the quantile: the upper bound of a 95th percentile takes 72
    values. Raises ValueError for fewer values than none, a share that is not from 0 to 1, and a
    confidence that is not between. Source: David and Nagaraja 2003 (Order Statistics, 7.1).
    """
    if values < 0 or not 0 <= share <= 1 or not 0 < confidence < 1:
        message = f"{values!r} values, share {share} and confidence {confidence!r} cannot be"
        raise ValueError(message)
    doubt, rate = (1 - confidence) / 2, float(share)
    ranks = range(1, values + 1)
    # The rank-th value is above the quantile where fewer than rank values are at or below it.
    above = bisect_right(ranks, doubt, key=lambda rank: 1 - binomial_tail(rank, values, rate))
    below = bisect_left(ranks, -doubt, key=lambda rank: -binomial_tail(rank, values, rate))
    return (above or None, below + 1 if below < values else None)
