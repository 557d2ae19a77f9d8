"""The confusion matrix of tool selection: which tool stood in place of which."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from trayecto.document import KINDS, LABEL, Confused, Document, Selection
from trayecto.formats import read
from trayecto.metrics import score
from trayecto.summaries import confusion, summarize
from trayecto.summaries.confusion import Accumulator
from trayecto.trajectory import Call, Turn

Make = Callable[..., Any]
Drawn = list[tuple[str, str]]  # of each run what was expected, and what was called
Pairs = dict[tuple[str | None, str | None], int]

AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"
PATHS = st.lists(
    st.tuples(st.text("abc", min_size=1, max_size=5), st.text("abcx", max_size=7)), max_size=8
)


def matrix(document: Document) -> Pairs:
    """Return how often each pair that differs was found."""
    return {(pair.expected, pair.called): pair.count for pair in document.groups[0].confusion}


def tools(document: Document) -> dict[str, tuple[int, ...]]:
    """Return of each tool: expected, right, confused, missed, called."""
    return {
        each.tool: (each.of, each.right, each.confused, each.missed, each.called)
        for each in document.groups[0].selection.tools
    }


def runs_of(record: Make, paths: Drawn) -> list[Any]:
    """Return a run for each path, of a case of its own."""
    return [
        record(str(at), called, reference=expected) for at, (expected, called) in enumerate(paths)
    ]


def named(record: Make, expected: list[str], called: list[str]) -> Any:  # noqa: ANN401  # a run and its case
    """Return a run of tools with long names, and its case."""
    made = record("t", reference="a" * len(expected), match="exact")
    calls = tuple(Call(at, tool, {}, "", "ok") for at, tool in enumerate(called, 1))
    path = made.case.secret.reference
    judged = replace(
        made.case, secret=replace(made.case.secret, reference=replace(path, tools=tuple(expected)))
    )
    run = replace(made.trajectory, turns=(Turn(1, "assistant", None, calls),))
    return replace(made, trajectory=run, case=judged)


def by_hand(expected: str, called: str) -> Counter[tuple[str | None, str | None]]:
    """Count the pairs of one run with the earliest of all longest alignments, by brute force."""
    best: tuple[int, list[int], list[int]] | None = None
    for size in range(min(len(expected), len(called)), -1, -1):
        for places in combinations(range(len(called)), size):
            for ats in combinations(range(len(expected)), size):
                if all(expected[a] == called[p] for a, p in zip(ats, places, strict=True)):
                    best = best or (size, list(ats), list(places))
        if best is not None:
            break
    _, ats, places = best
    found: Counter[tuple[str | None, str | None]] = Counter()
    ends = zip(
        [-1, *ats], [*ats, len(expected)], [-1, *places], [*places, len(called)], strict=True
    )
    for a, b, c, d in ends:
        missing, others = list(expected[a + 1 : b]), list(called[c + 1 : d])
        size = max(len(missing), len(others))
        missing += [None] * (size - len(missing))
        others += [None] * (size - len(others))
        found.update(zip(missing, others, strict=True))
    return found


@pytest.mark.parametrize(
    ("expected", "called", "pairs"),
    [
        ("ab", "ab", {}),
        ("abc", "axc", {("b", "x"): 1}),
        ("abc", "ac", {("b", None): 1}),
        ("ac", "axc", {(None, "x"): 1}),
        ("abc", "xabc", {(None, "x"): 1}),
        ("abcd", "axyd", {("b", "x"): 1, ("c", "y"): 1}),
        ("abd", "axyd", {("b", "x"): 1, (None, "y"): 1}),
        ("abcd", "axd", {("b", "x"): 1, ("c", None): 1}),
        ("abc", "bac", {("a", None): 1, (None, "a"): 1}),
        ("ab", "xy", {("a", "x"): 1, ("b", "y"): 1}),
        ("ab", "", {("a", None): 1, ("b", None): 1}),
        ("a", "aaa", {(None, "a"): 2}),
        ("abc", "aBc", {}),
    ],
)
def test_what_stands_in_a_gap(
    record: Make, total: Make, expected: str, called: str, pairs: Pairs
) -> None:
    """By hand; a failed call (a capital) was chosen all the same."""
    assert matrix(total([record("t", called, reference=expected)])) == pairs


def test_the_article_names_the_pair(record: Make, total: Make) -> None:
    """Article 002: nine of ten errors are that one tool was called in place of another."""
    made = [record("t", "bp", reference="bo") for _ in range(9)]
    made += [record("t", "b", reference="bo")] + [record("t", "bo", reference="bo")] * 5
    first, second = total(made).groups[0].confusion
    assert (first.expected, first.called, first.count) == ("o", "p", 9)
    assert (second.expected, second.called, second.count) == ("o", None, 1)


def test_each_tool_has_its_diagonal(record: Make, total: Make) -> None:
    """Of 3 expected calls of b one is right, one confused and one missed; precision 1 of 2."""
    made = [
        record("t", "ab", reference="ab"),
        record("t", "ax", reference="ab"),
        record("t", "a", reference="ab"),
        record("t", "acb", reference="ac"),
    ]
    found = total(made)
    assert tools(found) == {
        "a": (4, 4, 0, 0, 4),
        "b": (3, 1, 1, 1, 2),
        "c": (1, 1, 0, 0, 1),
        "x": (0, 0, 0, 0, 1),
    }
    chosen = {each.tool: each for each in found.groups[0].selection.tools}
    assert (chosen["b"].precision, chosen["b"].recall) == (1 / 2, 1 / 3)
    assert (chosen["x"].precision, chosen["x"].recall) == (0.0, None)


def test_a_tool_that_was_never_called_has_no_precision(record: Make, total: Make) -> None:
    """STATISTICS: never called, no precision; never expected, no recall."""
    [chosen] = total([record("t", "", reference="a")]).groups[0].selection.tools
    assert (chosen.precision, chosen.recall) == (None, 0.0)


def test_an_example_is_the_first_run(record: Make, total: Make) -> None:
    """By file and record, whatever the order in which runs come."""
    made = [record("t", "x", reference="a", id=f"r{at}") for at in range(3)]
    [pair] = total(reversed(made)).groups[0].confusion
    source = made[0].trajectory.source
    assert (pair.example, pair.file, pair.record) == ("r0", source.file, source.record)


@pytest.mark.parametrize("turned", [False, True])
def test_an_extra_call_has_its_first_example(record: Make, total: Make, *, turned: bool) -> None:
    """It is found also where every expected call is in line."""
    made = [
        record("t", "a", reference="a", id="r0"),
        record("t", "ax", reference="a", id="r1"),
        record("t", "axx", reference="a", id="r2"),
        record("t", "xy", reference="a", id="r3"),
        record("t", "ay", reference="a", id="r4"),
    ]
    pairs = total(made[::-1] if turned else made).groups[0].confusion
    assert {(pair.expected, pair.called): pair.example for pair in pairs} == {
        (None, "x"): "r1",
        ("a", "x"): "r3",
        (None, "y"): "r3",
    }


def test_what_it_was_taken_from(record: Make, total: Make) -> None:
    """Runs without a reference, with an empty one, and broken ones are counted with the reason."""
    made = [
        record("a", "a", reference="a"),
        record("b", "a"),
        record("c", "a", reference="", match="exact"),
        record("d", "a", reference="a", status="infra_error"),
    ]
    found = total(made).groups[0].selection
    assert (found.trajectories, found.of, found.why) == (1, 4, UNSET)
    assert found.undefined == {
        "no reference path": 1,
        "the reference is empty": 1,
        "the run broke (infra_error)": 1,
    }


@pytest.mark.parametrize(
    ("reference", "why"), [(None, "no reference path"), ("", "the reference is empty")]
)
def test_without_a_reference_it_is_undefined(
    record: Make, total: Make, reference: str | None, why: str
) -> None:
    """No pair, and the reason: nothing was confused with nothing."""
    group = total([record("t", "ab", reference=reference, match="exact")]).groups[0]
    assert group.confusion == []
    assert group.selection == Selection(trajectories=0, of=1, tools=[], why=why, undefined={why: 1})


def test_of_no_run_it_is_undefined() -> None:
    """An accumulator that saw nothing says why."""
    assert Accumulator(()).value()["selection"].why == "no reference path"


@given(PATHS)
def test_every_pair_is_the_brute_force_one(record: Make, total: Make, paths: Drawn) -> None:
    """The longest alignments tried one by one, those of the earliest calls taken."""
    made = runs_of(record, paths)
    expected: Counter[tuple[str | None, str | None]] = Counter()
    for wanted, called in paths:
        expected += by_hand(wanted, called)
    assert (matrix(total(made)) if made else {}) == dict(expected)


@given(PATHS)
def test_nothing_that_was_called_or_expected_is_lost(
    record: Make, total: Make, paths: Drawn
) -> None:
    """Right, confused and missed are all that was expected; extras are the rest of the calls."""
    made = runs_of(record, paths)
    found = total([*made, record("z", "a", reference="a")])
    pairs = found.groups[0].confusion
    for each in found.groups[0].selection.tools:
        assert each.of == each.right + each.confused + each.missed
        instead = sum(pair.count for pair in pairs if pair.called == each.tool)
        assert each.called == each.right + instead
    assert sum(each.of for each in found.groups[0].selection.tools) == 1 + sum(
        len(expected) for expected, _ in paths
    )


@given(PATHS, st.randoms(use_true_random=False))
def test_any_split_gives_the_same(
    record: Make, scored: Make, paths: Drawn, chance: random.Random
) -> None:
    """Parts merge to the same, in any order, examples too."""
    made = runs_of(record, paths)
    runs, columns = scored(made)
    whole, merged = Accumulator(columns), Accumulator(columns)
    for run in runs:
        whole.add(run)
    chance.shuffle(runs)
    for part in (runs[::2], runs[1::2]):
        other = Accumulator(columns)
        for run in part:
            other.add(run)
        merged.merge(other)
    assert merged.value() == whole.value()


def test_runs_come_after_a_merge(record: Make, scored: Make) -> None:
    """An earlier run that is added later takes the example."""
    runs, columns = scored([record("t", "ax", reference="a", id=f"r{at}") for at in range(2)])
    late, early = Accumulator(columns), Accumulator(columns)
    late.add(runs[1])
    early.merge(late)
    early.add(runs[0])
    [pair] = early.value()["confusion"]
    assert (pair.count, pair.example) == (2, "r0")


def test_merging_leaves_the_other_part_as_it_is(record: Make, scored: Make) -> None:
    """A part that was added to one total may be added to another."""
    runs, columns = scored([record("t", "xb", reference="ab"), record("t", "aab", reference="ab")])
    part, whole = Accumulator(columns), Accumulator(columns)
    part.add(runs[0])
    before = part.value()
    whole.merge(part)
    whole.add(runs[1])
    assert part.value() == before
    assert whole.value() != before


def test_many_references_are_counted_by_tool(
    record: Make, total: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole references are kept up to a limit; beyond it the counts are the same."""
    made = [record(name, "ax", reference="a" + name) for name in "bcdefgh"]
    expected = total(made).groups[0]
    monkeypatch.setattr(confusion, "PATHS", 2)
    assert total(made).groups[0] == expected


