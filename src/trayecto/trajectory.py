"""A trajectory: the whole path of one attempt at one task, whatever recorded it.

Values here are frozen and know nothing of files, formats, cases or scores. What a trace does not
say is None or ``unknown``, never 0, False or "now".
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
else:
    Json = object  # what a decoder is asked for: any JSON value

Arguments: TypeAlias = dict[str, Json] | str
Outcome: TypeAlias = Literal["ok", "error", "unknown"]
Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Status: TypeAlias = Literal[
    "completed",
    "agent_error",
    "budget_exceeded",
    "deadline_exceeded",
    "infra_error",
    "harness_error",
    "sim_invalid",
    "cancelled",
    "not_run",
    "unknown",
]
Grade: TypeAlias = Literal["graded", "missing", "held"]
SuccessSource: TypeAlias = Literal["recorded", "state", "answer", "judge"]
Attack: TypeAlias = Literal["none", "failed", "succeeded", "unknown"]

UNKNOWN_TOOL = "unknown_tool"  # the error of a call that was refused because there is no such tool

# These failed, whatever was recorded: a run that broke did not succeed (operational view).
BROKEN: frozenset[Status] = frozenset(
    {"agent_error", "budget_exceeded", "deadline_exceeded", "infra_error", "harness_error"}
)
# The agent had no fair chance in these: they say nothing about what it can do (capability view).
INVALID: frozenset[Status] = frozenset(
    {"infra_error", "harness_error", "sim_invalid", "cancelled", "not_run"}
)


class Usage(Struct, frozen=True, gc=False, omit_defaults=True):
    """Tokens of one or more generations, in disjoint buckets.

    ``input`` is fresh input, without what was read from or written to a cache. Where the trace does
    not tell cached tokens apart, ``cache_read`` or ``cache_write`` is None, and ``input`` includes
    them. ``reasoning`` is the part of ``output`` spent on reasoning, None where it is not told.
    """

    input: int
    cache_read: int | None
    cache_write: int | None
    output: int
    reasoning: int | None = None


class Spent(Struct, frozen=True, gc=False, omit_defaults=True):
    """What one model consumed in a trajectory; usage is None where a generation did not report."""

    model: str | None
    usage: Usage | None


class Call(Struct, frozen=True, gc=False, omit_defaults=True):
    """One tool call and its observation: a *step*.

    ``index`` counts the calls of a trajectory from 1. ``arguments`` is a JSON object, or the raw
    text where it is none. ``observation`` is text as the trace has it, None where it has none.
    ``flags`` name what was odd about the call as it was read (``empty_arguments``,
    ``encoded_twice``, ``ambiguous_arguments``, ``python_literal``). ``error`` is the class of an
    error where the trace tells it; ``unknown_tool``: there was no such tool.
    """

    index: int
    tool: str
    arguments: Arguments
    observation: str | None
    outcome: Outcome
    id: str | None = None
    flags: tuple[str, ...] = ()
    error: str | None = None
    latency_ms: float | None = None
    agent: str | None = None
    fault: str | None = None

    @property
    def observation_sha256(self) -> str | None:
        """The digest of the whole observation, for comparing without showing it."""
        if self.observation is None:
            return None
        return sha256(self.observation.encode()).hexdigest()


class Turn(Struct, frozen=True, gc=False, omit_defaults=True):
    """One message of system or user, or one generation of the model with the calls that it made.

    ``position`` is the place in the source, counted from 1 over all its messages, so that a person
    who opens the file finds it.
    """

    position: int
    role: Role
    text: str | None
    calls: tuple[Call, ...] = ()
    usage: Usage | None = None
    model: str | None = None
    latency_ms: float | None = None
    reasoning: str | None = None
    start_ns: int | None = None


class Tool(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tool that the trace says was available to the agent."""

    name: str
    description: str | None = None
    parameters: dict[str, Json] | None = None


class Source(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where a trajectory was read: format, file, and record (a line in line formats), from 1."""

    format: str
    file: str
    record: int


class Child(Struct, frozen=True, gc=False, omit_defaults=True):
    """A sub-agent's trajectory and the index of the call that started it (None: not told)."""

    trajectory: Trajectory
    call: int | None = None


class Trajectory(Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One attempt at one task: what was said, called, observed and answered.

    ``success`` is True, False or None (nobody said); ``success_from`` tells who decided. ``checks``
    holds the parts of that decision that the trace records (``state``, ``answer``): absent means
    unknown. ``tools`` is None where the trace does not say what was available;
    ``refuses_unknown_tools`` says that every result of a tool that did not exist is told as one
    (``Call.error`` is ``unknown_tool``). ``attack`` is how an attack against the run ended
    (``none``: it was not attacked), None where the trace does not say. ``initial_state`` is the
    world before the first call, ``final_state`` after the last one.

    Of the people beside the agent: ``human_minutes`` is how long they worked on the run,
    ``interventions`` how often they stepped in. ``abandoned_at`` is when somebody gave the run up,
    in seconds after its start, False where it is told that nobody did, None where nobody says. What
    a root tells is of the whole run, its sub-agents included.
    """

    id: str
    suite: str
    candidate: str
    case_id: str
    trial: int | None
    turns: tuple[Turn, ...]
    source: Source = Source("", "", 0)
    status: Status = "unknown"
    grade: Grade = "graded"
    success: bool | None = None
    success_from: SuccessSource | None = None
    checks: dict[str, bool] = {}
    answer: str | None = None
    spent: tuple[Spent, ...] = ()
    latency_ms: float | None = None
    human_minutes: float | None = None
    interventions: int | None = None
    abandoned_at: float | bool | None = None
    tools: tuple[Tool, ...] | None = None
    refuses_unknown_tools: bool = False
    initial_state: Json = None
    final_state: Json = None
    attack: Attack | None = None
    children: tuple[Child, ...] = ()
    warnings: tuple[str, ...] = ()
    extra: dict[str, Json] = {}

    @property
    def calls(self) -> list[Call]:
        """Every call in the order in which it was made."""
        return [call for turn in self.turns for call in turn.calls]

    @property
    def slot(self) -> tuple[str, str, str, int | None]:
        """What this attempt is one of: suite, candidate, case and trial."""
        return (self.suite, self.candidate, self.case_id, self.trial)
