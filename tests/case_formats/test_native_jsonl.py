"""Tests of case files in JSON lines: the header, and lines that cannot be read."""

import json
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case_formats import CaseFile, _lines, load_cases, native_jsonl
from trayecto.case_formats._source import Source
from trayecto.errors import InputError

Loaded = Callable[..., CaseFile]
Problems = Callable[..., list[str]]
CASE = '{"id": "a", "reference": ["x"]}\n'
NAME = "cases.jsonl"


def test_a_line_is_a_case(loaded: Loaded) -> None:
    """Lines are counted as an editor counts them, blank ones too."""
    found = loaded(f"{CASE}\n{CASE.replace('a', 'b', 1)}", NAME)
    assert [(case.id, case.place) for case in found.cases] == [
        ("a", "cases.jsonl:1"),
        ("b", "cases.jsonl:3"),
    ]


def test_the_first_line_may_hold_the_settings(loaded: Loaded) -> None:
    """A header has a setting and no id."""
    found = loaded('{"suite": "s", "trials": 4.0}\n' + CASE, NAME)
    assert (found.suite, found.settings) == ("s", {"suite": "s", "trials": 4})
    assert [case.suite for case in found.cases] == ["s"]


def test_a_wrong_header_is_told(problems: Problems) -> None:
    """Settings are checked as in YAML."""
    assert problems('{"suite": "s", "trails": 4}\n' + CASE, NAME) == [
        "cases.jsonl:1: field 'trails' is not known; did you mean 'trials'?"
    ]


def test_a_second_header_is_refused(problems: Problems) -> None:
    """Two files put one after the other are not read as one."""
    header = '{"suite": "s"}\n'
    found = problems(header + CASE + header, NAME)
    assert "cases.jsonl:3: field 'id' is missing" in found
    assert any("'suite' is not known" in line for line in found)


def test_a_header_alone_holds_no_case(problems: Problems) -> None:
    """Zero cases never pass."""
    assert problems('{"suite": "s"}\n', NAME) == ["cases.jsonl: holds no case"]


def test_a_wrong_field_is_told_with_its_line(problems: Problems) -> None:
    """The path is inside the line's case."""
    found = problems(CASE + '{"id": "b", "reference": ["x"], "match": "in_oder"}\n', NAME)
    assert len(found) == 1
    assert found[0].startswith("cases.jsonl:2: match: 'in_oder' is not a match mode; choose exact")
    assert found[0].endswith("Did you mean 'in_order'?")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "b"', "is not one JSON object: expecting ',' delimiter (column 11)"),
        ('{"id": "b"} {"id": "c"}', "is not one JSON object: extra data (column 13)"),
        (
            "{'id': 'b'}",
            (
                "is not one JSON object: expecting property name enclosed in double quotes "
                "(column 2)"
            ),
        ),
        ('{"id": "b", "id": "c"}', "key 'id' stands twice in one object"),
        ('{"id": "b", "state": {"x": [{"y": 1, "y": 2}]}}', "key 'y' stands twice in one object"),
        ('{"id": "b", "state": {"x": NaN}}', "NaN is no number that could be compared"),
        ('{"id": "b", "state": {"x": -Infinity}}', "-Infinity is no number that could be compared"),
        ('{"id": "b", "state": {"x": 1e999}}', "number out of range: 1e999"),
        (f'{{"id": {"9" * 5000}}}', "a number of more than 4,300 digits"),
        (f'{{"id": {"[" * 100_000}', "nested deeper than 64 levels"),
        (f'{{"id": {"[" * 64 + "]" * 64}}}', "nested deeper than 64 levels"),
        ('["id"]', "['id'] is not a mapping"),
        ("3", "3 is not a mapping"),
    ],
)
def test_a_line_that_cannot_be_read_is_told(problems: Problems, line: str, told: str) -> None:
    """No line is passed over in silence."""
    assert problems(f"{CASE}{line}\n", NAME) == [f"cases.jsonl:2: {told}"]


def test_a_key_repeated_among_many_is_found_in_time(problems: Problems) -> None:
    """An object of 100,000 keys costs no time that grows with their square (J17)."""
    keys = ", ".join(f'"k{n}": 1' for n in range(100_000))
    start = process_time()
    (told,) = problems(f'{CASE}{{"id": "b", {keys}, "k99999": 1}}\n', NAME)
    assert told == "cases.jsonl:2: key 'k99999' stands twice in one object"
    assert process_time() - start < 2


def test_invalid_utf_8_is_told_with_its_line(problems: Problems) -> None:
    """One broken byte does not hide the other lines."""
    found = problems(CASE.encode() + b'{"id": "\xff"}\n{"id": "b"}\n', NAME)
    assert found[0] == "cases.jsonl:2: byte 0xff is not valid UTF-8"
    assert found[1].startswith("cases.jsonl:3: asserts nothing")


def test_lines_of_carriage_returns_only_are_refused(problems: Problems) -> None:
    """A file that is one line to us is not read by halves."""
    assert "extra data" in problems(CASE.strip() + "\r" + CASE.strip(), NAME)[0]


def test_a_line_of_64_levels_is_read(loaded: Loaded) -> None:
    """The limit itself is allowed."""
    deep = "[" * 61 + "]" * 61
    case = loaded(f'{{"id": "b", "state": {{"equals": {{"x": {deep}}}}}}}', NAME).cases[0]
    assert json.dumps(case.secret.state.equals["x"]) == deep


