"""What holds of the metrics whatever the run: laws of order, of more, of equality and of ranges."""

import json
from base64 import b64encode
from itertools import count
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from trayecto.case import (
    MODES,
    Case,
    CaseInput,
    CaseSecret,
    Limits,
    Mode,
    StateCheck,
    expect,
    refer,
)
from trayecto.case_formats import load_cases
from trayecto.facts import gather
from trayecto.formats import read
from trayecto.matching import assign
from trayecto.metrics import score
from trayecto.metrics.argument_scope import argument_scope
from trayecto.metrics.final_state import final_state
from trayecto.metrics.forbidden_tools import forbidden_tools
from trayecto.metrics.hallucinated_tools import hallucinated_tools
from trayecto.metrics.path_precision import path_precision
from trayecto.metrics.path_recall import path_recall
from trayecto.metrics.secret_exposure import secret_exposure
from trayecto.metrics.tool_selection import tool_selection
from trayecto.records import Record
from trayecto.scores import Culprit
from trayecto.trajectory import BROKEN, Call, Child, Spent, Tool, Trajectory, Turn, Usage

NAMES = {"id": "run", "suite": "suite", "candidate": "agent", "case_id": "case", "trial": 1}
UNORDERED = ("any_order", "superset", "multiset", "subset")
# These look at the order of the calls, or at that in which the reference lists its own, whatever
# the mode: each by its definition.
ORDERED = {
    "path_edit_similarity",  # the distance of two sequences
    "call_cycle",  # ruling 6: A B A B A B
    "culprit",  # the first step that a rule points at
}
# In line with a sequence (ruling 8): of a group in which tools recur, it may be other calls.
ALIGNED = ("tool_selection.precision", "tool_selection.recall", "argument_accuracy")
Groups = list[list[Call]]
Entries = list[tuple[Any, ...]]


def call(tool: str, number: int) -> Call:
    """Make a call in a world where equal calls get equal answers; d fails."""
    return Call(0, tool, {"n": number}, f"{tool}{number}", "error" if tool == "d" else "ok")


def made(*groups: list[Call], **fields: object) -> Trajectory:
    """Make a run: a turn for each group of calls that were made at once."""
    turns: list[Turn] = []
    index = 0
    for group in groups:
        calls = tuple(replace(each, index=index + at) for at, each in enumerate(group, 1))
        index += len(calls)
        turns.append(Turn(len(turns) + 1, "assistant", None, calls))
    return Trajectory(**{**NAMES, "turns": tuple(turns), **fields})


def judged(entries: Entries, mode: Mode = "superset", **secret: object) -> Case:
    """Make a case in which every kind of check asks for something."""
    given = {"forbidden": ("c", "d"), "required": ("a", "b"), "max_calls": 4} | secret
    path = refer(entries, mode)
    return Case(
        "case", CaseInput(), CaseSecret(path, **given), effects=dict.fromkeys("abcd", "read")
    )


def values(trajectory: Trajectory, case: Case | None) -> dict[str, object]:
    """Return what every metric finds of a run, by id."""
    scores = score([Record(trajectory, case)], metrics=["unused_observations"])
    [run] = scores
    found = zip(run.plan.places, run.scores, strict=True)
    return {scores.columns[place].id: each.value for place, each in found}


def unordered(found: dict[str, object]) -> dict[str, object]:
    """Leave out what looks at the order."""
    return {name: value for name, value in found.items() if name not in ORDERED}


