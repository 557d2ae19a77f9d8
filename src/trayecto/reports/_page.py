"""A page of text: lines of a fixed width, in columns, with or without color.

What is written here is text to the last character: no markup, no links, no emoji codes. Foreign
text comes in through ``trayecto.reports._safe``.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Literal, TypeAlias

from msgspec import Struct
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from trayecto.reports._fit import cut, cut_start
from trayecto.reports._marks import SEPARATOR
from trayecto.reports._words import Lang, say

LABEL = 40  # columns of a foreign name in a sentence
GAP = 2  # blank columns between two columns of a table
NARROWEST = 60  # below it nothing can be laid out; the terminal wraps instead

Part: TypeAlias = tuple[str, str]  # a text that is safe, and its style


class Column(Struct, frozen=True):
    """One column of a table: its width, its side, its style and which end of a long text stays."""

    width: int
    side: Literal["left", "right"] = "left"
    style: str = ""
    keep: Literal["start", "end"] = "start"


class Page:
    """Lines, top to bottom."""

    def __init__(self, lang: Lang, width: int, *, color: bool) -> None:
        """Start an empty page."""
        self.lang = lang
        self.width = max(width, NARROWEST)
        self.color = color
        self.lines: list[Text] = []
        self._console = Console(
            file=StringIO(),
            width=self.width,
            height=25,  # with it, rich asks neither the terminal nor the environment for its size
            force_terminal=color,
            color_system="standard" if color else None,
            no_color=not color,
            legacy_windows=False,
            force_jupyter=False,
            markup=False,
            highlight=False,
            emoji=False,
        )

    def say(self, key: str, **values: object) -> str:
        """A sentence of the catalogue in the page's language."""
        return say(self.lang, key, **values)

    def line(self, *parts: Part) -> None:
        """Add a line of texts that are safe; what is too wide is cut."""
        line = Text.assemble(*parts)
        if line.cell_len > self.width:
            line.truncate(self.width, overflow="ellipsis")
        line.rstrip()
        self.lines.append(line)

    def gap(self) -> None:
        """Add an empty line, where the one before is not empty."""
        if self.lines and self.lines[-1].plain:
            self.lines.append(Text())

    def head(self, text: str, beside: str = "") -> None:
        """Add a heading, after an empty line."""
        self.gap()
        self.line((text, "bold"), (f"   {beside}" if beside else "", "dim"))

    def row(self, columns: Sequence[Column], cells: Sequence[str], *, style: str = "") -> None:
        """Add a row of foreign or own texts, each cut to its column."""
        parts: list[Part] = []
        for column, cell in zip(columns, cells, strict=True):
            cutter = cut if column.keep == "start" else cut_start
            shown = cutter(cell, column.width)
            blank = " " * (column.width - cell_len(shown))
            padded = blank + shown if column.side == "right" else shown + blank
            parts += [(padded, style or column.style), (" " * GAP, "")]
        self.line(*parts[:-1])

    def wrap(self, text: str, width: int) -> list[str]:
        """Break a text that is safe into lines, at spaces where there are any."""
        lines = Text(text).wrap(self._console, width, overflow="fold")
        return [line.plain.rstrip() for line in lines] or [""]

    def paragraph(self, text: str, *, indent: int = 0, style: str = "") -> None:
        """Add a text that is safe, broken into lines."""
        for line in self.wrap(text, self.width - indent):
            self.line((" " * indent + line, style))

    def series(self, texts: Sequence[str], *, style: str = "") -> None:
        """Add safe texts one after the other, broken into lines only between them."""
        line = ""
        for text in texts:
            longer = f"{line}{SEPARATOR}{text}" if line else text
            if line and cell_len(longer) > self.width:
                self.paragraph(line, style=style)
                longer = text
            line = longer
        self.paragraph(line, style=style)

    def text(self) -> str:
        """Everything as one text that ends with a line's end."""
        buffer = StringIO()
        self._console.file = buffer
        for line in self.lines:
            self._console.print(line, soft_wrap=True)
        return buffer.getvalue()
