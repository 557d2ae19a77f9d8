"""One side of a comparison: what each of its tasks came to, and what the agent was.

The values of a task are those of the summary's own table, so that a comparison says of a metric
what a report says of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from hashlib import sha256

from msgspec import Struct, field
from msgspec.structs import replace

from trayecto.case import Case, canonical
from trayecto.contracts import is_write
from trayecto.decisions._setup import Setup
from trayecto.decisions._trust import Trust
from trayecto.errors import InputError, quoted
from trayecto.facts import known_effects
from trayecto.metrics import Column, Scored, Scores
from trayecto.stats.pass_k import pass_hat_k
from trayecto.summaries import tasks
from trayecto.summaries.tasks import Mean
from trayecto.trajectory import INVALID, Trajectory

POOL = "*"
DIGEST = 16  # digits of a digest


class Step(Struct, frozen=True):
    """A call as far as two runs can be held against each other by it.

    ``arguments`` is their digest: a side keeps two runs of every task, and some have long ones.
    """

    tool: str
    arguments: str
    turn: int
    writes: bool


class Run(Struct, frozen=True):
    """A run of a task: its id, how it ended, and what it did."""

    id: str
    status: str
    steps: list[Step]

    @property
    def broke(self) -> bool:
        """Whether the agent had no fair chance in it."""
        return self.status in INVALID


class Task(Struct):
    """One task of one side.

    ``values`` are its means by metric, ``trials`` how many runs it has, ``graded`` and
    ``succeeded`` of those, and ``fair`` without the runs in which the agent had no fair chance.
    ``runs`` are the first that succeeded (True) and that failed (False), not one that broke where
    there is another. ``texts`` are the digests of what the agent is told, none where nobody says.
    """

    unit: Hashable
    values: dict[str, Mean]
    trials: int
    graded: int
    succeeded: int
    fair: int
    fair_succeeded: int
    texts: frozenset[str] = frozenset()
    runs: dict[bool, Run] = field(default_factory=dict)
    setup: Setup = field(default_factory=Setup)

    def pass_hat(self, k: int) -> float | None:
        """pass^k of the task."""
        return pass_hat_k(self.graded, self.succeeded, k)


class Side(Struct):
    """One candidate on one suite."""

    suite: str
    candidate: str
    columns: tuple[Column, ...]
    tasks: dict[str, Task]
    statuses: Counter[str]
    trust: Trust
    pooled: int = 0  # suites that were joined
    missing: dict[str, str] = field(default_factory=dict)  # why metrics have no value in any run


class _Watch:
    """What is noted of the runs of a group, beside the table."""

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self.columns = columns
        self.table = tasks.Accumulator(columns)
        self.statuses: Counter[str] = Counter()
        self.trust = Trust()
        self.texts: dict[str, set[str]] = {}
        self.spoken: dict[str, set[str]] = {}
        self.runs: dict[str, dict[bool, Run]] = {}
        self.setups: dict[str, Setup] = {}

    def add(self, run: Scored) -> None:
        """Note one run."""
        trajectory, case = run.trajectory, run.case
        self.table.add(run)
        self.statuses[trajectory.status] += 1
        self.trust.add(run)
        name = trajectory.case_id
        self._note_text(name, trajectory, case)
        known = self.runs.setdefault(name, {})
        first = None if run.success is None else known.get(run.success)
        if run.success is not None and (
            first is None or (first.broke and trajectory.status not in INVALID)
        ):
            known[run.success] = Run(trajectory.id, trajectory.status, _steps(run))
        self.setups.setdefault(name, Setup()).add(trajectory)

    def _note_text(self, name: str, trajectory: Trajectory, case: Case | None) -> None:
        """Note what the agent was asked: by the case, else by the only turn of the user.

        Of several turns nobody knows how many are the task, and where runs of a task differ in them
        a simulated user words them anew each time.
        """
        texts = self.texts.setdefault(name, set())
        if case is not None and case.task.text:
            texts.add(_digest(case.task.text))
            return
        told = [turn.text for turn in trajectory.turns if turn.role == "user"]
        spoken = self.spoken.setdefault(name, set())
        spoken.add(_digest(told[0]) if len(told) == 1 and told[0] else "")

    def _texts_of(self, name: str) -> frozenset[str]:
        spoken = self.spoken.get(name, set())
        return frozenset(self.texts[name] | (spoken - {""} if len(spoken) == 1 else set()))

    def side(self, suite: str, candidate: str) -> Side:
        """The group, task by task."""
        means = self.table.means()
        found: dict[str, Task] = {}
        for name, row in self.table.rows.items():
            texts = self._texts_of(name)
            found[name] = Task(
                row.unit, means[name], row.runs, row.graded, row.succeeded, row.fair,
                row.fair_succeeded, texts, self.runs[name], self.setups[name],
            )  # fmt: skip
        missing = self.table.missing()
        return Side(
            suite, candidate, self.columns, found, self.statuses, self.trust, missing=missing
        )


def read_arm(scores: Scores, name: str, *, pool: bool = False) -> dict[str, Side]:
    """Score one side and sum it up by task: a candidate on each suite, by suite.

    ``pool`` joins the suites of one kind: those whose names end alike after ``/`` (an attack).
    Raises InputError where a suite has several candidates.
    """
    watched: dict[tuple[str, str], _Watch] = {}
    for runs in scores.chunks():
        for run in runs:
            key = (run.trajectory.suite, run.trajectory.candidate)
            if key not in watched:
                watched[key] = _Watch(scores.columns)
            watched[key].add(run)
    sides: dict[str, Side] = {}
    for (suite, candidate), watch in sorted(watched.items()):
        if suite in sides:
            told = f"{quoted(sides[suite].candidate)} and {quoted(candidate)}"
            problem = f"holds two candidates on suite {quoted(suite)}, {told}"
            raise InputError(name, f"{problem}: give each as a side of its own")
        sides[suite] = watch.side(suite, candidate)
    return _pool(sides, name) if pool else sides


def _pool(sides: dict[str, Side], where: str) -> dict[str, Side]:
    """Join suites of one kind: a task is suite and case, a cluster stays within its suite.

    Raises InputError where these are of several candidates.
    """
    found: dict[str, Side] = {}
    for suite, side in sides.items():
        _, slash, kind = suite.partition("/")
        name = f"{POOL}{slash}{kind}"
        whole = found.get(name)
        if whole is None:
            whole = Side(name, side.candidate, side.columns, {}, Counter(), Trust())
            found[name] = whole
        if whole.candidate != side.candidate:
            told = f"{quoted(whole.candidate)} and {quoted(side.candidate)}"
            raise InputError(where, f"--pool joins suites of one candidate, and not {told}")
        for case, task in side.tasks.items():
            unit = task.unit
            declared = (suite, *unit) if isinstance(unit, tuple) else f"{suite}/{case}"
            whole.tasks[f"{suite}/{case}"] = replace(task, unit=declared)
        whole.missing |= side.missing
        whole.statuses.update(side.statuses)
        whole.trust.merge(side.trust)
        whole.pooled += 1
    return found


def _steps(run: Scored) -> list[Step]:
    effects = known_effects(run.facts, run.case)
    return [
        Step(
            call.tool,
            _digest(canonical(call.arguments)),
            turn.position,
            is_write(call.tool, effects),
        )
        for turn in run.trajectory.turns
        for call in turn.calls
    ]


def _digest(what: str | bytes) -> str:
    raw = what if isinstance(what, bytes) else what.encode(errors="surrogatepass")
    return sha256(raw).hexdigest()[:DIGEST]
