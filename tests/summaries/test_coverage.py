"""Coverage: how much of the plan can be judged, and what was answered of what can be solved."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from trayecto.case import Case, CaseInput, CaseSecret
from trayecto.records import Record
from trayecto.summaries.coverage import Accumulator
from trayecto.trajectory import INVALID

Make = Callable[..., Any]

INFRA = {"status": "infra_error", "success": None}


@pytest.fixture
def input_11(record: Make) -> list[Record]:
    """Return the twelve trials of INPUT-11: one, none and four of four are valid."""
    passed, failed = {"success": True}, {"success": False}
    tasks = {
        "T1": [passed, INFRA, INFRA, INFRA],
        "T2": [INFRA] * 4,
        "T3": [passed, failed, passed, passed],
    }
    return [
        record(task, trial=at, **ended)
        for task, trials in tasks.items()
        for at, ended in enumerate(trials, 1)
    ]


def test_input_11_covers_five_of_twelve(input_11: list[Record], total: Make) -> None:
    """INPUT-11: tasks 2 of 3, trials 5 of 12; the gate asks for 0.9."""
    found = total(input_11).metrics["coverage"]
    assert (found.value, found.n, found.of, found.tasks) == (5 / 12, 5, 12, 2)
    assert found.undefined == {"the run broke (infra_error)": 7}
    assert (found.value >= 0.9, found.why, found.better) == (False, UNSET, "higher")


@pytest.mark.parametrize(
    ("k", "strict"), [(1, (0.25 + 0 + 0.75) / 3), (2, 0.5 / 3), (3, 0.25 / 3), (4, 0)]
)
def test_input_11_strict_view(input_11: list[Record], total: Make, k: int, strict: float) -> None:
    """INPUT-11: a trial that the infrastructure broke is a failure: 0.333, 0.167, 0.083, 0."""
    found = total(input_11).metrics["pass_hat_k"][str(k)]
    assert found.value == pytest.approx(strict, abs=1e-12)
    assert (found.tasks, found.of) == (3, 3)


@pytest.mark.parametrize(("k", "expected"), [(1, 0.875), (2, 0.5), (3, 0.25), (4, 0)])
def test_input_11_excluded_view(
    input_11: list[Record], total: Make, k: int, expected: float
) -> None:
    """INPUT-11: the trials that are valid, over the tasks that have k of them."""
    kept = [each for each in input_11 if each.trajectory.status not in INVALID]
    found = total(kept).metrics["pass_hat_k"][str(k)]
    assert found.available == pytest.approx(expected, abs=1e-12)
    assert (found.tasks, found.of) == (2 if k == 1 else 1, 2)


def test_input_11_shows_both_views_side_by_side(input_11: list[Record], total: Make) -> None:
    """The success rate of all trials and that of the valid ones: 0.333 and 0.875."""
    found = total(input_11).metrics["task_success"]
    assert found.operational == pytest.approx(1 / 3)
    assert found.capability == 0.875


def test_input_11_has_no_excluded_view_of_every_task(input_11: list[Record], total: Make) -> None:
    """INPUT-11: T2 has no valid trial, so no k has a value over all three tasks."""
    found = total(input_11).metrics["pass_hat_k"]
    assert [found[k].capability for k in "1234"] == [None] * 4


@pytest.mark.parametrize("status", sorted(INVALID))
def test_a_trial_without_a_fair_chance_does_not_count(
    record: Make, total: Make, status: str
) -> None:
    """Whatever was recorded of it; the reason names the status."""
    found = total([record("t"), record("t", status=status)]).metrics["coverage"]
    assert (found.value, found.n, found.of) == (0.5, 1, 2)
    assert found.undefined == {f"the run broke ({status})": 1}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"grade": "missing"}, "the run was not graded"),
        ({"grade": "held"}, "the run is held: nobody has decided yet"),
        ({"success": None}, "nobody recorded whether the run succeeded"),
        ({"success": None, "status": "unknown"}, "nobody recorded whether the run succeeded"),
    ],
)
def test_a_trial_that_nobody_judged_does_not_count(
    record: Make, total: Make, fields: dict[str, object], why: str
) -> None:
    """Nothing was checked: that is no evidence."""
    found = total([record("t"), record("t", **fields)]).metrics["coverage"]
    assert (found.value, found.undefined) == (0.5, {why: 1})


@pytest.mark.parametrize("status", ["agent_error", "budget_exceeded", "deadline_exceeded"])
def test_a_failure_of_the_agent_is_evidence(record: Make, total: Make, status: str) -> None:
    """It had its chance; a success with an unknown status is as graded (ruling 11)."""
    made = [record("t", status=status, success=None), record("t", status="unknown")]
    found = total(made).metrics["coverage"]
    assert (found.value, found.undefined) == (1, UNSET)


def test_trials_weigh_alike(record: Make, total: Make) -> None:
    """One task with one valid trial, one with three that broke: a quarter of the plan, not half."""
    made = [record("a"), *[record("b", **INFRA) for _ in range(3)]]
    assert total(made).metrics["coverage"].value == 0.25


def test_all_broken_is_a_coverage_of_nothing(record: Make, total: Make) -> None:
    """0 of 2 is a count, not an unknown."""
    found = total([record("t", **INFRA), record("t", **INFRA)]).metrics["coverage"]
    assert (found.value, found.n, found.tasks) == (0, 0, 0)


def test_without_a_grader_there_is_nothing_to_cover(record: Make, total: Make) -> None:
    """Plain traces that nobody meant to grade are not called badly covered."""
    found = total([record("t", success=None), record("t", **INFRA)]).metrics["coverage"]
    assert (found.value, found.why) == (None, "nobody recorded whether the run succeeded")
    assert (found.n, found.of, sum(found.undefined.values())) == (0, 2, 2)


def test_of_no_trial_it_is_undefined() -> None:
    """A bound may be named before a run is read."""
    found = Accumulator(()).metrics()
    assert (found["coverage"].value, found["coverage"].why) == (None, "no trial was planned")
    assert found["coverage.answered"].value is None


# ---- answered ----------------------------------------------------------------------------------


def judged(made: Record, *, abstain: bool | None) -> Record:
    """Give a run a case that says whether it should abstain."""
    name = made.trajectory.case_id
    return Record(made.trajectory, Case(name, CaseInput(), CaseSecret(should_abstain=abstain)))


def silent(record: Make, case: str, **fields: object) -> Record:
    """Make a run that said something and called nothing."""
    made = record(case, "a", **fields)
    [turn] = made.trajectory.turns
    return Record(replace(made.trajectory, turns=(replace(turn, calls=(), text="I cannot."),)))


def test_what_can_be_solved_and_was_answered(record: Make, total: Make) -> None:
    """By hand: task a answers one of two, b both: 0.75; what should abstain is not asked."""
    solvable = [record("a"), silent(record, "a"), record("b"), record("b")]
    made = [judged(each, abstain=False) for each in solvable]
    made += [judged(silent(record, "c"), abstain=True), judged(record("d"), abstain=None)]
    found = total(made).metrics["coverage.answered"]
    assert (found.value, found.n, found.of, found.tasks) == (0.75, 4, 4, 2)
    assert (found.undefined, found.unit) == (UNSET, "share")


def test_tasks_weigh_alike_in_what_was_answered(record: Make, total: Make) -> None:
    """Ruling 12: three answers to one task and none to another are a half."""
    made = [*[record("a") for _ in range(3)], silent(record, "b")]
    found = total([judged(each, abstain=False) for each in made])
    assert found.metrics["coverage.answered"].value == 0.5


def test_a_trial_that_broke_neither_answered_nor_abstained(record: Make, total: Make) -> None:
    """It is left out, and told; the same for a run in which the agent took no turn."""
    made = [record("a"), record("a", **INFRA), record("a", turns=())]
    found = total([judged(each, abstain=False) for each in made]).metrics["coverage.answered"]
    assert (found.value, found.n, found.of) == (1, 1, 3)
    assert found.undefined == {
        "the run broke (infra_error)": 1,
        "the run has no turn of the agent": 1,
    }


def test_where_no_case_says_so_nothing_is_asked(record: Make, total: Make) -> None:
    """No case at all, or only ones that should abstain: no gap, and no share."""
    made = [record("a"), judged(record("b"), abstain=True)]
    found = total(made).metrics["coverage.answered"]
    assert (found.value, found.why) == (None, "the case does not ask for it")
    assert found.undefined == {"the case does not ask for it": 2}


def test_where_nobody_can_tell_it_is_undefined(record: Make, total: Make) -> None:
    """With the reason of the trials."""
    found = total([judged(record("a", **INFRA), abstain=False)]).metrics["coverage.answered"]
    assert (found.value, found.of, found.why) == (None, 1, "the run broke (infra_error)")


ENDS: Sequence[dict[str, object]] = (
    {},
    {"success": False},
    INFRA,
    {"success": None},
    {"grade": "held"},
)
DRAWN = st.tuples(
    st.sampled_from("xyz"), st.sampled_from(ENDS), st.sampled_from([None, True, False])
)


@given(drawn=st.lists(DRAWN, max_size=9), chance=st.randoms(use_true_random=False))
def test_any_split_gives_the_same(
    record: Make, scored: Make, drawn: list[Any], chance: random.Random
) -> None:
    """Parts merge to the same in any order."""
    made = [judged(record(case, **ended), abstain=abstain) for case, ended, abstain in drawn]
    runs, columns = scored(made)
    whole, merged = Accumulator(columns), Accumulator(columns)
    for run in runs:
        whole.add(run)
    chance.shuffle(runs)
    for part in (runs[::2], runs[1::2]):
        other = Accumulator(columns)
        for run in part:
            other.add(run)
        merged.merge(other)
    assert merged.metrics() == whole.metrics()
