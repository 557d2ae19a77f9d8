"""Numbers with their units, and bars."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.reports._marks import (
    MINUS,
    TRACK,
    amount,
    bar,
    bound,
    dollars,
    hatch,
    percent,
    quantity,
    span,
    two_digits,
)
from trayecto.scores import Goal

SHARES = st.floats(-0.5, 1.5)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.42, "42.0 %"),
        (0.2733333, "27.3 %"),
        (1.0, "100.0 %"),
        (0.0, "0.0 %"),
        (-0.1, f"{MINUS}10.0 %"),
    ],
)
def test_shares_are_percentages_with_one_decimal(share: float, expected: str) -> None:
    """A rate reads the same wherever it stands."""
    assert percent(share) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.00675, "$0.00675"),
        (0.411975, "$0.411975"),
        (12.3, "$12.30"),
        (12345.678, "$12,345.68"),
        (1e-9, "$0.000000001"),
        (0.0, "$0.00"),
        (1e-30, "$1.00e-30"),
        (1e300, "$1.00e+300"),
        (-0.5, f"{MINUS}$0.50"),
        (3, "$3.00"),
    ],
)
def test_money_has_enough_digits(value: float, expected: str) -> None:
    """The price of a run is far below a cent."""
    assert dollars(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1164, "1,164"),
        (9379.2, "9,379"),
        (0.215, "0.215"),
        (2.5, "2.5"),
        (10**300, "1.00e+300"),
        (-3, f"{MINUS}3"),
        (0, "0"),
    ],
)
def test_counts_have_separators_of_thousands(value: float, expected: str) -> None:
    """A large number can be read at a glance."""
    assert amount(value) == expected


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (0.42, "share", "42.0 %"),
        (0.00675, "usd", "$0.00675"),
        (12345.0, "tokens", "12,345"),
        (1756.4, "ms", "1,756 ms"),
        (0.215, "calls", "0.215"),
        (3.25, "points", "3.25"),
        (float("nan"), "share", "–"),
        (float("inf"), "usd", "–"),
    ],
)
def test_a_value_is_written_in_its_unit(value: float, unit: str, expected: str) -> None:
    """What is no number is not written as one."""
    assert quantity(value, unit) == expected


@pytest.mark.parametrize(
    ("goal", "unit", "expected"),
    [
        (Goal(above=0.70), "share", "> 70 %"),
        (Goal(below=0.02), "share", "< 2 %"),
        (Goal(equal=0), "share", "0 %"),
        (Goal(above=0.29), "share", "> 29 %"),
        (Goal(below=0.006), "usd", "< $0.006"),
        (Goal(below=2500), "ms", "< 2,500 ms"),
        (Goal(), "share", "–"),
    ],
)
def test_a_value_to_start_from_is_written_with_its_sign(
    goal: Goal, unit: str, expected: str
) -> None:
    """As the articles write it, in the unit of the column."""
    assert bound(goal, unit) == expected


def test_intervals_are_written_with_their_ends() -> None:
    """The ends of a rate need no decimals."""
    assert span((0.32, 0.53), "share") == "32–53"
    assert span((0.001, 0.002), "usd") == "0.001–0.002"  # the value beside it has the sign
    assert span((1234.5, 2345.6), "ms") == "1,200–2,300"
    assert span((0.4, None), "share") == "≥ 40"


@pytest.mark.parametrize(
    ("share", "interval", "expected"),
    [
        (0.42, (0.32, 0.53), "······├─●─┤·········"),
        (0.42, None, "········●···········"),
        (0.0, None, "●···················"),
        (1.0, None, "···················●"),
        (0.02, (0.01, 0.05), "●┤··················"),
    ],
)
def test_a_bar_shows_estimate_and_interval(
    share: float, interval: tuple[float, float] | None, expected: str
) -> None:
    """The dot is the estimate, the caps are the interval."""
    assert bar(share, interval) == expected


@given(SHARES, st.none() | st.tuples(SHARES, SHARES).map(sorted).map(tuple))
def test_a_bar_has_always_one_dot_and_one_length(
    share: float, interval: tuple[float, float] | None
) -> None:
    """A value beyond the axis stays at its end."""
    drawn = bar(share, interval)
    assert len(drawn) == TRACK
    assert drawn.count("●") == 1


@pytest.mark.parametrize(
    ("share", "expected"), [(1, "░" * 10), (0.14, "░"), (0.5, "░░░░░"), (0.001, "░"), (2, "░" * 10)]
)
def test_hatching_is_as_long_as_what_is_unknown(share: float, expected: str) -> None:
    """Even one run of a thousand leaves a mark."""
    assert hatch(share, 10) == expected


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0556, 0.056), (1234.5, 1200), (-0.0361, -0.036), (0.0, 0.0), (7, 7), (1e13, 1e13)],
)
def test_two_digits(value: float, shown: float) -> None:
    """An end of an interval promises no more than it holds."""
    assert two_digits(value) == pytest.approx(shown)
