"""Paired differences: the golden values, scipy, and what does not matter."""

import tracemalloc
from collections.abc import Callable
from math import nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.paired import (
    EXACT,
    Difference,
    paired_difference,
    rerun_error,
    sign_flip,
    smallest_p,
)

BASE = [0.75, 1.0, 0.5, 0.25, 1.0, 0.5, 0.0, 0.75]
OTHER = [1.0, 1.0, 0.75, 0.5, 0.75, 0.75, 0.25, 0.75]
GROUPS = ["r1", "r1", "r1", "r2", "r2", "r3", "r4", "r4"]
GAINS = [right - left for left, right in zip(BASE, OTHER, strict=True)]
QUARTERS = st.lists(st.integers(-4, 4).map(lambda n: n / 4), min_size=2, max_size=12)


def test_the_golden_difference() -> None:
    """Golden paired_difference: 0.125, SE 0.066815, t 1.870829 with 7, p 0.103552."""
    found = paired_difference(BASE, OTHER)
    assert (found.difference, found.df) == (0.125, 7)
    assert found.error == pytest.approx(0.066815, abs=5e-7)
    assert found.t == pytest.approx(1.870829, abs=5e-7)
    assert found.p_value == pytest.approx(0.103552, abs=5e-7)
    assert (found.low, found.high) == pytest.approx((-0.032993, 0.282993), abs=5e-7)


def test_the_golden_difference_by_cluster() -> None:
    """Golden paired_difference_clustered: SE 0.044194 with 3 degrees of freedom."""
    found = paired_difference(BASE, OTHER, GROUPS)
    assert (found.df, found.error) == (3, pytest.approx(0.044194, abs=5e-7))


@given(QUARTERS)
def test_scipy_s_paired_t_test(gains: list[float]) -> None:
    """Its t and p, wherever the differences vary."""
    if len(set(gains)) > 1:
        found = paired_difference([0.0] * len(gains), gains)
        t, p_value = stats.ttest_1samp(gains, 0)
        assert found.t == pytest.approx(float(t), abs=1e-9)
        assert found.p_value == pytest.approx(float(p_value), abs=1e-9)


def test_where_nothing_varies_no_interval_is_told() -> None:
    """All tasks moved alike; one cluster; no task."""
    assert paired_difference([0, 0], [1, 1]) == Difference(1, 0, 1, None, None, None, None)
    assert paired_difference([0, 0], [1, 0], ["a", "a"]).error is None
    assert paired_difference([], []) is None


def test_rounding_is_no_spread() -> None:
    """One success of three more in each task: in floats not the same third, but no interval."""
    found = paired_difference([0, 1 / 3, 2 / 3], [1 / 3, 2 / 3, 1])
    assert found.difference == pytest.approx(1 / 3)
    assert (found.t, found.p_value, found.low, found.high) == (None, None, None, None)
    tiny = paired_difference([0, 0, 0], [1e-9, 2e-9, 4e-9])
    assert tiny.p_value == pytest.approx(float(stats.ttest_1samp([1, 2, 4], 0).pvalue))


def test_permutations_of_signs() -> None:
    """Golden permutation_signflip_exact and _clustered: 0.21875, 0.109375 one-sided, 0.25."""
    assert sign_flip(GAINS) == 0.21875
    assert sign_flip(GAINS, alternative="greater") == 0.109375
    assert sign_flip(GAINS, GROUPS) == 0.25
    assert sign_flip([]) is None


@given(QUARTERS)
def test_scipy_s_permutation_test(gains: list[float]) -> None:
    """Its exact p of the sum, by each alternative."""
    for alternative in ("two-sided", "greater", "less"):
        expected = stats.permutation_test(
            (gains,), sum, permutation_type="samples", n_resamples=10_000,
            alternative=alternative, vectorized=False,
        ).pvalue  # fmt: skip
        found = sign_flip(gains, alternative=alternative)
        if alternative != "two-sided":
            assert found == pytest.approx(expected, abs=1e-12)
        else:  # scipy doubles the smaller tail, which is the same for a symmetric null
            assert found == pytest.approx(min(1, expected), abs=1e-12)


