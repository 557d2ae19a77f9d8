"""What share of the calls went to tools that the agent did not have.

Counted: every attempt of the run and of its sub-agents, failed ones too, held against the tools
that the trace says were available. Unit: share of calls, 0 to 1. Lower is better, and only 0 is
good. Undefined where the trace does not say which tools there were, and where no call was made. A
sub-agent that tells its own tools is held against these. The steps are those of the run itself.

Source: article 002, *tools alucinadas*; the design's rulings 9 and 17.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts, family
from trayecto.scores import Score
from trayecto.trajectory import Call, Trajectory

UNIT = "share"
BETTER = "lower"

UNTOLD = Score(None, "the trace does not say which tools there were")
IDLE = Score(None, "the run made no call")
NONE = Score(0.0)


def hallucinated_tools(facts: Facts, case: Case | None) -> Score:
    """Divide the calls of unknown tools by all calls."""
    root = facts.trajectory
    if root.tools is None:
        return UNTOLD
    invented = _invented(root, root, facts.calls)
    made = len(facts.calls)
    below = 0
    for member in family(root)[1:] if root.children else ():
        calls = member.calls
        made += len(calls)
        below += len(_invented(member, root, calls))
    if not made:
        return IDLE
    if not invented and not below:
        return NONE
    steps = tuple(call.index for call in invented)
    return Score((len(invented) + below) / made, None, steps)


def _invented(member: Trajectory, root: Trajectory, calls: list[Call]) -> list[Call]:
    """The calls of tools that are not among the member's own, or else the root's."""
    tools = root.tools if member.tools is None else member.tools
    known = {tool.name for tool in tools or ()}
    return [call for call in calls if call.tool not in known]


def explain(facts: Facts, case: Case | None) -> str:
    """Name the tools that do not exist, and where they were called."""
    if facts.trajectory.tools is None:
        return ""
    invented = _invented(facts.trajectory, facts.trajectory, facts.calls)
    told = ", ".join(f"call {call.index} {call.tool}" for call in invented)
    return f"no such tool: {told}" if told else "every call was of a tool that there was"
