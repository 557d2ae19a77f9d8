"""Numbers and bars as text: a value with its unit, a share on an axis, hatching for the unknown."""

from __future__ import annotations

from math import floor, isfinite, log10

from msgspec import UNSET

from trayecto.figures import Ends
from trayecto.scores import Goal

TRACK = 20  # columns from 0 % to 100 %
UNKNOWN = "–"
MINUS = "\N{MINUS SIGN}"
SEPARATOR = " · "
SHORT = "▼"  # beside a value that falls short of the one to start from

_MONEY_DIGITS = 6  # significant ones: a call costs a fraction of a cent
_LEAST_P = 0.0001
_LEAST, _MOST = 1e-9, 1e12  # beyond them only the size of a number is worth a column
_WHOLE = 100  # from here on a count needs no decimals


def percent(share: float) -> str:
    """A share as a percentage with one decimal: ``42.0 %``."""
    return f"{_minus(f'{share * 100:.1f}')} %"


def dollars(value: float) -> str:
    """Money with as many digits as it takes to see it: ``$0.00675``, ``$12.30``."""
    if not value:
        return "$0.00"
    if not _LEAST <= abs(value) < _MOST:
        return f"{MINUS if value < 0 else ''}${abs(value):.2e}"
    places = max(2, _MONEY_DIGITS - 1 - floor(log10(abs(value))))
    whole, _, cents = f"{abs(value):,.{places}f}".partition(".")
    sign = MINUS if value < 0 else ""
    return f"{sign}${whole}.{cents.rstrip('0').ljust(2, '0')}"


def amount(value: float) -> str:
    """A count or a mean of counts: ``1,164``, ``0.215``."""
    if abs(value) >= _MOST:
        return _minus(f"{value:.2e}")
    if isinstance(value, int) or abs(value) >= _WHOLE:
        return _minus(f"{value:,.0f}")
    return _minus(f"{value:.3g}")


def quantity(value: float, unit: str) -> str:
    """A value in its unit; the units of our own metrics, or any other number."""
    if not isfinite(value):
        return UNKNOWN
    if unit == "share":
        return percent(value)
    if unit == "usd":
        return dollars(value)
    return f"{amount(value)} ms" if unit == "ms" else amount(value)


def bound(goal: Goal, unit: str) -> str:
    """The value to start from: ``> 70 %``, ``< 2 %``, or ``0 %`` itself."""
    for sign, number in (("> ", goal.above), ("< ", goal.below), ("", goal.equal)):
        if number is not UNSET:
            told = f"{number * 100:g} %" if unit == "share" else quantity(number, unit)
            return f"{sign}{told}"
    return UNKNOWN


def span(interval: Ends, unit: str) -> str:
    """The ends of an interval: ``32–53`` for shares, ``≥ 90`` where it has no upper one."""
    ends = [
        _minus(f"{end * 100:.0f}") if unit == "share" else _end(end, unit)
        for end in interval
        if end is not None
    ]
    return "–".join(ends) if len(ends) == len(interval) else f"≥ {ends[0]}"


def _end(value: float, unit: str) -> str:
    """An end of an interval, to two digits: more would promise what it does not hold.

    The column beside it says that it is milliseconds, or dollars.
    """
    return quantity(two_digits(value), "" if unit == "ms" else unit).replace("$", "")


def moved(value: float | None, unit: str) -> str:
    """A difference with its sign; shares in points: ``+13.0``, ``+$0.02``."""
    if value is None:
        return UNKNOWN
    told = f"{abs(value) * 100:.1f}" if unit == "share" else quantity(abs(value), unit)
    return f"{MINUS if value < 0 else '+'}{told}"


def moved_span(interval: Ends | None, unit: str) -> str:
    """The ends of the interval of a difference: ``+3.4…+22.7``; nothing where an end is missing."""
    if interval is None or interval[1] is None:
        return ""
    ends = [end if unit == "share" else two_digits(end) for end in (interval[0], interval[1])]
    return "…".join(moved(end, unit) for end in ends)


def times(value: float) -> str:
    """A ratio: ``×3.00``, and with two digits where it is small, ``×0.0042``."""
    if not isfinite(value) or not _LEAST <= value < _MOST:
        return "×0" if not value else f"×{value:.1e}"
    return f"×{value:.{max(2, 1 - floor(log10(value)))}f}"


def p_value(value: float) -> str:
    """A p value to four digits: ``0.0135``, ``<1e-4``."""
    return "<1e-4" if value < _LEAST_P else f"{value:.4f}"


def two_digits(value: float) -> float:
    """A number to its first two digits; as it is where it is too small or too large to show."""
    if not value or not _LEAST <= abs(value) < _MOST:
        return value
    return round(value, 1 - floor(log10(abs(value))))


def bar(share: float, interval: Ends | None) -> str:
    """A dot on an axis from 0 to 100 %, with caps where its interval ends.

    >>> bar(0.42, (0.32, 0.53))
    '······├─●─┤·········'
    """
    track = ["·"] * TRACK
    dot = _column(share)
    if interval is not None:
        low, high = _column(interval[0]), _column(1 if interval[1] is None else interval[1])
        for place in range(low, high + 1):
            track[place] = "─"
        track[low], track[high] = "├", "┤"
    track[dot] = "●"
    return "".join(track)


def hatch(share: float, width: int = TRACK) -> str:
    """Hatching for the part that nobody knows: at least one column of it."""
    return "░" * max(1, min(width, round(share * width)))


def _column(share: float) -> int:
    return max(0, min(TRACK - 1, floor(share * TRACK)))


def _minus(number: str) -> str:
    return number.replace("-", MINUS)