def test_names_of_tools_are_labels(record: Make, total: Make) -> None:
    """A trace, and a reference, can call a tool a megabyte."""
    made = named(record, ["p" * 1_000_000, "b"], ["q" * 1_000_000, "b", "r" * 1_000_000])
    found = total([made, made]).groups[0]
    assert [pair.count for pair in found.confusion] == [2, 2]
    names = [name for pair in found.confusion for name in (pair.expected, pair.called)]
    assert {len(name) for name in names if name} == {LABEL}
    assert max(len(each.tool) for each in found.selection.tools) == LABEL


def test_rare_pairs_are_counted_as_one(record: Make, total: Make) -> None:
    """300 tools that were missed once: the first 200 by name, then all others in one line."""
    expected = [f"tool{number:03}" for number in range(300)]
    pairs = total([named(record, expected, [])]).groups[0].confusion
    assert len(pairs) == KINDS + 1
    assert (pairs[0].expected, pairs[0].called) == ("tool000", None)
    rest = pairs[-1]
    assert (rest.expected, rest.called, rest.count) == (None, None, 100)
    assert sum(pair.count for pair in pairs) == 300


def test_rare_tools_are_counted_as_one(record: Make, total: Make) -> None:
    """So are their counts."""
    names = [f"tool{number:03}" for number in range(300)]
    chosen = total([named(record, names, names[:250])]).groups[0].selection.tools
    rest = chosen[-1]
    assert (len(chosen), rest.tool) == (KINDS + 1, None)
    assert (rest.of, rest.right, rest.missed, rest.called) == (100, 50, 50, 50)
    assert (rest.precision, rest.recall) == (1.0, 0.5)


