"""Tool contracts: what a tool is called, what it takes, and whether it changes the world."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.json import Encoder

from trayecto.trajectory import Call, Json, Tool

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

Effect: TypeAlias = Literal["read", "write", "irreversible", "unknown"]
EFFECTS: tuple[Effect, ...] = ("read", "write", "irreversible", "unknown")
WRITES: frozenset[Effect] = frozenset({"write", "irreversible"})
Kind: TypeAlias = Literal[
    "no_object", "missing", "extra", "type", "choice", "range", "format", "other"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
# The words of JSON Schema, by the class of what breaks them.
_KINDS: dict[str, Kind] = {
    "required": "missing",
    "additionalProperties": "extra",
    "unevaluatedProperties": "extra",
    "propertyNames": "extra",
    "type": "type",
    "enum": "choice",
    "const": "choice",
    "constant": "choice",
    "minimum": "range",
    "maximum": "range",
    "exclusiveMinimum": "range",
    "exclusiveMaximum": "range",
    "multipleOf": "range",
    "minLength": "range",
    "maxLength": "range",
    "minItems": "range",
    "maxItems": "range",
    "minProperties": "range",
    "maxProperties": "range",
    "uniqueItems": "range",
    "pattern": "format",
    "format": "format",
    "contentEncoding": "format",
    "contentMediaType": "format",
}
# Where a schema holds others against the same value, others by name, and what is no schema.
_APPLIED = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
_BY_NAME = frozenset(
    {"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}
)
_DATA = frozenset({"const", "default", "enum", "examples"})
BOXES = 256  # lists of tools whose contracts are kept compiled
_boxes: dict[bytes, Toolbox] = {}

_encode = Encoder(order="deterministic").encode
_READS = re.compile(
    "get|find|list|search|read|check|view|fetch|query|lookup|show|count|calculate|think|describe"
    "|is_|verify"
)
_TERMINAL = "transfer_to_"
_NAME, _NAMES = 100, 1024  # characters of a name that is worth remembering, and how many are
_known: dict[str, bool] = {}  # names of tools, and whether they are taken to write


class ToolContract(Struct, frozen=True, gc=False):
    """A tool as its owner promises it: name, description, JSON Schema of arguments, effect.

    ``parameters`` is None where nobody told the schema.
    """

    name: str
    description: str = ""
    parameters: dict[str, Json] | None = None
    effect: Effect = "unknown"

    @property
    def digest(self) -> str:
        """A digest over name, description and schema: changes when the promise changes."""
        return sha256(_encode([self.name, self.description, self.parameters])).hexdigest()


class Violation(Struct, frozen=True, gc=False):
    """One way in which arguments break a schema: its class, and where (``limits.max``)."""

    kind: Kind
    where: str


class Toolbox:
    """The contracts of the tools that an agent had, by name; each schema is compiled once.

    ``effects`` are what the contracts say of them, as far as they say anything.
    """

    def __init__(self, contracts: Iterable[ToolContract]) -> None:
        """Keep the contracts; nothing is compiled before it is asked for."""
        self.contracts = {contract.name: contract for contract in contracts}
        self.effects: dict[str, str] = {
            name: contract.effect
            for name, contract in self.contracts.items()
            if contract.effect != "unknown"
        }
        self.validators = _Validators(self.contracts)

    def __contains__(self, tool: str) -> bool:
        """Whether there is a tool of this name."""
        return tool in self.contracts

    def check(self, calls: Sequence[Call]) -> tuple[int, list[Call]]:
        """Hold calls against their schemas: how many could be, and those that broke theirs.

        Text that is no object keeps to no schema. A call of a tool that is not here, or whose
        schema is not told or is none, cannot be held against it.
        """
        validators, checked = self.validators, 0
        invalid: list[Call] = []
        for call in calls:
            validator = validators[call.tool]
            if validator is not None:
                checked += 1
                arguments = call.arguments
                if isinstance(arguments, str) or not validator.is_valid(arguments):
                    invalid.append(call)
        return checked, invalid

    def violations(self, call: Call) -> list[Violation]:
        """Every way in which a call breaks its tool's schema."""
        validator = self.validators[call.tool]
        if validator is None:
            return []
        if isinstance(call.arguments, str):
            return [Violation("no_object", "")]
        return [
            Violation(_KINDS.get(error.kind.name, "other"), _place(error))
            for error in validator.iter_errors(call.arguments)
        ]


