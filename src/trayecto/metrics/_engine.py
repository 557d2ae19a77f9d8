"""The engine: which metrics apply to a run, and their scores for a stream of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from msgspec import Struct

from trayecto.case import Case
from trayecto.contracts import Toolbox
from trayecto.errors import UsageError, choose, quoted
from trayecto.facts import Facts, Prices, gather, known_effects
from trayecto.metrics._entries import Derived, Entry, Function
from trayecto.metrics._success import decide
from trayecto.records import Account, Record
from trayecto.scores import Culprit, Kind, Score, Value
from trayecto.trajectory import INVALID, Trajectory

# Runs scored together, metric by metric: the processor keeps a metric's code at hand, and 96 runs
# of ten calls still fit beside it.
CHUNK = 96
CHECKS = frozenset({"share", "calls", "pairs"})  # units of which one value is the good one
WRITES: frozenset[Kind] = frozenset({"wrong_write", "refused_write", "blocked_by", "never_done"})


class Plan(Struct, frozen=True, gc=False):
    """What to compute for runs of one case: the functions that apply, and why others do not.

    ``single`` functions give one score, ``several`` give a list, ``derived`` ones look at what
    those found, and ``last`` are single ones that count only for successful runs. ``places`` are
    the columns of their scores, in this order: ``early`` ones, then ``late`` ones of the last.
    ``at`` is where among them each id stands, ``success`` that of ``task_success``, ``good`` the
    value of each that is good. ``checks`` are the assertions: column, where its score stands, and
    the value that passes; ``lost`` those that the case makes of a run that broke.
    """

    single: tuple[Callable[[Facts, Case | None], Score], ...]
    several: tuple[Callable[[Facts, Case | None], list[Score]], ...]
    derived: tuple[Derived, ...]
    last: tuple[Callable[[Facts, Case | None], Score], ...]
    places: tuple[int, ...]
    early: tuple[int, ...]
    late: tuple[int, ...]
    at: dict[str, int]
    success: int
    good: dict[str, bool]
    skipped: tuple[tuple[int, str], ...]
    checks: tuple[tuple[int, int, bool | int], ...]
    lost: tuple[tuple[int, str], ...]


class Findings:
    """What the other metrics found of one run, for the derived ones."""

    __slots__ = ("plan", "scores")

    def __init__(self, plan: Plan, scores: list[Score]) -> None:
        """Look at the scores that are there so far, in the order of the plan."""
        self.plan = plan
        self.scores = scores

    def score(self, name: str) -> Score | None:
        """The score of a metric by id; None where it does not apply to the run."""
        at = self.plan.at.get(name)
        return None if at is None else self.scores[at]

    def passes(self, name: str) -> bool | None:
        """Whether a metric's value is the good one; None where there is none."""
        at = self.plan.at.get(name)
        value = None if at is None else self.scores[at].value
        return None if value is None else value == self.plan.good[name]


# A run whose scores are still to come.
_Waiting: TypeAlias = tuple[Plan, Facts, Case | None, list[Score]]


