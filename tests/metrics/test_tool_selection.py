"""Selection of tools: aligned with the reference by name."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.metrics.tool_selection import IDLE, explain, needs, tool_selection
from trayecto.scores import Score

Make = Callable[..., Any]

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "golden" / "golden.json"
PATH = ["buscar_cliente", "ver_saldo"]
NAMED = st.lists(st.sampled_from("abcd"), max_size=6)


def adopted(name: str) -> tuple[list[Any], dict[str, Any]]:
    """Return a run of the golden entry, and what it gives by the definitions that we adopted."""
    entries = json.loads(GOLDEN.read_text("utf-8"))["golden"]
    entry = next(each for each in entries if each["id"] == "tool_use_adopted_definitions")
    return [tuple(step) for step in entry["input"]["runs"][name]], entry["expected"][name]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["ok", "mixed", "inverted", "none"])
def test_the_golden_runs(judge: Make, run: Make, make_case: Make, name: str) -> None:
    """Golden tool_use_adopted_definitions, selection_precision."""
    steps, expected = adopted(name)
    precision, _ = judge(tool_selection, run(*steps), make_case(PATH))
    assert precision.value == expected["selection_precision"]


@pytest.mark.parametrize(
    ("calls", "precision", "recall"),
    [
        (["a", "b"], 1, 1),
        (["a", "x", "b"], 2 / 3, 1),
        (["x", "a", "b"], 2 / 3, 1),
        (["b", "a"], 1 / 2, 1 / 2),
        (["a", "a", "b"], 2 / 3, 1),
        (["x"], 0, 0),
    ],
)
def test_one_inserted_call_shifts_nothing(
    judge: Make, run: Make, make_case: Make, *, calls: list[str], precision: float, recall: float
) -> None:
    """By hand, with ruling 8."""
    scores = judge(tool_selection, run(*calls), make_case(["a", "b"]))
    assert scores == [Score(precision), Score(recall)]


def test_without_a_call_recall_is_zero(judge: Make, run: Make, make_case: Make) -> None:
    """Nothing was chosen rightly or wrongly, and nothing expected was chosen."""
    assert judge(tool_selection, run(), make_case(["a"])) == [IDLE, Score(0.0)]


def test_failed_attempts_count(judge: Make, run: Make, make_case: Make) -> None:
    """Ruling 4: a choice is a choice."""
    failed = ("a", {}, "Error: no", "error")
    assert judge(tool_selection, run(failed, "a"), make_case(["a"])) == [Score(0.5), Score(1.0)]


@given(calls=NAMED, expected=st.lists(st.sampled_from("abc"), min_size=1, max_size=5))
def test_one_call_more(
    judge: Make, run: Make, make_case: Make, *, calls: list[str], expected: list[str]
) -> None:
    """A call that nothing expects lowers precision, never recall; no call more lowers recall."""
    case = make_case(expected)
    before = judge(tool_selection, run(*calls), case)
    for place in range(len(calls) + 1):
        strange = judge(tool_selection, run(*calls[:place], "z", *calls[place:]), case)
        assert strange[1] == before[1]
        assert strange[0].value <= (1 if before[0].value is None else before[0].value)
        more = judge(tool_selection, run(*calls[:place], "a", *calls[place:]), case)
        assert more[1].value >= before[1].value


def test_in_words(judge: Make, run: Make, make_case: Make) -> None:
    """What was not chosen, and what was in its place."""
    case = make_case(["a", "b"])
    told = "not called in line: b; not expected there: call 1 x"
    assert judge(explain, run("x", "a"), case) == told
    fine = "every expected tool was called in line, and no other"
    assert judge(explain, run("a", "b"), case) == fine


def test_what_it_needs(make_case: Make) -> None:
    """A reference with a call."""
    assert needs(None) == needs(make_case(None, min_calls=1)) == "no reference path"
    assert needs(make_case([], "exact")) == "the reference is empty"
    assert needs(make_case(["a"])) is None
