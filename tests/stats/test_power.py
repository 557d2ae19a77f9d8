"""How many tasks: golden values, and what follows from them."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import NormalIndPower

from trayecto.stats.power import (
    Spread,
    mcnemar_power,
    mcnemar_tasks,
    power_of,
    tasks_for_difference,
    tasks_for_margin,
    zero_failure_trials,
)

Golden = Callable[[str], tuple[dict, list]]
DIFFERENCES = st.floats(0.01, 0.5)


def test_miller_s_example() -> None:
    """Golden sample_size_miller: 968.997498 tasks for 3 points at a variance of 1/9."""
    assert tasks_for_difference(Spread(1 / 9), 0.03) == pytest.approx(968.997498, abs=5e-7)


@pytest.mark.parametrize(("trials", "tasks"), [(1, 911), (5, 308), (10, 233)])
def test_trials_help_until_tasks_limit(trials: int, tasks: int) -> None:
    """Golden sample_size_trials_K*: variance 0.05 of tasks, 0.12 of the runs of each side."""
    spread = Spread(0.05, 0.12, 0.12, trials, trials)
    assert ceil(tasks_for_difference(spread, 0.05)) == tasks


def test_tasks_for_a_margin() -> None:
    """Golden sample_size_noninferiority: 56, 223, 619 for 10, 5 and 3 points at sd 0.30."""
    found = [ceil(tasks_for_margin(Spread(0.09), margin)) for margin in (0.1, 0.05, 0.03)]
    assert found == [56, 223, 619]


def test_the_golden_sample_sizes(golden: Golden) -> None:
    """Golden sample_size_*, read where they lie: the exact number, and rounded up."""
    given_, (exact, rounded) = golden("sample_size_miller")
    found = tasks_for_difference(
        Spread(float(Fraction(given_["omega2"])), given_["sigma2"]),
        given_["delta"], alpha=given_["alpha"], power=given_["power"],
    )  # fmt: skip
    assert (found, ceil(found)) == (pytest.approx(exact, abs=5e-7), rounded)
    for name in ("K1", "K5", "K10"):
        given_, expected = golden(f"sample_size_trials_{name}")
        runs, trials = given_["sigma2_each"], given_["K"]
        spread = Spread(given_["omega2"], runs, runs, trials, trials)
        assert [ceil(tasks_for_difference(spread, given_["delta"]))] == expected
    given_, expected = golden("sample_size_noninferiority")
    spread = Spread(given_["sd_task_diff"] ** 2)
    wanted = [tasks_for_margin(spread, margin, given_["true_diff"]) for margin in given_["margin"]]
    assert [ceil(each) for each in wanted] == expected


@given(DIFFERENCES, st.floats(0.01, 0.5), st.floats(0.3, 0.95))
def test_statsmodels_sample_size(difference: float, variance: float, power: float) -> None:
    """Of a one-sided z test: there the formula is exact."""
    test = NormalIndPower(ddof=0)
    effect = difference / variance**0.5
    found = tasks_for_margin(Spread(variance), difference, power=power)
    assert test.power(effect, found, 0.05, ratio=0, alternative="larger") == pytest.approx(power)


@given(st.floats(0.001, 1), st.floats(0.001, 1), DIFFERENCES)
def test_tasks_go_with_the_variance(one: float, other: float, difference: float) -> None:
    """More variance is more tasks; four times as many find half the difference."""
    low, high = sorted((one, other))
    found = [tasks_for_difference(Spread(variance), difference) for variance in (low, high)]
    assert found == sorted(found)
    half = tasks_for_difference(Spread(low), difference / 2)
    assert half == pytest.approx(4 * found[0], rel=1e-12)


def test_less_power_than_chance_takes_no_task() -> None:
    """A two-sided test at 0.05 errs to one side in 0.025: a power of 0.01 is there for nothing."""
    assert tasks_for_difference(Spread(0.1), 0.1, power=0.01) == 0


def test_where_no_number_decides() -> None:
    """No difference, or one that sits on the margin."""
    assert tasks_for_difference(Spread(0.1), 0) is None
    assert tasks_for_margin(Spread(0.1), 0.05, -0.05) is None
    assert tasks_for_margin(Spread(0.1), 0.05, -0.04) > tasks_for_margin(Spread(0.1), 0.05)


@given(st.floats(0.01, 0.5), st.floats(0.01, 0.5), st.integers(2, 2000))
def test_statsmodels_power(variance: float, difference: float, tasks: int) -> None:
    """Of a one-sample z test with this effect."""
    expected = NormalIndPower(ddof=0).power(difference / variance**0.5, tasks, 0.05, ratio=0)
    assert power_of(Spread(variance), difference, tasks) == pytest.approx(expected, abs=1e-9)


def test_the_planned_number_has_the_planned_power() -> None:
    """To a thousandth, since the other tail adds almost nothing."""
    spread = Spread(0.09)
    tasks = ceil(tasks_for_difference(spread, 0.05))
    assert power_of(spread, 0.05, tasks) == pytest.approx(0.8, abs=0.001)
    assert power_of(Spread(0), 0.1, 5) == 1
    assert power_of(Spread(0), 0, 5) == 0.05


def test_the_golden_trials_without_a_failure(golden: Golden) -> None:
    """Golden zero_failure_trials_needed_*, read where they lie."""
    for rate in ("0.1", "0.05", "0.02", "0.01", "0.001"):
        given_, expected = golden(f"zero_failure_trials_needed_{rate}")
        found = zero_failure_trials(given_["max_failure_rate"], given_["conf"])
        assert [found] == expected


@pytest.mark.parametrize("one_in", [2, 3, 7, 10, 99, 100, 1000])
def test_the_fewest_trials_that_exclude_a_rate(one_in: int) -> None:
    """By whole numbers: with one fewer so high a rate is not excluded yet."""
    trials = zero_failure_trials(1 / one_in)
    assert 20 * (one_in - 1) ** trials <= one_in**trials
    assert 20 * (one_in - 1) ** (trials - 1) > one_in ** (trials - 1)


def test_a_rate_next_to_nothing() -> None:
    """-ln 0.05 is 2.9957: three of them over the rate, where 1 - rate is 1 in floats."""
    assert zero_failure_trials(1e-18) == pytest.approx(2.995732e18, rel=1e-6)


@pytest.mark.parametrize(
    ("rate", "trials"), [(0.1, 29), (0.05, 59), (0.02, 149), (0.01, 299), (0.001, 2995)]
)
def test_trials_without_a_failure(rate: float, trials: int) -> None:
    """Golden zero_failure_trials_needed_*."""
    assert zero_failure_trials(rate) == trials
    assert (1 - rate) ** trials <= 0.05 < (1 - rate) ** (trials - 1)


def mixed(lost: float, won: float, tasks: int) -> float:
    """Return the power of McNemar's exact test by scipy, over every number of losses and wins."""
    found, same = 0.0, 1 - lost - won
    for less in range(tasks + 1):
        for more in range(tasks + 1 - less):
            if less + more and stats.binomtest(less, less + more).pvalue < 0.05:
                counts = [less, more, tasks - less - more]
                found += stats.multinomial.pmf(counts, tasks, [lost, won, same])
    return float(found)


