"""How much more would decide: of tasks, of trials, or that no number of them can.

Taken from the differences that were seen, as if they were the true ones, for a power of 0.8: so
many tasks that the test would find the difference, or the bound exclude the margin. Of one yes or
no a task that is the power of McNemar's exact test, else Miller's formula. Clusters stay as large
as they are. A permutation of signs also wants six units that move, and the bound so many tasks that
it can pass at all. More trials of the same tasks are named where the runs of a task differ more
than the tasks do.

Source: the project's notes on statistics, 1.6 and 1.7; Miller 2024 (arXiv 2411.00640).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, fsum

from msgspec import UNSET, Struct

from trayecto.comparison import Difference, MoreEvidence
from trayecto.decisions._arm import Task
from trayecto.decisions._pairing import Pair, Paired
from trayecto.stats.clusters import ROUNDING, cluster_sums, clustered_mean
from trayecto.stats.distributions import binomial_tail
from trayecto.stats.noninferiority import MOST, smallest_tasks
from trayecto.stats.power import (
    POWER,
    Spread,
    mcnemar_tasks,
    tasks_for_difference,
    tasks_for_margin,
)

MOVED = 6  # units: with fewer no test of signs reaches 0.05
NO_DIFFERENCE = "no difference was seen, and no number of tasks finds none; a margin can be decided"
ON_THE_MARGIN = "the difference sits on the margin: no number of tasks or trials decides"
ENOUGH = "by the usual formula as many tasks as there are would do; this time they did not"
TOO_MANY = "it would take more than a million tasks"
BY_TASKS = "the tasks differ more than the runs of each: more trials of them would not do"
BY_TRIALS = "the runs of a task differ more than the tasks: more trials of each would do as well"
FEW = "so few tasks do not decide, however many trials each has"
SOME_SINGLE = "some tasks have one trial, and nobody can tell whether more trials would do"
SINGLE = "with one trial a task nobody can tell whether more trials would do"


class _Seen(Struct, frozen=True):
    """What the graded tasks came to: their difference, and the variance of a task.

    ``within`` is what the runs of a task put into that, None where a task has a single run.
    ``moved`` are the units that differ, ``restless`` those that do or might, as their runs differ.
    """

    tasks: int
    clusters: int
    moved: int
    restless: int
    difference: float
    variance: float
    within: float | None


def more_evidence(success: Difference | None, paired: Paired) -> MoreEvidence | None:
    """What would decide an undecided success; None where it is decided, or nothing is said of it.

    A margin that was given is what is to be decided, else whether there is a difference.
    """
    if success is None or success.verdict != "undecided" or success.why is not UNSET:
        return None
    seen = _see(paired)
    margin = None if success.margin is UNSET else success.margin.margin
    if margin is None and success.test == "mcnemar_exact" and success.difference:
        lost, won = success.lost / success.tasks, success.won / success.tasks
        return _told(mcnemar_tasks(lost, won), (None, SINGLE), seen, paired)
    wanted = _tasks(seen, seen.variance, margin)
    if wanted is None:
        why = NO_DIFFERENCE if margin is None else ON_THE_MARGIN
        return MoreEvidence(tasks=None, trials=None, why=why)
    enough = ceil(max(wanted, _least(seen, margin)))
    return _told(enough, _trials(seen, margin, paired), seen, paired)


def _told(
    enough: int | None, trials: tuple[int | None, str], seen: _Seen, paired: Paired
) -> MoreEvidence:
    """So many tasks in all, as what is to be added to those there are."""
    more = MOST + 1 if enough is None else enough - seen.tasks
    number, why = trials
    if more <= 0:
        return MoreEvidence(tasks=None, trials=None, why=ENOUGH)
    if more > MOST:
        return MoreEvidence(tasks=None, trials=number, why=TOO_MANY if number is None else why)
    return MoreEvidence(
        tasks=more,
        trials=number,
        why=why,
        clusters=ceil(more * seen.clusters / seen.tasks) if paired.declared else UNSET,
    )


def _see(paired: Paired) -> _Seen:
    pairs = [pair for pair in paired.pairs if pair.base.graded and pair.candidate.graded]
    units = [pair.unit for pair in pairs] if paired.declared else None
    differences = [_share(pair.candidate) - _share(pair.base) for pair in pairs]
    found = clustered_mean(differences, units)
    if found is None or found.error is None:  # then there is no verdict, and nobody asks
        raise AssertionError
    runs = [_of_runs(pair) for pair in pairs]
    known = [each for each in runs if each is not None]
    variance = found.error**2 * found.n  # of one task, as much as clusters make of it
    within = min(variance, fsum(known) / len(known)) if len(known) == len(runs) else None
    moved = [abs(each) > ROUNDING for each in cluster_sums(differences, units)]
    alive = [each + (run or 0.0) for each, run in zip(map(abs, differences), runs, strict=True)]
    restless = sum(each > ROUNDING for each in cluster_sums(alive, units))
    return _Seen(found.n, found.clusters, sum(moved), restless, found.mean, variance, within)


def _tasks(seen: _Seen, variance: float, margin: float | None) -> float | None:
    """The tasks that it takes in all; None where no number does."""
    if margin is None:
        return tasks_for_difference(Spread(variance), seen.difference)
    return tasks_for_margin(Spread(variance), margin, seen.difference)


def _least(seen: _Seen, margin: float | None) -> int:
    """The tasks without which no outcome decides, whatever the variance.

    Of signs: so many that six units move with the power that is wanted. Of none that moved the
    smallest number is taken.
    """
    size = seen.tasks / seen.clusters
    if margin is not None:
        return smallest_tasks(margin, size=size) or MOST + 1
    rate, units = max(seen.moved, 1) / seen.clusters, MOVED
    while units < MOST and binomial_tail(MOVED, units, rate) < POWER:
        units += 1 + units // 50
    return ceil(units * size)


def _trials(seen: _Seen, margin: float | None, paired: Paired) -> tuple[int | None, str]:
    """How many more trials of each task do as well, if the runs are what differs."""
    if seen.within is None or 2 * seen.within <= seen.variance:
        alone = SINGLE if _fewest(paired.pairs, max) == 1 else SOME_SINGLE
        return None, alone if seen.within is None else BY_TASKS
    if seen.restless < MOVED if margin is None else seen.tasks < _least(seen, margin):
        return None, FEW
    always = _tasks(seen, seen.variance - seen.within, margin) or 0.0  # with any number of trials
    now = _tasks(seen, seen.variance, margin) or 0.0
    if always >= seen.tasks:
        return None, BY_TASKS
    least = _fewest(paired.pairs, min)
    more = ceil(least * (now - always) / (seen.tasks - always)) - least
    return (more, BY_TRIALS) if more > 0 else (None, FEW)


def _fewest(pairs: Sequence[Pair], of: Callable[[list[int]], int]) -> int:
    """The graded trials that a task has on both sides: the least or the most of all tasks."""
    each = [min(pair.base.graded, pair.candidate.graded) for pair in pairs]
    return of([count for count in each if count])


def _of_runs(pair: Pair) -> float | None:
    """The variance that the runs of one task put into its difference; None of single trials."""
    found = 0.0
    for task in (pair.base, pair.candidate):
        if task.graded < 2:  # noqa: PLR2004  # a variance needs two
            return None
        share = _share(task)
        found += share * (1 - share) / (task.graded - 1)
    return found


def _share(task: Task) -> float:
    return task.succeeded / task.graded
