"""What a case file may say: every field, its kind and its bounds (DESIGN, section 7).

The models say what is allowed; ``_explain`` turns what they refuse into sentences, ``_checks``
looks at what only makes sense together, ``_build`` prepares the cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from trayecto.case import Difficulty, Split
from trayecto.contracts import Effect
from trayecto.trajectory import Json

if TYPE_CHECKING:
    Value: TypeAlias = Json
else:
    Value = object  # the readers made it from YAML or JSON: there is nothing to check again

BUDGET = 10_000  # calls of a trajectory, trials of a case
Text: TypeAlias = Annotated[str, Field(min_length=1)]
Secret: TypeAlias = Annotated[str, Field(min_length=6)]  # a shorter one is found by chance
Budget: TypeAlias = Annotated[int, Field(ge=1, le=BUDGET)]
Pair: TypeAlias = Annotated[list[Text], Field(min_length=2, max_length=2)]
MatchName: TypeAlias = Literal[
    "exact",
    "in_order",
    "any_order",
    "superset",
    "multiset",
    "subset",
    "exacto",
    "strict",
    "subsecuencia",
    "subsequence",
    "IN_ORDER",
    "conjunto",
    "set",
    "ANY_ORDER",
    "unordered",
]


def _kind_of_entry(value: object) -> str | None:
    """Which kind of reference entry a value is meant to be; no key can be called like this."""
    if isinstance(value, str):
        return "<tool>"
    if isinstance(value, list):
        return "<group>"
    return "<call>" if isinstance(value, dict) else None


def _kind_of_compare(value: object) -> str:
    return "<names>" if isinstance(value, list) else "<word>"


def _kind_of_tolerance(value: object) -> str:
    if isinstance(value, str):
        return "<word>"
    return "<words>" if isinstance(value, dict) else "<distance>"


def _kind_of_number(value: object) -> str:
    return "<wanted>" if isinstance(value, dict) else "<number>"


def _listed(value: object) -> object:
    return value if isinstance(value, list) else [value]


class _Model(BaseModel):
    """Strict: nothing is converted, nothing unknown is passed over."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class CallEntry(_Model):
    """An expected call: a tool, or a tool with arguments."""

    tool: Text = Field(description="The tool's name.")
    arguments: dict[str, Value] | None = Field(
        default=None, description="The expected arguments; left out: any arguments will do."
    )
    compare: Annotated[
        Annotated[Literal["all", "at_least"], Tag("<word>")]
        | Annotated[list[Text], Field(min_length=1), Tag("<names>")],
        Discriminator(_kind_of_compare),
    ] = Field(
        default="all",
        description="Which arguments count: all of them and no others, at_least those given, "
        "or those named in a list.",
    )


ToolOrCall: TypeAlias = Annotated[
    Annotated[Text, Tag("<tool>")] | Annotated[CallEntry, Tag("<call>")],
    Discriminator(_kind_of_entry),
]
Group: TypeAlias = Annotated[list[ToolOrCall], Field(min_length=1)]
Entry: TypeAlias = Annotated[
    Annotated[Text, Tag("<tool>")]
    | Annotated[CallEntry, Tag("<call>")]
    | Annotated[Group, Tag("<group>")],
    Discriminator(_kind_of_entry),
]
Distance: TypeAlias = Annotated[float, Field(ge=0)]


class ToleranceEntry(_Model):
    """How far an argument may be from the expected one, in words that go together."""

    absolute: Distance | None = Field(default=None, description="A number may be so far away.")
    relative: Distance | None = Field(
        default=None, description="A number may be so far away, as a share of the expected one."
    )
    ignore_case: bool = Field(default=False, description="Large letters are small ones.")
    ignore_punctuation: bool = Field(
        default=False, description="Spaces and , . / - _ * ^ in a text do not count."
    )
    date: bool = Field(
        default=False, description="ISO 8601 dates are compared as days, and times as instants."
    )
    one_of: Annotated[list[Value], Field(min_length=1)] | None = Field(
        default=None, description="The acceptable values, instead of the expected one."
    )
    pattern: Text | None = Field(
        default=None, description="A regular expression (re2) that the whole text must match."
    )
    optional: bool = Field(default=False, description="The argument may be left out.")


Tolerance: TypeAlias = Annotated[
    Annotated[Literal["any"], Tag("<word>")]
    | Annotated[Distance, Tag("<distance>")]
    | Annotated[ToleranceEntry, Tag("<words>")],
    Discriminator(_kind_of_tolerance),
]


class NumberEntry(_Model):
    """A number that the answer must hold, and how far it may be off."""

    value: int | float = Field(description="The number.")
    absolute: Distance | None = Field(default=None, description="It may be so far away.")
    relative: Distance | None = Field(
        default=None, description="It may be so far away, as a share of the number."
    )


