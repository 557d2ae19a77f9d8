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
from trayecto.metrics._reference import EMPTY, NONE, reference_of
from trayecto.scores import Score

UNIT = "share"
BETTER = "higher"


def needs(case: Case | None) -> str | None:
    """A reference with at least one call."""
    reference = None if case is None else case.secret.reference
    if reference is None:
        return NONE
    return None if reference.entries else EMPTY


def path_recall(facts: Facts, case: Case) -> Score:
    """Divide the matched calls by the calls of the reference."""
    return Score((facts.matched or 0) / len(reference_of(case).entries))
