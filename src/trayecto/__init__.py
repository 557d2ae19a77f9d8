"""Trayecto evaluates LLM agents by their trajectory: every call, argument, observation and turn.

    from trayecto import read, report, score, summarize

    runs = read("runs.jsonl")
    scores = score(runs)
    print(report(summarize(scores)))

Importing this does nothing: each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trayecto.case import Case, CaseInput, CaseSecret
    from trayecto.case_formats import load_cases
    from trayecto.contract_files import load_tools
    from trayecto.contracts import ToolContract
    from trayecto.errors import InputError, TrayectoError, UsageError
    from trayecto.formats import read
    from trayecto.metrics import score
    from trayecto.prices import load as load_prices
    from trayecto.records import Record
    from trayecto.reports import report
    from trayecto.scores import Culprit, Score
    from trayecto.summaries import Document, summarize
    from trayecto.trajectory import Call, Trajectory, Turn, Usage

__all__ = [
    "Call",
    "Case",
    "CaseInput",
    "CaseSecret",
    "Culprit",
    "Document",
    "InputError",
    "Record",
    "Score",
    "ToolContract",
    "Trajectory",
    "TrayectoError",
    "Turn",
    "Usage",
    "UsageError",
    "load_cases",
    "load_prices",
    "load_tools",
    "read",
    "report",
    "score",
    "summarize",
]

_HOMES = {
    "case": ("Case", "CaseInput", "CaseSecret"),
    "case_formats": ("load_cases",),
    "contract_files": ("load_tools",),
    "contracts": ("ToolContract",),
    "errors": ("InputError", "TrayectoError", "UsageError"),
    "formats": ("read",),
    "metrics": ("score",),
    "prices": ("load as load_prices",),
    "records": ("Record",),
    "reports": ("report",),
    "scores": ("Culprit", "Score"),
    "summaries": ("Document", "summarize"),
    "trajectory": ("Call", "Trajectory", "Turn", "Usage"),
}
_PLACES = {
    found.split()[-1]: (home, found.split()[0]) for home, names in _HOMES.items() for found in names
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _PLACES:
        message = f"module 'trayecto' has no attribute {name!r}"
        raise AttributeError(message)
    home, there = _PLACES[name]
    found: object = getattr(import_module(f"trayecto.{home}"), there)
    return found


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
