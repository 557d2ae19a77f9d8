"""Whether a run in which a tool failed succeeded all the same.

Counted: runs with at least one call whose outcome is an error, as it was observed; an unknown
outcome is no error. Unit: share of these runs. Higher is better. Undefined where no call failed (so
also without a call), and where nobody recorded whether the run succeeded. A run that broke, by its
budget or by an error of the agent, did not succeed, whatever was recorded. It says nothing about
errors that did not come: faults that are injected on purpose have ``recovery``. The steps are the
calls that failed.

Source: article 002, *tasa de recuperación*, over observed errors.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import Score
from trayecto.trajectory import BROKEN

UNIT = "share"
BETTER = "higher"

SMOOTH = Score(None, "no call failed")
UNKNOWN = Score(None, "nobody recorded whether the run succeeded")


def error_recovery(facts: Facts, case: Case | None) -> Score:
    """Read the success of a run in which something failed."""
    if "error" not in facts.outcomes:
        return SMOOTH
    trajectory = facts.trajectory
    success = False if trajectory.status in BROKEN else trajectory.success
    if success is None or trajectory.grade != "graded":
        return UNKNOWN
    failed = [call.index for call in facts.calls if call.outcome == "error"]
    return Score(success, None, tuple(failed))
