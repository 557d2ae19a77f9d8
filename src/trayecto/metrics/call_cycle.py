"""Whether the agent repeated a sequence of different calls: A B A B A B.

Counted: two to five calls in a row, not all the same, with the same tools, canonical arguments and
observations, made three times one after the other. A single call that repeats is a loop, not a
cycle. Unit: share of runs. False is good. A run that made no call has no cycle. Undefined where the
sequence is there but one of its calls has no observation to compare, and where nothing was
recorded: no turn at all.

Source: the design's ruling 6 (cycles are a finding apart from loops).
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import Score
from trayecto.trajectory import Call

UNIT = "share"
BETTER = "lower"

SHORTEST, LONGEST = 2, 5
NONE = Score(value=False)
EMPTY = Score(None, "the run has no turn")
UNSEEN = Score(None, "a repeated call has no observation")


def call_cycle(facts: Facts, case: Case | None, *, times: int = 3) -> Score:
    """Find the first sequence that was made ``times`` times in a row."""
    often = [group for group in facts.repeats if len(group) >= times]
    if len(often) < SHORTEST:
        return NONE if facts.trajectory.turns else EMPTY
    steps = _first(_kinds(often, len(facts.calls)), times)
    if steps:
        return Score(value=True, steps=steps)
    if all(call.observation is not None for group in often for call in group):
        return NONE
    return UNSEEN if _first(_kinds(often, len(facts.calls), blind=True), times) else NONE


def _kinds(often: list[list[Call]], size: int, *, blind: bool = False) -> list[int]:
    """Number the kinds of calls, 0 for what cannot repeat; ``blind`` does not look at results."""
    kinds = [0] * size
    seen: dict[tuple[int, str | None], int] = {}
    for number, group in enumerate(often):
        for call in group:
            if blind or call.observation is not None:
                key = (number, None if blind else call.observation)
                kinds[call.index - 1] = seen.setdefault(key, len(seen) + 1)
    return kinds


def _first(kinds: list[int], times: int) -> tuple[int, ...]:
    """The calls of the shortest sequence that is repeated; none where there is none."""
    for period in range(SHORTEST, LONGEST + 1):
        start = _repeating(kinds, period, times)
        if start is not None:
            return tuple(range(start + 1, start + 1 + period * times))
    return ()


def _repeating(kinds: list[int], period: int, times: int) -> int | None:
    """Where a sequence of ``period`` kinds, not all one, is repeated ``times`` times in a row."""
    run = 0
    for place in range(period, len(kinds)):
        run = run + 1 if kinds[place] and kinds[place] == kinds[place - period] else 0
        if run >= period * (times - 1):
            start = place - period * times + 1
            if len(set(kinds[start : start + period])) > 1:
                return start
    return None
