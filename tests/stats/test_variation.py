"""Variance within and between tasks, and runs that end alike."""

from itertools import combinations

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


@given(st.integers(2, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_every_pair_of_runs(counts: tuple[int, int]) -> None:
    """Counted one by one."""
    trials, successes = counts
    runs = [1] * successes + [0] * (trials - successes)
    pairs = list(combinations(runs, 2))
    expected = sum(one == other for one, other in pairs) / len(pairs)
    assert outcome_agreement(trials, successes) == pytest.approx(expected)


def test_counts_that_cannot_be() -> None:
    """More successes than trials."""
    with pytest.raises(ValueError, match="3 of 2 is no count"):
        outcome_agreement(2, 3)
