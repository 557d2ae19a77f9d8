"""The cluster bootstrap: golden values, exact and seeded, and scipy."""

from collections.abc import Callable
from itertools import product
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.bootstrap import bootstrap_quantile, bootstrap_ratio, resampled, two_stage

Golden = Callable[[str], tuple[dict, dict]]
TASKS = {"A": [1, 1, 0], "B": [0, 0], "C": [1, 1, 1, 0], "D": [1, 1, 1], "E": [0, 1]}
TRIALS = [value for values in TASKS.values() for value in values]
NAMES = [name for name, values in TASKS.items() for _ in values]
MEANS = [sum(values) / len(values) for values in TASKS.values()]


def test_the_exact_golden_values(golden: Golden) -> None:
    """Golden cluster_bootstrap_micro, cluster_bootstrap_macro: all 3,125 resamples of five."""
    micro = bootstrap_ratio(TRIALS, [1] * len(TRIALS), NAMES)
    macro = bootstrap_ratio(MEANS, [1] * len(MEANS))
    for name, found in (("micro", micro), ("macro", macro)):
        _, expected = golden(f"cluster_bootstrap_{name}")
        told = (found.mean, found.error, found.low, found.high)
        assert told == pytest.approx(
            tuple(expected[key] for key in ("mean", "se", "p2_5", "p97_5")), abs=5e-7
        )
        assert found.undefined == 0


def test_the_seeded_golden_values() -> None:
    """Golden seeded_expected: the same generator and call, 20,000 draws, to the bit."""
    sums = np.array([[sum(values), len(values)] for values in TASKS.values()], dtype=float)
    totals = resampled(sums, seed=20260101, resamples=20_000, enumerated=0)
    ratios = totals[:, 0] / totals[:, 1]
    low, high = np.percentile(ratios, [2.5, 97.5])
    told = (ratios.mean(), ratios.std(), low, high)
    assert told == pytest.approx((0.632272, 0.133285, 0.333333, 0.866667), abs=5e-7)


def test_resamples_in_which_nothing_was_accepted() -> None:
    """Two clusters, one accepted run: of four resamples one has none, and is counted apart."""
    found = bootstrap_ratio([2.0, 4.0], [1, 0])
    assert found.undefined == 0.25
    assert found.mean == pytest.approx((2 + 6 + 6) / 3)
    assert bootstrap_ratio([1.0, 1.0], [0, 0]) is None


def test_many_clusters_do_not_fill_the_memory() -> None:
    """A seed gives the same numbers in pieces: 3,000 clusters, 2,000 resamples."""
    values = np.arange(3_000.0)
    found = bootstrap_ratio(values.tolist(), [1] * 3_000, resamples=2_000)
    assert found == bootstrap_ratio(values.tolist(), [1] * 3_000, resamples=2_000)
    assert found.mean == pytest.approx(1499.5, rel=0.01)
    assert found.error == pytest.approx(values.std() / 3_000**0.5, rel=0.1)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6), st.randoms())
def test_order_does_not_matter_where_all_are_counted(values: list[int], random: object) -> None:
    """And the mean of all resamples is the mean."""
    shuffled = values.copy()
    random.shuffle(shuffled)
    one, other = (bootstrap_ratio(some, [1] * len(some)) for some in (values, shuffled))
    assert one.mean == pytest.approx(sum(values) / len(values))
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_two_stages_are_wider_than_one() -> None:
    """Tasks drawn again, and their trials; near the same mean."""
    trials = [[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 0, 1]]
    found = two_stage(trials)
    single = bootstrap_ratio([sum(task) / 4 for task in trials], [1] * 5)
    assert found.mean == pytest.approx(0.65, abs=0.01)
    assert found.error > single.error
    assert found == two_stage(trials)
    assert two_stage([[1]]) is two_stage([[1], []]) is None


def test_the_median_of_three_by_hand() -> None:
    """Of 1, 2, 9 all 27 resamples: the median is 1 in 7 of them, 2 in 13, 9 in 7."""
    found = bootstrap_quantile([1, 2, 9], 0.5)
    assert found.mean == pytest.approx((7 * 1 + 13 * 2 + 7 * 9) / 27)
    assert (found.low, found.high, found.undefined) == (1, 9, 0)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), st.sampled_from([0.05, 0.5, 0.95, 1.0]))
def test_quantiles_are_those_of_every_resample(values: list[int], share: float) -> None:
    """Drawn one by one, by numpy's inverted_cdf."""
    resamples = product(values, repeat=len(values))
    expected = [np.quantile(some, share, method="inverted_cdf") for some in resamples]
    assert bootstrap_quantile(values, share).mean == pytest.approx(np.mean(expected))


def test_a_cluster_is_drawn_with_all_its_values() -> None:
    """Two tasks, all fast and all slow: the median is of one of the two, or the lower."""
    found = bootstrap_quantile([1, 1, 1, 8, 8, 8], 0.5, list("aaabbb"))
    assert found.mean == pytest.approx((1 + 1 + 1 + 8) / 4)
    assert bootstrap_quantile([1, 2], 0.5, ["a", "a"]) is None
    with pytest.raises(ValueError, match="share 0 is not above 0"):
        bootstrap_quantile([1, 2], 0)


def test_what_cannot_be() -> None:
    """One cluster, unequal lists, and no numbers."""
    assert bootstrap_ratio([1, 2], [1, 1], ["a", "a"]) is None
    assert bootstrap_ratio([], []) is None
    with pytest.raises(ValueError, match="2 values above and 1 below"):
        bootstrap_ratio([1, 2], [1])
    with pytest.raises(ValueError, match="nan is not a finite"):
        bootstrap_ratio([nan, 2], [1, 1])


def test_scipy_s_bootstrap_is_near() -> None:
    """The same percentile interval of a ratio over thirty clusters, to the noise of drawing."""
    chance = np.random.default_rng(7)
    above, below = chance.random(30), chance.random(30) + 0.5
    expected = stats.bootstrap(
        (above, below), lambda a, b, axis: a.sum(axis=axis) / b.sum(axis=axis),
        paired=True, n_resamples=10_000, method="percentile", rng=chance,
    ).confidence_interval  # fmt: skip
    found = bootstrap_ratio(above.tolist(), below.tolist())
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.01)
