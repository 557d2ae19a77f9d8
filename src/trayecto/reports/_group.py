"""One candidate on one suite: headline, numbers, where the failed runs broke, right answers."""

from __future__ import annotations

from rich.cells import cell_len

from trayecto.document import OTHER, Blame, Group, RightAnswers
from trayecto.reports._checks import checks
from trayecto.reports._codes import CAUSES, STATUSES
from trayecto.reports._fit import cut
from trayecto.reports._marks import UNKNOWN, amount, percent
from trayecto.reports._metrics_table import headline, table, unmeasured
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._people import people
from trayecto.reports._reasons import reason
from trayecto.reports._safe import safe
from trayecto.reports._strata import strata
from trayecto.reports._tools import confused, dear
from trayecto.reports._words import label, name_metric
from trayecto.scores import Kind

ABSENT: frozenset[Kind | None] = frozenset({"never_done", "value_never_said"})
_CAUSES = 6  # lines of the table of causes
_PAIRS = 4  # lines of confused tools
_FEW = 3  # lines of anything else, and of the causes where there are many groups
_TITLE = 16  # columns that a candidate's name has in any case
_RUNS, _SHARE, _TURN = 4, 7, 5
_EXAMPLE = 12
_ID, _CASE = 30, 16


def block(page: Page, group: Group, prices: str | None, *, compact: bool) -> None:
    """Print one group; ``compact`` leaves out what has no value, most causes, and single tools."""
    page.series(_endings(page, group), style="dim")
    page.gap()
    headline(page, group)
    table(page, group, prices)
    unmeasured(page, group, compact=compact)
    if not compact:
        strata(page, group)
    checks(page, group, compact=compact)
    _where(page, group, _FEW if compact else _CAUSES)
    if not compact:
        confused(page, group, _PAIRS)
        dear(page, group.dear_steps, _FEW)
        people(page, group.human)
    _right_answers(page, group.right_answers, 0 if compact else _FEW)


def title(page: Page, group: Group, formats: list[str]) -> None:
    """Print what the group is and how much was read of it, on two lines where one is too short."""
    names = [name for name in dict.fromkeys([group.suite, *formats]) if name]
    counts = [page.say("trajectories", n=group.trajectories), tasks_by_trials(page, group)]
    told = [[safe(name) for name in names], counts]
    beside = "".join(f"   {each}" for part in told for each in part)
    if cell_len(beside) + min(cell_len(safe(group.candidate)), _TITLE) > page.width:
        beside = "".join(f"   {each}" for each in told[0])
    else:
        counts = []
    room = max(page.width - cell_len(beside), _TITLE)
    page.line((cut(group.candidate, room), "bold"), (beside, ""))
    if counts:
        page.series(counts)


def tasks_by_trials(page: Page, group: Group) -> str:
    """``50 tasks × 4 trials`` where every task has as many, else the tasks alone."""
    if group.trials is None:
        return page.say("tasks", n=group.tasks)
    trials = page.say("trial_count", n=group.trials)
    return page.say("trials", n=group.tasks, trials=trials)


def _endings(page: Page, group: Group) -> list[str]:
    """How runs and calls ended, in counts."""
    calls = group.calls
    told = [
        f"{amount(n)} {safe(label(STATUSES, page.lang, status, n=n))}"
        for status, n in sorted(group.statuses.items(), key=lambda item: -item[1])
    ]
    told.append(page.say("calls", n=calls.total))
    if calls.error:
        told.append(page.say("errors", n=calls.error))
    if calls.unknown:
        told.append(page.say("outcome_unknown", n=calls.unknown))
    return told


def _where(page: Page, group: Group, limit: int) -> None:
    """Print where failed runs broke: steps first, then what no step did, then what nobody knows."""
    blames = group.attribution
    if not blames:
        return
    page.head(page.say("where", n=group.failed))
    named = [blame for blame in blames if blame.cause is not None]
    shown = named if len(named) <= limit + 1 else named[:limit]
    columns = _columns(page, shown)
    if shown:
        heads = [page.say(key) for key in ("runs", "share", "tool", "cause", "turn", "example")]
        page.row(columns, [heads[0], *heads[1:]], style="dim")
    for blame in shown:
        if blame.cause not in ABSENT:
            _print_blame(page, columns, blame)
    absent = [blame for blame in shown if blame.cause in ABSENT]
    if absent:
        page.line((page.say("absent"), "dim"))
    for blame in absent:
        _print_blame(page, columns, blame)
    _rest(page, columns, "more_causes", len(named) - len(shown))
    lost = [blame for blame in blames if blame.cause is None]
    _unnamed(page, columns, [blame for blame in lost if blame.why != OTHER])
    for blame in lost:
        if blame.why == OTHER:
            together = [amount(blame.trajectories), percent(blame.share), page.say("rare")]
            page.row(_counts(page, columns), together, style="dim")


