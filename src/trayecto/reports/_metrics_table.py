"""The numbers of one group: a table of what was measured, then what was not, each reason once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from msgspec import UNSET, Struct
from rich.cells import cell_len

from trayecto.document import Group
from trayecto.figures import Metric, Metrics, PassK
from trayecto.reports._marks import (
    SEPARATOR,
    SHORT,
    UNKNOWN,
    bar,
    bound,
    hatch,
    percent,
    quantity,
    span,
)
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._reasons import reason
from trayecto.reports._safe import safe
from trayecto.reports._words import FAMILIES, METRICS, label, name_metric, position
from trayecto.scores import NOT_ASKED

_SMALL_K = 4  # every k up to here has its row, then the largest
_VALUE, _SPAN, _BAR, _RUNS = 8, 6, 20, 8
_HATCH = 10
_WHO, _COUNT = 25, 10
_REASONS = 10  # reasons that are listed
_TOLD = 3  # reasons that are told of one metric
_WIDEST_NAME, _WIDEST_VALUE = 40, 14
_HEADS = {"name": "metric", "value": "value", "span": "interval", "bar": "axis", "runs": "runs"}


class _Row(Struct, frozen=True):
    """One number as it is printed."""

    name: str
    value: str
    span: str
    bar: str
    runs: str
    mark: str = ""


class _Gap(Struct):
    """A reason with the metrics that it takes away: in ``n`` of ``of`` runs, or (0) in all.

    A metric that has no value at all may have several.
    """

    whys: tuple[str, ...]
    n: int
    of: int
    ids: list[str]


def table(page: Page, group: Group, prices: str | None) -> None:
    """Print what was measured: a metric a row, then what its marks mean, and the bill."""
    rows = list(_rows(page, group.metrics))
    if not rows:
        return
    columns = _columns(page, rows)
    heads = [page.say(_HEADS[field]) if field in _HEADS else "" for field in columns]
    page.gap()
    page.row([*columns.values()], heads, style="dim")
    for row in rows:
        page.row([*columns.values()], [getattr(row, field) for field in columns])
    _legend(page, group.metrics)
    _money(page, group.metrics, prices)


def _columns(page: Page, rows: list[_Row]) -> dict[str, Column]:
    """The columns by the field that they show: interval and mark only where a row has one."""
    wide = {
        field: max(len(getattr(row, field)) for row in rows) for field in _Row.__struct_fields__
    }
    columns = {
        "value": Column(min(max(_VALUE, wide["value"]), _WIDEST_VALUE), "right", "bold"),
        "mark": Column(len(SHORT), style="yellow"),
        "span": Column(max(wide["span"], _SPAN), "right", "dim"),
        "bar": Column(_BAR),
        "runs": Column(max(_RUNS, wide["runs"]), "right", "dim"),
    }
    shown = {field: each for field, each in columns.items() if wide[field] or field == "bar"}
    rest = sum(column.width + GAP for column in shown.values())
    return {"name": Column(min(page.width - rest, _WIDEST_NAME))} | shown


def _legend(page: Page, metrics: Metrics) -> None:
    """Say what the marks mean, each with its bound, in the order of the rows."""
    told: dict[str, list[str]] = {}
    for metric in sorted(metrics, key=position):
        found = metrics[metric]
        if isinstance(found, Metric) and found.short is True and found.goal is not UNSET:
            key = "short" if metric in METRICS else "short_own"
            told.setdefault(key, []).append(bound(found.goal, found.unit))
    for key, bounds in told.items():
        page.paragraph(page.say(key, mark=SHORT, bounds=", ".join(bounds)), style="dim")


def _money(page: Page, metrics: Metrics, prices: str | None) -> None:
    cost = metrics.get("cost_usd")
    if not isinstance(cost, Metric) or cost.value is None:
        return
    told = []
    if cost.total is not UNSET and cost.total is not None:
        told.append(page.say("total_cost", value=quantity(cost.total, "usd")))
    if prices is not None:
        told.append(page.say("prices", source=safe(prices)))
    if told:
        page.paragraph(" ".join(told), style="dim")


def _rows(page: Page, metrics: Metrics) -> Iterator[_Row]:
    success = metrics.get("task_success")
    for metric in sorted(metrics, key=position):
        found = metrics[metric]
        if not isinstance(found, Metric):
            yield from _pass_rows(page, metric, found, success)
        elif found.value is not None:
            yield _row(page, metric, found)


def _row(page: Page, metric: str, found: Metric) -> _Row:
    value = found.value or 0.0
    interval = found.interval
    return _Row(
        name_metric(page.lang, metric),
        quantity(value, found.unit),
        "" if interval is None else span(interval, found.unit),
        bar(value, interval) if found.unit == "share" else "",
        page.say("n_over", n=found.n, of=found.of),
        SHORT if found.short is True else "",
    )


def _pass_rows(
    page: Page, metric: str, found: dict[str, PassK], success: Metric | dict[str, PassK] | None
) -> Iterator[_Row]:
    """A row for each k; not for k = 1 where it repeats the success rate in the row above."""
    ks = sorted(int(k) for k in found)
    told = success.value if isinstance(success, Metric) else None
    for k in ks:
        one = found[str(k)]
        if one.available is None or (k > _SMALL_K and k != ks[-1]):
            continue
        if k == 1 and one.value is not None and one.value == told:
            continue
        name = name_metric(page.lang, metric, k=k)
        everywhere = one.value is not None
        tasks = page.say("tasks", n=one.tasks)
        yield _Row(
            name if everywhere else page.say("where_tried", name=name),
            percent(one.available),
            "" if one.interval is None else span(one.interval, "share"),
            bar(one.available, one.interval),
            tasks if everywhere else page.say("n_of_tasks", n=one.tasks, of=one.of),
        )


def unmeasured(page: Page, group: Group, *, compact: bool) -> None:
    """Print what could not be measured: each reason once, with the metrics it takes away.

    ``compact`` only names the metrics that have no value at all.
    """
    gaps = _gaps(group.metrics, page.say("ungraded"))
    if compact:
        gaps = [gap for gap in gaps if not gap.n]
        names = [name for gap in gaps for name in _names(page, gap.ids, group.metrics)]
        if names:
            page.paragraph(page.say("not_measured", names=", ".join(names)), style="dim")
        return
    if not gaps:
        return
    page.head(page.say("unmeasured"))
    shown = gaps if len(gaps) <= _REASONS + 1 else gaps[:_REASONS]
    counts = [page.say("n_of", n=gap.n, of=gap.of) if gap.n else UNKNOWN for gap in shown]
    width = max(_COUNT, *map(len, counts))
    for gap, count in zip(shown, counts, strict=True):
        told = ", ".join(_names(page, gap.ids, group.metrics))
        _print_gap(page, gap, told, (count, width))
    if len(gaps) > len(shown):
        page.line((page.say("more_reasons", n=len(gaps) - len(shown)), "dim"))


def _print_gap(page: Page, gap: _Gap, told_names: str, counted: tuple[str, int]) -> None:
    count, width = counted
    told = page.width - _WHO - width - _HATCH - 3 * GAP
    mark = hatch(gap.n / gap.of if gap.n else 1, _HATCH)
    names = page.wrap(told_names, _WHO)
    reasons = SEPARATOR.join(safe(reason(page.lang, why)) for why in gap.whys)
    columns = [Column(_WHO), Column(width, "right"), Column(_HATCH), Column(told)]
    for number, (name, why) in enumerate(
        zip_longest(names, page.wrap(reasons, told), fillvalue="")
    ):
        cells = [name, "" if number else count, "" if number else mark, why]
        page.row(columns, cells, style="dim")


def _names(page: Page, ids: list[str], metrics: Metrics) -> list[str]:
    """The metrics' names; one name for a family that is there with all its members."""
    families = [metric.partition(".")[0] for metric in ids]
    members = [metric.partition(".")[0] for metric in metrics]
    found: dict[str, None] = {}
    for metric, family in zip(ids, families, strict=True):
        if family in FAMILIES and 1 < members.count(family) == families.count(family):
            found[label(FAMILIES, page.lang, family)] = None
        else:
            found[safe(name_metric(page.lang, metric, k="k"))] = None
    return list(found)


