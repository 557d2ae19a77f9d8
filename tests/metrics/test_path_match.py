"""Path match: the six modes on worked inputs, retries, and what a mismatch says."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case import MODES, Case, CaseInput, CaseSecret, Mode, expect, refer
from trayecto.facts import gather
from trayecto.matching import by_tool, count_matched, matches
from trayecto.metrics.path_match import explain, needs, path_match
from trayecto.scores import Score
from trayecto.trajectory import Trajectory

Make = Callable[..., Any]

SEARCH, OPEN = ("search", {"q": "visado"}), ("open", {"id": 7})
RUNS = {
    "a": [OPEN, SEARCH, SEARCH],
    "b": [SEARCH, OPEN],
    "c": [SEARCH, SEARCH, SEARCH, OPEN],
    "d": [SEARCH, SEARCH, OPEN],
}
# INPUT-01's table: exact, subsequence, set, multiset; superset and subset by ruling 1.
TABLE = {
    "exact": "d",
    "in_order": "cd",
    "any_order": "abcd",
    "multiset": "ad",
    "superset": "acd",
    "subset": "abd",
}
ORDER = {"id": "P-3"}
REFUND = {"id": "P-3", "amount": 12.5}
TIMEOUT = ("refund", REFUND, "503 timeout", "error")


def told(trajectory: Trajectory, case: Case) -> str:
    """Return the explanation of a run."""
    return explain(gather(trajectory, case), case)


def values(scores: list[Score]) -> list[object]:
    """Return the values of both parts."""
    return [score.value for score in scores]


def test_the_two_runs_of_the_article(
    judge: Make, sane: Trajectory, pathological: Trajectory, article_case: Case
) -> None:
    """Article 000 prints camino_ok True and True: the mode accepts extra steps."""
    assert values(judge(path_match, sane, article_case)) == [True, True]
    assert values(judge(path_match, pathological, article_case)) == [True, True]


@pytest.mark.parametrize("mode", TABLE)
@pytest.mark.parametrize("name", RUNS)
def test_repeated_legitimate_calls(
    judge: Make, run: Make, make_case: Make, mode: str, name: str
) -> None:
    """INPUT-01: search, search, open, each in a call of its own, in every mode."""
    case = make_case([SEARCH, SEARCH, OPEN], mode)
    passed = name in TABLE[mode]
    assert values(judge(path_match, run(*RUNS[name]), case)) == [passed, passed]


@pytest.mark.parametrize("mode", ["exact", "in_order", "superset", "multiset"])
def test_the_explanation_names_one_missing_search(run: Make, make_case: Make, mode: str) -> None:
    """INPUT-01 b: exactly one missing search and nothing else."""
    case = make_case([SEARCH, SEARCH, OPEN], mode)
    assert told(run(*RUNS["b"]), case) == 'missing: search(q="visado")'


def test_the_explanation_of_an_extra_call(run: Make, make_case: Make) -> None:
    """INPUT-01 c, multiset: one extra search, and which call it is."""
    case = make_case([SEARCH, SEARCH, OPEN], "multiset")
    assert told(run(*RUNS["c"]), case) == 'extra: call 3 search(q="visado")'


def test_the_explanation_of_a_wrong_order(run: Make, make_case: Make) -> None:
    """INPUT-01 a: everything is there, but open comes first."""
    case = make_case([SEARCH, SEARCH, OPEN], "in_order")
    assert told(run(*RUNS["a"]), case) == "out of place: call 1 open(id=7)"


def test_the_explanation_of_a_match(run: Make, make_case: Make) -> None:
    """INPUT-01 d: nothing is wrong, by which mode."""
    case = make_case([SEARCH, SEARCH, OPEN], "exact")
    assert told(run(*RUNS["d"]), case) == "follows the reference (exact)"


@pytest.mark.parametrize(
    ("mode", "reference", "calls", "passed"),
    [
        ("exact", [], [], True),
        ("exact", [], [("web_search", {"q": "2+2"})], False),
        ("multiset", [], [("web_search", {"q": "2+2"})], False),
        ("subset", [], [("web_search", {"q": "2+2"})], False),
        ("in_order", [("handoff_sales", {})], [("handoff_sales", {})], True),
        ("in_order", [("lookup", {"id": 1})], [], False),
    ],
)
def test_nothing_expected(
    judge: Make,
    run: Make,
    make_case: Make,
    *,
    mode: str,
    reference: list[object],
    calls: list[object],
    passed: bool,
) -> None:
    """INPUT-04 a to d."""
    found = judge(path_match, run(*calls), make_case(reference, mode))
    assert values(found) == [passed, passed]


def test_the_explanations_of_nothing_expected(run: Make, make_case: Make) -> None:
    """INPUT-04 b: one extra; d: one missing."""
    extra = told(run(("web_search", {"q": "2+2"})), make_case([], "exact"))
    assert extra == 'extra: call 1 web_search(q="2+2")'
    assert told(run(), make_case([("lookup", {"id": 1})])) == "missing: lookup(id=1)"


@pytest.mark.parametrize("mode", ["in_order", "any_order", "superset"])
def test_an_empty_reference_asserts_nothing_where_extras_are_allowed(
    make_case: Make, mode: str
) -> None:
    """Ruling 4: undefined, with the mode in the reason."""
    assert needs(make_case([], mode)) == f"an empty reference asserts nothing in mode {mode}"


@pytest.mark.parametrize("mode", ["exact", "multiset", "subset"])
def test_an_empty_reference_asserts_something_where_nothing_may_be_extra(
    make_case: Make, mode: str
) -> None:
    """Ruling 4: then every call is a fault."""
    assert needs(make_case([], mode)) is None


def test_without_a_reference_it_is_undefined(make_case: Make) -> None:
    """A case that only bounds the calls has no path."""
    assert needs(None) == needs(make_case(None, min_calls=2)) == "no reference path"


def test_a_run_is_never_compared_with_nothing(judge: Make, run: Make, make_case: Make) -> None:
    """Asked in spite of ``needs``, the metric refuses."""
    with pytest.raises(TypeError, match="no reference path"):
        judge(path_match, run("a"), make_case(None))


@pytest.mark.parametrize(
    ("mode", "both"), [("exact", [True, False]), ("multiset", [True, False]),
                       ("subset", [True, False]), ("in_order", [True, True]),
                       ("superset", [True, True])],
)  # fmt: skip
def test_a_retry_after_an_error(
    judge: Make, run: Make, make_case: Make, mode: str, both: list[bool]
) -> None:
    """INPUT-03: the path of successful calls matches; all attempts have one refund too many."""
    calls = [("get_order", ORDER), TIMEOUT, ("refund", REFUND)]
    case = make_case([("get_order", ORDER), ("refund", REFUND)], mode)
    assert values(judge(path_match, run(*calls), case)) == both


def test_the_explanation_of_a_failed_attempt(run: Make, make_case: Make) -> None:
    """INPUT-03: the extra refund is labelled as a failed attempt."""
    calls = [("get_order", ORDER), TIMEOUT, ("refund", REFUND)]
    case = make_case([("get_order", ORDER), ("refund", REFUND)], "exact")
    assert told(run(*calls), case) == (
        "follows the reference (exact); with all attempts, extra: "
        'call 2 refund(id="P-3", amount=12.5) (failed attempt)'
    )


@pytest.mark.parametrize("mode", ["exact", "in_order", "any_order", "superset", "multiset"])
def test_a_failed_call_is_not_done(judge: Make, run: Make, make_case: Make, mode: str) -> None:
    """Ruling 4: the only refund failed, so only all attempts follow the reference."""
    case = make_case([("get_order", ORDER), ("refund", REFUND)], mode)
    found = judge(path_match, run(("get_order", ORDER), TIMEOUT), case)
    assert values(found) == [False, True]


def test_an_unknown_outcome_counts_as_done(judge: Make, run: Make, make_case: Make) -> None:
    """Ruling 4: unknown counts as not error."""
    calls = [("get_order", ORDER, None, "unknown")]
    assert values(judge(path_match, run(*calls), make_case([("get_order", ORDER)]))) == [True, True]


def test_a_failed_call_beside_the_reference_changes_nothing(
    judge: Make, run: Make, make_case: Make
) -> None:
    """In a mode that allows extras a failed call of another tool is no difference."""
    failed = ("other", {}, "Error", "error")
    assert values(judge(path_match, run(failed, "a"), make_case(["a"]))) == [True, True]
    assert values(judge(path_match, run(failed, "b"), make_case(["a"]))) == [False, False]


def test_text_for_arguments_is_explained_by_its_tool(run: Make, make_case: Make) -> None:
    """Raw text is the agent's: the explanation names the tool only."""
    assert told(run(("a", '{"x"')), make_case(["b"], "exact")) == "missing: b; extra: call 1 a"


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ({"order": "W1"}, "call 1 lacks amount"),
        ({}, "call 1 lacks order, amount"),
        ({"order": "W1", "amount": 21}, "call 1 has another amount"),
        ({"order": "W1", "amount": 20, "note": None}, "call 1 also has note"),
        ("{", "call 1 has no object as arguments"),
    ],
)
def test_a_missing_call_says_how_the_nearest_one_differs(
    run: Make, make_case: Make, made: object, told: str
) -> None:
    """INPUT-02 wants the reason: which argument is missing, another, or too much."""
    case = make_case([("pay", {"order": "W1", "amount": 20})], "superset")
    words = explain(gather(run(("pay", made)), case), case)
    assert words == f'missing: pay(order="W1", amount=20) ({told})'


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ({"to": "EVA", "amount": 2}, "call 1 has another amount"),
        ({"amount": 2, "note": "x"}, "call 1 has another amount"),
        ({"amount": 1, "to": "Leo"}, "call 1 has another to"),
    ],
)
def test_what_a_tolerance_allows_is_no_difference(run: Make, made: object, told: str) -> None:
    """One of several values, an argument left out, and one that may be anything."""
    free = {"to": {"one_of": ["Ana", "eva"], "ignore_case": True, "optional": True}, "note": "any"}
    entry = expect("pay", {"to": "Ana", "amount": 1}, "all", free)
    case = Case("case", CaseInput(), CaseSecret(refer([(entry,)], "superset")))
    assert explain(gather(run(("pay", made)), case), case).endswith(f"({told})")