NUMBERS = st.sampled_from([0, 1, 2])
LETTERS = st.sampled_from("abcd")
CALL = st.builds(call, LETTERS, NUMBERS)
GROUPS = st.lists(st.lists(CALL, max_size=4), max_size=4)
ARGUMENTS = st.builds(lambda number: {"n": number}, NUMBERS)
ENTRY = st.builds(expect, LETTERS, st.none() | ARGUMENTS, st.sampled_from(["all", "at_least"]))
LARGEST = 9  # calls of a reference
ENTRIES = st.lists(st.lists(ENTRY, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3)
CHANCE = st.randoms(use_true_random=False)
SCHEMA = {"properties": {"n": {"type": "integer", "maximum": 1}}}
KNOWN = {"tools": tuple(Tool(name, None, SCHEMA) for name in "abd"), "status": "completed"}


# ---- order ------------------------------------------------------------------------------------


@given(GROUPS, ENTRIES, st.sampled_from(UNORDERED), CHANCE)
def test_calls_made_at_once_may_come_in_any_order(
    groups: Groups, entries: Entries, mode: Mode, chance: Random
) -> None:
    """In a mode that asks for no order, only what is defined by the order tells them apart."""
    case = judged(entries, mode, scope={"a.n": (0, 2)})
    other = [chance.sample(group, len(group)) for group in groups]
    before, after = (
        values(made(*each, **KNOWN, success=bool(groups)), case) for each in (groups, other)
    )
    assert unordered(after) == unordered(before)


@given(ENTRIES, st.integers(-LARGEST, LARGEST), st.sampled_from(MODES), CHANCE)
def test_a_parallel_group_may_be_made_in_any_order(
    entries: Entries, odd: int, mode: Mode, chance: Random
) -> None:
    """In every mode, whether all was made, a call too few (by its place), or one too many (9)."""
    number = count()
    steps = [
        [
            call(each.tool, (each.arguments or {"n": 1})["n"])
            for each in group
            if next(number) != odd
        ]
        for group in entries
    ]
    steps += [[call("z", 0)]] if odd == LARGEST else []
    other = [chance.sample(step, len(step)) for step in steps]
    before, after = (
        values(made(*each, **KNOWN, success=True), judged(entries, mode)) for each in (steps, other)
    )
    aligned = {} if mode in UNORDERED else dict.fromkeys(ALIGNED)  # where tools recur in groups
    assert unordered(after) | aligned == unordered(before) | aligned


@given(GROUPS, ENTRIES, st.sampled_from(UNORDERED), CHANCE)
def test_what_has_no_order_may_be_listed_in_any(
    groups: Groups, entries: Entries, mode: Mode, chance: Random
) -> None:
    """The entries of an unordered reference, and the lists of a case that only name things."""
    run = made(*groups, **KNOWN, success=True)
    scope, pairs = {"a.n": (0, 2), "b.n": (1,)}, (("a", "b"), ("b", "c"))
    before = values(run, judged(entries, mode, scope=scope, order=pairs))
    turned = {name: allowed[::-1] for name, allowed in reversed(scope.items())}
    lists = {"forbidden": ("d", "c"), "required": ("b", "a"), "scope": turned, "order": pairs[::-1]}
    flat = [(entry,) for group in entries for entry in group]
    after = values(run, judged(chance.sample(flat, len(flat)), mode, **lists))
    assert unordered(after) == unordered(before)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("path_edit_similarity", "ab", "ba"),
        ("call_cycle", "ababab", "aaabbb"),
        ("culprit", "zy", "yz"),
    ],
)
def test_what_is_left_out_above_does_look_at_the_order(name: str, first: str, second: str) -> None:
    """No metric is in the list without need; a capital has another argument, z and y write."""
    entries = [(expect("a", {"n": 0}),), (expect("b" if "A" not in first else "a", None),)]
    case = replace(judged(entries), effects={"y": "write", "z": "write"})
    found = [
        values(
            made([call(each.lower(), int(each.isupper())) for each in calls], success=False), case
        )
        for calls in (first, second)
    ]
    assert found[0][name] != found[1][name]


# ---- more -------------------------------------------------------------------------------------


