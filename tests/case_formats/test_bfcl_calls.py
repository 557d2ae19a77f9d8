"""Calls that BFCL writes as Python: what is written out is read, and nothing is ever run."""

import sys

import pytest

from trayecto.case_formats._bfcl_calls import LONGEST, WrittenCall
from trayecto.case_formats._bfcl_fault import FaultError


def read(text: str, names: list[str] | None = None) -> dict[str, object]:
    """Return the arguments of a call, and with them its tool."""
    call = WrittenCall(text, (0, 1))
    return {"": call.tool, **call.arguments(names)}


def fault(text: str, names: list[str] | None = None) -> str:
    """Return what is wrong with a call."""
    with pytest.raises(FaultError) as raised:
        read(text, names)
    assert raised.value.path == (0, 1)
    return raised.value.sentence


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("ls()", {}),
        ("cd(folder='document')", {"folder": "document"}),
        (' cd( folder = "it\'s" ) ', {"folder": "it's"}),
        ("f(a=True, b=None, c=-3, d='x' 'y')", {"a": True, "b": None, "c": -3, "d": "xy"}),
        ("f(a=[1, 2.5, ['x']], b={'k': (1, 2)})", {"a": [1, 2.5, ["x"]], "b": {"k": [1, 2]}}),
        ("f(a=r'\\d+', b='\\n')", {"a": "\\d+", "b": "\n"}),
        ("f(a='ñ→😀')", {"a": "ñ→😀"}),
    ],
)
def test_what_is_written_out_is_read(text: str, arguments: dict[str, object]) -> None:
    """Texts, numbers, the three constants, lists, tuples and mappings."""
    assert read(text) == {"": text.strip().partition("(")[0], **arguments}


def test_numbers_are_those_of_the_rulings() -> None:
    """Ruling 3: 15.0 is 15, -0.0 is 0, and integers are exact."""
    found = read(f"f(a=15.0, b=-0.0, c={2**64 + 1}, d=-1.5)")
    assert found == {"": "f", "a": 15, "b": 0, "c": 2**64 + 1, "d": -1.5}
    assert [type(found[name]) for name in "abcd"] == [int, int, int, float]


def test_an_argument_by_position_takes_the_name_of_its_place() -> None:
    """As Python does it, before those with names."""
    names = ["content", "tags", "mentions"]
    text = "post('hi', ['#a'], mentions=['@b'])"
    assert read(text, names) == {"": "post", "content": "hi", "tags": ["#a"], "mentions": ["@b"]}
    assert WrittenCall(text, ()).by_position
    assert not WrittenCall("post(content='hi')", ()).by_position


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("f('a', 'b', 'c')", "gives 3 arguments by position, of 2"),
        ("f('a', one='b')", "gives argument 'one' twice"),
        ("f(one=1, one=2)", "gives argument 'one' twice"),
        ("f(onee=1)", "has no argument 'onee'; choose one, two. Did you mean 'one'?"),
    ],
)
def test_arguments_that_the_tool_cannot_take_are_told(text: str, told: str) -> None:
    """Held against the names of the tool's arguments."""
    assert fault(text, ["one", "two"]).endswith(told)


