"""Tool arguments as traces hold them: an object, its JSON text, or something broken.

Broken arguments are the agent's fault: they are kept as raw text and scored, never an error.
"""

from __future__ import annotations

import ast
import json
import re
import warnings

import msgspec
from msgspec import Struct
from msgspec.json import Decoder

from trayecto.trajectory import Arguments, Json
from trayecto.wire.json import DEPTH, keep_lone_surrogates, number, repeated_key, too_deep

Parsed = tuple[Arguments, tuple[str, ...]]

SHORT = 2 * DEPTH  # characters of a text that cannot be nested deeper than DEPTH
LITERAL_LIMIT = 65_536  # characters of Python text that are worth parsing
_OBJECT: Decoder[dict[str, Json]] = Decoder(dict[str, Json], float_hook=number)
_decode = _OBJECT.decode
_TEXT: Decoder[str] = Decoder(str)
_KEY = re.compile(r'"\s*:')  # ends every key; in strings it can only be one too many


class FreeText(Struct, frozen=True, gc=False):
    """What a custom tool is called with: text by contract, also where it looks like JSON."""

    text: str


def read_arguments(written: object) -> Parsed:
    """Read arguments; returns them with flags for what was odd.

    ``empty_arguments``: nothing was given, read as no arguments. ``encoded_twice``: JSON text
    inside JSON text. ``ambiguous_arguments``: a key stands twice, the last one counts. Text that is
    no object, or a too deep one, is returned as it is.
    """
    if type(written) is not str:
        return _read_value(written)
    try:
        arguments = _decode(written)
    except (msgspec.DecodeError, RecursionError):
        return _read_odd(written)
    if len(written) <= SHORT and written.count(":") == len(arguments):
        return arguments, ()
    return _look_closer(written, arguments)


def _look_closer(text: str, arguments: dict[str, Json]) -> Parsed:
    """Look for depth in a long text, and for a repeated key where colons are more than keys."""
    if text.count("{") + text.count("[") > DEPTH and too_deep(arguments):
        return text, ()
    return arguments, ("ambiguous_arguments",) if _repeats_a_key(text, arguments) else ()


def _read_value(value: object) -> Parsed:
    """Read what is no JSON text: an object as it is, nothing as no arguments, else its JSON."""
    if isinstance(value, FreeText):
        return value.text, ()
    if value is None:
        return {}, ("empty_arguments",)
    if isinstance(value, dict) and not too_deep(value):
        return value, ()
    return msgspec.json.encode(value).decode(), ()


def _repeats_a_key(text: str, arguments: dict[str, Json]) -> bool:
    """Look for a repeated key where the text has more of them than the objects made of it."""
    written = text.count('":')
    if written != text.count(":"):
        written = len(_KEY.findall(text))
    return written != _count_keys(arguments) and repeated_key(text) is not None


def _count_keys(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_keys, value.values()))
    return sum(map(_count_keys, value)) if isinstance(value, list) else 0


def _read_odd(text: str) -> Parsed:
    """Read what is no plain object: empty, encoded twice, a lone surrogate inside, or broken."""
    if not text:
        return {}, ("empty_arguments",)
    kept = keep_lone_surrogates(text.encode())
    if kept is not None:
        return read_arguments(kept.decode())
    try:
        inner = _TEXT.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text, ()
    arguments, flags = read_arguments(inner)
    return (text, ()) if isinstance(arguments, str) else (arguments, ("encoded_twice", *flags))


def read_python_arguments(written: object) -> Parsed:
    """Read arguments written as a Python literal, by the producers that are known to write them."""
    arguments, flags = read_arguments(written)
    if not isinstance(arguments, str) or len(arguments) > LITERAL_LIMIT:
        return arguments, flags
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python deprecates: not our text
            literal = ast.literal_eval(arguments)
        read = _OBJECT.decode(json.dumps(literal, allow_nan=False))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, msgspec.MsgspecError):
        return arguments, flags
    return read, ("python_literal",)
