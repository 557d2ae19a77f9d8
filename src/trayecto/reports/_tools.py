"""Two short tables about tools: which were confused with which, and whose steps are dear."""

from __future__ import annotations

from rich.cells import cell_len

from trayecto.document import DearStep, DearSteps, Group
from trayecto.reports._marks import UNKNOWN, amount, dollars
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._safe import safe

BY = {"cost": "by_cost", "tokens": "by_tokens", "characters": "by_characters"}
ARROW = "→"
_COUNT, _EXAMPLE, _NAME = 4, 12, 8


def confused(page: Page, group: Group, limit: int) -> None:
    """Print the most frequent pairs of an expected tool and the one that was called instead."""
    pairs = [pair for pair in group.confusion if pair.expected and pair.called][:limit]
    if not pairs:
        return
    page.head(page.say("confused"), page.say("confused_in", n=group.selection.trajectories))
    count = max(_COUNT, *(len(amount(pair.count)) for pair in pairs))
    free = page.width - count - len(ARROW) - _EXAMPLE - 4 * GAP
    wanted = _width(free // 2, *(pair.expected or "" for pair in pairs))
    called = _width(free - wanted, *(pair.called or "" for pair in pairs))
    columns = [
        Column(count, "right"),
        Column(wanted),
        Column(len(ARROW), "left", "dim"),
        Column(called),
        Column(free - wanted - called + _EXAMPLE, "left", "dim", "end"),
    ]
    for pair in pairs:
        cells = [amount(pair.count), pair.expected or "", ARROW, pair.called or "", pair.example]
        page.row(columns, cells)


def dear(page: Page, steps: DearSteps, limit: int) -> None:
    """Print the tools whose steps are the dearest, with the dearest call of each."""
    shown = [step for step in steps.tools if step.tool is not None][:limit]
    if not any(step.counted or step.observed for step in shown):
        return
    page.head(page.say("dear"), page.say(BY[steps.by]))
    heads = [page.say(key) for key in ("tool", "calls_head", "cost_head", "tokens_head")]
    heads += [page.say(key) for key in ("characters_head", "call_head", "example")]
    rows = [heads, *(_cells(step, steps.by) for step in shown)]
    # What no step has is no column.
    kept = [0, 1, *([2] if steps.by == "cost" else []), *([] if steps.by == "characters" else [3])]
    rows = [[row[at] for at in [*kept, 4, 5]] + row[6:] for row in rows]
    inner = [max(cell_len(row[at]) for row in rows) for at in range(1, len(rows[0]) - 1)]
    free = page.width - sum(inner) - (len(inner) + 1) * GAP
    tool = max(_width(free - _EXAMPLE, *(row[0] for row in rows)), _NAME)
    columns = [
        Column(tool),
        *(Column(width, "right") for width in inner),
        Column(max(free - tool, _NAME), "left", "dim", "end"),
    ]
    for number, row in enumerate(rows):
        page.row(columns, row, style="" if number else "dim")


def _cells(step: DearStep, by: str) -> list[str]:
    """A line's cells; where only a part of the calls is known, that part of the calls."""
    known = {"cost": step.priced, "tokens": step.counted, "characters": step.observed}[by]
    part = "" if known == step.calls else f"{amount(known)}/"
    return [
        step.tool if isinstance(step.tool, str) else "",
        part + amount(step.calls),
        UNKNOWN if step.cost_usd is None else _money(step.cost_usd),
        UNKNOWN if step.mean_tokens is None else amount(step.mean_tokens),
        UNKNOWN if step.mean_characters is None else amount(step.mean_characters),
        amount(step.call or 0),
        step.example,
    ]


def _money(cost: float) -> str:
    """A sum of money: its cents are enough where it is a dollar or more."""
    return dollars(round(cost, 2) if cost >= 1 else cost)


def _width(most: int, *texts: str) -> int:
    """How wide a column of foreign texts has to be, and may be."""
    return min(max(cell_len(safe(text)) for text in texts), most)
