"""Accuracy of arguments: over the calls in line that have expected ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.metrics.argument_accuracy import NOTHING, argument_accuracy, explain, needs
from trayecto.scores import Score

Make = Callable[..., Any]

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "golden" / "golden.json"


@pytest.mark.shared
@pytest.mark.parametrize("name", ["ok", "mixed", "inverted", "none"])
def test_the_golden_runs(judge: Make, run: Make, make_case: Make, name: str) -> None:
    """Golden tool_use_adopted_definitions, argument_accuracy."""
    entries = json.loads(GOLDEN.read_text("utf-8"))["golden"]
    entry = next(each for each in entries if each["id"] == "tool_use_adopted_definitions")
    calls = entry["input"]["case"]["llamadas_esperadas"]
    case = make_case([(call["nombre"], call["argumentos"]) for call in calls])
    made = run(*[tuple(step) for step in entry["input"]["runs"][name]])
    assert (
        judge(argument_accuracy, made, case).value == entry["expected"][name]["argument_accuracy"]
    )


@pytest.mark.parametrize(
    ("expected", "made", "share"),
    [
        ({"n": 1}, {"n": 1}, 1),
        ({"n": 1}, {"n": True}, 0),
        ({"n": 1}, {"n": "1"}, 0),
        ({"n": 1}, {}, 0),
        ({"n": 1}, {"n": 1, "m": 2}, 0),
        ({}, {}, 1),
        ({"n": 1}, '{"n": 1', 0),
        ({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}, 1),
    ],
)
def test_values_are_compared_by_ruling_3(
    judge: Make, run: Make, make_case: Make, *, expected: object, made: object, share: float
) -> None:
    """INPUT-02's rows, one call each."""
    found = judge(argument_accuracy, run(("pay", made)), make_case([("pay", expected)]))
    assert found == Score(share, None, () if share else (1,))


def test_tolerance_and_named_arguments_count(judge: Make, run: Make, make_case: Make) -> None:
    """Article 002: a limit of 10 in place of 5 where the limit does not matter."""
    free = make_case([("list", {"id": 1, "limit": 5}, "all", {"limit": "any"})])
    named = make_case([("list", {"id": 1, "limit": 5}, ("id",))])
    made = run(("list", {"id": 1, "limit": 10}))
    assert judge(argument_accuracy, made, free) == Score(1.0)
    assert judge(argument_accuracy, made, named) == Score(1.0)


def test_nothing_expected(judge: Make, run: Make, make_case: Make) -> None:
    """INPUT-04's column: c 1/1, d n/a; an entry without arguments expects none; a and b n/a."""
    one = make_case([("handoff_sales", {})])
    assert judge(argument_accuracy, run(("handoff_sales", {})), one) == Score(1.0)
    assert judge(argument_accuracy, run(), make_case([("lookup", {"id": 1})])) == NOTHING
    assert judge(argument_accuracy, run(("a", {"x": 1})), make_case(["a"])) == NOTHING
    assert needs(make_case([], "exact")) == "the reference is empty"


def test_in_words(judge: Make, run: Make, make_case: Make) -> None:
    """The wrong calls, with how many there were to be right."""
    case = make_case([("a", {"x": 1}), ("b", {"x": 1})])
    made = run(("a", {"x": 1}), ("b", {"x": 2}))
    assert judge(argument_accuracy, made, case) == Score(0.5, None, (2,))
    assert judge(explain, made, case) == "wrong arguments: call 2 b (1 of 2)"
    assert judge(explain, run(("a", {"x": 1})), case) == "right arguments in 1 of 1 calls"
    assert judge(explain, run(), case) == ""