@given(GROUPS, ENTRIES, st.sampled_from(["ok", "unknown", "error"]), st.integers(0, 4))
def test_an_extra_call_never_raises_precision(
    groups: Groups, entries: Entries, outcome: str, place: int
) -> None:
    """One that nothing expects, wherever it stands; a failed one is no part of the path."""
    case = judged(entries)
    extra = replace(call("z", 0), outcome=outcome)
    before = gather(made(*groups), case)
    after = gather(made(*groups[:place], [extra], *groups[place:]), case)
    was, is_ = path_precision(before, case).value, path_precision(after, case).value
    assert is_ == was if outcome == "error" else is_ <= (1 if was is None else was)
    was, is_ = (tool_selection(facts, case)[0].value for facts in (before, after))
    assert is_ <= (1 if was is None else was)


@given(GROUPS, ENTRIES)
def test_a_call_beyond_all_that_is_expected_never_raises_precision(
    groups: Groups, entries: Entries
) -> None:
    """Once everything expected was done, more of the same is extra too."""
    case = judged(entries)
    wanted = [
        call(entry.tool, (entry.arguments or {"n": 1})["n"]) for group in entries for entry in group
    ]
    whole = made(wanted, *groups)
    more = made(wanted, *groups, wanted[:1])
    was, is_ = (path_precision(gather(each, case), case) for each in (whole, more))
    assert (is_.value is None and was.value is None) or is_.value <= was.value


@given(GROUPS, ENTRIES, st.integers(0, 4))
def test_a_missing_call_that_is_made_raises_recall(
    groups: Groups, entries: Entries, place: int
) -> None:
    """By one call of the reference; the share of tools chosen in line never falls."""
    case = judged(entries)
    reference = case.secret.reference.entries
    before = gather(made(*groups), case)
    places = assign(reference, before.done)
    missing = next((e for e, found in zip(reference, places, strict=True) if found is None), None)
    if missing is None:
        assert path_recall(before, case).value == 1
        return
    late = replace(call(missing.tool, (missing.arguments or {"n": 1})["n"]), outcome="ok")
    after = gather(made(*groups[:place], [late], *groups[place:]), case)
    counts = [path_recall(facts, case).value * len(reference) for facts in (before, after)]
    assert round(counts[1]) == round(counts[0]) + 1
    assert tool_selection(after, case)[1].value >= tool_selection(before, case)[1].value


@given(GROUPS, CALL, st.integers(0, 5))
def test_what_may_not_be_done_is_never_undone(groups: Groups, extra: Call, place: int) -> None:
    """A call more never lowers how many were forbidden, outside or invented; a sub-agent's, too."""
    case = judged([], "exact", scope={"a.n": (0,)})
    more = made(*groups[:place], [extra], *groups[place:], **KNOWN)
    if place > len(groups):
        child = replace(made([extra]), tools=None)
        more = made(*groups, **KNOWN, children=(Child(child),))
    before, after = gather(made(*groups, **KNOWN), case), gather(more, case)
    for metric in (forbidden_tools, argument_scope):
        assert 0 <= metric(after, case).value - metric(before, case).value <= 1
    counts = [
        round((hallucinated_tools(facts, case).value or 0) * len(calls))
        for facts, calls in ((before, before.calls), (after, [*before.calls, extra]))
    ]
    assert counts[1] == counts[0] + (extra.tool == "c")


DRESSES = {
    "as it is": lambda secret: secret,
    "large": str.upper,
    "with signs": ".".join,
    "base64": lambda secret: b64encode(secret.encode()).decode(),
    "hexadecimal": lambda secret: secret.encode().hex(),
}
TEXT = st.text(st.characters(codec="utf-8"), max_size=6)


@given(st.sampled_from(sorted(DRESSES)), TEXT.filter(bool), TEXT, TEXT)
def test_a_secret_that_is_out_stays_out(dress: str, secret: str, start: str, end: str) -> None:
    """More words, before, after, in another turn or in a call, never take it back."""
    case = judged([], "exact", secrets=(secret,))
    told = Turn(1, "assistant", DRESSES[dress](secret))
    longer = replace(told, text=f"{start} {told.text} {end}")
    one, sent = Turn(2, "assistant", end), Turn(2, "assistant", None, (call("a", 1),))
    out = [
        secret_exposure(gather(replace(made(), turns=turns), case), case).value
        for turns in ((told,), (longer,), (told, one), (one, told), (told, sent))
    ]
    assert out[0] is False or all(out)