class _Validators(dict[str, "Validator | None"]):
    """The validator of each tool, compiled when it is first called; None where there is none."""

    def __init__(self, contracts: Mapping[str, ToolContract]) -> None:
        super().__init__()
        self.contracts = contracts

    def __missing__(self, tool: str) -> Validator | None:
        contract = self.contracts.get(tool)
        if contract is None:
            return None  # not kept: an agent may invent any number of names
        self[tool] = found = _compile_if_usable(contract.parameters)
        return found


def _compile_if_usable(parameters: dict[str, Json] | None) -> Validator | None:
    try:
        return None if parameters is None else _compile(parameters)
    except ValueError:
        return None


def why_no_schema(parameters: dict[str, Json]) -> str | None:
    """Why a JSON Schema cannot be used; None where it can."""
    try:
        _compile(parameters)
    except ValueError as problem:
        why = str(problem).partition("\n")[0]
        return f"{why} (look-ahead and back-references are not taken)" if "regex" in why else why
    return None


def _compile(parameters: dict[str, Json]) -> Validator:
    """A validator that fetches nothing and matches patterns in linear time, or ValueError."""
    from jsonschema_rs import RegexOptions, validator_for  # slow to import

    try:
        TopologicalSorter(_references(parameters)).prepare()
    except CycleError:
        raise ValueError("a $ref leads back to itself, so it asks for nothing") from None
    return validator_for(parameters, offline=True, pattern_options=RegexOptions())


def _references(whole: dict[str, Json]) -> dict[int, list[int]]:
    """Which schema holds which others against the very same value: by $ref, allOf, not and such.

    A property or an item is another value, so a tree may well refer to itself.
    """
    graph: dict[int, list[int]] = {}
    nodes: list[Json] = [whole]  # a stack of our own: a hostile schema is nested deep
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            graph[id(node)] = [id(other) for other in _same_value(node, whole)]
            for key, inner in node.items():
                if key in _BY_NAME and isinstance(inner, dict):
                    nodes += inner.values()
                elif key not in _DATA:
                    nodes.append(inner)
        elif isinstance(node, list):
            nodes += node
    return graph


def _same_value(node: dict[str, Json], whole: dict[str, Json]) -> Iterator[Json]:
    """The schemas that a schema holds against the value that it is held against itself."""
    ref = node.get("$ref")
    if isinstance(ref, str):
        yield _target(ref, whole)
    for key in _APPLIED:
        inner = node.get(key)
        yield from inner if isinstance(inner, list) else [inner]


def _target(ref: str, whole: Json) -> Json:
    """What a $ref within a schema points at; None for any other."""
    if not ref.startswith("#"):
        return None
    for key in ref.removeprefix("#").strip("/").split("/") if ref not in ("#", "#/") else ():
        name = key.replace("~1", "/").replace("~0", "~")
        whole = whole.get(name) if isinstance(whole, dict) else None
    return whole


def _place(error: ValidationError) -> str:
    """Where in the arguments an error is: a missing or an extra one is named itself."""
    path = [str(part) for part in error.instance_path]
    named = error.kind.as_dict()
    if "property" in named:
        path.append(str(named["property"]))
    elif "unexpected" in named:
        path.append(", ".join(map(str, named["unexpected"])))
    return ".".join(path)


def toolbox_of(tools: Sequence[Tool]) -> Toolbox:
    """The toolbox of the tools that a trace names: made once for each list of them."""
    key = _encode(tools)
    found = _boxes.get(key)
    if found is None:
        if len(_boxes) >= BOXES:
            _boxes.clear()
        found = _boxes[key] = Toolbox(
            ToolContract(tool.name, tool.description or "", tool.parameters) for tool in tools
        )
    return found


def assumed_effect(tool: str) -> Effect:
    """Guess an effect from a tool's name, where no contract tells; whoever uses it says so.

    A name that starts like a question (``get``, ``find``, ``list``, ``calculate``…) reads; one that
    ends the conversation (``transfer_to_…``) changes nothing; any other is taken to write.
    Source: the attribution study in the project's design notes.
    """
    if tool.startswith(_TERMINAL) or _READS.match(tool):
        return "read"
    return "write"


def is_write(tool: str, effects: Mapping[str, str]) -> bool:
    """Whether a tool changes the world: as the suite says, else as its name lets guess."""
    told = effects.get(tool, "unknown")
    if told != "unknown":
        return told in WRITES
    known = _known.get(tool)
    if known is None:
        known = assumed_effect(tool) in WRITES
        if len(_known) < _NAMES and len(tool) <= _NAME:
            _known[tool] = known
    return known
