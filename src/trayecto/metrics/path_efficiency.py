"""How direct the way was: the fewest calls that can solve the case over the calls made, at most 1.

Counted: every attempt, failed ones too. The fewest calls are the case's ``min_calls``, else those
of its reference (a ``subset`` reference tells none: it only says what is allowed). Unit: share, 0
to 1. Higher is better. In a summary only successful runs count: the efficiency of a run that failed
means nothing. Undefined without a case that says how many calls are needed, with a minimum of 0,
and when no call was made (the article's function returns 0.0 there: a success without a call is
listed, not scored).

Source: article 000, *Eficiencia del camino*; the design's ruling 4. ``STARTS_AT`` is the
article's starting value.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._reference import EMPTY
from trayecto.scores import Goal, Score

UNIT = "share"
BETTER = "higher"
OVER = "successes"
STARTS_AT = Goal(above=0.70)  # article 000, *umbral inicial razonable*: > 0.70

IDLE = Score(None, "the run made no call")
DIRECT = Score(1.0)


def needs(case: Case | None) -> str | None:
    """A case that says how many calls are needed."""
    fewest = None if case is None else _fewest(case)
    if fewest is None:
        return "no reference path and no min_calls"
    return None if fewest else EMPTY


def _fewest(case: Case) -> int | None:
    """How many calls a case needs: what it says, else what its reference asks for."""
    secret = case.secret
    if secret.min_calls is not None:
        return secret.min_calls
    return None if secret.reference is None else secret.reference.fewest


def path_efficiency(facts: Facts, case: Case) -> Score:
    """Divide the fewest calls by the calls made."""
    fewest = _fewest(case)
    made = len(facts.calls)
    if not made or fewest is None:
        return IDLE
    return DIRECT if fewest >= made else Score(fewest / made)