@pytest.mark.parametrize(
    ("lost", "won", "tasks"),
    [(1 / 8, 7 / 8, 8), (0.1, 0.7, 10), (0, 1 / 3, 18), (0, 0.25, 25), (0.1, 0.3, 40)],
)
def test_the_power_of_mcnemar_s_test(lost: float, won: float, tasks: int) -> None:
    """By scipy's exact test over every outcome; (7/8)^8 = 0.344 of eight tasks, seven won."""
    assert mcnemar_power(lost, won, tasks) == pytest.approx(mixed(lost, won, tasks), abs=1e-6)


def test_the_tasks_of_mcnemar_s_test() -> None:
    """Six always moved are the fewest; the next one less has not the power that was asked."""
    assert mcnemar_tasks(0, 1) == 6
    assert mcnemar_tasks(0.2, 0.2) is None
    for lost, won in ((0, 0.25), (0.1, 0.3), (4 / 115, 6 / 115)):
        found = mcnemar_tasks(lost, won)
        assert mcnemar_power(lost, won, found) >= 0.8 > mcnemar_power(lost, won, found - 1)
    assert mcnemar_tasks(0.0005, 0.00055) is None


def test_changes_that_cannot_be() -> None:
    """More than all, less than none, of no task."""
    for shares in ((0.6, 0.6, 9), (-0.1, 0.2, 9), (0.1, 0.2, 0)):
        with pytest.raises(ValueError, match="cannot be"):
            mcnemar_power(*shares)
