"""Tool contracts: what a tool is called, what it takes, and whether it changes the world."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.json import Encoder

from trayecto.trajectory import Arguments, Json, Tool

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
BOXES = 256  # lists of tools whose contracts are kept compiled
_boxes: dict[bytes, Toolbox] = {}

_encode = Encoder(order="deterministic").encode
_READS = re.compile(
    "get|find|list|search|read|check|view|fetch|query|lookup|show|count|calculate|think|describe"
    "|is_|verify"
)
_TERMINAL = "transfer_to_"


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
        self._validators: dict[str, Validator | None] = {}

    def __contains__(self, tool: str) -> bool:
        """Whether there is a tool of this name."""
        return tool in self.contracts

    def is_valid(self, tool: str, arguments: Arguments) -> bool | None:
        """Whether arguments keep to a tool's schema; text that is no object keeps to none.

        None where the tool has no schema that could be used.
        """
        validator = self._validator(tool)
        if validator is None:
            return None
        return isinstance(arguments, dict) and validator.is_valid(arguments)

    def violations(self, tool: str, arguments: Arguments) -> list[Violation]:
        """Every way in which arguments break a tool's schema."""
        validator = self._validator(tool)
        if validator is None:
            return []
        if not isinstance(arguments, dict):
            return [Violation("no_object", "")]
        return [
            Violation(_KINDS.get(error.kind.name, "other"), _place(error))
            for error in validator.iter_errors(arguments)
        ]

    def _validator(self, tool: str) -> Validator | None:
        if tool not in self._validators:
            contract = self.contracts.get(tool)
            parameters = None if contract is None else contract.parameters
            try:
                self._validators[tool] = None if parameters is None else _compile(parameters)
            except ValueError:
                self._validators[tool] = None
        return self._validators[tool]


def why_no_schema(parameters: dict[str, Json]) -> str | None:
    """Why a JSON Schema cannot be used; None where it can."""
    try:
        _compile(parameters)
    except ValueError as problem:
        return str(problem).partition("\n")[0]
    return None


def _compile(parameters: dict[str, Json]) -> Validator:
    """A validator that fetches nothing and matches patterns in linear time, or ValueError."""
    from jsonschema_rs import RegexOptions, validator_for  # slow to import

    return validator_for(parameters, offline=True, pattern_options=RegexOptions())


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
