"""Parts of the report of a comparison: the word on success, and the metrics that were compared.

Estimates come first and p values last. Nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET
from rich.cells import cell_len

from trayecto.comparison import SUCCESS, Difference, Margin
from trayecto.reports._fit import cut
from trayecto.reports._marks import SEPARATOR, moved, moved_span, p_value, quantity, two_digits
from trayecto.reports._page import GAP, LABEL, Column, Page
from trayecto.reports._reasons import reason
from trayecto.reports._safe import safe
from trayecto.reports._verdicts import TESTS, VERDICTS, tell
from trayecto.reports._words import Lang, label, name_metric, position

MARKS = {"better": "▲", "worse": "▼", "no_worse": "=", "undecided": "?"}
_NARROWEST = 10
_SPARED = (5, 4)  # columns that a narrow page does without: the counts, then the interval
_ORDER = {"worse": 0, "better": 1, "no_worse": 2, "undecided": 3}


def success(page: Page, found: Difference | None) -> None:
    """The word on success, its numbers, and what it rests on."""
    if found is None or found.base is None or found.candidate is None:
        page.paragraph(tell(page.lang, "not_compared"), style="bold")
        if found is not None and found.why is not UNSET:
            page.paragraph(safe(reason(page.lang, found.why)), indent=GAP)
        return
    word = _word(page.lang, found)
    page.paragraph(f"{word[:1].upper()}{word[1:]}", style="bold")
    if found.why is not UNSET:
        page.paragraph(safe(reason(page.lang, found.why)), indent=GAP)
    page.paragraph(_from_to(page.lang, name_metric(page.lang, SUCCESS), found), indent=GAP)
    if found.verdict == "undecided" and found.why is UNSET and found.won + found.lost:
        key = "test_decides" if _by_test(found) else "open"
        page.paragraph(tell(page.lang, key), indent=GAP)
    page.paragraph(SEPARATOR.join(_rests_on(page.lang, found)), indent=GAP)
    fair = found.capability
    if fair is UNSET or fair.base is None or _numbers(fair) == _numbers(found):
        return
    page.paragraph(tell(page.lang, "fair", verdict=_word(page.lang, fair)), indent=GAP)
    page.paragraph(_from_to(page.lang, name_metric(page.lang, SUCCESS), fair), indent=2 * GAP)
    page.paragraph(SEPARATOR.join(_rests_on(page.lang, fair)), indent=2 * GAP)


def _by_test(found: Difference) -> bool:
    """Whether the test alone leaves it undecided: the interval holds a loss or a gain, not both."""
    if found.verdict != "undecided" or found.why is not UNSET:
        return False
    if found.interval is None or found.interval[1] is None:
        return False
    return not found.interval[0] <= 0 <= found.interval[1]


def _numbers(found: Difference) -> tuple[float | None, ...]:
    """What two views of success may differ in."""
    return (found.base, found.candidate, found.tasks, found.won, found.lost)


def _word(lang: Lang, found: Difference) -> str:
    """The verdict in a word, in brackets where the success behind it is not to be trusted."""
    word = label(VERDICTS, lang, found.verdict or "undecided")
    return word if found.trusted else f"[{word}; {tell(lang, 'untrusted')}]"


def _from_to(lang: Lang, name: str, found: Difference) -> str:
    """Both values, the difference and its interval."""
    return tell(
        lang,
        "from_to",
        name=name,
        base=quantity(found.base or 0.0, found.unit),
        candidate=quantity(found.candidate or 0.0, found.unit),
        difference=tell(lang, "points", value=moved(found.difference, found.unit))
        if found.unit == "share"
        else moved(found.difference, found.unit),
        interval=moved_span(found.interval, found.unit) or tell(lang, "no_interval"),
    )


def _rests_on(lang: Lang, found: Difference) -> list[str]:
    """Counts, then the margin, then the test."""
    told = [tell(lang, "counts", won=found.won, lost=found.lost, n=found.tasks)]
    if found.test is not None and found.p_value is not None:
        told.append(
            tell(lang, "tested", test=label(TESTS, lang, found.test), p=_equals(found.p_value))
        )
    if found.ignoring_clusters is not UNSET:
        told.append(tell(lang, "ignoring", p=_equals(found.ignoring_clusters)))
    if found.margin is not UNSET:
        told.append(_held(lang, found.margin))
    return told


def _held(lang: Lang, margin: Margin) -> str:
    keys = {"pass": "holds", "fail": "margin_broken", "insufficient": "margin_open"}
    return tell(
        lang,
        keys[margin.outcome],
        margin=f"{margin.margin * 100:g}",
        lower=moved(margin.lower, "share"),
        upper=moved(margin.upper, "share"),
    )


def others(page: Page, metrics: dict[str, Difference]) -> None:
    """All other metrics, a line a word: what got worse, what better, how many nobody knows."""
    found: dict[str, list[str]] = {}
    for name in sorted(metrics, key=position):
        verdict = metrics[name].verdict
        if name != SUCCESS and verdict is not None:
            told_name, trusted = _name(page.lang, name), metrics[name].trusted
            found.setdefault(verdict, []).append(told_name if trusted else f"[{told_name}]")
    for verdict in ("worse", "better", "no_worse"):
        if verdict in found:
            word, names = label(VERDICTS, page.lang, verdict), SEPARATOR.join(found[verdict])
            page.paragraph(tell(page.lang, "others", verdict=word, names=names), indent=GAP)
    if "undecided" in found:
        told = tell(page.lang, "more_undecided", n=len(found["undecided"]))
        page.paragraph(told, indent=GAP)


def _name(lang: Lang, metric: str) -> str:
    """A metric's name; pass^k by its k."""
    base, _, k = metric.rpartition(".")
    found = (
        name_metric(lang, base, k=k) if base == "pass_hat_k" else name_metric(lang, metric, k="k")
    )
    return cut(found, LABEL)


