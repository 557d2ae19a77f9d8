"""Where a failed run broke: start from the check that failed and walk back to a step.

Asked only of runs known to have failed: success is False, or the budget or the deadline ran out and
nobody recorded a success. Where infrastructure, harness or simulator failed, or nothing ran, no
step of the agent is to blame. A check that is known to have passed closes its stage. In this order:

1. *wrong_write* — the first successful write that no unused write of the reference asks for (a
   repeat of a right write is one). *refused_write* — a write that failed and was not made good
   later, by the same tool or with the same arguments. *blocked_by* — the last write on the same
   entity before a refused one that the reference has. The earliest of these wins.
2. *never_done* — a write of the reference that no step made: no call, the agent's last turn. Not
   asked where a sub-agent ran, which may have made it.
3. *value_never_said* — the first turn with a value of the expected one's shape that neither an
   observation nor the user had shown; else the first of that shape; else the agent's last turn.
4. *ran_out* — where nothing above names a step and the budget or the deadline ended the run: the
   last one.

Otherwise undefined, with the reason. Beside the culprit stands ``also``: the last user turn before
it that is no bare confirmation, to look at second. Neither good nor bad by itself: it is counted by
tool and kind over the failed runs, not averaged.

Not the naive version: the first error or the first deviation names the right message in 1 to 3 of
29 runs labelled by people, this rule in 16, and people agree with each other in 12 of 23; both are
kept as facts. Only writes are compared, since matching every call accuses how the agent looks
things up. What a tool writes is what the suite's ``effects`` say, else guessed from its name, and a
report says so. Calls agree as the reference says, with its ``compare`` and tolerance.

Still to come: *failed_execution*, for runs that record exit codes, and with ``final_state`` the
first write that left a wrong value in a state that is known.

Source: the project's attribution study; the design's ruling 7.
"""

from __future__ import annotations

from collections.abc import Iterator

from trayecto.case import Case, CaseSecret
from trayecto.facts import Facts, known_effects
from trayecto.metrics._blame import (
    agent_calls,
    agent_turns,
    article_by_code,
    article_by_text,
    first_deviation,
    first_error,
    loops,
    request_before,
)
from trayecto.metrics._unsaid import blame_silence
from trayecto.metrics._writes import blame_writes, expected_instead
from trayecto.scores import Culprit, Kind, Score
from trayecto.trajectory import INVALID, Call, Status, Trajectory

UNIT = "turn"
BETTER = "neither"
OVER = "valid"

SUCCEEDED = Score(None, "the run succeeded")
UNGRADED = Score(None, "the run was not graded")
UNKNOWN = Score(None, "nobody recorded whether the run failed")
IDLE = Score(None, "the agent took no turn")
UNCHECKED = Score(None, "no reference path and no expected value")
UNEXPLAINED = Score(None, "a check failed, and no step that we can see explains it")
PASSED = Score(None, "every check we can make passed")
EXCUSED: dict[Status, Score] = {
    status: Score(None, f"the run broke ({status})") for status in sorted(INVALID)
}
RAN_OUT: frozenset[Status] = frozenset({"budget_exceeded", "deadline_exceeded"})

# Held against a person's labels of 29 failed runs: exact, within three messages, of.
_WRITES = (9, 13, 18)
MEASURED: dict[Kind, tuple[int, int, int]] = {
    "wrong_write": _WRITES,
    "refused_write": _WRITES,
    "blocked_by": _WRITES,
    "never_done": (2, 4, 6),
    "value_never_said": (5, 5, 5),
}
INSTEAD: dict[Kind, str] = {
    "wrong_write": ", but one with",
    "never_done": ", which the reference has with",
}


def culprit(facts: Facts, case: Case | None) -> Score:
    """Name the step where the run broke, if it failed and a check leads to one."""
    trajectory = facts.trajectory
    if trajectory.success:
        return SUCCEEDED
    if trajectory.status in EXCUSED:
        return EXCUSED[trajectory.status]
    if trajectory.grade != "graded":
        return UNGRADED
    if trajectory.success is None and trajectory.status not in RAN_OUT:
        return UNKNOWN
    found = _walk_back(facts, case) or _last_step(trajectory)
    if found is None:
        return _unexplained(trajectory, case)
    turn, call = found.turn, found.call
    also = request_before(trajectory.turns, turn)
    told = Culprit(turn, call, found.kind, found.tool, found.evidence, also)
    return Score(told, None, () if call is None else (call,))


