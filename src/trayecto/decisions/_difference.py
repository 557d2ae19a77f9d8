"""One metric on both sides: its difference by task, how sure it is, and the verdict in a word.

A candidate is *better* where a two-sided test says so at 0.05, and in no other way: that a loss was
not seen is no gain. It is *worse* where the test says so, or where it is worse by more than a
margin that was given. *no_worse* is only said of such a margin, by the smoothed bound; else the
verdict is *undecided*. The test is McNemar's, where each task is one yes or no on both sides, else
a permutation of signs by task or by declared cluster. Each metric is tested by itself.

Source: the project's notes on statistics, 1.5 and 1.6.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum

from msgspec import UNSET, Struct
from msgspec.structs import replace

from trayecto.comparison import Difference, Margin, Ratio, Test, Verdict
from trayecto.figures import Ends
from trayecto.scores import Better
from trayecto.spread import ONE, ratio_spread
from trayecto.stats.clusters import ROUNDING, cluster_sums
from trayecto.stats.noninferiority import smoothed_bound
from trayecto.stats.paired import paired_difference, sign_flip, smallest_p
from trayecto.stats.two_by_two import mcnemar_exact

ALPHA = 0.05
ABSENT = "no task has a value on both sides"
NEITHER = "neither direction of this metric is good"
ALIKE = "every task differs by the same, so nothing tells how much another would"
UNPAID = "the base costs nothing on the paired tasks"
UNKNOWN = "not every run of the paired tasks tells it on both sides"
SUMMED = frozenset({"usd", "tokens"})  # of which a part is no estimate of the whole
RATIOS = SUMMED | {"ms"}


class Values(Struct, frozen=True):
    """A metric on the paired tasks: a value of each on both sides, and their units.

    ``units`` is None where every task is one. ``single``: every task has one trial on both sides.
    ``complete``: every run of the paired tasks has a value.
    """

    base: list[float]
    candidate: list[float]
    units: list[Hashable] | None
    single: bool
    unit: str
    better: Better
    complete: bool = True


def differ(values: Values, margin: float | None = None) -> Difference:
    """Compare one metric; a margin is of a share of which higher or lower is better."""
    base, candidate = values.base, values.candidate
    if not base:
        return absent(values.unit, values.better, ABSENT)
    differences = list(map(_change, base, candidate))
    clusters = len(base) if values.units is None else len(set(values.units))
    gains = [_sign(values) * difference for difference in differences]
    found = Difference(
        base=fsum(base) / len(base),
        candidate=fsum(candidate) / len(candidate),
        difference=fsum(differences) / len(differences),
        tasks=len(base),
        unit=values.unit,
        better=values.better,
        clusters=clusters,
        cluster="task" if values.units is None else "declared",
        won=sum(gain > 0 for gain in gains),
        lost=sum(gain < 0 for gain in gains),
        complete=values.complete,
        ratio=_ratio(values) if values.unit in RATIOS else UNSET,
    )
    if clusters == 1:
        return replace(found, why=ONE, interval_why=ONE)
    found = _with_test(_with_interval(found, values, differences), values, differences)
    if margin is not None and values.better != "neither" and _are_shares(differences):
        found = replace(found, margin=_hold(gains, values.units, margin))
    if values.better == "neither":
        return replace(found, why=NEITHER)
    return replace(found, verdict=judge(found))


def judge(found: Difference) -> Verdict:
    """The word for a difference: superiority first, then the margin that was given."""
    if found.p_value is not None and found.p_value < ALPHA and found.difference:
        good = (found.difference > 0) == (found.better == "higher")
        return "better" if good else "worse"
    if found.margin is not UNSET and found.margin.outcome == "pass":
        return "no_worse"
    if found.margin is not UNSET and found.margin.outcome == "fail":
        return "worse"
    return "undecided"


def absent(unit: str, better: Better, why: str) -> Difference:
    """A metric that could not be compared."""
    return Difference(
        base=None, candidate=None, difference=None, tasks=0, unit=unit, better=better, why=why
    )


def _change(base: float, candidate: float) -> float:
    """Candidate minus base; two that differ by rounding are equal."""
    change = candidate - base
    return change if abs(change) > ROUNDING * max(abs(base), abs(candidate)) else 0.0


def _sign(values: Values) -> int:
    """1 where more is better, -1 where less is; what is neither counts as it goes up."""
    return -1 if values.better == "lower" else 1


def _with_interval(found: Difference, values: Values, differences: list[float]) -> Difference:
    """Student's interval of the paired differences; smoothed where these are all the same."""
    told = paired_difference(values.base, values.candidate, values.units)
    if told is not None and told.low is not None and told.high is not None:
        ends = _within(values, told.low, told.high)
        return replace(found, interval=ends, method="paired_t")
    if values.unit != "share" or not _are_shares(differences):
        return replace(found, interval_why=ALIKE)
    bound = smoothed_bound(differences, 0.0, values.units, alpha=ALPHA / 2)
    ends = _within(values, bound.lower, bound.upper)
    return replace(found, interval=ends, method="paired_t_smoothed")


def _are_shares(differences: Sequence[float]) -> bool:
    """Whether all are differences of shares; a share of the user's own may leave 0 to 1."""
    return min(differences) >= -1 and max(differences) <= 1


def _within(values: Values, low: float, high: float) -> Ends:
    """An interval as far as it can be reached: shares differ by no more than 1."""
    if values.unit != "share" or min(*values.base, *values.candidate) < 0:
        return (low, high)
    most = max(*values.base, *values.candidate)
    return (max(-1.0, low), min(1.0, high)) if most <= 1 else (low, high)


def _with_test(found: Difference, values: Values, differences: list[float]) -> Difference:
    """The two-sided test, and the smallest p that so few clusters can reach."""
    reachable = smallest_p(found.clusters)
    binary = (
        values.single and values.unit == "share" and {*values.base, *values.candidate} <= {0.0, 1.0}
    )
    exact = mcnemar_exact(found.lost, found.won) if binary else None
    if exact is not None and values.units is None:
        return _tested(found, "mcnemar_exact", exact, reachable)
    value = sign_flip(differences, values.units)
    found = _tested(found, "sign_flip", value, reachable)
    return found if exact is None else replace(found, ignoring_clusters=exact)


def _tested(found: Difference, test: Test, value: float | None, reachable: float) -> Difference:
    return replace(found, test=test, p_value=value, reachable=reachable)


def _hold(gains: Sequence[float], units: Sequence[Hashable] | None, margin: float) -> Margin:
    """Whether the candidate is not worse by more than the margin, gains counted as good."""
    bound = smoothed_bound(gains, margin, units, alpha=ALPHA)
    return Margin(margin=margin, lower=bound.lower, upper=bound.upper, outcome=bound.verdict)


def _ratio(values: Values) -> Ratio:
    """The candidate's sum over the base's, with its interval over the units."""
    if values.unit in SUMMED and not values.complete:
        return Ratio(value=None, why=UNKNOWN)
    if not fsum(values.base):
        return Ratio(value=None, why=UNPAID)
    above, below = (cluster_sums(each, values.units) for each in (values.candidate, values.base))
    told = ratio_spread(above, below, "task" if values.units is None else "declared")
    return Ratio(
        value=fsum(values.candidate) / fsum(values.base),
        interval=told.interval,
        method=told.method,
        why=UNSET if told.why is None else told.why,
    )
