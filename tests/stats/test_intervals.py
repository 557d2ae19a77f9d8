"""Intervals: the golden values, scipy and statsmodels, and what they cover."""

import json
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from trayecto.stats.intervals import (
    Interval,
    RateInterval,
    clopper_pearson,
    jeffreys,
    mean_interval,
    rate_interval,
    uniform_prior,
    wilson,
    zero_failures,
)

TASKS = [2 / 3, 0, 0.75, 1, 0.5]  # golden rate_interval_default_macro: means of five tasks
KINDS = {
    "wilson": wilson,
    "clopper_pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "beta_uniform_prior": uniform_prior,
}
COUNTS = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def ends(interval: Interval | None) -> tuple[float, float]:
    """Return both ends, as golden.json rounds them."""
    return (round(interval.low, 6), round(interval.high, 6))


def test_the_golden_rates(shared: Path) -> None:
    """Golden wilson_*, clopper_pearson_*, jeffreys_* and beta_uniform_prior_*, where they lie."""
    entries = json.loads((shared / "golden" / "golden.json").read_text("utf-8"))["golden"]
    checked = dict.fromkeys(KINDS, 0)
    for entry in entries:
        kind = next((kind for kind in KINDS if entry["id"].startswith(kind)), None)
        if kind is not None:
            found = KINDS[kind](entry["input"]["x"], entry["input"]["n"])
            assert ends(found) == pytest.approx(entry["expected"], abs=5e-7), entry["id"]
            checked[kind] += 1
    # beta_uniform_prior and clopper_pearson also stand at 8 of 10
    assert checked == {"wilson": 6, "clopper_pearson": 4, "jeffreys": 3, "beta_uniform_prior": 4}


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [
        (8, 10, 0.490162, 0.943318), (0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0),
        (1, 1, 0.206549, 1.0), (27, 30, 0.743789, 0.9654), (47, 50, 0.837829, 0.979385),
    ],
)  # fmt: skip
def test_wilson_s_golden_values(x: int, n: int, low: float, high: float) -> None:
    """Golden wilson_*: whole at the ends, where other intervals have no width."""
    assert ends(wilson(x, n)) == (low, high)


def test_the_default_of_a_rate() -> None:
    """Golden rate_interval_default_macro: five tasks with 2 to 4 trials, 14 in all."""
    found = rate_interval(TASKS, trials=14)
    assert found.rate == pytest.approx(0.583333, abs=5e-7)
    assert found.effective == pytest.approx(8.75)
    assert ends(found.interval) == (0.204653, 0.883953)
    assert found.clusters == 5


def test_tasks_that_are_all_alike() -> None:
    """Golden rate_interval_equal_task_means and clustered_all_same: they count as so many."""
    half = rate_interval([0.5] * 5, trials=20)
    assert (half.effective, ends(half.interval)) == (5, (0.110588, 0.889412))
    assert ends(rate_interval([1, 1, 1], trials=6).interval) == (0.139452, 1)
    assert rate_interval([0, 0, 0]).interval.low == 0


def test_the_effective_size_is_at_most_the_trials() -> None:
    """Ten tasks alike but for one: their spread would promise more than they hold."""
    values = [0.5] * 9 + [0.6]
    assert rate_interval(values).effective > 100
    assert rate_interval(values, trials=40).effective == 40


def test_one_cluster_has_no_interval() -> None:
    """Nothing tells how clusters differ; the rate stands."""
    assert rate_interval([0.5, 1], ["a", "a"]) == RateInterval(0.75, None, None, 1)
    assert rate_interval([]) is None
    assert mean_interval([3.0]) is None
    assert mean_interval([]) is None


def test_a_mean_by_student() -> None:
    """Golden macro_mean_of_task_means: 0.583333 with t 2.776445 from 0.120592 to 1.046074."""
    assert ends(mean_interval(TASKS)) == (0.120592, 1.046074)
    low, high = stats.t.interval(0.9, 4, np.mean(TASKS), stats.sem(TASKS))
    assert ends(mean_interval(TASKS, confidence=0.9)) == (round(low, 6), round(high, 6))


