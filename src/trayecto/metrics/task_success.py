"""Whether the task was done: the success that the trace or a grader recorded.

Counted: every attempt with a recorded success. Unit: share of attempts, 0 to 1, the mean over tasks
of the mean over trials. Higher is better. Undefined where nobody said whether the attempt
succeeded. Two denominators: *operational* counts attempts that broke (agent, budget, deadline,
infrastructure, harness) as failures, *capability* leaves out those in which the agent had no fair
chance (infrastructure, harness, simulator, cancelled, not run).

Source: article 000, *Éxito de tarea*; the design's ruling 11.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import UNRECORDED, Score
from trayecto.trajectory import BROKEN

UNIT = "share"
BETTER = "higher"
OVER = "runs"
PASSES = True

YES, NO = Score(value=True), Score(value=False)
UNKNOWN = Score(None, UNRECORDED)
UNGRADED = Score(None, "the run was not graded")
HELD = Score(None, "the run is held: nobody has decided yet")
NEVER = frozenset({"cancelled", "not_run", "sim_invalid"})


def task_success(facts: Facts, case: Case | None) -> Score:
    """Read the recorded success; an attempt that broke did not succeed."""
    trajectory = facts.trajectory
    success = trajectory.success
    if trajectory.grade == "held":
        return HELD
    if trajectory.grade != "graded" or trajectory.status in NEVER:
        return UNGRADED
    if trajectory.status in BROKEN:
        return NO
    return UNKNOWN if success is None else YES if success else NO
