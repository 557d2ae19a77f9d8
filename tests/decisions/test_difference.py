"""One metric on both sides: difference, interval, test, and the word for it."""

import pytest
from msgspec import UNSET

from trayecto.decisions._difference import ABSENT, ALIKE, NEITHER, UNKNOWN, Values, differ
from trayecto.spread import ALIKE as RATIOS_ALIKE
from trayecto.spread import ONE

# golden paired_difference: eight tasks, four trials on each side
BASE = [0.75, 1.0, 0.5, 0.25, 1.0, 0.5, 0.0, 0.75]
BETTER = [1.0, 1.0, 0.75, 0.5, 0.75, 0.75, 0.25, 0.75]
GROUPS = ["r1", "r1", "r1", "r2", "r2", "r3", "r4", "r4"]


def values(base: list[float], candidate: list[float], **fields: object) -> Values:
    """Return a share of which more is better, several trials a task."""
    found = {"units": None, "single": False, "unit": "share", "better": "higher", **fields}
    return Values(base, candidate, **found)


def single(lost: int, won: int, same: int = 0, **fields: object) -> Values:
    """Return tasks of one trial, of which so many were lost and won."""
    base = [1.0] * lost + [0.0] * won + [1.0] * same
    candidate = [0.0] * lost + [1.0] * won + [1.0] * same
    return values(base, candidate, single=True, **fields)


def test_the_golden_difference() -> None:
    """Golden paired_difference and permutation_signflip_exact: eight tasks by four trials."""
    found = differ(values(BASE, BETTER))
    assert found.difference == pytest.approx(0.125)
    assert found.interval == pytest.approx((-0.032993, 0.282993), abs=5e-7)
    assert (found.test, found.p_value) == ("sign_flip", pytest.approx(0.21875))
    assert (found.won, found.lost, found.verdict) == (5, 1, "undecided")


def test_clusters_are_flipped_whole() -> None:
    """Golden permutation_signflip_clustered: four clusters cannot give less than 0.125."""
    found = differ(values(BASE, BETTER, units=GROUPS))
    assert found.p_value == pytest.approx(0.25)
    assert (found.clusters, found.reachable, found.cluster) == (4, 0.125, "declared")


@pytest.mark.parametrize(
    ("lost", "won", "p_value", "verdict"),
    [(6, 1, 0.125, "undecided"), (10, 2, 0.038574, "worse"), (2, 10, 0.038574, "better"),
     (5, 5, 1.0, "undecided"), (5, 0, 0.0625, "undecided"), (6, 0, 0.03125, "worse")],
)  # fmt: skip
def test_one_yes_or_no_a_task_is_mcnemar_s(
    lost: int, won: int, p_value: float, verdict: str
) -> None:
    """Golden mcnemar_exact_*, with 20 tasks besides that did not change."""
    found = differ(single(lost, won, 20))
    assert (found.test, found.verdict) == ("mcnemar_exact", verdict)
    assert found.p_value == pytest.approx(p_value, abs=5e-7)


def test_mcnemar_s_p_beside_clusters_is_said_to_ignore_them() -> None:
    """The test is by cluster; the other p stands beside it."""
    found = differ(single(6, 0, units=["a", "a", "b", "b", "c", "c"]))
    assert (found.test, found.p_value) == ("sign_flip", 0.25)
    assert found.ignoring_clusters == pytest.approx(0.03125)


def test_five_of_five_twice_is_undecided() -> None:
    """Nothing was lost, and five tasks show nothing: the interval is not a point."""
    found = differ(single(0, 0, 5))
    assert (found.verdict, found.p_value, found.method) == ("undecided", 1, "paired_t_smoothed")
    assert found.interval[0] < -0.2 < 0.2 < found.interval[1]


@pytest.mark.parametrize(
    ("lost", "won", "same", "verdict"),
    [(0, 0, 50, "no_worse"), (0, 0, 20, "undecided"), (0, 9, 41, "better"), (18, 2, 10, "worse"),
     (8, 4, 8, "undecided")],
)  # fmt: skip
def test_a_margin_adds_no_worse(lost: int, won: int, same: int, verdict: str) -> None:
    """Golden min_tasks_no_change: 5 points need 33 tasks; "better" still needs its own test."""
    assert differ(single(lost, won, same), 0.05).verdict == verdict


