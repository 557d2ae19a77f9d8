"""Whether every tool that the case requires was called.

Counted: the calls of the run and of its sub-agents, failed attempts too: to try is to have called.
Unit: share of runs in which none is missing. Higher is better. Undefined where the case requires no
tool. Without a call a run fails: what had to be called was not.

Source: article 001, *obligatorias*; the design's ruling 17.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts, tools_called
from trayecto.scores import NOT_ASKED, Score

UNIT = "share"
BETTER = "higher"
PASSES = True

YES, NO = Score(value=True), Score(value=False)


def needs(case: Case | None) -> str | None:
    """A case that requires tools."""
    return None if case is not None and case.secret.required else NOT_ASKED


def required_tools(facts: Facts, case: Case) -> Score:
    """Look for each required tool among those that were called."""
    called = tools_called(facts)
    for tool in case.secret.required:
        if tool not in called:
            return NO
    return YES


def explain(facts: Facts, case: Case) -> str:
    """Name the tools that are missing."""
    called = tools_called(facts)
    missing = [tool for tool in case.secret.required if tool not in called]
    return f"missing: {', '.join(missing)}" if missing else "every required tool was called"
