"""Trayecto's own case files in JSON lines: a case a line, of the same fields as in YAML.

The first line may hold the suite's settings instead: it has no ``id``. Lines are read one at a
time, so a file may be of any size.
"""

from __future__ import annotations

import json
from collections import Counter

from msgspec import DecodeError
from msgspec.json import encode

from trayecto.case_formats._build import Builder, CaseFile
from trayecto.case_formats._checks import Contracts
from trayecto.case_formats._problems import Spot
from trayecto.case_formats._schema import Settings
from trayecto.case_formats._source import DEPTH, DIGITS, NODES, TEXT, Source, invalid_utf8
from trayecto.errors import quoted
from trayecto.trajectory import Json
from trayecto.wire.json import decode, keep_lone_surrogates, number

SUFFIXES = frozenset({".jsonl", ".ndjson"})


def recognises(source: Source) -> bool:
    """Whether a file is named as JSON lines, or its first line is an object that is no document."""
    if source.suffix in SUFFIXES:
        return True
    try:
        first = json.loads(source.first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "cases" not in first


def read(source: Source, contracts: Contracts | None = None) -> CaseFile:
    """Read the cases of a file; raise InputError with all that is wrong in it."""
    builder = Builder(source.name, contracts)
    decoder = _Decoder()
    first = True
    for line, raw in source.lines():
        try:
            value = decoder(raw)
        except (ValueError, RecursionError) as problem:
            builder.problems.add(line, (), _explain(problem))
            continue
        finally:
            begins, first = first, False
        if begins and isinstance(value, dict) and _is_header(value):
            builder.take_settings(value, Spot(line))
        else:
            builder.take_case(value, Spot(line))
    return builder.finish()


def _is_header(value: dict[str, Json]) -> bool:
    return "id" not in value and not Settings.model_fields.keys().isdisjoint(value)


def _decode_plain(raw: bytes) -> Json:
    """Decode what most lines are; None where a key may stand twice, or anything else is odd.

    Written again the value has as many colons, unless one stood beside a key that was dropped: an
    escape could make up for it, so a line that has one is odd.
    """
    if b"\\u" in raw or len(raw) > NODES or raw.count(b"{") + raw.count(b"[") > DEPTH:
        return None
    try:
        value = decode.decode(raw)
    except (DecodeError, RecursionError):
        return None
    return value if encode(value).count(b":") == raw.count(b":") else None  # type: ignore[return-value]  # decoded JSON


class _Decoder:
    """Decodes a line of JSON as strictly as YAML is read: no repeated key, no NaN, no depth."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        self.decode = json.JSONDecoder(
            object_pairs_hook=self._object, parse_float=number, parse_constant=_refuse
        ).decode

    def __call__(self, raw: bytes) -> Json:
        """Return the value; raise ValueError where there is none to be had."""
        value = _decode_plain(raw)
        return self._decode_with_care(raw) if value is None else value

    def _decode_with_care(self, raw: bytes) -> Json:
        if b"\\ud" in raw or b"\\uD" in raw:
            raw = keep_lone_surrogates(raw) or raw
        value: Json = self.decode(raw.decode().rstrip())
        if self.repeated:
            key, self.repeated = self.repeated[0], []
            message = f"key {quoted(key)} stands twice in one object"
            raise ValueError(message)
        # A value takes a byte at least, and a level a bracket: short lines need no closer look.
        if len(raw) > NODES or raw.count(b"{") + raw.count(b"[") > DEPTH:
            _limit(value)
        return value

    def _object(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        kept = dict(pairs)
        if len(kept) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            self.repeated.append(next(key for key, times in counts.items() if times > 1))
        return kept


def _refuse(constant: str) -> float:
    message = f"{constant} is no number that could be compared"
    raise ValueError(message)


def _limit(whole: object) -> None:
    """Refuse what is too deep or too much, a level at a time."""
    level: list[object] = [whole]
    depth = nodes = 0
    while level:
        nodes += len(level)
        if nodes > NODES:
            message = f"more than {NODES:,} values in one case"
            raise ValueError(message)
        if any(isinstance(each, str) and len(each) > TEXT for each in level):
            message = f"a text is longer than {TEXT:,} characters"
            raise ValueError(message)
        around = [each for each in level if isinstance(each, (list, dict))]
        depth += bool(around)
        if depth > DEPTH:
            message = f"nested deeper than {DEPTH} levels"
            raise ValueError(message)
        inside = [each.values() if isinstance(each, dict) else each for each in around]
        level = [value for values in inside for value in values]


def _explain(problem: Exception) -> str:
    """Say in one sentence why a line could not be read."""
    if isinstance(problem, RecursionError):
        return f"nested deeper than {DEPTH} levels"
    if isinstance(problem, UnicodeDecodeError):
        return invalid_utf8(problem)
    if isinstance(problem, json.JSONDecodeError):
        what = problem.msg[:1].lower() + problem.msg[1:]
        return f"is not one JSON object: {what} (column {problem.pos + 1})"
    if "limit" in str(problem) and "digits" in str(problem):
        return f"a number of more than {DIGITS:,} digits"
    return str(problem)
