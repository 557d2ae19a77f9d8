"""The half-point rule, strict and on decimals."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from trayecto.stats.dropped import dropped


def test_the_golden_pairs(golden: Callable[[str], tuple[dict, dict]]) -> None:
    """Golden regression_half_point_exact: as text, as floats, and as decimals."""
    given_, expected = golden("regression_half_point_exact")
    for before, now in given_["base_now"]:
        for kind in (str, float, Decimal):
            assert dropped(kind(before), kind(now)) is expected[f"{before}->{now}"]


@pytest.mark.parametrize(
    ("before", "now", "fell"),
    [(4.4, 3.9, False), (4.4, 3.8, True), (1, 0.5, False), (1.0, 0.4, True), (0.2, 0.9, False)],
)
def test_half_a_point_is_not_more_than_half_a_point(
    before: float, now: float, *, fell: bool
) -> None:
    """4.4 - 3.9 is 0.5000000000000004 in floats, and must not flag; a rise never does."""
    assert dropped(before, now) is fell


def test_another_limit() -> None:
    """Strict as well."""
    assert not dropped(0.9, 0.8, "0.1")
    assert dropped(0.9, 0.79, "0.1")


@pytest.mark.parametrize("odd", ["x", float("nan"), float("inf")])
def test_what_is_no_number(odd: object) -> None:
    """Is refused by what it is."""
    with pytest.raises(ValueError, match="is not a finite number"):
        dropped(odd, 1)
