"""A case: what the agent is told, and what it must not see: how its trajectory is judged.

A case is prepared once, on load, so that a metric only looks things up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct
from msgspec.json import Encoder
from msgspec.structs import replace

from trayecto.paths import find, without
from trayecto.tolerance import allows_absence, is_near
from trayecto.trajectory import Arguments, Call, Json, Tool

Mode: TypeAlias = Literal["exact", "in_order", "any_order", "superset", "multiset", "subset"]
Compare: TypeAlias = "Literal['all', 'at_least'] | tuple[str, ...]"
Difficulty: TypeAlias = Literal["simple", "medium", "complex", "edge"]
Split: TypeAlias = Literal["public", "held_out"]

MODES: tuple[Mode, ...] = ("exact", "in_order", "any_order", "superset", "multiset", "subset")
MODE_ALIASES: dict[str, Mode] = {
    "exacto": "exact",
    "strict": "exact",
    "subsecuencia": "in_order",
    "subsequence": "in_order",
    "IN_ORDER": "in_order",
    "conjunto": "any_order",
    "set": "any_order",
    "ANY_ORDER": "superset",
    "unordered": "multiset",
}
# An empty reference says something only where nothing may be extra.
FORBIDS_EXTRAS: frozenset[Mode] = frozenset({"exact", "multiset", "subset"})

_encode = Encoder(order="deterministic").encode
# True, false, 0 or 1 somewhere in a canonical form: Python calls True and 1 equal. A text that
# looks like one costs a closer look, and no more.
_DELICATE = re.compile(rb"[:\[,](?:true|false|-?[01](?:\.0)?)[,\]}]")


def canonical(arguments: Arguments) -> bytes:
    """Write arguments in their one form: keys sorted, so that equal arguments are equal bytes.

    Readers turn 1.0 into 1 and -0 into 0 beforehand; true, 1 and "1" stay different, and so do null
    and an absent key.
    """
    return _encode(arguments)


class Expected(Struct, frozen=True, gc=False):
    """One expected call: a tool, or a tool with arguments.

    ``compare`` says which arguments count: all of them (and no others), ``at_least`` those given,
    or the named ones. ``tolerance`` frees single arguments: see ``trayecto.tolerance``. ``form`` is
    the canonical form of the arguments that must be equal, None where any will do. ``fixed`` says
    that equal arguments are all that counts; ``delicate``, that they may hold values which Python's
    == would confuse (true and 1).
    """

    tool: str
    arguments: dict[str, Json] | None
    compare: Compare
    tolerance: dict[str, Json]
    form: bytes | None
    delicate: bool
    fixed: bool

    def agrees(self, call: Call) -> bool:
        """Whether a call is the expected one; raw text never agrees with expected arguments."""
        return self.tool == call.tool and self.accepts(call.arguments)

    def accepts(self, actual: Arguments) -> bool:
        """Whether arguments of a call of this tool are the expected ones."""
        expected = self.arguments
        if expected is None:
            return True
        if self.fixed:
            return actual == expected and not (self.delicate and canonical(actual) != self.form)
        if isinstance(actual, str) or canonical(self._counted(actual)) != self.form:
            return False
        return all(
            _is_near_at(name, limit, actual, expected)
            for name, limit in self.tolerance.items()
            if self._counts(name)
        )

    def _counts(self, path: str) -> bool:
        """Whether what stands at a path counts: it, or the argument that it is in, is compared."""
        if isinstance(self.compare, str):
            return True
        return path in self.compare or path.split(".", 1)[0] in self.compare

    def _counted(self, arguments: dict[str, Json]) -> dict[str, Json]:
        """The arguments that must be equal."""
        for path in self.tolerance:
            if path not in arguments and "." in path:
                arguments = without(arguments, path)
        counted = arguments.keys() - self.tolerance.keys()
        if self.compare != "all":
            counted &= set((self.arguments or {}) if self.compare == "at_least" else self.compare)
        return {name: value for name, value in arguments.items() if name in counted}


def _is_near_at(path: str, limit: Json, given: dict[str, Json], expected: dict[str, Json]) -> bool:
    """Whether what stands at a path of the arguments is near to what is expected there."""
    actual, wanted = find(given, path), find(expected, path)
    if actual is UNSET:
        return allows_absence(limit)
    return is_near(actual, None if wanted is UNSET else wanted, limit)


def expect(
    tool: str,
    arguments: dict[str, Json] | None,
    compare: Compare = "all",
    tolerance: dict[str, Json] | None = None,
) -> Expected:
    """Prepare an expected call: its canonical form, and whether == is safe for it."""
    if arguments is None:
        return Expected(tool, None, compare, {}, None, delicate=False, fixed=False)
    if compare == "all" and not tolerance:
        form = canonical(arguments)
        delicate = _DELICATE.search(form) is not None
        return Expected(tool, arguments, compare, {}, form, delicate, fixed=True)
    open_ = Expected(tool, arguments, compare, tolerance or {}, None, delicate=False, fixed=False)
    return replace(open_, form=canonical(open_._counted(arguments)))  # noqa: SLF001  # its own maker


class Reference(Struct, frozen=True, gc=False):
    """The path an expert wrote for a case, before any run, and how strictly it is compared.

    ``groups`` are the steps in order; a group of several calls may be made in any order.
    ``entries`` lists the same calls flat, ``different`` each of them once, ``tools`` their names,
    ``by_tool`` the entries of each tool; ``plain`` says that no group holds more than one,
    ``strict`` that every entry fixes all its arguments.
    """

    groups: tuple[tuple[Expected, ...], ...]
    match: Mode
    entries: tuple[Expected, ...]
    different: tuple[Expected, ...]
    tools: tuple[str, ...]
    by_tool: dict[str, tuple[Expected, ...]]
    plain: bool
    strict: bool

    @property
    def allows_extras(self) -> bool:
        """Whether calls beyond the reference are no fault."""
        return self.match not in FORBIDS_EXTRAS

    @property
    def fewest(self) -> int | None:
        """How many calls it takes to follow it; None where it only says what is allowed."""
        if self.match == "subset":
            return None
        return len(self.different if self.match == "any_order" else self.entries)

    @property
    def asserts(self) -> bool:
        """Whether a trajectory can fail it: an empty one only where extras are forbidden."""
        return bool(self.entries) or not self.allows_extras


def refer(groups: Iterable[tuple[Expected, ...]], match: Mode = "in_order") -> Reference:
    """Prepare a reference path from its groups of expected calls; a group of none asks for none."""
    kept = tuple([group for group in groups if group])
    entries = tuple([entry for group in kept for entry in group])
    by_tool: dict[str, tuple[Expected, ...]] = {}
    for entry in entries:
        by_tool[entry.tool] = (*by_tool.get(entry.tool, ()), entry)
    tools = tuple([entry.tool for entry in entries])
    different = entries
    if len(by_tool) < len(entries):
        different = tuple({_encode(entry): entry for entry in entries}.values())
    return Reference(
        kept,
        match,
        entries,
        different,
        tools,
        by_tool,
        len(kept) == len(entries),
        all(entry.fixed for entry in entries),
    )


class AnswerCheck(Struct, frozen=True, gc=False):
    """What the final answer, or where it fails the whole conversation, must say.

    ``number`` must be in the answer, within ``tolerance`` where there is one (a number for the
    distance, or a mapping: see ``trayecto.tolerance``); ``pattern`` must match in what was said.
    """

    contains: tuple[str, ...] = ()
    equals: str | None = None
    number: int | float | None = None
    tolerance: Json = None
    pattern: str | None = None

    @property
    def asks(self) -> bool:
        """Whether anything has to be said."""
        return bool(self.contains) or (self.equals, self.number, self.pattern) != (None,) * 3


class StateCheck(Struct, frozen=True, gc=False):
    """What must hold of the final state.

    ``equals`` gives the value at a path (names and places joined by points), ``absent`` lists
    paths where nothing may be, and ``unchanged`` says that all else must be as it was before.
    """

    equals: dict[str, Json] = {}
    absent: tuple[str, ...] = ()
    unchanged: bool = False

    @property
    def asks(self) -> bool:
        """Whether anything has to hold."""
        return bool(self.equals or self.absent or self.unchanged)


class Limits(Struct, frozen=True, gc=False):
    """What one trial may spend; None where there is no limit."""

    calls: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    cost_usd: float | None = None


class CaseInput(Struct, frozen=True, gc=False):
    """What the agent is told. Nothing else of a case may reach it."""

    text: str = ""


class CaseSecret(Struct, frozen=True, gc=False):
    """How a case is judged. The agent must never see it.

    ``min_calls`` is the fewest calls that can solve the case: the reference's length unless the
    case says otherwise. ``required`` and ``forbidden`` name tools; ``order`` holds pairs of tools,
    the first to be called before the second. ``scope`` gives the values allowed for a
    ``tool.argument``, ``tolerance`` how far one may be from the reference. ``state`` is what must
    hold of the final state. ``secrets`` may not leave through the agent, ``canary`` is a text that
    nobody may ever repeat. ``should_abstain`` says whether the agent should decline to act, None
    where that is not asked. ``critical`` names metrics that may not fail, None for those of the
    house. ``limits`` are the budgets of one trial.
    """

    reference: Reference | None = None
    min_calls: int | None = None
    answer: AnswerCheck | None = None
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    max_calls: int | None = None
    order: tuple[tuple[str, str], ...] = ()
    scope: dict[str, tuple[Json, ...]] = {}
    tolerance: dict[str, Json] = {}
    state: StateCheck | None = None
    secrets: tuple[str, ...] = ()
    canary: str | None = None
    should_abstain: bool | None = None
    critical: tuple[str, ...] | None = None
    limits: Limits | None = None


class Case(Struct, frozen=True, gc=False):
    """One task with its judgement; ``id`` is unique in a suite.

    ``cluster`` groups cases that share a cause (a template, a repository): None means that the case
    stands alone. ``place`` is the file and line where it was read. ``effects`` are what the
    suite says of its tools: read, write, irreversible or unknown. ``tools`` are those that the
    agent is given, with the schemas of their arguments; None where the case does not say.
    """

    id: str
    task: CaseInput
    secret: CaseSecret
    suite: str | None = None
    difficulty: Difficulty | None = None
    cluster: str | None = None
    split: Split | None = None
    place: str | None = None
    effects: dict[str, str] = {}
    tools: tuple[Tool, ...] | None = None
