"""Foreign text made harmless: what a trace, a path or a reason says is shown, never carried out.

Everything that a report prints and did not write itself goes through ``safe``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len

# Letters and marks that show nothing: fillers, the blank braille pattern, variation selectors.
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = re.compile(r"[ -~]*")  # printable ASCII: most of what is ever shown
_CONTROLS = 0x20  # code points below it have a picture of their own, as has DEL
_DEL = 0x7F
_PICTURES = 0x2400
_BYTE = 0x100
_PLANE = 0x10000

# A runner of GitHub trims a line before it looks for "::", and it and Azure find "##[" and "##vso["
# anywhere in a line: so the two signs are parted, since a space in front would not do.
_COMMAND = re.compile(r"(?m)^((?:\s|\x1b\[[0-9;]*m)*)(:|#)(?=\2)|(#)(?=#(?:\[|vso\[))")


def safe(text: str) -> str:
    r"""Show controls, direction marks, invisible characters and lone surrogates as what they are.

    >>> safe("a\x1b[1m\u202e")
    'a␛[1m\\u202e'
    """
    if _PLAIN.fullmatch(text):
        return text
    return "".join(_shown(sign) for sign in text)


def _shown(sign: str) -> str:
    code = ord(sign)
    if code < _CONTROLS:
        return chr(_PICTURES + code)
    if code == _DEL:
        return "␡"
    if not (unicodedata.category(sign) in _HIDDEN or sign in _BLANK or _selects(code)):
        return sign
    if code < _BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < _PLANE else f"\\U{code:08x}"


def _selects(code: int) -> bool:
    """Whether a character only chooses how the one before it looks."""
    return any(code in selectors for selectors in _SELECTORS)


def cut(text: str, width: int) -> str:
    """Make foreign text safe and cut its end off with "…" where it is wider than a column."""
    shown = safe(text[: 4 * width + 1])  # a character may be as narrow as nothing
    if cell_len(shown) <= width and len(text) <= 4 * width:
        return shown
    return _fitting(iter(shown), width - 1) + "…"


def cut_start(text: str, width: int) -> str:
    """As ``cut``, from the front: the end of an id or a path tells it from the others."""
    shown = safe(text[-4 * width - 1 :])
    if cell_len(shown) <= width and len(text) <= 4 * width:
        return shown
    return "…" + _fitting(reversed(shown), width - 1)[::-1]


def _fitting(signs: Iterator[str], width: int) -> str:
    kept: list[str] = []
    for sign in signs:
        width -= cell_len(sign)
        if width < 0:
            break
        kept.append(sign)
    return "".join(kept)


def clamp(text: str, width: int, lines: int) -> tuple[list[str], int]:
    """The first lines of a long foreign text, made safe, and how many characters are left over."""
    found: list[str] = []
    at = 0
    while at < len(text) and len(found) < lines:
        length = _line(text[at : at + width + 1], width)
        found.append(safe(text[at : at + length].rstrip()))
        at += length
        while text[at : at + 1] in ("\n", " ") and at < len(text):
            at += 1
    return found, len(text) - at


def _line(ahead: str, width: int) -> int:
    """How many characters of the text fit on a line: up to its end, or to a space, or cut."""
    end = ahead.find("\n")
    if end == 0:
        return 0
    ahead = ahead if end < 0 else ahead[:end]
    used = fits = 0
    for sign in ahead:
        used += cell_len(safe(sign))
        if used > width:
            break
        fits += 1
    if fits == len(ahead):
        return fits
    return ahead.rfind(" ", width // 2, fits + 1) if " " in ahead[width // 2 : fits + 1] else fits


def guard(text: str) -> str:
    """Part what a build server would take for a command: ``::`` in front, ``##[`` anywhere."""
    return _COMMAND.sub(lambda found: f"{found[0]} ", text)
