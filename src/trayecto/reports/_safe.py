"""Foreign text made harmless: what a trace, a path or a reason says is shown, never carried out.

Everything that a report prints and did not write itself goes through ``safe``.
"""

from __future__ import annotations

import re
import unicodedata

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


def guard(text: str) -> str:
    """Part what a build server would take for a command: ``::`` in front, ``##[`` anywhere."""
    return _COMMAND.sub(lambda found: f"{found[0]} ", text)
