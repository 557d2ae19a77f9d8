"""The assertions that did not pass: how many failed, how many could not be evaluated."""

from __future__ import annotations

from rich.cells import cell_len

from trayecto.document import Check, Group
from trayecto.reports._marks import UNKNOWN, amount
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._safe import safe
from trayecto.reports._words import name_metric, position

_COUNT = 6
_ID = 30


def checks(page: Page, group: Group, *, compact: bool) -> None:
    """Print a line for each assertion that did not pass everywhere; ``compact`` only the count."""
    odd = [check for check in group.checks if check.failed or check.not_evaluated]
    if not odd:
        return
    checked = group.checked
    told = [page.say("checks_failed", n=checked.failed, of=checked.trajectories)]
    if checked.not_evaluated:
        told.append(page.say("checks_unknown", n=checked.not_evaluated))
    page.head(page.say("checks"), ", ".join(told))
    if compact:
        return
    heads = [page.say(key) for key in ("check_failed", "check_unknown", "check_of", "metric")]
    shown = [_example(check) for check in odd]
    example = min(max(cell_len(safe(name)) for name in shown), _ID)
    example = max(example, cell_len(page.say("example")))
    counts = [max(_COUNT, cell_len(head)) for head in heads[:3]]
    free = page.width - sum(counts) - example - (len(counts) + 1) * GAP
    columns = [
        *(Column(count, "right") for count in counts),
        Column(free),
        Column(example, "left", "dim", "end"),
    ]
    page.row(columns, [*heads, page.say("example")], style="dim")
    for check in sorted(odd, key=lambda check: position(check.metric)):
        page.row(columns, _cells(page, check))


def _example(check: Check) -> str:
    return check.examples[0].id if check.examples else UNKNOWN


def _cells(page: Page, check: Check) -> list[str]:
    return [
        amount(check.failed),
        amount(check.not_evaluated),
        amount(check.asserted),
        name_metric(page.lang, check.metric),
        _example(check),
    ]
