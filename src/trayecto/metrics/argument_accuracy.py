"""How many of the rightly chosen calls were given the right arguments.

Counted: the calls that are in line with the reference (see ``tool_selection``) and whose entry says
which arguments are right; an entry that names a tool only asks for none. Right is what the entry
accepts: its ``compare`` says which arguments count, its ``tolerance`` how far each may be off; raw
text is never right. Unit: share of these calls, 0 to 1. Higher is better. Undefined without a
reference, with an empty one, and where no call in line has expected arguments: so also without a
call. The steps are the calls with wrong arguments.

Article 002 gives 0.0 where nothing can be compared; that is in ``trayecto.articles``.

Source: article 002, *exactitud de argumentos*; the design's rulings 3 and 8.
"""

from __future__ import annotations

from trayecto.case import Case, Expected
from trayecto.facts import Facts
from trayecto.matching import align
from trayecto.metrics._reference import reference_of
from trayecto.metrics._reference import why_no_calls as needs
from trayecto.scores import Score
from trayecto.trajectory import Call

UNIT = "share"
BETTER = "higher"

__all__ = ["BETTER", "UNIT", "argument_accuracy", "explain", "needs"]

NOTHING = Score(None, "no call in line has expected arguments")


def argument_accuracy(facts: Facts, case: Case) -> Score:
    """Divide the calls with right arguments by the calls in line that have expected ones."""
    pairs = _pairs(facts, case)
    if not pairs:
        return NOTHING
    wrong = _wrong(pairs)
    return Score(1 - len(wrong) / len(pairs), None, tuple(call.index for call, _ in wrong))


def _pairs(facts: Facts, case: Case) -> list[tuple[Call, Expected]]:
    """Each call in line with its entry, where the entry expects arguments."""
    reference = reference_of(case)
    places = align(reference.tools, [call.tool for call in facts.calls])
    return [
        (facts.calls[place], entry)
        for entry, place in zip(reference.entries, places, strict=True)
        if place is not None and entry.arguments is not None
    ]


def _wrong(pairs: list[tuple[Call, Expected]]) -> list[tuple[Call, Expected]]:
    return [(call, entry) for call, entry in pairs if not entry.accepts(call.arguments)]


def explain(facts: Facts, case: Case) -> str:
    """Name the calls with wrong arguments, and the tools."""
    pairs = _pairs(facts, case)
    told = [f"call {call.index} {call.tool}" for call, _ in _wrong(pairs)]
    if told:
        return f"wrong arguments: {', '.join(told)} ({len(told)} of {len(pairs)})"
    return f"right arguments in {len(pairs)} of {len(pairs)} calls" if pairs else ""
