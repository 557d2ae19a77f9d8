"""Success by the values of a field: the easy cases and the hard ones, short runs and long ones."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from trayecto.document import Group
from trayecto.figures import Metric, Metrics
from trayecto.reports._codes import STATUSES, Texts
from trayecto.reports._marks import TRACK, UNKNOWN, bar, percent
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._safe import safe
from trayecto.reports._words import label

_ROWS = 12  # strata that are listed
_NAME, _VALUE = 32, 8
_NAMED = ("difficulty", "split")  # fields whose values are our own words
_REST = ("other", "unknown")

# Fields by which a group is taken apart, and those of their values that are our own words.
STRATA: Final[Texts] = {
    "difficulty": ("difficulty", "dificultad"),
    "split": ("split", "partición"),
    "cluster": ("cluster", "grupo de casos"),
    "tools": ("number of tools", "número de herramientas"),
    "tools_used": ("number of tools used", "número de herramientas usadas"),
    "turns": ("turns of the agent", "turnos del agente"),
    "context": ("largest context, in tokens", "mayor contexto, en tokens"),
    "status": ("status", "estado"),
    "model": ("model", "modelo"),
    "simple": ("simple", "simple"),
    "medium": ("medium", "medio"),
    "complex": ("complex", "complejo"),
    "edge": ("edge", "borde"),
    "public": ("public", "público"),
    "held_out": ("held out", "reservado"),
    "unknown": ("unknown", "desconocido"),
    "other": ("other", "otros"),
}


def strata(page: Page, group: Group) -> None:
    """Print a block for each field by which there are two strata or more."""
    for field, parts in group.strata.items():
        if len(parts) > 1:
            _field(page, field, parts)


def _field(page: Page, field: str, parts: dict[str, Metrics]) -> None:
    named = {name: _name(page, field, name) for name in parts}
    name = min(max(cell_len(safe(told)) for told in named.values()), _NAME)
    columns = [Column(name), Column(_VALUE, "right", "bold"), Column(TRACK)]
    free = page.width - name - _VALUE - TRACK - 3 * GAP
    columns.append(Column(free, style="dim"))
    page.head(page.say("strata", field=safe(label(STRATA, page.lang, field))))
    for stratum in list(parts)[:_ROWS]:
        page.row(columns, [named[stratum], *_cells(page, parts[stratum])])
    if len(parts) > _ROWS:
        page.line((page.say("more", n=len(parts) - _ROWS), "dim"))


def _name(page: Page, field: str, name: str) -> str:
    """A value in words, where it is ours."""
    if field in _NAMED or name in _REST:
        return label(STRATA, page.lang, name)
    return label(STATUSES, page.lang, name) if field == "status" else name


def _cells(page: Page, metrics: Metrics) -> list[str]:
    """Success, on its axis, and of how many runs and tasks."""
    success = metrics.get("task_success")
    if not isinstance(success, Metric) or success.value is None:
        of = success.of if isinstance(success, Metric) else 0
        return [UNKNOWN, "", page.say("n_of", n=0, of=of)]
    tasks = page.say("tasks", n=success.tasks)
    count = page.say("n_of", n=success.n, of=success.of)
    return [percent(success.value), bar(success.value, success.interval), f"{count}, {tasks}"]
