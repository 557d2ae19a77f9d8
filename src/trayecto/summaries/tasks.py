"""Per task, then per suite: the table from which every mean comes.

One row a task, whole numbers only: how many runs defined a metric, and the sum of their values
(fractions as integers of a fixed scale). So any split of the runs merges to the same bytes, and a
mean is divided once, at the end: trial, then task, then suite. Trials are never pooled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from math import fsum
from operator import add as plus
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from trayecto.case import Case
from trayecto.document import most_frequent, shorten
from trayecto.figures import Metric, PassK
from trayecto.metrics import Column, Plan, Scored
from trayecto.scores import Score
from trayecto.spread import declared, spread_of, unit_of, with_spread
from trayecto.stats.pass_k import pass_at_k, pass_hat_k
from trayecto.trajectory import INVALID

SCALE = 1 << 60  # a fraction is kept as a whole number of these parts: floats from 0.01 exactly
SUMMED = {"usd", "tokens"}
NANO_DIGITS = 9
LARGEST_K = 16
NO_SUCCESS = "no run succeeded"
OF_CASES = ("difficulty", "split")  # properties of a case by which the table can be taken apart
Labels: TypeAlias = tuple[str | None, ...]  # a case's, in this order
Estimate: TypeAlias = Callable[[int, int, int], float | None]
_Sums: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class _Used(Struct):
    """A plan, and for how many runs of a task it was used."""

    plan: Plan
    runs: int = 0
    successes: int = 0


class _Task(Struct):
    """One row: its runs, by the plans that scored them, in both views of success, and its sums.

    The lists hold a number for each column: runs that the metric itself left undefined, the sum of
    whole values, and the sum of fractions. ``whys`` are the reasons, shared by the tasks with the
    same labels; a case id is unique in a suite (ruling 15), so that a task's first run tells them.
    """

    undefined: list[int]
    whole: list[int]
    part: list[int]
    used: dict[int, _Used]
    labels: Labels
    whys: list[Counter[str]]
    unit: Hashable  # what the task is independent by
    graded: int = 0
    succeeded: int = 0
    fair: int = 0
    fair_succeeded: int = 0

    @property
    def runs(self) -> int:
        """All runs of the task."""
        return sum([used.runs for used in self.used.values()])

    def count_success(self, *, succeeded: bool, fair: bool) -> None:
        """Count a graded run in both views of success."""
        self.graded += 1
        self.succeeded += succeeded
        if fair:
            self.fair += 1
            self.fair_succeeded += succeeded

    def add(self, other: _Task) -> None:
        """Add the runs of another part."""
        self.undefined = list(map(plus, self.undefined, other.undefined))
        self.whole = list(map(plus, self.whole, other.whole))
        self.part = list(map(plus, self.part, other.part))
        self.graded += other.graded
        self.succeeded += other.succeeded
        self.fair += other.fair
        self.fair_succeeded += other.fair_succeeded
        for used in other.used.values():
            kept = self.used.setdefault(id(used.plan), _Used(used.plan))
            kept.runs += used.runs
            kept.successes += used.successes


class Mean(Struct, frozen=True):
    """The mean of one task, and of how many of its runs."""

    value: float
    runs: int


class Accumulator:
    """The table of one group; rows of tasks by case id."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start without a task."""
        self.columns = columns
        self.rows: dict[str, _Task] = {}
        self.whys: dict[Labels, list[Counter[str]]] = {}

    def add(self, run: Scored) -> None:
        """Add one run to its task's row."""
        trajectory, plan, succeeded = run.trajectory, run.plan, run.success
        row = self.rows.get(trajectory.case_id)
        if row is None:
            row = self.rows[trajectory.case_id] = self._new_row(
                trajectory.case_id, _labels(run.case), run.case
            )
        used = row.used.get(id(plan))
        if used is None:
            used = row.used[id(plan)] = _Used(plan)
        used.runs += 1
        if succeeded:
            used.successes += 1
        if succeeded is not None:
            row.count_success(succeeded=succeeded, fair=trajectory.status not in INVALID)
        self._add_values(row, plan.places if succeeded else plan.early, run.scores)

    def _add_values(self, row: _Task, places: Sequence[int], scores: list[Score]) -> None:
        """Add the values of the columns that count; False and 0 leave every sum as it is."""
        undefined, whole, part = row.undefined, row.whole, row.part
        for place, score in zip(places, scores, strict=False):
            value = score.value
            if value is None:
                undefined[place] += 1
                why, whys = score.why or "", row.whys[place]
                if why in whys:
                    whys[why] += 1
                else:
                    whys[shorten(why)] += 1  # it may repeat a name of the trace
            elif value == 1:  # also True and 1.0, which most values are
                whole[place] += 1
            elif value:
                if isinstance(value, float):
                    part[place] += round(value * SCALE)
                elif isinstance(value, int):
                    whole[place] += value

    def _new_row(self, name: str = "", labels: Labels = (), case: Case | None = None) -> _Task:
        nothing = [0] * len(self.columns)
        unit = unit_of(None if case is None else case.cluster, name)
        return _Task(
            nothing, nothing.copy(), nothing.copy(), {}, labels, self._whys(labels), unit
        )  # fmt: skip

    def _whys(self, labels: Labels) -> list[Counter[str]]:
        """The reasons of the tasks with these labels, by column."""
        if labels not in self.whys:
            self.whys[labels] = [Counter() for _ in self.columns]
        return self.whys[labels]

    def merge(self, other: Accumulator) -> None:
        """Add another table of the same columns."""
        for case, row in other.rows.items():
            if case not in self.rows:
                self.rows[case] = self._new_row(case, row.labels)
                self.rows[case].unit = row.unit
            self.rows[case].add(row)
        for labels, whys in other.whys.items():
            for mine, more in zip(self._whys(labels), whys, strict=True):
                mine.update(more)

    def by_case(self, field: str, missing: str) -> dict[str, Accumulator]:
        """The same table in parts, by a property of the cases; to be read, not added to."""
        at = OF_CASES.index(field)
        found: dict[str, Accumulator] = {}
        for case, row in self.rows.items():
            name = (row.labels[at] if row.labels else None) or missing
            if name not in found:
                found[name] = Accumulator(self.columns)
            found[name].rows[case] = row
            found[name].whys[row.labels] = row.whys
        return found

    def value(self) -> dict[str, int | None]:
        """How many runs and tasks there were, and how the runs ended for ``task_success``."""
        runs = [row.runs for row in self.rows.values()]
        graded = sum(row.graded for row in self.rows.values())
        succeeded = sum(row.succeeded for row in self.rows.values())
        return {
            "trajectories": sum(runs),
            "tasks": len(runs),
            "trials": runs[0] if len(set(runs)) == 1 else None,
            "succeeded": succeeded,
            "failed": graded - succeeded,
            "ungraded": sum(runs) - graded,
        }

    def metrics(self) -> dict[str, Metric | dict[str, PassK]]:
        """Every column as a mean over tasks, then pass@k and pass^k."""
        plans = self._plans()
        runs = sum(used.runs for used in plans)
        of = {"runs": runs, "valid": runs, "successes": sum(used.successes for used in plans)}
        undefined = self._undefined(plans)
        rows = list(self.rows.values()) or [self._new_row()]
        table = zip(
            zip(*map(_defined, rows), strict=True),
            zip(*[row.whole for row in rows], strict=True),
            zip(*[row.part for row in rows], strict=True),
            strict=True,
        )
        found: dict[str, Metric | dict[str, PassK]] = {}
        for column, sums, reasons in zip(self.columns, table, undefined, strict=True):
            if column.unit != "turn":
                found[column.summary] = self._metric(column, sums, of[column.over], reasons)
        found["pass_at_k"] = self._pass_k(cache(pass_at_k))
        found["pass_hat_k"] = self._pass_k(cache(pass_hat_k))
        return found

    def means(self) -> dict[str, dict[str, Mean]]:
        """The mean of each task that has one, by case id, then by metric."""
        found: dict[str, dict[str, Mean]] = {}
        for case, row in self.rows.items():
            runs = _defined(row)
            found[case] = {
                column.summary: Mean((row.whole[at] + row.part[at] / SCALE) / runs[at], runs[at])
                for at, column in enumerate(self.columns)
                if runs[at] and column.unit != "turn"
            }
        return found

    def missing(self) -> dict[str, str]:
        """Why each metric has no value of any run, where it has none: its most frequent reason."""
        undefined = self._undefined(self._plans())
        known = {name for by_metric in self.means().values() for name in by_metric}
        return {
            column.summary: next(iter(whys), NO_SUCCESS)
            for column, whys in zip(self.columns, undefined, strict=True)
            if column.unit != "turn" and column.summary not in known
        }

    @property
    def units(self) -> list[Hashable] | None:
        """What each task is independent by; None where that is the task."""
        return declared([row.unit for row in self.rows.values()])

    def _plans(self) -> list[_Used]:
        """Every plan that was used, and for how many runs of all tasks."""
        found: dict[int, _Used] = {}
        for row in self.rows.values():
            for key, used in row.used.items():
                kept = found.setdefault(key, _Used(used.plan))
                kept.runs += used.runs
                kept.successes += used.successes
        return list(found.values())

    def _undefined(self, plans: list[_Used]) -> list[dict[str, int]]:
        """Count, for each column, the reasons why runs have no value."""
        counted: list[Counter[str]] = [Counter() for _ in self.columns]
        for group in self.whys.values():
            for whys, more in zip(counted, group, strict=True):
                whys.update(more)
        for used in plans:
            for place, why in used.plan.skipped:
                late = self.columns[place].over == "successes"
                counted[place][shorten(why)] += used.successes if late else used.runs
        return [most_frequent(+reasons) for reasons in counted]

    def _metric(self, column: Column, sums: _Sums, of: int, undefined: dict[str, int]) -> Metric:
        """One column: the mean over the tasks that have a value, each divided by its runs."""
        defined, whole, part = sums
        tasks = zip(defined, whole, part, strict=True)
        means = [(integer + rest / SCALE) / runs for runs, integer, rest in tasks if runs]
        units = self.units
        if units is not None:
            units = [unit for unit, runs in zip(units, defined, strict=True) if runs]
        n = sum(defined)
        value = average(means)
        summed = column.unit in SUMMED
        total = None
        if summed and n == of:
            total = round(sum(whole) + sum(part) / SCALE, NANO_DIGITS)
        success, goal = column.id == "task_success", column.goal
        metric = Metric(
            value=value,
            n=n,
            of=of,
            tasks=len(means),
            unit=column.unit,
            better=column.better,
            over=column.over,
            why=UNSET if value is not None else next(iter(undefined), NO_SUCCESS),
            undefined=undefined or UNSET,
            operational=value if success else UNSET,
            total=total if summed else UNSET,
            missing=of - n if summed else UNSET,
            goal=goal or UNSET,
            short=UNSET if goal is None or value is None else goal.is_missed(value),
        )
        spread = spread_of(means, units, share=column.unit == "share", trials=n)
        metric = with_spread(metric, spread)
        return self._with_capability(metric) if success else metric

    def _with_capability(self, success: Metric) -> Metric:
        """Success also over the runs in which the agent had a fair chance."""
        fair = [row for row in self.rows.values() if row.fair]
        shares = [row.fair_succeeded / row.fair for row in fair]
        units = None if self.units is None else [row.unit for row in fair]
        spread = spread_of(shares, units, share=True, trials=sum(row.fair for row in fair))
        interval = None if spread is None else spread.interval
        return replace(success, capability=average(shares), capability_interval=interval)

    def _pass_k(self, estimate: Estimate) -> dict[str, PassK]:
        """One of the two, for each k up to the most trials that a task has."""
        rows, units = list(self.rows.values()), self.units
        trials = sum(row.graded for row in rows)
        most = max((row.graded for row in rows), default=0)
        found: dict[str, PassK] = {}
        for k in range(1, min(max(most, 1), LARGEST_K) + 1):
            known = _known(estimate(row.graded, row.succeeded, k) for row in rows)
            capable = _known(estimate(row.fair, row.fair_succeeded, k) for row in rows)
            everywhere = len(known) == len(rows)
            figure = PassK(
                value=average(known) if everywhere else None,
                available=average(known),
                tasks=len(known),
                of=len(rows),
                capability=average(capable) if len(capable) == len(rows) else None,
            )
            spread = spread_of(known, units, share=True, trials=trials) if everywhere else None
            found[str(k)] = with_spread(figure, spread)
        return found


def _labels(case: Case | None) -> Labels:
    return () if case is None else (case.difficulty, case.split)


def _defined(row: _Task) -> list[int]:
    """For each column, how many runs of a task have a value that counts."""
    defined = [-undefined for undefined in row.undefined]
    for used in row.used.values():
        for place in used.plan.early:
            defined[place] += used.runs
        for place in used.plan.late:
            defined[place] += used.successes
    return defined


def average(values: Sequence[float]) -> float | None:
    """The mean, exact whatever the order (``fsum``); None of none."""
    return fsum(values) / len(values) if values else None


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
