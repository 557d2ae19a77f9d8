"""Several candidates beside one base: what each change was worth, and which are not outdone.

Read as an ablation, where each candidate is the base without one part: a difference of -4 points is
what that part was worth. Looking at many candidates finds one by chance, so that each p is Holm's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UNSET

from trayecto.comparison import Candidate, Compared, Difference
from trayecto.stats.multiplicity import holm
from trayecto.stats.pareto import pareto_front

SUCCESS, COST = "task_success", "cost_usd"


def table(groups: Iterable[Compared]) -> list[Candidate]:
    """The candidates of each suite."""
    by_suite: dict[str, list[Compared]] = {}
    for group in groups:
        by_suite.setdefault(group.suite, []).append(group)
    return [row for suite in sorted(by_suite) for row in _rows(suite, by_suite[suite])]


def _rows(suite: str, groups: Sequence[Compared]) -> list[Candidate]:
    """A row for each candidate of a suite."""
    found = [group.metrics.get(SUCCESS) for group in groups]
    costs = [group.metrics.get(COST) for group in groups]
    adjusted = _adjusted(found)
    front = _front(found, costs)
    return [
        Candidate(
            suite=suite,
            candidate=group.candidate,
            success=None if success is None else success.candidate,
            cost_usd=None if cost is None else cost.candidate,
            difference=None if success is None else success.difference,
            interval=None if success is None else success.interval,
            p_adjusted=adjusted[at],
            verdict=None if success is None else success.verdict,
            trusted=success is None or success.trusted,
            cost_ratio=None if cost is None or cost.ratio is UNSET else cost.ratio.value,
            front=front[at],
        )
        for at, (group, success, cost) in enumerate(zip(groups, found, costs, strict=True))
    ]


def _adjusted(found: Sequence[Difference | None]) -> list[float | None]:
    """Holm's p of each success; None where there is none."""
    known = [(at, each.p_value) for at, each in enumerate(found) if each and each.p_value]
    values = holm([value for _, value in known])
    places = {at: value for (at, _), value in zip(known, values, strict=True)}
    return [places.get(at) for at in range(len(found))]


def _front(
    found: Sequence[Difference | None], costs: Sequence[Difference | None]
) -> list[bool | None]:
    """Whether no other candidate is as cheap and as good; None where cost or success is unknown."""
    points = {
        str(at): (cost.candidate, success.candidate)
        for at, (success, cost) in enumerate(zip(found, costs, strict=True))
        if success and cost and success.candidate is not None and cost.candidate is not None
    }
    front = set(pareto_front(points))
    return [str(at) in front if str(at) in points else None for at in range(len(found))]
