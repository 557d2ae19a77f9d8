"""Non-inferiority: the golden bounds, and what no outcome can prove."""

from collections.abc import Callable
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.noninferiority import plain_bound, smallest_tasks, smoothed_bound

Golden = Callable[[str], tuple[dict, dict]]
SMOOTHED = (
    "fifty_of_fifty_twice", "eight_tasks", "eight_tasks_clustered", "forty_tasks_two_losses",
    "clear_regression",
)  # fmt: skip
GAINS = st.lists(st.integers(-4, 4).map(lambda n: n / 4), min_size=2, max_size=30)


@pytest.mark.parametrize("name", SMOOTHED)
def test_the_golden_smoothed_bounds(golden: Golden, name: str) -> None:
    """Golden noninferiority_smoothed_*: two tasks are added, one half moved each way."""
    given_, expected = golden(f"noninferiority_smoothed_{name}")
    found = smoothed_bound(
        given_["task_differences"], given_["margin"], given_["cluster"],
        alpha=given_["alpha_one_sided"],
    )  # fmt: skip
    told = (found.observed, found.shrunk, found.error, found.df, found.lower, found.upper)
    keys = ("observed", "shrunk", "se", "df", "lower", "upper")
    assert told == pytest.approx(tuple(expected[key] for key in keys), abs=5e-7)
    assert found.verdict == expected["verdict"]


@pytest.mark.parametrize("name", ["pass", "insufficient", "fail"])
def test_the_golden_plain_bounds(golden: Golden, name: str) -> None:
    """Golden noninferiority_*: Student's bounds, with the p of being worse by the margin."""
    given_, expected = golden(f"noninferiority_{name}")
    found = plain_bound(given_["task_differences"], given_["margin"])
    told = (found.lower, found.upper, found.p_value)
    keys = ("lower", "upper", "p_noninferior")
    assert told == pytest.approx(tuple(expected[key] for key in keys), abs=5e-7)
    assert found.verdict == expected["verdict"] == name


@given(GAINS, st.floats(0.01, 0.5))
def test_scipy_s_shifted_t_test(gains: list[float], margin: float) -> None:
    """The plain p is that of a one-sided test against minus the margin."""
    found = plain_bound(gains, margin)
    if found is not None:
        expected = stats.ttest_1samp(gains, -margin, alternative="greater").pvalue
        assert found.p_value == pytest.approx(float(expected), abs=1e-9)


def test_the_fewest_tasks(golden: Golden) -> None:
    """Golden min_tasks_no_change: 8, 16, 33, 55, 82; one task less does not pass."""
    given_, expected = golden("min_tasks_no_change")
    assert [smallest_tasks(margin) for margin in given_["margins"]] == expected
    assert smoothed_bound([0] * 33, 0.05).verdict == "pass"
    assert smoothed_bound([0] * 32, 0.05).verdict == "insufficient"
    assert smallest_tasks(1e-9) is None


def test_the_fewest_tasks_up_to_a_million() -> None:
    """About 1.645 over the margin: more than half a million is a number too."""
    z = float(stats.norm.ppf(0.95))
    assert smallest_tasks(2e-6) == pytest.approx(z / 2e-6, abs=3)
    assert smallest_tasks(1e-6) is None


@given(GAINS, st.floats(0.01, 0.4), st.floats(0.01, 0.4))
def test_a_wider_margin_never_undoes_a_pass(gains: list[float], one: float, more: float) -> None:
    """Nor makes a failure of what was none."""
    ranks = {"fail": 0, "insufficient": 1, "pass": 2}
    narrow, wide = smoothed_bound(gains, one), smoothed_bound(gains, one + more)
    assert ranks[narrow.verdict] <= ranks[wide.verdict]


@given(GAINS)
def test_the_arms_turned_round(gains: list[float]) -> None:
    """Lower and upper bounds change places and signs."""
    found, turned = smoothed_bound(gains, 0.05), smoothed_bound([-gain for gain in gains], 0.05)
    assert found.lower == pytest.approx(-turned.upper, abs=1e-12)


def test_what_cannot_be() -> None:
    """No difference, one outside of -1 to 1, no number, and a margin that is none."""
    for wrong in ([], [1.5], [nan]):
        with pytest.raises(ValueError, match=r"is not|there is none"):
            smoothed_bound(wrong, 0.05)
    with pytest.raises(ValueError, match="margin 0 is not between"):
        smallest_tasks(0)
    for wrong in (smoothed_bound, plain_bound):
        for margin in (-0.1, nan):
            with pytest.raises(ValueError, match=f"margin {margin} is no finite"):
                wrong([0, 0.5], margin)
        for alpha in (0, 0.5, nan):
            with pytest.raises(ValueError, match=f"alpha {alpha} is not between"):
                wrong([0, 0.5], 0.1, alpha=alpha)
    assert plain_bound([1 / 3, 2 / 3 - 1 / 3, 1 - 2 / 3], 0.1) is None  # rounding is no spread
    assert plain_bound([0.5], 0.1) is None
    assert plain_bound([0.5, 0.5], 0.1) is None


@pytest.mark.parametrize(("clusters", "tasks"), [(3, 46), (5, 40), (10, 36)])
def test_clusters_take_more_tasks(clusters: int, tasks: int) -> None:
    """So many tasks without a change in so few clusters pass 5 points, and one less do not."""
    size = tasks / clusters
    assert smallest_tasks(0.05, size=size) <= tasks
    for count, verdict in ((tasks, "pass"), (tasks - 1, "insufficient")):
        units = [at % clusters for at in range(count)]
        assert smoothed_bound([0.0] * count, 0.05, units).verdict == verdict
