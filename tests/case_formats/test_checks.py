"""Tests of what only makes sense together: a case that contradicts itself is refused."""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case import Case, CaseInput, CaseSecret, expect, refer
from trayecto.case_formats import CaseFile
from trayecto.case_formats._checks import asserts, check_case, check_prepared, folded
from trayecto.contracts import ToolContract

Fault = Callable[..., list[str]]
Loaded = Callable[..., CaseFile]
Problems = Callable[..., list[str]]
NOTHING = (
    "asserts nothing: give it a reference, an answer or another check, or say assert_nothing: true"
)
CONTRACTS = {
    "find": ToolContract("find"),
    "pay": ToolContract("pay", parameters={"properties": {"id": {}, "amount": {}}}),
}


PAY = "reference: [{tool: pay, arguments: {amount: 2}}]"


@pytest.mark.parametrize(
    "fields",
    [
        "task: hello",
        "reference: []",
        "reference: []\nmatch: any_order",
        "min_calls: 2\ncritical: [loop]",
        "required: []\norder: []\nscope: {}",
        "state: {unchanged: false}",
    ],
)
def test_a_case_that_asserts_nothing_is_refused(fault: Fault, fields: str) -> None:
    """Nothing was checked is never a pass."""
    assert fault(fields) == [f"2: cases[0]: {NOTHING}"]


@pytest.mark.parametrize(
    "fields",
    [
        "assert_nothing: true",
        "reference: []\nmatch: exact",
        "reference: []\nmatch: multiset",
        "reference: []\nmatch: subset",
        "reference: [a]",
        "required: [a]",
        "forbidden: [a]",
        "max_calls: 3",
        "order: [[a, b]]",
        "scope: {a.b: [1]}",
        "answer: {contains: a}",
        "answer: {equals: ''}",
        "state: {unchanged: true}",
    ],
)
def test_a_case_that_asserts_something_loads(loaded: Loaded, fields: str) -> None:
    """One check is enough, and so is to say that there is none."""
    text = "".join(f"    {line}\n" for line in fields.splitlines())
    assert len(loaded(f"cases:\n  - id: x\n{text}").cases) == 1


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("required: [a, b]\nforbidden: [c, b]", "4: cases[0].forbidden[1]: 'b' is required too"),
        (
            "reference: [a, b]\nforbidden: [b]",
            "4: cases[0].forbidden[0]: 'b' is in the reference too",
        ),
        (
            "reference: [a, b, [c, d]]\nmax_calls: 3",
            "4: cases[0].max_calls: 3 is fewer than the 4 calls of the reference",
        ),
        (
            "reference: [a]\nmin_calls: 4\nmax_calls: 3",
            "4: cases[0].min_calls: 4 is more than max_calls, 3",
        ),
        ("order: [[a, b], [c, c]]", "3: cases[0].order[1]: 'c' cannot come before itself"),
        (
            "order:\n  - [x, a]\n  - [a, b]\n  - [b, c]\n  - [c, a]",
            "3: cases[0].order: goes round in a circle: a → b → c → a",
        ),
        ("order: [[a, b], [b, a]]", "3: cases[0].order: goes round in a circle: a → b → a"),
        (
            "required: [a]\nmatch: exact",
            "4: cases[0].match: says how to compare with a reference, and there is none",
        ),
        ("answer: {}", "3: cases[0].answer: is empty; say what the answer contains or equals"),
        ("state: {unchanged: 1}", "3: cases[0].state.unchanged: 1 is not true or false"),
        (
            "state: {paid: 1}",
            "3: cases[0].state: field 'paid' is not known; choose equals, absent, unchanged",
        ),
        ("secrets: [short]", "3: cases[0].secrets[0]: is too short; 6 characters are the least"),
        (
            "answer: {pattern: '(a'}",
            "3: cases[0].answer.pattern: '(a' is no pattern that can be used: missing ): (a",
        ),
        (
            "answer: {number: {valu: 2}}",
            "3: cases[0].answer.number: field 'valu' is not known; did you mean 'value'?",
        ),
        (
            f"{PAY}\ntolerance: {{pay.amount: {{pattern: '(?=a)'}}}}",
            (
                "4: cases[0].tolerance.pay.amount.pattern: '(?=a)' is no pattern that can be used: "
                "invalid perl operator: (?="
            ),
        ),
        (
            f"{PAY}\ntolerance: {{pay.amount: {{pattern: a, absolute: 1}}}}",
            "4: cases[0].tolerance.pay.amount: a pattern goes with nothing but optional",
        ),
        (
            f"{PAY}\ntolerance: {{pay.amount: {{}}}}",
            (
                "4: cases[0].tolerance.pay.amount: is empty; choose absolute, relative, "
                "ignore_case, ignore_punctuation, date, one_of, pattern, optional"
            ),
        ),
        (
            f"{PAY}\ntolerance: {{pay.amount: {{relativ: 1}}}}",
            (
                "4: cases[0].tolerance.pay.amount: field 'relativ' is not known; "
                "did you mean 'relative'?"
            ),
        ),
        (
            f"{PAY}\ntolerance: {{pay.amount: {{absolute: -1}}}}",
            "4: cases[0].tolerance.pay.amount.absolute: -1 is too small; choose at least 0",
        ),
        (
            "state: {equals: {a: 1}, absent: [b, a]}",
            "3: cases[0].state.absent[1]: 'a' is in equals too",
        ),
        (
            "required: [a]\nshould_abstain: true",
            (
                "4: cases[0].should_abstain: is true, and tools are required: one contradicts "
                "the other"
            ),
        ),
        ("scope: {amount: [1]}", "3: cases[0].scope.amount: 'amount' is not written tool.argument"),
        ("scope: {pay.: [1]}", "3: cases[0].scope.pay.: 'pay.' is not written tool.argument"),
        (
            "reference: [a]\ntolerance: {a.x: any}",
            "4: cases[0].tolerance.a.x: names no call of the reference that has arguments",
        ),
        (
            "required: [a]\ntolerance: {a.x: any}",
            "4: cases[0].tolerance.a.x: names no call of the reference that has arguments",
        ),
        (
            "reference: [{tool: pay, arguments: {amount: 2}}]\ntolerance: {pay.amont: 0.1}",
            (
                "4: cases[0].tolerance.pay.amont: is not in the reference; choose pay.amount. "
                "Did you mean 'pay.amount'?"
            ),
        ),
        (
            "reference: [{tool: a, compare: at_least}]",
            "3: cases[0].reference[0].compare: says how to compare arguments, and there are none",
        ),
        (
            "reference: [{tool: a, arguments: }]",
            "3: cases[0].reference[0].arguments: is null; leave the field out, or give it a value",
        ),
        (
            "reference: [[b, {tool: a, arguments: {id: 1}, compare: [idd]}]]",
            (
                "3: cases[0].reference[0][1].compare[0]: 'idd' is not among the arguments; "
                "choose id. "
                "Did you mean 'id'?"
            ),
        ),
    ],
)
def test_a_contradiction_is_told(fault: Fault, fields: str, told: str) -> None:
    """What no trajectory could satisfy, or nothing could fail, is refused on load."""
    assert fault(fields) == [told]


