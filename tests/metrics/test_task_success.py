"""Task success: what was recorded, and what a broken run means."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.task_success import HELD, UNGRADED, UNKNOWN, task_success
from trayecto.scores import Score
from trayecto.trajectory import Trajectory

Make = Callable[..., Any]

BROKEN = ["agent_error", "budget_exceeded", "deadline_exceeded", "infra_error", "harness_error"]


def test_the_two_runs_of_the_article(
    judge: Make, sane: Trajectory, pathological: Trajectory
) -> None:
    """Article 000: both succeed; that is why success alone is not enough."""
    assert judge(task_success, sane) == judge(task_success, pathological) == Score(value=True)


@pytest.mark.parametrize("status", ["completed", "unknown"])
@pytest.mark.parametrize("success", [True, False])
def test_the_recorded_success_counts(judge: Make, run: Make, *, status: str, success: bool) -> None:
    """Where the run ended, or nobody said how, what was recorded is the value."""
    assert judge(task_success, run("a", status=status, success=success)) == Score(value=success)


@pytest.mark.parametrize("status", ["completed", "unknown"])
def test_without_a_record_nobody_knows(judge: Make, run: Make, status: str) -> None:
    """Unknown is not False."""
    assert judge(task_success, run("a", status=status)) == UNKNOWN


@pytest.mark.parametrize("status", BROKEN)
@pytest.mark.parametrize("success", [None, False, True])
def test_a_broken_run_did_not_succeed(
    judge: Make, run: Make, *, status: str, success: bool | None
) -> None:
    """Ruling 11, operational: agent_, budget_, deadline_, infra_ and harness_ are failures."""
    assert judge(task_success, run("a", status=status, success=success)) == Score(value=False)


@pytest.mark.parametrize("status", ["cancelled", "not_run", "sim_invalid"])
def test_what_never_ran_to_its_end_is_missing(judge: Make, run: Make, status: str) -> None:
    """Ruling 11: cancelled and not_run are missing, sim_invalid is excluded."""
    assert judge(task_success, run("a", status=status, success=True)) == UNGRADED


def test_what_was_not_graded_is_missing(judge: Make, run: Make) -> None:
    """A grader that failed is no verdict, nor is a run under suspicion; each says which it is."""
    assert judge(task_success, run("a", grade="missing", success=False)) == UNGRADED
    assert judge(task_success, run("a", grade="held", success=True)) == HELD


def test_a_success_without_a_call_is_a_success(judge: Make, run: Make) -> None:
    """Nothing has to be called for a task that needs no call."""
    assert judge(task_success, run(success=True)) == Score(value=True)
