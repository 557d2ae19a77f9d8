"""Tests of preparing cases: modes, references, settings and what nothing evaluates yet."""

from collections.abc import Callable

import pytest

from trayecto.case import (
    MODE_ALIASES,
    MODES,
    AnswerCheck,
    Case,
    CaseInput,
    CaseSecret,
    Limits,
    StateCheck,
)
from trayecto.case_formats import CaseFile, Skipped
from trayecto.case_formats._build import Builder
from trayecto.case_formats._problems import Spot
from trayecto.errors import InputError
from trayecto.trajectory import Call, Json

Loaded = Callable[..., CaseFile]
Problems = Callable[..., list[str]]


def call(arguments: dict[str, Json]) -> Call:
    """Return a call of the tool that the tests expect."""
    return Call(1, "pay", arguments, None, "ok")


@pytest.mark.parametrize(
    ("written", "mode"), [*zip(MODES, MODES, strict=True), *MODE_ALIASES.items()]
)
def test_every_mode_and_alias_is_read(loaded: Loaded, written: str, mode: str) -> None:
    """The names that other tools and the articles use mean our modes."""
    case = loaded(f"cases: [{{id: a, reference: [b], match: {written}}}]").cases[0]
    assert case.secret.reference.match == mode


def test_without_a_mode_extras_are_allowed(loaded: Loaded) -> None:
    """The default is in_order."""
    case = loaded("cases: [{id: a, reference: [b]}]").cases[0]
    assert case.secret.reference.match == "in_order"


def test_a_list_in_a_reference_is_a_parallel_group(loaded: Loaded) -> None:
    """Its calls may be made in any order."""
    reference = "[a, [b, {tool: c, arguments: {x: 1}}], d]"
    found = loaded(f"cases: [{{id: a, reference: {reference}}}]").cases[0].secret.reference
    assert [[entry.tool for entry in group] for group in found.groups] == [["a"], ["b", "c"], ["d"]]
    assert not found.plain


@pytest.mark.parametrize(
    ("expected", "actual", "agrees"),
    [
        ("1.0", 1, True),
        ("1", 1, True),
        ("-0.0", 0, True),
        ("1", True, False),
        ("true", True, True),
        ("true", 1, False),
        ("0", False, False),
        ("'1'", 1, False),
        ("null", None, True),
        ("18446744073709551617", 2**64 + 1, True),
    ],
)
@pytest.mark.parametrize("name", ["cases.yaml", "cases.json"])
def test_values_compare_as_the_rulings_say(
    loaded: Loaded, name: str, expected: str, actual: Json, *, agrees: bool
) -> None:
    """1 is 1.0; true, 1 and "1" differ."""
    text = f"cases: [{{id: a, reference: [{{tool: pay, arguments: {{n: {expected}}}}}]}}]"
    entry = loaded(text, name).cases[0].secret.reference.entries[0]
    assert entry.agrees(call({"n": actual})) is agrees


@pytest.mark.parametrize(
    ("compare", "agrees"), [("all", False), ("at_least", True), ("[id]", True), ("[note]", False)]
)
def test_compare_says_which_arguments_count(loaded: Loaded, compare: str, *, agrees: bool) -> None:
    """All and no others, at least those given, or those named."""
    text = "cases: [{id: a, reference: [{tool: pay, arguments: {id: 1, note: x}, compare: %s}]}]"
    entry = loaded(text % compare).cases[0].secret.reference.entries[0]
    made: dict[str, Json] = {"id": 1, "note": "x", "more": 2}
    assert entry.agrees(call(made if compare != "[note]" else {"id": 1, "note": "y"})) is agrees


def test_an_answer_may_contain_one_text_or_several(loaded: Loaded) -> None:
    """A text alone is a list of one."""
    text = (
        "cases: [{id: a, answer: {contains: x}}, {id: b, answer: {contains: [x, 'no'], equals: y}}]"
    )
    one, two = (case.secret.answer for case in loaded(text).cases)
    assert (one.contains, one.equals) == (("x",), None)
    assert (two.contains, two.equals) == (("x", "no"), "y")


def test_the_fields_that_group_cases_are_kept(loaded: Loaded) -> None:
    """Difficulty, cluster and split reach the summaries."""
    text = "cases: [{id: a, reference: [b], difficulty: edge, cluster: c, split: held_out}]"
    case = loaded(text).cases[0]
    assert (case.difficulty, case.cluster, case.split) == ("edge", "c", "held_out")


