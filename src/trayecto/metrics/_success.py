"""Success that nobody recorded, decided by what a case asks of the final state and the answer."""

from __future__ import annotations

from msgspec.structs import replace

from trayecto.case import Case
from trayecto.metrics._said import spoke, unsaid
from trayecto.metrics._state import broken, changed
from trayecto.trajectory import Trajectory


def decide(trajectory: Trajectory, case: Case) -> Trajectory:
    """The trajectory with its success, where the case can tell it and the trace does not.

    All that the case asks of state and answer must hold; where a part cannot be told and none is
    known to fail, nobody knows.
    """
    if trajectory.success is not None or trajectory.grade != "graded":
        return trajectory
    checks = {"state": _state(trajectory, case), "answer": _answer(trajectory, case)}
    asked = {
        "state": case.secret.state is not None and case.secret.state.asks,
        "answer": case.secret.answer is not None and case.secret.answer.asks,
    }
    told = [checks[name] for name in asked if asked[name]]
    if not told:
        return trajectory
    success = False if False in told else None if None in told else True
    known = {name: value for name, value in checks.items() if value is not None}
    return replace(
        trajectory,
        success=success,
        success_from=None if success is None else "state" if asked["state"] else "answer",
        checks={**known, **trajectory.checks},
    )


def _state(trajectory: Trajectory, case: Case) -> bool | None:
    check = case.secret.state
    if check is None or not check.asks:
        return None
    wrong = broken(trajectory, check)
    if wrong is None or wrong or not check.unchanged:
        return None if wrong is None else not wrong
    others = changed(trajectory, check)
    return None if others is None else not others


def _answer(trajectory: Trajectory, case: Case) -> bool | None:
    check = case.secret.answer
    if check is None or not spoke(trajectory):
        return None
    return not unsaid(trajectory, check)
