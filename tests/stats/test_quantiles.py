"""Nearest rank: always an observed value."""

from collections import Counter
from fractions import Fraction
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.quantiles import nearest_rank, rank_bounds

SHARES = st.fractions(0, 1, max_denominator=200)


@pytest.mark.parametrize(
    ("values", "share", "quantile"),
    [
        (range(1, 11), "1/2", 5),
        (range(1, 11), "19/20", 10),
        (range(1, 21), "19/20", 19),
        (range(1, 102), "1/2", 51),
        (range(1, 101), "95/100", 95),
        ([7], "1/2", 7),
        ([3, 3, 3, 9], "3/4", 3),
        ([3, 3, 3, 9], "76/100", 9),
        ([5, 1], "0", 1),
        ([5, 1], "1", 5),
    ],
)
def test_known_quantiles(values: list[int], share: str, quantile: int) -> None:
    """By hand: the value at rank ceil(share times n), at least the first."""
    assert nearest_rank(Counter(values), Fraction(share)) == quantile


def test_a_value_without_a_bound() -> None:
    """Golden latency_censored: of 100, 120, 130 and two timeouts p50 is 130, p95 has no bound."""
    late = 10**9
    counts = Counter([100, late, 120, 130, late])
    assert nearest_rank(counts, Fraction(1, 2)) == 130
    assert nearest_rank(counts, Fraction(19, 20)) == late


def test_a_value_that_was_never_seen_is_no_quantile() -> None:
    """A count of 0 is no observation."""
    assert nearest_rank({5: 0, 7: 1}, Fraction(0)) == 7
    assert nearest_rank({5: 0}, Fraction(1, 2)) is None


def test_of_nothing_it_is_undefined() -> None:
    """No value has no median."""
    assert nearest_rank({}, Fraction(1, 2)) is None


@given(st.lists(st.integers(-50, 50), min_size=1), SHARES)
def test_it_is_the_definition(values: list[int], share: Fraction) -> None:
    """The smallest observed value with at least that share at or below it."""
    found = nearest_rank(Counter(values), share)
    enough = [v for v in values if Fraction(sum(w <= v for w in values), len(values)) >= share]
    assert found == min(enough)


@pytest.mark.parametrize(
    ("values", "share", "low", "high"),
    [
        (20, Fraction(1, 2), 6, 15), (20, Fraction(19, 20), 17, None),
        (59, Fraction(19, 20), 52, None), (72, Fraction(19, 20), 64, 72),
        (73, Fraction(19, 20), 65, 73), (100, Fraction(19, 20), 90, 100),
        (200, Fraction(19, 20), 184, 197),
    ],
)  # fmt: skip
def test_the_golden_ranks(values: int, share: Fraction, low: int, high: int | None) -> None:
    """Golden percentile_rank_ci_*: below 72 values nothing bounds a 95th percentile above."""
    assert rank_bounds(values, share) == (low, high)


def test_few_values_bound_nothing() -> None:
    """One value is no bound, and none is none."""
    assert rank_bounds(1, Fraction(1, 2)) == (None, None)
    assert rank_bounds(0, Fraction(1, 2)) == (None, None)


@pytest.mark.parametrize("share", ["1/4", "1/2", "9/10", "19/20", "99/100"])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_scipy_s_binomial(share: str, confidence: float) -> None:
    """The last rank with at most half the doubt of lying above the quantile; the first below."""
    rate, doubt = float(Fraction(share)), (1 - confidence) / 2
    for values in range(1, 121, 7):
        ranks = np.arange(1, values + 1)
        above = ranks[stats.binom.cdf(ranks - 1, values, rate) <= doubt]
        below = ranks[stats.binom.sf(ranks - 1, values, rate) <= doubt]
        expected = (
            int(above[-1]) if len(above) else None, int(below[0]) if len(below) else None,
        )  # fmt: skip
        assert rank_bounds(values, Fraction(share), confidence) == expected


@given(st.integers(1, 500), st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]))
def test_the_median_lies_in_the_middle(values: int, confidence: float) -> None:
    """As many ranks are left out below as above; more confidence never leaves out more."""
    low, high = rank_bounds(values, Fraction(1, 2), confidence)
    assert (low is None) == (high is None)
    assert low is None or low + high == values + 1
    sure = rank_bounds(values, Fraction(1, 2), 0.995)[0] or 0
    assert sure <= (low or 0)


@pytest.mark.parametrize(
    ("values", "share", "confidence", "told"),
    [
        (-1, Fraction(1, 2), 0.95, "-1 values"),
        (9, Fraction(3, 2), 0.95, "share 3/2"),
        (9, Fraction(-1, 2), 0.95, "share -1/2"),
        (9, Fraction(1, 2), 1.0, "confidence 1.0"),
        (9, Fraction(1, 2), nan, "confidence nan"),
    ],
)
def test_bounds_that_cannot_be(values: int, share: Fraction, confidence: float, told: str) -> None:
    """Each is named."""
    with pytest.raises(ValueError, match=told):
        rank_bounds(values, share, confidence)
