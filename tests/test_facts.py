"""Facts: one pass over the calls, judged by nobody."""

import pytest

from trayecto.case import Case, CaseInput, CaseSecret, expect, refer
from trayecto.facts import family, gather
from trayecto.trajectory import Call, Child, Trajectory, Turn

NAMES = {"suite": "s", "candidate": "c", "case_id": "k", "trial": None}


def run(*calls: tuple[str, object, str], name: str = "r", **fields: object) -> Trajectory:
    """Make a run of calls: tool, arguments and outcome."""
    made = [
        Call(at, tool, arguments, None, outcome)
        for at, (tool, arguments, outcome) in enumerate(calls, 1)
    ]
    turns = (Turn(1, "user", "?"), Turn(2, "assistant", None, tuple(made)))
    return Trajectory(id=name, **NAMES, turns=turns, **fields)


def case(*tools: str) -> Case:
    """Make a case with a reference."""
    path = refer([(expect(tool, None),) for tool in tools])
    return Case("k", CaseInput(), CaseSecret(path))


def test_done_leaves_out_what_is_known_to_have_failed() -> None:
    """Ruling 4: an unknown outcome counts as done."""
    facts = gather(run(("a", {}, "ok"), ("b", {}, "error"), ("c", {}, "unknown")), None)
    assert [call.tool for call in facts.calls] == ["a", "b", "c"]
    assert [call.tool for call in facts.done] == ["a", "c"]


def test_repeats_are_groups_of_equal_calls() -> None:
    """Same tool and canonical arguments, two or more, failed ones too, each group in order."""
    calls = [
        ("a", {"x": 1, "y": 2}, "ok"), ("b", {}, "ok"), ("a", {"y": 2, "x": 1}, "error"),
        ("a", {"x": 1}, "ok"), ("b", {"x": 1}, "ok"), ("c", "{", "ok"), ("c", "{", "ok"),
    ]  # fmt: skip
    groups = gather(run(*calls), None).repeats
    assert [[call.index for call in group] for group in groups] == [[1, 3], [6, 7]]


def test_true_one_and_text_are_no_repeats() -> None:
    """Ruling 3: they differ, though Python calls True and 1 equal."""
    calls = [("a", {"x": value}, "ok") for value in (1, True, "1", None)] + [("a", {}, "ok")]
    assert gather(run(*calls), None).repeats == []


def test_matched_is_of_what_was_done() -> None:
    """A call that failed matches nothing; without a reference there is no count."""
    trajectory = run(("a", {}, "error"), ("b", {}, "ok"), ("x", {}, "ok"))
    assert gather(trajectory, case("a", "b")).matched == 1
    assert gather(trajectory, case()).matched == 0
    assert gather(trajectory, None).matched is None
    assert gather(trajectory, Case("k", CaseInput(), CaseSecret(min_calls=1))).matched is None


def test_of_a_run_without_calls_there_are_no_facts_to_find() -> None:
    """Empty, not missing."""
    facts = gather(run(), case("a"))
    assert (facts.calls, facts.done, facts.repeats, facts.matched) == ([], [], [], 0)


def test_the_family_is_everybody_once() -> None:
    """A root, its sub-agents and theirs."""
    leaf, other = run(name="leaf"), run(name="other")
    child = run(name="child", children=(Child(leaf, 1),))
    root = run(name="root", children=(Child(child, 1), Child(other)))
    assert [member.id for member in family(root)] == ["root", "child", "other", "leaf"]
    assert family(leaf) == [leaf]


@pytest.mark.parametrize(
    ("one", "other", "same"), [(1, True, False), (0, False, False), (1, 1, True)]
)
def test_a_pair_is_a_repeat_only_in_one_form(one: object, other: object, *, same: bool) -> None:
    """Python calls 1 and True equal; ruling 3 does not."""
    facts = gather(run(("a", {"x": one}, "ok"), ("a", {"x": other}, "ok")), None)
    assert bool(facts.repeats) is same


def test_asking_for_a_tool_that_was_not_called_changes_nothing() -> None:
    """Facts are frozen, as every value."""
    facts = gather(run(("a", {}, "ok")), None)
    with pytest.raises(KeyError):
        facts.by_tool["b"]
    assert [*facts.by_tool] == ["a"]
