"""One side: tasks with the values of the summary's own table, and what the runs did."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from trayecto.decisions import Side, read_arm
from trayecto.errors import InputError
from trayecto.formats import read
from trayecto.metrics import score
from trayecto.records import Record
from trayecto.summaries import summarize
from trayecto.summaries.tasks import Mean
from trayecto.trajectory import Turn

Make = Callable[..., Side]
AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"


def test_a_task_has_the_mean_of_its_runs(side: Make) -> None:
    """Three of four, and one that broke: 3/5 in one view, 3/4 in the other."""
    task = side({"t": "pppfi"}).tasks["t"]
    assert task.values["task_success"] == Mean(pytest.approx(0.6), 5)
    assert (task.trials, task.graded, task.succeeded) == (5, 5, 3)
    assert (task.fair, task.fair_succeeded) == (4, 3)


def test_the_first_run_of_either_end_is_kept(side: Make) -> None:
    """With its steps: tool, digest of its arguments, turn, and whether it writes."""
    task = side({"t": "pfpf"}, tools=["get_it", "pay"]).tasks["t"]
    assert sorted(task.runs) == [False, True]
    steps = task.runs[True].steps
    assert [(step.tool, step.turn, step.writes) for step in steps] == [
        ("get_it", 1, False), ("pay", 2, True),
    ]  # fmt: skip
    assert {step.arguments for step in steps} == {sha256(b"{}").hexdigest()[:16]}


def test_a_run_that_nobody_graded_shows_no_change(side: Make) -> None:
    """A broken run is a failure in the counts, and the first to look at."""
    task = side({"t": "i"}).tasks["t"]
    assert list(task.runs) == [False]
    assert task.pass_hat(1) == 0
    assert task.pass_hat(2) is None


def test_the_text_is_known_by_its_digest(side: Make) -> None:
    """Nothing where no case tells it."""
    one, same, other = (side({"t": "p"}, text=text) for text in ("a", "a", "b"))
    assert one.tasks["t"].texts == same.tasks["t"].texts != other.tasks["t"].texts
    assert side({"t": "p"}).tasks["t"].texts == frozenset()


def test_the_only_turn_of_a_user_is_the_text(side: Make) -> None:
    """Of several turns nobody knows which are the task, and a case says it better."""
    ask, more = Turn(1, "user", "Refund it."), Turn(2, "user", "Now.")
    told = side({"t": "p"}, turns=(ask,)).tasks["t"].texts
    assert told == side({"t": "p"}, text="Refund it.").tasks["t"].texts
    assert side({"t": "p"}, turns=(ask, more)).tasks["t"].texts == frozenset()
    assert side({"t": "p"}, turns=(more,), text="Refund it.").tasks["t"].texts == told


def test_a_user_that_words_it_anew_tells_no_text(run: Callable[..., Record]) -> None:
    """Two runs of one task with other words: a simulated user, and no text of the task."""
    records = [run("t", "p", turns=(Turn(1, "user", text),)) for text in ("Refund.", "Please?")]
    (found,) = read_arm(score(records), "runs").values()
    assert found.tasks["t"].texts == frozenset()


def test_two_texts_under_one_id_are_both_kept(run: Callable[..., Record]) -> None:
    """Not only the first that was read."""
    records = [run("t", "p", text=text) for text in ("a", "b", "a")]
    (found,) = read_arm(score(records), "runs").values()
    assert len(found.tasks["t"].texts) == 2


def test_declared_clusters_are_the_units(side: Make) -> None:
    """Else each task is one."""
    found = side({"a": "p", "b": "p"}, cluster="r").tasks
    assert found["a"].unit == found["b"].unit == ("r",)
    assert side({"a": "p"}).tasks["a"].unit == "a"


def test_suites_are_joined_by_kind(run: Callable[..., Record]) -> None:
    """Two suites under one attack become one; those without it stay apart."""
    records = [
        run("t", "p", suite=suite, cluster="u")
        for suite in ("shop/attack", "bank/attack", "shop/none")
    ]
    found = read_arm(score(records), "runs", pool=True)
    assert found.keys() == {"*/attack", "*/none"}
    attacked = found["*/attack"]
    assert sorted(attacked.tasks) == ["bank/attack/t", "shop/attack/t"]
    assert {task.unit for task in attacked.tasks.values()} == {
        ("bank/attack", "u"), ("shop/attack", "u"),
    }  # fmt: skip
    assert (attacked.pooled, attacked.statuses.total()) == (2, 2)


def test_suites_of_two_candidates_are_not_joined(run: Callable[..., Record]) -> None:
    """They would stand under the first one's name."""
    records = [run("1", "p", suite="airline"), run("1", "f", suite="retail", candidate="other")]
    with pytest.raises(InputError, match="joins suites of one candidate, and not 'agent' and 'ot"):
        read_arm(score(records), "runs", pool=True)


def test_plain_suites_become_one(run: Callable[..., Record]) -> None:
    """Airline and retail, say: a task of one is no task of the other."""
    records = [run("1", "p", suite="airline"), run("1", "f", suite="retail")]
    (found,) = read_arm(score(records), "runs", pool=True).values()
    assert found.suite == "*"
    assert sorted(found.tasks) == ["airline/1", "retail/1"]


def test_the_values_are_those_of_the_summary(shared: Path) -> None:
    """Averaged over the tasks of a real file they are what ``score`` reports."""
    path = shared / AIRLINE
    (found,) = read_arm(score(read(path)), "airline").values()
    (group,) = summarize(score(read(path))).groups
    for name in ("task_success", "path_match", "argument_accuracy", "path_efficiency", "loop_rate"):
        values = [task.values[name].value for task in found.tasks.values() if name in task.values]
        assert sum(values) / len(values) == pytest.approx(group.metrics[name].value)
    assert found.statuses == group.statuses
