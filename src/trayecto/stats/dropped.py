"""Whether a score fell by more than half a point: the rule of thumb of article 003, as a flag.

Strict, and in decimals: 4.4 to 3.9 is half a point and no more, where floats make it
0.5000000000000004.

Source: article 003, *set de regresión*.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

HALF = Decimal("0.5")


def dropped(
    before: str | float | Decimal, now: str | float | Decimal, limit: str | float | Decimal = HALF
) -> bool:
    """Whether ``now`` is below ``before`` by more than ``limit``; a float is what it prints as.

    Raises ValueError for what is no finite number.
    """
    return _decimal(before) - _decimal(now) > _decimal(limit)


def _decimal(value: str | float | Decimal) -> Decimal:
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        found = Decimal("nan")
    if not found.is_finite():
        message = f"{value!r} is not a finite number"
        raise ValueError(message)
    return found
