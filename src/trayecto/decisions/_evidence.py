"""How much more would decide: of tasks, of trials, or that no number of them can.

Taken from the differences that were seen, as if they were the true ones, for a power of 0.8: so
many tasks that the test would find the difference, or the bound exclude the margin. More trials of
the same tasks are named where the runs of a task differ more than the tasks do.

Source: the project's notes on statistics, 1.7; Miller 2024 (arXiv 2411.00640).
"""

from __future__ import annotations

from math import ceil, fsum

from msgspec import UNSET

from trayecto.comparison import Difference, MoreEvidence
from trayecto.decisions._arm import Task
from trayecto.decisions._pairing import Pair, Paired
from trayecto.stats.distributions import normal_quantile

ALPHA, POWER = 0.05, 0.8
NEGLIGIBLE = 1e-9
LARGEST = 1_000_000  # tasks: more is no advice
NO_DIFFERENCE = "no difference was seen, and no number of tasks finds none; a margin can be decided"
ON_THE_MARGIN = "the difference sits on the margin: no number of tasks or trials decides"
BY_TASKS = "the tasks differ more than the runs of each: more trials of them would not do"
BY_TRIALS = "the runs of a task differ more than the tasks: more trials of each would do as well"
SINGLE = "with one trial a task nobody can tell whether more trials would do"
ALIKE = "every task differs by the same: nothing tells how many it would take"


def more_evidence(
    success: Difference | None, paired: Paired, margin: float | None
) -> MoreEvidence | None:
    """What would decide an undecided success; None where it is decided, or was not compared."""
    if success is None or success.verdict != "undecided" or success.difference is None:
        return None
    effect = success.difference + (margin or 0.0)
    if abs(effect) < NEGLIGIBLE:
        return MoreEvidence(
            tasks=None, trials=None, why=NO_DIFFERENCE if margin is None else ON_THE_MARGIN
        )
    spread, within = _variances(paired.pairs, success.difference)
    if not spread:
        return MoreEvidence(tasks=None, trials=None, why=ALIKE)
    alpha = ALPHA if success.margin is not UNSET else ALPHA / 2
    reach = (normal_quantile(1 - alpha) + normal_quantile(POWER)) / effect
    count = len(paired.pairs)
    more = max(1, ceil(reach * reach * spread) - count)
    tasks = more if more <= LARGEST else None
    if within is None:
        return MoreEvidence(tasks=tasks, trials=None, why=SINGLE)
    room = count / (reach * reach) - (spread - within)
    if 2 * within <= spread or room <= 0:
        return MoreEvidence(tasks=tasks, trials=None, why=BY_TASKS)
    trials = min(min(pair.base.graded, pair.candidate.graded) for pair in paired.pairs)
    return MoreEvidence(
        tasks=tasks, trials=max(1, ceil(trials * within / room) - trials), why=BY_TRIALS
    )


def _variances(pairs: list[Pair], mean: float) -> tuple[float, float | None]:
    """The variance of the tasks' differences, and what the runs of a task put into it.

    The second is None where a task has one trial on a side: nobody can tell the two apart.
    """
    graded = [pair for pair in pairs if _graded(pair)]
    if len(graded) < 2:  # noqa: PLR2004  # a variance needs two
        return (0.0, None)
    differences = [_share(pair.candidate) - _share(pair.base) for pair in graded]
    spread = fsum((each - mean) ** 2 for each in differences) / (len(differences) - 1)
    runs = [_of_runs(pair) for pair in graded]
    known = [each for each in runs if each is not None]
    return (spread, min(spread, fsum(known) / len(known)) if len(known) == len(runs) else None)


def _of_runs(pair: Pair) -> float | None:
    """The variance that the runs of one task put into its difference; None of single trials."""
    found = 0.0
    for task in (pair.base, pair.candidate):
        if task.graded < 2:  # noqa: PLR2004  # a variance needs two
            return None
        share = _share(task)
        found += share * (1 - share) / (task.graded - 1)
    return found


def _graded(pair: Pair) -> bool:
    return bool(pair.base.graded and pair.candidate.graded)


def _share(task: Task) -> float:
    return task.succeeded / task.graded
