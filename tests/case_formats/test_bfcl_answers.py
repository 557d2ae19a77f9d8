"""BFCL's acceptable answers as references: what an argument may be, and when it may be left out."""

from time import process_time

import pytest

from trayecto.case import Reference
from trayecto.case_formats import _bfcl_answers
from trayecto.case_formats._bfcl_answers import read_truth
from trayecto.case_formats._bfcl_fault import FaultError
from trayecto.trajectory import Call, Tool


def accepts(acceptable: object, value: object, kind: str = "string") -> bool:
    """Whether an argument of this type may have a value; ``...`` leaves it out."""
    schema = {"type": "object", "properties": {"x": {"type": kind}}}
    reference = read_truth([{"f": {"x": acceptable, "y": [1]}}], (Tool("f", None, schema),))
    given = {"y": 1} if value is ... else {"x": value, "y": 1}
    return reference.entries[0].agrees(Call(1, "f", given, "", "ok"))


@pytest.mark.parametrize(
    ("acceptable", "value", "accepted"),
    [
        ([10], 10, True),
        ([10], 11, False),
        ([10], "10", False),
        ([10], ..., False),
        ([10, 20], 20, True),
        ([True], 1, False),
        ([True, False], False, True),
        ([None], None, True),
        ([None], ..., False),
        ([[3, 4]], [3, 4], True),
        ([[3, 4]], [4, 3], False),
        ([["a", "b"], ["b", "a"]], ["b", "a"], True),
        ([["a"]], "a", False),
    ],
)
def test_a_value_must_be_one_of_the_acceptable_ones(
    acceptable: object, value: object, *, accepted: bool
) -> None:
    """Of the same type, wherever they stand; absent is not null (ruling 3)."""
    assert accepts(acceptable, value, "any") is accepted


@pytest.mark.parametrize(
    ("value", "accepted"),
    [("New York", True), ("new-york.", True), ("NewYork", True), ("York", False), (["a"], False)],
)
def test_texts_are_compared_as_bfcl_compares_them(value: object, *, accepted: bool) -> None:
    """Its ``standardize_string``: neither letters' case, spaces nor ``, . / - _ * ^`` count."""
    assert accepts(["New York", "NYC"], value) is accepted


def test_texts_in_lists_are_compared_so_too() -> None:
    """As in its ``list_checker``."""
    assert accepts([["New York", "L.A."]], ["new york", "LA"], "array")


@pytest.mark.parametrize(
    ("acceptable", "kind", "value", "accepted"),
    [
        (["units", ""], "string", ..., True),
        (["units", ""], "string", "units", True),
        (["units", ""], "string", "", True),  # its checker finds it in the list
        (["units"], "string", "", False),
        ([0, ""], "integer", ..., True),
        ([0, ""], "integer", "", False),  # its checker looks at the type first
        ([""], "integer", ..., True),
        ([""], "integer", 0, False),
        ([""], "string", "", True),
        ([""], "string", "x", False),
        ([[1], ""], "array", ..., True),
        ([{"a": [1]}, ""], "object", ..., True),
    ],
)
def test_an_empty_text_says_that_an_argument_may_be_left_out(
    acceptable: object, kind: str, value: object, *, accepted: bool
) -> None:
    """And an empty text will do where the tool takes texts."""
    assert accepts(acceptable, value, kind) is accepted


MENU = [{"size": ["large"], "milk": ["oat", "soy"], "note": ["hot", ""]}]


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        ({"size": "large", "milk": "soy", "note": "hot"}, True),
        ({"milk": "oat", "size": "LARGE"}, True),
        ({"size": "large", "milk": "oat", "note": ""}, True),
        ({"size": "large"}, False),
        ({"size": "large", "milk": "rice"}, False),
        ({"size": "large", "milk": ["oat", "soy"]}, False),
        ({"size": "large", "milk": "oat", "more": 1}, False),
        ([], False),
    ],
)
def test_a_mapping_holds_acceptable_values_for_each_key(value: object, *, accepted: bool) -> None:
    """As in its ``dict_checker``; a key whose list has an empty text may be left out."""
    assert accepts(MENU, value, "object") is accepted


def test_a_list_may_hold_such_mappings() -> None:
    """As in its ``list_dict_checker``: as many, in the same order."""
    acceptable = [[{"field": ["age"], "is": ["25", 25]}, {"field": ["job"]}]]
    assert accepts(acceptable, [{"field": "age", "is": 25}, {"field": "job"}], "array")
    assert not accepts(acceptable, [{"field": "job"}, {"field": "age", "is": 25}], "array")
    assert not accepts(acceptable, [{"field": "age", "is": 25}], "array")


def test_a_mapping_inside_a_mapping_may_hold_plain_values() -> None:
    """As one live question has it: position: [{lateral: 10.5, longitudinal: 50}]."""
    acceptable = [{"position": [{"lateral": 10.5, "longitudinal": 50}]}]
    assert accepts(acceptable, {"position": {"lateral": 10.5, "longitudinal": 50}}, "object")
    assert not accepts(acceptable, {"position": {"lateral": 10.5}}, "object")


def test_several_mappings_stand_beside_each_other() -> None:
    """Their keys do not mix."""
    acceptable = [{"a": [1]}, {"b": [2]}]
    assert [accepts(acceptable, v, "object") for v in ({"a": 1}, {"b": 2}, {"a": 1, "b": 2})] == [
        True,
        True,
        False,
    ]


