"""How many calls fetched again what was known already.

Counted: a call with the same observation as the last one before it of the same tool and the same
canonical arguments, where that one did not fail (a retry is no waste), and where between the two
nothing was written that could have changed the answer. What changed and changed back was worth a
look, so it is not counted. Not counted: repeated writes, which are another
fault. What a tool does is what the suite's ``effects`` or its contract say. Not judged: a signal
to look at, which may not gate; see ``repeated_calls`` for the article's plainer number. Unit:
calls, a whole number from 0. Lower is better. A run that made no call repeats none. Undefined
where the effect of a tool in question is unknown, unless ``assume_effects`` guesses it from its
name; where a repeated call has no observation to compare; and where nothing was recorded: no turn
at all. The steps are the calls that fetched again.

Source: article 000, *pasos_redundantes*; the design's ruling 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from trayecto.case import Case
from trayecto.contracts import WRITES, assumed_effect
from trayecto.facts import Facts, known_effects
from trayecto.scores import Score
from trayecto.trajectory import Call

UNIT = "calls"
BETTER = "lower"
SIGNAL = True
OPTIONS = ("assume_effects",)

NONE = Score(0)
EMPTY = Score(None, "the run has no turn")
UNSEEN = Score(None, "a repeated call has no observation")
UNKNOWN = Score(None, "nobody told which tools only read")


def redundant_calls(facts: Facts, case: Case | None, *, assume_effects: bool = False) -> Score:
    """Count the calls that bring back what an earlier one did."""
    if not facts.repeats:
        return NONE if facts.trajectory.turns else EMPTY
    if any(call.observation is None for group in facts.repeats for call in group):
        return UNSEEN
    again = list(_same_again(facts.repeats))
    if not again:
        return NONE
    last_write = _Writes(facts, case, assume_effects=assume_effects)
    found: list[int] = []
    for before, call in again:
        fresh = last_write.between(before, call)
        if fresh is None:
            return UNKNOWN
        if not fresh:
            found.append(call.index)
    return Score(len(found), None, tuple(sorted(found))) if found else NONE


def _same_again(repeats: list[list[Call]]) -> Iterator[tuple[Call, Call]]:
    """Each repeat with the last call of its group before it, where both observed the same."""
    for group in repeats:
        for before, call in pairwise(group):
            if before.outcome != "error" and before.observation == call.observation:
                yield before, call


class _Writes:
    """For every call of a run, how many before it write, and how many nobody knows of."""

    def __init__(self, facts: Facts, case: Case | None, *, assume_effects: bool) -> None:
        effects = known_effects(facts, case)
        kinds = {tool: effects.get(tool, "unknown") for tool in facts.by_tool}
        if assume_effects:
            kinds = {
                tool: assumed_effect(tool) if kind == "unknown" else kind
                for tool, kind in kinds.items()
            }
        self.written, self.unknown = [0], [0]
        for call in facts.calls:
            self.written.append(self.written[-1] + (kinds[call.tool] in WRITES))
            self.unknown.append(self.unknown[-1] + (kinds[call.tool] == "unknown"))

    def between(self, before: Call, call: Call) -> bool | None:
        """Whether a call writes itself or something was written since; None: nobody knows."""
        first, last = before.index - 1, call.index
        if self.written[last] > self.written[first]:
            return True
        return None if self.unknown[last] > self.unknown[first] else False


def explain(facts: Facts, case: Case | None) -> str:
    """Name the calls that fetched again; effects are guessed where nobody tells them."""
    score = redundant_calls(facts, case, assume_effects=True)
    steps = set(score.steps)
    told = [f"call {call.index} {call.tool}" for call in facts.calls if call.index in steps]
    if not told:
        return ""
    guessed = redundant_calls(facts, case).value is None
    note = " (what tools do is guessed from their names)" if guessed else ""
    return f"fetched again: {', '.join(told)}{note}"
