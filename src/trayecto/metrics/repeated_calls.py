"""How many calls were made before with the same tool and the same canonical arguments.

Counted: every repeat after the first, whatever was observed. Not judged: a repeat can be right
(polling, a retry after an error), so this is a signal to look at and may not gate; see
``redundant_calls`` for the stricter number. Unit: calls, a whole number from 0. Lower is better.
A run that made no call repeats none. Undefined where nothing was recorded: no turn at all.

Source: article 000, *pasos_redundantes*, as published.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import Score

UNIT = "calls"
BETTER = "lower"
SIGNAL = True

NONE = Score(0)
EMPTY = Score(None, "the run has no turn")


def repeated_calls(facts: Facts, case: Case | None) -> Score:
    """Count the calls that repeat an earlier one."""
    if not facts.repeats:
        return NONE if facts.trajectory.turns else EMPTY
    again = [call.index for group in facts.repeats for call in group[1:]]
    return Score(len(again), None, tuple(sorted(again)))
