"""Distributions: scipy's values, and what follows from symmetry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.distributions import (
    beta_cdf,
    beta_quantile,
    binomial_tail,
    normal_quantile,
    normal_tail,
    student_quantile,
    student_tail,
)

PROBABILITIES = (1e-6, 0.001, 0.025, 0.05, 0.2, 0.5, 0.8, 0.95, 0.975, 0.9999)


@pytest.mark.parametrize("probability", PROBABILITIES)
def test_the_normal_distribution(probability: float) -> None:
    """Scipy's quantiles, and back."""
    value = normal_quantile(probability)
    assert value == pytest.approx(stats.norm.ppf(probability), abs=1e-9)
    assert normal_tail(value) == pytest.approx(1 - probability, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 3.5, 4, 9, 49, 1000, 1e6])
@pytest.mark.parametrize("probability", PROBABILITIES)
def test_student_s_distribution(probability: float, df: float) -> None:
    """Scipy's quantiles and tails; golden macro_mean_of_task_means has 2.776445 for 4."""
    value = student_quantile(probability, df)
    assert value == pytest.approx(stats.t.ppf(probability, df), rel=1e-8, abs=1e-9)
    assert student_tail(value, df) == pytest.approx(1 - probability, abs=1e-9)


def test_a_published_quantile() -> None:
    """The printed tables: t with 4 degrees of freedom at 0.975 is 2.776."""
    assert student_quantile(0.975, 4) == pytest.approx(2.776445, abs=5e-7)


@given(st.floats(1e-300, 1), st.floats(0.01, 5000), st.floats(0.01, 5000))
def test_the_beta_distribution(x: float, a: float, b: float) -> None:
    """Scipy's probabilities, wherever it is asked."""
    assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), abs=1e-10)


@given(st.floats(1e-6, 1 - 1e-6), st.floats(0.5, 2000), st.floats(0.5, 2000))
def test_beta_quantiles_lead_back(probability: float, a: float, b: float) -> None:
    """The probability at a quantile is the one that was asked for."""
    x = beta_quantile(probability, a, b)
    assert 0 <= x <= 1
    assert stats.beta.cdf(x, a, b) == pytest.approx(probability, abs=1e-7)  # x has 16 digits


@given(st.integers(0, 60), st.integers(0, 60), st.floats(0, 1))
def test_the_binomial_tail(successes: int, trials: int, rate: float) -> None:
    """Scipy's survival function, at least so many and not more than so many."""
    tail = float(stats.binom.sf(successes - 1, trials, rate))
    assert binomial_tail(successes, trials, rate) == pytest.approx(tail, abs=1e-10)


@given(st.floats(1e-9, 0.5 - 1e-6), st.floats(0.5, 1e5))
def test_student_s_quantiles_lead_back(tail: float, df: float) -> None:
    """The tail above a quantile is the one that was asked for, wherever it was found from."""
    value = student_quantile(1 - tail, df)
    assert stats.t.sf(value, df) == pytest.approx(tail, rel=1e-6, abs=1e-12)
    assert student_quantile(tail, df) == pytest.approx(-value, rel=1e-6)
