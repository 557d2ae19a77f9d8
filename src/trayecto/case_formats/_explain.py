"""What pydantic refused, in sentences: the value, what is allowed, what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import TypeAlias

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from trayecto.case import MODES
from trayecto.case_formats._problems import Path, Problems, Spot
from trayecto.case_formats._schema import (
    AnswerEntry,
    CallEntry,
    LimitsEntry,
    NumberEntry,
    StateEntry,
    ToleranceEntry,
)
from trayecto.errors import choose, quoted

Context: TypeAlias = Mapping[str, int]  # the bounds that were passed

LONGEST_NAME = 100  # characters that are worth a search for the likeliest name
PAIR_DEPTH = 2  # order, then the pair's position
FIELD_DEPTH = 2  # tolerance, then the field
_NUMBER = ("answer", "number")
# What a value of a field is called, and what may be chosen where the aliases are best not listed.
_NOUNS = {
    "match": "a match mode",
    "difficulty": "a difficulty",
    "split": "a split",
    "compare": "a way to compare",
    "effects": "an effect",
}
# What other tools call our fields: too far from ours for spelling to find.
_SYNONYMS = {
    "args": "arguments",
    "dependencies": "order",
    "expected": "reference",
    "expected_tools": "reference",
    "input": "task",
    "max_steps": "max_calls",
    "min_steps": "min_calls",
    "mode": "match",
    "name": "tool",
    "prompt": "task",
    "question": "task",
}
_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}
_INSIDE: dict[str | int, type[BaseModel]] = {
    "answer": AnswerEntry,
    "state": StateEntry,
    "tolerance": ToleranceEntry,
    "limits": LimitsEntry,
    "reference": CallEntry,
}
NULL = "is null; leave the field out, or give it a value"
_NO_PAIR = "is no pair of tools; write [first, second]"
_QUOTED = re.compile(r"'([^']*)'")


class Refused:
    """What a model refused in a raw value; says it into ``problems``, with lines from ``spot``."""

    def __init__(self, raw: object, model: type[BaseModel], spot: Spot, above: Path) -> None:
        """Look at ``raw``, which should be a ``model`` and stands at ``spot``, path ``above``."""
        self.raw = raw
        self.model = model
        self.spot = spot
        self.above = above

    def tell(self, refused: ValidationError, problems: Problems) -> None:
        """Add one problem for each error, less those that follow from another."""
        for error in refused.errors(include_url=False):
            if problems.full:  # counted only: finding what was meant takes time
                problems.count += 1
                continue
            path = self._path(error["loc"])
            sentence = self._sentence(error, path)
            if sentence is not None:
                shown = path[:-1] if error["type"] == "extra_forbidden" else path
                problems.add(self.spot.find(path), (*self.above, *shown), sentence)

    def _path(self, loc: Path) -> Path:
        """Keep of pydantic's location what is in the file: it names union branches too."""
        path: list[str | int] = []
        value: object = self.raw
        for part in loc:
            found = _step(value, part)
            if found is not None:
                (value,) = found
                path.append(part)
        return tuple(path)

    def _sentence(self, error: ErrorDetails, path: Path) -> str | None:
        kind, value = error["type"], error["input"]
        if kind == "missing":
            return self._missing(str(error["loc"][-1]), value, path)
        if kind == "extra_forbidden":
            allowed = self._model_at(path[:-1]).model_fields
            return unknown_field(str(path[-1]), allowed)
        if value is None:
            return NULL
        if path[:1] == ("tolerance",) and len(path) == FIELD_DEPTH:
            return (
                f"{quoted(value)} is not a tolerance; choose any, a number from 0 on, or a mapping"
            )
        if kind == "literal_error":
            return _not_chosen(value, path, str(error.get("ctx", {}).get("expected")))
        if kind in _KINDS:
            return _wrong_kind(value, _KINDS[kind], path)
        say = _SAY.get(kind)
        return error["msg"] if say is None else say(value, path, error.get("ctx", {}))

    def _model_at(self, path: Path) -> type[BaseModel]:
        if path[:2] == _NUMBER:
            return NumberEntry
        return _INSIDE.get(path[0], self.model) if path else self.model

    def _missing(self, name: str, value: object, path: Path) -> str | None:
        """Say that a field is missing, unless it is there misspelled: that is said already."""
        fields = self._model_at(path).model_fields
        written = value if isinstance(value, dict) else {}
        misspelled = {_meant(str(key), fields) for key in written if key not in fields}
        return None if name in misspelled else f"field {name!r} is missing"


