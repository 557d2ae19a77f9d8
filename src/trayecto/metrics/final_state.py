"""Whether the world was left as the case wants it, by the final state that the trace gives.

``final_state`` is whether everything holds; ``final_state.unchanged`` whether nothing else changed.
Counted: ``state.equals``, where the value at a path must be the expected one (1 is 1.0, true is not
1, a list keeps its order); ``state.absent``, where nothing may be at a path; and
``state.unchanged``, where everything that no path of these names must be as it was before the first
call. Unit: share of runs. Higher is better. Undefined where the case asks nothing of the state,
where the trace does not tell the final one, and, for ``unchanged``, the initial one; that something
else is wrong is known all the same. A run without calls is held against it like any other.

Source: tau-bench's comparison of databases; the design's ruling 10.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.errors import quoted
from trayecto.facts import Facts
from trayecto.metrics._state import broken, changed
from trayecto.paths import find
from trayecto.scores import NOT_ASKED, Score

UNIT = "share"
BETTER = "higher"
PASSES = True
PARTS = ("", "unchanged")

YES, NO = Score(value=True), Score(value=False)
SHOWN = 5  # changed paths that are named
UNTOLD = Score(None, "the trace does not tell the final state")
UNCOMPARED = Score(None, "the trace does not tell the state before the first call")
UNASKED = Score(None, NOT_ASKED)


def needs(case: Case | None) -> str | None:
    """A case that asks something of the state."""
    state = None if case is None else case.secret.state
    return None if state is not None and state.asks else NOT_ASKED


def final_state(facts: Facts, case: Case) -> list[Score]:
    """Ask each path, then whether anything else changed."""
    check, trajectory = case.secret.state, facts.trajectory
    wrong = None if check is None else broken(trajectory, check)
    if check is None or wrong is None:
        return [UNTOLD, UNTOLD if check is not None and check.unchanged else UNASKED]
    if not check.unchanged:
        return [NO if wrong else YES, UNASKED]
    others = changed(trajectory, check)
    if others is None:
        return [NO if wrong else UNCOMPARED, UNCOMPARED]
    return [NO if wrong or others else YES, NO if others else YES]


def explain(facts: Facts, case: Case) -> str:
    """Name the paths that are wrong, what is there, and what changed besides."""
    check, trajectory = case.secret.state, facts.trajectory
    wrong = None if check is None else broken(trajectory, check)
    if check is None or wrong is None:
        return ""
    state = trajectory.final_state
    told = [
        f"{path}: {quoted(find(state, path))}, expected {quoted(check.equals[path])}"
        if path in check.equals
        else f"{path}: should not be there"
        for path in wrong
    ]
    others = changed(trajectory, check) if check.unchanged else None
    if others:
        more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        told.append(f"changed besides: {', '.join(others[:SHOWN])}{more}")
    return "; ".join(told) or "the final state is as it should be"
