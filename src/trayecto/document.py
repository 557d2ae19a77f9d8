"""The document that a summary becomes: what reports print and machines read.

Its JSON Schema is published (``trayecto schema report``); a change of shape changes ``SCHEMA``.
Text of traces stands here as labels only, each cut and no more than so many of a kind; making them
safe to print is the printer's job.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from trayecto.figures import Metrics
from trayecto.records import Passed, Rejected
from trayecto.scores import Kind

SCHEMA: Literal["trayecto.report/1"] = "trayecto.report/1"
LABEL = 80  # characters of a label
KINDS = 200  # different reasons, or lines, of a kind that are kept; the rest are counted together
OTHER = "other"  # what they are counted under


class Blame(Struct, frozen=True, kw_only=True):
    """One line of the attribution table: failed runs that broke in the same tool by the same cause.

    ``cause`` is None where no rule could name one, and ``why`` says why; ``turn``, ``example``,
    ``file`` and ``record`` point at one such run; ``share`` is of the group's failed runs.
    """

    tool: str | None
    cause: Kind | None
    trajectories: int
    share: float
    turn: int | None
    example: str
    file: str
    record: int
    why: str | UnsetType = UNSET
    turns: list[int] = []


class RightAnswer(Struct, frozen=True, kw_only=True):
    """A run that succeeded although a check of its path failed."""

    id: str
    file: str
    record: int
    case: str
    failed: list[str]


class RightAnswers(Struct, frozen=True, kw_only=True):
    """The runs with a right answer and a failing path: how many, and the first of them."""

    count: int
    of: int
    examples: list[RightAnswer] = []


class CheckedRun(Struct, frozen=True, kw_only=True):
    """A run that failed a check, or one in which it was not evaluated."""

    id: str
    file: str
    record: int
    case: str
    failed: bool


class Check(Struct, frozen=True, kw_only=True):
    """One assertion: of how many runs it was made, and in how many it failed.

    ``not_evaluated`` counts the runs in which nobody could tell, ``undefined`` why: they are no
    passes. ``examples`` are the first runs of either kind.
    """

    metric: str
    asserted: int
    failed: int
    not_evaluated: int
    undefined: dict[str, int] | UnsetType = UNSET
    examples: list[CheckedRun] = []


class Checked(Struct, frozen=True, kw_only=True):
    """How many runs there are of which anything is asserted.

    ``failed`` are those in which an assertion failed, ``not_evaluated`` those in which one could
    not be evaluated; a run may be both.
    """

    trajectories: int
    failed: int
    not_evaluated: int


class Confused(Struct, frozen=True, kw_only=True):
    """A cell of the confusion matrix of tools, off its diagonal: one tool in place of another.

    ``called`` is None where nothing stands in place of the ``expected`` call, ``expected`` where a
    call stands in place of none; both are None on the line that holds all rarer pairs together.
    ``example``, ``file`` and ``record`` point at one such run.
    """

    expected: str | None
    called: str | None
    count: int
    example: str
    file: str
    record: int


class ToolChoice(Struct, frozen=True, kw_only=True):
    """How one tool was chosen: of its expected calls, those right, confused with another, missed.

    ``called`` are all calls of it, so ``precision`` is right over called, and ``recall`` right over
    ``of``; None where that is of nothing. ``tool`` is None on the line of all rarer tools together.
    """

    tool: str | None
    of: int
    right: int
    confused: int
    missed: int
    called: int
    precision: float | None
    recall: float | None


class Selection(Struct, frozen=True, kw_only=True):
    """How tools were chosen: what ``confusion`` was taken from, and the counts of each tool.

    ``trajectories`` of the group's ``of`` were compared with a reference; ``undefined`` counts why
    the others were not, ``why`` is set where none was.
    """

    trajectories: int
    of: int
    tools: list[ToolChoice]
    why: str | UnsetType = UNSET
    undefined: dict[str, int] | UnsetType = UNSET


class StepTokens(Struct, frozen=True, kw_only=True):
    """Tokens of steps in disjoint buckets; a cache is None where not all of them tell it apart."""

    input: int
    cache_read: int | None
    cache_write: int | None
    output: int


class DearStep(Struct, frozen=True, kw_only=True):
    """What the calls of one tool, or at one position, come to.

    ``characters`` is the size of the ``observed`` observations, ``tokens`` and ``cost_usd`` are
    those of the ``counted`` and the ``priced`` calls, ``mean_latency_ms`` of the ``timed`` ones:
    None where there is none. ``tool`` is None on the line of all cheaper ones together,
    ``position`` on that of all later ones. ``example``, ``file``, ``record`` and ``call`` point at
    the dearest call; ``call`` is None where a generation made none.
    """

    tool: str | UnsetType | None = UNSET
    position: int | UnsetType | None = UNSET
    calls: int
    observed: int
    characters: int | None
    mean_characters: float | None
    counted: int
    tokens: StepTokens | None
    mean_tokens: float | None
    priced: int
    cost_usd: float | None
    mean_usd: float | None
    timed: int
    mean_latency_ms: float | None
    example: str
    file: str
    record: int
    call: int | None


class DearSteps(Struct, frozen=True, kw_only=True):
    """Which steps are dear, by tool and by position in the run, the dearest first.

    They are ordered ``by`` cost where one is known, else by tokens, else by the characters of
    observations. ``answers`` are the generations that made no call, None where there is none.
    ``undefined`` counts why ``tokens`` and ``cost`` of calls and answers are not known.
    """

    trajectories: int
    by: Literal["cost", "tokens", "characters"]
    tools: list[DearStep]
    positions: list[DearStep]
    answers: DearStep | None
    undefined: dict[str, dict[str, int]]


class Told(Struct, frozen=True, kw_only=True):
    """A sum over the ``n`` runs that tell it, and their mean; None where none does."""

    total: float | None
    mean: float | None
    n: int


class Abandoned(Struct, frozen=True, kw_only=True):
    """How many runs somebody gave up, their share of the ``n`` that tell, and after how long."""

    runs: int | None
    share: float | None
    n: int
    median_seconds: float | None


class Human(Struct, frozen=True, kw_only=True):
    """What people did in the runs, where these tell it; there are ``of`` runs.

    ``human_usd`` is the minutes at the stated rate; ``in_cost_per_accepted`` says whether it is a
    part of ``cost_per_accepted_usd``. ``undefined`` says why a figure is None, by its name.
    """

    of: int
    minutes: Told
    interventions: Told
    abandoned: Abandoned
    human_usd: float | None
    in_cost_per_accepted: bool
    undefined: dict[str, str]


class CallCounts(Struct, frozen=True, kw_only=True):
    """How many calls were made, and how they ended."""

    total: int
    ok: int
    error: int
    unknown: int


class Group(Struct, frozen=True, kw_only=True):
    """One candidate on one suite: nothing is averaged over suites.

    Every trajectory ``succeeded``, ``failed`` or is ``ungraded``, as ``task_success`` has it.
    ``trials`` is None where the tasks differ in it; ``files`` are the first ones by name.
    ``strata`` are the metrics of parts of the group, by field, then by value: ``unknown`` where the
    value is not known.
    """

    suite: str
    candidate: str
    files: list[str]
    trajectories: int
    tasks: int
    trials: int | None
    succeeded: int
    failed: int
    ungraded: int
    statuses: dict[str, int]
    calls: CallCounts
    metrics: Metrics
    attribution: list[Blame]
    confusion: list[Confused]
    selection: Selection
    dear_steps: DearSteps
    human: Human
    right_answers: RightAnswers
    checks: list[Check]
    checked: Checked
    strata: dict[str, dict[str, Metrics]] = {}


class Read(Struct, frozen=True, kw_only=True):
    """What became of everything that was to be read.

    ``names`` are the first of the files that hold trajectories. ``rejected`` counts the records
    that are no trajectories: the ``unreadable`` ones, and each file that ``failed`` as one.
    """

    files: int
    records: int
    rejected: int
    unreadable: int
    skipped: list[Passed]
    failed: list[Passed]
    repeated_call_ids: int
    rejected_records: list[Rejected] = []
    names: list[str] = []


class Warned(Struct, frozen=True, kw_only=True):
    """Something odd: how often, and where it was seen first.

    ``places`` are the first of them, the example included, where there is more than one.
    """

    code: str
    count: int
    example: str
    places: list[str] | UnsetType = UNSET


class Document(Struct, frozen=True, kw_only=True):
    """A whole report. ``metrics`` repeats those of the group where there is only one."""

    schema: Literal["trayecto.report/1"] = SCHEMA
    read: Read
    formats: dict[str, int]
    trajectories: int
    tasks: int
    statuses: dict[str, int]
    calls: CallCounts
    groups: list[Group]
    metrics: Metrics | UnsetType = UNSET
    prices: str | None = None
    warnings: list[Warned] = []


def shorten(text: str, limit: int = LABEL) -> str:
    """A text of at most ``limit`` characters: a long one without its middle, ends tell apart.

    >>> shorten("update_reservation_flights", 15)
    'update_…flights'
    """
    if len(text) <= limit:
        return text
    end = limit // 2
    return f"{text[: limit - end - 1]}…{text[-end:]}"


def most_frequent(counts: Mapping[str, int], limit: int = KINDS) -> dict[str, int]:
    """What was counted, the most frequent first, ties by name; beyond ``limit`` all as ``other``.

    What is kept does not depend on the order in which it came, so that merging stays exact.

    >>> most_frequent({"a": 1, "b": 5, "c": 2}, limit=1)
    {'b': 5, 'other': 3}
    """
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    kept = dict(order[:limit])
    rest = sum(count for _, count in order[limit:])
    if rest:
        kept[OTHER] = kept.get(OTHER, 0) + rest
    return kept
