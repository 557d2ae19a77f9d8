"""Variance within and between tasks, and runs that end alike."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.variation import Components, components, outcome_agreement


def test_by_hand() -> None:
    """Two tasks, 0 2 and 4 6: within 2, mean squares 16 and 2, so between is 7 and ICC 7/9."""
    assert components([[0, 2], [4, 6]]) == Components(2, 7, pytest.approx(7 / 9))


@given(st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=4), min_size=2, max_size=5))
def test_scipy_s_analysis_of_variance(trials: list[list[int]]) -> None:
    """F is 1 + size * between/within, where neither is cut at 0."""
    found = components(trials)
    if found.within > 0 and found.between > 0:
        total, count = sum(map(len, trials)), len(trials)
        size = (total - sum(len(task) ** 2 for task in trials) / total) / (count - 1)
        expected = stats.f_oneway(*trials).statistic
        assert 1 + size * found.between / found.within == pytest.approx(float(expected))


def test_shrout_and_fleiss() -> None:
    """Their table of 1979: six targets, four ratings each; within 6.26, between 1.24, ICC 0.17."""
    ratings = [
        [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7],
    ]  # fmt: skip
    found = components(ratings)
    assert found.within == pytest.approx(6.26, abs=0.005)
    assert found.between == pytest.approx((11.24 - 6.26) / 4, abs=0.005)
    assert found.icc == pytest.approx(0.17, abs=0.005)


def test_unequal_tasks_by_hand() -> None:
    """0 2 4 and 7: within 8/2, mean square between 75/4, so big a task is (4 - 10/4)/1."""
    expected = (18.75 - 4) / 1.5
    assert components([[0, 2, 4], [7]]) == Components(
        4, pytest.approx(expected), pytest.approx(expected / (expected + 4))
    )


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8))
def test_successes_within_tasks(counts: list[int]) -> None:
    """The mean of p(1-p) n/(n-1), as the notes on statistics have it, for five runs of each."""
    found = components([[1] * count + [0] * (5 - count) for count in counts])
    expected = sum(count / 5 * (1 - count / 5) * 5 / 4 for count in counts) / len(counts)
    assert found.within == pytest.approx(expected, abs=1e-12)
    assert found.icc is None or 0 <= found.icc <= 1


@given(st.floats(0, 1), st.integers(2, 7), st.integers(2, 7))
def test_rounding_is_no_variance(value: float, runs: int, others: int) -> None:
    """One value everywhere varies by nothing, whatever its last digit: 0.1 three times is not."""
    assert components([[value] * runs, [value] * others]) == Components(0, 0, None)


def test_tasks_without_a_run_are_left_out() -> None:
    """And what is no number is named."""
    assert components([[0, 2], [], [4, 6]]) == components([[0, 2], [4, 6]])
    with pytest.raises(ValueError, match="inf is not a finite"):
        components([[0, inf], [1, 2]])


def test_where_nothing_can_be_told() -> None:
    """One task, single trials, or nothing that varies."""
    assert components([[1, 0]]) is components([[1], [0]]) is components([]) is None
    assert components([[1, 1], [1, 1]]) == Components(0, 0, None)
    assert components([[1, 0], [0, 1]]).between == 0


@pytest.mark.parametrize(
    ("trials", "successes", "expected"),
    [(5, 5, 1.0), (5, 0, 1.0), (5, 3, 0.4), (2, 1, 0.0), (1, 1, None), (0, 0, None)],
)
def test_runs_that_end_alike(trials: int, successes: int, expected: float | None) -> None:
    """Golden outcome_agreement."""
    assert outcome_agreement(trials, successes) == expected


def test_the_golden_file(golden: Callable[[str], tuple[dict, list]]) -> None:
    """Golden outcome_agreement, read where it lies."""
    given_, expected = golden("outcome_agreement")
    assert [outcome_agreement(n, c) for n, c in given_["n_c"]] == expected


@pytest.mark.parametrize("trials", [2, 3, 5, 8])
@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(9, 10)])
def test_it_has_no_bias(trials: int, rate: Fraction) -> None:
    """Its mean over all outcomes is p^2 + (1-p)^2, exactly; that of (2p-1)^2 is not."""
    mean = sum(
        comb(trials, c) * rate**c * (1 - rate) ** (trials - c)
        * Fraction(outcome_agreement(trials, c)).limit_denominator(1000)
        for c in range(trials + 1)
    )  # fmt: skip
    assert mean == rate**2 + (1 - rate) ** 2


@pytest.mark.parametrize("trials", range(2, 12))
def test_failures_agree_as_successes_do(trials: int) -> None:
    """The same for as many failures; the more one-sided, the more they agree."""
    found = [outcome_agreement(trials, c) for c in range(trials + 1)]
    assert found == found[::-1]
    half = found[: trials // 2 + 1]
    assert half == sorted(half, reverse=True)


@given(st.integers(2, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_every_pair_of_runs(counts: tuple[int, int]) -> None:
    """Counted one by one."""
    trials, successes = counts
    runs = [1] * successes + [0] * (trials - successes)
    pairs = list(combinations(runs, 2))
    expected = sum(one == other for one, other in pairs) / len(pairs)
    assert outcome_agreement(trials, successes) == pytest.approx(expected)


def test_counts_that_cannot_be() -> None:
    """More successes than trials, or fewer than none."""
    for trials, successes in ((2, 3), (2, -1), (-1, 0)):
        with pytest.raises(ValueError, match=f"{successes} of {trials} is no count"):
            outcome_agreement(trials, successes)