def _step(value: object, part: str | int) -> tuple[object] | None:
    """The value under a key or at a position: in a tuple, since it may be None."""
    if isinstance(value, dict):
        return (value[part],) if part in value else None
    return (value[part],) if isinstance(value, list) and isinstance(part, int) else None


def unknown_field(name: str, allowed: Iterable[str]) -> str:
    """Say that a field is not known, and which one was meant, or which ones there are."""
    options = list(allowed)
    meant = _meant(name, options)
    if meant is not None:
        return f"field {quoted(name)} is not known; did you mean {meant!r}?"
    return f"field {quoted(name)} is not known; choose {', '.join(options)}"


def _meant(name: str, allowed: Iterable[str]) -> str | None:
    options = list(allowed)
    if _SYNONYMS.get(name) in options:
        return _SYNONYMS[name]
    near = get_close_matches(name[:LONGEST_NAME], options, n=1, cutoff=0.6)
    return near[0] if near else None


def _not_chosen(value: object, path: Path, expected: str) -> str:
    field = next((part for part in reversed(path) if part in _NOUNS), "")
    allowed = MODES if field == "match" else _QUOTED.findall(expected)
    noun = _NOUNS.get(field, "allowed")
    return f"{quoted(value)} is not {noun}; {choose(str(value)[:LONGEST_NAME], allowed)}"


def _wrong_kind(value: object, kind: str, path: Path) -> str:
    if path[:1] == ("order",) and kind == "a list":
        return _NO_PAIR
    if kind == "text" and not isinstance(value, (list, dict)):
        return f"{quoted(value)} is not text; put it in quotes"
    return f"{quoted(value)} is not {kind}"


def _wrong_length(value: object, path: Path, context: Context) -> str:
    if path[:1] == ("order",) and len(path) == PAIR_DEPTH:
        return _NO_PAIR
    if value and isinstance(value, str):
        return f"is too short; {context['min_length']} characters are the least"
    return "is empty"


def _too_long(value: object, path: Path, context: Context) -> str:
    if path[:1] == ("order",):
        return _NO_PAIR
    length = len(value) if isinstance(value, str) else 0
    return f"is {length:,} characters long; {context.get('max_length')} are the limit"


def _too_small(value: object, _: Path, context: Context) -> str:
    if "gt" in context:
        return f"{quoted(value)} is too small; it must be more than {context['gt']:g}"
    return f"{quoted(value)} is too small; choose at least {context['ge']:g}"


def _too_large(value: object, _: Path, context: Context) -> str:
    return f"{quoted(value)} is too large; choose at most {context['le']:,}"


def _no_entry(value: object, _: Path, __: Context) -> str:
    if isinstance(value, list):
        return "a list of calls may not hold another list"
    return f"{quoted(value)} is neither a tool nor a call ({{tool, arguments, compare}})"


_SAY: dict[str, Callable[[object, Path, Context], str]] = {
    "string_too_short": _wrong_length,
    "too_short": _wrong_length,
    "string_too_long": _too_long,
    "too_long": _too_long,
    "greater_than": _too_small,
    "greater_than_equal": _too_small,
    "less_than_equal": _too_large,
    "union_tag_not_found": _no_entry,
    "union_tag_invalid": _no_entry,
}
