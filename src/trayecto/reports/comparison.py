"""The report of a comparison for a terminal: the word on success, the numbers, what changed, where.

Estimates come first and p values last. Nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET
from rich.cells import cell_len

from trayecto.comparison import Caveat, Compared, Comparison, Difference, Margin, Tasks
from trayecto.figures import Ends
from trayecto.reports._changes import LABEL, candidates, changes, p_value, regressions
from trayecto.reports._fit import cut
from trayecto.reports._marks import MINUS, SEPARATOR, UNKNOWN, dollars, quantity, two_digits
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._reasons import reason
from trayecto.reports._safe import safe
from trayecto.reports._verdicts import ASPECTS, CAVEATS, TESTS, VERDICTS, evidence, fill, tell
from trayecto.reports._words import Lang, label, name_metric, position, say

SUCCESS = "task_success"
ARROW = " → "
FIRST = ("success_contradicts_trajectory", "infrastructure_differs")  # caveats above the word
MANY = 3  # groups; with more, each has a short block
_NARROWEST = 10
MARKS = {"better": "▲", "worse": "▼", "no_worse": "=", "undecided": "?"}
_ORDER = {"worse": 0, "better": 1, "no_worse": 2, "undecided": 3}


def render(
    comparison: Comparison, *, lang: Lang = "en", width: int = 80, color: bool = False
) -> str:
    """The comparison as text."""
    page = Page(lang, width, color=color)
    if comparison.table is not UNSET:
        candidates(page, comparison.table)
    compact = len(comparison.groups) > MANY
    for number, group in enumerate(comparison.groups):
        if number or comparison.table is not UNSET:
            page.gap()
            page.line(("─" * page.width, "dim"))
        _block(page, group, compact=compact)
    return page.text()


def _block(page: Page, group: Compared, *, compact: bool) -> None:
    """One suite on both sides."""
    _title(page, group)
    _tasks(page, group.tasks)
    _caveats(page, [each for each in group.warnings if each.code in FIRST])
    page.gap()
    _success(page, group.metrics.get(SUCCESS))
    _others(page, group.metrics)
    _table(page, group.metrics, compact=compact)
    _money(page, group)
    _evidence(page, group)
    if not compact:
        _differs(page, group)
        changes(page, group.tasks_changed)
        regressions(page, group.regressions)
    rest = [each for each in group.warnings if each.code not in FIRST]
    if rest:
        page.head(tell(page.lang, "caveats"))
        _caveats(page, rest)


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


def _success(page: Page, success: Difference | None) -> None:
    """The word on success, its numbers, and what it rests on."""
    if success is None or success.base is None or success.candidate is None:
        page.paragraph(tell(page.lang, "not_compared"), style="bold")
        if success is not None and success.why is not UNSET:
            page.paragraph(safe(reason(page.lang, success.why)), indent=GAP)
        return
    word = _word(page.lang, success)
    page.paragraph(f"{word[:1].upper()}{word[1:]}", style="bold")
    if success.why is not UNSET:
        page.paragraph(safe(reason(page.lang, success.why)), indent=GAP)
    page.paragraph(_from_to(page.lang, name_metric(page.lang, SUCCESS), success), indent=GAP)
    if _is_open(success):
        page.paragraph(tell(page.lang, "open"), indent=GAP)
    page.paragraph(SEPARATOR.join(_rests_on(page.lang, success)), indent=GAP)
    fair = success.capability
    if fair is UNSET or fair.base is None or _numbers(fair) == _numbers(success):
        return
    page.paragraph(tell(page.lang, "fair", verdict=_word(page.lang, fair)), indent=GAP)
    page.paragraph(_from_to(page.lang, name_metric(page.lang, SUCCESS), fair), indent=2 * GAP)
    page.paragraph(SEPARATOR.join(_rests_on(page.lang, fair)), indent=2 * GAP)


def _is_open(found: Difference) -> bool:
    """Whether an undecided difference may be a loss as well as a gain."""
    if found.verdict != "undecided" or found.interval is None or found.interval[1] is None:
        return False
    return found.interval[0] < 0 < found.interval[1]


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
        difference=tell(lang, "points", value=_moved(found.difference, found.unit))
        if found.unit == "share"
        else _moved(found.difference, found.unit),
        interval=_ends(found.interval, found.unit) or tell(lang, "no_interval"),
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
        lower=_moved(margin.lower, "share"),
        upper=_moved(margin.upper, "share"),
    )


def _others(page: Page, metrics: dict[str, Difference]) -> None:
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


def _table(page: Page, metrics: dict[str, Difference], *, compact: bool) -> None:
    """Every metric that was compared, the decided ones first."""
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
    wide = [max(len(row[at]) for row in [heads, *cells]) for at in range(len(heads))]
    name = page.width - sum(wide[1:]) - GAP * (len(heads) - 1)
    columns = [
        Column(min(wide[0], max(name, _NARROWEST))),
        *(Column(width, "right") for width in wide[1:-1]),
        Column(wide[-1]),
    ]
    page.gap()
    page.row(columns, heads, style="dim")
    for row in cells:
        page.row(columns, row)
    page.paragraph(tell(page.lang, "marks"), style="dim")


def _place(name: str, found: Difference) -> tuple[bool, int, tuple[int, str]]:
    return (name != SUCCESS, _ORDER.get(found.verdict or "", len(_ORDER)), position(name))


def _cells(lang: Lang, name: str, found: Difference) -> list[str]:
    mark = MARKS.get(found.verdict or "", "")
    return [
        _name(lang, name),
        quantity(found.base or 0.0, found.unit),
        quantity(found.candidate or 0.0, found.unit),
        _bare(_moved(found.difference, found.unit)),
        _bare(_ends(found.interval, found.unit)),
        "" if found.better == "neither" else f"{found.won}/{found.lost}",
        "" if found.p_value is None else p_value(found.p_value),
        mark if found.trusted or not mark else f"[{mark}]",
    ]


def _money(page: Page, group: Compared) -> None:
    """The ratios of what runs cost and take, and what each further accepted run costs."""
    told = list(_ratios(page.lang, group.metrics))
    extra = group.cost_per_extra_accepted.usd
    if extra is not None:
        key = "extra_saves" if extra < 0 else "extra"
        told.append(tell(page.lang, key, value=dollars(abs(extra))))
    for each in told:
        page.paragraph(each, style="dim")


def _ratios(lang: Lang, metrics: dict[str, Difference]) -> Iterator[str]:
    for name in ("cost_usd", "latency_ms"):
        found = metrics.get(name)
        if found is None or found.ratio is UNSET or found.ratio.value is None:
            continue
        ends = found.ratio.interval
        interval = tell(lang, "no_interval")
        if ends is not None:
            interval = f"{ends[0]:.2f}–{UNKNOWN if ends[1] is None else f'{ends[1]:.2f}'}"
        yield tell(
            lang, "ratio", name=_name(lang, name), value=f"{found.ratio.value:.2f}",
            interval=interval,
        )  # fmt: skip


def _evidence(page: Page, group: Compared) -> None:
    """What would decide success, where nothing has."""
    more = group.more_evidence
    if more is None:
        return
    page.head(tell(page.lang, "evidence"))
    why = evidence(page.lang, more.why)
    counts = {"more_tasks": more.tasks, "more_trials": more.trials}
    told = " ".join(tell(page.lang, key, n=n) for key, n in counts.items() if n is not None)
    alone = f"{why[:1].upper()}{why[1:]}."
    page.paragraph(tell(page.lang, "if_true", told=told, why=why) if told else alone)


def _differs(page: Page, group: Compared) -> None:
    """What is not the same on both sides, as far as the traces tell."""
    page.head(tell(page.lang, "differs"))
    if not group.differs:
        page.paragraph(tell(page.lang, "same"), style="dim")
    for each in group.differs:
        base, candidate = (
            ", ".join(cut(value, LABEL) for value in side) or UNKNOWN
            for side in (each.base, each.candidate)
        )
        page.paragraph(f"{label(ASPECTS, page.lang, each.aspect)}: {base} → {candidate}")


def _moved(value: float | None, unit: str) -> str:
    """A difference with its sign: points for shares."""
    if value is None:
        return UNKNOWN
    told = f"{abs(value) * 100:.1f}" if unit == "share" else quantity(abs(value), unit)
    return f"{MINUS if value < 0 else '+'}{told}"


def _ends(interval: Ends | None, unit: str) -> str:
    if interval is None or interval[1] is None:
        return ""
    ends = [end if unit == "share" else two_digits(end) for end in (interval[0], interval[1])]
    return "…".join(_moved(end, unit) for end in ends)


def _bare(text: str) -> str:
    """A number of a table without the unit that the values beside it have."""
    return text.replace(" ms", "").replace("$", "")


def _equals(value: float) -> str:
    """A p value in a sentence: ``p = 0.0135``, ``p < 1e-4``."""
    told = p_value(value)
    return f"p < {told[1:]}" if told.startswith("<") else f"p = {told}"
