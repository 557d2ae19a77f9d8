"""How the world was left."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.case import StateCheck
from trayecto.metrics import score
from trayecto.metrics.final_state import explain, final_state, needs
from trayecto.records import Record
from trayecto.scores import Score

Make = Callable[..., Any]
YES, NO = Score(value=True), Score(value=False)
NOT_ASKED = Score(None, "the case does not ask for it")
WORLD = {"orders": {"P-3": {"refunds": [12.5], "paid": True}, "P.4": {"n": 1}}, "log": []}


def states(judge: Make, run: Make, make_case: Make, check: StateCheck, **given: object) -> object:
    """Score a run that ends in a state."""
    return judge(final_state, run("a", **given), make_case(None, state=check))


@pytest.mark.parametrize(
    ("equals", "holds"),
    [
        ({"orders.P-3.refunds": [12.5]}, True),
        ({"orders.P-3.refunds": [12.5, 12.5]}, False),
        ({"orders.P-3.refunds.0": 12.5}, True),
        ({"orders.P-3.refunds.1": 12.5}, False),
        ({"orders.P.4.n": 1}, True),  # a key may hold a point
        ({"orders.P.4.n": True}, False),  # ruling 3
        ({"orders.P-3.paid": 1}, False),
        ({"orders.P-9": None}, False),  # absent is not null
        ({"orders.P-3.paid.x": 1}, False),
        ({"log": []}, True),
        ({"log": {}}, False),
        ({"log.-1": 1}, False),
    ],
)
def test_the_value_at_a_path(
    judge: Make, run: Make, make_case: Make, equals: dict[str, object], *, holds: bool
) -> None:
    """Keys and places joined by points."""
    found = states(judge, run, make_case, StateCheck(equals), final_state=WORLD)
    assert found == [YES if holds else NO, NOT_ASKED]


def test_what_must_be_absent(judge: Make, run: Make, make_case: Make) -> None:
    """A path where something is fails."""
    for path, score_ in (("orders.P-9", YES), ("orders.P-3.paid", NO)):
        found = states(judge, run, make_case, StateCheck({}, (path,)), final_state=WORLD)
        assert found[0] == score_


@pytest.mark.parametrize(
    ("after", "others"),
    [
        ({"a": 1, "b": {"c": 2}, "l": [1]}, []),
        ({"a": 5, "b": {"c": 2}, "l": [1]}, []),  # a is named
        ({"a": 1, "b": {"c": 3}, "l": [1]}, ["b.c"]),
        ({"a": 1, "b": {}, "l": [1]}, ["b.c"]),
        ({"a": 1, "b": {"c": 2, "d": 0}, "l": [1]}, ["b.d"]),
        ({"a": 1, "b": {"c": 2}, "l": [1, 2]}, ["l.1"]),
        ({"a": 1, "b": {"c": 2}, "l": []}, ["l.0"]),
        ({"a": 1, "b": 7, "l": [1]}, ["b"]),  # another kind of value
        ({"a": 1, "b": {"c": 2}, "l": {"0": 1}}, ["l"]),
        ({"a": 1, "b": {"c": 2}, "l": [1], "e": {}}, ["e"]),
        ({"a": 1, "b": {"c": 2}, "l": [True]}, ["l.0"]),
    ],
)
def test_nothing_else_may_change(
    judge: Make, run: Make, make_case: Make, after: object, others: list[str]
) -> None:
    """Only what an assertion names is free."""
    before = {"a": 1, "b": {"c": 2}, "l": [1]}
    check = StateCheck({}, ("a.x",), unchanged=True)
    named = StateCheck({"a": after["a"]}, unchanged=True)
    given = {"initial_state": before, "final_state": after}
    assert states(judge, run, make_case, named, **given) == [NO if others else YES] * 2
    told = judge(explain, run("a", **given), make_case(None, state=named))
    assert told == (
        f"changed besides: {others[0]}" if others else "the final state is as it should be"
    )
    assert states(judge, run, make_case, check, **given)[1].value is (
        after == before and not others
    )


def test_what_cannot_be_told_is_undefined(judge: Make, run: Make, make_case: Make) -> None:
    """A wrong value is known even where the state before is not."""
    both = StateCheck({"a": 1}, unchanged=True)
    untold = Score(None, "the trace does not tell the final state")
    before = Score(None, "the trace does not tell the state before the first call")
    assert states(judge, run, make_case, both) == [untold, untold]
    assert states(judge, run, make_case, StateCheck({"a": 1})) == [untold, NOT_ASKED]
    assert states(judge, run, make_case, both, final_state={"a": 1}) == [before, before]
    assert states(judge, run, make_case, both, final_state={"a": 2}) == [NO, before]


def test_it_tells_what_is_wrong(judge: Make, run: Make, make_case: Make) -> None:
    """What is there, what was expected, what should not be there."""
    case = make_case(None, state=StateCheck({"log": [1]}, ("orders.P-3",)))
    told = judge(explain, run("a", final_state=WORLD), case)
    assert told == "log: [], expected [1]; orders.P-3: should not be there"
    assert judge(explain, run("a"), case) == ""


def test_many_changes_are_counted(judge: Make, run: Make, make_case: Make) -> None:
    """Five are named."""
    case = make_case(None, state=StateCheck(unchanged=True))
    made = run("a", initial_state={}, final_state={str(n): n for n in range(8)})
    assert judge(explain, made, case) == "changed besides: 0, 1, 2, 3, 4 and 3 more"


def test_what_it_needs(make_case: Make) -> None:
    """A case that asks something of the state."""
    assert needs(None) == needs(make_case(["a"])) == "the case does not ask for it"
    assert needs(make_case(None, state=StateCheck())) is not None
    assert needs(make_case(None, state=StateCheck(unchanged=True))) is None


def test_input_03(run: Make, make_case: Make) -> None:
    """INPUT-03: the same calls, and the world tells them apart; the retry is no waste."""
    pay = {"id": "P-3", "amount": 12.5}
    once, twice = ([{"id": "P-3", "amount": 12.5}] * n for n in (1, 2))
    calls = (
        ("get_order", {"id": "P-3"}), ("refund", pay, "503 timeout", "error"), ("refund", pay),
    )  # fmt: skip
    case = make_case(
        [("get_order", {"id": "P-3"}), ("refund", pay)], state=StateCheck({"refunds": once})
    )
    runs = [run(*calls, final_state={"refunds": left}) for left in (once, twice)]
    scores = score([Record(each, case) for each in runs])
    found = [{name: scored.value(name) for name in scored.plan.at} for scored in scores]
    assert [each["final_state"] for each in found] == [True, False]
    assert [each["task_success"] for each in found] == [True, False]
    assert [each["error_recovery"] for each in found] == [True, False]
    for each in found:
        assert (each["path_match"], each["path_recall"], each["path_precision"]) == (True, 1, 1)
        assert (each["repeated_calls"], each["redundant_calls"], each["loop"]) == (1, 0, False)
        assert round(each["path_efficiency"], 3) == 0.667


@pytest.mark.parametrize(
    ("before", "after", "check", "others"),
    [
        ({"a": {"0": 1}}, {"a": [1]}, StateCheck(), ["a"]),
        ({"a": {"b": 1}}, {"a": 5}, StateCheck({}, ("a.b",)), ["a"]),
        ({"a": {"b": 1}}, {}, StateCheck({}, ("a.b",)), ["a"]),
        ({"a": 5}, {"a": {"b": 1}}, StateCheck({"a.b": 1}), ["a"]),
        ({}, {"a": {"b": 1}}, StateCheck({"a.b": 1}), []),  # there was no place for it before
        ({}, {"a": {"b": 1, "c": 2}}, StateCheck({"a.b": 1}), ["a.c"]),
        ({"a": {"b": 1}, "a.b": 1}, {"a": {"b": 6}, "a.b": 1}, StateCheck({"a.b": 1}), ["a.b"]),
    ],
)
def test_another_kind_of_value_is_a_change(
    judge: Make, run: Make, make_case: Make, *, before: object, after: object, check: StateCheck,
    others: list[str],
) -> None:  # fmt: skip
    """A mapping that became a list, a value that became a mapping; by hand."""
    asked = replace(check, unchanged=True)
    made = run("a", initial_state=before, final_state=after)
    assert judge(final_state, made, make_case(None, state=asked))[1].value is (not others)
    if others:
        told = judge(explain, made, make_case(None, state=asked))
        assert f"changed besides: {', '.join(others)}" in told