def test_critical_metrics_come_from_the_case_or_the_suite(loaded: Loaded) -> None:
    """A case that names its own, even none, does not take the suite's."""
    cases = "[{id: a, reference: [x]}, {id: b, reference: [x], critical: []}]"
    found = loaded(f"critical: [loop]\ncases: {cases}").cases
    assert [case.secret.critical for case in found] == [("loop",), ()]


def test_a_case_keeps_what_it_asserts(loaded: Loaded) -> None:
    """State, answer, secrets and abstention arrive as they are written; budgets from the suite."""
    found = loaded(
        "limits: {calls: 9, cost_usd: 0.5}\n"
        "cases:\n"
        "  - id: a\n"
        "    state: {equals: {orders.7.status: paid}, absent: [carts.1], unchanged: true}\n"
        "    answer: {number: {value: 12.5, relative: 0.01}, pattern: 'P-\\d+'}\n"
        "    secrets: [hunter2hunter2]\n"
        "    canary: canary-1f3d\n"
        "    should_abstain: false\n"
    )
    secret = found.cases[0].secret
    assert secret.state == StateCheck({"orders.7.status": "paid"}, ("carts.1",), unchanged=True)
    assert secret.answer == AnswerCheck((), None, 12.5, {"relative": 0.01}, "P-\\d+")
    assert (secret.secrets, secret.canary) == (("hunter2hunter2",), "canary-1f3d")
    assert (secret.should_abstain, secret.critical) == (False, None)
    assert secret.limits == Limits(calls=9, cost_usd=0.5)


def test_a_number_may_stand_alone(loaded: Loaded) -> None:
    """Without a tolerance it is that number."""
    answer = loaded("cases: [{id: a, answer: {number: 7}}]").cases[0].secret.answer
    assert answer == AnswerCheck(number=7)


def test_a_tolerance_may_be_in_words(loaded: Loaded) -> None:
    """What is left out of the mapping does not stand in the case."""
    entry = "{tool: pay, arguments: {to: Ana}}"
    words = "{one_of: [ANA, EVA], ignore_case: true, optional: true}"
    case = loaded(f"cases: [{{id: a, reference: [{entry}], tolerance: {{pay.to: {words}}}}}]")
    (expected,) = case.cases[0].secret.reference.entries
    assert expected.tolerance == {
        "to": {"one_of": ["ANA", "EVA"], "ignore_case": True, "optional": True}
    }
    assert expected.agrees(call({"to": "eva"}))
    assert expected.agrees(call({}))
    assert not expected.agrees(call({"to": "Leo"}))


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("trials: 0", "trials: 0 is too small; choose at least 1"),
        ("trials: 10001", "trials: 10001 is too large; choose at most 10,000"),
        ("trials: four", "trials: 'four' is not a whole number"),
        ("trials:", "trials: is null; leave the field out, or give it a value"),
        ("limits: {calls: -1}", "limits.calls: -1 is too small; choose at least 1"),
        ("limits: {calls: 1e9}", "limits.calls: 1000000000 is too large; choose at most 10,000"),
        ("limits: {seconds: 0}", "limits.seconds: 0 is too small; it must be more than 0"),
        ("limits: {cost_usd: free}", "limits.cost_usd: 'free' is not a number"),
        ("limits: {tokens: }", "limits.tokens: is null; leave the field out, or give it a value"),
        ("limits: {secnds: 1}", "limits: field 'secnds' is not known; did you mean 'seconds'?"),
        ("suite: 12", "suite: 12 is not text; put it in quotes"),
        ("candidates: {}", "candidates: is empty"),
        (
            "effects: {pay: wirte}",
            (
                "effects.pay: 'wirte' is not an effect; "
                "choose read, write, irreversible, unknown. Did you mean 'write'?"
            ),
        ),
        ("suit: a", "field 'suit' is not known; did you mean 'suite'?"),
    ],
)
def test_a_wrong_setting_is_told(problems: Problems, setting: str, told: str) -> None:
    """Settings are held to their kinds and bounds."""
    found = problems(f"mocks: m\n{setting}\ncases: [{{id: a, reference: [b]}}]")
    assert found == [f"cases.yaml:2: {told}"]


def test_an_agent_and_candidates_exclude_each_other(problems: Problems) -> None:
    """There is one list of what is tested."""
    text = "agent: m:f\ncandidates: {a: m:f}\ncases: [{id: a, reference: [b]}]"
    assert problems(text) == ["cases.yaml:2: candidates: stands beside agent; give one of the two"]


