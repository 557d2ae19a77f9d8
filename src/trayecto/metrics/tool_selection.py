"""Whether the agent chose the tools that the reference has, in the reference's order if it has one.

``tool_selection.precision`` is the share of the calls that were expected, ``tool_selection.recall``
the share of the expected calls that were made. Counted: every attempt of the run, failed and
invented ones too, aligned with the reference by a longest common subsequence of names, so that one
inserted call does not shift the rest; arguments do not count. Where the reference gives no order
(modes any_order, superset, multiset and subset, and the calls of a group) none is asked for. Unit:
share, 0 to 1. Higher is better. Undefined without a reference, and with an empty one; precision
also where no call was made. Without a call recall is 0.

Article 002 compares place by place over the calls with valid arguments, and divides by the expected
calls; that is in ``trayecto.articles`` as published.

Source: article 002, *precisión de selección*; the design's ruling 8.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._reference import reference_of
from trayecto.metrics._reference import why_no_calls as needs
from trayecto.scores import Score

UNIT = "share"
BETTER = "higher"
PARTS = ("precision", "recall")

__all__ = ["BETTER", "PARTS", "UNIT", "explain", "needs", "tool_selection"]

IDLE = Score(None, "the run made no call")
BOTH = [Score(1.0), Score(1.0)]


def tool_selection(facts: Facts, case: Case) -> list[Score]:
    """Divide the calls in line by the calls made, and by the calls expected."""
    aligned, called = facts.aligned or [], len(facts.calls)
    found = len(aligned) - aligned.count(None)
    if found == len(aligned) == called:
        return BOTH
    return [Score(found / called) if called else IDLE, Score(found / len(aligned))]


def explain(facts: Facts, case: Case) -> str:
    """Name the expected tools that were not called in line, and the calls that nothing expects."""
    expected = reference_of(case).tools
    places = facts.aligned or []
    missing = [tool for tool, place in zip(expected, places, strict=True) if place is None]
    extra = [call for place, call in enumerate(facts.calls) if place not in set(places)]
    told = [f"not called in line: {', '.join(missing)}"] if missing else []
    if extra:
        named = ", ".join(f"call {call.index} {call.tool}" for call in extra)
        told.append(f"not expected there: {named}")
    return "; ".join(told) or "every expected tool was called in line, and no other"
