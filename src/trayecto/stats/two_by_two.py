"""Tables of two by two: one yes or no for each task on each side.

Sources: McNemar 1947 (Psychometrika 12), exact by the binomial; Fisher 1935 (JRSS 98); Newcombe
1998 (Stat. Med. 17), method 10.
"""

from __future__ import annotations

from math import comb, sqrt

from trayecto.stats.distributions import binomial_tail
from trayecto.stats.intervals import Interval, wilson

_SAME = 10_000_000  # tables that differ by less than one part of this are equally probable
_HALF = 0.5


def mcnemar_exact(lost: int, won: int) -> float:
    """The two-sided p of paired yes or no: only tasks that changed count; 1 where none did.

    For one trial a task on each side. Raises ValueError for a negative count.
    """
    _check(lost, lost)
    _check(won, won)
    changed = lost + won
    return min(1.0, 2 * binomial_tail(max(lost, won), changed, _HALF)) if changed else 1.0


def fisher_exact(successes: int, trials: int, others: int, of: int) -> float:
    """The two-sided p that two independent rates are one: of all tables not more probable.

    1 where either side has no trial. Raises ValueError for counts that cannot be.
    """
    _check(successes, trials)
    _check(others, of)
    total = successes + others
    counts = range(max(0, total - of), min(trials, total) + 1)
    # Whole numbers to the end: of a thousand trials these are beyond every float.
    way = comb(trials, counts[0]) * comb(of, total - counts[0])
    ways = [way]
    for count in counts[:-1]:  # each from the last: a binomial of its own takes long
        way = way * (trials - count) * (total - count)
        way //= (count + 1) * (of - total + count + 1)
        ways.append(way)
    most = ways[successes - counts[0]] * (_SAME + 1)
    likely = sum(way for way in ways if way * _SAME <= most)
    return min(1.0, likely / comb(trials + of, total))


def newcombe(
    successes: int, trials: int, others: int, of: int, confidence: float = 0.95
) -> Interval | None:
    """The interval of the difference of two independent rates; None where a side has no trial.

    The first minus the other. For sides that share no task: say that they are not paired.
    """
    first, second = wilson(successes, trials, confidence), wilson(others, of, confidence)
    if first is None or second is None:
        return None
    one, other = successes / trials, others / of
    below = sqrt((one - first.low) ** 2 + (second.high - other) ** 2)
    above = sqrt((first.high - one) ** 2 + (other - second.low) ** 2)
    return Interval(one - other - below, one - other + above)


def _check(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials:
        message = f"{successes!r} of {trials!r} is no count of successes"
        raise ValueError(message)
