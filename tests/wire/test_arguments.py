"""Tests of tool arguments: objects, their JSON text, and everything broken."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.wire.arguments import LITERAL_LIMIT, read_arguments, read_python_arguments

DEEP = '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.mark.parametrize(
    ("text", "arguments", "flags"),
    [
        ('{"n":1}', {"n": 1}, ()),
        ({"n": 1}, {"n": 1}, ()),
        ("", {}, ("empty_arguments",)),
        (None, {}, ("empty_arguments",)),
        ("{}", {}, ()),
        ('"{\\"n\\": 1}"', {"n": 1}, ("encoded_twice",)),
        ('""', {}, ("encoded_twice", "empty_arguments")),
        ('{"n": 1.0, "id": 18446744073709551617}', {"n": 1, "id": 2**64 + 1}, ()),
        ('{"__proto__": 1, "constructor": {}}', {"__proto__": 1, "constructor": {}}, ()),
        ('{"u": "a:b", "t": "\\":"}', {"u": "a:b", "t": '":'}, ()),
    ],
)
def test_arguments_are_read(text: object, arguments: object, flags: tuple[str, ...]) -> None:
    """Nothing given is no arguments; text in text is read; both are flagged (M2, INPUT-09)."""
    assert read_arguments(text) == (arguments, flags)


@pytest.mark.parametrize(
    "text",
    ['{"n": 1', "[1,2]", "null", "3", '"null"', '"[]"', " ", "{'n': 1}", '{"n": NaN}', "hola"],
)
def test_what_is_no_object_stays_as_it_was_written(text: str) -> None:
    """Broken arguments are the agent's fault: kept and scored, never an error (M1, M2)."""
    assert read_arguments(text) == (text, ())


@pytest.mark.parametrize("text", [DEEP, json.dumps(DEEP), '{"n": ' + "9" * 5000 + "}"])
def test_what_cannot_be_held_stays_as_it_was_written(text: str) -> None:
    """A nesting of 100,000 or an integer of 5,000 digits costs the run nothing."""
    assert read_arguments(text) == (text, ())


@pytest.mark.parametrize(("levels", "kept"), [(127, True), (128, False), (700, False)])
def test_arguments_are_kept_to_128_levels(levels: int, kept: bool) -> None:  # noqa: FBT001  # a column of the table
    """What is read deep in a stack could not be written deeper in one (B14)."""
    value = {"b": 1, "a": json.loads("[" * levels + "]" * levels)}
    text = json.dumps(value, separators=(",", ":"))
    expected = (value, ()) if kept else (text, ())
    assert [read_arguments(text), read_arguments(value)] == [expected, expected]


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}',
        '{"a":1,"a" :2}',
        '{"a" : 1, "a" : 2}',
        '{"a":1,"\\u0061":2}',
        '{"a":1,"a"\n:2}',
    ],
)
def test_a_repeated_key_is_seen_however_it_is_written(text: str) -> None:
    """The last one counts, and the ambiguity is the agent's (ruling 14, J2)."""
    assert read_arguments(text) == ({"a": 2}, ("ambiguous_arguments",))


@pytest.mark.parametrize(
    "text", ['{"a": {"b": 1, "b": 2}}', '{"a": [{"b": 0}, {"b": 2, "c": 1, "b": 2}]}']
)
def test_a_repeated_key_is_seen_inside(text: str) -> None:
    """Tools take nested objects too."""
    assert read_arguments(text)[1] == ("ambiguous_arguments",)


def test_a_repeated_key_is_seen_in_text_encoded_twice() -> None:
    """One oddity does not hide another."""
    text = json.dumps('{"a":1,"a":2}')
    assert read_arguments(text) == ({"a": 2}, ("encoded_twice", "ambiguous_arguments"))


@given(st.recursive(st.text(), lambda s: st.dictionaries(st.text(), s), max_leaves=6))
def test_no_honest_object_is_called_ambiguous(value: object) -> None:
    """Whatever stands in its strings, an object without repeated keys has no flag."""
    assert read_arguments(json.dumps({"v": value}))[1] == ()


def test_a_lone_surrogate_is_kept_as_its_escape() -> None:
    """The rest of the arguments stays readable (J9)."""
    assert read_arguments('{"q": "x\\ud835y"}') == ({"q": "x\\ud835y"}, ())


@given(st.text())
def test_any_text_can_be_arguments(text: str) -> None:
    """Arguments never raise: an object, or the text as it was."""
    arguments, _ = read_python_arguments(text)
    assert isinstance(arguments, dict) or arguments == text


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("{'n': 1}", {"n": 1}),
        ("{'n': 1.0, 'on': True, 'x': None}", {"n": 1, "on": True, "x": None}),
        ("{'ids': ('1', '2')}", {"ids": ["1", "2"]}),
        (r"{'regex': '\d'}", {"regex": r"\d"}),
    ],
)
def test_a_python_literal_is_read_where_it_is_expected(text: str, arguments: object) -> None:
    """The assertions agent of tau-bench-levels writes Python, and the flag says so."""
    assert read_python_arguments(text) == (arguments, ("python_literal",))


@pytest.mark.parametrize(
    "text",
    [
        "f('x')",
        "__import__('os').system('true')",
        "{'n': 1e999}",
        "{'n': {1, 2}}",
        "{'n': b'x'}",
        "['n']",
        "(" * 5000,
        "{'n': " + "9" * 5000 + "}",
        "{'n': '" + "x" * LITERAL_LIMIT + "'}",
    ],
)
def test_python_that_is_no_json_object_stays_text(text: str) -> None:
    """Literals are parsed, nothing is run, nothing is invented."""
    assert read_python_arguments(text) == (text, ())


def test_json_is_json_where_python_is_expected() -> None:
    """Only what is no JSON is tried as Python."""
    assert read_python_arguments('{"on": true}') == ({"on": True}, ())


@pytest.mark.parametrize("text", ['{"a":1,"a":2,"t":"\\u003a"}', '{"a":{"b":1,"b":2},"t":"x:"}'])
def test_an_escaped_colon_hides_no_repeated_key(text: str) -> None:
    """It would make up for the colon that was dropped with the key."""
    assert read_arguments(text)[1] == ("ambiguous_arguments",)
