"""Whether the agent said what the case asks for.

Counted: ``answer.contains``, where every text must stand in something that the agent said in any
of its turns, since a conversation goes on after the answer; ``answer.pattern``, which must match in
any of them (re2); ``answer.equals``, where the last thing it said must be that text, but for the
white space around it; and ``answer.number``, which must stand in the last thing it said, within its
tolerance where it has one. Letters may be large or small but for a pattern, and commas do not
matter (1,250 says 1250); where 142.900 may be meant with thousands or with decimals, either will
do. Unit: share of runs. Higher is better. Undefined where the case asks for no answer, and where
the run has no turn of the agent.

Source: tau-bench's output check (``r_outputs``); article 001, *Lo que la trayectoria no sustituye*.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._said import SILENT, spoke, unsaid
from trayecto.scores import NOT_ASKED, Score

UNIT = "share"
BETTER = "higher"
PASSES = True

YES, NO = Score(value=True), Score(value=False)


def needs(case: Case | None) -> str | None:
    """A case that asks for an answer."""
    return NOT_ASKED if case is None or case.secret.answer is None else None


def answer(facts: Facts, case: Case) -> Score:
    """Look for what is expected in what was said."""
    check = case.secret.answer
    trajectory = facts.trajectory
    if check is None or not spoke(trajectory):
        return SILENT
    return NO if unsaid(trajectory, check) else YES