@pytest.mark.parametrize(
    ("trials", "bound"),
    [(10, 0.258866), (59, 0.049508), (100, 0.029513), (149, 0.019905), (299, 0.009969)],
)
def test_no_failure_leaves_a_rate_possible(trials: int, bound: float) -> None:
    """Golden zero_failures_upper95_*: below three over n."""
    assert zero_failures(trials) == pytest.approx(bound, abs=5e-7)
    assert zero_failures(trials) < 3 / trials
    assert zero_failures(0) is None


@pytest.mark.parametrize(
    ("ours", "method"),
    [(wilson, "wilson"), (clopper_pearson, "beta"), (jeffreys, "jeffreys")],
)
@given(COUNTS)
def test_statsmodels_says_the_same(ours: object, method: str, counts: tuple[int, int]) -> None:
    """Wherever it is asked; its Jeffreys does not go to the ends at 0 and at all, as ours does."""
    successes, trials = counts
    low, high = proportion_confint(successes, trials, 0.05, method)
    found = ours(successes, trials)
    if method != "jeffreys" or successes:
        assert found.low == pytest.approx(low, abs=1e-8)
    if method != "jeffreys" or successes < trials:
        assert found.high == pytest.approx(high, abs=1e-8)


@given(COUNTS)
def test_failures_mirror_successes(counts: tuple[int, int]) -> None:
    """What holds of successes holds of failures, turned round; and the rate is inside."""
    successes, trials = counts
    for interval in KINDS.values():
        found, turned = interval(successes, trials), interval(trials - successes, trials)
        assert found.low == pytest.approx(1 - turned.high, abs=1e-9)
        assert 0 <= found.low <= found.high <= 1
        if interval is not uniform_prior:  # which draws towards the middle
            assert found.low <= successes / trials + 1e-12


@given(st.lists(st.integers(0, 4), min_size=2, max_size=30), st.floats(0.5, 0.9))
def test_more_confidence_is_wider(successes: list[int], confidence: float) -> None:
    """And the rate lies within either."""
    values = [count / 4 for count in successes]
    narrow = rate_interval(values, trials=4 * len(values), confidence=confidence)
    wide = rate_interval(values, trials=4 * len(values), confidence=0.95)
    assert wide.interval.low <= narrow.interval.low <= narrow.rate + 1e-12
    assert narrow.rate - 1e-12 <= narrow.interval.high <= wide.interval.high


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (nan, 3), (1, inf)])
def test_counts_that_cannot_be(successes: float, trials: float) -> None:
    """Are refused by what they are."""
    for interval in KINDS.values():
        with pytest.raises(ValueError, match="is no count"):
            interval(successes, trials)


def test_values_that_cannot_be() -> None:
    """A rate above one, no number, and a confidence of nothing or all."""
    for odd in (1.5, -0.1, nan):
        with pytest.raises(ValueError, match="no rate"):
            rate_interval([0.5, odd])
    with pytest.raises(ValueError, match="confidence 1 is not"):
        wilson(1, 2, 1)
    assert wilson(0, 0) is None
    assert {f(0, 0) for f in KINDS.values()} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [5, 10, 20, 50, 100])
@pytest.mark.parametrize("rate", [0.6, 0.9, 0.97])
def test_the_default_covers(tasks: int, rate: float) -> None:
    """At least 0.90 of 20,000 draws with four trials a task, as the notes measured it.

    Task rates are Beta(1.5 mu, 1.5 (1 - mu)). A draw is known by its counts of tasks with 0 to 4
    successes, so that each different one is computed once, by the function itself.
    """
    chance = np.random.default_rng(20260101 + tasks)
    truth = chance.beta(1.5 * rate, 1.5 * (1 - rate), (20_000, tasks))
    done = chance.binomial(4, truth)
    counts = np.stack([(done == k).sum(axis=1) for k in range(5)], axis=1)
    kinds, times = np.unique(counts, axis=0, return_counts=True)
    if len(kinds) > 4_000:  # the first of them in a seeded order are as good as all
        kept = chance.permutation(len(kinds))[:4_000]
        kinds, times = kinds[kept], times[kept]
    covered = 0
    for kind, often in zip(kinds, times, strict=True):
        values = np.repeat(np.arange(5) / 4, kind).tolist()
        found = rate_interval(values, trials=4 * tasks).interval
        covered += often * (found.low <= rate <= found.high)
    assert covered / times.sum() >= 0.90