def parallel() -> Reference:
    """Two calls of one tool, and one of another."""
    truth = [{"play": {"by": ["A"]}}, {"play": {"by": ["B", ""]}}, {"stop": {}}]
    return read_truth(truth, None)


def test_parallel_calls_are_a_group_in_any_order_and_nothing_extra() -> None:
    """Ruling 1: BFCL's references are multiset."""
    reference = parallel()
    assert (reference.match, len(reference.groups)) == ("multiset", 1)
    assert reference.tools == ("play", "play", "stop")
    assert reference.entries[0].arguments == {"by": "A"}


def test_each_call_has_acceptable_values_of_its_own() -> None:
    """Two calls of a tool do not share them."""
    first, second, third = parallel().entries
    assert [e.accepts({"by": "B"}) for e in (first, second, third)] == [False, True, False]
    assert [e.accepts({}) for e in (first, second, third)] == [False, True, True]


def test_an_argument_that_is_not_named_may_not_be_given() -> None:
    """As its checker has it: an unexpected parameter."""
    (entry,) = read_truth([{"f": {"x": [1]}}], None).entries
    assert not entry.accepts({"x": 1, "z": 2})


def test_an_answer_without_a_call_asks_for_none() -> None:
    """It asserts something in mode multiset."""
    reference = read_truth([], None)
    assert (reference.entries, reference.asserts) == ((), True)


@pytest.mark.parametrize(
    ("truth", "path", "told"),
    [
        (["f()"], (0,), "'f()' is not a mapping"),
        ([{}], (0,), "{} is not one tool with its arguments"),
        ([{"f": {}, "g": {}}], (0,), "{'f': {}, 'g': {}} is not one tool with its arguments"),
        ([{"": {}}], (0,), "names no tool"),
        ([{"f": []}], (0, "f"), "[] is not a mapping"),
        ([{"g": {}}, {"f": {"x": 3}}], (1, "f", "x"), "3 is not a list"),
        ([{"f": {"x": []}}], (0, "f", "x"), "accepts no value"),
        ([{"f": {"x": [{"k": []}]}}], (0, "f", "x"), "accepts no value"),
        ([["f()"], "g()"], (1,), "'g()' is not a list"),
        ([["f()", 3]], (0, 1), "3 is not text"),
        ([["f()", "g"]], (0, 1), "'g' is not a call"),
    ],
)
def test_what_is_no_answer_is_told(
    truth: list[object], path: tuple[object, ...], told: str
) -> None:
    """With its place inside the answer."""
    with pytest.raises(FaultError) as raised:
        read_truth(truth, None)
    assert (raised.value.path, raised.value.sentence) == (path, told)


TOO_MANY = "stands for too many values: 10,000 are the limit"


@pytest.mark.parametrize(
    "value",
    [
        {f"k{n}": [*range(10)] for n in range(5)},  # 100,000
        {f"k{n}": [1, 2] for n in range(100_000)},  # a number of 30,103 digits
        [{"k": [1, 2]}] * 14,  # 16,384
        [*[0] * 100_000, {"k": [*range(11)]}],  # 11 values of 100,003 parts
    ],
)
def test_what_stands_for_too_many_values_is_refused(value: object) -> None:
    """They are counted before any is made."""
    start = process_time()
    with pytest.raises(FaultError, match=TOO_MANY):
        read_truth([{"f": {"x": [value]}}], None)
    assert process_time() - start < 2


def test_the_limit_itself_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 times 3 values, since a key that may be left out counts one more; the next is 9."""
    monkeypatch.setattr(_bfcl_answers, "MOST", 6)
    assert accepts([{"a": [1, 2], "b": ["x", ""]}], {"a": 2}, "object")
    with pytest.raises(FaultError, match="6 are the limit"):
        accepts([{"a": [1, 2, 3], "b": ["x", ""]}], {"a": 2}, "object")


def test_many_plain_values_are_no_fault() -> None:
    """Only what is multiplied out grows."""
    assert accepts([[*range(150_000)]], [*range(150_000)], "array")


TURNS = [["cd(folder='a')", "ls()"], [], ["sort('b')"]]
SORT = Tool("sort", None, {"type": "object", "properties": {"name": {}}})


def test_the_turns_of_a_conversation_follow_each_other() -> None:
    """A turn is a group, its calls in any order; extra calls are free; a turn may ask for none."""
    reference = read_truth(TURNS, (SORT,))
    assert reference.match == "in_order"
    assert [[e.tool for e in group] for group in reference.groups] == [["cd", "ls"], ["sort"]]
    assert [e.arguments for e in reference.entries] == [{"folder": "a"}, {}, {"name": "b"}]


def test_the_calls_of_a_conversation_fix_their_arguments() -> None:
    """They are run, not compared, by BFCL: what else would end in the same state is not known."""
    (entry,) = read_truth([["cd(folder='Documents')"]], ()).entries
    assert entry.accepts({"folder": "Documents"})
    assert not entry.accepts({"folder": "documents"})
    assert not entry.accepts({"folder": "Documents", "more": 1})


@pytest.mark.parametrize("tools", [None, (), (Tool("ls"),)])
def test_an_argument_that_nobody_names_leaves_no_reference(tools: tuple[Tool, ...] | None) -> None:
    """A made-up name would fail every run."""
    assert read_truth(TURNS, tools) is None
