"""Tests of saying what is wrong: the value, what is allowed, and what may have been meant."""

from collections.abc import Callable

import pytest

from trayecto.case_formats._explain import unknown_field

Fault = Callable[..., list[str]]
Problems = Callable[..., list[str]]
RULE = "reference: [a]\n"


@pytest.mark.parametrize(
    ("field", "told"),
    [
        (
            "match: in_oder",
            (
                "match: 'in_oder' is not a match mode; choose exact, in_order, any_order, "
                "superset, multiset, subset. Did you mean 'in_order'?"
            ),
        ),
        (
            "difficulty: facil",
            "difficulty: 'facil' is not a difficulty; choose simple, medium, complex, edge.",
        ),
        (
            "split: held-out",
            "split: 'held-out' is not a split; choose public, held_out. Did you mean 'held_out'?",
        ),
        (
            "match: 3",
            (
                "match: 3 is not a match mode; choose exact, in_order, any_order, "
                "superset, multiset, subset."
            ),
        ),
        ("max_calls: 0", "max_calls: 0 is too small; choose at least 1"),
        ("max_calls: -1", "max_calls: -1 is too small; choose at least 1"),
        ("max_calls: 1000000000", "max_calls: 1000000000 is too large; choose at most 10,000"),
        ("max_calls: three", "max_calls: 'three' is not a whole number"),
        ("max_calls: 2.5", "max_calls: 2.5 is not a whole number"),
        ("max_calls: true", "max_calls: True is not a whole number"),
        ("max_calls:", "max_calls: is null; leave the field out, or give it a value"),
        ("min_calls: 0", "min_calls: 0 is too small; choose at least 1"),
        ("task: 12", "task: 12 is not text; put it in quotes"),
        ("task: [a]", "task: ['a'] is not text"),
        ("cluster: ''", "cluster: is empty"),
        ("required: a", "required: 'a' is not a list"),
        ("required: [3]", "required[0]: 3 is not text; put it in quotes"),
        ("required: [null]", "required[0]: is null; leave the field out, or give it a value"),
        ("order: [[a]]", "order[0]: is no pair of tools; write [first, second]"),
        ("order: [[a, b, c]]", "order[0]: is no pair of tools; write [first, second]"),
        ("order: [a]", "order[0]: is no pair of tools; write [first, second]"),
        ("order: [['', a]]", "order[0][0]: is empty"),
        ("scope: {a.b: 1}", "scope.a.b: 1 is not a list"),
        ("scope: {a.b: []}", "scope.a.b: is empty"),
        ("scope: [a]", "scope: ['a'] is not a mapping"),
        (
            "tolerance: {a.b: some}",
            (
                "tolerance.a.b: 'some' is not a tolerance; choose any, a number from 0 on, "
                "or a mapping"
            ),
        ),
        (
            "tolerance: {a.b: -1}",
            "tolerance.a.b: -1 is not a tolerance; choose any, a number from 0 on, or a mapping",
        ),
        ("answer: yes", "answer: 'yes' is not a mapping"),
        ("answer: {contains: 142.900}", "answer.contains: 142.9 is not text; put it in quotes"),
        ("answer: {contains: [a, '']}", "answer.contains[1]: is empty"),
        ("answer: {contains: []}", "answer.contains: is empty"),
        (
            "answer: {contians: a}",
            "answer: field 'contians' is not known; did you mean 'contains'?",
        ),
        ("answer: {equals: }", "answer.equals: is null; leave the field out, or give it a value"),
        ("state: {}", "state: is empty; say what it equals, what is absent, or unchanged: true"),
        ("assert_nothing: yes", "assert_nothing: 'yes' is not true or false"),
        ("requierd: [a]", "field 'requierd' is not known; did you mean 'required'?"),
        ("mode: exact", "field 'mode' is not known; did you mean 'match'?"),
        ("expected_tools: [a]", "field 'expected_tools' is not known; did you mean 'reference'?"),
    ],
)
def test_a_wrong_field_is_told_with_its_line(fault: Fault, field: str, told: str) -> None:
    """The message says where, what, what is allowed and what may have been meant."""
    path = "cases[0]: " if told.startswith("field ") else "cases[0]."
    assert fault(RULE + field) == [f"4: {path}{told}"]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("5", "reference[1]: 5 is neither a tool nor a call ({tool, arguments, compare})"),
        ("''", "reference[1]: is empty"),
        ("[]", "reference[1]: is empty"),
        ("[b, [c]]", "reference[1][1]: a list of calls may not hold another list"),
        ("{tool: 3}", "reference[1].tool: 3 is not text; put it in quotes"),
        ("{arguments: {}}", "reference[1]: field 'tool' is missing"),
        ("{name: b}", "reference[1]: field 'name' is not known; did you mean 'tool'?"),
        (
            "{tool: b, args: {}}",
            "reference[1]: field 'args' is not known; did you mean 'arguments'?",
        ),
        ("{tool: b, arguments: [1]}", "reference[1].arguments: [1] is not a mapping"),
        (
            "{tool: b, arguments: {}, compare: al}",
            (
                "reference[1].compare: 'al' is not a way to compare; choose all, at_least. "
                "Did you mean 'all'?"
            ),
        ),
        ("[{tool: b, arguments: {}, compare: []}]", "reference[1][0].compare: is empty"),
    ],
)
def test_a_wrong_entry_of_a_reference_is_told(fault: Fault, entry: str, told: str) -> None:
    """An entry is a tool, a call, or a list of these; the message names the entry."""
    assert fault(f"reference:\n  - a\n  - {entry}") == [f"5: cases[0].{told}"]


def test_a_case_without_an_id_is_told(problems: Problems) -> None:
    """A missing field is shown where the case begins."""
    assert problems("cases:\n  - reference: [a]\n") == [
        "cases.yaml:2: cases[0]: field 'id' is missing"
    ]


def test_a_misspelled_field_is_not_missing_as_well(problems: Problems) -> None:
    """One mistake is told once."""
    assert problems("cases:\n  - idd: a\n    reference: [a]\n") == [
        "cases.yaml:2: cases[0]: field 'idd' is not known; did you mean 'id'?"
    ]


def test_a_case_that_is_no_mapping_is_told(problems: Problems) -> None:
    """A list of tasks is no list of cases."""
    assert problems("cases: [what is the balance?]") == [
        "cases.yaml:1: cases[0]: 'what is the balance?' is not a mapping"
    ]


def test_a_field_that_resembles_nothing_shows_what_there_is() -> None:
    """Without a likely meaning, the message lists the choices."""
    assert unknown_field("zzz", ["id", "task"]) == "field 'zzz' is not known; choose id, task"


def test_all_problems_of_a_file_are_told_together(problems: Problems) -> None:
    """Nobody mends a file one error at a time."""
    found = problems("suit: a\ncases:\n  - id: 1\n    matsh: set\n  - id: b\n    split: x\n")
    assert [line.split(":")[1] for line in found] == ["1", "3", "4", "6"]


def test_a_file_of_another_kind_is_refused_quickly(problems: Problems) -> None:
    """After 20 problems the rest is only counted: 20,000 fields, and no case."""
    keys = ", ".join(f"k{n}: 1" for n in range(20_000))
    found = problems(f"{{{keys}}}")
    assert (len(found), found[-1]) == (21, "and 19981 more")


def test_a_huge_name_is_cut(fault: Fault) -> None:
    """A message stays readable whatever the file holds."""
    (found,) = fault(f"{RULE}match: {'x' * 100_000}")
    assert len(found) < 300
