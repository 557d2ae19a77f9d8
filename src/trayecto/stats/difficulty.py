"""How hard each task is, and whether it tells good agents from bad ones.

Sources: classical test theory: the item-rest (point-biserial) correlation; the project's notes on
statistics, 1.10.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

from msgspec import Struct

from trayecto.stats.clusters import check_finite

_ROUNDING = 1e-9  # successes that differ by less do so by rounding, and do not vary


class Item(Struct, frozen=True):
    """A task: 1 minus its mean success, and how it goes with the rest of the suite.

    ``discrimination`` below 0 makes a task suspect; None where all agents do the same on it, or on
    the rest.
    """

    difficulty: float
    discrimination: float | None


def items(agents: Sequence[Sequence[float]]) -> list[Item]:
    """Every task, from the successes, 0 to 1, of agents (rows) on the same tasks (columns).

    Raises ValueError for a success that is not from 0 to 1, and for rows of unequal length.
    """
    if len({len(row) for row in agents}) > 1:
        raise ValueError("agents must have the same tasks")
    for row in agents:
        _check(row)
    columns = list(zip(*agents, strict=True))
    totals = [fsum(row) for row in agents]
    return [
        Item(
            1 - fsum(column) / len(column),
            _correlation(column, [total - own for total, own in zip(totals, column, strict=True)]),
        )
        for column in columns
    ]


def _correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; None where either does not vary."""
    if any(max(values) - min(values) < _ROUNDING for values in (one, other)):
        return None
    mean, mean_other = fsum(one) / len(one), fsum(other) / len(other)
    left = [value - mean for value in one]
    right = [value - mean_other for value in other]
    spread = sqrt(fsum(a * a for a in left) * fsum(b * b for b in right))
    found = fsum(a * b for a, b in zip(left, right, strict=True)) / spread
    return max(-1.0, min(1.0, found))  # rounding alone goes beyond


def _check(row: Sequence[float]) -> None:
    check_finite(row)
    odd = next((value for value in row if not 0 <= value <= 1), None)
    if odd is not None:
        message = f"{odd!r} is no success from 0 to 1"
        raise ValueError(message)
