"""A case: prepared once, so that a metric only looks things up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from trayecto.case import (
    FORBIDS_EXTRAS,
    MODE_ALIASES,
    MODES,
    AnswerCheck,
    Case,
    CaseInput,
    CaseSecret,
    canonical,
    expect,
    refer,
)
from trayecto.trajectory import Call

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.text("01n", max_size=2)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2)


def call(arguments: object, tool: str = "pay") -> Call:
    """Make a call."""
    return Call(1, tool, arguments, None, "unknown")


def test_there_are_six_modes() -> None:
    """Ruling 1; three of them forbid extras; every alias leads to one of them."""
    assert MODES == ("exact", "in_order", "any_order", "superset", "multiset", "subset")
    assert {"exact", "multiset", "subset"} == FORBIDS_EXTRAS
    assert set(MODE_ALIASES.values()) < set(MODES)
    assert set(MODE_ALIASES).isdisjoint(MODES)


@given(OBJECTS, OBJECTS)
def test_two_ways_to_compare_agree(expected: dict[str, object], actual: dict[str, object]) -> None:
    """Comparing by == and comparing canonical bytes say the same: true is not 1."""
    agrees = expect("pay", expected).agrees(call(actual))
    assert agrees is (canonical(expected) == canonical(actual))
    text = json.encode([expected, actual], order="sorted")
    assert agrees is (text == json.encode([actual, expected], order="sorted"))


@given(OBJECTS, st.sampled_from(["all", "at_least", ("a",), ("a", "b")]))
def test_what_was_expected_agrees_with_itself(expected: dict[str, object], compare: object) -> None:
    """Whatever counts of it."""
    assert expect("pay", expected, compare).agrees(call(dict(reversed(expected.items()))))


@pytest.mark.parametrize(
    ("compare", "actual", "agrees"),
    [
        ("all", {"a": 1, "b": 2}, True),
        ("all", {"a": 1, "b": 2, "c": 3}, False),
        ("all", {"a": 1}, False),
        ("all", {"a": True, "b": 2}, False),
        ("at_least", {"a": 1, "b": 2, "c": 3}, True),
        ("at_least", {"a": 1, "c": 3}, False),
        ("at_least", {"a": True, "b": 2}, False),
        (("a",), {"a": 1, "b": 9}, True),
        (("a",), {"b": 2}, False),
        (("c",), {"a": 9}, True),
        (("c",), {"a": 1, "b": 2, "c": 3}, False),
    ],
)
def test_which_arguments_count(compare: object, actual: dict[str, int], *, agrees: bool) -> None:
    """All and no others, at least those given, or the named ones (absent stays absent)."""
    assert expect("pay", {"a": 1, "b": 2}, compare).agrees(call(actual)) is agrees


def test_a_tool_alone_agrees_with_any_arguments() -> None:
    """But with no other tool."""
    assert expect("pay", None).agrees(call("{"))
    assert not expect("pay", None).agrees(call({}, "buy"))
    assert not expect("pay", {}).agrees(call({}, "buy"))


@pytest.mark.parametrize(
    ("arguments", "delicate"),
    [
        ({"a": 1}, True), ({"a": True}, True), ({"a": 0.0}, True), ({"a": [{"b": False}]}, True),
        ({"a": 2}, False), ({"a": "1"}, False), ({"a": None}, False), ({}, False),
    ],
)  # fmt: skip
def test_which_values_python_would_confuse(arguments: dict[str, object], *, delicate: bool) -> None:
    """True and 1, False and 0, at any depth."""
    assert expect("pay", arguments).delicate is delicate


def test_a_reference_is_prepared() -> None:
    """Flat, without repeats, by tool; a group of several is not plain; an empty one is dropped."""
    one, two, other = expect("a", {"x": 1}), expect("a", {"x": 1}), expect("b", None)
    made = refer([(one,), (), (two, other)], "exact")
    assert made.groups == ((one,), (two, other))
    assert made.entries == (one, two, other)
    assert made.different == (two, other)
    assert made.tools == ("a", "a", "b")
    assert made.by_tool == {"a": (one, two), "b": (other,)}
    assert not made.plain
    assert refer([(one,), (other,)]).plain
    assert refer([(one,)]).match == "in_order"


@pytest.mark.parametrize("mode", MODES)
def test_what_a_reference_asserts(mode: str) -> None:
    """Ruling 4: an empty one asserts something only in exact, multiset and subset."""
    assert refer([(expect("a", None),)], mode).asserts
    assert refer([], mode).asserts is (mode in ("exact", "multiset", "subset"))
    assert refer([], mode).allows_extras is (mode in ("in_order", "any_order", "superset"))


def test_cases_do_not_share_their_mutable_parts() -> None:
    """A default is made anew for each; nothing else can be changed."""
    first, second = (Case("c", CaseInput(), CaseSecret()) for _ in range(2))
    first.secret.scope["a.b"] = (1,)
    assert second.secret.scope == {}
    with pytest.raises(AttributeError):
        first.id = "d"


@pytest.mark.parametrize(
    ("limit", "actual", "accepted"),
    [
        (0.5, {"amount": 10.2, "to": "x"}, True),
        (0.2, {"amount": 10.2, "to": "x"}, True),
        (0.1, {"amount": 10.2, "to": "x"}, False),
        (0.5, {"amount": "10.2", "to": "x"}, False),
        (0.5, {"amount": True, "to": "x"}, False),
        (0.5, {"to": "x"}, False),
        (0.5, {"amount": 10.2, "to": "y"}, False),
        (0.5, {"amount": 10.2, "to": "x", "note": None}, False),
        ("any", {"amount": "anything", "to": "x"}, True),
        ("any", {"to": "x"}, True),
        ("any", '{"to": "x"', False),
    ],
)
def test_a_tolerance_frees_one_argument(limit: object, actual: object, accepted: object) -> None:
    """A number may be so far away, in decimals; any value will do for `any`; the rest is equal."""
    entry = expect("pay", {"amount": 10, "to": "x"}, "all", {"amount": limit})
    assert entry.accepts(actual) is accepted
    assert not entry.fixed


def test_a_tolerance_counts_only_for_arguments_that_count() -> None:
    """Where compare names other arguments, the tolerated one does not matter at all."""
    entry = expect("pay", {"amount": 10, "to": "x"}, ("to",), {"amount": 0.1})
    assert entry.accepts({"amount": 99, "to": "x"})
    assert not entry.accepts({"amount": 10, "to": "y"})
    entry = expect("pay", {"geo.lat": 1.0, "to": "x"}, ("geo.lat", "to"), {"geo.lat": 0.1})
    assert entry.accepts({"geo.lat": 1.05, "to": "x"})
    assert not entry.accepts({"geo.lat": 2.0, "to": "x"})  # a point may be part of a name


@pytest.mark.parametrize(
    ("match", "fewest"), [("exact", 3), ("superset", 3), ("any_order", 2), ("subset", None)]
)
def test_the_fewest_calls_that_follow_a_reference(match: str, fewest: int | None) -> None:
    """Repeats do not matter in any_order, and subset only says what is allowed."""
    path = [(expect(tool, None),) for tool in ("a", "b", "a")]
    assert refer(path, match).fewest == fewest


def test_an_empty_check_asks_for_nothing() -> None:
    """An answer check without texts is none."""
    assert not AnswerCheck().asks
    assert AnswerCheck(equals="").asks
    assert AnswerCheck(contains=("x",)).asks


@pytest.mark.parametrize("zero", [0, 0.0, -0.0])
def test_false_is_no_zero_however_it_is_written(zero: float) -> None:
    """Ruling 3, also for arguments that no reader has made whole."""
    assert not expect("t", {"a": zero}).accepts({"a": False})
    assert not expect("t", {"a": [1.0]}).accepts({"a": [True]})


@pytest.mark.parametrize(
    ("given", "agrees"),
    [
        ({"f": {"lim": 1.4, "n": 2}, "x": 1}, True),
        ({"f": {"lim": 1.6, "n": 2}, "x": 1}, False),
        ({"f": {"lim": 1.0, "n": 3}, "x": 1}, False),  # only the limit is free
        ({"f": {"n": 2}, "x": 1}, False),
        ({"f": 1, "x": 1}, False),
        ({"f": {"lim": 1.0, "n": 2}}, False),
    ],
)
def test_an_inner_argument_may_be_free(given: dict[str, object], *, agrees: bool) -> None:
    """Written with points, as scope writes it; everything around it must be equal."""
    wanted = {"f": {"lim": 1.0, "n": 2}, "x": 1}
    assert expect("pay", wanted, "all", {"f.lim": 0.5}).agrees(call(given)) is agrees