def test_too_many_values_in_a_line_are_refused(
    problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is one case, not a data set."""
    monkeypatch.setattr(_lines, "NODES", 5)
    found = problems('{"id": "b", "state": {"x": [1, 2, 3, 4]}}', NAME)
    assert found == ["cases.jsonl:1: more than 5 values in one case"]


def test_a_text_that_is_too_long_is_refused(
    problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No single text fills the memory of a report."""
    monkeypatch.setattr(_lines, "NODES", 20)
    monkeypatch.setattr(_lines, "TEXT", 30)
    found = problems(f'{{"id": "b", "task": "{"x" * 31}"}}', NAME)
    assert found == ["cases.jsonl:1: a text is longer than 30 characters"]


def test_a_lone_surrogate_is_kept_as_its_escape(loaded: Loaded) -> None:
    """Expected and recorded arguments are read alike, so they still compare."""
    arguments = r'{"y": "\ud835", "z": "\ud83d\ude00"}'
    line = '{"id": "b", "reference": [{"tool": "x", "arguments": %s}]}'
    entry = loaded(line % arguments, NAME).cases[0].secret.reference.entries[0]
    assert entry.arguments == {"y": r"\ud835", "z": "😀"}


@pytest.mark.parametrize(
    ("name", "line", "recognised"),
    [
        ("a.jsonl", "broken", True),
        ("a.ndjson", "broken", True),
        ("a.json", '{"id": "x"}', True),
        ("a.json", '{"cases": []}', False),
        ("a.json", "{", False),
        ("a.json", "[]", False),
        ("a.txt", "[" * 100_000, False),
    ],
)
def test_lines_are_recognised(tmp_path: Path, name: str, line: str, *, recognised: bool) -> None:
    """By the ending, or by a first line that is an object and no whole document."""
    path = tmp_path / name
    path.write_text(line)
    assert native_jsonl.recognises(Source(path)) is recognised


def test_a_null_field_is_refused(problems: Problems) -> None:
    """A column without a value is neither a check nor its absence."""
    assert problems('{"id": "b", "reference": ["x"], "max_calls": null}', NAME) == [
        "cases.jsonl:1: max_calls: is null; leave the field out, or give it a value"
    ]


def test_a_repeated_id_names_both_lines(problems: Problems) -> None:
    """As in YAML."""
    assert problems(CASE + "\n" + CASE, NAME) == [
        "cases.jsonl:3: id: 'a' is the id of two cases: lines 1 and 3"
    ]


def test_good_lines_between_bad_ones_are_checked_too(problems: Problems) -> None:
    """All problems are told, in the order of the lines."""
    lines = ["{", '{"id": "b"}', CASE.strip(), '{"id": "c", "forbidden": "x"}', "null"]
    found = problems("\n".join(lines), NAME)
    assert [line.split(":")[1] for line in found] == ["1", "2", "4", "5"]


def test_more_than_20_problems_are_counted(problems: Problems) -> None:
    """A file of another kind does not fill the screen."""
    found = problems('{"messages": []}\n' * 30, NAME)
    assert (len(found), found[-1]) == (21, "and 40 more")


def test_integers_are_exact(loaded: Loaded) -> None:
    """No number passes through a float that cannot hold it."""
    line = '{"id": "b", "state": {"equals": {"x": 18446744073709551617, "y": 2.0, "z": -0.0}}}'
    state = loaded(line, NAME).cases[0].secret.state.equals
    assert state == {"x": 2**64 + 1, "y": 2, "z": 0}
    assert [type(value) for value in state.values()] == [int, int, int]


def test_a_null_byte_far_down_is_told_by_its_line(problems: Problems) -> None:
    """A file with a hole in it, as a crash leaves it, is not read past the hole."""
    lines = [f'{{"id": "c{number}", "reference": ["x"]}}' for number in range(3_000)]
    found = problems("\n".join([*lines, "\0" * 100]), NAME)
    assert found == ["cases.jsonl:3001: is not one JSON object: expecting value (column 1)"]


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=4))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    """No file makes the reader raise anything but an InputError."""
    path = tmp_path_factory.mktemp("cases") / NAME
    path.write_bytes(CASE.encode() + b"\n".join(lines))
    try:
        found = load_cases(path)
    except InputError as problem:
        assert str(problem).startswith(str(path))  # noqa: PT017  # a file may be good by chance
    else:
        assert len(found.cases) >= 1


@pytest.mark.soak
def test_a_file_of_200_mb_is_read(tmp_path: Path) -> None:
    """The limits are for a line: a file may be of any size."""
    path = tmp_path / NAME
    task = "x" * 1_000
    with path.open("w") as file:
        for number in range(190_000):
            file.write(json.dumps({"id": f"c{number}", "task": task, "reference": ["x"]}) + "\n")
    assert path.stat().st_size > 190_000_000
    assert len(load_cases(path).cases) == 190_000


def test_an_escaped_colon_hides_no_repeated_key(problems: Problems) -> None:
    """It would make up for the colon that was dropped with the key."""
    [told] = problems('{"id":"a","id":"b","task":"\\u003a","required":["x"]}\n', "cases.jsonl")
    assert told.endswith("key 'id' stands twice in one object")
