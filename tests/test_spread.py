"""Intervals of a summary: which method, over which clusters, and why there is none."""

import pytest

from trayecto.figures import Metric
from trayecto.spread import ALIKE, ONE, Spread, ratio_spread, spread_of, unit_of, with_spread

TASKS = [2 / 3, 0, 0.75, 1, 0.5]


def test_a_share_takes_wilson() -> None:
    """Golden rate_interval_default_macro: five tasks, 14 trials."""
    found = spread_of(TASKS, None, share=True, trials=14)
    assert found.interval == pytest.approx((0.204653, 0.883953), abs=5e-7)
    assert (found.method, found.clusters, found.cluster) == ("wilson_neff_t", 5, "task")


def test_anything_else_takes_student() -> None:
    """Golden macro_mean_of_task_means; a share that leaves 0 to 1 is any number as well."""
    found = spread_of(TASKS, None, share=False, trials=14)
    assert found.interval == pytest.approx((0.120592, 1.046074), abs=5e-7)
    assert found.method == "cluster_t"
    assert spread_of([0.5, 1.5, 2], None, share=True, trials=3).method == "cluster_t"


def test_what_is_never_negative_has_no_negative_mean() -> None:
    """Costs of 0, 0 and 9: by t alone the interval would start at -9.9."""
    assert spread_of([0, 0, 9], None, share=False, trials=3).interval[0] == 0
    assert spread_of([-1, 0, 9], None, share=False, trials=3).interval[0] < -1


def test_declared_clusters_are_what_is_independent() -> None:
    """Two tasks of one repository count once; one cluster tells nothing of another."""
    units = [unit_of(name, case) for name, case in (("r", "a"), ("r", "b"), (None, "c"))]
    found = spread_of([1.0, 0.5, 0], units, share=True, trials=3)
    assert (found.clusters, found.cluster) == (2, "declared")
    alone = spread_of([1.0, 0.5], units[:2], share=True, trials=2)
    assert alone == Spread(None, None, 1, "declared", ONE)


def test_what_does_not_vary_has_no_interval() -> None:
    """Three times 0.1 second: floats differ in the last digit, and that is no spread either."""
    for values in ([5.0, 5.0, 5.0], [0.1, 0.1, 0.1], [0.3, 0.1 + 0.2, 0.3]):
        found = spread_of(values, None, share=False, trials=3)
        assert (found.interval, found.why) == (None, ALIKE)


def test_rates_that_do_not_vary_count_as_one_each() -> None:
    """Three tasks at 0.1 tell as much as three trials, however many trials they had."""
    same, near = ([each] * 3 for each in (0.1, 0.1 + 1e-16))
    found = spread_of(same, None, share=True, trials=30)
    assert found.interval == spread_of(near, None, share=True, trials=30).interval
    assert found.interval[1] > 0.75


def test_resamples_without_anything_below_are_too_large() -> None:
    """Of 10,000 resamples of 3 of which one has a run below, 8/27 have none: no upper end."""
    found = ratio_spread([1.0, 1.0, 1.0], [1.0, 0, 0], "task")
    assert found.interval[1] is None


@pytest.mark.parametrize("units", [3, 600])
def test_a_ratio_that_does_not_vary_has_no_interval(units: int) -> None:
    """Every unit twice as much as below, drawn again or linearised; and one unit tells nothing."""
    found = ratio_spread([0.2] * units, [0.1] * units, "task")
    assert (found.interval, found.method, found.why) == (None, None, ALIKE)
    assert ratio_spread([1.0], [1.0], "task").why == ONE


def test_a_case_is_no_cluster_of_its_name() -> None:
    """A task called like another task's cluster is a unit of its own."""
    assert unit_of("r", "a") != unit_of(None, "r")


def test_nothing_has_no_interval() -> None:
    """And the figure stays as it is."""
    figure = Metric(value=None, n=0, of=0, tasks=0, unit="share", better="higher", over="runs")
    assert spread_of([], None, share=True, trials=0) is None
    assert with_spread(figure, None) is figure


def test_a_figure_carries_all_of_it() -> None:
    """Interval, method and clusters, or the reason."""
    figure = Metric(value=0.5, n=4, of=4, tasks=2, unit="share", better="higher", over="runs")
    told = with_spread(figure, Spread((0.1, 0.9), "wilson_neff_t", 2, "task", None))
    assert (told.interval, told.method, told.clusters) == ((0.1, 0.9), "wilson_neff_t", 2)
    assert with_spread(figure, Spread(None, None, 1, "task", ONE)).interval_why == ONE
