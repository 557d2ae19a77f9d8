"""The document of a comparison: what reports print and machines read.

Its JSON Schema is published (``trayecto schema compare``); a change of shape changes ``SCHEMA``.
Text of traces stands here as labels only.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from trayecto.figures import Cluster, Ends
from trayecto.records import Passed, Rejected
from trayecto.scores import Better

SCHEMA: Literal["trayecto.compare/1"] = "trayecto.compare/1"
SUCCESS: Final = "task_success"  # the metric that a comparison speaks of first

Verdict: TypeAlias = Literal["better", "worse", "undecided", "no_worse"]
Test: TypeAlias = Literal["mcnemar_exact", "sign_flip"]
How: TypeAlias = Literal["tool", "arguments", "ended", "none"]
Change: TypeAlias = Literal["better", "worse"]
Aspect: TypeAlias = Literal["model", "prompt", "tools", "options"]


class Ratio(Struct, frozen=True, kw_only=True):
    """The candidate's sum over the base's on the paired tasks, with its 95 % interval."""

    value: float | None
    interval: Ends | None = None
    method: str | None = None
    why: str | UnsetType = UNSET


class Margin(Struct, frozen=True, kw_only=True):
    """Whether the candidate is not worse by more than a margin: the smoothed one-sided bounds.

    The candidate passes where all that is likely is above minus the margin.
    """

    margin: float
    lower: float
    upper: float
    outcome: Literal["pass", "fail", "insufficient"]


class Difference(Struct, frozen=True, kw_only=True):
    """One metric on both sides, over the tasks that have a value on both, each task once.

    ``difference`` is candidate minus base, ``interval`` holds it with 95 % confidence.
    ``p_value`` is two-sided, by ``test``; ``reachable`` is the smallest that so few tasks can give.
    ``ignoring_clusters`` is McNemar's p where tasks come in clusters, which it does not know of.
    ``won`` and ``lost`` count the tasks on which the candidate is better and worse. ``verdict`` is
    None where neither direction is good or where nothing can be said; ``why`` says why then, and
    where a word is held back, which leaves it undecided. ``interval_why`` says why there is no
    interval. ``complete`` says whether every run of the paired tasks has a value.
    """

    base: float | None
    candidate: float | None
    difference: float | None
    tasks: int
    unit: str
    better: Better
    interval: Ends | None = None
    method: str | None = None
    clusters: int = 0
    cluster: Cluster = "task"
    test: Test | None = None
    p_value: float | None = None
    reachable: float | None = None
    ignoring_clusters: float | UnsetType = UNSET
    won: int = 0
    lost: int = 0
    verdict: Verdict | None = None
    trusted: bool = True
    why: str | UnsetType = UNSET
    interval_why: str | UnsetType = UNSET
    complete: bool = True
    margin: Margin | UnsetType = UNSET
    ratio: Ratio | UnsetType = UNSET
    capability: Difference | UnsetType = UNSET


class Parting(Struct, frozen=True, kw_only=True):
    """Where two runs of a task part: the first step that differs, by number, and its turns.

    ``what`` tells how: another ``tool``, other ``arguments``, one ``ended`` there, or the same
    steps to the end (``none``). A turn is None where that run has no such step.
    """

    what: How
    step: int | None
    base_turn: int | None
    candidate_turn: int | None
    base_tool: str | None
    candidate_tool: str | None


class TaskChange(Struct, frozen=True, kw_only=True):
    """A task whose success changed: successes of graded trials on both sides, and where they part.

    The runs that part are one of each side, by id: the first that shows the change, with the status
    of one that broke without the agent's fault (``base_broke``, ``candidate_broke``). ``parted`` is
    the first step of all that differs, ``parted_write`` the first among those that change the
    world: how an agent looks things up is its own business. ``p_adjusted`` is Fisher's exact p of
    the task alone, by Benjamini and Hochberg over all tasks: a flag, since few trials show little.
    """

    task: str
    change: Change
    base: str
    candidate: str
    base_run: str | None
    candidate_run: str | None
    parted: Parting | None
    parted_write: Parting | None = None
    p_adjusted: float | None = None
    base_broke: str | UnsetType = UNSET
    candidate_broke: str | UnsetType = UNSET


class Regression(Struct, frozen=True, kw_only=True):
    """A task that fell by more than half a point in one metric: a flag, and no verdict."""

    metric: str
    task: str
    base: float
    candidate: float


class Regressions(Struct, frozen=True, kw_only=True):
    """How many tasks fell by more than half a point, by metric, and the first of them."""

    counts: dict[str, int]
    examples: list[Regression]


class MoreEvidence(Struct, frozen=True, kw_only=True):
    """How many more tasks, or trials of each task, would decide; None where ``why`` names none.

    ``clusters`` is how many more declared clusters that is, of as many tasks as those there are.
    ``power`` is the chance that so many decide, if the difference that was seen is the true one.
    """

    tasks: int | None
    trials: int | None
    why: str
    clusters: int | UnsetType = UNSET
    power: float = 0.8


class Tasks(Struct, frozen=True, kw_only=True):
    """How the tasks were paired: by id and by the text of the task.

    ``other_text`` have the same id on both sides and another text: they are not paired. Of the
    paired ones ``by_id`` are so by id alone, since a side does not tell their text.
    """

    paired: int
    by_id: int
    only_base: int
    only_candidate: int
    other_text: int
    unmatched: list[str]
    clusters: int


class Differs(Struct, frozen=True, kw_only=True):
    """One thing that is not the same on both sides, and what it is there."""

    aspect: Aspect
    base: list[str]
    candidate: list[str]


class Caveat(Struct, frozen=True, kw_only=True):
    """A warning about the comparison, by code, with what was seen on each side."""

    code: Literal[
        "success_contradicts_trajectory",
        "infrastructure_differs",
        "not_graded",
        "several_things_differ",
        "cannot_be_significant",
        "pooled",
    ]
    base: str
    candidate: str


class Extra(Struct, frozen=True, kw_only=True):
    """What each further accepted run costs: the difference of costs over that of accepted runs."""

    usd: float | None
    why: str | UnsetType = UNSET


class Compared(Struct, frozen=True, kw_only=True):
    """One suite on both sides.

    ``not_compared`` are the metrics without a value on both sides of some task, with the reason.
    ``differs`` are the aspects of the agent that differ on some task, ``same`` those that both
    sides tell and that never do, ``untold`` those that a side does not tell.
    """

    suite: str
    base: str
    candidate: str
    tasks: Tasks
    metrics: dict[str, Difference]
    not_compared: dict[str, str]
    tasks_changed: list[TaskChange]
    regressions: Regressions
    more_evidence: MoreEvidence | None
    cost_per_extra_accepted: Extra
    differs: list[Differs]
    same: list[Aspect]
    untold: list[Aspect]
    warnings: list[Caveat]


class Candidate(Struct, frozen=True, kw_only=True):
    """One of several candidates on a suite, or the base itself: what each change was worth.

    ``success`` and ``cost_usd`` are its means over the paired tasks, the cost where all their runs
    tell it. ``front`` is whether no other row is both as cheap and as good; None where nobody knows
    or nothing is said of success. ``p_adjusted`` is Holm's over the candidates, and ``verdict`` the
    word that goes with it; a margin is not adjusted. The base has neither.
    """

    suite: str
    candidate: str
    base: bool
    success: float | None
    cost_usd: float | None
    difference: float | None
    interval: Ends | None
    p_adjusted: float | None
    verdict: Verdict | None
    trusted: bool
    cost_ratio: float | None
    front: bool | None


class SideRead(Struct, frozen=True, kw_only=True):
    """What became of the records of one side; ``warnings`` counts what was odd, by code."""

    side: str
    files: int
    records: int
    rejected: int
    rejected_records: list[Rejected]
    skipped: list[Passed]
    warnings: dict[str, int]


class Comparison(Struct, frozen=True, kw_only=True):
    """A base and one candidate or several.

    ``tasks``, ``metrics``, ``tasks_changed``, ``more_evidence`` and ``warnings`` of the only group
    stand at the top as well. ``table`` compares several candidates with each other. ``read`` tells
    of each side what could not be read.
    """

    base: str
    candidate: str | UnsetType = UNSET
    candidates: list[str] | UnsetType = UNSET
    groups: list[Compared]
    tasks: Tasks | UnsetType = UNSET
    metrics: dict[str, Difference] | UnsetType = UNSET
    tasks_changed: list[TaskChange] | UnsetType = UNSET
    more_evidence: MoreEvidence | UnsetType | None = UNSET
    warnings: list[Caveat] | UnsetType = UNSET
    table: list[Candidate] | UnsetType = UNSET
    read: list[SideRead] | UnsetType = UNSET
    schema: Literal["trayecto.compare/1"] = SCHEMA
