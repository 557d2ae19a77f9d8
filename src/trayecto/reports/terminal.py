"""The report for a terminal: what was read, then the answer, then the evidence, then what to do.

Nothing is computed here. What could not be measured stands there as such, each reason once.
"""

from __future__ import annotations

from collections.abc import Sequence

from trayecto.document import Document, Group, Read, Warned
from trayecto.records import Passed
from trayecto.reports._fit import cut_start
from trayecto.reports._group import block, tasks_by_trials, title
from trayecto.reports._marks import amount
from trayecto.reports._metrics_table import headline_cell
from trayecto.reports._next import print_next
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._safe import guard, safe
from trayecto.reports._words import WARNINGS, Lang, label

MANY = 3  # groups; with more, each has a short block
NAMED_FILES = 2  # files that are named where there are no more
NAMED = 5  # records and files that are named
_COUNT, _SUCCESS = 6, 8


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
    print_next(page, document)
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
        if len(groups) == 1:
            _files(page, document.read)
        block(page, group, document.prices, compact=compact)


def _together(page: Page, document: Document) -> None:
    """Print the counts over all groups: nothing else is added up over suites."""
    told = [
        *(safe(each) for each in document.formats),
        page.say("trajectories", n=document.trajectories),
        page.say("tasks", n=document.tasks),
    ]
    page.line((page.say("groups", n=len(document.groups)), "bold"), ("   " + "   ".join(told), ""))
    _files(page, document.read)


def _files(page: Page, read: Read) -> None:
    """Print which files were read: one or two by name, more by number."""
    names = read.names if len(read.names) == read.files <= NAMED_FILES else []
    if not names:
        page.line((page.say("files", n=read.files), "dim"))
    for name in names:
        page.line((cut_start(name, page.width), "dim"))


def _overview(page: Page, groups: Sequence[Group]) -> None:
    """Print one line for each group."""
    once = all(group.trials == 1 for group in groups)  # as many tasks as runs
    even = [amount(g.tasks) if once else tasks_by_trials(page, g) for g in groups]
    tasks = max(map(len, [*even, page.say("tasks_head")]))
    free = page.width - _SUCCESS - _COUNT - tasks - 4 * GAP
    candidate = max(len(safe(group.candidate)) for group in groups)
    suite = min(max(len(safe(group.suite)) for group in groups), max(free // 2, free - candidate))
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
        Passed(file=f"{each.file}:{each.record}", why=each.why)
        for each in read.rejected_records
        if (each.file, each.why) not in failed
    ]
    told = page.say("rejected", n=read.unreadable, of=read.records)
    _named(page, told, rejected, read.unreadable, content=content)
    told = page.say("failed_files", n=len(read.failed))
    _named(page, told, read.failed, len(read.failed), content=content)
    told = page.say("skipped_files", n=len(read.skipped))
    _named(page, told, read.skipped, len(read.skipped), content=content)


def _named(page: Page, head: str, passed: Sequence[Passed], count: int, *, content: bool) -> None:
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
