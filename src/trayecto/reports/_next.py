"""What to type now: commands that can be copied as they stand, and that run nothing else."""

from __future__ import annotations

import shlex

from msgspec import Struct
from rich.cells import cell_len

from trayecto.document import LABEL, Blame, Document, Group
from trayecto.figures import Metric
from trayecto.reports._page import GAP, Page
from trayecto.reports._safe import safe

_LABEL = 10
_SHOW = "trayecto show"
_BESIDE = 3  # blank columns between a command and what it is for


class _Step(Struct, frozen=True):
    """A command in the parts between which its line may break, and what it is for."""

    parts: list[str]
    told: str

    @property
    def command(self) -> str:
        return " ".join(self.parts)

    @property
    def columns(self) -> int:
        """How wide the command is on a terminal."""
        return cell_len(self.command)


def print_next(page: Page, document: Document) -> None:
    """Print what to type now: what it is for beside it, or above a command that is long."""
    steps = _steps(page, document)
    if not steps:
        return
    page.gap()
    free = page.width - _LABEL - _BESIDE
    wide = max((step.columns for step in steps if step.columns + len(step.told) <= free), default=0)
    for number, step in enumerate(steps):
        start = ("" if number else page.say("next")).ljust(_LABEL)
        room = max(wide, step.columns) + len(step.told)
        if room <= free:
            command = step.command + " " * (wide - step.columns + _BESIDE)
            page.line((start, "bold"), (command, ""), (step.told, "dim"))
            continue
        page.line((start, "bold"), (step.told, "dim"))
        for line in _broken(step, page.width):
            page.line((line, ""))


def _broken(step: _Step, width: int) -> list[str]:
    """A command on one line, else a part a line with the shell's mark that it goes on."""
    if _LABEL + step.columns <= width:
        return [" " * _LABEL + step.command]
    lines = [f"{' ' * 2 * GAP}{part} \\" for part in step.parts]
    return [lines[0][GAP:], *lines[1:-1], lines[-1].removesuffix(" \\")]


def _steps(page: Page, document: Document) -> list[_Step]:
    blames = [blame for group in document.groups for blame in group.attribution]
    steps = []
    if blames:
        steps.append(_Step(_show(blames[0], page.width), page.say("next_show")))
    if any(_without_reference(group) for group in document.groups):
        steps.append(_Step(["trayecto score … --cases FILE"], page.say("next_cases")))
    if document.groups:
        steps.append(_Step(["trayecto score … --json"], page.say("next_json")))
    return steps


def _show(blame: Blame, width: int) -> list[str]:
    """The command for a run; by its number where its id is cut, or is not what a shell can say."""
    file = f"./{blame.file}" if blame.file[:1] == "-" else blame.file
    name = "" if blame.example[:1] in ("-", "#") or len(blame.example) >= LABEL else blame.example
    return [_SHOW, _word(file, width) or "FILE", _word(name, width) or f"'#{blame.record}'"]


def _word(text: str, width: int) -> str | None:
    """A text as one word of a command; None where that would not be the text, or too wide."""
    word = shlex.quote(text)
    if not text or safe(text) != text or cell_len(word) + 3 * GAP > width:
        return None
    return word


def _without_reference(group: Group) -> bool:
    """Whether no run's path could be compared with one."""
    found = group.metrics.get("path_match")
    return isinstance(found, Metric) and found.n == 0