@pytest.mark.parametrize(
    "fields",
    [
        "reference: [a, b, c]\nmatch: subset\nmax_calls: 2",
        "reference: [a, b]\nmatch: subset\nforbidden: [b]",
        "reference: [a, a, a]\nmatch: any_order\nmax_calls: 1",
        "order: [[a, b], [a, c], [b, c], [a, b]]",
        "reference: [{tool: pay, arguments: {amount: 2}}]\ntolerance: {pay.amount: 0.1}",
        "reference: [{tool: pay, arguments: {to: {id: 2}}}]\ntolerance: {pay.to.id: 1}",
        "reference: [{tool: pay, arguments: {amount: 2}}]\ntolerance: {pay.note: any}",
        "reference: [{tool: m.pay, arguments: {amount: 2}}]\ntolerance: {m.pay.amount: 1}",
        "max_calls: 1\nmin_calls: 1",
    ],
)
def test_what_only_looks_like_a_contradiction_loads(loaded: Loaded, fields: str) -> None:
    """In subset a reference is what may be called; in any_order repeats are ignored."""
    text = "".join(f"    {line}\n" for line in fields.splitlines())
    assert len(loaded(f"cases:\n  - id: x\n{text}").cases) == 1


def test_a_reference_has_at_most_1000_calls(fault: Fault) -> None:
    """Calls inside groups count too."""
    groups = ", ".join(["[a, b]"] * 500)
    assert fault(f"reference: [{groups}, c]") == [
        "3: cases[0].reference: has 1,001 calls; 1,000 are the limit"
    ]


