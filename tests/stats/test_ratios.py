"""Ratios of sums: golden values, and where there is none."""

from collections.abc import Callable

import pytest

from trayecto.stats.ratios import Ratio, cost_per_extra, ratio_of_sums

Golden = Callable[[str], tuple[dict, dict]]


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
