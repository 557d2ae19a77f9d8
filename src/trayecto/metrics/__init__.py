"""Metrics: one number about one trajectory each, by plain code.

The file name is the metric's id. A metric is a module that holds its definition as docstring,
``UNIT``, ``BETTER``, and a function of its own name: ``name(facts, case) -> Score``. Beside them it
may hold ``needs(case)``, which says why a case cannot be judged by it; ``OVER``, the runs that its
mean counts (``valid``: those in which the agent had a fair chance, ``runs``: all, ``successes``);
``PARTS``, where the function returns a list of scores with these names; ``SUMMARY``, its name in a
summary; ``explain(facts, case)``, in words, when somebody looks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Protocol, TypeAlias, cast, get_args

from msgspec import Struct

from trayecto import _folder
from trayecto.case import Case
from trayecto.errors import UsageError, choose, quoted
from trayecto.facts import Facts, Prices, gather
from trayecto.records import Account, Record
from trayecto.scores import Better, Over, Score
from trayecto.trajectory import INVALID, Trajectory

Function: TypeAlias = Callable[[Facts, "Case | None"], "Score | list[Score]"]


BETTERS: tuple[Better, ...] = get_args(Better)
OVERS: tuple[Over, ...] = get_args(Over)


class Metric(Protocol):
    """What a metric's module holds, its optional names filled in; see this folder's docstring."""

    UNIT: str
    BETTER: Better


class Column(Struct, frozen=True, gc=False):
    """One named number: a metric, or a part of one."""

    id: str
    summary: str
    unit: str
    better: Better
    over: Over


class Entry(Struct, frozen=True, gc=False):
    """A metric as the engine uses it: its function, its columns, and when it applies."""

    function: Function
    columns: tuple[Column, ...]
    needs: Callable[[Case | None], str | None]
    module: ModuleType


class Plan(Struct, frozen=True, gc=False):
    """What to compute for runs of one case: the functions that apply, and why others do not.

    ``single`` functions give one score, ``several`` give a list, ``last`` are single ones that
    count only for successful runs. ``places`` are the columns of their scores, in this order;
    ``success`` is where among them ``task_success`` stands.
    """

    single: tuple[Callable[[Facts, Case | None], Score], ...]
    several: tuple[Callable[[Facts, Case | None], list[Score]], ...]
    last: tuple[Callable[[Facts, Case | None], Score], ...]
    places: tuple[int, ...]
    skipped: tuple[tuple[int, str], ...]
    success: int


class Scored(Struct, frozen=True, gc=False):
    """A trajectory with its scores, in the order of ``plan.places``."""

    trajectory: Trajectory
    case: Case | None
    facts: Facts
    plan: Plan
    scores: list[Score]

    @property
    def success(self) -> bool | None:
        """Whether the run succeeded, as ``task_success`` has it; None where nobody knows."""
        value = self.scores[self.plan.success].value
        return value if isinstance(value, bool) else None


def _always(case: Case | None) -> str | None:  # the signature of every ``needs``
    return None


def describe(function: Function) -> Entry:
    """Make a metric of a function, with the definitions that stand in its module.

    Raises UsageError where the module lacks what a metric has to say about itself, or says
    something that no summary could print.
    """
    module = sys.modules[function.__module__]
    name = getattr(function, "__name__", "metric")
    missing = [word for word in ("UNIT", "BETTER") if not hasattr(module, word)]
    if missing:
        message = f"metric {name!r}: its module does not define {' and '.join(missing)}"
        raise UsageError(message)
    metric = cast("Metric", module)
    over: Over = getattr(module, "OVER", "valid")
    for word, said, allowed in (("BETTER", metric.BETTER, BETTERS), ("OVER", over, OVERS)):
        if said not in allowed:
            message = f"metric {name!r}: {word} is {quoted(said)}; {choose(str(said), allowed)}"
            raise UsageError(message)
    if over == "successes" and hasattr(module, "PARTS"):
        message = f"metric {name!r}: a metric with PARTS cannot count successes only"
        raise UsageError(message)
    columns = [
        Column(
            f"{name}.{part}" if part else name,
            f"{name}.{part}" if part else getattr(module, "SUMMARY", name),
            metric.UNIT,
            metric.BETTER,
            over,
        )
        for part in getattr(module, "PARTS", ("",))
    ]
    return Entry(function, tuple(columns), getattr(module, "needs", _always), module)


def load() -> list[Entry]:
    """Every metric of this folder, sorted by id."""
    found = _folder.entries(sys.modules[__name__])
    return [describe(getattr(module, name)) for name, module in found.items()]


class Scores:
    """Scores of a stream of records, computed as they are asked for, once.

    ``columns`` name the numbers, ``account`` is what was read.
    """

    def __init__(
        self,
        records: Iterable[Record],
        *,
        cases: Mapping[str, Case] | None,
        entries: list[Entry],
        prices: Prices | None,
    ) -> None:
        """Prepare the plans; nothing is read yet."""
        self.records = records
        self.cases = cases
        self.entries = entries
        self.prices = prices
        self.columns = tuple(column for entry in entries for column in entry.columns)
        self.account: Account = getattr(records, "account", Account())
        self.plans: dict[tuple[str | None, ...], Plan] = {}
        self._success = [column.id for column in self.columns].index("task_success")
        self._of_case: dict[str, tuple[Case | None, Plan]] = {}
        self._used: set[str] = set()

    def __iter__(self) -> Iterator[Scored]:
        """Score record after record."""
        cases = self.cases
        prices = self.prices
        for record in self.records:
            trajectory = record.trajectory
            case = record.case if cases is None else self._case(trajectory, cases)
            plan = self.plan(case, trajectory)
            facts = gather(trajectory, case, prices)
            scores = [metric(facts, case) for metric in plan.single]
            for several in plan.several:
                scores += several(facts, case)
            scores += [metric(facts, case) for metric in plan.last]
            yield Scored(trajectory, case, facts, plan, scores)
        idle = [name for name in cases or () if name not in self._used]
        if idle:
            self.account.warn("case_without_run", idle[0], len(idle))

    def _case(self, trajectory: Trajectory, cases: Mapping[str, Case]) -> Case | None:
        """The given case of a trajectory; one that has none is counted, and scored without."""
        case = cases.get(trajectory.case_id)
        if case is None:
            source = trajectory.source
            self.account.warn("no_case", f"{source.file}:{source.record} ({trajectory.case_id})")
        else:
            self._used.add(case.id)
        return case

    def plan(self, case: Case | None, trajectory: Trajectory) -> Plan:
        """The plan for a run: asked once for each case, shared by cases of one shape."""
        if trajectory.status in INVALID:
            return self._plan(case, trajectory.status)
        key = "" if case is None else case.id
        known = self._of_case.get(key)
        if known is None or known[0] is not case:
            known = self._of_case[key] = (case, self._plan(case, None))
        return known[1]

    def _plan(self, case: Case | None, broken: str | None) -> Plan:
        """Find or make the plan of a shape: which metrics apply, and why the others do not."""
        whys = tuple(self._why(entry, case, broken) for entry in self.entries)
        plan = self.plans.get(whys)
        if plan is None:
            plan = self.plans[whys] = self._make(whys)
        return plan

    @staticmethod
    def _why(entry: Entry, case: Case | None, broken: str | None) -> str | None:
        if broken is not None and entry.columns[0].over != "runs":
            return f"the run broke ({broken})"
        return entry.needs(case)

    def _make(self, whys: tuple[str | None, ...]) -> Plan:
        groups: tuple[list[Function], ...] = ([], [], [])
        places: tuple[list[int], ...] = ([], [], [])
        skipped: list[tuple[int, str]] = []
        first = 0
        for entry, why in zip(self.entries, whys, strict=True):
            numbers = range(first, first + len(entry.columns))
            first += len(entry.columns)
            if why is not None:
                skipped += [(number, why) for number in numbers]
                continue
            over = entry.columns[0].over
            kind = 1 if hasattr(entry.module, "PARTS") else 2 if over == "successes" else 0
            groups[kind].append(entry.function)
            places[kind].extend(numbers)
        single, several, last = (tuple(group) for group in groups)
        order = (*places[0], *places[1], *places[2])
        return Plan(
            single,  # type: ignore[arg-type]  # a module without PARTS returns one score
            several,  # type: ignore[arg-type]  # a module with PARTS returns a list
            last,  # type: ignore[arg-type]  # as the first
            order,
            tuple(skipped),
            order.index(self._success),
        )


def score(
    records: Iterable[Record],
    *,
    cases: Mapping[str, Case] | None = None,
    prices: Prices | None = None,
    metrics: Iterable[Function] = (),
) -> Scores:
    """Score trajectories with every metric of this folder, and the user's own ``metrics``.

    ``cases`` by id replace the cases that the records carry; a trajectory without a case is judged
    by the metrics that need none. Nothing is computed before the result is iterated.
    """
    entries = load() + [describe(function) for function in metrics]
    ids = [column.id for entry in entries for column in entry.columns]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        message = f"metric {twice[0]!r} is defined twice"
        raise UsageError(message)
    return Scores(records, cases=cases, entries=entries, prices=prices)
