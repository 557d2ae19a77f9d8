"""The minutes that people worked on runs, and what they come to where a rate is stated."""

from __future__ import annotations

from fractions import Fraction

from trayecto.metrics import Scored
from trayecto.rates import MICRO, charge
from trayecto.wire.people import impossible


class Minutes:
    """Whole millionths of a minute, the runs that tell them, and the price of a minute."""

    __slots__ = ("micros", "rate", "runs")

    def __init__(self) -> None:
        self.micros = 0
        self.runs = 0
        self.rate: Fraction | None = None

    def add(self, run: Scored) -> None:
        """Add the minutes of one run, where it tells them."""
        minutes = run.trajectory.human_minutes
        if minutes is None or impossible("human_minutes", minutes):
            return
        self.micros += round(minutes * MICRO)
        self.runs += 1
        prices = run.facts.prices
        if prices is not None:
            self.rate = prices.rates.human_minute

    def merge(self, other: Minutes) -> None:
        """Add the minutes of another part."""
        self.micros += other.micros
        self.runs += other.runs
        if self.rate is None:
            self.rate = other.rate

    def bill(self, of: int) -> int | None:
        """What all minutes cost in nano-dollars; None without a rate, or unless all runs tell."""
        if self.rate is None or self.runs != of:
            return None
        return charge(self.rate, self.micros)
