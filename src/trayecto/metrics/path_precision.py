"""What share of the calls that were done belong to the reference path.

Counted: calls whose outcome is not an error, matched one to one with the reference; a call never
counts twice, and order does not matter. Unit: share of the calls of a run, 0 to 1, then the mean
over trials and tasks. Higher is better. Undefined without a reference, with an empty one in a mode
that allows extra calls (it asserts nothing), and when nothing was done.

Source: the design's rulings 2 and 4; the trajectory precision of agent platforms.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._reference import why_no_reference as needs
from trayecto.scores import Score

UNIT = "share"
BETTER = "higher"

__all__ = ["BETTER", "UNIT", "needs", "path_precision"]

NOTHING = Score(None, "no call was done")


def path_precision(facts: Facts, case: Case) -> Score:
    """Divide the matched calls by the calls that were done."""
    if not facts.done or facts.matched is None:
        return NOTHING
    return Score(facts.matched / len(facts.done))