def test_a_tool_that_takes_nothing_takes_no_argument() -> None:
    """There is nothing to choose then."""
    assert fault("f(a=1)", []) == "'f(a=1)' has no argument 'a'; it takes none"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("__import__('os').system('touch made')", "calls no tool by its name"),
        ("os.system('touch made')", "calls no tool by its name"),
        ("(lambda: 1)()", "calls no tool by its name"),
        ("f()()", "calls no tool by its name"),
        ("print", "is not a call"),
        ("'text'", "is not a call"),
        ("[f() for f in x]", "is not a call"),
        ("await f()", "is not a call"),
        ("f(a=(lambda: 1))", "holds a lambda, which is not a value written out"),
        ("f(a=f'{1 + 1}')", "holds an f-string, which is not a value written out"),
        ("f(a=os.environ)", "holds an attribute, which is not a value written out"),
        ("f(a=open('x'))", "holds a call, which is not a value written out"),
        ("f(a=__name__)", "holds a name, which is not a value written out"),
        ("f(a=10 ** 10)", "holds an operator, which is not a value written out"),
        ("f(a=[x for x in 'ab'])", "holds an expression, which is not a value written out"),
        ("f(a=-True)", "holds an expression, which is not a value written out"),
        ("f(a=-'x')", "holds an expression, which is not a value written out"),
        ("f(a={1, 2})", "holds an expression, which is not a value written out"),
        ("f(a=[*x])", "holds a star, which is not a value written out"),
        ("f(**{'a': 1})", "holds **, which is not a value written out"),
        ("f(a={**x})", "has a mapping with a key that is not a text"),
        ("f(a={1: 2})", "has a mapping with a key that is not a text"),
        ("f(a={'k': 1, 'k': 2})", "has key 'k' twice in one mapping"),
        ("f(a=b'x')", "holds b'x', which is no value of JSON"),
        ("f(a=...)", "holds Ellipsis, which is no value of JSON"),
        ("f(a=2j)", "holds 2j, which is no value of JSON"),
        ("f(a=1e999)", "holds inf, which is no number that could be compared"),
    ],
)
def test_what_is_not_written_out_is_refused(text: str, told: str) -> None:
    """Named by what it is; nothing of it is ever looked up."""
    assert fault(text) == f"{text!r} {told}"


def test_a_star_among_the_arguments_is_refused() -> None:
    """It stands by position."""
    assert fault("f(*x)", ["a"]) == "'f(*x)' holds a star, which is not a value written out"


@pytest.mark.parametrize(
    "text", ["", "f(", "f(a=)", "import os", "f(); g()", "a = f()", "f(\0)", "f(1 2)", "9" * 5000]
)
def test_what_is_no_python_is_refused(text: str) -> None:
    """One call is one expression."""
    assert "cannot be read as a call: " in fault(text)


@pytest.mark.parametrize(
    "text",
    [
        f"f(a={'[' * 70}{']' * 70})",
        f"f(a={'[' * 3_000}{']' * 3_000})",
        f"f(a={'-' * 60_000}1)",
        f"f(a={'not ' * 15_000}1)",
        f"f{'()' * 20_000}",
        f"f(a={'1+' * 20_000}1)",
        f"f(a={'x.' * 20_000}y)",
        f"f(a={'{1:' * 150}1{'}' * 150})",
    ],
)
def test_what_is_nested_without_end_is_refused(text: str) -> None:
    """Neither the parser's stack nor ours is used up."""
    before = sys.getrecursionlimit()
    assert len(fault(text)) < 250
    assert sys.getrecursionlimit() == before


def test_a_call_of_any_length_is_not_parsed() -> None:
    """A line is a question, not a program."""
    assert fault(f"f(a='{'x' * LONGEST}')").endswith("is longer than 65,536 characters")


def test_an_odd_escape_is_read_without_a_warning() -> None:
    """Python warns of it; warnings are errors in these tests."""
    assert read("grep(pattern='\\d+')") == {"": "grep", "pattern": "\\d+"}


def test_nothing_is_run(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that any of it would leave behind is not there."""
    monkeypatch.chdir(tmp_path)
    for text in ["open('made', 'w')", "f(a=open('made', 'w'))", "f(a=f\"{open('made', 'w')}\")"]:
        if text.startswith("f"):
            fault(text)
        else:
            assert read(text, ["file", "mode"]) == {"": "open", "file": "made", "mode": "w"}
    assert [*tmp_path.iterdir()] == []


def test_what_json_cannot_hold_is_refused_or_kept_as_text() -> None:
    """A number without end, and half of a surrogate pair."""
    assert "more than 4,300 digits" in fault(f"f(a=0x{'f' * 6_000})")
    assert read(r"f(a='\ud800')") == {"": "f", "a": r"\ud800"}
