"""Reports: a document of numbers as text for people, or as JSON for programs.

A report prints what the document holds and computes nothing. Text of traces and files is shown, and
never carried out: no markup, no escape codes (``safe``), no commands of a build server (``guard``).
"""

from __future__ import annotations

from trayecto.document import Document
from trayecto.reports._safe import guard, safe
from trayecto.reports._words import Lang

__all__ = ["Lang", "guard", "report", "safe"]


def report(
    document: Document,
    *,
    lang: Lang = "en",
    width: int = 80,
    color: bool = False,
    content: bool = False,
    ci: bool = False,
) -> str:
    """Write a document as text for a terminal of ``width`` columns.

    ``content`` lets reasons stand in full, which may quote what a file says. ``ci`` parts what a
    build server would take for its own commands.
    """
    from trayecto.reports import terminal  # rich, for this only

    return terminal.render(document, lang=lang, width=width, color=color, content=content, ci=ci)
