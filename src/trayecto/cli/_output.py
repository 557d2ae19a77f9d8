"""How commands write: the report to stdout, everything else to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Literal

from trayecto.reports import report
from trayecto.reports._safe import safe
from trayecto.reports.json import to_json
from trayecto.summaries import Document

NARROWEST, WIDEST = 80, 120


def width() -> int:
    """Columns to fill: the terminal's, 80 where there is none, between 80 and 120."""
    return min(max(shutil.get_terminal_size((NARROWEST, 24)).columns, NARROWEST), WIDEST)


def color() -> bool:
    """Whether stdout shows color: a terminal, unless NO_COLOR or FORCE_COLOR says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def say(message: str) -> None:
    """Print a message for the person, beside the output."""
    sys.stderr.write(f"trayecto: {safe(message)}\n")


def print_document(
    document: Document, *, json: bool, lang: Literal["en", "es"], content: bool
) -> None:
    """Print a report: JSON alone, or the terminal's."""
    if json:
        sys.stdout.buffer.write(to_json(document) + b"\n")
        return
    put(report(document, lang=lang, width=width(), color=color(), content=content))


def put(text: str) -> None:
    """Print text to stdout, with a mark for what its encoding cannot show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding).rstrip("\n") + "\n")