def test_the_most_frequent_stand_first(record: Make, total: Make) -> None:
    """Ties by name, a missed call before one that was replaced."""
    made = [record("t", called, reference="ab") for called in ("xb", "xb", "yb", "b", "az")]
    pairs = total(made).groups[0].confusion
    assert [(pair.expected, pair.called) for pair in pairs] == [
        ("a", "x"), ("a", None), ("a", "y"), ("b", "z"),
    ]  # fmt: skip


def test_a_line_has_the_shape_of_the_document(record: Make, total: Make) -> None:
    """Every field is where the published schema has it."""
    made = record("t", "x", reference="a", id="r")
    at = made.trajectory.source.record
    assert total([made]).groups[0].confusion == [
        Confused(expected="a", called="x", count=1, example="r", file="runs.jsonl", record=at)
    ]


@pytest.fixture(scope="module")
def airline(shared: Path) -> Document:
    """Return the document of the 200 published airline runs."""
    return summarize(score(read(shared / AIRLINE)))


def test_airline_is_taken_from_172_runs(airline: Document) -> None:
    """As tool selection: 28 of the 200 references in the file are empty."""
    found = airline.groups[0].selection
    recall = airline.metrics["tool_selection.recall"]
    assert (found.trajectories, found.of) == (recall.n, recall.of) == (172, 200)
    assert found.undefined == {"the reference is empty": 28}


def test_airline_calls_are_all_there(airline: Document, shared: Path) -> None:
    """Each call of the 172 runs is right, in place of another, or extra."""
    runs = [run for run in score(read(shared / AIRLINE)) if run.case.secret.reference.entries]
    found = airline.groups[0]
    right = sum(each.right for each in found.selection.tools)
    others = sum(pair.count for pair in found.confusion if pair.called)
    assert right + others == sum(len(run.facts.calls) for run in runs)
    assert sum(each.of for each in found.selection.tools) == sum(
        len(run.case.secret.reference.tools) for run in runs
    )
