"""The report of a comparison for a terminal: the word on success, the numbers, what changed, where.

Nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET
from rich.cells import cell_len

from trayecto.comparison import (
    SUCCESS,
    Caveat,
    Compared,
    Comparison,
    Difference,
    SideRead,
    Tasks,
)
from trayecto.reports._changes import candidates, changes, regressions
from trayecto.reports._differences import metrics_table, others, success, uncompared
from trayecto.reports._fit import cut
from trayecto.reports._marks import UNKNOWN, dollars, times
from trayecto.reports._page import LABEL, Page
from trayecto.reports._reasons import reason
from trayecto.reports._safe import safe
from trayecto.reports._verdicts import ASPECTS, CAVEATS, evidence, fill, tell
from trayecto.reports._words import WARNINGS, Lang, label, name_metric, say

COST = "cost_usd"
ARROW = " → "
FIRST = ("success_contradicts_trajectory", "infrastructure_differs", "not_graded")
MANY = 3  # groups; with more, each has a short block
NAMED = 3  # records that could not be read


def render(
    comparison: Comparison, *, lang: Lang = "en", width: int = 80, color: bool = False
) -> str:
    """The comparison as text."""
    page = Page(lang, width, color=color)
    if comparison.table is not UNSET:
        candidates(page, comparison.table)
    for read in comparison.read or ():
        _unread(page, read)
    compact = len(comparison.groups) > MANY
    for number, group in enumerate(comparison.groups):
        if number or comparison.table is not UNSET:
            page.gap()
            page.line(("─" * page.width, "dim"))
        _block(page, group, compact=compact)
    _odd(page, comparison.read or ())
    return page.text()


def _block(page: Page, group: Compared, *, compact: bool) -> None:
    """One suite on both sides."""
    _title(page, group)
    _tasks(page, group.tasks)
    _caveats(page, [each for each in group.warnings if each.code in FIRST])
    page.gap()
    success(page, group.metrics.get(SUCCESS))
    others(page, group.metrics)
    metrics_table(page, group.metrics, group.tasks.paired, compact=compact)
    _money(page, group)
    _evidence(page, group)
    if not compact:
        uncompared(page, group.not_compared)
        _differs(page, group)
        changes(page, group.tasks_changed)
        regressions(page, group.regressions)
    rest = [each for each in group.warnings if each.code not in FIRST]
    if rest:
        page.head(tell(page.lang, "caveats"))
        _caveats(page, rest)


def _unread(page: Page, read: SideRead) -> None:
    """What of one side could not be read, by place and reason."""
    if not read.rejected:
        return
    told = tell(page.lang, "unread", side=cut(read.side, LABEL), n=read.rejected, of=read.records)
    page.paragraph(told, style="yellow")
    for each in read.rejected_records[:NAMED]:
        page.line((cut(f"  {safe(each.file)}:{each.record}  {safe(each.why)}", page.width), "dim"))


def _odd(page: Page, reads: Sequence[SideRead]) -> None:
    """What was odd in the records of each side, as ``score`` warns of it."""
    told = []
    for read in reads:
        for code, n in read.warnings.items():
            what = label(WARNINGS, page.lang, code)
            told.append(tell(page.lang, "odd", side=cut(read.side, LABEL), n=n, what=what))
    if told:
        page.head(page.say("warnings"))
    for each in told:
        page.paragraph(each)


def _title(page: Page, group: Compared) -> None:
    """Both sides, of which a long one hides neither the other nor the suite."""
    room = (page.width - len(ARROW)) // 2
    names = f"{cut(group.base, room)}{ARROW}{cut(group.candidate, room)}"
    suite = cut(group.suite, page.width)
    if cell_len(f"{names}   {suite}") <= page.width:
        page.line((names, "bold"), (f"   {suite}", ""))
        return
    page.line((names, "bold"))
    page.line((suite, ""))


def _tasks(page: Page, tasks: Tasks) -> None:
    """How the tasks were paired, and which have no partner."""
    told = [tell(page.lang, "paired", n=tasks.paired)]
    if tasks.clusters < tasks.paired:
        told[0] += f" {tell(page.lang, 'clusters', n=tasks.clusters)}"
    counts = {
        "only_base": tasks.only_base,
        "only_candidate": tasks.only_candidate,
        "other_text": tasks.other_text,
    }
    told += [tell(page.lang, key, n=n) for key, n in counts.items() if n]
    page.series(told, style="dim")
    if tasks.by_id:
        page.paragraph(tell(page.lang, "by_id", n=tasks.by_id), style="dim")
    if tasks.unmatched:
        names = [cut(name, LABEL) for name in tasks.unmatched]
        left = sum(counts.values()) - len(names)
        if left > 0:
            names.append(tell(page.lang, "more", n=left))
        page.paragraph(tell(page.lang, "unmatched", names=", ".join(names)), style="dim")


def _caveats(page: Page, caveats: Sequence[Caveat]) -> None:
    for each in caveats:
        base, candidate = (_count(page.lang, side) for side in (each.base, each.candidate))
        n = int(each.base) if each.base.isdecimal() else 0
        told = fill(CAVEATS, page.lang, each.code, base=base, candidate=candidate, n=n)
        page.paragraph(told, style="yellow")


def _count(lang: Lang, text: str) -> str:
    """What a caveat counts or names, in the page's language: ``2 of 77``, ``model, prompt``."""
    n, of, total = text.partition(" of ")
    if not (of and n.isdecimal() and total.isdecimal()):
        parts = (label(ASPECTS, lang, part) for part in text.split(", "))
        return cut(", ".join(parts), 2 * LABEL)
    return say(lang, "n_of", n=int(n), of=int(total))


