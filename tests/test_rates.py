"""What costs money beside tokens: whole nano-dollars, rounded half up once."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.rates import NO_RATES, Rates, charge
from trayecto.trajectory import Call


def call(tool: str, outcome: str = "ok") -> Call:
    """Make a call."""
    return Call(1, tool, {}, None, outcome)


def test_calls_add_up() -> None:
    """By hand: two of "a" at five, one of them failed; "b" has no price."""
    rates = Rates({"a": 5, "A": 100})
    assert rates.of_calls([call("a"), call("b"), call("a", "error")]) == 10
    assert (rates.of_calls([]), NO_RATES.of_calls([call("a")])) == (0, 0)


@pytest.mark.parametrize(
    ("rate", "micros", "nano"),
    [
        (Fraction(1), 1_000_000, 1),
        (Fraction(1), 500_000, 1),
        (Fraction(1), 499_999, 0),
        (Fraction(1, 3), 1_500_000, 1),
        (Fraction(500_000_000), 90_000_000, 45 * 10**9),
        (Fraction(5), 0, 0),
    ],
)
def test_half_a_nano_dollar_is_one(rate: Fraction, micros: int, nano: int) -> None:
    """By hand; ninety minutes at half a dollar are 45 dollars."""
    assert charge(rate, micros) == nano


@given(st.decimals(0, 10**6, places=9), st.integers(0, 10**15))
def test_a_charge_is_exact(rate: Decimal, micros: int) -> None:
    """The same as decimal arithmetic with enough digits."""
    exact = Fraction(rate) * micros / 10**6
    assert abs(charge(Fraction(rate), micros) - exact) <= Fraction(1, 2)
    rounded = (rate * micros).scaleb(-6)
    if len(rounded.as_tuple().digits) < 28:
        assert charge(Fraction(rate), micros) == rounded.quantize(Decimal(1), ROUND_HALF_UP)


def test_rates_are_frozen() -> None:
    """They belong to a result's prices, which are named by a digest."""
    assert Rates.__struct_config__.frozen
