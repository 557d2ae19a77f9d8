"""What the agent said, held against what a case wants said."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from trayecto.case import AnswerCheck
from trayecto.metrics._said import plain, spoke, unsaid
from trayecto.trajectory import Trajectory, Turn


def talk(*said: str) -> Trajectory:
    """Make a run in which the agent says these things."""
    turns = tuple(Turn(place, "assistant", text) for place, text in enumerate(said, 1))
    last = said[-1] if said else None
    return Trajectory(
        id="t", suite="s", candidate="c", case_id="k", trial=0, turns=turns, answer=last
    )


@pytest.mark.parametrize(
    ("said", "wanted"), [("It is 1,250", "1250"), ("It is 1250", "1,250"), ("DONE", "done")]
)
def test_case_and_commas_do_not_matter_on_either_side(said: str, wanted: str) -> None:
    """1,250 says 1250, and 1250 says 1,250."""
    assert unsaid(talk(said), AnswerCheck(contains=(wanted,))) == []


def test_equals_is_not_contained() -> None:
    """An answer that only holds the wanted text is not equal to it: "not done" is not "done"."""
    assert unsaid(talk("not done"), AnswerCheck(equals="done")) == ["done"]
    assert unsaid(talk(" Done "), AnswerCheck(equals="done")) == []


def test_what_is_missing_comes_in_the_order_of_the_case() -> None:
    """First contains, then equals, each as the case has it."""
    check = AnswerCheck(contains=("a1", "b2", "c3"), equals="d4")
    assert unsaid(talk("b2"), check) == ["a1", "c3", "d4"]


def test_plain_text_is_small_and_without_commas() -> None:
    """The one form in which texts are compared."""
    assert plain("Total: 1,250 USD") == "total: 1250 usd"


def test_a_run_speaks_where_the_agent_has_a_turn() -> None:
    """A turn of calls is one; the user's and the system's are not the agent's."""
    made = Trajectory(id="r", suite="s", candidate="c", case_id="k", trial=None, turns=())
    assert not spoke(made)
    assert not spoke(replace(made, turns=(Turn(1, "user", "?"), Turn(2, "system", "Be kind."))))
    assert spoke(replace(made, turns=(Turn(1, "assistant", None),)))
