"""What share of the reference path was done.

Counted: calls whose outcome is not an error, matched one to one with the reference; a call never
counts for two expected ones, and order does not matter. Unit: share of the reference's calls, 0 to
1, then the mean over trials and tasks. Higher is better. Undefined without a reference, and with
an empty one. Without a call it is 0: nothing of the reference was done.

Source: the design's rulings 2 and 4; the trajectory recall of agent platforms.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._reference import reference_of
from trayecto.metrics._reference import why_no_calls as needs
from trayecto.scores import Score

UNIT = "share"
BETTER = "higher"

__all__ = ["BETTER", "UNIT", "needs", "path_recall"]


def path_recall(facts: Facts, case: Case) -> Score:
    """Divide the matched calls by the calls of the reference."""
    return Score((facts.matched or 0) / len(reference_of(case).entries))
