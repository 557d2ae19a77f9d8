"""What share of the calls kept to the schema of their tool.

Counted: every attempt of the run, failed ones too, held against the JSON Schema of the tool's
contract: what is given with the traces, else what the trace itself tells, else what the case does.
A call of a tool that does not exist is not valid; raw text that is no object is not valid; a tool
that takes nothing may be called with nothing. Not counted: calls of a tool whose schema nobody
told, or whose schema is none. Unit: share of calls, 0 to 1. Higher is better. Undefined where
nobody told which tools there were, where no call was made, and where no call could be held against
a schema. The steps are the calls that are not valid; the class of each violation (``no_object``,
``missing``, ``extra``, ``type``, ``choice``, ``range``, ``format``, ``other``, and ``no_tool``) is
told where they are shown.

Article 002 counts a call of a tool that does not exist as valid; that is in ``trayecto.articles``.

Source: article 002, *validez de esquema*; the design's ruling 9.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.contracts import Toolbox
from trayecto.facts import Facts
from trayecto.scores import Score
from trayecto.trajectory import Call

UNIT = "share"
BETTER = "higher"

UNTOLD = Score(None, "nobody told which tools there were")
IDLE = Score(None, "the run made no call")
UNCHECKED = Score(None, "no call could be held against a schema")
ALL = Score(1.0)


def argument_validity(facts: Facts, case: Case | None) -> Score:
    """Divide the valid calls by those that could be checked."""
    toolbox, calls = facts.toolbox, facts.calls
    if toolbox is None:
        return UNTOLD
    if not calls:
        return IDLE
    checked = len(calls)
    wrong: list[int] = []
    for call in calls:
        valid = toolbox.is_valid(call.tool, call.arguments)
        if not valid:
            if valid is None and call.tool in toolbox:
                checked -= 1
            else:
                wrong.append(call.index)
    if not wrong:
        return ALL if checked else UNCHECKED
    return Score(1 - len(wrong) / checked, None, tuple(wrong))


def explain(facts: Facts, case: Case | None) -> str:
    """Name the calls that are not valid, with the class and the place of each violation."""
    toolbox = facts.toolbox
    if toolbox is None:
        return ""
    told = [_told(call, toolbox) for call in facts.calls if _is_wrong(call, toolbox)]
    return f"not valid: {'; '.join(told)}" if told else "every call kept to its schema"


def _is_wrong(call: Call, toolbox: Toolbox) -> bool:
    return call.tool not in toolbox or toolbox.is_valid(call.tool, call.arguments) is False


def _told(call: Call, toolbox: Toolbox) -> str:
    found = toolbox.violations(call.tool, call.arguments) if call.tool in toolbox else None
    if found is None:
        return f"call {call.index} {call.tool} (no_tool)"
    ways = ", ".join(f"{each.kind} {each.where}".rstrip() for each in found)
    return f"call {call.index} {call.tool} ({ways})"
