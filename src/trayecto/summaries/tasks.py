"""Per task, then per suite: the table from which every mean comes.

One row a task, whole numbers only: how many runs defined a metric, and the sum of their values
(fractions as integers of a fixed scale). So any split of the runs merges to the same bytes, and a
mean is divided once, at the end: trial, then task, then suite. Trials are never pooled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import fsum
from typing import TypeAlias

from msgspec import UNSET, Struct

from trayecto.metrics import Column, Plan, Scored
from trayecto.stats.pass_k import pass_at_k, pass_hat_k
from trayecto.summaries._document import Metric, PassK
from trayecto.trajectory import INVALID

SCALE = 1 << 50
# A row begins with these counts; then three numbers a column: runs defined, whole sum, scaled sum.
RUNS, COUNTED, SUCCEEDED, FAIR, FAIR_SUCCEEDED, HEAD = range(6)
WIDTH = 3
SUMMED = {"usd", "tokens"}
NANO_DIGITS = 9
LARGEST_K = 16
Estimate: TypeAlias = Callable[[int, int, int], float | None]


class _PlanRuns(Struct):
    """A plan, and how many runs it was used for."""

    plan: Plan
    runs: int = 0
    successes: int = 0


class Accumulator:
    """The table of one group; rows of tasks by case id."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start without a task."""
        self.columns = columns
        self.rows: dict[str, list[int]] = {}
        self.whys: Counter[tuple[int, str]] = Counter()
        self.plans: dict[int, _PlanRuns] = {}

    def add(self, run: Scored) -> None:
        """Add one run to its task's row."""
        trajectory = run.trajectory
        row = self.rows.get(trajectory.case_id)
        if row is None:
            row = self.rows[trajectory.case_id] = [0] * (HEAD + WIDTH * len(self.columns))
        row[RUNS] += 1
        plan = run.plan
        places = plan.places
        scores = run.scores
        counted = self.plans.get(id(plan))
        if counted is None:
            counted = self.plans[id(plan)] = _PlanRuns(plan)
        counted.runs += 1
        succeeded = run.success
        if succeeded:
            counted.successes += 1
        elif plan.last:
            places = places[: -len(plan.last)]
        for place, score in zip(places, scores, strict=False):
            value = score.value
            at = HEAD + WIDTH * place
            if value is None:
                self.whys[place, score.why or ""] += 1
            elif isinstance(value, int):
                row[at] += 1
                row[at + 1] += value
            elif isinstance(value, float):
                row[at] += 1
                row[at + 2] += int(value * SCALE)
        if succeeded is not None:
            _count_success(row, succeeded, trajectory.status not in INVALID)

    def merge(self, other: Accumulator) -> None:
        """Add another table of the same columns."""
        for case, row in other.rows.items():
            mine = self.rows.get(case)
            self.rows[case] = (
                list(row) if mine is None else [a + b for a, b in zip(mine, row, strict=True)]
            )
        self.whys += other.whys
        for each in other.plans.values():
            kept = self.plans.setdefault(id(each.plan), _PlanRuns(each.plan))
            kept.runs += each.runs
            kept.successes += each.successes

    @property
    def successes(self) -> int:
        """How many runs succeeded."""
        return sum(each.successes for each in self.plans.values())

    @property
    def runs(self) -> int:
        """How many runs were added."""
        return sum(row[RUNS] for row in self.rows.values())

    def metrics(self) -> dict[str, Metric | dict[str, PassK]]:
        """Every column as a mean over tasks, then pass@k and pass^k."""
        undefined = self._undefined()
        found: dict[str, Metric | dict[str, PassK]] = {
            column.summary: self._metric(place, column, undefined.get(place, {}))
            for place, column in enumerate(self.columns)
            if column.unit != "turn"
        }
        trials = [(row[COUNTED], row[SUCCEEDED]) for row in self.rows.values()]
        fair = [(row[FAIR], row[FAIR_SUCCEEDED]) for row in self.rows.values()]
        found["pass_at_k"] = _pass_k(trials, fair, pass_at_k)
        found["pass_hat_k"] = _pass_k(trials, fair, pass_hat_k)
        return found

    def _undefined(self) -> dict[int, dict[str, int]]:
        """Count, for each column, the reasons why runs have no value."""
        counted: dict[int, Counter[str]] = {}
        for (place, why), runs in self.whys.items():
            counted.setdefault(place, Counter())[why] += runs
        for each in self.plans.values():
            for place, why in each.plan.skipped:
                late = self.columns[place].over == "successes"
                counted.setdefault(place, Counter())[why] += each.successes if late else each.runs
        return {
            place: dict(sorted((+reasons).items(), key=lambda item: (-item[1], item[0])))
            for place, reasons in counted.items()
        }

    def _metric(self, place: int, column: Column, undefined: dict[str, int]) -> Metric:
        at = HEAD + WIDTH * place
        rows = [row for row in self.rows.values() if row[at]]
        n = sum(row[at] for row in rows)
        value = average([(row[at + 1] * SCALE + row[at + 2]) / (row[at] * SCALE) for row in rows])
        late = column.over == "successes"
        of = self.successes if late else self.runs
        total = None
        if column.unit in SUMMED and n == of:
            whole = sum(row[at + 1] * SCALE + row[at + 2] for row in rows)
            total = round(whole / SCALE, NANO_DIGITS)
        success = column.id == "task_success"
        fair = [row[FAIR_SUCCEEDED] / row[FAIR] for row in self.rows.values() if row[FAIR]]
        return Metric(
            value=value,
            n=n,
            of=of,
            tasks=len(rows),
            unit=column.unit,
            better=column.better,
            over=column.over,
            why=UNSET if value is not None else next(iter(undefined), "no run succeeded"),
            undefined=undefined or UNSET,
            operational=value if success else UNSET,
            capability=average(fair) if success else UNSET,
            total=total if column.unit in SUMMED else UNSET,
            missing=of - n if column.unit in SUMMED else UNSET,
        )


def _count_success(row: list[int], succeeded: bool, fair: bool) -> None:  # noqa: FBT001  # two facts of a run
    """Count a graded run in both views of success."""
    row[COUNTED] += 1
    row[SUCCEEDED] += succeeded
    if fair:
        row[FAIR] += 1
        row[FAIR_SUCCEEDED] += succeeded


def average(values: Sequence[float]) -> float | None:
    """The mean, exact whatever the order (``fsum``); None of none."""
    return fsum(values) / len(values) if values else None


def _pass_k(
    trials: list[tuple[int, int]], fair: list[tuple[int, int]], estimate: Estimate
) -> dict[str, PassK]:
    """One of the two, for each k up to the most trials that a task has."""
    most = max((n for n, _ in trials), default=0)
    found: dict[str, PassK] = {}
    for k in range(1, min(max(most, 1), LARGEST_K) + 1):
        known = [value for n, c in trials if (value := estimate(n, c, k)) is not None]
        capable = [value for n, c in fair if (value := estimate(n, c, k)) is not None]
        found[str(k)] = PassK(
            value=average(known) if len(known) == len(trials) else None,
            available=average(known),
            tasks=len(known),
            of=len(trials),
            capability=average(capable) if len(capable) == len(fair) else None,
        )
    return found
