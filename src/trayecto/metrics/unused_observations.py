"""How many calls brought something back that nobody used.

Counted: calls that did not fail, whose observation says something new, and of which nothing new
stands in any later argument or in anything the agent said afterwards. New is a word of four
letters or more, or one with a digit, that nothing before had shown. Not counted: an observation
without anything new (``ok``). Not judged: to look and find nothing of use can be right, and a
paraphrase uses an observation without its words; so this is a signal to look at, which may not
gate, and it is computed only where it is asked for. Unit: calls, a whole number from 0. Lower is
better. A run that made no call wasted none. Undefined where no call has an observation, and where
nothing was recorded: no turn at all. The steps are the calls whose observation was not used.

Source: article 000, *Eficiencia de pasos* (a result that is never used); the design's ruling 5.
"""

from __future__ import annotations

import re

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._texts import texts_of
from trayecto.scores import Score
from trayecto.trajectory import Turn

UNIT = "calls"
BETTER = "lower"
SIGNAL = True
OPT_IN = True

NONE = Score(0)
EMPTY = Score(None, "the run has no turn")
UNSEEN = Score(None, "no call has an observation")
SCANNED = 1 << 20  # characters of one text
_WORD = re.compile(r"\w*\d\w*|\w{4,}")  # with a digit, or long enough to mean something


def unused_observations(facts: Facts, case: Case | None) -> Score:
    """Go back from the end: what is said or asked for later uses what was seen before."""
    turns = facts.trajectory.turns
    if not turns:
        return EMPTY
    if not facts.calls:
        return NONE
    if all(call.observation is None for call in facts.calls):
        return UNSEEN
    fresh = _fresh(turns)
    found: list[int] = []
    later: set[str] = set()
    for turn in reversed(turns):
        for call in turn.calls:
            new = fresh.get(call.index, set())
            if new and call.outcome != "error" and later.isdisjoint(new):
                found.append(call.index)
        if turn.role == "assistant":
            later |= _said(turn)
    return Score(len(found), None, tuple(sorted(found))) if found else NONE


def _fresh(turns: tuple[Turn, ...]) -> dict[int, set[str]]:
    """For each call, the words of its observation that nothing before had shown."""
    shown: set[str] = set()
    fresh: dict[int, set[str]] = {}
    for turn in turns:
        shown |= _said(turn)
        for call in turn.calls:
            words = _words(call.observation or "")
            fresh[call.index] = words - shown
            shown |= words
    return fresh


def _said(turn: Turn) -> set[str]:
    """The words of a turn, and of the arguments of its calls."""
    found = _words(turn.text) if turn.text else set()
    for call in turn.calls:
        found |= _words(texts_of(call))
    return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text[:SCANNED].casefold()))