def _walk_back(facts: Facts, case: Case | None) -> Culprit | None:
    """Ask the stages in order; a check known to have passed closes its own."""
    if case is None:
        return None
    trajectory = facts.trajectory
    checks, secret = trajectory.checks, case.secret
    found: Culprit | None = None
    if secret.reference is not None and not checks.get("state"):
        found = blame_writes(facts, secret.reference, known_effects(facts, case))
    if found is None and secret.answer is not None and not checks.get("answer"):
        wrong = checks.get("answer") is False
        found = blame_silence(trajectory, secret.answer, judged_wrong=wrong)
    return found


def _last_step(trajectory: Trajectory) -> Culprit | None:
    """Where a run stopped that had no room left."""
    turns = agent_turns(trajectory) if trajectory.status in RAN_OUT else ()
    if not turns:
        return None
    turn = turns[-1]
    call = turn.calls[0] if turn.calls else None
    told = f"the run ended as {trajectory.status}"
    if call is None:
        return Culprit(turn.position, None, "ran_out", None, told)
    return Culprit(turn.position, call.index, "ran_out", call.tool, told)


def _unexplained(trajectory: Trajectory, case: Case | None) -> Score:
    if not agent_turns(trajectory):
        return IDLE
    if False in trajectory.checks.values():
        return UNEXPLAINED
    secret = CaseSecret() if case is None else case.secret
    if secret.reference is None and not (secret.answer and secret.answer.asks):
        return UNCHECKED
    return PASSED


def explain(facts: Facts, case: Case | None) -> str:
    """Say where the run broke, where to look second, how sure that is, and what else was seen."""
    score = culprit(facts, case)
    found, trajectory = score.value, facts.trajectory
    if not isinstance(found, Culprit):
        flag = ", with a wrong final state" if trajectory.checks.get("state") is False else ""
        told = f"undefined {score.why}{flag if score is SUCCEEDED else ''}"
        return told if trajectory.success else "\n".join([told, *_beside(facts, case)])
    lines = [f"broke at  {_place(found)}   {found.evidence}{_instead(facts, case, found)}"]
    if found.also is not None:
        lines.append(f"look also turn {found.also} (user: the request before it)")
    return "\n".join([*lines, f"evidence  {_weight(found.kind)}", *_beside(facts, case)])


def _place(found: Culprit) -> str:
    if found.call is not None:
        return f"turn {found.turn}, call {found.call}  {found.tool}"
    return f"turn {found.turn}" + (" (the last)" if found.kind == "never_done" else "")


def _instead(facts: Facts, case: Case | None, found: Culprit) -> str:
    """What the reference has in place of a wrong write, or where nothing was written."""
    reference = None if case is None else case.secret.reference
    if found.kind not in INSTEAD or case is None or reference is None:
        return ""
    effects = known_effects(facts, case)
    told = expected_instead(facts.trajectory, reference, effects, found)
    return f"{INSTEAD[found.kind]} {told}" if told else ""


def _weight(kind: Kind) -> str:
    """How often this kind was right, as counts: never a percentage of confidence."""
    name = kind.replace("_", " ")
    if kind not in MEASURED:
        return f"{name} · not held against labelled runs"
    exact, near, of = MEASURED[kind]
    told = f"this kind was exact in {exact} of {of} labelled runs, within 3 turns in {near}"
    guessed = (
        "" if kind == "value_never_said" else " · what tools write is guessed from their names"
    )
    return f"{name} · {told} · people agree with each other in 12 of 23{guessed}"


def _beside(facts: Facts, case: Case | None) -> Iterator[str]:
    """The facts that are no culprit, one a line."""
    trajectory = facts.trajectory
    calls = agent_calls(trajectory)
    reference = None if case is None else case.secret.reference
    deviation = None if reference is None else first_deviation(calls, reference)
    text, code = article_by_text(calls, reference), article_by_code(calls, reference)
    yield f"beside    first error: {_named(first_error(calls))}"
    yield f"          first deviation from the reference: {_named(deviation)}"
    yield f"          article 000 blames {_named(text)} by its text, {_named(code)} by its code"
    for same in loops(facts):
        yield f"          loop: {_named(same[0])}, {len(same)} times with one result"
    if trajectory.status in RAN_OUT:
        yield f"          ran out: {trajectory.status}"


def _named(call: Call | None) -> str:
    return "none" if call is None else f"call {call.index} {call.tool}"