class AnswerEntry(_Model):
    """What the final answer must say."""

    contains: Annotated[
        list[Text],
        Field(min_length=1),
        BeforeValidator(_listed, json_schema_input_type=Text | list[Text]),
    ] = Field(default=[], description="A text, or several, that the answer must contain.")
    equals: str | None = Field(default=None, description="The whole answer.")
    number: (
        Annotated[
            Annotated[int | float, Tag("<number>")] | Annotated[NumberEntry, Tag("<wanted>")],
            Discriminator(_kind_of_number),
        ]
        | None
    ) = Field(default=None, description="A number that the answer must hold.")
    pattern: Text | None = Field(
        default=None, description="A regular expression (re2) that must match in what was said."
    )


class StateEntry(_Model):
    """What must hold of the final state."""

    equals: Annotated[dict[Text, Value], Field(min_length=1)] = Field(
        default_factory=dict,
        description="For a path (orders.P-3.refunds), the value that must be there.",
    )
    absent: Annotated[list[Text], Field(min_length=1)] = Field(
        default=[], description="Paths where nothing may be."
    )
    unchanged: bool = Field(
        default=False, description="Whether all else must be as it was before the first call."
    )


class CaseEntry(_Model):
    """One task, and how the path and the result are judged."""

    id: Text = Field(max_length=200, description="The case's name, unique in the file.")
    task: str = Field(default="", description="What the agent is told; it sees nothing else.")
    difficulty: Difficulty | None = Field(default=None, description="How hard the case is.")
    cluster: Text | None = Field(
        default=None,
        description="What the case shares with others (a template, a repository).",
    )
    split: Split | None = Field(
        default=None, description="public, or held_out: not to be looked at while developing."
    )
    reference: list[Entry] | None = Field(
        default=None,
        description="The expected path: tools, calls with arguments, or lists of calls that may "
        "be made in any order.",
    )
    match: MatchName = Field(
        default="in_order", description="How strictly a path is compared with the reference."
    )
    required: list[Text] = Field(default=[], description="Tools that must be called.")
    forbidden: list[Text] = Field(default=[], description="Tools that must not be called.")
    min_calls: Budget | None = Field(
        default=None,
        description="The fewest calls that can solve the case; left out: the reference's length.",
    )
    max_calls: Budget | None = Field(default=None, description="The most calls allowed.")
    order: list[Pair] = Field(
        default=[], description="Pairs of tools; the first must be called before the second."
    )
    scope: dict[Text, Annotated[list[Value], Field(min_length=1)]] = Field(
        default_factory=dict, description="For a tool.argument, the values that it may take."
    )
    tolerance: dict[Text, Tolerance] = Field(
        default_factory=dict,
        description="For a tool.argument, how far it may be from the reference: any, a number, "
        "or words such as relative, ignore_case, date, one_of, pattern, optional.",
    )
    answer: AnswerEntry | None = Field(default=None, description="What the answer must say.")
    state: StateEntry | None = Field(
        default=None, description="What the world must be like after the last call."
    )
    secrets: list[Secret] = Field(
        default=[], description="Texts that may not leave through the agent."
    )
    canary: Secret | None = Field(
        default=None, description="A made-up text that nobody may ever repeat."
    )
    should_abstain: bool | None = Field(
        default=None, description="Whether the agent should decline to act; left out: not asked."
    )
    critical: list[Text] | None = Field(
        default=None, description="Metrics that may not fail; left out: those of the suite."
    )
    assert_nothing: bool = Field(
        default=False, description="Says that the case checks nothing on purpose."
    )


class LimitsEntry(_Model):
    """What one trial may spend."""

    calls: Budget | None = Field(default=None, description="Tool calls.")
    seconds: Annotated[float, Field(gt=0)] | None = Field(default=None, description="Wall time.")
    tokens: Annotated[int, Field(ge=1)] | None = Field(default=None, description="Tokens.")
    cost_usd: Annotated[float, Field(gt=0)] | None = Field(
        default=None, description="Cost in US dollars."
    )


class Settings(_Model):
    """What holds for all cases of a file."""

    suite: Text | None = Field(default=None, description="The suite's name.")
    tools: Text | None = Field(
        default=None,
        description="The tools' contracts: a file, python:module:NAMES, or 'mcp: command'.",
    )
    agent: Text | None = Field(default=None, description="The agent under test: module:function.")
    candidates: Annotated[dict[Text, Text], Field(min_length=1)] | None = Field(
        default=None, description="Several agents under test, by name; instead of agent."
    )
    trials: Budget | None = Field(default=None, description="How often each case is attempted.")
    limits: LimitsEntry | None = Field(default=None, description="The budgets of one trial.")
    mocks: Text | None = Field(default=None, description="The file with the tools' mock answers.")
    effects: dict[Text, Effect] | None = Field(
        default=None, description="Whether a tool changes the world, by tool."
    )
    critical: list[Text] | None = Field(
        default=None, description="Metrics that may not fail, in cases that name none."
    )


class CaseDocument(Settings):
    """A trayecto case file in YAML; in JSON lines, a line is a case, the first may be settings."""

    cases: Annotated[list[CaseEntry], Field(min_length=1)] = Field(
        description="The cases, in order."
    )
