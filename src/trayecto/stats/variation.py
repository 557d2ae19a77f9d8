"""How much runs of one task differ, and how much tasks do.

What limits an evaluation is the larger of the two: more trials help where runs differ, more tasks
where tasks do.

Sources: Fisher's one-way analysis of variance; Shrout and Fleiss 1979 (Psychol. Bull. 86), ICC(1);
the project's notes on statistics, 1.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from statistics import mean as exact_mean  # of equal values it is that value, to the last bit

from msgspec import Struct

from trayecto.stats.clusters import check_finite


class Components(Struct, frozen=True):
    """The variance within tasks, and between them (never negative); ``icc`` is the latter's share.

    ``icc`` is None where nothing varies.
    """

    within: float
    between: float
    icc: float | None


def components(trials: Sequence[Sequence[float]]) -> Components | None:
    """Both variances by a one-way analysis; None of fewer than two tasks, or single trials only.

    Tasks without a trial are left out. Raises ValueError for a value that is not finite.
    """
    tasks = [task for task in trials if len(task)]
    for task in tasks:
        check_finite(task)
    count, total = len(tasks), sum(map(len, tasks))
    if count < 2 or total == count:  # noqa: PLR2004  # a variance needs two
        return None
    means = [exact_mean(task) for task in tasks]
    grand = exact_mean([value for task in tasks for value in task])
    inside = fsum(
        (value - mean) ** 2 for task, mean in zip(tasks, means, strict=True) for value in task
    ) / (total - count)
    outside = fsum(
        len(task) * (mean - grand) ** 2 for task, mean in zip(tasks, means, strict=True)
    ) / (count - 1)
    size = (total - sum(len(task) ** 2 for task in tasks) / total) / (count - 1)
    between = max(0.0, (outside - inside) / size)
    whole = between + inside
    return Components(inside, between, between / whole if whole else None)


def outcome_agreement(trials: int, successes: int) -> float | None:
    """The chance that two runs of a task end alike, without bias; None of fewer than two trials.

    ``(C(c,2) + C(n-c,2)) / C(n,2)``, 0 to 1. Raises ValueError for counts that cannot be.
    """
    if not 0 <= successes <= trials:
        message = f"{successes!r} of {trials!r} is no count of successes"
        raise ValueError(message)
    if trials < 2:  # noqa: PLR2004  # two runs are compared
        return None
    failures = trials - successes
    alike = successes * (successes - 1) + failures * (failures - 1)
    return alike / (trials * (trials - 1))
