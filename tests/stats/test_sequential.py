"""The e-value of wins and losses: golden values, and its expectation."""

from math import comb, exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.stats.sequential import sign_e_value, sign_log_e


@pytest.mark.parametrize(
    ("wins", "losses", "expected"),
    [(0, 0, 1.0), (9, 1, 9.309091), (8, 0, 28.444444), (7, 3, 0.775758)],
)
def test_the_golden_values(wins: int, losses: int, expected: float) -> None:
    """Golden evalue_sign_*; either direction is evidence."""
    assert sign_e_value(wins, losses) == pytest.approx(expected, abs=5e-7)
    assert sign_e_value(losses, wins) == pytest.approx(expected, abs=5e-7)


@given(st.integers(0, 60))
def test_it_expects_one_where_nothing_differs(changed: int) -> None:
    """Over all outcomes of fair coins: what makes it safe to look at any time."""
    outcomes = range(changed + 1)
    mean = sum(
        comb(changed, wins) / 2**changed * sign_e_value(wins, changed - wins) for wins in outcomes
    )
    assert mean == pytest.approx(1, abs=1e-9)


def test_it_stays_finite() -> None:
    """2,000 wins: its logarithm is told, the value itself is beyond all floats."""
    assert sign_log_e(2000, 0) == pytest.approx(2000 * log(2) - log(2001))
    assert sign_e_value(2000, 0) is None
    assert sign_e_value(1030, 0) == pytest.approx(2**1030 // 1031)
    assert sign_e_value(100, 100) == pytest.approx(exp(sign_log_e(100, 100)))


def test_counts_that_cannot_be() -> None:
    """Negative ones."""
    with pytest.raises(ValueError, match="-1 wins and 0 losses are no counts"):
        sign_log_e(-1, 0)
