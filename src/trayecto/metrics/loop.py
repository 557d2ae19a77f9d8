"""Whether the agent went round in circles: the same call, with the same result, again and again.

Counted: calls with the same tool, the same canonical arguments and the same observation, three
times or more, not necessarily in a row. Not counted: the same call whose observation changes,
which is polling. Unit: share of runs, in a summary called ``loop_rate``. False is good. A run that
made no call has no loop. Undefined where a repeated call has no observation to compare, and where
nothing was recorded: no turn at all.

Source: article 000, *Tasa de bucles* (N = 3). ``STARTS_AT`` is the article's starting value.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import Goal, Score
from trayecto.trajectory import Call

UNIT = "share"
BETTER = "lower"
SUMMARY = "loop_rate"
STARTS_AT = Goal(below=0.02)  # article 000, *umbral inicial razonable*: < 0.02

NONE = Score(value=False)
EMPTY = Score(None, "the run has no turn")
UNSEEN = Score(None, "a repeated call has no observation")


def loop(facts: Facts, case: Case | None, *, times: int = 3) -> Score:
    """Find the first call that was made ``times`` times with one observation."""
    if not facts.trajectory.turns:
        return EMPTY
    unseen = False
    for group in facts.repeats:
        if len(group) < times:
            continue
        same: dict[str | None, list[Call]] = {}
        for call in group:
            same.setdefault(call.observation, []).append(call)
        unseen = unseen or len(same.pop(None, ())) > 0
        longest = max(same.values(), key=len, default=())
        if len(longest) >= times:
            return Score(value=True, steps=tuple(call.index for call in longest))
    return UNSEEN if unseen else NONE
