"""Tool contracts: what a tool is called, what it takes, and whether it changes the world."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.json import Encoder

from trayecto.errors import InputError
from trayecto.trajectory import Arguments, Json

Effect: TypeAlias = Literal["read", "write", "irreversible", "unknown"]
EFFECTS: tuple[Effect, ...] = ("read", "write", "irreversible", "unknown")
WRITES: frozenset[Effect] = frozenset({"write", "irreversible"})

_encode = Encoder(order="deterministic").encode
_READS = re.compile(
    "get|find|list|search|read|check|view|fetch|query|lookup|show|count|calculate|think|describe"
    "|is_|verify"
)
_TERMINAL = "transfer_to_"


class ToolContract(Struct, frozen=True, gc=False):
    """A tool as its owner promises it: name, description, JSON Schema of arguments, effect."""

    name: str
    description: str = ""
    parameters: dict[str, Json] = {}
    effect: Effect = "unknown"

    @property
    def digest(self) -> str:
        """A digest over name, description and schema: changes when the promise changes."""
        return sha256(_encode([self.name, self.description, self.parameters])).hexdigest()

    def accepts(self, arguments: Arguments) -> bool:
        """Whether arguments keep to the schema; text that is no object keeps to none.

        Nothing is fetched for it, and patterns are matched in linear time. Raises InputError where
        the schema is none, or needs what is not in it.
        """
        from jsonschema_rs import RegexOptions, ValidationError, validator_for  # slow to import

        if not isinstance(arguments, dict):
            return False
        try:
            validator = validator_for(self.parameters, offline=True, pattern_options=RegexOptions())
        except (ValidationError, ValueError) as problem:
            why = str(problem).partition("\n")[0]
            raise InputError(f"tool {self.name}", f"its schema cannot be used: {why}") from None
        return bool(validator.is_valid(arguments))


def assumed_effect(tool: str) -> Effect:
    """Guess an effect from a tool's name, where no contract tells; whoever uses it says so.

    A name that starts like a question (``get``, ``find``, ``list``, ``calculate``…) reads; one that
    ends the conversation (``transfer_to_…``) changes nothing; any other is taken to write.
    Source: the attribution study in the project's design notes.
    """
    if tool.startswith(_TERMINAL) or _READS.match(tool):
        return "read"
    return "write"
