"""Tests of case files in YAML: the shape of the document."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case_formats import CaseFile, load_cases, native_yaml
from trayecto.case_formats._source import Source
from trayecto.errors import InputError

Loaded = Callable[..., CaseFile]
Problems = Callable[..., list[str]]


def test_cases_keep_their_order_and_place(loaded: Loaded) -> None:
    """A case knows the line where it begins."""
    found = loaded("cases:\n  - id: b\n    reference: [x]\n\n  - id: a\n    reference: [x]\n")
    assert [(case.id, case.place) for case in found.cases] == [
        ("b", "cases.yaml:2"),
        ("a", "cases.yaml:5"),
    ]


def test_settings_are_optional(loaded: Loaded) -> None:
    """Cases alone are a case file."""
    found = loaded("cases: [{id: a, reference: [x]}]")
    assert (found.name, found.suite, found.settings) == ("cases.yaml", None, {})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("cases: []", "cases.yaml:1: cases: holds no case"),
        ("suite: a", "cases.yaml: cases: holds no case"),
        ("cases:", "cases.yaml:1: cases: None is not a list of cases"),
        ("cases: {a: b}", "cases.yaml:1: cases: {'a': 'b'} is not a list of cases"),
        (
            "# nothing\n",
            "cases.yaml:1: holds nothing; a case file is a mapping with a list, cases",
        ),
        (
            "- id: a\n",
            "cases.yaml:1: holds [{'id': 'a'}]; a case file is a mapping with a list, cases",
        ),
    ],
)
def test_a_file_without_cases_is_refused(problems: Problems, content: str, told: str) -> None:
    """Zero cases never pass."""
    assert problems(content) == [told]


def test_broken_yaml_is_not_looked_at_further(problems: Problems) -> None:
    """What follows from a broken value is not told as well."""
    found = problems("cases:\n  - id: x\n    reference: *other\n")
    assert found == [
        "cases.yaml:3: cases[0].reference: alias *other is not allowed; write the value out"
    ]


def test_placeholders_are_literal(loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the environment gets into a case."""
    monkeypatch.setenv("SECRET", "leaked")
    case = loaded("cases: [{id: a, task: '${SECRET} {{ x }} $SECRET', reference: [x]}]").cases[0]
    assert case.task.text == "${SECRET} {{ x }} $SECRET"


def test_words_that_yaml_1_1_takes_for_values_are_tools(loaded: Loaded) -> None:
    """A tool may be called no, off or 012."""
    case = loaded("cases: [{id: a, reference: [no, off, 012, 1_000, 12:30:45]}]").cases[0]
    assert case.secret.reference.tools == ("no", "off", "012", "1_000", "12:30:45")


@pytest.mark.parametrize(
    ("name", "content", "recognised"),
    [
        ("a.yaml", "anything", True),
        ("a.yml", "anything", True),
        ("a.JSON", "anything", True),
        ("a", "cases:\n", True),
        ("a", "# comment\n  suite: x\n", True),
        ("a", "'suite': x", True),
        ("a", "- id: x", True),
        ("a", "---\nsuite: x", True),
        ("a", "{", True),
        ("a", "# only a comment", False),
        ("a", "id,task,reference", False),
        ("a", "Once upon a time: a story", False),
    ],
)
def test_yaml_is_recognised(tmp_path: Path, name: str, content: str, *, recognised: bool) -> None:
    """By the ending, or by a beginning like a mapping or a list."""
    path = tmp_path / name
    path.write_text(content)
    assert native_yaml.recognises(Source(path)) is recognised


def test_settings_and_cases_are_checked_together(problems: Problems) -> None:
    """A wrong setting does not hide a wrong case."""
    found = problems("trials: 0\ncases:\n  - id: a\n    reference: [x]\n    split: x\n")
    assert [line.split(":")[1] for line in found] == ["1", "5"]


def test_a_case_over_several_lines_is_told_by_the_line_of_the_field(problems: Problems) -> None:
    """Long texts, comments and nested lists do not shift the count."""
    text = (
        "# our cases\n"
        "cases:\n"
        "  - id: a\n"
        "    task: |\n"
        "      one\n"
        "      two\n"
        "    reference:\n"
        "      - find\n"
        "      # then pay\n"
        "      - tool: pay\n"
        "        argumnets: {}\n"
    )
    assert problems(text) == [
        (
            "cases.yaml:11: cases[0].reference[1]: field 'argumnets' is not known; "
            "did you mean 'arguments'?"
        )
    ]


def test_expected_text_keeps_its_spelling(loaded: Loaded) -> None:
    """Quotes, blocks and letters beyond ASCII reach the case as they are."""
    text = "cases:\n  - id: ñandú\n    task: |\n      línea\n    answer: {contains: '142.900'}\n"
    case = loaded(text).cases[0]
    assert (case.id, case.task.text) == ("ñandú", "línea\n")
    assert case.secret.answer.contains == ("142.900",)


GOOD = """\
suite: s
cases:
  - id: a
    reference: [find, {tool: pay, arguments: {id: 1}, compare: [id]}, [x, y]]
    order: [[find, pay]]
    answer: {contains: "no"}
  - id: b
    state: {unchanged: true}
    max_calls: 3
"""


@given(
    st.integers(0, len(GOOD)), st.integers(0, 6), st.text("\t\n :-[]{},'\"&*!|>%@#a0.~", max_size=4)
)
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, cut: int, put: str
) -> None:
    """Whatever is typed by mistake, the answer is cases or an InputError that names the file."""
    path = tmp_path_factory.mktemp("cases") / "cases.yaml"
    path.write_text(GOOD[:at] + put + GOOD[at + cut :])
    try:
        found = load_cases(path)
    except InputError as problem:
        assert str(problem).startswith(str(path))  # noqa: PT017  # a file may be good by chance
    else:
        assert 1 <= len(found.cases) <= 2
