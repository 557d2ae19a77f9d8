"""Times: four digits where there are too many to keep."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.summaries._times import LATE, coarsen, rounded


@pytest.mark.parametrize(
    ("time", "kept"),
    [(0, 0), (9_999, 9_999), (10_000, 10_000), (12_345, 12_340), (99_999_999, 99_990_000)],
)
def test_four_digits_stay(time: int, kept: int) -> None:
    """The rest are cut."""
    assert rounded(time) == kept


def test_what_is_later_than_any_stays_so() -> None:
    """A run that never ended is not made to end."""
    assert rounded(LATE) == LATE


@given(st.integers(0, 10**18))
def test_a_time_is_cut_once(time: int) -> None:
    """Parts that were merged hold the same as a whole, off by less than a thousandth."""
    assert rounded(rounded(time)) == rounded(time) <= time
    assert time - rounded(time) <= time / 1000


def test_no_time_is_lost() -> None:
    """Those that become equal count together."""
    assert coarsen(Counter({12_345: 2, 12_349: 3, LATE: 1})) == {12_340: 5, LATE: 1}