def test_scope_and_tolerance_are_prepared(loaded: Loaded) -> None:
    """Whole floats are integers there too, and lists stay lists of values."""
    case = loaded(
        "cases:\n"
        "  - id: a\n"
        "    reference: [{tool: pay, arguments: {id: 1, amount: 2}}]\n"
        "    scope: {pay.id: [1.0, null, [2]]}\n"
        "    tolerance: {pay.amount: 0.5, pay.id: any}\n"
    ).cases[0]
    assert case.secret.scope == {"pay.id": (1, None, [2])}
    assert case.secret.tolerance == {"pay.amount": 0.5, "pay.id": "any"}


def test_good_settings_are_kept_as_written(loaded: Loaded) -> None:
    """What the harness will need stands in the settings, whole floats as integers."""
    settings = "candidates: {a: m:f, b: m:g}\nlimits: {seconds: 1.0}\neffects: {pay: irreversible}"
    assert loaded(f"{settings}\ncases: [{{id: a, reference: [b]}}]").settings == {
        "candidates": {"a": "m:f", "b": "m:g"},
        "limits": {"seconds": 1},
        "effects": {"pay": "irreversible"},
    }


def test_cases_share_nothing_that_can_change(loaded: Loaded) -> None:
    """A default of one case is not the default of another."""
    one, two = loaded("cases: [{id: a, reference: [x]}, {id: b, reference: [x]}]").cases
    assert one.secret.scope == two.secret.scope == {}
    assert one.secret.scope is not two.secret.scope


def test_a_builder_without_cases_refuses_to_finish() -> None:
    """Zero cases never pass, whatever the format."""
    with pytest.raises(InputError, match=r"^cases: holds no case$"):
        Builder("cases").finish()


def test_a_builder_keeps_the_good_cases_apart_from_the_bad() -> None:
    """Only what passed every check becomes a case."""
    builder = Builder("cases")
    builder.take_case({"id": "a", "reference": ["x"]}, Spot(1))
    builder.take_case({"id": "b"}, Spot(2))
    assert [case.id for case in builder.cases] == ["a"]
    with pytest.raises(InputError, match=r"^cases:2: asserts nothing"):
        builder.finish()


def test_a_prepared_case_is_checked_as_a_written_one() -> None:
    """Its id is looked at, and whether a run can fail it."""
    builder = Builder("cases")
    for line, (name, secret) in enumerate([("a", True), ("A", True), ("b", None), ("c/", True)], 1):
        builder.take_prepared(
            Case(name, CaseInput(), CaseSecret(should_abstain=secret)), Spot(line)
        )
    with pytest.raises(InputError) as raised:
        builder.finish()
    found = [line.partition(" ")[0] for line in str(raised.value).splitlines()]
    assert found == ["cases:2:", "cases:3:", "cases:4:"]


def test_what_is_skipped_is_named_beside_the_cases() -> None:
    """Nothing is wrong with it, so that the rest is read."""
    builder = Builder("cases")
    builder.take_case({"id": "a", "reference": ["x"]}, Spot(1))
    builder.skip("b", "cases:2", "no answer")
    assert builder.finish().skipped == (Skipped("b", "cases:2", "no answer"),)


def test_a_builder_that_skipped_all_says_why() -> None:
    """The first reason will do."""
    builder = Builder("cases")
    builder.skip("b", "cases:2", "no answer")
    with pytest.raises(InputError, match=r"holds no case: 1 skipped, the first for no answer$"):
        builder.finish()


def test_the_punctuation_of_a_text_may_be_free(loaded: Loaded) -> None:
    """As BFCL compares texts; here a case says so for itself."""
    entry = "{tool: pay, arguments: {to: x**2}}"
    words = "{ignore_punctuation: true}"
    case = loaded(f"cases: [{{id: a, reference: [{entry}], tolerance: {{pay.to: {words}}}}}]")
    (expected,) = case.cases[0].secret.reference.entries
    assert expected.agrees(call({"to": "x^2"}))
    assert not expected.agrees(call({"to": "X^2"}))


def test_a_tool_may_have_a_point_in_its_name(loaded: Loaded) -> None:
    """The tolerance is of the longest tool of the reference that it may be of."""
    entry = "{tool: math.area, arguments: {x: 1.0}}"
    text = f"cases: [{{id: a, reference: [math, {entry}], tolerance: {{math.area.x: 0.5}}}}]"
    entries = loaded(text).cases[0].secret.reference.entries
    assert [entry.tolerance for entry in entries] == [{}, {"x": 0.5}]


def test_a_tool_that_is_listed_twice_is_one(loaded: Loaded) -> None:
    """It is forbidden once, and its calls count once."""
    secret = loaded("cases: [{id: a, forbidden: [x, x], required: [y, y]}]").cases[0].secret
    assert (secret.forbidden, secret.required) == (("x",), ("y",))