def _money(page: Page, group: Compared) -> None:
    """The ratios of what runs cost and take, and what each further accepted run costs."""
    told = list(_ratios(page.lang, group.metrics))
    extra = group.cost_per_extra_accepted
    if extra.usd is not None:
        key = "extra_saves" if extra.usd < 0 else "extra"
        told.append(tell(page.lang, key, value=dollars(abs(extra.usd))))
    elif extra.why is not UNSET and COST in group.metrics:
        told.append(tell(page.lang, "no_extra", why=safe(reason(page.lang, extra.why))))
    for each in told:
        page.paragraph(each, style="dim")


def _ratios(lang: Lang, metrics: dict[str, Difference]) -> Iterator[str]:
    for name in (COST, "latency_ms"):
        found = metrics.get(name)
        if found is None or found.ratio is UNSET:
            continue
        if found.ratio.value is None:
            why = "" if found.ratio.why is UNSET else safe(reason(lang, found.ratio.why))
            yield tell(lang, "no_ratio", name=name_metric(lang, name), why=why)
            continue
        interval = tell(lang, "no_interval")
        if found.ratio.interval is not None:
            low, high = found.ratio.interval
            ends = times(low) if high is None else f"{times(low)}–{times(high)[1:]}"
            interval = f"95 %: {'≥ ' if high is None else ''}{ends}"
        yield tell(
            lang, "ratio", name=name_metric(lang, name), value=times(found.ratio.value),
            interval=interval,
        )  # fmt: skip


def _evidence(page: Page, group: Compared) -> None:
    """What would decide success, where nothing has."""
    more = group.more_evidence
    if more is None:
        return
    page.head(tell(page.lang, "evidence"))
    why = evidence(page.lang, more.why)
    alone = f"{why[:1].upper()}{why[1:]}."
    told = []
    if more.tasks is not None:
        told.append(tell(page.lang, "more_tasks", n=more.tasks))
        if more.clusters is not UNSET:
            told[0] += f" {tell(page.lang, 'more_clusters', n=more.clusters)}"
    if more.trials is not None:
        told.append(tell(page.lang, "more_trials", n=more.trials))
    both = tell(page.lang, "or").join(told)
    power = f"{more.power * 100:g}"
    page.paragraph(tell(page.lang, "if_true", told=both, why=why, power=power) if told else alone)


def _differs(page: Page, group: Compared) -> None:
    """What is not the same on both sides, what is, and what the traces do not tell."""
    page.head(tell(page.lang, "differs"))
    for each in group.differs:
        base, candidate = (
            ", ".join(cut(value, LABEL) for value in side) or UNKNOWN
            for side in (each.base, each.candidate)
        )
        page.paragraph(f"{label(ASPECTS, page.lang, each.aspect)}: {base}{ARROW}{candidate}")
    told = [
        tell(page.lang, key, names=", ".join(label(ASPECTS, page.lang, name) for name in names))
        for key, names in (("same", group.same), ("untold", group.untold))
        if names
    ]
    page.series(told, style="dim")
