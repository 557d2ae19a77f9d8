"""What share of the calls went to tools that the agent did not have.

Counted: every attempt of the run and of its sub-agents, failed ones too, held against the contracts
that are given with the traces, else against the tools that the trace says were available. Unit:
share of calls, 0 to 1. Lower is better, and only 0 is good. Undefined where nobody told which tools
there were, and where no call was made. A sub-agent that tells its own tools is held against these.
The steps are those of the run itself.

Source: article 002, *tools alucinadas*; the design's rulings 9 and 17.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.contracts import toolbox_of
from trayecto.facts import Facts, family
from trayecto.scores import Score

UNIT = "share"
BETTER = "lower"

UNTOLD = Score(None, "nobody told which tools there were")
IDLE = Score(None, "the run made no call")
NONE = Score(0.0)


def hallucinated_tools(facts: Facts, case: Case | None) -> Score:
    """Divide the calls of unknown tools by all calls."""
    root, toolbox = facts.trajectory, facts.toolbox
    if toolbox is None:
        return UNTOLD
    invented = [call for call in facts.calls if call.tool not in toolbox]
    made = len(facts.calls)
    below = 0
    for member in family(root)[1:] if root.children else ():
        calls = member.calls
        made += len(calls)
        known = toolbox if member.tools is None else toolbox_of(member.tools)
        below += sum(call.tool not in known for call in calls)
    if not made:
        return IDLE
    if not invented and not below:
        return NONE
    steps = tuple(call.index for call in invented)
    return Score((len(invented) + below) / made, None, steps)


def explain(facts: Facts, case: Case | None) -> str:
    """Name the tools that do not exist, and where they were called."""
    toolbox = facts.toolbox
    if toolbox is None:
        return ""
    invented = [call for call in facts.calls if call.tool not in toolbox]
    told = ", ".join(f"call {call.index} {call.tool}" for call in invented)
    return f"no such tool: {told}" if told else "every call was of a tool that there was"
