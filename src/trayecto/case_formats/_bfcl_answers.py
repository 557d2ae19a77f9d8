"""BFCL's acceptable answers as a reference: for each argument, the values that will do.

``""`` in a list says that the argument may be left out. Where its tool takes a text there an empty
one will do as well, as it does for BFCL's own checker. A mapping among the values, or in a list,
holds for each of its keys a list of the same kind: it stands for every mapping that can be made of
them. Texts are compared as BFCL compares them: large letters, spaces and most signs do not count,
since its answers are written for that (``x**2`` where the question has ``x^2``).

The calls of a conversation are written as Python, and all their arguments are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from trayecto.case import Expected, Reference, expect, refer
from trayecto.case_formats._bfcl_calls import WrittenCall
from trayecto.case_formats._bfcl_fault import FaultError, as_list, as_mapping, as_text
from trayecto.case_formats._bfcl_tools import properties_of
from trayecto.case_formats._problems import Path
from trayecto.errors import quoted
from trayecto.tolerance import same
from trayecto.trajectory import Json, Tool

MAY_BE_ABSENT = ""
MOST = 10_000  # values that one argument may take
LARGEST = 1_000_000  # parts of them all, written out
TEXT: dict[str, Json] = {"ignore_case": True, "ignore_punctuation": True}


def read_truth(truth: list[Json], tools: tuple[Tool, ...] | None) -> Reference | None:
    """The reference that acceptable answers make; raise FaultError where one of them is none.

    Lists of calls as text are the turns of a conversation. None where a call gives arguments by
    position, and its tool is not among ``tools``, to say their names.
    """
    known = {tool.name: tool for tool in tools or ()}
    if not any(isinstance(each, list) for each in truth):
        calls = [_read_answer(each, known, (at,)) for at, each in enumerate(truth)]
        return refer([tuple(calls)], "multiset")
    groups: list[tuple[Expected, ...]] = []
    for at, turn in enumerate(truth):
        written = [
            WrittenCall(as_text(each, (at, inner)), (at, inner))
            for inner, each in enumerate(as_list(turn, (at,)))
        ]
        if any(call.by_position and call.tool not in known for call in written):
            return None
        groups.append(tuple([_read_call(call, known) for call in written]))
    return refer(groups)


def _read_call(call: WrittenCall, tools: Mapping[str, Tool]) -> Expected:
    """One expected call of a conversation: all its arguments, as they are written."""
    tool = tools.get(call.tool)
    return expect(call.tool, call.arguments(None if tool is None else [*properties_of(tool)]))


def _read_answer(entry: Json, tools: Mapping[str, Tool], path: Path) -> Expected:
    """One expected call: a mapping of a tool to its arguments' acceptable values."""
    call = as_mapping(entry, path)
    if len(call) != 1:
        raise FaultError(path, f"{quoted(entry)} is not one tool with its arguments")
    ((name, given),) = call.items()
    if not name:
        raise FaultError(path, "names no tool")
    declared = properties_of(tools[name]) if name in tools else {}
    arguments: dict[str, Json] = {}
    tolerance: dict[str, Json] = {}
    for argument, acceptable in as_mapping(given, (*path, name)).items():
        here = (*path, name, argument)
        values, optional = _read_values(as_list(acceptable, here), declared.get(argument), here)
        if values:
            arguments[argument] = values[0]
            allowed = _allow(values, optional=optional)
            if allowed:
                tolerance[argument] = allowed
    return expect(name, arguments, "all", tolerance)


def _read_values(acceptable: list[Json], schema: Json, path: Path) -> tuple[list[Json], bool]:
    """The values that an argument may take, written out, and whether it may be left out."""
    counts = [_count(value) for value in acceptable]
    if not all(counts) or not counts:
        raise FaultError(path, "accepts no value")
    written = sum(n * _size(value) for n, value in zip(counts, acceptable, strict=True))
    if sum(counts) > MOST or written > LARGEST:
        raise FaultError(path, f"stands for too many values: {MOST:,} are the limit")
    optional = any(value == MAY_BE_ABSENT for value in acceptable)
    values: list[Json] = []
    for value in acceptable:
        if value != MAY_BE_ABSENT:
            values += _spread(value)
    if optional and (not isinstance(schema, dict) or schema.get("type", "string") == "string"):
        values.append(MAY_BE_ABSENT)
    return values, optional


def _allow(values: list[Json], *, optional: bool) -> dict[str, Json]:
    """How far an argument may be from the first of its values; nothing where it must be that."""
    allowed: dict[str, Json] = {}
    if not all(same(value, values[0]) for value in values):
        allowed["one_of"] = values
    if any(_has_text(value) for value in values):
        allowed |= TEXT
    if optional:
        allowed["optional"] = True
    return allowed


def _has_text(value: Json) -> bool:
    if isinstance(value, dict):
        return any(_has_text(each) for each in value.values())
    if isinstance(value, list):
        return any(_has_text(each) for each in value)
    return isinstance(value, str)


def _choices(value: Json) -> list[Json]:
    """What a key of a mapping may hold: one of a list, or the one thing that stands there."""
    return value if isinstance(value, list) else [value]


def _count(value: Json) -> int:
    """How many values one stands for, without making them: beyond the limit it is only more."""
    made = 1
    if isinstance(value, dict):
        for inner in value.values():
            choices = _choices(inner)
            made *= sum(map(_count, choices)) + (MAY_BE_ABSENT in choices)
            made = min(made, MOST + 1)
    elif isinstance(value, list):
        for each in value:
            made = min(made * _count(each), MOST + 1)
    return made


def _size(value: Json) -> int:
    """Of how many parts a value is made."""
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


def _spread(value: Json) -> Iterator[Json]:
    """Every value that one stands for: mappings of lists are multiplied out."""
    if isinstance(value, list):
        for chosen in product(*[[*_spread(each)] for each in value]):
            yield list(chosen)
    elif isinstance(value, dict):
        options = [[*_options(name, inner)] for name, inner in value.items()]
        for pairs in product(*options):
            yield dict(pair for pair in pairs if pair is not None)
    else:
        yield value


def _options(name: str, inner: Json) -> Iterator[tuple[str, Json] | None]:
    """What a mapping may hold under a key; None stands for nothing."""
    choices = _choices(inner)
    for choice in choices:
        if choice != MAY_BE_ABSENT:
            for value in _spread(choice):
                yield name, value
    if MAY_BE_ABSENT in choices:
        yield from ((name, MAY_BE_ABSENT), None)
