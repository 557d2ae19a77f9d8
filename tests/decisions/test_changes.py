"""Tasks that changed, and those that fell by more than half a point."""

from collections.abc import Callable

import pytest

from trayecto.decisions import Side
from trayecto.decisions._changes import EXAMPLES, changed, regressed
from trayecto.decisions._pairing import pair_tasks

Make = Callable[..., Side]


def test_the_lost_ones_first(side: Make) -> None:
    """Each by name, with the successes of its graded trials."""
    base = side({"a": "f", "b": "p", "c": "pf", "d": "p"})
    candidate = side({"a": "p", "b": "f", "c": "pf", "d": "f"})
    found = changed(pair_tasks(base, candidate).pairs)
    assert [(each.task, each.change, each.base, each.candidate) for each in found] == [
        ("b", "worse", "1/1", "0/1"), ("d", "worse", "1/1", "0/1"), ("a", "better", "0/1", "1/1"),
    ]  # fmt: skip


def test_shares_are_compared_and_not_counts(side: Make) -> None:
    """2 of 4 and 1 of 2 are the same; 2 of 4 and 2 of 3 are not."""
    same = pair_tasks(side({"t": "ppff"}), side({"t": "pf"})).pairs
    assert changed(same) == []
    (found,) = changed(pair_tasks(side({"t": "ppff"}), side({"t": "ppf"})).pairs)
    assert (found.change, found.base, found.candidate) == ("better", "2/4", "2/3")


def test_the_runs_that_part_show_the_change(side: Make) -> None:
    """A success of the better side and a failure of the other; steps, then writes."""
    base = side({"t": "p"}, tools=["get_it", "pay"])
    candidate = side({"t": "f"}, tools=["get_it", "get_it", "refund"])
    (found,) = changed(pair_tasks(base, candidate).pairs)
    assert (found.base_run, found.candidate_run) == (
        base.tasks["t"].runs[True].id, candidate.tasks["t"].runs[False].id,
    )  # fmt: skip
    assert (found.parted.step, found.parted.base_tool, found.parted.candidate_tool) == (
        2, "pay", "get_it",
    )  # fmt: skip
    written = found.parted_write
    assert (written.step, written.base_tool, written.candidate_tool) == (1, "pay", "refund")


def test_where_no_run_shows_it_nothing_is_pointed_at(side: Make) -> None:
    """From 1 of 2 to 2 of 2 there is a failure to look at; without one there is none."""
    (found,) = changed(pair_tasks(side({"t": "pf"}), side({"t": "pp"})).pairs)
    assert found.base_run is not None
    lone = side({"t": "pf"})
    del lone.tasks["t"].runs[False]
    (found,) = changed(pair_tasks(lone, side({"t": "pp"})).pairs)
    assert (found.base_run, found.parted, found.parted_write) == (None, None, None)


@pytest.mark.parametrize(
    ("base", "candidate", "fell"),
    [("pppp", "pfff", True), ("pppp", "ppff", False), ("pf", "ff", False), ("p", "f", True)],
)
def test_more_than_half_a_point(side: Make, base: str, candidate: str, *, fell: bool) -> None:
    """Strict: half a point is not more than half a point (article 003)."""
    one, other = side({"t": base}), side({"t": candidate})
    found = regressed(pair_tasks(one, other).pairs, one.columns)
    assert ("task_success" in found.counts) is fell


def test_what_should_be_low_falls_by_rising(side: Make) -> None:
    """A loop in every run where there was none: the rate of loops fell in worth."""
    loops = side({"t": "p"}, tools="aaaa")
    found = regressed(pair_tasks(side({"t": "p"}, tools="abcd"), loops).pairs, loops.columns)
    assert found.counts["loop_rate"] == 1
    example = next(each for each in found.examples if each.metric == "loop_rate")
    assert (example.task, example.base, example.candidate) == ("t", 0, 1)


def test_what_is_no_share_is_not_flagged(side: Make) -> None:
    """Half a dollar, or half a call, is half of nothing in particular."""
    base, dear = side({"t": "p"}, tokens=1_000_000), side({"t": "p"}, tokens=9_000_000)
    found = regressed(pair_tasks(base, dear).pairs, base.columns)
    assert "cost_usd" not in found.counts


def test_examples_are_bounded_and_counts_are_not(side: Make) -> None:
    """Thirty tasks fell; the first twenty are named."""
    names = [f"t{number:02}" for number in range(30)]
    one, other = side(dict.fromkeys(names, "p")), side(dict.fromkeys(names, "f"))
    found = regressed(pair_tasks(one, other).pairs, one.columns)
    assert found.counts["task_success"] == 30
    assert len(found.examples) == EXAMPLES


def test_a_task_by_itself_is_a_flag(side: Make) -> None:
    """Golden fisher_task_flag_5of5_vs_0of5, 0.007937: among four tasks four times that, by BH."""
    base = side({"a": "ppppp", "b": "ppppp", "c": "pf", "d": "p"})
    candidate = side({"a": "fffff", "b": "ppppf", "c": "pf", "d": "f"})
    found = {each.task: each for each in changed(pair_tasks(base, candidate).pairs)}
    assert found["a"].p_adjusted == pytest.approx(4 * 0.007937, abs=4e-6)
    assert found["b"].p_adjusted == found["d"].p_adjusted == 1
