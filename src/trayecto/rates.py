"""What costs money beside tokens: calls of tools, time, and a person's minutes.

Rates are whole or fractions of a nano-dollar (1e-9 USD); each cost is rounded half up, once. A call
costs whole nano-dollars, so that calls add up alike by run and by tool.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from trayecto.trajectory import Call

MICRO = 1_000_000  # micros of a second or a minute


class Rates(Struct, frozen=True):
    """Prices beside those of tokens; what nobody stated is not priced.

    ``tools`` are nano-dollars a call, by the tool's exact name: every attempt is paid, failed ones
    too, and calls of a tool without a price cost nothing by themselves. ``per_second`` is
    nano-dollars a second of a run, ``human_minute`` nano-dollars a minute of a person's work.
    """

    tools: dict[str, int] = {}
    per_second: Fraction | None = None
    human_minute: Fraction | None = None

    def of_calls(self, calls: Iterable[Call]) -> int:
        """What calls cost by themselves, in nano-dollars."""
        price = self.tools.get
        return sum([price(call.tool, 0) for call in calls])


NO_RATES = Rates()


def charge(rate: Fraction, micros: int) -> int:
    """The cost of so many millionths of what a rate is for, in nano-dollars, rounded half up.

    >>> charge(Fraction(5, 2), 1_000_000)
    3
    """
    whole = rate.denominator * MICRO
    return (2 * micros * rate.numerator + whole) // (2 * whole)
