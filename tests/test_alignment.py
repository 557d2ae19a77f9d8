"""Alignment: which call stands in line with which expected one, and with what arguments."""

from collections.abc import Sequence
from itertools import combinations
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto import alignment
from trayecto.alignment import Compared, align, align_calls, compare
from trayecto.case import Expected, Reference, expect, refer
from trayecto.matching import by_tool, count_matched
from trayecto.trajectory import Call

NAMED = st.lists(st.sampled_from("abcd"), max_size=7)


def longest(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of a longest common subsequence, by the textbook's table."""
    row = [0] * (len(other) + 1)
    for name in one:
        before = row
        row = [0]
        for at, called in enumerate(other):
            row.append(before[at] + 1 if name == called else max(before[at + 1], row[at]))
    return row[-1]


@given(NAMED, NAMED)
def test_an_alignment_is_a_longest_common_subsequence(
    expected: list[str], called: list[str]
) -> None:
    """Ruling 8: in order, one call each, as many as can be."""
    places = align(expected, called)
    pairs = [(at, place) for at, place in enumerate(places) if place is not None]
    assert [place for _, place in pairs] == sorted({place for _, place in pairs})
    assert all(expected[at] == called[place] for at, place in pairs)
    assert len(pairs) == longest(expected, called)


@given(NAMED, NAMED)
def test_no_other_alignment_takes_earlier_calls(expected: list[str], called: list[str]) -> None:
    """Ruling 8: ties go to the earliest call."""
    taken = [place for place in align(expected, called) if place is not None]
    others = [
        some
        for some in combinations(range(len(called)), len(taken))
        if longest(expected, [called[place] for place in some]) == len(taken)
    ]
    assert tuple(taken) == min(others)


@given(NAMED, NAMED)
def test_the_short_way_and_the_long_way_agree(expected: list[str], called: list[str]) -> None:
    """Whatever the length of the run, its alignment is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "SHORT", -1)
        long_way = align(expected, called)
    assert align(expected, called) == long_way


@pytest.mark.parametrize(
    ("expected", "called", "places"),
    [
        ("ab", "ab", [0, 1]),
        ("ab", "xaxb", [1, 3]),
        ("ab", "ba", [None, 0]),
        ("a", "aa", [0]),
        ("xab", "aabb", [None, 0, 2]),
        ("", "a", []),
        ("ab", "", [None, None]),
        ("axb", "ab", [0, None, 1]),
    ],
)
def test_one_inserted_call_shifts_nothing(
    expected: str, called: str, places: list[int | None]
) -> None:
    """By hand; of two that exclude each other the earlier call is taken."""
    assert align(expected, called) == places


def test_a_long_run_is_aligned_in_no_time() -> None:
    """A thousand expected names, ten thousand calls, and one name that is missing."""
    started = process_time()
    places = align(["t"] * 1000 + ["z"], ["t"] * 10_000)
    assert places == [*range(1000), None]
    assert process_time() - started < 1


# ---- arguments --------------------------------------------------------------------------------

STEPS = st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.sampled_from(["ok", "error"]))
ENTRIES = st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 2))


def run(steps: list[tuple[str, int, str]]) -> list[Call]:
    """Return calls of a tool with a number, and how each ended."""
    return [Call(at, tool, {"n": n}, "", how) for at, (tool, n, how) in enumerate(steps, 1)]


def reference(entries: list[tuple[str, int | None]]) -> Reference:
    """Return a reference of tools, with a number where it counts."""
    wanted = [expect(tool, None if n is None else {"n": n}) for tool, n in entries]
    return refer([(entry,) for entry in wanted])


def held(entries: Reference, calls: list[Call]) -> Compared:
    """Compare calls with a reference they are aligned with."""
    places = align_calls(entries, calls, [call.tool for call in calls])
    return compare(entries, calls, by_tool(calls), places)


@given(st.lists(ENTRIES, max_size=4), st.lists(STEPS, max_size=6))
def test_what_is_found_is_what_a_plain_look_finds(
    entries: list[tuple[str, int | None]], steps: list[tuple[str, int, str]]
) -> None:
    """Whatever way it takes: the match of what was done, and each call in line by itself."""
    wanted, calls = reference(entries), run(steps)
    places = align(wanted.tools, [call.tool for call in calls])
    in_line: list[tuple[Expected, Call]] = [
        (entry, calls[place])
        for entry, place in zip(wanted.entries, places, strict=True)
        if place is not None and entry.arguments is not None
    ]
    found = held(wanted, calls)
    done = [call for call in calls if call.outcome != "error"]
    assert found.matched == count_matched(wanted, by_tool(done))
    assert found.compared == len(in_line)
    assert found.wrong == [call for entry, call in in_line if not entry.agrees(call)]


def test_a_call_out_of_line_still_matches() -> None:
    """Its arguments are compared with nothing, being in line with nothing; by hand."""
    found = held(reference([("a", 1), ("b", 2)]), run([("b", 2, "ok"), ("a", 1, "ok")]))
    assert (found.matched, found.compared, found.wrong) == (2, 1, [])


def test_a_right_call_that_failed_is_right_and_not_done() -> None:
    """A later one of the same tool may have done it."""
    calls = run([("a", 1, "error"), ("a", 1, "ok")])
    assert held(reference([("a", 1)]), calls) == Compared(1, 1, [])
    assert held(reference([("a", 1)]), calls[:1]) == Compared(0, 1, [])


def test_a_wrong_call_in_line_is_named_though_another_is_right() -> None:
    """The first of two stands in line; the second is what was asked for."""
    calls = run([("a", 0, "ok"), ("a", 1, "ok")])
    assert held(reference([("a", 1)]), calls) == Compared(1, 1, [calls[0]])


# ---- references without an order --------------------------------------------------------------


def placed(entries: list[tuple[str, int | None]], made: list[Call], mode: str) -> list[int | None]:
    """Align calls with a reference in a mode."""
    wanted = refer([(expect(t, None if n is None else {"n": n}),) for t, n in entries], mode)
    return align_calls(wanted, made, [call.tool for call in made])


@pytest.mark.parametrize("mode", ["any_order", "superset", "multiset", "subset"])
def test_where_no_order_is_asked_for_none_is_looked_for(mode: str) -> None:
    """The call with the right arguments stands in line, whenever it was made; by hand."""
    made = run([("b", 2, "ok"), ("a", 0, "ok"), ("a", 1, "ok")])
    assert placed([("a", 1), ("b", 2)], made, mode) == [2, 0]
    assert placed([("a", 9), ("b", 2)], made, mode) == [1, 0]  # else another of its tool
    assert placed([("a", 1), ("a", 0), ("a", 7)], made, mode) == [2, 1, None]
    assert placed([("c", None)], made, mode) == [None]


@pytest.mark.parametrize("mode", ["exact", "in_order"])
def test_where_an_order_is_asked_for_it_counts(mode: str) -> None:
    """Ruling 8: as a longest common subsequence has it."""
    made = run([("b", 2, "ok"), ("a", 1, "ok")])
    assert placed([("a", 1), ("b", 2)], made, mode) == [None, 0]


def test_the_calls_of_a_group_come_in_any_order() -> None:
    """Between them there is none; what stands around the group keeps its place."""
    group = (expect("b", {"n": 1}), expect("b", {"n": 2}), expect("c", None))
    wanted = refer([(expect("a", None),), group])
    made = run([("a", 0, "ok"), ("c", 0, "ok"), ("b", 2, "ok"), ("b", 1, "ok")])
    found = align_calls(wanted, made, [call.tool for call in made])
    assert found == [0, 3, 2, 1]
    assert held(wanted, made).wrong == []
