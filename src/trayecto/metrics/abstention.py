"""Whether the agent acted only where it should.

Counted: where the case says that it should abstain (nothing can or may be done), whether no call of
the run acted: a call of a tool that is known to read only, by the suite's ``effects`` or by its
contract, does not act; any other attempt does, failed or not. Where the case says that it should
not abstain, whether any call was made at all. Unit: share of runs that did right. Higher is better.
Undefined where the case does not ask for it, and where the run has no turn of the agent; so a run
without calls is right where it should abstain, and wrong where it should not. The steps are the
calls that should not have been made.

Source: BFCL, irrelevance detection; the project's notes on statistics (abstaining on a solvable
task leaves it unsolved).
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts, known_effects
from trayecto.metrics._said import SILENT, spoke
from trayecto.scores import NOT_ASKED, Score

UNIT = "share"
BETTER = "higher"
PASSES = True

YES, NO = Score(value=True), Score(value=False)


def needs(case: Case | None) -> str | None:
    """A case that says whether to abstain."""
    return NOT_ASKED if case is None or case.secret.should_abstain is None else None


def abstention(facts: Facts, case: Case) -> Score:
    """Look for a call that acts, or for any call."""
    if not spoke(facts.trajectory):
        return SILENT
    if not case.secret.should_abstain:
        return YES if facts.calls else NO
    acts = _acts(facts, case)
    return Score(value=False, steps=tuple(acts)) if acts else YES


def _acts(facts: Facts, case: Case) -> list[int]:
    effects = known_effects(facts, case)
    return [call.index for call in facts.calls if effects.get(call.tool) != "read"]


def explain(facts: Facts, case: Case) -> str:
    """Name the calls that should not have been made, or say that one should have been."""
    if not case.secret.should_abstain:
        return "" if facts.calls else "no call was made, and the task can be solved"
    acts = _acts(facts, case)
    told = [f"call {call.index} {call.tool}" for call in facts.calls if call.index in acts]
    return f"should not have acted: {', '.join(told)}" if told else "it did not act"