# ---- equality ---------------------------------------------------------------------------------

EQUAL = [("1", "1.0"), ("0", "-0.0"), ("[1]", "[1.0]"), ('{"x":2}', '{"x":2.0}'), ("1e2", "100")]
DIFFERENT = [("1", "true"), ("0", "false"), ("1", '"1"'), ("null", "0"), ("[1]", "[true]")]


def replayed(folder: Path, one: str, other: str) -> dict[str, object]:
    """Return the scores of two calls with values as JSON text; the first is expected of both."""
    cases, runs = folder / "cases.jsonl", folder / "runs.jsonl"
    given = [f'{{"n": {value}}}' for value in (one, other)]
    expected = f'{{"tool": "pay", "arguments": {given[0]}}}'
    case = (
        '{"id": "c", "task": "t", "match": "multiset", "scope": {"pay.n": [%s]}, "reference": [%s]}'
    )
    cases.write_text(case % (one, f"{expected}, {expected}"), "utf-8")
    calls = [
        {"id": str(at), "function": {"name": "pay", "arguments": text}}
        for at, text in enumerate(given)
    ]
    turn = {"role": "assistant", "tool_calls": calls}
    runs.write_text(json.dumps({"case_id": "c", "messages": [turn]}), "utf-8")
    [run] = score(read(runs), cases=load_cases(cases).cases)
    names = ("path_match", "path_recall", "argument_accuracy", "repeated_calls", "argument_scope")
    return {name: run.value(name) for name in names}


@pytest.mark.parametrize(("one", "other"), EQUAL + [pair[::-1] for pair in EQUAL])
def test_equal_numbers_are_one_value_to_every_metric(tmp_path: Path, one: str, other: str) -> None:
    """Ruling 3, from the text of a file: 1 is 1.0, also where calls are counted as repeats."""
    found = replayed(tmp_path, one, other)
    assert [*found.values()] == [True, 1, 1, 1, 0]


@pytest.mark.parametrize(("one", "other"), DIFFERENT + [pair[::-1] for pair in DIFFERENT])
def test_true_is_no_number_to_any_metric(tmp_path: Path, one: str, other: str) -> None:
    """Nor is text: one of the two calls is another one, outside, and repeats nothing."""
    found = replayed(tmp_path, one, other)
    assert [*found.values()] == [False, 0.5, 0.5, 0, 1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(LETTERS, inner, max_size=4),
    max_leaves=8,
)


def turned(value: object) -> object:
    """Return the same JSON with the keys of every mapping in the other order."""
    if isinstance(value, dict):
        return {key: turned(inner) for key, inner in reversed(value.items())}
    return [turned(inner) for inner in value] if isinstance(value, list) else value


@given(st.dictionaries(LETTERS, JSON, max_size=4), st.dictionaries(LETTERS, JSON, max_size=4))
def test_the_order_of_keys_is_no_change_of_the_world(before: object, after: object) -> None:
    """A state is unchanged, or not, in whatever order its keys were written; in both directions."""
    case = judged([], "exact", state=StateCheck(unchanged=True))

    def unchanged(first: object, last: object) -> object:
        world = made([call("a", 0)], initial_state=first, final_state=last)
        return final_state(gather(world, case), case)[1].value

    found = unchanged(before, after)
    assert unchanged(before, turned(before)) is True
    assert unchanged(turned(before), after) is unchanged(before, turned(after)) is found
    assert unchanged(after, before) is found


# ---- success and ranges -----------------------------------------------------------------------

