"""Whether the run kept to the case's budget of calls.

Counted: every attempt of the run itself, failed ones too; a sub-agent's calls are its own. Unit:
share of runs within ``max_calls``. Higher is better. Undefined where the case sets no budget. A run
without calls is within every budget. The steps are the calls beyond it.

Source: article 001, *max_pasos*; the design's ruling 17.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import NOT_ASKED, Score

UNIT = "share"
BETTER = "higher"
PASSES = True

WITHIN = Score(value=True)


def needs(case: Case | None) -> str | None:
    """A case with a budget of calls."""
    return NOT_ASKED if case is None or case.secret.max_calls is None else None


def call_budget(facts: Facts, case: Case) -> Score:
    """Compare the calls made with the most allowed."""
    most = case.secret.max_calls
    if most is None or len(facts.calls) <= most:
        return WITHIN
    return Score(value=False, steps=tuple(range(most + 1, len(facts.calls) + 1)))


def explain(facts: Facts, case: Case) -> str:
    """Say how many calls were made, and how many are allowed."""
    return f"calls made: {len(facts.calls)}, allowed: {case.secret.max_calls}"