def _columns(page: Page, blames: list[Blame]) -> list[Column]:
    """The columns of the table of causes: tools as wide as they are, the rest for the example."""
    cause = max((len(label(CAUSES, page.lang, blame.cause or "")) for blame in blames), default=0)
    cause = max(cause, len(page.say("cause")))
    counts = [len(amount(blame.trajectories)) for blame in blames]
    runs = max(_RUNS, len(page.say("runs")), *counts)
    free = page.width - runs - _SHARE - _TURN - cause - 5 * GAP
    tool = max((cell_len(safe(blame.tool or "")) for blame in blames), default=0)
    tool = max(min(tool, free - _EXAMPLE), len(page.say("tool")))
    return [
        Column(runs, "right"),
        Column(_SHARE, "right"),
        Column(tool),
        Column(cause),
        Column(_TURN, "right", "dim"),
        Column(free - tool, "left", "dim", "end"),
    ]


def _print_blame(page: Page, columns: list[Column], blame: Blame) -> None:
    known = blame.turn is not None and blame.cause != "never_done"
    cells = [
        amount(blame.trajectories),
        percent(blame.share),
        blame.tool or UNKNOWN,
        label(CAUSES, page.lang, blame.cause or UNKNOWN),
        amount(blame.turn or 0) if known else UNKNOWN,
        blame.example,
    ]
    page.row(columns, cells)


def _counts(page: Page, columns: list[Column]) -> list[Column]:
    """The columns of a line without tool and example: runs, share, and words."""
    first, second = columns[:2]
    return [first, second, Column(page.width - first.width - second.width - 2 * GAP)]


def _rest(page: Page, columns: list[Column], word: str, left: int) -> None:
    """Say how many lines are left out: what they come to, the document does not hold."""
    if left > 0:
        page.row(_counts(page, columns), ["", "", page.say(word, n=left)], style="dim")


def _unnamed(page: Page, columns: list[Column], blames: list[Blame]) -> None:
    """Print the failed runs for which no rule names a cause, with the reasons."""
    if not blames:
        return
    page.line((page.say("unnamed"), "dim"))
    first, second = columns[:2]
    free = page.width - first.width - second.width - 3 * GAP
    example = min(max(cell_len(safe(blame.example)) for blame in blames), free // 3)
    wide = [first, second, Column(free - example), Column(example, "left", "dim", "end")]
    for blame in blames[:_FEW]:
        why = reason(page.lang, blame.why or UNKNOWN)
        page.row(wide, [amount(blame.trajectories), percent(blame.share), why, blame.example])
    _rest(page, columns, "more_reasons", len(blames) - _FEW)


def _right_answers(page: Page, right: RightAnswers, limit: int) -> None:
    """Print the runs that succeeded by a path that fails a check: the first ones by name."""
    if not right.count:
        return
    page.head(page.say("right"), page.say("of_successes", n=right.count, of=right.of))
    shown = right.examples[:limit]
    if not shown:
        return
    width = min(max(cell_len(safe(each.id)) for each in shown), _ID)
    width = max(width, len(page.say("example")))
    case = min(max(cell_len(safe(each.case)) for each in shown), _CASE)
    case = max(case, len(page.say("case_head")))
    rest = page.width - width - case - 2 * GAP
    columns = [Column(width, keep="end"), Column(case, "left", "dim"), Column(rest)]
    page.row(
        columns, [page.say(key) for key in ("example", "case_head", "failed_head")], style="dim"
    )
    for each in shown:
        failed = ", ".join(name_metric(page.lang, metric) for metric in each.failed)
        page.row(columns, [each.id, each.case, failed])
    if right.count > len(shown):
        page.line((page.say("more", n=right.count - len(shown)), "dim"))
