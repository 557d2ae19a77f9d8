"""The clustered error of a mean: golden values, statsmodels, and what does not matter."""

from math import inf, nan

import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from trayecto.stats.clusters import Clustered, check_finite, cluster_sums, clustered_mean

# golden clustered_se_trials: trials as they are, each task a cluster
TASKS = {"A": [1, 1, 0], "B": [0, 0], "C": [1, 1, 1, 0], "D": [1, 1, 1], "E": [0, 1]}
TRIALS = [value for values in TASKS.values() for value in values]
NAMES = [name for name, values in TASKS.items() for _ in values]
VALUES = st.lists(st.integers(-8, 8), min_size=2, max_size=12)


def test_the_golden_value() -> None:
    """Golden clustered_se_trials: 14 trials of five tasks."""
    found = clustered_mean(TRIALS, NAMES)
    assert (found.clusters, found.n) == (5, 14)
    assert found.mean == pytest.approx(0.642857, abs=5e-7)
    assert found.error == pytest.approx(0.139958, abs=5e-7)


def test_without_clusters_every_value_is_one() -> None:
    """Golden se_naive of the same trials, the standard deviation over the root of n."""
    assert clustered_mean(TRIALS).error == pytest.approx(0.132894, abs=5e-7)


def test_the_mean_of_task_means() -> None:
    """Golden macro_mean_of_task_means: five task means."""
    found = clustered_mean([sum(values) / len(values) for values in TASKS.values()])
    assert found.mean == pytest.approx(0.583333, abs=5e-7)
    assert found.error == pytest.approx(0.166667, abs=5e-7)


@given(VALUES, st.data())
def test_statsmodels_says_the_same(values: list[int], data: st.DataObject) -> None:
    """A regression on a constant with errors by cluster; its correction is C/(C-1) here."""
    size = len(values)
    rest = data.draw(st.lists(st.integers(0, 3), min_size=size - 2, max_size=size - 2))
    groups = [0, 1, *rest]
    found = clustered_mean(values, groups)
    fit = sm.OLS(values, [1.0] * size).fit(
        cov_type="cluster",
        cov_kwds={"groups": groups, "use_correction": True, "df_correction": False},
    )
    assert found.error == pytest.approx(float(fit.bse[0]), abs=1e-9)


@given(VALUES, st.randoms())
def test_order_does_not_matter(values: list[int], random: object) -> None:
    """Values come with their clusters in any order."""
    pairs = [(value, place % 3) for place, value in enumerate(values)]
    shuffled = pairs.copy()
    random.shuffle(shuffled)
    one, other = (clustered_mean(*map(list, zip(*some, strict=True))) for some in (pairs, shuffled))
    assert one.mean == other.mean
    assert one.error == pytest.approx(other.error, abs=1e-12)


def test_one_cluster_has_no_error() -> None:
    """Nothing tells how clusters differ, and of no value there is no mean."""
    assert clustered_mean([1, 0, 1], ["a"] * 3) == Clustered(2 / 3, None, 1, 3)
    assert clustered_mean([1]) == Clustered(1, None, 1, 1)
    assert clustered_mean([]) is None


def test_sums_by_cluster() -> None:
    """In the order in which clusters are first met."""
    assert cluster_sums([1, 2, 3], ["b", "a", "b"]) == [4, 2]
    assert cluster_sums([1, 2]) == [1, 2]


@pytest.mark.parametrize("odd", [nan, inf, -inf])
def test_what_is_no_number_is_refused(odd: float) -> None:
    """By its name, and not summed up."""
    with pytest.raises(ValueError, match=f"{odd} is not a finite number"):
        clustered_mean([1.0, odd])
    with pytest.raises(ValueError, match="not a finite"):
        check_finite([odd])


def test_lengths_must_agree() -> None:
    """A value without a cluster is a mistake."""
    with pytest.raises(ValueError, match=r"shorter|longer"):
        clustered_mean([1, 2], ["a"])