def _gaps(metrics: Metrics, ungraded: str) -> list[_Gap]:
    """Every reason with its metrics: first what has no value at all, then the most runs first.

    What no case asks for is no gap.
    """
    found: dict[tuple[tuple[str, ...], int, int], _Gap] = {}
    for metric in sorted(metrics, key=position):
        for whys, n, of in _missing(metrics[metric], ungraded):
            found.setdefault((whys, n, of), _Gap(whys, n, of, [])).ids.append(metric)
    return sorted(found.values(), key=lambda gap: (gap.n > 0, -gap.n))


def _missing(
    found: Metric | dict[str, PassK], ungraded: str
) -> Iterator[tuple[tuple[str, ...], int, int]]:
    if not isinstance(found, Metric):
        if not any(one.available is not None for one in found.values()):
            yield (ungraded,), 0, 0
        return
    whys = {} if found.undefined is UNSET else found.undefined
    if found.value is None and [*whys] == [NOT_ASKED]:
        return
    if found.value is None:
        yield tuple(whys)[:_TOLD] or (found.why or ungraded,), 0, 0
        return
    for why, n in whys.items():
        yield (why,), n, found.of


def headline(page: Page, group: Group) -> None:
    """Print the share of success, from how many runs, and the other denominator if it differs."""
    success = group.metrics.get("task_success")
    if not isinstance(success, Metric):
        return
    known = success.value is not None
    mark = percent(success.value or 0.0) if known else f"{UNKNOWN} {hatch(1, 8)}"
    told = [
        page.say("succeeded", n=group.succeeded, of=group.trajectories),
        page.say("failed", n=group.failed),
    ]
    if group.ungraded:
        told.append(page.say("left_ungraded", n=group.ungraded))
    mean = page.say("mean", n=success.tasks)
    name = name_metric(page.lang, "task_success")
    why = page.say("not_known") if success.why is UNSET else reason(page.lang, success.why)
    beside = SEPARATOR.join(told) if known else safe(why)
    start = f"{name[:1].upper()}{name[1:]}  {mark}   "
    fits = known and cell_len(f"{start}{beside}{SEPARATOR}{mean}") <= page.width
    page.line((start, "bold"), (f"{beside}{SEPARATOR}{mean}" if fits else beside, ""))
    fair = success.capability
    if fair is not UNSET and fair is not None and fair != success.operational:
        page.paragraph(page.say("capability", value=percent(fair)), indent=2)


def headline_cell(group: Group) -> str:
    """The share of success as one cell of a table of groups."""
    success = group.metrics.get("task_success")
    if not isinstance(success, Metric) or success.value is None:
        return UNKNOWN
    return percent(success.value)
