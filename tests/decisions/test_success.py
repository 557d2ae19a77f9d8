"""What may be said of success, and when nothing may."""

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec import UNSET

from trayecto.comparison import Comparison
from trayecto.decisions import Side, compare, read_arm
from trayecto.decisions._difference import Values, differ
from trayecto.decisions._pairing import Paired
from trayecto.decisions._success import NO_CHANCE, UNEQUAL, UNGRADED, settle
from trayecto.decisions._trust import Trust
from trayecto.metrics import Column, score
from trayecto.records import Record

Make = Callable[..., Side]


def both(base: Side, candidate: Side, **margins: float) -> Comparison:
    """Compare two sides on one suite."""
    return compare(("base", {"shop": base}), [("other", {"shop": candidate})], margins)


def test_unequal_infrastructure_silences_all_that_rests_on_success(side: Make) -> None:
    """The margin too: with six broken runs of 40, that the rest did not fall shows nothing."""
    many = {f"t{number:02}": "p" for number in range(40)}
    broken = {**many, **{f"t{number:02}": "i" for number in range(6)}}
    fields = {"tools": "ab", "reference": ["a", "b"]}
    sides = side(many, **fields), side(broken, **fields)
    found = both(*sides, task_success=0.5, accepted=0.5)
    resting = ("task_success", "accepted", "corrupt_success")
    told = {name: found.metrics[name] for name in resting if name in found.metrics}
    assert {"task_success", "accepted"} <= told.keys()
    assert {(each.verdict, each.why, each.margin) for each in told.values()} == {
        ("undecided", UNEQUAL, UNSET)
    }
    assert found.metrics["task_success"].capability.why == UNEQUAL
    assert found.more_evidence is None
    assert found.metrics["path_match"].why is not UNEQUAL


def test_a_metric_that_is_only_called_like_it_does_not_rest_on_success() -> None:
    """A user's ``accepted_x`` keeps its word; a column over successes does not."""
    columns = [
        Column(id=name, summary=name, unit="share", better="higher", over=over)
        for name, over in (("accepted_x", "valid"), ("longest", "successes"))
    ]
    values = Values([1.0] * 8, [0.0] * 8, None, single=True, unit="share", better="higher")
    metrics = {column.summary: differ(values) for column in columns}
    side = Side("s", "c", tuple(columns), {}, Counter(infra_error=1), Trust())
    found = settle(metrics, columns, Paired([], [], [], []), (side, side))
    assert [found[name].verdict for name in metrics] == ["worse", "undecided"]


def test_broken_runs_are_not_cheap(side: Make) -> None:
    """A run that breaks at once costs little: nothing is said of costs either, nor of each more."""
    many = {f"t{number:02}": "p" for number in range(40)}
    broken = {**many, **{f"t{number:02}": "i" for number in range(15)}}
    base, other = side(many, tokens=1_000), side(broken, tokens=10)
    found = both(base, other)
    assert (found.metrics["cost_usd"].verdict, found.metrics["cost_usd"].why) == (
        "undecided", UNEQUAL,
    )  # fmt: skip
    assert both(other, base).groups[0].cost_per_extra_accepted.why == UNEQUAL


def test_doubt_reaches_every_view_and_every_power(side: Make) -> None:
    """Success that contradicts what was done is in brackets, in the capability view and pass^2."""
    base = side(dict.fromkeys("abcdefgh", "pp"))
    base.trust = Trust(10, 5)
    found = both(base, side(dict.fromkeys("abcdefgh", "ff"))).metrics
    assert not found["task_success"].capability.trusted
    assert not found["pass_hat_k.2"].trusted


def test_powers_are_held_back_too(side: Make) -> None:
    """pass^2 rests on success."""
    many = {f"t{number:02}": "pp" for number in range(40)}
    found = both(side(many), side({**many, **{f"t{n:02}": "ii" for n in range(6)}})).metrics
    assert (found["pass_hat_k.2"].verdict, found["pass_hat_k.2"].why) == ("undecided", UNEQUAL)


@pytest.mark.parametrize(("ungraded", "why"), [(2, UNSET), (3, UNGRADED)])
def test_a_twentieth_may_be_without_a_grade(
    run: Callable[..., Record], ungraded: int, why: object
) -> None:
    """Two of 40 are 5 %, and not more."""
    made = [run(f"t{n:02}", "x" if n < ungraded else "p", status="unknown") for n in range(40)]
    (one,) = read_arm(score(made), "runs").values()
    assert both(one, one).metrics["task_success"].why == why


def test_the_capability_view_is_of_tasks_with_a_fair_run_on_both_sides(side: Make) -> None:
    """Four tasks, one of which broke in the candidate: three are left, and no margin is lost."""
    many = {f"t{number:02}": "p" for number in range(60)}
    found = both(side(many), side({**many, "t00": "i"}), task_success=0.1)
    success = found.metrics["task_success"]
    assert (success.tasks, success.lost, success.capability.tasks) == (60, 1, 59)
    assert success.capability.lost == 0
    assert success.margin.margin == success.capability.margin.margin == 0.1


def test_no_fair_run_on_one_side_is_no_failure(side: Make) -> None:
    """Every run of the candidate broke: it did not fail, it was not measured."""
    found = both(side(dict.fromkeys("abcdefgh", "p")), side(dict.fromkeys("abcdefgh", "i")))
    success = found.metrics["task_success"]
    assert (success.candidate, success.difference, success.why) == (None, None, NO_CHANCE)
    assert success.capability is UNSET


def test_recovery_rests_on_success(side: Make) -> None:
    """It is the success of the runs with a failed call, and is held back with it."""
    columns = [Column("error_recovery", "error_recovery", "share", "higher", "valid")]
    values = Values([0.0] * 8, [1.0] * 8, None, single=True, unit="share", better="higher")
    side_of = Side("s", "c", tuple(columns), {}, Counter(infra_error=1), Trust())
    found = settle(
        {"error_recovery": differ(values)}, columns, Paired([], [], [], []), (side_of, side_of)
    )
    assert (found["error_recovery"].verdict, found["error_recovery"].why) == ("undecided", UNEQUAL)
