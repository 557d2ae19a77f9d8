"""What share of the calls went to tools that the agent did not have.

Counted: every attempt of the run and of its sub-agents, failed ones too, held against the contracts
that are given with the traces, else against the tools that the trace says were available, else
against those of the case. Where none says which, but the trace tells of every tool that did not
exist that it did not (``refuses_unknown_tools``), the calls that were refused for that reason are
the invented ones, among those that have a result; a tool that existed and was kept from the agent
is then not seen. Unit: share of calls, 0 to 1. Lower is better, and only 0 is good (``STARTS_AT``).
Undefined where nobody told which tools there were, and where no call was made. A sub-agent that
tells its own tools is held against these. The steps are those of the run itself.

Source: article 002, *tools alucinadas*; the design's rulings 9 and 17.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.contracts import Toolbox, toolbox_of
from trayecto.facts import Facts, family
from trayecto.scores import Goal, Score
from trayecto.trajectory import UNKNOWN_TOOL, Call

UNIT = "share"
BETTER = "lower"
STARTS_AT = Goal(equal=0)  # article 002, *Fallo 3*: "su umbral … cero"

UNTOLD = Score(None, "nobody told which tools there were")
IDLE = Score(None, "the run made no call")
NONE = Score(0.0)


def hallucinated_tools(facts: Facts, case: Case | None) -> Score:
    """Divide the calls of unknown tools by all calls."""
    root, toolbox = facts.trajectory, facts.toolbox
    if toolbox is None and not root.refuses_unknown_tools:
        return UNTOLD
    if (
        toolbox is not None
        and not root.children
        and facts.by_tool.keys() <= toolbox.contracts.keys()
    ):
        return NONE if facts.calls else IDLE
    invented, made = _invented(facts.calls, toolbox)
    below = 0
    for member in family(root)[1:] if root.children else ():
        known = toolbox if member.tools is None else toolbox_of(member.tools)
        more, calls = _invented(member.calls, known)
        made += calls
        below += len(more)
    if not made:
        return UNTOLD if facts.calls else IDLE
    if not invented and not below:
        return NONE
    steps = tuple(call.index for call in invented)
    return Score((len(invented) + below) / made, None, steps)


def _invented(calls: list[Call], toolbox: Toolbox | None) -> tuple[list[Call], int]:
    """The calls of tools that there were not, and among how many calls they were looked for."""
    if toolbox is None:
        told = sum([call.outcome != "unknown" for call in calls])
        return [call for call in calls if call.error == UNKNOWN_TOOL], told
    known = toolbox.contracts
    return [call for call in calls if call.tool not in known], len(calls)


def explain(facts: Facts, case: Case | None) -> str:
    """Name the tools that do not exist, and where they were called."""
    root, toolbox = facts.trajectory, facts.toolbox
    if toolbox is None and not root.refuses_unknown_tools:
        return ""
    invented, _ = _invented(facts.calls, toolbox)
    told = [f"call {call.index} {call.tool}" for call in invented]
    below = 0
    for member in family(root)[1:]:
        known = toolbox if member.tools is None else toolbox_of(member.tools)
        below += len(_invented(member.calls, known)[0])
    told += [f"{below} of sub-agents"] if below else []
    return f"no such tool: {', '.join(told)}" if told else "every call was of a tool that there was"
