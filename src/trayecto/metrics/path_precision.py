"""What share of the calls that were done belong to the reference path.

Counted: calls whose outcome is not an error, matched one to one with the reference; a call never
counts twice, and order does not matter. Unit: share of the calls of a run, 0 to 1, then the mean
over trials and tasks. Higher is better. Undefined without a reference, and when nothing was done.

Source: the design's rulings 2 and 4; the trajectory precision of agent platforms.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import Score

UNIT = "share"
BETTER = "higher"

NOTHING = Score(None, "no call was done")


def needs(case: Case | None) -> str | None:
    """A reference, even an empty one: then every call is beside it."""
    if case is None or case.secret.reference is None:
        return "no reference path"
    return None


def path_precision(facts: Facts, case: Case) -> Score:
    """Divide the matched calls by the calls that were done."""
    if not facts.done or facts.matched is None:
        return NOTHING
    return Score(facts.matched / len(facts.done))
