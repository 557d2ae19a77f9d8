"""Recovery from errors that came by themselves."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.error_recovery import SMOOTH, UNKNOWN, error_recovery
from trayecto.scores import Score
from trayecto.trajectory import Trajectory

Make = Callable[..., Any]

FAILED = ("refund", {"id": "P-3"}, "503 timeout", "error")
DONE = ("refund", {"id": "P-3"})


@pytest.mark.parametrize("success", [True, False])
def test_input_03(judge: Make, run: Make, *, success: bool) -> None:
    """One error; recovered in the world where the retry was right, not in the other."""
    made = run("get_order", FAILED, DONE, success=success)
    assert judge(error_recovery, made) == Score(success, None, (2,))


def test_without_an_error_there_is_nothing_to_recover_from(judge: Make, run: Make) -> None:
    """Nor without a call; an outcome that nobody recorded is no error."""
    unknown = ("a", {}, None, "unknown")
    for made in (run(success=True), run(DONE, success=True), run(unknown, success=True)):
        assert judge(error_recovery, made) == SMOOTH


def test_a_run_that_nobody_judged_is_unknown(judge: Make, run: Make) -> None:
    """Nor one whose grade is held or missing."""
    assert judge(error_recovery, run(FAILED)) == UNKNOWN
    assert judge(error_recovery, run(FAILED, success=True, grade="held")) == UNKNOWN


def test_the_article_s_pathological_run_recovered(judge: Make, pathological: Trajectory) -> None:
    """Article 000: three errors in a loop, and the right answer in the end."""
    assert judge(error_recovery, pathological) == Score(value=True, steps=(1, 2, 3))


@pytest.mark.parametrize("recorded", [True, None])
@pytest.mark.parametrize("status", ["budget_exceeded", "agent_error"])
def test_a_run_that_broke_did_not_recover(
    judge: Make, run: Make, *, status: str, recorded: bool | None
) -> None:
    """Ruling 11, as task_success has it: a recorded success does not outweigh how it ended."""
    made = run(FAILED, success=recorded, status=status)
    assert judge(error_recovery, made) == Score(value=False, steps=(1,))
