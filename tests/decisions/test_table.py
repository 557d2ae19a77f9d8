"""Several candidates beside one base."""

from collections.abc import Callable

import pytest

from trayecto.comparison import Candidate
from trayecto.decisions import Side, compare, read_arm
from trayecto.facts import Prices
from trayecto.metrics import score

Make = Callable[..., Side]
TASKS = [f"t{number:02}" for number in range(20)]


def rows(base: Side, *candidates: Side) -> list[Candidate]:
    """Return the table of these candidates, under the row of the base."""
    arms = [(str(at), {"shop": each}) for at, each in enumerate(candidates)]
    return compare(("base", {"shop": base}), arms).table


def ends(passes: int) -> dict[str, str]:
    """Return tasks of which so many pass."""
    return {name: "p" if at < passes else "f" for at, name in enumerate(TASKS)}


def test_what_a_removed_part_was_worth(side: Make) -> None:
    """Without it 12 of 20 pass where 18 did: -30 points, with the interval and Holm's p."""
    base = side(ends(18))
    row, first, second = rows(base, side(ends(12)), side(ends(18)))
    assert (row.base, row.candidate, row.success, row.verdict) == (True, "base", 0.9, None)
    assert (first.difference, first.verdict) == (pytest.approx(-0.3), "undecided")
    assert first.p_adjusted == pytest.approx(2 * 0.03125)  # six lost, none won, two candidates
    assert first.interval[0] < -0.3 < first.interval[1] < 0
    assert (second.difference, second.verdict, second.p_adjusted) == (0, "undecided", 1)


def test_the_front_of_cost_and_success(side: Make) -> None:
    """Dearer and worse than another is not on it; equals stay together."""
    base = side(ends(9), tokens=1_000_000)
    cheap = side(ends(10), tokens=1_000_000)
    twin = side(ends(10), tokens=1_000_000)
    outdone = side(ends(9), tokens=2_000_000)
    good = side(ends(20), tokens=3_000_000)
    found = rows(base, cheap, twin, outdone, good)
    assert [row.front for row in found] == [False, True, True, False, True]
    assert [row.cost_ratio for row in found] == [None, *map(pytest.approx, (1, 1, 2, 3))]


def test_the_base_may_be_the_best(side: Make) -> None:
    """Nothing that is dearer and worse than the base is on the front."""
    found = rows(side(ends(12), tokens=1_000), side(ends(11), tokens=2_000), side(ends(12)))
    assert [row.front for row in found] == [True, False, None]


def test_the_word_goes_with_the_adjusted_p(side: Make) -> None:
    """Six lost are worse alone, at 0.031, and undecided as one of two candidates."""
    base = side(ends(20))
    alone = compare(("base", {"shop": base}), [("one", {"shop": side(ends(14))})])
    assert alone.metrics["task_success"].verdict == "worse"
    found = rows(base, side(ends(14)), side(ends(18)))
    assert [row.verdict for row in found] == [None, "undecided", "undecided"]


def test_what_is_not_known_is_not_placed(side: Make) -> None:
    """Without costs there is no front; without a grade no success."""
    base = side(ends(10))
    found = rows(base, side(ends(10), tokens=None), side(ends(12)))
    assert [row.front for row in found] == [None, None, None]
    assert [row.cost_usd for row in found] == [None, None, None]


def test_each_suite_has_its_own(run: Callable[..., object], side: Make) -> None:
    """P values are adjusted within a suite."""
    shop, bank = side(ends(18)), side(ends(18), suite="bank")
    worse = {"shop": side(ends(10)), "bank": side(ends(10), suite="bank")}
    both = {"shop": shop, "bank": bank}
    found = compare(("base", both), [("a", worse), ("b", both)]).table
    assert [row.suite for row in found] == ["bank"] * 3 + ["shop"] * 3
    assert found[1].p_adjusted == found[4].p_adjusted == pytest.approx(2 * 2 * 0.5**8)


def test_the_order_of_candidates_changes_no_row(side: Make) -> None:
    """The base's success and the front are the same, whoever comes first and whatever broke."""
    base = side(ends(20), tokens=1_000)
    broke = side(dict.fromkeys(TASKS, "i"), tokens=10)
    worse = side(ends(15), tokens=2_000)
    one, other = rows(base, broke, worse), rows(base, worse, broke)
    told = [(row.success, row.cost_usd, row.front) for row in one]
    assert told[0] == (1, pytest.approx(0.001), True)
    assert told == [(other[at].success, other[at].cost_usd, other[at].front) for at in (0, 2, 1)]
    assert told[1] == (None, pytest.approx(0.00001), None)


def test_a_cost_of_one_task_outdoes_nobody(
    side: Make, run: Callable[..., object], dollar: Prices
) -> None:
    """It is no cost of the candidate: no ratio, and no place on the front."""
    records = [run(name, "p", tokens=1 if name == "t00" else None) for name in TASKS]
    (part,) = read_arm(score(records, prices=dollar), "runs").values()
    base = side(ends(20), tokens=1_000)
    found = rows(base, part, base)
    assert (found[1].cost_usd, found[1].cost_ratio, found[1].front) == (None, None, None)
    assert (found[0].front, found[2].front) == (True, True)
