"""Parts of the report of a comparison: tasks that changed, tasks that fell, several candidates."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from trayecto.decisions.comparison import Candidate, Parting, Regressions, TaskChange
from trayecto.reports._fit import cut_start
from trayecto.reports._marks import MINUS, UNKNOWN, dollars, percent
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._safe import safe
from trayecto.reports._verdicts import HOWS, VERDICTS, fill, tell
from trayecto.reports._words import Lang, label, name_metric, position

SHOWN = 5  # tasks that changed
FELL = 6  # metrics in which tasks fell
_TASK, _NARROWEST = 40, 8
_FRONT = "◆"


def changes(page: Page, changed: Sequence[TaskChange]) -> None:
    """The tasks that changed: the lost ones first, and where two of their runs part."""
    if not changed:
        return
    lost = sum(each.change == "worse" for each in changed)
    beside = tell(page.lang, "lost_won", lost=lost, won=len(changed) - lost)
    page.head(tell(page.lang, "changed"), beside)
    shown = changed[:SHOWN]
    for each in shown:
        counts = f"{each.base} → {each.candidate}"
        page.line((cut_start(each.task, _TASK), "bold"), (f"  {counts}", ""))
        page.paragraph(_parted(page.lang, each.parted), indent=GAP, style="dim")
        written = each.parted_write
        if written is not None and written.what != "none" and written != each.parted:
            told = tell(page.lang, "at_write", told=_parted(page.lang, written))
            page.paragraph(told, indent=GAP, style="dim")
    if len(changed) > len(shown):
        page.line((tell(page.lang, "more", n=len(changed) - len(shown)), "dim"))


def _parted(lang: Lang, parted: Parting | None) -> str:
    """Where two runs part, in words."""
    if parted is None:
        return UNKNOWN
    nothing = tell(lang, "nothing_there")
    return fill(
        HOWS,
        lang,
        parted.what,
        step=parted.step,
        base=nothing if parted.base_tool is None else safe(parted.base_tool),
        candidate=nothing if parted.candidate_tool is None else safe(parted.candidate_tool),
        base_turn=UNKNOWN if parted.base_turn is None else parted.base_turn,
        candidate_turn=UNKNOWN if parted.candidate_turn is None else parted.candidate_turn,
    )


def regressions(page: Page, found: Regressions) -> None:
    """How many tasks fell by more than half a point, by metric."""
    if not found.counts:
        return
    page.head(tell(page.lang, "regressions"), tell(page.lang, "flag"))
    names = sorted(found.counts, key=lambda name: (-found.counts[name], position(name)))
    told = [
        tell(page.lang, "regression", name=safe(name_metric(page.lang, name)), n=found.counts[name])
        for name in names[:FELL]
    ]
    if len(names) > FELL:
        told.append(tell(page.lang, "more", n=len(names) - FELL))
    page.series(told)


def candidates(page: Page, table: Sequence[Candidate]) -> None:
    """Several candidates beside each other: what each change was worth."""
    page.line((tell(page.lang, "table"), "bold"))
    rows = [_row(page.lang, each) for each in table]
    heads = [
        "",
        tell(page.lang, "candidate"),
        *(tell(page.lang, key) for key in ("success", "difference", "interval", "p", "cost")),
        tell(page.lang, "verdict"),
    ]
    wide = [max(cell_len(row[at]) for row in [heads, *rows]) for at in range(len(heads))]
    room = page.width - sum(wide) + wide[1] - GAP * (len(heads) - 1)
    columns = [
        Column(wide[0]),
        Column(max(min(wide[1], room), _NARROWEST), keep="end"),
        *(Column(width, "right") for width in wide[2:-1]),
        Column(wide[-1]),
    ]
    page.row(columns, heads, style="dim")
    for row in rows:
        page.row(columns, row)
    page.paragraph(tell(page.lang, "front"), style="dim")


def _row(lang: Lang, each: Candidate) -> list[str]:
    ends = each.interval
    interval = "" if ends is None or ends[1] is None else f"{_points(ends[0])}…{_points(ends[1])}"
    return [
        _FRONT if each.front else "",
        f"{safe(each.candidate)} ({safe(each.suite)})",
        UNKNOWN if each.success is None else percent(each.success),
        UNKNOWN if each.difference is None else _points(each.difference),
        interval,
        UNKNOWN if each.p_adjusted is None else f"{each.p_adjusted:.4f}",
        UNKNOWN if each.cost_usd is None else dollars(each.cost_usd),
        UNKNOWN if each.verdict is None else label(VERDICTS, lang, each.verdict),
    ]


def _points(value: float) -> str:
    return f"{MINUS if value < 0 else '+'}{abs(value) * 100:.1f}"