@pytest.mark.parametrize("case_id", ["a/b", "..", "a..b", "a\nb", "a\x00b", "a\x7f", "a\u2028b"])
def test_an_id_that_could_be_a_path_is_refused(problems: Problems, case_id: str) -> None:
    """An id becomes a file name and a line of a report."""
    escaped = case_id.encode("unicode_escape").decode()
    found = problems(f'cases: [{{id: "{escaped}", reference: [a]}}]')
    assert found == [
        f"cases.yaml:1: cases[0].id: {case_id!r} may hold no '/', no '..' and no control character"
    ]


def test_an_id_has_at_most_200_characters(problems: Problems) -> None:
    """200 are read, 201 are refused."""
    found = problems(f"cases: [{{id: {'x' * 201}, reference: [a]}}]")
    assert found == ["cases.yaml:1: cases[0].id: is 201 characters long; 200 are the limit"]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("a", "a", ""),
        ("Case", "case", " ('Case' counts as the same)"),
        ("caf\u00e9", "cafe\u0301", " ('café' counts as the same)"),
    ],
)
def test_a_repeated_id_names_both_places(
    problems: Problems, first: str, second: str, same: str
) -> None:
    """Two cases of one name cannot be told apart in a report, nor on disk."""
    text = f"cases:\n  - id: {first}\n    reference: [a]\n  - id: {second}\n    reference: [a]\n"
    told = f"{second!r} is the id of two cases: lines 2 and 4{same}"
    assert problems(text) == [f"cases.yaml:4: cases[1].id: {told}"]


def test_a_repeated_id_is_seen_beside_other_problems(problems: Problems) -> None:
    """Two ids on one line, in cases that are wrong in other ways."""
    found = problems("cases: [{id: a, x: 1}, {id: a, y: 1}]")
    assert "cases.yaml:1: cases[1].id: 'a' is the id of two cases: lines 1 and 1" in found


def test_ids_are_folded_by_case_and_composition() -> None:
    """A file system may take them for the same."""
    assert folded("CAFE\u0301") == folded("café")
    assert folded("a b") != folded("ab")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            "reference: [fnd]",
            (
                "3: cases[0].reference[0]: 'fnd' is not in the tools' contract; "
                "choose find, pay. Did you mean 'find'?"
            ),
        ),
        (
            "required: [fnd]",
            (
                "3: cases[0].required[0]: 'fnd' is not in the tools' contract; "
                "choose find, pay. Did you mean 'find'?"
            ),
        ),
        (
            "order: [[find, pays]]",
            (
                "3: cases[0].order[0]: 'pays' is not in the tools' contract; "
                "choose find, pay. Did you mean 'pay'?"
            ),
        ),
        (
            "scope: {pay.idd: [1]}",
            (
                "3: cases[0].scope.pay.idd: 'idd' is no argument of pay; "
                "choose amount, id. Did you mean 'id'?"
            ),
        ),
        (
            "scope: {zz.id: [1]}",
            ("3: cases[0].scope.zz.id: 'zz' is not in the tools' contract; choose find, pay."),
        ),
        (
            "reference: [{tool: pay, arguments: {id: 1}}]\ntolerance: {pay.amuont: any}",
            (
                "4: cases[0].tolerance.pay.amuont: 'amuont' is no argument of pay; "
                "choose amount, id. Did you mean 'amount'?"
            ),
        ),
    ],
)
def test_what_the_contract_does_not_have_is_told(fault: Fault, fields: str, told: str) -> None:
    """With the tools' contract at hand, a misspelled tool or argument is found on load."""
    assert fault(fields, contracts=CONTRACTS) == [told]


def test_a_forbidden_tool_need_not_be_in_the_contract(loaded: Loaded) -> None:
    """A tool that was taken away stays forbidden; a tool without properties takes any argument."""
    text = "cases: [{id: x, forbidden: [gone], scope: {find.any: [1]}}]"
    assert len(loaded(text, contracts=CONTRACTS).cases) == 1


def told(case: Case) -> list[str]:
    """Return what is wrong with a prepared case."""
    return [sentence for _, sentence in check_case(case, assert_nothing=False)]


@given(st.lists(st.tuples(*[st.sampled_from("abcdef")] * 2), min_size=1, max_size=12))
def test_a_circle_is_found_exactly_where_there_is_one(pairs: list[tuple[str, str]]) -> None:
    """The standard library's sorter is the oracle; the circle that is told is one of the pairs."""
    order = tuple((first, second) for first, second in pairs if first != second)
    sorter = TopologicalSorter[str]()
    for first, second in order:
        sorter.add(second, first)
    found = told(Case("x", CaseInput(), CaseSecret(required=("a",), order=order)))
    try:
        sorter.prepare()
    except CycleError:
        circle = found[0].removeprefix("goes round in a circle: ").split(" → ")
        assert circle[0] == circle[-1]
        assert set(pairwise(circle)) <= set(order)
    else:
        assert found == []