def test_less_may_be_better() -> None:
    """A rate that falls from 10 of 12 to 2 of 12 is better, and its margin counts the other way."""
    found = differ(single(8, 0, 12, better="lower"), 0.05)
    assert (found.verdict, found.won, found.lost) == ("better", 8, 0)
    assert found.margin.outcome == "pass"
    assert differ(single(0, 8, 12, better="lower"), 0.05).margin.outcome == "fail"


def test_a_cost_has_its_ratio() -> None:
    """Of 27 resamples one is 1/3, three are 1/2, three 2 and one 3: the ends lie between these."""
    found = differ(values([1.0, 2, 3], [3.0, 2, 1], unit="usd", better="lower"))
    assert found.ratio.value == 1
    assert found.ratio.interval == pytest.approx((1 / 3 + 0.65 / 6, 2.35))
    same = differ(values([1.0, 2, 3], [2.0, 4, 6], unit="usd", better="lower")).ratio
    assert (same.value, same.interval, same.why) == (2, None, RATIOS_ALIKE)
    free = differ(values([0.0, 0], [1.0, 2], unit="usd", better="lower"))
    assert free.ratio.value is None


def test_a_ratio_counts_what_it_cannot_compute() -> None:
    """One of three tasks has a cost in the base: in 8 of 27 resamples there is no ratio at all."""
    found = differ(values([3.0, 0, 0], [1.0, 1, 1], unit="usd", better="lower"))
    assert (found.ratio.value, found.ratio.interval[1]) == (1, None)


def test_what_rounding_leaves_is_no_difference() -> None:
    """0.1 + 0.2 against 0.3 seconds, in milliseconds: neither won nor lost."""
    found = differ(values([300_000.00000000006, 5], [300_000, 5], unit="ms", better="lower"))
    assert (found.won, found.lost, found.difference, found.p_value) == (0, 0, 0, 1)


def test_a_share_of_the_users_own_may_leave_0_to_1() -> None:
    """There is no smoothed interval of it, and no bound: a reason, and no margin."""
    found = differ(values([0.0, 0.0], [2.0, 2.0]), 0.05)
    assert (found.interval, found.interval_why, found.margin) == (None, ALIKE, UNSET)


def test_two_reasons_do_not_hide_each_other() -> None:
    """No direction is good, and every task differs by the same."""
    found = differ(values([1.0, 2.0], [2.0, 3.0], unit="calls", better="neither"))
    assert (found.why, found.interval_why) == (NEITHER, ALIKE)


def test_a_part_of_the_costs_has_no_ratio() -> None:
    """A run without a cost could have cost anything; of times it is said on how many tasks."""
    part = {"unit": "usd", "better": "lower", "complete": False}
    found = differ(values([1.0, 2.0], [2.0, 3.0], **part)).ratio
    assert (found.value, found.why) == (None, UNKNOWN)
    assert differ(values([1.0, 2.0], [2.0, 3.0], **{**part, "unit": "ms"})).ratio.value == 5 / 3


def test_shares_differ_by_no_more_than_one() -> None:
    """Two of three lost: Student's interval would reach beneath -1; a number of calls may."""
    lost = ([1.0, 1.0, 1.0], [0.0, 0.0, 1.0])
    assert differ(values(*lost)).interval == (-1, pytest.approx(0.767551, abs=1e-6))
    assert differ(values(*lost, unit="count")).interval[0] == pytest.approx(-2.100884, abs=1e-6)


def test_what_cannot_be_said() -> None:
    """No task, one cluster, no good direction, and differences that are all the same."""
    assert differ(values([], [])).why == ABSENT
    alone = differ(values([1.0, 0], [1.0, 1], units=["a", "a"]))
    assert (alone.difference, alone.verdict, alone.why) == (0.5, None, ONE)
    odd = differ(values([1.0, 0], [1.0, 1], better="neither"))
    assert (odd.verdict, odd.why) == (None, NEITHER)
    same = differ(values([1.0, 2], [2.0, 3], unit="calls", better="lower"))
    assert (same.interval, same.interval_why) == (None, ALIKE)
