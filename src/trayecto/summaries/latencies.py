"""How long the runs took: the median and the 95th percentile, by nearest rank.

Counted: every run to which ``latency_ms`` gives a time, whatever its status: these are the ``n``
runs. A run that hit its deadline and has no time ranks as longer than any; it is not among the
``n``, and stands under ``undefined``. A percentile is a time that was observed, undefined where it
falls on a run without one; with fewer than 20 ranked runs p95 is the longest. Times are kept by the
microsecond, how often each was seen, so that any split of the runs merges to the same; beyond a
million different times all are kept to four digits.

The interval lies between order statistics, by the binomial, of as many independent values as there
are tasks (or declared clusters): the runs of one task are alike. It has no upper end where so few
values bound nothing above, for p95 below 72.

Source: nearest rank, numpy's ``inverted_cdf``; Conover 1999 (Practical Nonparametric Statistics),
for the interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction

from msgspec import UNSET
from msgspec.structs import replace

from trayecto.figures import Metric
from trayecto.metrics import Column, Scored
from trayecto.spread import unit_of
from trayecto.stats.quantiles import nearest_rank, rank_bounds
from trayecto.summaries._times import LATE, coarsen, rounded

EXACT = 1_000_000
PERCENTILES = {"p50": Fraction(1, 2), "p95": Fraction(19, 20)}
UNTIMED = "the trace has no times"
UNBOUND = "it falls on a run that hit its deadline, and whose time was not recorded"
FEW = "too few tasks to bound it"
UNENDED = "it hit its deadline, and its time was not recorded"


class Accumulator:
    """How often each time was seen, in microseconds."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with no time."""
        self.counts: Counter[int] = Counter()
        self.tasks: set[str] = set()
        self.units: set[Hashable] = set()
        self.runs = 0
        self.coarse = False

    def add(self, run: Scored) -> None:
        """Count one run's time, where it has one."""
        self.runs += 1
        took = run.value("latency_ms")
        if not isinstance(took, (int, float)):
            if run.trajectory.status == "deadline_exceeded":
                self.counts[LATE] += 1
                self._note(run)
            return
        time = round(took * 1000)
        self.counts[rounded(time) if self.coarse else time] += 1
        self.tasks.add(run.trajectory.case_id)
        self._note(run)
        if len(self.counts) > EXACT:
            self._coarsen()

    def _note(self, run: Scored) -> None:
        """Count what the run is independent by."""
        cluster = None if run.case is None else run.case.cluster
        self.units.add(unit_of(cluster, run.trajectory.case_id))

    def merge(self, other: Accumulator) -> None:
        """Add the times of another part."""
        self.counts += other.counts
        self.tasks |= other.tasks
        self.units |= other.units
        self.runs += other.runs
        if self.coarse or other.coarse or len(self.counts) > EXACT:
            self._coarsen()

    def _coarsen(self) -> None:
        """Keep four digits of every time, of those to come too: so any split comes to the same."""
        self.coarse = True
        self.counts = coarsen(self.counts)

    def metrics(self) -> dict[str, Metric]:
        """The percentiles, as metrics of the suite."""
        return {f"latency_ms.{name}": self._metric(share) for name, share in PERCENTILES.items()}

    def _metric(self, share: Fraction) -> Metric:
        time = nearest_rank(self.counts, share)
        why = UNTIMED if time is None else UNBOUND if time == LATE else UNSET
        late = self.counts[LATE]
        metric = Metric(
            value=time / 1000 if time is not None and why is UNSET else None,
            n=self.counts.total() - late,
            of=self.runs,
            tasks=len(self.tasks),
            unit="ms",
            better="lower",
            over="runs",
            why=why,
            undefined={UNENDED: late} if late else UNSET,
        )
        return metric if metric.value is None else self._with_interval(metric, share)

    def _with_interval(self, metric: Metric, share: Fraction) -> Metric:
        """The metric between the order statistics of as many values as there are units."""
        units = len(self.units)
        declared = any(isinstance(unit, tuple) for unit in self.units)
        ranks = [rank and Fraction(rank, units) for rank in rank_bounds(units, share)]
        low, high = (rank and nearest_rank(self.counts, rank) for rank in ranks)
        metric = replace(metric, clusters=units, cluster="declared" if declared else "task")
        if low is None or low == LATE:
            return replace(metric, interval_why=FEW)
        above = None if high is None or high == LATE else high / 1000
        return replace(metric, interval=(low / 1000, above), method="order_statistics")
