"""How much more would decide, by hand computation."""

from collections.abc import Callable

import pytest

from trayecto.comparison import MoreEvidence
from trayecto.decisions import Side, compare
from trayecto.decisions._evidence import (
    ALIKE,
    BY_TASKS,
    BY_TRIALS,
    NO_DIFFERENCE,
    ON_THE_MARGIN,
    SINGLE,
)

Make = Callable[..., Side]


def asked(base: Side, candidate: Side, **margins: float) -> MoreEvidence | None:
    """Return what would decide between two sides."""
    return compare(("b", {"shop": base}), [("c", {"shop": candidate})], margins).more_evidence


def ends(*counts: tuple[int, str]) -> dict[str, str]:
    """Return tasks: so many with these runs, then so many with those."""
    runs = [end for count, end in counts for _ in range(count)]
    return {f"t{number:03}": end for number, end in enumerate(runs)}


def test_so_many_more_tasks(side: Make) -> None:
    """4 lost and 6 won of 115: the mean is 2/115, the variance (10 - 4/115)/114 is 0.087414.

    (1.959964 + 0.841621)^2 * 0.087414 / (2/115)^2 = 2268.5, so 2,269 in all: 2,154 more.
    """
    base = side(ends((4, "p"), (6, "f"), (105, "p")))
    found = asked(base, side(ends((4, "f"), (6, "p"), (105, "p"))))
    assert found == MoreEvidence(tasks=2154, trials=None, why=SINGLE)


def test_a_margin_is_reached_from_the_difference(side: Make) -> None:
    """2 lost and 2 won of 40: no difference, 0.05 from the margin, a variance of 4/39.

    (1.644854 + 0.841621)^2 * (4/39) / 0.05^2 = 253.6, so 254 in all: 214 more.
    """
    base = side(ends((2, "p"), (2, "f"), (36, "p")))
    found = asked(base, side(ends((2, "f"), (2, "p"), (36, "p"))), task_success=0.05)
    assert found == MoreEvidence(tasks=214, trials=None, why=SINGLE)


def test_runs_that_differ_more_than_tasks(side: Make) -> None:
    """Every task is a coin on both sides: trials do as well."""
    base = side(ends((12, "pf"), (4, "ff"), (4, "pp")))
    found = asked(base, side(ends((12, "pf"), (4, "pf"), (4, "pp"))))
    assert found.why == BY_TRIALS
    assert found.trials >= 1


def test_tasks_that_differ_more_than_their_runs(side: Make) -> None:
    """Each task always comes to the same: more trials of it tell nothing."""
    base = side(ends((3, "pp"), (5, "ff"), (12, "pp")))
    found = asked(base, side(ends((3, "ff"), (5, "pp"), (12, "pp"))))
    assert (found.why, found.trials) == (BY_TASKS, None)


def test_no_number_decides(side: Make) -> None:
    """No difference at all, or one that sits on the margin."""
    same = side(ends((10, "p"), (10, "f")))
    assert asked(same, same).why == NO_DIFFERENCE
    base = side(ends((2, "p"), (1, "f"), (17, "p")))
    on = asked(base, side(ends((2, "f"), (1, "p"), (17, "p"))), task_success=0.05)
    assert (on.tasks, on.why) == (None, ON_THE_MARGIN)
    assert asked(same, same, task_success=0.01).why == ALIKE


def test_what_is_decided_needs_no_more(side: Make) -> None:
    """A candidate that is better, or worse."""
    base = side(ends((20, "p")))
    assert asked(base, side(ends((20, "f")))) is None


@pytest.mark.parametrize("trials", [1, 2])
def test_unequal_sides_do_not_break_it(side: Make, trials: int) -> None:
    """A side with one trial a task, and one with more."""
    found = asked(
        side(ends((3, "p"), (17, "f"))), side(ends((4, "p" * trials), (16, "f" * trials)))
    )
    assert found.tasks >= 1
