"""Ratios of sums: golden values, and where there is none."""

from collections.abc import Callable
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.stats.ratios import Ratio, cost_per_extra, ratio_of_sums

Golden = Callable[[str], tuple[dict, dict]]
PAIRS = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), min_size=2, max_size=12)


def test_the_golden_error(golden: Golden) -> None:
    """Golden cost_ratio_se: 0.35 with a linearised error of 0.153704."""
    given_, expected = golden("cost_ratio_se")
    found = ratio_of_sums(given_["cost_usd"], given_["accepted"])
    told = (found.value, found.error)
    assert told == pytest.approx((expected["ratio"], expected["se_linearised"]), abs=5e-7)


def test_a_mean_is_a_ratio_over_ones() -> None:
    """1, 2, 6 over three ones: 3, and the error of a mean, sqrt(7/3)."""
    found = ratio_of_sums([1, 2, 6], [1, 1, 1])
    assert (found.value, found.clusters) == (3, 3)
    assert found.error == pytest.approx((7 / 3) ** 0.5)


def test_clusters_move_together() -> None:
    """Six runs of two tasks are two; one task has no error."""
    assert ratio_of_sums([1, 2, 3, 4], [1, 1, 1, 1], ["a", "a", "b", "b"]).clusters == 2
    assert ratio_of_sums([1, 2], [1, 1], ["a", "a"]) == Ratio(1.5, None, 1)


def test_nothing_over_nothing_is_undefined() -> None:
    """Never infinite."""
    assert ratio_of_sums([1, 2], [0, 0]) is None
    assert ratio_of_sums([], []) is None


def test_what_each_further_success_costs(golden: Golden) -> None:
    """Golden cost_example_two_agents: $2.466667; article 004 prints 2.47."""
    given_, expected = golden("cost_example_two_agents")
    one, other = given_["A"], given_["B"]
    found = cost_per_extra(one["cost"], one["success"], other["cost"], other["success"])
    assert found == pytest.approx(expected["incremental_cost_per_extra_success"], abs=5e-7)
    per = [agent["cost"] / agent["success"] for agent in (one, other)]
    assert per == pytest.approx([expected["A"], expected["B"]], abs=5e-7)
    assert per[1] / per[0] == pytest.approx(expected["ratio"], abs=5e-7)
    assert cost_per_extra(1, 0.9, 2, 0.9) is cost_per_extra(1, 0.9, 2, 0.8) is None


@given(PAIRS)
def test_the_definition(pairs: list[tuple[int, int]]) -> None:
    """Root of n/(n-1) times the sum of squared residuals, over the sum below; by numpy."""
    above, below = np.array(pairs, dtype=float).T
    ratio = above.sum() / below.sum()
    squares = ((above - ratio * below) ** 2).sum() * len(pairs) / (len(pairs) - 1)
    found = ratio_of_sums(above.tolist(), below.tolist())
    assert found.value == pytest.approx(ratio)
    assert found.error == pytest.approx(squares**0.5 / below.sum(), abs=1e-9)


@given(PAIRS, st.randoms())
def test_order_does_not_matter(pairs: list[tuple[int, int]], random: object) -> None:
    """The same runs, come in another order."""
    shuffled = pairs.copy()
    random.shuffle(shuffled)
    one, other = (ratio_of_sums(*zip(*some, strict=True)) for some in (pairs, shuffled))
    assert (one.value, one.clusters) == (other.value, other.clusters)
    assert one.error == pytest.approx(other.error, abs=1e-9)


def test_a_cluster_is_worth_its_sums() -> None:
    """Four runs of two tasks and one of a third, or three tasks added up: the same."""
    apart = ratio_of_sums([1, 3, 2, 2, 4], [1, 0, 1, 1, 1], list("abaab"))
    summed = ratio_of_sums([5, 7], [3, 1])
    assert (apart.value, apart.clusters) == (summed.value, 2)
    assert apart.error == pytest.approx(summed.error)


def test_the_jackknife_is_near() -> None:
    """Golden cost_ratio_se names its error, 0.143936: each run left out in turn."""
    cost, accepted = [0.1, 0.2, 0.3, 0.4, 0.15, 0.25], [1, 0, 1, 0, 1, 1]
    runs = zip(cost, accepted, strict=True)
    left = [(sum(cost) - one) / (sum(accepted) - other) for one, other in runs]
    jackknife = (5 / 6 * sum((each - np.mean(left)) ** 2 for each in left)) ** 0.5
    assert jackknife == pytest.approx(0.143936, abs=5e-7)
    assert ratio_of_sums(cost, accepted).error == pytest.approx(jackknife, rel=0.1)


def test_where_all_ratios_are_alike_there_is_no_error() -> None:
    """Three dollars a success in every task."""
    assert ratio_of_sums([3, 6, 12], [1, 2, 4]) == Ratio(3, 0, 3)


def test_what_cannot_be() -> None:
    """Numbers that are none, even over nothing; lists of unequal length, even over 0."""
    for above, below, told in (
        ([inf, 1], [1, 1], "inf is not a finite"),
        ([1, nan], [0, 0], "nan is not a finite"),
        ([1, 2], [0], "2 values above and 1 below"),
    ):
        with pytest.raises(ValueError, match=told):
            ratio_of_sums(above, below)
    with pytest.raises(ValueError, match="nan is not a finite"):
        cost_per_extra(nan, 0.5, 1, 0.6)


def test_more_success_for_less() -> None:
    """Each further success saves a dollar; 0.3 and 0.1 + 0.2 differ by rounding alone."""
    assert cost_per_extra(2, 0, 1, 1) == -1
    assert cost_per_extra(1, 0.3, 2, 0.1 + 0.2) is None
