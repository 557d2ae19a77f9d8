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
    return "<word>" if isinstance(value, str) else "<distance>"


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
Tolerance: TypeAlias = Annotated[
    Annotated[Literal["any"], Tag("<word>")] | Annotated[float, Field(ge=0), Tag("<distance>")],
    Discriminator(_kind_of_tolerance),
]


class AnswerEntry(_Model):
    """What the final answer must say."""

    contains: Annotated[
        list[Text],
        Field(min_length=1),
        BeforeValidator(_listed, json_schema_input_type=Text | list[Text]),
    ] = Field(default=[], description="A text, or several, that the answer must contain.")
    equals: str | None = Field(default=None, description="The whole answer.")


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
        description="For a tool.argument, how far it may be from the reference: any, or a number.",
    )
    answer: AnswerEntry | None = Field(default=None, description="What the answer must say.")
    state: Annotated[dict[Text, Value], Field(min_length=1)] | None = Field(
        default=None,
        description="What must hold of the final state; unchanged: true allows no other change.",
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