class Scored(Struct, frozen=True, gc=False):
    """A trajectory with its scores, in the order of ``plan.places``.

    ``success`` is the value of ``task_success``: None where nobody knows.
    """

    trajectory: Trajectory
    case: Case | None
    facts: Facts
    plan: Plan
    scores: list[Score]
    success: bool | None

    def value(self, name: str) -> Value | None:
        """The value of a metric by id; None where it has none, or does not apply."""
        at = self.plan.at.get(name)
        return None if at is None else self.scores[at].value


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
        toolbox: Toolbox | None = None,
    ) -> None:
        """Prepare the plans; nothing is read yet."""
        self.records = records
        self.cases = cases
        self.entries = entries
        self.prices = prices
        self.toolbox = toolbox
        self.skipped: list[str] = []  # cases that could not be had
        self.given_away: tuple[str, ...] = ()  # cases whose task tells the answer
        self.columns = tuple(column for entry in entries for column in entry.columns)
        self.account: Account = getattr(records, "account", Account())
        self._counts = not hasattr(records, "account")
        self.plans: dict[tuple[str | None, ...], Plan] = {}
        self._of_case: dict[str, tuple[Case | None, Plan]] = {}
        self._used: set[str] = set()

    def __iter__(self) -> Iterator[Scored]:
        """Score record after record, in the order in which they come."""
        for runs in self.chunks():
            yield from runs

    def chunks(self) -> Iterator[list[Scored]]:
        """The same, a few runs at a time."""
        records = iter(self.records)
        while chunk := list(islice(records, CHUNK)):
            waiting = list(map(self._prepare, chunk))
            _compute(waiting)
            runs = list(map(_finish, waiting))
            for run in runs:
                if run.success is False:
                    self._warn_assumed(run)
            yield runs
        if self.skipped:
            self.account.warn("case_skipped", self.skipped[0], len(self.skipped))
        if self.given_away:
            self.account.warn("answer_in_task", self.given_away[0], len(self.given_away))
        idle = [name for name in self.cases or () if name not in self._used]
        if idle:
            self.account.warn("case_without_run", idle[0], len(idle))

    def _prepare(self, record: Record) -> _Waiting:
        """Find a record's case and plan, and gather its facts; its scores are still to come."""
        trajectory = record.trajectory
        if self._counts:
            self.account.records += 1
            self.account.formats[trajectory.source.format or "memory"] += 1
        case = record.case if self.cases is None else self._case(trajectory, self.cases)
        plan = self.plan(case, trajectory)
        if case is not None and trajectory.success is None:
            trajectory = decide(trajectory, case)
        return plan, gather(trajectory, case, self.prices, self.toolbox), case, []

    def _warn_assumed(self, run: Scored) -> None:
        """Say where a culprit rests on a guess of what a tool does."""
        found = run.value("culprit")
        if not isinstance(found, Culprit) or found.kind not in WRITES:
            return
        if known_effects(run.facts, run.case).get(found.tool or "", "unknown") == "unknown":
            self.account.warn("effects_assumed", found.tool or "")

    def _case(self, trajectory: Trajectory, cases: Mapping[str, Case]) -> Case | None:
        """The given case of a trajectory; one that has none is counted, and scored without."""
        case = cases.get(trajectory.case_id)
        source = trajectory.source
        if case is None:
            self.account.warn("no_case", f"{source.file}:{source.record} ({trajectory.case_id})")
            return None
        self._used.add(case.id)
        if case.suite not in (None, trajectory.suite) and trajectory.suite != source.format:
            told = f"{source.file}:{source.record} ({trajectory.suite}, case of {case.suite})"
            self.account.warn("case_of_another_suite", told)
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
        if case is not None:
            self.check_critical(case)
        lost = _why_lost(broken)
        whys = tuple(self._why(entry, case, lost) for entry in self.entries)
        plan = self.plans.get(whys)
        if plan is None:
            plan = self.plans[whys] = self._make(whys, lost)
        return plan

    def check_critical(self, case: Case) -> None:
        """Refuse a name that is of no metric which can fail: nothing would ever look at it."""
        if not case.secret.critical:
            return
        derived = {c.id for e in self.entries if hasattr(e.module, "DERIVED") for c in e.columns}
        known = [
            column.id
            for column in self.columns
            if column.unit in CHECKS
            and column.gates
            and column.over != "successes"
            and column.id not in derived
        ]
        odd = [name for name in case.secret.critical or () if name not in known]
        if odd:
            place = case.place or f"case {case.id}"
            message = f"{place}: critical: {quoted(odd[0])} is no check; {choose(odd[0], known)}"
            raise UsageError(message)

    @staticmethod
    def _why(entry: Entry, case: Case | None, lost: str | None) -> str | None:
        return entry.needs(case) or (None if entry.columns[0].over == "runs" else lost)

    def _make(self, whys: tuple[str | None, ...], lost: str | None) -> Plan:
        groups: tuple[list[Function], ...] = ([], [], [], [])
        places: tuple[list[int], ...] = ([], [], [], [])
        skipped: list[tuple[int, str]] = []
        first = 0
        for entry, why in zip(self.entries, whys, strict=True):
            numbers = range(first, first + len(entry.columns))
            first += len(entry.columns)
            if why is not None:
                skipped += [(number, why) for number in numbers]
                continue
            kind = _kind(entry)
            groups[kind].append(entry.function)
            places[kind].extend(numbers)
        single, several, derived, last = (tuple(group) for group in groups)
        early, late = (*places[0], *places[1], *places[2]), tuple(places[3])
        order = early + late
        at = {self.columns[place].id: number for number, place in enumerate(order)}
        return Plan(
            single,  # type: ignore[arg-type]  # a module without PARTS returns one score
            several,  # type: ignore[arg-type]  # a module with PARTS returns a list
            derived,  # type: ignore[arg-type]  # a derived metric takes a third argument
            last,  # type: ignore[arg-type]  # as the first
            order,
            early,
            late,
            at,
            at["task_success"],
            {self.columns[place].id: self.columns[place].better == "higher" for place in order},
            tuple(skipped),
            self._checks(order),
            tuple((n, why) for n, why in skipped if why == lost and self._asserts(n)),
        )

    def _checks(self, order: tuple[int, ...]) -> tuple[tuple[int, int, bool | int], ...]:
        """The assertions among the columns that are computed."""
        found = ((place, at, self.columns[place].passes) for at, place in enumerate(order))
        return tuple((place, at, passes) for place, at, passes in found if passes is not None)

    def _asserts(self, place: int) -> bool:
        return self.columns[place].passes is not None


def _why_lost(broken: str | None) -> str | None:
    """Why a run of this status is not judged, where the case would have it judged."""
    return None if broken is None else f"the run broke ({broken})"


def _kind(entry: Entry) -> int:
    """Which of a plan's groups a metric belongs to: they are computed in this order."""
    if hasattr(entry.module, "PARTS"):
        return 1
    if getattr(entry.module, "DERIVED", False):
        return 2
    return 3 if entry.columns[0].over == "successes" else 0


def _compute(runs: list[_Waiting]) -> None:
    """Fill in the scores of a few runs, those of one plan together."""
    groups: dict[int, list[_Waiting]] = {}
    for run in runs:
        plan, _, _, _ = run
        groups.setdefault(id(plan), []).append(run)
    for group in groups.values():
        plan, _, _, _ = group[0]
        waiting = [(facts, case, scores.append) for _, facts, case, scores in group]
        for metric in plan.single:
            for facts, case, keep in waiting:
                keep(metric(facts, case))
        for several in plan.several:
            for _, facts, case, scores in group:
                scores.extend(several(facts, case))
        _derive(group)
        for metric in plan.last:
            for facts, case, keep in waiting:
                keep(metric(facts, case))


def _derive(group: list[_Waiting]) -> None:
    """Fill in what follows from the other scores of a run, for runs of one plan."""
    for plan, facts, case, scores in group:
        found = Findings(plan, scores)
        for metric in plan.derived:
            scores.append(metric(facts, case, found))


def _finish(run: _Waiting) -> Scored:
    """A run whose scores are all there."""
    plan, facts, case, scores = run
    success = scores[plan.success].value
    known = success if isinstance(success, bool) else None
    return Scored(facts.trajectory, case, facts, plan, scores, known)
