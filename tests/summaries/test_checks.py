"""Assertions: which are made, which fail, and which nobody could evaluate."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.case import AnswerCheck, Case, CaseInput, CaseSecret
from trayecto.document import LABEL, Check
from trayecto.formats import read
from trayecto.metrics import load, score
from trayecto.records import Record
from trayecto.summaries import summarize
from trayecto.summaries.checks import LISTED, Accumulator

Make = Callable[..., Any]
LIMITS = CaseSecret(
    required=("a",), forbidden=("x",), max_calls=2, order=(("a", "b"),), scope={"a.id": (1,)}
)


def judge(record: Make, tools: str, secret: CaseSecret = LIMITS, **fields: object) -> Record:
    """Make a run with a case of these assertions."""
    return Record(record("t", tools, **fields).trajectory, Case("t", CaseInput(), secret))


def by_metric(found: Any) -> dict[str, Check]:  # noqa: ANN401  # a document
    """The checks of the only group."""
    [group] = found.groups
    return {check.metric: check for check in group.checks}


def test_the_assertions_are_declared_by_their_metrics() -> None:
    """Each says with one word which value passes; of parts, the one without a name."""
    columns = [column for entry in load() for column in entry.columns]
    passes = {column.id: column.passes for column in columns if column.passes is not None}
    known = {
        "answer": True,
        "argument_scope": 0,
        "call_budget": True,
        "dependency_violations": 0,
        "forbidden_tools": 0,
        "path_match": True,
        "required_tools": True,
        "task_success": True,
    }
    assert known.items() <= passes.items()


def test_what_the_case_asserts_is_counted(record: Make, total: Make) -> None:
    """By hand: "ab" keeps to everything; "bxb" lacks a, calls x, takes 3 calls and b before a."""
    found = by_metric(total([judge(record, "ab"), judge(record, "bxb")]))
    counts = {name: (check.asserted, check.failed) for name, check in found.items()}
    assert counts == {
        "argument_scope": (2, 0),
        "call_budget": (2, 1),
        "dependency_violations": (2, 1),
        "forbidden_tools": (2, 1),
        "required_tools": (2, 1),
        "task_success": (2, 0),
    }


def test_a_path_is_asserted_only_by_a_reference(record: Make, total: Make) -> None:
    """Of three runs one has none, and one an empty reference that allows whatever is called."""
    made = [record("t", "ab", reference="ba"), record("u"), record("v", reference="")]
    assert (by_metric(total(made))["path_match"].asserted) == 1


def test_success_that_nobody_recorded_is_no_assertion(record: Make, total: Make) -> None:
    """There was no grader; where one was at work and failed, its assertion was not evaluated."""
    bare = total([record("t", success=None)])
    assert bare.groups[0].checks == []
    assert bare.groups[0].checked.trajectories == 0
    lost = by_metric(total([record("t", grade="missing"), record("t", success=None)]))
    check = lost["task_success"]
    assert (check.asserted, check.failed, check.not_evaluated) == (1, 0, 1)
    assert check.undefined == {"the run was not graded": 1}


def test_a_run_that_broke_leaves_its_assertions_open(record: Make, total: Make) -> None:
    """The infrastructure failed: the success is a failure, the rest is unknown, and not a pass."""
    found = total([judge(record, "ab", status="infra_error")])
    checks = by_metric(found)
    told = checks["required_tools"]
    assert (told.asserted, told.failed, told.not_evaluated) == (1, 0, 1)
    assert told.undefined == {"the run broke (infra_error)": 1}
    assert checks["task_success"].failed == 1
    assert "path_match" not in checks
    checked = found.groups[0].checked
    assert (checked.trajectories, checked.failed, checked.not_evaluated) == (1, 1, 1)


def test_an_answer_of_nobody_was_not_evaluated(record: Make, total: Make) -> None:
    """The case asks for one, and the agent took no turn."""
    check = CaseSecret(answer=AnswerCheck(("4",)))
    answer = by_metric(total([judge(record, "", check)]))["answer"]
    assert (answer.failed, answer.not_evaluated) == (0, 1)
    assert [example.failed for example in answer.examples] == [False]


def test_the_first_runs_are_named(record: Make, total: Make) -> None:
    """By file and record, so many of each kind, whatever the order in which they come."""
    made = [judge(record, "b") for _ in range(LISTED + 3)]
    named = by_metric(total(reversed(made)))["required_tools"].examples
    assert [each.id for each in named] == [run.trajectory.id for run in made[:LISTED]]
    assert {(each.file, each.case, each.failed) for each in named} == {("runs.jsonl", "t", True)}


@pytest.mark.parametrize("cut", [0, 3, 8])
def test_parts_come_to_the_same(record: Make, scored: Make, cut: int) -> None:
    """Any split of the runs merges to the same value."""
    kinds = ["ab", "b", "bxb", ""]
    made = [judge(record, kinds[n % 4], success=[True, False, None][n % 3]) for n in range(8)]
    made.append(judge(record, "a", status="not_run"))
    runs, columns = scored(made)
    whole, one, other = (Accumulator(columns) for _ in range(3))
    for at, run in enumerate(runs):
        whole.add(run)
        (one if at < cut else other).add(run)
    other.merge(one)
    assert other.value() == whole.value()


def test_real_runs(shared: Path) -> None:
    """Of the 200 airline runs 84 succeed; the cases of 28 have an empty path, which any run keeps.

    Counted in the file itself: 7 tasks of four trials have no action in ``info.task``.
    """
    path = shared / "data/tau-bench/historical_trajectories/gpt-4o-airline.json"
    raw = json.loads(path.read_bytes())
    empty = sum(not run["info"]["task"]["actions"] for run in raw)
    found = by_metric(summarize(score(read(path))))
    success = found["task_success"]
    assert (success.asserted, success.failed, success.not_evaluated) == (200, 116, 0)
    assert found["path_match"].asserted == 200 - empty == 172


def test_a_failure_and_a_gap_of_one_run_are_both_counted(record: Make, total: Make) -> None:
    """The run called what is forbidden, and was not graded."""
    [group] = total([judge(record, "abx", grade="missing")]).groups
    checked = group.checked
    assert (checked.trajectories, checked.failed, checked.not_evaluated) == (1, 1, 1)
    assert {check.metric for check in group.checks if check.failed} == {
        "call_budget",
        "forbidden_tools",
    }


def test_long_reasons_and_names_are_labels(record: Make, total: Make) -> None:
    """What the document holds of a trace is cut."""
    made = judge(record, "b", id="i" * 500)
    [example] = by_metric(total([made]))["required_tools"].examples
    assert len(example.id) == LABEL
