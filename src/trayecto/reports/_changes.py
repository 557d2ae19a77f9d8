"""Parts of the report of a comparison: tasks that changed, tasks that fell, several candidates."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from rich.cells import cell_len

from trayecto.comparison import Candidate, Parting, Regressions, TaskChange
from trayecto.reports._fit import cut, cut_start
from trayecto.reports._marks import (
    SEPARATOR,
    UNKNOWN,
    amount,
    dollars,
    moved,
    moved_span,
    p_value,
    percent,
    times,
    two_digits,
)
from trayecto.reports._page import GAP, LABEL, Column, Page
from trayecto.reports._safe import safe
from trayecto.reports._verdicts import HOWS, VERDICTS, fill, tell
from trayecto.reports._words import Lang, label, name_metric, position

SHOWN = 5  # tasks that changed
FELL = 6  # metrics in which tasks fell
EXAMPLES = 3  # tasks that fell
_NARROWEST = 8
_FRONT = "◆"
IN = {"base": "in_base", "candidate": "in_candidate"}
HEADS = ("success", "difference", "interval", "p", "cost", "cost_ratio")


def changes(page: Page, changed: Sequence[TaskChange]) -> None:
    """The tasks that changed: the lost ones first, and where two of their runs part."""
    if not changed:
        return
    lost = sum(each.change == "worse" for each in changed)
    beside = tell(page.lang, "lost_won", lost=lost, won=len(changed) - lost)
    page.head(tell(page.lang, "changed"), beside)
    shown = _first(changed)
    for each in shown:
        counts = f"{each.base} → {each.candidate}"
        room = page.width - len(counts) - GAP
        page.line((cut_start(each.task, room), "bold"), (f"  {counts}", ""))
        broke = _broke(page.lang, each)
        for told in broke:
            page.paragraph(told, indent=GAP, style="dim")
        if broke:  # where it ended tells nothing of the agent
            continue
        page.paragraph(_parted(page.lang, each.parted), indent=GAP, style="dim")
        written = each.parted_write
        if written is not None and written.what != "none" and written != each.parted:
            told = tell(page.lang, "at_write", told=_parted(page.lang, written))
            page.paragraph(told, indent=GAP, style="dim")
    if len(changed) > len(shown):
        page.line((tell(page.lang, "more", n=len(changed) - len(shown)), "dim"))


def _first(changed: Sequence[TaskChange]) -> list[TaskChange]:
    """The first lost ones, and as many won ones as there is room for, one of them in any case."""
    lost = [each for each in changed if each.change == "worse"]
    won = [each for each in changed if each.change == "better"]
    kept = lost[: SHOWN - min(len(won), 1)]
    return kept + won[: SHOWN - len(kept)]


def _broke(lang: Lang, change: TaskChange) -> list[str]:
    """Which of the two runs broke without the agent's fault."""
    sides = (("in_base", change.base_broke), ("in_candidate", change.candidate_broke))
    return [
        tell(lang, "broke", side=tell(lang, side), status=safe(status))
        for side, status in sides
        if status is not UNSET
    ]


def _parted(lang: Lang, parted: Parting | None) -> str:
    """Where two runs part, in words."""
    if parted is None:
        return tell(lang, "no_parting")
    sides = {
        "base": (parted.base_tool, parted.base_turn),
        "candidate": (parted.candidate_tool, parted.candidate_turn),
    }
    told: dict[str, object] = {"step": UNKNOWN if parted.step is None else parted.step}
    for side, (tool, turn) in sides.items():
        name = UNKNOWN if tool is None else cut(tool, LABEL)
        number = UNKNOWN if turn is None else turn
        told |= {side: name, f"{side}_turn": number}
        if tool is not None:  # of a run that has ended, the other side
            told |= {"side": tell(lang, IN[side]), "tool": name, "turn": number}
    return fill(HOWS, lang, parted.what, **told)


def regressions(page: Page, found: Regressions) -> None:
    """How many tasks fell by more than half a point, by metric, and the first of them."""
    if not found.counts:
        return
    page.head(tell(page.lang, "regressions"), tell(page.lang, "flag"))
    names = sorted(found.counts, key=lambda name: (-found.counts[name], position(name)))
    told = [
        tell(
            page.lang,
            "regression",
            name=cut(name_metric(page.lang, name, k="k"), LABEL),
            n=found.counts[name],
        )
        for name in names[:FELL]
    ]
    if len(names) > FELL:
        told.append(tell(page.lang, "more", n=len(names) - FELL))
    page.series(told)
    for each in found.examples[:EXAMPLES]:
        task = cut_start(each.task, page.width // 2)
        values = {"base": amount(each.base), "candidate": amount(each.candidate)}
        line = tell(page.lang, "fell_example", task=task, **values)
        name = cut(name_metric(page.lang, each.metric, k="k"), LABEL)
        page.paragraph(f"{line}{SEPARATOR}{name}", indent=GAP, style="dim")


def candidates(page: Page, table: Sequence[Candidate]) -> None:
    """Several candidates under their base: what each change was worth."""
    page.line((tell(page.lang, "table"), "bold"))
    several = len({each.suite for each in table}) > 1
    rows = [_row(page.lang, each, several=several) for each in table]
    heads = [
        "",
        tell(page.lang, "candidate"),
        *(tell(page.lang, key) for key in HEADS),
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
    known = any(each.front is not None for each in table)
    front = tell(page.lang, "front" if known else "no_front")
    page.series([front, tell(page.lang, "holm")], style="dim")
    page.paragraph(tell(page.lang, "ablation"), style="dim")


def _row(lang: Lang, each: Candidate, *, several: bool) -> list[str]:
    name = f"{safe(each.candidate)} ({safe(each.suite)})" if several else safe(each.candidate)
    unknown = "" if each.base else UNKNOWN  # the base is not compared with itself
    return [
        _FRONT if each.front else "",
        name,
        UNKNOWN if each.success is None else percent(each.success),
        unknown if each.difference is None else moved(each.difference, "share"),
        moved_span(each.interval, "share"),
        unknown if each.p_adjusted is None else p_value(each.p_adjusted),
        UNKNOWN if each.cost_usd is None else dollars(two_digits(each.cost_usd)),
        unknown if each.cost_ratio is None else times(each.cost_ratio),
        _word(lang, each),
    ]


def _word(lang: Lang, each: Candidate) -> str:
    """The verdict in a word, in brackets where the success behind it is not to be trusted."""
    if each.base:
        return f"({tell(lang, 'in_base')})"
    word = UNKNOWN if each.verdict is None else label(VERDICTS, lang, each.verdict)
    return word if each.trusted else f"[{word}]"
