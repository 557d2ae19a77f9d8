"""P values of several questions at once, corrected for how many were asked.

Guards that must all hold need no correction. Holm's keeps the chance of any false alarm, for a few
dimensions that are looked at; Benjamini and Hochberg's keeps the share of false ones among all
alarms, for tables by task or tool.

Sources: Holm 1979 (Scand. J. Stat. 6); Benjamini and Hochberg 1995 (JRSS B 57).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p of each, in the order given. Raises ValueError for what is no p."""
    order = _ordered(p_values)
    count = len(order)
    raised = [(count - rank) * p_values[at] for rank, at in enumerate(order)]
    return _placed(order, accumulate(raised, max))


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p of each, in the order given. Raises as ``holm``."""
    order = _ordered(p_values)[::-1]
    count = len(order)
    raised = [count / (count - rank) * p_values[at] for rank, at in enumerate(order)]
    return _placed(order, accumulate(raised, min))


def _ordered(p_values: Sequence[float]) -> list[int]:
    """The places of the p values, the smallest first."""
    odd = next((value for value in p_values if not 0 <= value <= 1), None)
    if odd is not None:
        message = f"{odd!r} is no p value"
        raise ValueError(message)
    return sorted(range(len(p_values)), key=p_values.__getitem__)


def _placed(order: Sequence[int], values: accumulate[float]) -> list[float]:
    """Values in order of rank, each back in its place and at most 1."""
    found = dict(zip(order, values, strict=True))
    return [min(1.0, found[at]) for at in range(len(order))]
