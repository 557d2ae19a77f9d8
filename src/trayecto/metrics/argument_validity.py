"""What share of the calls kept to the schema of their tool.

Counted: every attempt of the run, failed ones too, held against the JSON Schema of the tool's
contract: what is given with the traces, else what the trace itself tells, else what the case does.
Raw text that is no object is not valid; a tool that takes nothing may be called with nothing. Not
counted: calls of a tool that does not exist (see ``hallucinated_tools``), and of one whose schema
nobody told, or whose schema is none. Unit: share of calls, 0 to 1. Higher is better. Undefined
where nobody told which tools there were, where no call was made, and where no call could be held
against a schema. The steps are the calls that are not valid; the class of each violation
(``no_object``, ``missing``, ``extra``, ``type``, ``choice``, ``range``, ``format``, ``other``) is
told where they are shown.

Article 002 counts a call of a tool that does not exist as valid; that is in ``trayecto.articles``.

Source: article 002, *validez de esquema*; the design's ruling 9.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import Score

UNIT = "share"
BETTER = "higher"

UNTOLD = Score(None, "nobody told which tools there were")
IDLE = Score(None, "the run made no call")
UNCHECKED = Score(None, "no call could be held against a schema")
ALL = Score(1.0)


def argument_validity(facts: Facts, case: Case | None) -> Score:
    """Divide the valid calls by those that could be checked."""
    if facts.toolbox is None:
        return UNTOLD
    if not facts.checked:
        return UNCHECKED if facts.calls else IDLE
    wrong = facts.invalid
    if not wrong:
        return ALL
    return Score(1 - len(wrong) / facts.checked, None, tuple([call.index for call in wrong]))


def explain(facts: Facts, case: Case | None) -> str:
    """Name the calls that are not valid, with the class and the place of each violation."""
    toolbox = facts.toolbox
    if toolbox is None:
        return ""
    told = []
    for call in facts.invalid:
        found = toolbox.violations(call)
        ways = ", ".join(f"{each.kind} {each.where}".rstrip() for each in found)
        told.append(f"call {call.index} {call.tool} ({ways})")
    return f"not valid: {'; '.join(told)}" if told else "every call kept to its schema"
