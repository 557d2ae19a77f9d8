"""A line of JSON as strictly as YAML is read, for every format whose cases stand in lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from msgspec import DecodeError
from msgspec.json import encode

from trayecto.case_formats._problems import Problems
from trayecto.case_formats._source import DEPTH, DIGITS, NODES, TEXT, Source, invalid_utf8
from trayecto.errors import quoted
from trayecto.trajectory import Json
from trayecto.wire.json import decode, exceeds, keep_lone_surrogates, number


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


class Decoder:
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
        if exceeds(raw, NODES):
            raise _too_much()
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


def _too_much() -> ValueError:
    return ValueError(f"more than {NODES:,} values in one case")


def _limit(whole: object) -> None:
    """Refuse what is too deep or too much, a level at a time."""
    level: list[object] = [whole]
    depth = nodes = 0
    while level:
        nodes += len(level)
        if nodes > NODES:
            raise _too_much()
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


def decoded(source: Source, problems: Problems) -> Iterator[tuple[int, int, Json]]:
    """Every line that can be read: its place among them all from 0, its number, its value.

    What is wrong with the others is noted.
    """
    decoder = Decoder()
    for place, (line, raw) in enumerate(source.lines()):
        try:
            value = decoder(raw)
        except (ValueError, RecursionError) as problem:
            problems.add(line, (), _explain(problem))
        else:
            yield place, line, value


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
