"""What a reader of a comparison must know before its words: each caveat with its counts."""

from __future__ import annotations

from collections.abc import Sequence

from trayecto.comparison import Caveat, Differs
from trayecto.decisions._arm import Side, Task
from trayecto.decisions._difference import ALPHA
from trayecto.decisions._pairing import Paired
from trayecto.stats.paired import smallest_p
from trayecto.stats.two_by_two import fisher_exact
from trayecto.trajectory import INVALID

BROKEN = INVALID - {"cancelled", "not_run"}  # these are missing, and nobody's fault
APART = 50  # one in so many is a difference of the shares of broken runs that is too much
OFTEN = 20  # one in so many broken runs is too much on either side
UNKNOWN = 0.05  # share of runs without a grade that is too much on either side


def caveats(
    base: Side, candidate: Side, paired: Paired, differs: Sequence[Differs]
) -> list[Caveat]:
    """Every caveat that holds, the gravest first."""
    found: list[Caveat] = []
    if base.trust.contradicted or candidate.trust.contradicted:
        found.append(
            Caveat(
                code="success_contradicts_trajectory",
                base=str(base.trust),
                candidate=str(candidate.trust),
            )
        )
    if infrastructure_differs(base, candidate):
        counts = [f"{_broken(side)} of {side.statuses.total()}" for side in (base, candidate)]
        found.append(Caveat(code="infrastructure_differs", base=counts[0], candidate=counts[1]))
    if any(map(_ungraded, _sides(paired))):
        counts = [f"{_ungraded(tasks)} of {_trials(tasks)}" for tasks in _sides(paired)]
        found.append(Caveat(code="not_graded", base=counts[0], candidate=counts[1]))
    clusters = len({pair.unit for pair in paired.pairs})
    if smallest_p(clusters) > ALPHA:
        found.append(
            Caveat(code="cannot_be_significant", base=str(clusters), candidate=str(clusters))
        )
    if len(differs) > 1:
        told = ", ".join(each.aspect for each in differs)
        found.append(Caveat(code="several_things_differ", base=told, candidate=told))
    if base.pooled:
        found.append(Caveat(code="pooled", base=str(base.pooled), candidate=str(candidate.pooled)))
    return found


def infrastructure_differs(base: Side, candidate: Side) -> bool:
    """Whether runs broke without the agent's fault: too many, or more on one side.

    Too many are over 5 % on either side; more on one side is 2 points, or Fisher's test at 0.05.
    """
    one, other = _broken(base), _broken(candidate)
    runs, others = base.statuses.total(), candidate.statuses.total()
    if not (runs and others) or not (one or other):
        return False
    # In whole numbers: 5 of 100 and 3 of 100 are 2 points apart, and not more.
    if max(one * others, other * runs) * OFTEN > runs * others:
        return True
    if abs(one * others - other * runs) * APART > runs * others:
        return True
    return fisher_exact(one, runs, other, others) < ALPHA


def grades_missing(paired: Paired) -> bool:
    """Whether more than 5 % of the runs of the paired tasks have no grade on either side."""
    return any(_ungraded(tasks) > UNKNOWN * _trials(tasks) for tasks in _sides(paired))


def _broken(side: Side) -> int:
    return sum(side.statuses[status] for status in BROKEN)


def _sides(paired: Paired) -> tuple[list[Task], list[Task]]:
    return [pair.base for pair in paired.pairs], [pair.candidate for pair in paired.pairs]


def _ungraded(tasks: list[Task]) -> int:
    return sum(task.trials - task.graded for task in tasks)


def _trials(tasks: list[Task]) -> int:
    return sum(task.trials for task in tasks)
