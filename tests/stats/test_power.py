"""How many tasks: golden values, and what follows from them."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower

from trayecto.stats.power import (
    Spread,
    power_of,
    tasks_for_difference,
    tasks_for_margin,
    zero_failure_trials,
)


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


@pytest.mark.parametrize(
    ("rate", "trials"), [(0.1, 29), (0.05, 59), (0.02, 149), (0.01, 299), (0.001, 2995)]
)
def test_trials_without_a_failure(rate: float, trials: int) -> None:
    """Golden zero_failure_trials_needed_*."""
    assert zero_failure_trials(rate) == trials
    assert (1 - rate) ** trials <= 0.05 < (1 - rate) ** (trials - 1)


def test_what_cannot_be() -> None:
    """Rates of nothing and all."""
    for wrong in (lambda: zero_failure_trials(0), lambda: power_of(Spread(1), 1, 1, alpha=1)):
        with pytest.raises(ValueError, match="between 0 and 1"):
            wrong()
