"""JSON from strangers: numbers as the rulings want them, and strings that are no Unicode."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from msgspec.json import Decoder

from trayecto.trajectory import Json

DEPTH = 128  # levels of a value: what is read deep in a stack is later written deeper in one
STRING_LIMIT = 16 << 20  # bytes of one string as it is written
KEY_LIMIT = 200_000  # keys of one object
VALUE_LIMIT = 2_000_000  # values of one record: each takes up to twenty times its text
_PIECE = 1 << 20  # bytes
_OPEN, _CLOSE = b"{}"
_TOKENS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?(?P<key>\s*:)?|[{}]', re.DOTALL)
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_ESCAPES = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


def number(text: str) -> int | float:
    """Read a number that is written with a point or an exponent: 1.0 is 1, and -0.0 is 0."""
    value = float(text)
    try:
        whole = int(value)
    except OverflowError:
        message = f"number out of range: {text[:20]}"
        raise ValueError(message) from None
    return whole if whole == value else value


decode: Decoder[object] = Decoder(object, float_hook=number)


def too_deep(value: object, levels: int = DEPTH) -> bool:
    """Whether lists and objects lie more than so many levels inside each other."""
    if isinstance(value, dict):
        inside: Iterable[object] = value.values()
    elif isinstance(value, list):
        inside = value
    else:
        return False
    return levels == 0 or any(too_deep(one, levels - 1) for one in inside)


def keep_lone_surrogates(raw: bytes) -> bytes | None:
    r"""Turn an escaped half of a surrogate pair into its own text, ``\ud835`` as six characters.

    Such a string is not Unicode, and no JSON library can write it again. Returns None where there
    is none.
    """
    found = False
    pieces: list[bytes] = []
    last = 0
    matches = list(_ESCAPES.finditer(raw))
    at = 0
    while at < len(matches):
        match = matches[at]
        at += 1
        if not _is_half(match, b"89abAB", b"cdefCDEF"):
            continue
        after = matches[at] if at < len(matches) else None
        if _is_half(match, b"89abAB", b"") and _follows(after, match):
            at += 1
            continue
        found = True
        pieces += [raw[last : match.start()], b"\\", match.group()]
        last = match.end()
    return b"".join([*pieces, raw[last:]]) if found else None


def _follows(after: re.Match[bytes] | None, match: re.Match[bytes]) -> bool:
    """Whether the second half of a pair comes right after the first."""
    return after is not None and after.start() == match.end() and _is_half(after, b"", b"cdefCDEF")


def _is_half(match: re.Match[bytes], high: bytes, low: bytes) -> bool:
    r"""Whether an escape is a surrogate: third digit among ``high`` or ``low`` after ``\\ud``."""
    digits = match.group(1)
    return digits is not None and digits[:1] in b"dD" and digits[1:2] in high + low


def outgrown(raw: bytes) -> str | None:
    """Say which limit of strings, keys or values a large record exceeds; None where it keeps them.

    Nothing is decoded: what is looked at may be made to fill the memory when it is.
    """
    if exceeds(raw, VALUE_LIMIT):
        return f"more than {VALUE_LIMIT:,} values in one record"
    if len(raw) <= STRING_LIMIT and raw.count(b":") <= KEY_LIMIT:
        return None
    keys = [0]  # of each object that is open
    for found in _TOKENS.finditer(raw):
        if found.end() - found.start() > STRING_LIMIT:
            return f"a string longer than {STRING_LIMIT:,} bytes"
        if found.lastgroup:
            keys[-1] += 1
            if keys[-1] > KEY_LIMIT:
                return f"more than {KEY_LIMIT:,} keys in one object"
        elif raw[found.start()] == _OPEN:
            keys.append(0)
        elif raw[found.start()] == _CLOSE and len(keys) > 1:
            keys.pop()
    return None


def exceeds(raw: bytes, values: int) -> bool:
    """Whether a text holds more than so many values; nothing is decoded.

    Each stands behind a comma or an opening bracket: those in strings are left out where they would
    make the difference.
    """
    end = _enough(raw, values)
    if end is None:
        return False
    # Mostly the start tells already: an end that cuts a string takes the rest for a string.
    return any(_enough(_STRINGS.sub(b"", part), values) for part in (raw[:end], raw))


def _enough(raw: bytes, values: int) -> int | None:
    """Where more commas and opening brackets than that have been counted; None where they are not.

    They are counted piece by piece, and no further than it needs.
    """
    seen = 0
    for start in range(0, len(raw), _PIECE):
        end = start + _PIECE
        seen += sum(raw.count(mark, start, end) for mark in (b",", b"[", b"{"))
        if seen > values:
            return end
    return None


def repeated_key(text: str | bytes) -> str | None:
    """Find a key that stands twice in one object, at any depth; None where there is none.

    Text that is no JSON is for its reader to refuse; numbers are not looked at.
    """
    repeated: list[str] = []

    def watch(pairs: list[tuple[str, Json]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                repeated.append(key)
            seen.add(key)

    try:
        json.loads(text, object_pairs_hook=watch, parse_int=str, parse_float=str)
    except ValueError:
        return None
    return repeated[0] if repeated else None