def test_a_long_chain_of_order_pairs_is_no_circle() -> None:
    """A thousand tools in a row neither take long nor exhaust the stack."""
    order = tuple((f"t{n}", f"t{n + 1}") for n in range(5_000))
    case = Case("x", CaseInput(), CaseSecret(order=order))
    assert told(case) == []
    closed = Case("x", CaseInput(), CaseSecret(order=(*order, ("t5000", "t0"))))
    assert told(closed)[0].startswith("goes round in a circle: t0 → t1 → t2")


def test_only_the_fields_that_can_fail_assert_something() -> None:
    """The fewest calls, a tolerance and what is critical judge nothing by themselves."""
    silent = CaseSecret(min_calls=2, tolerance={"a.b": "any"}, critical=("loop",))
    assert not asserts(Case("x", CaseInput("task"), silent))
    assert asserts(Case("x", CaseInput(), CaseSecret(max_calls=1)))


def test_all_contradictions_of_a_case_are_told(fault: Fault) -> None:
    """A case that is wrong in three ways is told three times."""
    found = fault("required: [a]\nforbidden: [a]\nmin_calls: 3\nmax_calls: 2\norder: [[b, b]]")
    assert [line.split(":")[1].strip() for line in found] == [
        "cases[0].forbidden[0]",
        "cases[0].min_calls",
        "cases[0].order[0]",
    ]


def test_problems_of_the_contract_stand_beside_the_others(fault: Fault) -> None:
    """With a contract the case's own contradictions are still told."""
    found = fault("required: [find]\nforbidden: [find]\norder: [[pay, gone]]", contracts=CONTRACTS)
    assert len(found) == 2
    assert "is required too" in found[0]
    assert "'gone' is not in the tools' contract" in found[1]


def test_a_contract_that_agrees_is_no_problem(loaded: Loaded) -> None:
    """What the contract has may be named; a field inside an argument belongs to the argument."""
    text = (
        "reference: [find, {tool: pay, arguments: {id: {x: 1}}}]\n"
        "required: [find]\norder: [[find, pay]]\n"
        "scope: {pay.id.x: [1]}\ntolerance: {pay.id.x: 0.5, pay.amount: any}"
    )
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    case = loaded(f"cases:\n  - id: x\n{lines}", contracts=CONTRACTS).cases[0]
    assert case.secret.tolerance == {"pay.id.x": 0.5, "pay.amount": "any"}


@pytest.mark.parametrize(
    ("task", "answer", "told"),
    [
        ("Say that it is 142.900 pesos.", "contains: '142.900'", True),
        ("Say PESOS and 7.", "contains: [9, 'pesos']".replace("9", "'9'"), True),
        ("Is it A+ (really)?", "equals: ' a+ '", True),
        ("The year is 2026.", "contains: '20'", False),
        ("How much is it?", "contains: '142.900'", False),
        ("", "equals: ''", False),
    ],
)
def test_a_task_that_tells_its_answer_is_found(
    loaded: Loaded, task: str, answer: str, *, told: bool
) -> None:
    """The expected text stands in it between words, in whatever letters (Y30)."""
    file = loaded(f"cases:\n  - id: x\n    task: '{task}'\n    answer: {{{answer}}}\n")
    assert file.told == (("x",) if told else ())


def test_a_case_without_an_answer_tells_none(loaded: Loaded) -> None:
    """There is nothing that it could give away."""
    assert loaded("cases: [{id: x, task: hola, required: [hola]}]").told == ()


def test_a_prepared_case_keeps_the_limits_of_a_written_one() -> None:
    """Its id may be in a path, and its reference has an end; it never was an entry of a model."""
    long = refer([(expect("a", None),)] * 1_001)
    case = Case("a/" + "b" * 199, CaseInput(), CaseSecret(long))
    told = dict(check_prepared(case))
    assert told[("reference",)] == "has 1,001 calls; 1,000 are the limit"
    assert [path for path, _ in check_prepared(case)] == [("id",), ("id",), ("reference",)]
    assert [*check_prepared(Case("a" * 200, CaseInput(), CaseSecret()))] == []
