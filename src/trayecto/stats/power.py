"""How many tasks it takes: for a difference, for a margin, for a failure that never comes.

Sources: Miller 2024 (arXiv 2411.00640), for paired tasks with trials; Chow, Shao and Wang 2008
(Sample Size Calculations), for non-inferiority.
"""

from __future__ import annotations

from math import ceil, inf, log1p, sqrt

from msgspec import Struct

from trayecto.stats.clusters import check_finite
from trayecto.stats.distributions import normal_quantile, normal_tail

ALPHA, POWER = 0.05, 0.8
_NONE = 1e-9  # what differs by less is as good as equal: no number of tasks would tell


class Spread(Struct, frozen=True):
    """What varies: the difference between tasks, and the runs of each side, by their trials.

    The first three are variances. Raises ValueError for a negative one, and for trials below 1.
    """

    tasks: float
    runs: float = 0.0
    other_runs: float = 0.0
    trials: int = 1
    other_trials: int = 1

    def __post_init__(self) -> None:
        odd = next(
            (each for each in (self.tasks, self.runs, self.other_runs) if not 0 <= each < inf), None
        )
        if odd is not None:
            message = f"{odd!r} is no variance"
            raise ValueError(message)
        if min(self.trials, self.other_trials) < 1:
            message = f"trials {self.trials!r} and {self.other_trials!r} must be at least 1"
            raise ValueError(message)

    @property
    def variance(self) -> float:
        """The variance of one task's difference."""
        return self.tasks + self.runs / self.trials + self.other_runs / self.other_trials


def tasks_for_difference(
    spread: Spread, difference: float, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The tasks with which a two-sided test finds a difference; None of no difference.

    ``(z_(a/2) + z_b)^2 * variance / difference^2``, not rounded: whoever plans rounds up.
    Raises ValueError for a difference that is not finite, and for alpha or power beyond 0 to 1.
    """
    _check(alpha, power)
    return _tasks(spread, difference, alpha / 2, power)


def tasks_for_margin(
    spread: Spread,
    margin: float,
    difference: float = 0.0,
    *,
    alpha: float = ALPHA,
    power: float = POWER,
) -> float | None:
    """The tasks with which a one-sided bound keeps clear of minus the margin, or is beyond it.

    ``difference`` is the true one. None where it sits on the margin: no number decides then.
    ``((z_a + z_b) / (margin + difference))^2 * variance``, not rounded. Raises ValueError as above.
    """
    _check(alpha, power)
    return _tasks(spread, margin + difference, alpha, power)


def more_tasks(
    spread: Spread,
    tasks: int,
    difference: float,
    margin: float,
    *,
    alpha: float = ALPHA,
    power: float = POWER,
) -> int | None:
    """How many tasks to add to those there are, if what was seen so far is the truth.

    As ``tasks_for_margin``; 0 where there are enough. None where the difference sits on the margin:
    then no number of tasks, and none of trials, decides. Where nothing varies it is 0, and
    ``noninferiority.smallest_tasks`` says how many the bound takes. Raises ValueError as above, and
    for a negative number of tasks.
    """
    if tasks < 0:
        message = f"{tasks!r} is no number of tasks"
        raise ValueError(message)
    wanted = tasks_for_margin(spread, margin, difference, alpha=alpha, power=power)
    return None if wanted is None else max(0, ceil(wanted) - tasks)


def power_of(spread: Spread, difference: float, tasks: int, *, alpha: float = ALPHA) -> float:
    """The chance that a two-sided z test over so many tasks finds a difference, 0 to 1.

    Of no difference it is ``alpha``. Raises ValueError for fewer than one task, for a difference
    that is not finite, and for an alpha beyond 0 to 1.
    """
    _check(alpha, POWER)
    check_finite([difference])
    if tasks < 1:
        message = f"{tasks!r} is no number of tasks"
        raise ValueError(message)
    if not spread.variance:
        return 1.0 if difference else alpha
    shift = abs(difference) / sqrt(spread.variance / tasks)
    bound = normal_quantile(1 - alpha / 2)
    return normal_tail(bound - shift) + normal_tail(bound + shift)


def zero_failure_trials(rate: float, confidence: float = 0.95) -> int:
    """How many independent trials without a failure exclude so high a rate of failure.

    59 for 5 %, 299 for 1 %. Raises ValueError where rate or confidence is not between 0 and 1.
    """
    if not (0 < rate < 1 and 0 < confidence < 1):
        message = f"rate {rate!r} and confidence {confidence!r} must lie between 0 and 1"
        raise ValueError(message)
    return ceil(log1p(-confidence) / log1p(-rate))


def _tasks(spread: Spread, difference: float, tail: float, power: float) -> float | None:
    check_finite([difference])
    if abs(difference) < _NONE:
        return None
    # Less power than chance alone gives takes no task, and must not be squared into some.
    reach = max(0.0, normal_quantile(1 - tail) + normal_quantile(power)) / difference
    return reach * reach * spread.variance


def _check(alpha: float, power: float) -> None:
    if not (0 < alpha < 1 and 0 < power < 1):
        message = f"alpha {alpha!r} and power {power!r} must lie between 0 and 1"
        raise ValueError(message)
