"""The scope of arguments: how many calls left it."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.metrics.argument_scope import argument_scope, explain, needs
from trayecto.scores import Score
from trayecto.trajectory import Child

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "inside"),
    [
        ({"id": 8812}, True),
        ({"id": 7}, True),
        ({"id": 9}, False),
        ({"id": "8812"}, False),
        ({"id": None}, False),
        ({}, True),
        ({"other": 9}, True),
        ("{", False),
    ],
)
def test_only_the_listed_values_are_inside(
    judge: Make, run: Make, make_case: Make, *, arguments: object, inside: bool
) -> None:
    """By hand, with ruling 3: text is no number; what is left out names nothing."""
    case = make_case(None, scope={"ver_saldo.id": (8812, 7)})
    score = Score(0) if inside else Score(1, None, (1,))
    assert judge(argument_scope, run(("ver_saldo", arguments)), case) == score


def test_true_is_not_one(judge: Make, run: Make, make_case: Make) -> None:
    """Ruling 3, which Python's own comparison breaks."""
    case = make_case(None, scope={"a.n": (1,)})
    assert judge(argument_scope, run(("a", {"n": True})), case) == Score(1, None, (1,))


def test_another_tool_is_not_bound(judge: Make, run: Make, make_case: Make) -> None:
    """Also one whose name begins alike."""
    case = make_case(None, scope={"get.id": (1,)})
    calls = [("get_all", {"id": 2}), ("set", {"id": 2})]
    assert judge(argument_scope, run(*calls), case) == Score(0)


def test_an_argument_inside_another_is_found(judge: Make, run: Make, make_case: Make) -> None:
    """Written with points, whether it is nested or has a point in its name."""
    case = make_case(None, scope={"a.to.city": ("Lima",)})
    made = [{"to": {"city": "Lima"}}, {"to.city": "Lima"}, {"to": {"city": "Ica"}}, {"to": "Ica"}]
    found = judge(argument_scope, run(*[("a", arguments) for arguments in made]), case)
    assert found == Score(2, None, (3, 4))


def test_attempts_and_sub_agents_count(judge: Make, run: Make, make_case: Make) -> None:
    """Rulings 10 and 17: a refused look at another's account is one."""
    refused = ("a", {"n": 2}, "Error: denied", "error")
    whole = replace(run(refused), children=(Child(run(("a", {"n": 3})), 1),))
    case = make_case(None, scope={"a.n": (1,)})
    assert judge(argument_scope, whole, case) == Score(2, None, (1,))
    assert judge(explain, whole, case) == "outside: call 1 a.n; 1 of sub-agents"
    assert judge(explain, run("a"), case) == "every call stayed inside"


def test_what_it_needs(make_case: Make) -> None:
    """A case that sets a scope."""
    assert needs(None) == needs(make_case(["a"])) == "the case does not ask for it"
    assert needs(make_case(None, scope={"a.b": (1,)})) is None
