"""How much more would decide, by hand computation."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from scipy import stats

from trayecto.comparison import MoreEvidence
from trayecto.decisions import Side, compare
from trayecto.decisions._evidence import (
    BY_TASKS,
    BY_TRIALS,
    FEW,
    NO_DIFFERENCE,
    ON_THE_MARGIN,
    SINGLE,
    SOME_SINGLE,
    TOO_MANY,
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
    """4 lost and 6 won of 115: 2,349 in all, 2,234 more, by scipy over every number of changes.

    McNemar's exact test has a power of 0.799888 with 2,348 tasks, and of 0.800061 with one more.
    """
    base = side(ends((4, "p"), (6, "f"), (105, "p")))
    found = asked(base, side(ends((4, "f"), (6, "p"), (105, "p"))))
    assert found == MoreEvidence(tasks=2234, trials=None, why=SINGLE)


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
    assert (found.why, found.trials) == (BY_TRIALS, 2)


def test_few_tasks_do_not_decide_by_trials(side: Make) -> None:
    """Five coins: their runs are what differs, and five signs give no less than 0.0625."""
    found = asked(
        side(dict.fromkeys("abcde", "ppff")), side({"a": "pppp", **dict.fromkeys("bcde", "pppf")})
    )
    assert (found.trials, found.why) == (None, FEW)


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


def test_where_nothing_changed_the_bound_still_wants_tasks(side: Make) -> None:
    """20 of 20 against a margin of 1 point: 164 tasks, where t * sqrt(166/165)/166 is 0.009994."""
    same = side(ends((20, "p")))
    assert asked(same, same, task_success=0.01).tasks == 144


def test_six_must_have_moved(side: Make) -> None:
    """Five of five won: one more. Of six: (5/6)^n of n all moving ... 8 of 9 tasks, by scipy."""
    for tasks, more in ((5, 1), (6, 2)):
        base = side(ends((5, "f"), (tasks - 5, "p")))
        assert asked(base, side(ends((tasks, "p")))).tasks == more


def test_declared_clusters_are_what_is_added(side: Make) -> None:
    """Four of eight clusters move, of five equal tasks each: by clusters, not by their 40 tasks.

    The clusters differ by 1, 1, 1, -1 and four times 0: a mean of 1/4, a variance of 0.5. (2.801585
    / 0.25)^2 * 0.5 = 62.8 clusters of 5 tasks, 313.96 tasks and so 274 more, in 54.8 more clusters.
    """
    sides = [[run for each in letters for run in each * 5] for letters in ("fffppppp", "pppfpppp")]
    made = []
    for letters in sides:
        found = side({f"t{at:02}": end for at, end in enumerate(letters)})
        for at in range(40):
            found.tasks[f"t{at:02}"].unit = (f"r{at // 5}",)
        made.append(found)
    found = asked(*made)
    assert (found.tasks, found.clusters, found.power) == (274, 55, 0.8)


def test_runs_that_nobody_graded_do_not_count(side: Make) -> None:
    """A task that is not graded on one side is no task of the advice."""
    letters = ends((4, "p"), (6, "f"), (105, "p"))
    base, other = side(letters), side(ends((4, "f"), (6, "p"), (105, "p")))
    wanted = asked(base, other).tasks
    for made, graded in ((base, 1), (other, 0)):
        made.tasks["zzz"] = replace(
            made.tasks["t000"], graded=graded, succeeded=graded, values={}, unit="z"
        )
    assert asked(base, other).tasks == wanted


def test_more_than_a_million_is_no_advice(side: Make) -> None:
    """One more of 1,000 is won than lost, of 401."""
    base = side(ends((200, "p"), (201, "f"), (599, "p")))
    other = side(ends((200, "f"), (201, "p"), (599, "p")))
    found = asked(base, other)
    assert (found.tasks, found.trials, found.why) == (None, None, TOO_MANY)


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


@pytest.mark.parametrize(("won", "lost", "same"), [(7, 1, 0), (7, 1, 2), (4, 0, 8), (5, 0, 15)])
def test_the_advice_has_the_power_that_it_says(side: Make, won: int, lost: int, same: int) -> None:
    """By scipy's binomial test over every outcome of so many tasks, each moved as those seen."""
    base = side(ends((lost, "p"), (won, "f"), (same, "p")))
    found = asked(base, side(ends((lost, "f"), (won, "p"), (same, "p"))))
    seen = lost + won + same
    power = 0.0
    for less in range(seen + found.tasks + 1):
        for more in range(seen + found.tasks + 1 - less):
            if less + more and stats.binomtest(less, less + more).pvalue < 0.05:
                counts = [less, more, seen + found.tasks - less - more]
                shares = [lost / seen, won / seen, same / seen]
                power += stats.multinomial.pmf(counts, seen + found.tasks, shares)
    assert power >= 0.8


def test_trials_do_not_help_where_few_tasks_move(side: Make) -> None:
    """Five of ten tasks rose from one of two to two of two, five never change: p is 0.0625."""
    base = side(ends((5, "pf"), (5, "pp")))
    found = asked(base, side(ends((10, "pp"))))
    assert (found.trials, found.why) == (None, FEW)
    assert found.tasks >= 2


def test_clusters_of_many_tasks_want_more_of_them(side: Make) -> None:
    """33 tasks would do, one by one; in three clusters it takes 46 (the bound, by hand)."""
    made = []
    for _ in range(2):
        found = side({f"t{at:02}": "p" for at in range(33)})
        for at, task in enumerate(found.tasks.values()):
            task.unit = (f"r{at % 3}",)
        made.append(found)
    found = asked(*made, task_success=0.05)
    assert found.tasks is not None
    assert 33 + found.tasks < 46  # with more clusters of eleven, and not the same three
    assert found.clusters >= 1


def test_some_tasks_with_one_trial_are_not_all(side: Make) -> None:
    """Eleven tasks have four trials, and one has one: that is said, and not that all have one."""
    many = {f"t{at:02}": "ppff" for at in range(12)}
    found = asked(side(many), side({**many, "t00": "p", "t01": "pppf", "t02": "pfff"}))
    assert found.why == SOME_SINGLE
