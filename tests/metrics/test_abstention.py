"""Acting only where it is right to act."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.contracts import Toolbox, ToolContract
from trayecto.facts import gather
from trayecto.metrics.abstention import abstention, explain, needs
from trayecto.scores import Score
from trayecto.trajectory import Turn

Make = Callable[..., Any]
SAID = (Turn(1, "user", "Fly!"), Turn(2, "assistant", "I cannot."))


@pytest.mark.parametrize("should", [True, False])
def test_a_run_without_calls(judge: Make, run: Make, make_case: Make, *, should: bool) -> None:
    """Right where it should abstain; a task left unsolved where it should not."""
    made = replace(run(), turns=SAID)
    assert judge(abstention, made, make_case(None, should_abstain=should)) == Score(value=should)


def test_any_call_acts_unless_it_is_known_to_read(judge: Make, run: Make, make_case: Make) -> None:
    """By the suite's effects; a guess from the name is not enough."""
    case = make_case(None, should_abstain=True)
    made = run("get_rules", ("pay", {}, "no", "error"))
    assert judge(abstention, made, case) == Score(value=False, steps=(1, 2))
    told = replace(case, effects={"get_rules": "read"})
    assert judge(abstention, made, told) == Score(value=False, steps=(2,))
    assert judge(abstention, run("get_rules"), told) == Score(value=True)


def test_a_contract_tells_effects_too(run: Make, make_case: Make) -> None:
    """MCP's annotations say what only reads; the suite overrules them."""
    case = make_case(None, should_abstain=True)
    box = Toolbox([ToolContract("look", "", None, "read")])
    facts = gather(run("look"), case, None, box)
    assert abstention(facts, case) == Score(value=True)
    assert abstention(facts, replace(case, effects={"look": "write"})).value is False


def test_a_call_where_it_should_act(judge: Make, run: Make, make_case: Make) -> None:
    """Whether it was the right one is for other metrics to say."""
    assert judge(abstention, run("a"), make_case(None, should_abstain=False)).value is True


def test_a_run_without_a_turn_of_the_agent_is_undefined(
    judge: Make, run: Make, make_case: Make
) -> None:
    """It neither acted nor declined."""
    case = make_case(None, should_abstain=True)
    assert judge(abstention, run(), case).why == "the run has no turn of the agent"


def test_it_says_what_was_wrong(judge: Make, run: Make, make_case: Make) -> None:
    """The calls, or that one was missing."""
    yes, no = (make_case(None, should_abstain=should) for should in (True, False))
    assert judge(explain, run("a", "b"), yes) == "should not have acted: call 1 a, call 2 b"
    assert judge(explain, run(), yes) == "it did not act"
    assert judge(explain, run(), no) == "no call was made, and the task can be solved"
    assert judge(explain, run("a"), no) == ""


def test_what_it_needs(make_case: Make) -> None:
    """A case that says whether to abstain; false says it too."""
    assert needs(None) == needs(make_case(["a"])) == "the case does not ask for it"
    assert needs(make_case(None, should_abstain=False)) is None
