"""How many tasks it takes: for a difference, for a margin, for a failure that never comes.

Sources: Miller 2024 (arXiv 2411.00640), for paired tasks with trials; Connor 1987 (Biometrics 43),
for McNemar's test, whose power is reckoned exactly here; Chow, Shao and Wang 2008
(Sample Size Calculations), for non-inferiority.
"""

from __future__ import annotations

from math import ceil, exp, fsum, inf, lgamma, log, log1p, sqrt

from msgspec import Struct

from trayecto.stats.clusters import check_finite
from trayecto.stats.distributions import binomial_tail, normal_quantile, normal_tail
from trayecto.stats.noninferiority import MOST

ALPHA, POWER = 0.05, 0.8
_FAR, _LOOKED_AT = 6.0, 200  # standard deviations of the number of changes, and how many of these
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


def mcnemar_power(lost: float, won: float, tasks: int, *, alpha: float = ALPHA) -> float:
    """The chance that McNemar's exact test over so many tasks gives a p below alpha, 0 to 1.

    ``lost`` and ``won`` are the shares of tasks that change, each on its own. Of many tasks only
    some of the likely numbers of changes are looked at. Raises ValueError for shares that cannot
    be, for fewer than one task, and for an alpha beyond 0 to 1.
    """
    _check(alpha, POWER)
    changing = min(lost + won, 1.0)
    if min(lost, won) < 0 or lost + won > 1 + _NONE or tasks < 1:
        message = f"shares {lost!r} and {won!r} of {tasks!r} tasks cannot be"
        raise ValueError(message)
    middle, spread = tasks * changing, sqrt(tasks * changing * (1 - changing))
    first, last = int(middle - _FAR * spread), ceil(middle + _FAR * spread)
    counts = range(max(0, first), min(tasks, last) + 1)
    counts = counts[:: 1 + len(counts) // _LOOKED_AT]
    weights = [_binomial(count, tasks, changing) for count in counts]
    found = fsum(
        weight * _rejects(count, max(lost, won) / changing, alpha)
        for count, weight in zip(counts, weights, strict=True)
        if count
    )
    return found / fsum(weights)


def mcnemar_tasks(
    lost: float, won: float, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """The tasks with which McNemar's exact test finds such changes; None of no difference.

    Also None beyond a million. Raises ValueError as ``mcnemar_power``.
    """
    if abs(lost - won) < _NONE:
        return None
    few, many = 0, 1
    while mcnemar_power(lost, won, many, alpha=alpha) < power:
        few, many = many, 2 * many
        if few > MOST:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        if mcnemar_power(lost, won, middle, alpha=alpha) < power:
            few = middle
        else:
            many = middle
    return many


def _binomial(count: int, of: int, share: float) -> float:
    """The probability of just so many."""
    if share >= 1:
        return float(count == of)
    log_ways = lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)
    return exp(log_ways + count * log(share) + (of - count) * log1p(-share))


def _rejects(changed: int, share: float, alpha: float) -> float:
    """The chance that of so many changed tasks so many go one way that the test gives less."""
    few, many = changed // 2, changed + 1  # the fewest that are enough lies between
    while many - few > 1:
        middle = (few + many) // 2
        if 2 * binomial_tail(middle, changed, 0.5) < alpha:
            many = middle
        else:
            few = middle
    if many > changed:
        return 0.0
    return binomial_tail(many, changed, share) + binomial_tail(many, changed, 1 - share)


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
