"""What an accepted run costs: the money of all runs over the runs that can be used.

Counted: the cost of every run, failed and broken ones too, over the runs that were accepted (see
``accepted``). What people's minutes come to (``human_usd``) is a part of that bill only where the
price file states what a minute costs and every run tells its minutes; else it is left out, and
``in_cost_per_accepted`` beside the minutes says which it was. Unit: US dollars. Lower is better.
Undefined where the cost of one run is unknown (a part of a bill is no bill), where nobody knows
whether one of them is accepted, and where nothing was accepted: never 0, never infinite.

Source: article 000, *Costo por tarea*; article 004.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from trayecto.figures import Cluster, Metric
from trayecto.metrics import Column, Scored
from trayecto.spread import Spread, ratio_spread, unit_of, with_spread
from trayecto.summaries._minutes import Minutes

NANO = 1_000_000_000
BY_PEOPLE = "what people's minutes cost is not told by task"


class Accumulator:
    """The bill in nano-dollars, and the runs that it bought."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with nothing spent."""
        self.nano = 0
        self.runs = 0
        self.priced = 0
        self.accepted = 0
        self.unknown = 0
        self.minutes = Minutes()
        self.tasks: set[str] = set()
        self.units: dict[Hashable, list[int]] = {}  # nano-dollars and accepted runs of each

    def add(self, run: Scored) -> None:
        """Add one run's cost, and whether it was accepted."""
        self.runs += 1
        name = run.trajectory.case_id
        unit = unit_of(None if run.case is None else run.case.cluster, name)
        sums = self.units.setdefault(unit, [0, 0])
        cost = run.value("cost_usd")
        if cost is not None and isinstance(cost, (int, float)):
            self.priced += 1
            nano = round(cost * NANO)
            self.nano += nano
            sums[0] += nano
        if run.trajectory.human_minutes is not None:
            self.minutes.add(run)
        accepted = run.value("accepted")
        if accepted:
            self.accepted += 1
            sums[1] += 1
            self.tasks.add(name)
        elif accepted is None:
            self.unknown += 1

    def merge(self, other: Accumulator) -> None:
        """Add the bill of another part."""
        self.nano += other.nano
        self.runs += other.runs
        self.priced += other.priced
        self.accepted += other.accepted
        self.unknown += other.unknown
        self.minutes.merge(other.minutes)
        self.tasks |= other.tasks
        for unit, (nano, accepted) in other.units.items():
            sums = self.units.setdefault(unit, [0, 0])
            sums[0] += nano
            sums[1] += accepted

    def metrics(self) -> dict[str, Metric]:
        """Divide the bill, once."""
        known = self.priced == self.runs
        minutes = self.minutes.bill(self.runs) or 0
        nano = self.nano + minutes
        why = self._why()
        metric = Metric(
            value=nano / NANO / self.accepted if why is None else None,
            n=self.accepted,
            of=self.runs,
            tasks=len(self.tasks),
            unit="usd",
            better="lower",
            over="runs",
            why=UNSET if why is None else why,
            total=round(nano / NANO, 9) if known else None,
            missing=self.runs - self.priced,
        )
        if why is None and minutes:
            metric = replace(metric, interval_why=BY_PEOPLE)
        elif why is None:
            metric = with_spread(metric, self._spread())
        return {"cost_per_accepted_usd": metric}

    def _spread(self) -> Spread:
        """The interval of the ratio over the units, in an order that no split changes."""
        rows = [self.units[unit] for unit in sorted(self.units, key=repr)]
        costs = [nano / NANO for nano, _ in rows]
        declared = any(isinstance(unit, tuple) for unit in self.units)
        cluster: Cluster = "declared" if declared else "task"
        return ratio_spread(costs, [accepted for _, accepted in rows], cluster)

    def _why(self) -> str | None:
        if self.priced != self.runs:
            return f"cost known for {self.priced} of {self.runs} runs"
        if self.unknown:
            return f"acceptance unknown for {self.unknown} of {self.runs} runs"
        return None if self.accepted else "no run was accepted"
