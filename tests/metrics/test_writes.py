"""Writes that failed for good, and the first write that nothing asked for: against definitions."""

from hypothesis import given
from hypothesis import strategies as st

from trayecto.case import Case, CaseInput, CaseSecret, canonical, expect, refer
from trayecto.facts import gather
from trayecto.metrics._writes import _never_made_good, blame_writes
from trayecto.trajectory import Call, Trajectory, Turn

ARGUMENTS = st.sampled_from([{}, {"a": 1}, {"a": True}, {"b": 1}, {"a": 1, "b": 2}, "raw"])
OUTCOMES = st.sampled_from(["ok", "error", "unknown"])
STEPS = st.lists(st.tuples(st.sampled_from("xyz"), ARGUMENTS, OUTCOMES), max_size=8)


def calls(steps: list[tuple[str, object, str]]) -> list[Call]:
    """Make numbered calls."""
    return [Call(n, tool, given, None, how) for n, (tool, given, how) in enumerate(steps, 1)]


def makes_good(later: Call, refused: Call) -> bool:
    """Whether a later call is the same tool's, or has the same arguments, and went well."""
    if later.outcome == "error":
        return False
    texts = isinstance(later.arguments, str) or isinstance(refused.arguments, str)
    same = not texts and canonical(later.arguments) == canonical(refused.arguments)
    return later.tool == refused.tool or same


@given(STEPS)
def test_what_was_never_made_good(steps: list[tuple[str, object, str]]) -> None:
    """Refused, and no later success with its tool or with its arguments."""
    made = calls(steps)
    expected = {
        call.index
        for at, call in enumerate(made)
        if call.outcome == "error" and not any(makes_good(later, call) for later in made[at + 1 :])
    }
    assert _never_made_good(made) == expected


@given(STEPS, st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from([{"a": 1}, {"b": 1}]))))
def test_the_first_wrong_write_of_a_run_without_errors(
    steps: list[tuple[str, object, str]], entries: list[tuple[str, dict[str, object]]]
) -> None:
    """Each call uses up an entry that it agrees with; the first that finds none is wrong."""
    made = calls([(tool, given, "ok") for tool, given, _ in steps])
    reference = refer([(expect(*entry),) for entry in entries])
    names = {"id": "r", "suite": "s", "candidate": "c", "case_id": "k", "trial": None}
    trajectory = Trajectory(**names, turns=(Turn(1, "assistant", None, tuple(made)),))
    case = Case("k", CaseInput(), CaseSecret(reference))
    left = list(reference.entries)
    wrong = None
    for call in made:
        met = next((entry for entry in left if entry.agrees(call)), None)
        if met is None:
            wrong = call.index
            break
        left.remove(met)
    found = blame_writes(gather(trajectory, case), reference, dict.fromkeys("xyz", "write"))
    assert (found.call if found and found.kind == "wrong_write" else None) == wrong
