"""Several candidates beside one base."""

from collections.abc import Callable

import pytest

from trayecto.comparison import Candidate
from trayecto.decisions import Side, compare

Make = Callable[..., Side]
TASKS = [f"t{number:02}" for number in range(20)]


def rows(base: Side, *candidates: Side) -> list[Candidate]:
    """Return the table of these candidates."""
    arms = [(str(at), {"shop": each}) for at, each in enumerate(candidates)]
    return compare(("base", {"shop": base}), arms).table


def ends(passes: int) -> dict[str, str]:
    """Return tasks of which so many pass."""
    return {name: "p" if at < passes else "f" for at, name in enumerate(TASKS)}


def test_what_a_removed_part_was_worth(side: Make) -> None:
    """Without it 12 of 20 pass where 18 did: -30 points, with the interval and Holm's p."""
    base = side(ends(18))
    first, second = rows(base, side(ends(12)), side(ends(18)))
    assert (first.difference, first.verdict) == (pytest.approx(-0.3), "worse")
    assert first.p_adjusted == pytest.approx(2 * 0.03125)  # six lost, none won, two candidates
    assert first.interval[0] < -0.3 < first.interval[1] < 0
    assert (second.difference, second.verdict, second.p_adjusted) == (0, "undecided", 1)


def test_the_front_of_cost_and_success(side: Make) -> None:
    """Dearer and worse than another is not on it; equals stay together."""
    base = side(ends(10), tokens=1_000_000)
    cheap = side(ends(10), tokens=1_000_000)
    twin = side(ends(10), tokens=1_000_000)
    outdone = side(ends(9), tokens=2_000_000)
    good = side(ends(20), tokens=3_000_000)
    found = rows(base, cheap, twin, outdone, good)
    assert [row.front for row in found] == [True, True, False, True]
    assert [row.cost_ratio for row in found] == pytest.approx([1, 1, 2, 3])


def test_what_is_not_known_is_not_placed(side: Make) -> None:
    """Without costs there is no front; without a grade no success."""
    base = side(ends(10))
    found = rows(base, side(ends(10), tokens=None), side(ends(12)))
    assert [row.front for row in found] == [None, None]
    assert [row.cost_usd for row in found] == [None, None]


def test_each_suite_has_its_own(run: Callable[..., object], side: Make) -> None:
    """P values are adjusted within a suite."""
    shop, bank = side(ends(18)), side(ends(18), suite="bank")
    worse = {"shop": side(ends(10)), "bank": side(ends(10), suite="bank")}
    both = {"shop": shop, "bank": bank}
    found = compare(("base", both), [("a", worse), ("b", both)]).table
    assert [row.suite for row in found] == ["bank", "bank", "shop", "shop"]
    assert found[0].p_adjusted == found[2].p_adjusted == pytest.approx(2 * 2 * 0.5**8)
