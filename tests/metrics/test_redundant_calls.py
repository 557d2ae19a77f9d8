"""What was fetched again although it was known."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.metrics import score
from trayecto.metrics.redundant_calls import explain, redundant_calls
from trayecto.records import Record
from trayecto.scores import Score

Make = Callable[..., Any]
EFFECTS = {"get": "read", "list": "read", "pay": "write", "wipe": "irreversible"}
GET = ("get", {"id": 1}, "x")


@pytest.mark.parametrize(
    ("steps", "redundant"),
    [
        ([GET, GET], (2,)),
        ([GET, GET, GET], (2, 3)),
        ([GET, "list", GET], (3,)),
        ([GET, "pay", GET], ()),  # written between
        ([GET, ("pay", {}, "no", "error"), GET], ()),  # it may have been done all the same
        ([GET, "wipe", GET, GET], (4,)),
        ([GET, ("get", {"id": 1}, "y")], ()),  # polling
        ([GET, ("get", {"id": 2}, "x")], ()),
        ([("get", {}, "503", "error"), ("get", {}, "503", "error")], ()),  # a retry
        ([("get", {}, "503", "error"), ("get", {}, "x"), ("get", {}, "x")], (3,)),
        (["pay", "pay"], ()),  # a repeated write is another fault
        (["list", "list", GET], (2,)),
    ],
)
def test_a_repeat_that_brings_nothing_new(
    judge: Make, run: Make, make_case: Make, steps: list[Any], redundant: tuple[int, ...]
) -> None:
    """Ruling 5, by hand."""
    case = replace(make_case(None), effects=EFFECTS)
    expected = Score(len(redundant), None, redundant)
    assert judge(redundant_calls, run(*steps), case) == expected


def test_unknown_effects_leave_it_open(judge: Make, run: Make, make_case: Make) -> None:
    """Only where they matter: a repeat that saw something else needs none."""
    assert judge(redundant_calls, run(GET, GET)) == Score(None, "nobody told which tools only read")
    told = replace(make_case(None), effects={"get": "read"})
    assert judge(redundant_calls, run(GET, "x", GET), told).value is None
    assert judge(redundant_calls, run(GET, ("get", {"id": 1}, "y"))) == Score(0)


def test_effects_can_be_guessed_where_that_is_asked_for(judge: Make, run: Make) -> None:
    """Get reads by its name, cancel writes."""
    found = judge(redundant_calls, run(GET, GET, "cancel", GET), assume_effects=True)
    assert found == Score(1, None, (2,))
    assert judge(explain, run(GET, GET)) == (
        "fetched again: call 2 get (what tools do is guessed from their names)"
    )


def test_the_option_reaches_it_from_score(run: Make) -> None:
    """--assume-effects of the command line is this keyword."""
    for assume, value in ((False, None), (True, 1)):
        [scored] = score([Record(run(GET, GET))], assume_effects=assume)
        assert scored.value("redundant_calls") == value


def test_it_is_undefined_of_nothing_and_of_what_nobody_saw(judge: Make, run: Make) -> None:
    """A run without calls repeats none."""
    assert judge(redundant_calls, run()).why == "the run has no turn"
    assert judge(redundant_calls, run([])) == Score(0)
    blind = ("get", {"id": 1}, None)
    assert judge(redundant_calls, run(blind, blind)).why == "a repeated call has no observation"
    assert judge(explain, run("get")) == ""


def test_the_suite_s_effects_are_no_guess(judge: Make, run: Make, make_case: Make) -> None:
    """Then nothing is said of guessing."""
    case = replace(make_case(None), effects=EFFECTS)
    assert judge(explain, run(GET, GET), case) == "fetched again: call 2 get"


def test_what_changed_and_changed_back_was_worth_a_look(judge: Make, run: Make) -> None:
    """X, Y, X: the second X is compared with Y, the last that was seen."""
    steps = [("get", {}, seen) for seen in "XYX"]
    assert judge(redundant_calls, run(*steps), assume_effects=True) == Score(0)
