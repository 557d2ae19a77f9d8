"""Foreign text made to fit: safe, and cut to a column or to a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from trayecto.reports._safe import safe


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