@given(QUARTERS, st.randoms())
def test_order_and_sign_do_not_matter(gains: list[float], random: object) -> None:
    """Tasks in any order, and the arms turned round, give the same p."""
    shuffled = gains.copy()
    random.shuffle(shuffled)
    assert sign_flip(shuffled) == sign_flip(gains) == sign_flip([-gain for gain in gains])


@settings(max_examples=10)
@given(st.lists(st.integers(1, 9), min_size=21, max_size=30), st.data())
def test_of_many_clusters_neither(gains: list[int], data: st.DataObject) -> None:
    """Drawn flips too: in any order, turned round, and beside tasks that did not change."""
    shuffled = data.draw(st.permutations([*gains, 0, 0, 0]))
    assert sign_flip(shuffled) == sign_flip(gains) == sign_flip([-gain for gain in gains])


def test_tasks_that_did_not_change_leave_it_exact() -> None:
    """Two of 21 tasks moved: of their four signs one half is as extreme."""
    assert sign_flip([0] * 19 + [0.25, 0.25]) == 0.5
    assert sign_flip([0.0] * 30) == 1


@given(st.lists(st.floats(1, 1e5), min_size=2, max_size=10), st.sampled_from([1e-9, 1, 1e6]))
def test_where_all_gain_p_is_the_smallest(gains: list[float], unit: float) -> None:
    """In dollars and in milliseconds: only all signs as they are, or all turned, reach it."""
    expected = smallest_p(len(gains))
    assert sign_flip([gain * unit for gain in gains]) == expected
    assert sign_flip([gain * unit for gain in gains], alternative="greater") == expected / 2


def test_twenty_clusters_need_little_memory() -> None:
    """A million totals are held, not a million times twenty signs: 8 megabytes each time."""
    tracemalloc.start()
    assert sign_flip([1.0] * EXACT) == smallest_p(EXACT)
    sign_flip([1.0, -1.0] * 500)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


def test_many_clusters_are_drawn() -> None:
    """Golden permutation_mc_pvalue's rule, (hits+1)/(flips+1), seeded; near the exact p."""
    gains = [1.0] * 15 + [-1.0] * 6
    assert len(gains) > EXACT
    found = sign_flip(gains)
    assert found == sign_flip(gains) != sign_flip(gains, seed=1)
    assert found == pytest.approx(stats.binomtest(6, 21).pvalue, abs=0.005)
    assert sign_flip([1.0] * 40) == 1 / 100_001


def test_five_clusters_cannot_be_significant() -> None:
    """2^(1-C): 0.0625 of five; the golden four give 0.125."""
    assert [smallest_p(count) for count in (1, 4, 5, 6)] == [1, 0.125, 0.0625, 0.03125]


def test_the_error_of_a_rerun(golden: Callable[[str], tuple[dict, dict]]) -> None:
    """Golden rerun_se_fixed_tasks: the same tasks again, not others."""
    given_, expected = golden("rerun_se_fixed_tasks")
    base, other = (rerun_error(given_["trials"][arm]) for arm in ("base", "cand"))
    assert base == pytest.approx(expected["se_base"], abs=5e-7)
    assert other == pytest.approx(expected["se_cand"], abs=5e-7)
    assert (base**2 + other**2) ** 0.5 == pytest.approx(expected["se_diff"], abs=5e-7)
    assert rerun_error([[1, 0], [1]]) is None
    assert rerun_error([]) is None


def test_what_cannot_be() -> None:
    """Arms of unequal length, and no numbers."""
    with pytest.raises(ValueError, match=r"shorter|longer"):
        paired_difference([1], [1, 2])
    with pytest.raises(ValueError, match="alternative 'grater' is none of"):
        sign_flip([1, 2], alternative="grater")
    for odd in (0, 1, 1.5, nan):
        with pytest.raises(ValueError, match=f"confidence {odd} is not between"):
            paired_difference([0, 0], [0, 1], confidence=odd)
    for function in (lambda: sign_flip([nan]), lambda: paired_difference([0], [nan])):
        with pytest.raises(ValueError, match="nan is not a finite"):
            function()
