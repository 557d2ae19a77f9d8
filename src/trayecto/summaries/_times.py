"""Times by how often each was seen: exact up to a number of them, then to four digits."""

from __future__ import annotations

import sys
from collections import Counter

DIGITS = 4
LATE = sys.maxsize  # stands for a time that is longer than any


def rounded(time: int) -> int:
    """A time to four digits, cut; one that is later than any stays.

    >>> rounded(123_456)
    123400
    """
    if time < 10**DIGITS or time == LATE:
        return time
    step: int = 10 ** (len(str(time)) - DIGITS)
    return time // step * step


def coarsen(counts: Counter[int]) -> Counter[int]:
    """Every time to four digits."""
    coarse: Counter[int] = Counter()
    for time, count in counts.items():
        coarse[rounded(time)] += count
    return coarse
