"""The cluster bootstrap: golden values, exact and seeded, and scipy."""

from collections.abc import Callable
from itertools import chain, product
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


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("micro", (0.632272, 0.133285, 0.333333, 0.866667)),
        ("macro", (0.583684, 0.14961, 0.266667, 0.85)),
    ],
)
def test_the_seeded_golden_values(of: str, expected: tuple[float, ...]) -> None:
    """Golden seeded_expected: the same generator and call, 20,000 draws, to every digit printed."""
    pairs = [(sum(values), len(values)) for values in TASKS.values()]
    rows = pairs if of == "micro" else [(mean, 1) for mean in MEANS]
    totals = resampled(np.array(rows, dtype=float), seed=20260101, resamples=20_000, enumerated=0)
    ratios = totals[:, 0] / totals[:, 1]
    told = (ratios.mean(), ratios.std(), *np.percentile(ratios, [2.5, 97.5]))
    assert told == pytest.approx(expected, abs=5e-7)


def test_draws_are_near_what_is_exact() -> None:
    """The golden tolerance: 0.005 of mean and error, 0.02 of the ends."""
    exact = bootstrap_ratio(TRIALS, [1] * len(TRIALS), NAMES)
    sums = np.array([[sum(values), len(values)] for values in TASKS.values()], dtype=float)
    totals = resampled(sums, seed=1, enumerated=0)
    ratios = totals[:, 0] / totals[:, 1]
    assert (ratios.mean(), ratios.std()) == pytest.approx((exact.mean, exact.error), abs=0.005)
    low, high = np.percentile(ratios, [2.5, 97.5])
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=0.02)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=4))
def test_every_resample_is_counted_once(rows: list[tuple[int, int]]) -> None:
    """All C^C ways to draw C rows, one by one: the same totals, as often."""
    expected = [
        tuple(map(float, np.sum(drawn, axis=0))) for drawn in product(rows, repeat=len(rows))
    ]
    found = resampled(np.array(rows, dtype=float))
    assert sorted(map(tuple, found.tolist())) == sorted(expected)


def test_seven_clusters_have_823_543_resamples() -> None:
    """7^7; in each seven clusters are drawn. Eight are not counted, but drawn."""
    assert resampled(np.ones((7, 1))).tolist() == [[7.0]] * 7**7
    assert len(resampled(np.ones((8, 1)))) == 10_000


def test_a_draw_in_pieces_is_the_same_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is held in memory at once: the generator goes on where it was."""
    values = [float(value * value % 37) for value in range(20)]

    def both() -> list[object]:
        return [bootstrap_ratio(values, [1] * 20), bootstrap_quantile(values, 0.95)]

    whole = both()
    monkeypatch.setattr("trayecto.stats.bootstrap.AT_ONCE", 1_000)
    assert both() == whole


def test_another_seed_is_another_draw() -> None:
    """The same seed is the same; every draw of clusters weighs as much as there are clusters."""
    rows = np.arange(9.0)[:, None]
    one, same, other = (resampled(rows, seed=seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert not (one == other).all()
    assert (resampled(np.ones((9, 3)), seed=3) == 9).all()


def test_resamples_in_which_nothing_was_accepted() -> None:
    """Two clusters, one accepted run: of four resamples one has none, and is counted apart."""
    found = bootstrap_ratio([2.0, 4.0], [1, 0])
    assert found.undefined == 0.25
    assert found.mean == pytest.approx((2 + 6 + 6) / 3)
    assert found.low == pytest.approx(2 + 4 * 2 * 0.025 / 0.75)  # of 2, 6, 6, and one above all
    assert found.high is None
    assert bootstrap_ratio([1.0, 1.0], [0, 0]) is None


def test_the_chance_that_nothing_was_accepted() -> None:
    """One accepted of five is in none of (4/5)^5 of resamples; of ten, near (9/10)^10."""
    assert bootstrap_ratio([1.0] * 5, [1, 0, 0, 0, 0]).undefined == pytest.approx(0.8**5)
    drawn = bootstrap_ratio([1.0] * 10, [1] + [0] * 9)
    assert drawn.undefined == pytest.approx(0.9**10, abs=0.02)
    assert drawn.low >= 1
    assert drawn.high is None


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
def test_the_exact_error_of_a_mean(values: list[int]) -> None:
    """Of all resamples it is the standard deviation of the population over the root of n."""
    found = bootstrap_ratio(values, [1] * len(values))
    assert found.error == pytest.approx(np.std(values) / len(values) ** 0.5, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=2, max_size=9))
def test_twice_the_cost_is_twice_the_ratio(pairs: list[tuple[int, int]]) -> None:
    """To the bit: doubling a number rounds nothing."""
    above, below = zip(*pairs, strict=True)
    once = bootstrap_ratio(above, below, resamples=50)
    twice = bootstrap_ratio([2 * value for value in above], below, resamples=50)
    assert twice.mean == 2 * once.mean
    assert (twice.error, twice.low, twice.high) == (2 * once.error, 2 * once.low, 2 * once.high)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=2, max_size=4))
def test_ratios_are_those_of_every_resample(pairs: list[tuple[int, int]]) -> None:
    """Drawn one by one: those over 0 are counted, and are in no other number."""
    sums = [np.sum(drawn, axis=0) for drawn in product(pairs, repeat=len(pairs))]
    expected = [above / below for above, below in sums if below]
    found = bootstrap_ratio(*zip(*pairs, strict=True))
    if not expected:
        assert found is None
        return
    assert found.undefined == pytest.approx(1 - len(expected) / len(sums))
    assert (found.mean, found.error) == pytest.approx(
        (np.mean(expected), np.std(expected)), abs=1e-9
    )


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=12), st.integers(0, 99))
def test_a_higher_quantile_is_no_lower(values: list[int], seed: int) -> None:
    """In every resample, so in all: from the least value to the greatest."""
    found = [
        bootstrap_quantile(values, share, seed=seed, resamples=40) for share in (0.05, 0.5, 0.95, 1)
    ]
    for numbers in ([each.mean for each in found], [each.high for each in found]):
        assert numbers == pytest.approx(sorted(numbers), abs=1e-9)
        assert min(values) - 1e-9 <= numbers[0] <= numbers[-1] <= max(values) + 1e-9


@pytest.mark.parametrize("clusters", [5, 40])
def test_several_columns_are_resampled_at_once(clusters: int) -> None:
    """Each column is what it is by itself: all share the draws of clusters."""
    sums = np.random.default_rng(3).integers(0, 9, (clusters, 4)).astype(float)
    together = resampled(sums, seed=8, resamples=300)
    for place in range(4):
        alone = resampled(sums[:, [place]], seed=8, resamples=300)
        assert (together[:, [place]] == alone).all()


def test_clusters_are_what_is_drawn() -> None:
    """Trials of a cluster are worth its sums, whatever order they come in."""
    sums = bootstrap_ratio([3, 7, 4], [2, 3, 1])
    apart = bootstrap_ratio([1, 3, 4, 2, 2, 2], [1, 1, 1, 1, 1, 1], list("abcabb"))
    assert apart == sums


def test_where_all_are_alike_there_is_no_width() -> None:
    """As documented: rates take Wilson's interval instead."""
    found = bootstrap_ratio([1, 1, 1], [1, 1, 1])
    assert (found.mean, found.error, found.low, found.high) == (1, 0, 1, 1)


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


