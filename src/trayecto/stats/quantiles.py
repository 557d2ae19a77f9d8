"""Quantiles by nearest rank: always a value that was observed, whatever the order of arrival."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction


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
