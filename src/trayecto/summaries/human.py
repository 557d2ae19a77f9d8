"""What people did: minutes of their work, interventions, and runs that somebody gave up.

Counted: what a run tells of the people beside the agent; a run that says nothing is unknown, not 0,
and every number says how many runs told it. The share given up is over the runs that tell either
way (``abandoned_at`` is a time, or ``false``). Where only runs that were given up say so, and not
all runs did, it is undefined: by itself that would always be 100 %. The median of the times until
then is a time that was observed (nearest rank), to the microsecond, beyond a million different
times to four digits.

Minutes become money only at the rate that the price file states (``human_minute``), and only where
every run tells its minutes: a part of a bill is no bill. Then, and only then, they are also a part
of ``cost_per_accepted_usd``. Minutes and seconds are kept in whole millionths and the money is
rounded once, half up to the nano-dollar, so that any split of the runs merges to the same.

Source: article 004, *El costo por éxito incluye las derrotas*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from trayecto.document import Abandoned, Human, Told
from trayecto.metrics import Column, Scored
from trayecto.rates import MICRO
from trayecto.stats.quantiles import nearest_rank
from trayecto.summaries._minutes import Minutes
from trayecto.summaries._times import coarsen, rounded
from trayecto.wire.people import impossible

EXACT = 1_000_000  # different times that are kept exactly
NANO = 1_000_000_000
HALF = Fraction(1, 2)
NO_MINUTES = "no run tells the minutes of people"
NO_INTERVENTIONS = "no run tells interventions"
UNSAID = "no run tells whether somebody gave it up"
ONE_SIDED = "only runs that were given up say so"
NOBODY = "nobody gave a run up"
NO_RATE = "no price of a person's minute is stated"


class Accumulator:
    """Sums in whole numbers, each with the runs that told it."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with nobody."""
        self.runs = 0
        self.minutes = Minutes()
        self.interventions = 0
        self.counted = 0
        self.ends: Counter[int] = Counter()  # microseconds until somebody gave up
        self.kept = 0  # runs of which it is told that nobody did
        self.coarse = False

    def add(self, run: Scored) -> None:
        """Count one run; most tell nothing of people."""
        self.runs += 1
        at = run.trajectory
        if at.human_minutes is None and at.interventions is None and at.abandoned_at is None:
            return
        self.minutes.add(run)
        if at.interventions is not None and not impossible("interventions", at.interventions):
            self.counted += 1
            self.interventions += at.interventions
        if at.abandoned_at is not None and not impossible("abandoned_at", at.abandoned_at):
            if at.abandoned_at is False:
                self.kept += 1
            else:
                self._end(round(at.abandoned_at * MICRO))

    def _end(self, time: int) -> None:
        self.ends[rounded(time) if self.coarse else time] += 1
        self._bound()

    def _bound(self) -> None:
        """Keep four digits of every time, of those to come too, where there are too many."""
        if not self.coarse and len(self.ends) > EXACT:
            self.coarse, self.ends = True, coarsen(self.ends)

    def merge(self, other: Accumulator) -> None:
        """Add the people of another part."""
        self.runs += other.runs
        self.minutes.merge(other.minutes)
        self.interventions += other.interventions
        self.counted += other.counted
        self.kept += other.kept
        self.ends += other.ends
        if other.coarse or self.coarse:
            self.coarse, self.ends = True, coarsen(self.ends)
        self._bound()

    def value(self) -> dict[str, Human]:
        """The sums, divided once."""
        minutes, bill = self.minutes, self.minutes.bill(self.runs)
        human = Human(
            of=self.runs,
            minutes=_told(minutes.micros / MICRO, minutes.runs),
            interventions=_told(self.interventions, self.counted),
            abandoned=self._abandoned(),
            human_usd=None if bill is None else round(bill / NANO, 9),
            in_cost_per_accepted=bill is not None,
            undefined=self._undefined(),
        )
        return {"human": human}

    def _abandoned(self) -> Abandoned:
        gone = self.ends.total()
        told = gone + self.kept
        median = nearest_rank(self.ends, HALF)
        return Abandoned(
            runs=gone if told else None,
            share=None if self._why_no_share() else gone / told,
            n=told,
            median_seconds=None if median is None else median / MICRO,
        )

    def _undefined(self) -> dict[str, str]:
        """Why a figure has no value, by its name."""
        found = {
            "minutes": None if self.minutes.runs else NO_MINUTES,
            "interventions": None if self.counted else NO_INTERVENTIONS,
            "abandoned": self._why_no_share(),
            "median_seconds": None if self.ends else NOBODY if self.kept else UNSAID,
            "human_usd": self._why_no_money(),
        }
        return {name: why for name, why in found.items() if why is not None}

    def _why_no_share(self) -> str | None:
        if not self.ends and not self.kept:
            return UNSAID
        return None if self.kept or self.ends.total() == self.runs else ONE_SIDED

    def _why_no_money(self) -> str | None:
        if not self.minutes.runs:
            return NO_MINUTES
        if self.minutes.rate is None:
            return NO_RATE
        if self.minutes.runs == self.runs:
            return None
        return f"minutes of people known for {self.minutes.runs} of {self.runs} runs"


def _told(total: float, n: int) -> Told:
    return Told(total=total if n else None, mean=total / n if n else None, n=n)