def metrics_table(page: Page, metrics: dict[str, Difference], tasks: int, *, compact: bool) -> None:
    """Every metric that was compared on some of the paired tasks, the decided ones first."""
    rows = [
        (name, found)
        for name, found in sorted(metrics.items(), key=lambda item: _place(*item))
        if found.difference is not None
        and not (compact and found.verdict in (None, "undecided") and name != SUCCESS)
    ]
    if not rows:
        return
    cells = [_cells(page.lang, name, found) for name, found in rows]
    keys = ("metric", "base", "cand", "difference", "interval", "won_lost", "p")
    heads = [*(tell(page.lang, key) for key in keys), ""]
    wide = [max(cell_len(row[at]) for row in [heads, *cells]) for at in range(len(heads))]
    for at in _SPARED:
        if _room(page, wide) < _NARROWEST:
            heads, *cells = [[*row[:at], *row[at + 1 :]] for row in [heads, *cells]]
            wide.pop(at)
    columns = [
        Column(min(wide[0], max(_room(page, wide), _NARROWEST))),
        *(Column(width, "right") for width in wide[1:-1]),
        Column(wide[-1]),
    ]
    page.gap()
    page.row(columns, heads, style="dim")
    for row in cells:
        page.row(columns, row)
    page.paragraph(tell(page.lang, "marks"), style="dim")
    _beside(page, rows, tasks)


def _room(page: Page, wide: Sequence[int]) -> int:
    """The columns that are left for the name."""
    return page.width - sum(wide[1:]) - GAP * (len(wide) - 1)


def _beside(page: Page, rows: Sequence[tuple[str, Difference]], most: int) -> None:
    """Which rows rest on fewer tasks than are paired, and why some have no interval."""
    fewer: dict[int, list[str]] = {}
    for name, found in rows:
        if found.tasks < most:
            fewer.setdefault(found.tasks, []).append(_name(page.lang, name))
    for n, names in sorted(fewer.items(), reverse=True):
        told = tell(page.lang, "fewer", n=n, most=most, names=SEPARATOR.join(names))
        page.paragraph(told, style="dim")
    strange = [
        _name(page.lang, name) for name, found in rows if name != SUCCESS and _by_test(found)
    ]
    if strange:
        told = tell(page.lang, "by_test", names=SEPARATOR.join(strange))
        page.paragraph(told, style="dim")
    for why, names in _without_interval(page.lang, rows).items():
        told = f"{tell(page.lang, 'no_interval_of', names=SEPARATOR.join(names))} {why}"
        page.paragraph(told, style="dim")


def _without_interval(lang: Lang, rows: Sequence[tuple[str, Difference]]) -> dict[str, list[str]]:
    """The metrics that have no interval, by the reason."""
    found: dict[str, list[str]] = {}
    for name, metric in rows:
        if metric.interval is None and metric.interval_why is not UNSET:
            why = safe(reason(lang, metric.interval_why))
            found.setdefault(why, []).append(_name(lang, name))
    return found


def uncompared(page: Page, missing: Mapping[str, str]) -> None:
    """The metrics that could not be compared, with the reason."""
    whys: dict[str, list[str]] = {}
    for name in sorted(missing, key=position):
        why = safe(reason(page.lang, missing[name]))
        whys.setdefault(why, []).append(_name(page.lang, name))
    for why, names in whys.items():
        told = tell(page.lang, "uncompared", names=SEPARATOR.join(names), why=why)
        page.paragraph(told, style="dim")


def _place(name: str, found: Difference) -> tuple[bool, int, tuple[int, str]]:
    return (name != SUCCESS, _ORDER.get(found.verdict or "", len(_ORDER)), position(name))


def _cells(lang: Lang, name: str, found: Difference) -> list[str]:
    mark = MARKS.get(found.verdict or "", "")
    return [
        _name(lang, name),
        _short(found.base, found.unit),
        _short(found.candidate, found.unit),
        _bare(moved(_rounded(found.difference, found.unit), found.unit)),
        _bare(moved_span(found.interval, found.unit)),
        "" if found.better == "neither" else f"{found.won}/{found.lost}",
        "" if found.p_value is None else p_value(found.p_value),
        mark if found.trusted or not mark else f"[{mark}]",
    ]


def _short(value: float | None, unit: str) -> str:
    """A value in a column."""
    return quantity(_rounded(value, unit) or 0.0, unit)


def _rounded(value: float | None, unit: str) -> float | None:
    """Money to two digits, as in the table of candidates: the document has them all."""
    return two_digits(value) if value is not None and unit == "usd" else value


def _bare(text: str) -> str:
    """A number of a table without the unit that the values beside it have."""
    return text.replace(" ms", "").replace("$", "")


def _equals(value: float) -> str:
    """A p value in a sentence: ``p = 0.0135``, ``p < 1e-4``."""
    told = p_value(value)
    return f"p < {told[1:]}" if told.startswith("<") else f"p = {told}"
