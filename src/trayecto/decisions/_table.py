"""Several candidates beside one base: what each change was worth, and which are not outdone.

Read as an ablation, where each candidate is the base without one part: a difference of -4 points is
what that part was worth. Looking at many candidates finds one by chance, so that each p is Holm's,
and so is the word. The base has a row of its own, and may be one of those that are not outdone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from trayecto.comparison import SUCCESS, Candidate, Compared, Difference, Verdict
from trayecto.decisions._difference import judge
from trayecto.stats.multiplicity import holm
from trayecto.stats.pareto import pareto_front

COST = "cost_usd"


def table(groups: Iterable[Compared]) -> list[Candidate]:
    """The candidates of each suite."""
    by_suite: dict[str, list[Compared]] = {}
    for group in groups:
        by_suite.setdefault(group.suite, []).append(group)
    return [row for suite in sorted(by_suite) for row in _rows(suite, by_suite[suite])]


def _rows(suite: str, groups: Sequence[Compared]) -> list[Candidate]:
    """A row for the base, then one for each candidate of a suite."""
    found = [group.metrics.get(SUCCESS) for group in groups]
    costs = [_whole(group.metrics.get(COST)) for group in groups]
    adjusted = _adjusted(found)
    rows = [_base(suite, groups[0].base, found, costs)]
    rows += [
        Candidate(
            suite=suite,
            candidate=group.candidate,
            base=False,
            success=None if success is None else success.candidate,
            cost_usd=None if cost is None else cost.candidate,
            difference=None if success is None else success.difference,
            interval=None if success is None else success.interval,
            p_adjusted=p_value,
            verdict=_word(success, p_value),
            trusted=success is None or success.trusted,
            cost_ratio=None if cost is None or cost.ratio is UNSET else cost.ratio.value,
            front=None,
        )
        for group, success, cost, p_value in zip(groups, found, costs, adjusted, strict=True)
    ]
    spoken = [True, *(success is not None and success.why is UNSET for success in found)]
    return _with_front(rows, spoken)


def _whole(cost: Difference | None) -> Difference | None:
    """A cost that all runs tell: of a part of them it would look cheap, or dear."""
    return cost if cost is not None and cost.complete else None


def _base(
    suite: str,
    name: str,
    found: Sequence[Difference | None],
    costs: Sequence[Difference | None],
) -> Candidate:
    """The row of the base: its mean over the most tasks that it shares with any candidate."""
    known = [each for each in found if each is not None and each.base is not None]
    success = max(known, key=lambda each: each.tasks, default=None)
    priced = [each for each in costs if each is not None]
    cost = max(priced, key=lambda each: each.tasks, default=None)
    return Candidate(
        suite=suite,
        candidate=name,
        base=True,
        success=None if success is None else success.base,
        cost_usd=None if cost is None else cost.base,
        difference=None,
        interval=None,
        p_adjusted=None,
        verdict=None,
        trusted=all(each.trusted for each in known),
        cost_ratio=None,
        front=None,
    )


def _word(success: Difference | None, p_value: float | None) -> Verdict | None:
    """The word by the adjusted p; none where none was said of this candidate alone."""
    if success is None or success.verdict is None or success.why is not UNSET:
        return None if success is None else success.verdict
    return judge(replace(success, p_value=p_value))


def _adjusted(found: Sequence[Difference | None]) -> list[float | None]:
    """Holm's p of each success; None where there is none."""
    known = [
        (at, each.p_value) for at, each in enumerate(found) if each and each.p_value is not None
    ]
    values = holm([value for _, value in known])
    places = {at: value for (at, _), value in zip(known, values, strict=True)}
    return [places.get(at) for at in range(len(found))]


def _with_front(rows: Sequence[Candidate], spoken: Sequence[bool]) -> list[Candidate]:
    """Whether no other row is as cheap and as good; None where cost or success is unknown.

    A row of whose success nothing is said outdoes nobody.
    """
    points = {
        str(at): (row.cost_usd, row.success)
        for at, row in enumerate(rows)
        if row.cost_usd is not None and row.success is not None and spoken[at]
    }
    front = set(pareto_front(points))
    return [
        replace(row, front=str(at) in front) if str(at) in points else row
        for at, row in enumerate(rows)
    ]
