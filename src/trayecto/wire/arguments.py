"""Tool arguments as traces hold them: an object, its JSON text, or something broken.

Broken arguments are the agent's fault: they are kept as raw text and scored, never an error.
"""

from __future__ import annotations

import ast
import json
import warnings

import msgspec
from msgspec import Struct
from msgspec.json import Decoder, encode

from trayecto.trajectory import Arguments, Json
from trayecto.wire.json import DEPTH, keep_lone_surrogates, number, repeated_key, too_deep

Parsed = tuple[Arguments, tuple[str, ...]]

SHORT = 2 * DEPTH  # characters of a text that cannot be nested deeper than DEPTH
LITERAL_LIMIT = 65_536  # characters of Python text that are worth parsing
decode_object = Decoder(dict[str, Json], float_hook=number).decode
_TEXT: Decoder[str] = Decoder(str)


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
        arguments = decode_object(written)
    except (msgspec.DecodeError, RecursionError):
        return _read_odd(written)
    if len(written) <= SHORT and written.count(":") == len(arguments):
        return arguments, ()
    return _look_closer(written, arguments)


def _look_closer(text: str, arguments: dict[str, Json]) -> Parsed:
    """Look for depth in a long text, and for a repeated key where colons are more than keys."""
    if _is_deep(text, arguments):
        return text, ()
    return arguments, ("ambiguous_arguments",) if _repeats_a_key(text, arguments) else ()


def is_odd(text: str, arguments: dict[str, Json]) -> bool:
    """Whether arguments that could be decoded are too deep, or have a key that stands twice."""
    return _is_deep(text, arguments) or _repeats_a_key(text, arguments)


def _is_deep(text: str, arguments: dict[str, Json]) -> bool:
    return text.count("{") + text.count("[") > DEPTH and too_deep(arguments)


def _read_value(value: object) -> Parsed:
    """Read what is no JSON text: an object as it is, nothing as no arguments, else its JSON."""
    if isinstance(value, FreeText):
        return value.text, ()
    if value is None:
        return {}, ("empty_arguments",)
    if isinstance(value, dict) and not too_deep(value):
        return value, ()
    return encode(value).decode(), ()


def _repeats_a_key(text: str, arguments: dict[str, Json]) -> bool:
    """Look for a repeated key where the text has other colons than its arguments written again.

    One stood beside each key that was dropped; an escaped one could make up for it.
    """
    same = text.count(":") == encode(arguments).count(b":") and "\\u003" not in text
    return not same and repeated_key(text) is not None


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
        read = decode_object(json.dumps(literal, allow_nan=False))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, msgspec.MsgspecError):
        return arguments, flags
    return read, ("python_literal",)
