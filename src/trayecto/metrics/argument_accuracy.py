"""How many of the rightly chosen calls were given the right arguments.

Counted: the calls that are in line with the reference (see ``tool_selection``) and whose entry says
which arguments are right; an entry that names a tool only asks for none. Right is what the entry
accepts: its ``compare`` says which arguments count, its ``tolerance`` how far each may be off; raw
text is never right. Not counted: calls that are known to break the schema of their tool, which
``argument_validity`` counts. Unit: share of these calls, 0 to 1. Higher is better. Undefined
without a reference, with an empty one, and where no call in line has expected arguments: so also
without a call. The steps are the calls with wrong arguments.

Article 002 gives 0.0 where nothing can be compared; that is in ``trayecto.articles``.

Source: article 002, *exactitud de argumentos*; the design's rulings 3 and 8.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._reference import reference_of
from trayecto.metrics._reference import why_no_calls as needs
from trayecto.scores import Score
from trayecto.trajectory import Call

UNIT = "share"
BETTER = "higher"

__all__ = ["BETTER", "UNIT", "argument_accuracy", "explain", "needs"]

ALL = Score(1.0)
NOTHING = Score(None, "no call in line has expected arguments")


def argument_accuracy(facts: Facts, case: Case) -> Score:
    """Divide the calls with right arguments by the calls in line that have expected ones."""
    compared, wrong = _counted(facts, case)
    if not compared:
        return NOTHING
    if not wrong:
        return ALL
    return Score(1 - len(wrong) / compared, None, tuple(sorted([call.index for call in wrong])))


def _counted(facts: Facts, case: Case) -> tuple[int, list[Call]]:
    """The calls that are compared, and those that are wrong, without those that break a schema."""
    if not facts.invalid or not facts.compared:
        return facts.compared, facts.wrong
    broken = {call.index for call in facts.invalid}
    calls, entries = facts.calls, reference_of(case).entries
    in_line = [
        calls[place].index
        for entry, place in zip(entries, facts.aligned or (), strict=True)
        if place is not None and entry.arguments is not None
    ]
    counted = sum([index not in broken for index in in_line])
    return counted, [call for call in facts.wrong if call.index not in broken]


def explain(facts: Facts, case: Case) -> str:
    """Name the calls with wrong arguments, and the tools."""
    compared, wrong = _counted(facts, case)
    told = [f"call {call.index} {call.tool}" for call in wrong]
    if told:
        return f"wrong arguments: {', '.join(told)} ({len(told)} of {compared})"
    return f"right arguments in {compared} of {compared} calls" if compared else ""