@pytest.mark.parametrize("sizes", [(4, 4, 4, 4, 4), (2, 5, 1, 3)])
def test_two_stages_vary_as_theory_says(sizes: tuple[int, ...]) -> None:
    """(variance of task means + mean of variance over trials, both of populations) over tasks.

    A task that is drawn twice has its trials drawn twice, each apart: drawn together they would
    make the error a seventh too large here.
    """
    tasks = [[(place * (trial + 2)) % 5 for trial in range(n)] for place, n in enumerate(sizes)]
    inside = [np.var(task) / len(task) for task in tasks]
    expected = (np.var([np.mean(task) for task in tasks]) + np.mean(inside)) / len(tasks)
    assert two_stage(tasks, resamples=40_000).error == pytest.approx(expected**0.5, rel=0.02)


def test_two_stages_of_runs_that_never_vary_are_one() -> None:
    """Then only the tasks are drawn: the error is that of their means."""
    tasks = [[0, 0], [1, 1, 1], [3], [2, 2], [0], [4], [1], [1]]
    expected = np.std([task[0] for task in tasks]) / 8**0.5
    assert two_stage(tasks).error == pytest.approx(expected, rel=0.03)
    with pytest.raises(ValueError, match="nan is not a finite"):
        two_stage([[nan], []])


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


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=2, max_size=4))
def test_quantiles_of_unequal_clusters(held: list[list[int]]) -> None:
    """Each resample takes whole clusters, and is as long as they are: drawn one by one."""
    values = [value for cluster in held for value in cluster]
    names = [name for name, cluster in enumerate(held) for _ in cluster]
    resamples = [list(chain(*some)) for some in product(held, repeat=len(held))]
    expected = [np.quantile(some, 0.75, method="inverted_cdf") for some in resamples]
    found = bootstrap_quantile(values, 0.75, names)
    assert found.mean == pytest.approx(np.mean(expected))
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(expected, [2.5, 97.5])))


def test_quantiles_of_drawn_resamples() -> None:
    """Nine values: numpy's own quantile of the very values that the generator draws."""
    values = np.array([3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8])
    drawn = values[np.random.Generator(np.random.PCG64(5)).integers(0, 9, (400, 9))]
    expected = np.quantile(drawn, 0.95, axis=1, method="inverted_cdf")
    found = bootstrap_quantile(values.tolist(), 0.95, seed=5, resamples=400)
    assert (found.mean, found.error) == pytest.approx((expected.mean(), expected.std()))


def test_many_values_of_seven_clusters() -> None:
    """All 823,543 resamples of 700 values: those that draw the same clusters are one."""
    values = [place * 7 + cluster for place in range(100) for cluster in range(7)]
    found = bootstrap_quantile(values, 0.5, list(range(7)) * 100)
    assert 346 <= found.low <= found.mean <= found.high <= 352


def test_what_cannot_be() -> None:
    """One cluster, unequal lists, and no numbers."""
    assert bootstrap_ratio([1, 2], [1, 1], ["a", "a"]) is None
    assert bootstrap_ratio([], []) is None
    with pytest.raises(ValueError, match="2 values above and 1 below"):
        bootstrap_ratio([1, 2], [1])
    with pytest.raises(ValueError, match="nan is not a finite"):
        bootstrap_ratio([nan, 2], [1, 1])


@pytest.mark.parametrize(("seed", "resamples"), [(-1, 10), (0, 0)])
@pytest.mark.parametrize("count", [3, 9])
def test_draws_that_cannot_be(seed: int, resamples: int, count: int) -> None:
    """Also where every resample is counted and none is drawn: numbers are checked alike."""
    values, told = list(range(count)), f"seed {seed} .* resamples {resamples} "
    for resample in (
        lambda: bootstrap_ratio(values, [1] * count, seed=seed, resamples=resamples),
        lambda: bootstrap_quantile(values, 0.5, seed=seed, resamples=resamples),
        lambda: two_stage([values, values], seed=seed, resamples=resamples),
    ):
        with pytest.raises(ValueError, match=told):
            resample()


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