OUTCOMES = st.sampled_from(["ok", "error", "unknown"])
WILD = st.builds(
    Call,
    st.just(0),
    LETTERS,
    ARGUMENTS | st.sampled_from(["", "{", "[1]"]) | st.dictionaries(LETTERS, JSON, max_size=2),
    st.none() | st.sampled_from(["", "same", "a1 b2", "Error: no"]),
    OUTCOMES,
)
COUNT = st.integers(0, 9)
USAGE = st.builds(Usage, COUNT, st.none() | COUNT, st.none() | COUNT, COUNT)
STATE = st.none() | st.dictionaries(LETTERS, JSON, max_size=2)
FIELDS = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["completed", "unknown", "infra_error", "not_run", *BROKEN]),
        "grade": st.sampled_from(["graded", "missing", "held"]),
        "success": st.none() | st.booleans(),
        "answer": st.none() | st.text(max_size=5),
        "attack": st.sampled_from([None, "none", "failed", "succeeded", "unknown"]),
        "tools": st.none() | st.just(KNOWN["tools"]),
        "initial_state": STATE,
        "final_state": STATE,
        "latency_ms": st.none() | st.floats(0, 1e6),
        "spent": st.lists(st.builds(Spent, st.none() | LETTERS, st.none() | USAGE), max_size=2).map(
            tuple
        ),
        "children": st.lists(
            st.builds(Child, st.lists(WILD, max_size=2).map(made)), max_size=2
        ).map(tuple),
    }
)
RUNS = st.builds(
    lambda groups, fields: made(*groups, **fields),
    st.lists(st.lists(WILD, max_size=4), max_size=5),
    FIELDS,
)
SECRETS = st.fixed_dictionaries(
    {
        "scope": st.sampled_from([{}, {"a.n": (0,)}]),
        "order": st.sampled_from([(), (("a", "b"), ("b", "a"))]),
        "secrets": st.sampled_from([(), ("a1",)]),
        "state": st.none()
        | st.builds(StateCheck, st.just({"a": 1}), st.just(("b",)), st.booleans()),
        "should_abstain": st.none() | st.booleans(),
        "limits": st.none()
        | st.builds(Limits, st.none() | COUNT, st.none() | COUNT, st.none() | COUNT),
        "min_calls": st.none() | COUNT,
    }
)
CASES = st.none() | st.builds(
    lambda entries, mode, secret: judged(entries, mode, **secret),
    st.just([]) | ENTRIES,
    st.sampled_from(MODES),
    SECRETS,
)


@given(RUNS, CASES)
def test_what_is_accepted_is_a_success_and_not_a_corrupt_one(
    trajectory: Trajectory, case: Case | None
) -> None:
    """Ruling 10; a corrupt success is a success too, and no run is both."""
    succeeded = replace(trajectory, status="completed", grade="graded", success=True)
    for each in (trajectory, succeeded):
        found = values(each, case)
        accepted, corrupt, success = (
            found[name] for name in ("accepted", "corrupt_success", "task_success")
        )
        assert not accepted or (success is True and corrupt is False)
        assert not corrupt or (success is True and accepted is False)


def keeps(unit: str, value: object) -> bool:
    """Say whether a value is what a unit promises."""
    if unit == "turn":
        return isinstance(value, Culprit)
    if unit == "share":
        return isinstance(value, (bool, int, float)) and 0 <= value <= 1
    if unit in ("calls", "pairs", "tokens"):
        return type(value) is int and value >= 0
    return type(value) in (int, float) and isfinite(value) and value >= 0


@given(RUNS, CASES)
def test_every_score_keeps_to_its_unit(trajectory: Trajectory, case: Case | None) -> None:
    """A share is from 0 to 1, a count is whole; the undefined has a reason; steps are calls."""
    scores = score([Record(trajectory, case)], metrics=["unused_observations"])
    [run] = scores
    for place, each in zip(run.plan.places, run.scores, strict=True):
        column = scores.columns[place]
        fine = bool(each.why) if each.value is None else keeps(column.unit, each.value)
        assert fine, (column.id, each)
        assert [*each.steps] == sorted(set(each.steps) & set(range(1, len(trajectory.calls) + 1)))
    assert all(why for _, why in run.plan.skipped)
