"""The report for a terminal: what was read, then the answer, then the evidence, then what to do.

Nothing is computed here. What could not be measured stands there as such, each reason once.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from msgspec import UNSET

from trayecto.reports._group import block, tasks_by_trials, title
from trayecto.reports._marks import amount
from trayecto.reports._metrics_table import headline_cell
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._safe import guard, safe
from trayecto.reports._words import WARNINGS, Lang, label
from trayecto.summaries._document import Document, Group, Metric, PassedFile, Warned

MANY = 3  # groups; with more, each has a short block
NAMED = 5  # records and files that are named
_COUNT, _SUCCESS = 6, 8
_LABEL = 10


def render(
    document: Document,
    *,
    lang: Lang = "en",
    width: int = 80,
    color: bool = False,
    content: bool = False,
    ci: bool = False,
) -> str:
    """The report as text.

    ``content`` shows reasons in full, which may quote what a file says; else they are cut to their
    line. ``ci`` parts what a build server would take for its own commands.
    """
    page = Page(lang, width - 2 if ci else width, color=color)
    _groups(page, document)
    _warnings(page, document.warnings)
    _unread(page, document, content=content)
    _next(page, document)
    text = page.text()
    return guard(text) if ci else text


def _groups(page: Page, document: Document) -> None:
    groups = document.groups
    formats = list(document.formats)
    if not groups:
        page.line((page.say("nothing"), "bold"))
    if len(groups) > 1:
        _together(page, document)
    compact = len(groups) > MANY
    if compact:
        _overview(page, groups)
    for group in groups:
        if len(groups) > 1:
            page.gap()
            page.line(("─" * page.width, "dim"))
        title(page, group, formats if len(groups) == 1 else [])
        block(page, group, document.prices, compact=compact)


def _together(page: Page, document: Document) -> None:
    """Print the counts over all groups: nothing else is added up over suites."""
    told = [
        *(safe(each) for each in document.formats),
        page.say("files", n=document.read.files),
        page.say("trajectories", n=document.trajectories),
        page.say("tasks", n=document.tasks),
    ]
    page.line((page.say("groups", n=len(document.groups)), "bold"), ("   " + "   ".join(told), ""))


def _overview(page: Page, groups: Sequence[Group]) -> None:
    """Print one line for each group."""
    even = [tasks_by_trials(page, group) for group in groups]
    tasks = max(map(len, even))
    free = page.width - _SUCCESS - _COUNT - tasks - 4 * GAP
    suite = min(max(len(safe(group.suite)) for group in groups), free // 2)
    columns = [
        Column(max(suite, len(page.say("suite")))),
        Column(free - max(suite, len(page.say("suite"))), keep="end"),
        Column(_SUCCESS, "right", "bold"),
        Column(_COUNT, "right"),
        Column(tasks),
    ]
    page.gap()
    heads = ["suite", "candidate", "success", "runs", "tasks_head"]
    page.row(columns, [page.say(key) for key in heads], style="dim")
    for group, trials in zip(groups, even, strict=True):
        runs = amount(group.trajectories)
        cells = [group.suite, group.candidate, headline_cell(group), runs, trials]
        page.row(columns, cells)


def _warnings(page: Page, warnings: Sequence[Warned]) -> None:
    if not warnings:
        return
    page.head(page.say("warnings"))
    texts = [label(WARNINGS, page.lang, warned.code) for warned in warnings]
    free = page.width - _COUNT - 2 * GAP
    words = min(max(len(safe(text)) for text in texts), free // 2)
    columns = [
        Column(_COUNT, "right"),
        Column(words),
        Column(free - words, "left", "dim", "end"),
    ]
    for warned, text in zip(warnings, texts, strict=True):
        page.row(columns, [amount(warned.count), text, warned.example])


def _unread(page: Page, document: Document, *, content: bool) -> None:
    """Print by name what could not be read, and what was passed over."""
    read = document.read
    failed = {(each.file, each.why) for each in read.failed}
    rejected = [
        PassedFile(file=f"{each.file}:{each.record}", why=each.why)
        for each in read.rejected_records
        if (each.file, each.why) not in failed
    ]
    count = read.rejected - len(read.failed)
    told = page.say("rejected", n=count, of=read.records)
    _named(page, told, rejected, count, content=content)
    told = page.say("failed_files", n=len(read.failed))
    _named(page, told, read.failed, len(read.failed), content=content)
    told = page.say("skipped_files", n=len(read.skipped))
    _named(page, told, read.skipped, len(read.skipped), content=content)


def _named(
    page: Page, head: str, passed: Sequence[PassedFile], count: int, *, content: bool
) -> None:
    if count <= 0:
        return
    page.head(head)
    shown = passed[:NAMED]
    wide = (page.width - 2 * GAP) // 2
    name = min(max((len(safe(each.file)) for each in shown), default=1), wide)
    columns = [
        Column(0),
        Column(name, keep="end"),
        Column(page.width - name - 2 * GAP, "left", "dim"),
    ]
    for each in shown:
        if content:
            page.paragraph(f"{safe(each.file)}  {safe(each.why)}", indent=GAP)
        else:
            page.row(columns, ["", each.file, each.why])
    if count > len(shown):
        page.line((" " * GAP + page.say("more", n=count - len(shown)), "dim"))


def _next(page: Page, document: Document) -> None:
    """Print what to type now."""
    steps = []
    example = _example(document)
    if example is not None:
        steps.append((f"trayecto show FILE {shlex.quote(safe(example))}", page.say("next_show")))
    if any(_without_reference(group) for group in document.groups):
        steps.append(("trayecto score … --cases FILE", page.say("next_cases")))
    if document.groups:
        steps.append(("trayecto score … --json", page.say("next_json")))
    if not steps:
        return
    page.gap()
    wide = max(len(command) for command, _ in steps)
    for number, (command, told) in enumerate(steps):
        start = "" if number else page.say("next")
        page.line((start.ljust(_LABEL), "bold"), (f"{command:<{wide}}   ", ""), (told, "dim"))


def _example(document: Document) -> str | None:
    """The first run worth looking at: the example of the most frequent cause."""
    blames = [blame for group in document.groups for blame in group.attribution]
    return blames[0].example if blames else None


def _without_reference(group: Group) -> bool:
    found = group.metrics.get("path_match")
    if not isinstance(found, Metric) or found.value is not None or found.undefined is UNSET:
        return False
    return any(why.startswith("no reference path") for why in found.undefined)