MADE = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from([{"x": 1}, {"x": 2}, {"x": True}]),
        st.just("seen"),
        st.sampled_from(["ok", "error", "unknown"]),
    ),
    max_size=7,
)
ENTRY = st.tuples(st.sampled_from("ab"), st.sampled_from([None, {"x": 1}, {"x": True}]))


@given(steps=MADE, entries=st.lists(ENTRY, min_size=1, max_size=4), mode=st.sampled_from(MODES))
def test_both_parts_are_what_the_matching_says(
    judge: Make, run: Make, make_case: Make, *, steps: list[Any], entries: list[Any], mode: Mode
) -> None:
    """One looks at what was done, the other at every attempt, however it gets there."""
    case, made = make_case(entries, mode), run(*steps)
    calls = made.calls
    expected = [
        matches(case.secret.reference, some, count_matched(case.secret.reference, by_tool(some)))
        for some in ([call for call in calls if call.outcome != "error"], calls)
    ]
    assert values(judge(path_match, made, case)) == expected


def test_a_failed_attempt_can_complete_a_set_with_repeats(
    judge: Make, run: Make, make_case: Make
) -> None:
    """Ruling 1: in any_order repeats are ignored, so one failed attempt at it is enough."""
    failed = ("a", {}, "Error: no", "error")
    assert values(judge(path_match, run(failed), make_case(["a", "a"], "any_order"))) == [
        False,
        True,
    ]
