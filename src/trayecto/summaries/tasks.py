"""Per task, then per suite: the table from which every mean comes.

One row a task, whole numbers only: how many runs defined a metric, and the sum of their values
(fractions as integers of a fixed scale). So any split of the runs merges to the same bytes, and a
mean is divided once, at the end: trial, then task, then suite. Trials are never pooled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from math import fsum
from typing import TypeAlias

from msgspec import UNSET, Struct

from trayecto.document import LABEL, Metric, PassK, most_frequent, shorten
from trayecto.metrics import Column, Plan, Scored
from trayecto.scores import Score
from trayecto.stats.pass_k import pass_at_k, pass_hat_k
from trayecto.trajectory import INVALID

SCALE = 1 << 50
# A task's sums begin with these; then three numbers a column: runs left undefined by the metric
# itself, the sum of whole values, and the sum of fractions as integers of the scale.
COUNTED, SUCCEEDED, FAIR, FAIR_SUCCEEDED, HEAD = range(5)
WIDTH = 3
SUMMED = {"usd", "tokens"}
NANO_DIGITS = 9
LARGEST_K = 16
Estimate: TypeAlias = Callable[[int, int, int], float | None]


class _Used(Struct):
    """A plan, where its scores go in a row, and for how many runs of a task it was used."""

    plan: Plan
    offsets: tuple[int, ...]
    runs: int = 0
    successes: int = 0


class _Task(Struct):
    """One row: its sums, and by which plans its runs were scored."""

    sums: list[int]
    used: dict[int, _Used]


class Accumulator:
    """The table of one group; rows of tasks by case id."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start without a task."""
        self.columns = columns
        self.rows: dict[str, _Task] = {}
        self.whys: Counter[tuple[int, str]] = Counter()  # by where the column begins in a row
        self.offsets: dict[int, tuple[int, ...]] = {}

    def add(self, run: Scored) -> None:
        """Add one run to its task's row."""
        trajectory = run.trajectory
        row = self.rows.get(trajectory.case_id)
        if row is None:
            row = self.rows[trajectory.case_id] = self._new_row()
        plan = run.plan
        used = row.used.get(id(plan))
        if used is None:
            offsets = self.offsets.setdefault(id(plan), _offsets(plan))
            used = row.used[id(plan)] = _Used(plan, offsets)
        used.runs += 1
        succeeded = run.success
        offsets = used.offsets
        if succeeded:
            used.successes += 1
        elif plan.last:
            offsets = offsets[: -len(plan.last)]
        if succeeded is not None:
            _count_success(row.sums, succeeded, trajectory.status not in INVALID)
        self._add_values(row.sums, offsets, run.scores)

    def _add_values(self, sums: list[int], offsets: Sequence[int], scores: list[Score]) -> None:
        """Add the values of the columns that count; False and 0 leave every sum as it is."""
        for at, score in zip(offsets, scores, strict=False):
            value = score.value
            if not value:
                if value is None:
                    sums[at] += 1
                    why = score.why or ""
                    if len(why) > LABEL:  # it may repeat a name of the trace
                        why = shorten(why)
                    self.whys[at, why] += 1
            elif isinstance(value, int):
                sums[at + 1] += value
            elif isinstance(value, float):
                sums[at + 2] += int(value * SCALE)

    def _new_row(self) -> _Task:
        return _Task([0] * (HEAD + WIDTH * len(self.columns)), {})

    def merge(self, other: Accumulator) -> None:
        """Add another table of the same columns."""
        for case, row in other.rows.items():
            mine = self.rows.setdefault(case, self._new_row())
            mine.sums = [a + b for a, b in zip(mine.sums, row.sums, strict=True)]
            for used in row.used.values():
                kept = mine.used.setdefault(id(used.plan), _Used(used.plan, used.offsets))
                kept.runs += used.runs
                kept.successes += used.successes
        self.whys += other.whys

    def value(self) -> dict[str, int | None]:
        """How many runs and tasks there were, and how the runs ended for ``task_success``."""
        runs = [sum(used.runs for used in row.used.values()) for row in self.rows.values()]
        graded = sum(row.sums[COUNTED] for row in self.rows.values())
        succeeded = sum(row.sums[SUCCEEDED] for row in self.rows.values())
        return {
            "trajectories": sum(runs),
            "tasks": len(runs),
            "trials": runs[0] if len(set(runs)) == 1 else None,
            "succeeded": succeeded,
            "failed": graded - succeeded,
            "ungraded": sum(runs) - graded,
        }

    @property
    def _runs(self) -> int:
        return sum(used.runs for row in self.rows.values() for used in row.used.values())

    def metrics(self) -> dict[str, Metric | dict[str, PassK]]:
        """Every column as a mean over tasks, then pass@k and pass^k."""
        of = {"runs": self._runs, "valid": self._runs, "successes": self._successes()}
        undefined = self._undefined()
        rows = [(self._defined(row), row.sums) for row in self.rows.values()]
        found: dict[str, Metric | dict[str, PassK]] = {}
        for place, column in enumerate(self.columns):
            if column.unit != "turn":
                known = [(defined[place], sums) for defined, sums in rows if defined[place]]
                reasons = undefined.get(place, {})
                found[column.summary] = self._metric(place, known, of[column.over], reasons)
        trials = [(sums[COUNTED], sums[SUCCEEDED]) for _, sums in rows]
        fair = [(sums[FAIR], sums[FAIR_SUCCEEDED]) for _, sums in rows]
        found["pass_at_k"] = _pass_k(trials, fair, cache(pass_at_k))
        found["pass_hat_k"] = _pass_k(trials, fair, cache(pass_hat_k))
        return found

    def _successes(self) -> int:
        return sum(used.successes for row in self.rows.values() for used in row.used.values())

    def _defined(self, row: _Task) -> list[int]:
        """For each column, how many runs of a task have a value that counts."""
        defined = [-undefined for undefined in row.sums[HEAD::WIDTH]]
        for used in row.used.values():
            places = used.plan.places
            late = len(places) - len(used.plan.last)
            for place in places[:late]:
                defined[place] += used.runs
            for place in places[late:]:
                defined[place] += used.successes
        return defined

    def _undefined(self) -> dict[int, dict[str, int]]:
        """Count, for each column, the reasons why runs have no value."""
        counted: dict[int, Counter[str]] = {}
        for (at, why), runs in self.whys.items():
            counted.setdefault((at - HEAD) // WIDTH, Counter())[why] += runs
        for row in self.rows.values():
            for used in row.used.values():
                for place, why in used.plan.skipped:
                    late = self.columns[place].over == "successes"
                    runs = used.successes if late else used.runs
                    counted.setdefault(place, Counter())[shorten(why)] += runs
        return {place: most_frequent(+reasons) for place, reasons in counted.items()}

    def _metric(
        self, place: int, tasks: list[tuple[int, list[int]]], of: int, undefined: dict[str, int]
    ) -> Metric:
        """One column: the mean over the tasks that have a value, each divided by its runs."""
        column = self.columns[place]
        whole, part = HEAD + WIDTH * place + 1, HEAD + WIDTH * place + 2
        value = average([(sums[whole] + sums[part] / SCALE) / runs for runs, sums in tasks])
        n = sum([runs for runs, _ in tasks])
        summed = column.unit in SUMMED
        total = None
        if summed and n == of:
            fractions = sum(sums[part] for _, sums in tasks) / SCALE
            total = round(sum(sums[whole] for _, sums in tasks) + fractions, NANO_DIGITS)
        success = column.id == "task_success"
        return Metric(
            value=value,
            n=n,
            of=of,
            tasks=len(tasks),
            unit=column.unit,
            better=column.better,
            over=column.over,
            why=UNSET if value is not None else next(iter(undefined), "no run succeeded"),
            undefined=undefined or UNSET,
            operational=value if success else UNSET,
            capability=self._capability() if success else UNSET,
            total=total if summed else UNSET,
            missing=of - n if summed else UNSET,
        )

    def _capability(self) -> float | None:
        """Success over the runs in which the agent had a fair chance."""
        sums = [row.sums for row in self.rows.values() if row.sums[FAIR]]
        return average([row[FAIR_SUCCEEDED] / row[FAIR] for row in sums])


def _offsets(plan: Plan) -> tuple[int, ...]:
    """Where the numbers of each score of a plan begin in a row."""
    return tuple(HEAD + WIDTH * place for place in plan.places)


def _count_success(row: list[int], succeeded: bool, fair: bool) -> None:  # noqa: FBT001  # two plain facts of a run
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
