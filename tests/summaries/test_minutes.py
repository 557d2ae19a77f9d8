"""Minutes of people: whole millionths, and money only where all of it is known."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.summaries._minutes import Minutes

Make = Callable[..., Any]


def minutes(scored: Make, *made: Any, prices: object = None) -> Minutes:  # noqa: ANN401  # any records
    """Return the minutes of some runs."""
    found = Minutes()
    for run in scored(made, prices)[0]:
        found.add(run)
    return found


def test_the_bill_is_at_the_stated_rate(record: Make, scored: Make, stated: Make) -> None:
    """By hand: 1.5 and 0.25 minutes at half a dollar are 0.875 dollars."""
    made = [record("t", human_minutes=each) for each in (1.5, 0.25)]
    found = minutes(scored, *made, prices=stated)
    assert (found.micros, found.runs, found.bill(2)) == (1_750_000, 2, 875_000_000)


def test_a_part_of_a_bill_is_no_bill(record: Make, scored: Make, stated: Make) -> None:
    """One run of two tells its minutes."""
    found = minutes(scored, record("t", human_minutes=1), record("t"), prices=stated)
    assert (found.runs, found.bill(2)) == (1, None)


def test_without_a_rate_there_is_no_bill(record: Make, scored: Make, dollar: Make) -> None:
    """Neither with no prices, nor with prices of tokens alone."""
    for prices in (None, dollar):
        assert minutes(scored, record("t", human_minutes=1), prices=prices).bill(1) is None


@pytest.mark.parametrize("odd", [-1.0, float("nan"), float("inf"), 1e9])
def test_minutes_that_cannot_be_are_not_told(
    record: Make, scored: Make, odd: float, stated: Make
) -> None:
    """Whoever builds trajectories in Python is not held to what formats check."""
    found = minutes(scored, record("t", human_minutes=odd), prices=stated)
    assert (found.micros, found.runs) == (0, 0)


def test_parts_add_up(record: Make, scored: Make, stated: Make) -> None:
    """A part without minutes knows no rate, and takes that of the other."""
    one = minutes(scored, record("t", human_minutes=0.1), prices=stated)
    other = minutes(scored, record("t", human_minutes=0.2), prices=stated)
    for part in (one, other):
        whole = Minutes()
        whole.merge(part)
        assert whole.bill(1) == part.bill(1)
    one.merge(other)
    assert (one.bill(2), other.bill(1)) == (150_000_000, 100_000_000)
