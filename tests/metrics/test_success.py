"""Success that nobody recorded: decided by what the case asks of state and answer."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.case import AnswerCheck, StateCheck
from trayecto.metrics import score
from trayecto.metrics._success import decide
from trayecto.records import Record
from trayecto.trajectory import Turn

Make = Callable[..., Any]
PAID = StateCheck({"paid": True})
SAID = AnswerCheck(("paid",))


@pytest.mark.parametrize(
    ("state", "said", "success", "source"),
    [
        ({"paid": True}, "It is paid.", True, "state"),
        ({"paid": False}, "It is paid.", False, "state"),
        ({"paid": True}, "Done.", False, "state"),
        (None, "It is paid.", None, None),  # the state cannot be told
        (None, "Done.", False, "state"),  # but the answer is wrong
    ],
)
def test_everything_that_is_asked_must_hold(
    run: Make,
    make_case: Make,
    state: object,
    said: str,
    *,
    success: bool | None,
    source: str | None,
) -> None:
    """Where a part cannot be told and none is known to fail, nobody knows."""
    made = replace(run(), turns=(Turn(1, "assistant", said),), answer=said, final_state=state)
    found = decide(made, make_case(None, state=PAID, answer=SAID))
    assert (found.success, found.success_from) == (success, source)


def test_an_answer_alone_decides_too(run: Make, make_case: Make) -> None:
    """And stands among the checks of the trajectory, for the culprit to see."""
    made = replace(run(), turns=(Turn(1, "assistant", "paid"),))
    found = decide(made, make_case(None, answer=SAID))
    assert (found.success, found.success_from, found.checks) == (True, "answer", {"answer": True})
    assert decide(run(), make_case(None, answer=SAID)).success is None  # it said nothing at all


@pytest.mark.parametrize("change", [{"success": False}, {"success": True}, {"grade": "held"}])
def test_what_is_recorded_stays(run: Make, make_case: Make, change: dict[str, object]) -> None:
    """Nobody overrules a grader, nor decides what is held."""
    made = run("a", final_state={"paid": True}, **change)
    assert decide(made, make_case(None, state=PAID)) is made


def test_a_case_that_asks_for_neither_decides_nothing(run: Make, make_case: Make) -> None:
    """A path says how, not whether."""
    made = run("a")
    assert decide(made, make_case(["a"])) is made


@pytest.mark.parametrize(
    ("before", "success"), [({"paid": False, "n": 1}, False), ({"paid": False}, True), (None, None)]
)
def test_nothing_else_may_have_changed(
    run: Make, make_case: Make, before: object, *, success: bool | None
) -> None:
    """An order that vanished is a failure; without the state before, nobody knows."""
    made = run("a", initial_state=before, final_state={"paid": True})
    check = StateCheck({"paid": True}, unchanged=True)
    assert decide(made, make_case(None, state=check)).success is success


def test_every_metric_sees_it(run: Make, make_case: Make) -> None:
    """Task success, the culprit and acceptance follow."""
    made = run("pay", final_state={"paid": False})
    [scored] = score([Record(made, make_case(["pay"], state=PAID))])
    assert scored.success is False
    assert scored.value("accepted") is False
