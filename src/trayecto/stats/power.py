"""How many tasks it takes: for a difference, for a margin, for a failure that never comes.

Sources: Miller 2024 (arXiv 2411.00640), for paired tasks with trials; Chow, Shao and Wang 2008
(Sample Size Calculations), for non-inferiority.
"""

from __future__ import annotations

from math import ceil, log, sqrt

from msgspec import Struct

from trayecto.stats.distributions import normal_quantile, normal_tail

ALPHA, POWER = 0.05, 0.8


class Spread(Struct, frozen=True):
    """What varies: the difference between tasks, and the runs of each side, by their trials."""

    tasks: float
    runs: float = 0.0
    other_runs: float = 0.0
    trials: int = 1
    other_trials: int = 1

    @property
    def variance(self) -> float:
        """The variance of one task's difference."""
        return self.tasks + self.runs / self.trials + self.other_runs / self.other_trials


def tasks_for_difference(
    spread: Spread, difference: float, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The tasks with which a two-sided test finds a difference; None of no difference.

    ``(z_(a/2) + z_b)^2 * variance / difference^2``, not rounded: whoever plans rounds up.
    """
    _check(alpha, power)
    if not difference:
        return None
    reach = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return reach * reach * spread.variance / (difference * difference)


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
    """
    _check(alpha, power)
    room = margin + difference
    if abs(room) < 1e-9:  # noqa: PLR2004  # as good as on the margin
        return None
    reach = normal_quantile(1 - alpha) + normal_quantile(power)
    return reach * reach * spread.variance / (room * room)


def power_of(spread: Spread, difference: float, tasks: int, *, alpha: float = ALPHA) -> float:
    """The chance that a two-sided test over so many tasks finds a difference, 0 to 1."""
    _check(alpha, POWER)
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
    return ceil(log(1 - confidence) / log(1 - rate))


def _check(alpha: float, power: float) -> None:
    if not (0 < alpha < 1 and 0 < power < 1):
        message = f"alpha {alpha!r} and power {power!r} must lie between 0 and 1"
        raise ValueError(message)
