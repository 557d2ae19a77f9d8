"""Stage 4 of the culprit: the agent did not say a value that the case expects.

The step is where a value of the same shape was made up: said by the agent, and shown before by no
observation and no user. Every pattern here is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trayecto.case import AnswerCheck
from trayecto.metrics._blame import agent_turns
from trayecto.metrics._said import unsaid, wanted
from trayecto.scores import Culprit
from trayecto.trajectory import Trajectory, Turn

SCANNED = 1 << 20  # characters of one text in which numbers are looked for
_LINE = 80  # characters of a value in a sentence

# A number stands alone: no letter or digit touches it, nor a point before it. What is said drops
# the commas of thousands and the numbers of a list ("1. ") first. Each pattern begins with what is
# rare in a text and looks back from there, which is the fast way round.
_NUMBER = re.compile(r"[0-9](?<![\w.][0-9])[0-9]*+(?:\.[0-9]++)?+(?!\w|\.[0-9])")
_GROUPING = re.compile(r",(?<=[0-9],)(?=[0-9]{3}(?![0-9]))")
_LIST_MARKER = re.compile(r"\n[^\S\n]*+[0-9]++[.)](?=\s)")
_SHAPES = (re.compile("[0-9]{6,}"), re.compile(r"[0-9]+\.[0-9]+"), re.compile("[0-9]{1,4}"))


class _Shown:
    """The numbers that observations and the user have shown, read from their texts when asked."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.numbers: set[str] = set()
        self.fresh: set[str] = set()  # numbers whose values are not among the values yet
        self.values: set[str] = set()

    def has(self, said: set[str]) -> bool:
        """Whether every number was shown, in any way to write it: 7.50 is 7.5."""
        for text in self.texts:
            self.fresh.update(_readings(text))
        self.texts.clear()
        self.numbers |= self.fresh
        if said <= self.numbers:
            return True
        self.values.update(map(_value, self.fresh))
        self.fresh.clear()
        return self.values.issuperset(map(_value, said))


def blame_silence(
    trajectory: Trajectory, check: AnswerCheck, *, judged_wrong: bool
) -> Culprit | None:
    """Name the turn that said another value in place of the first expected one not said."""
    turns = agent_turns(trajectory)
    texts = wanted(check)
    if not turns or not texts:
        return None
    missing = unsaid(trajectory, check)
    if not missing and not judged_wrong:
        return None
    value = (missing or texts)[0]
    turn = _suspect(trajectory.turns, _shape(value)) or turns[-1]
    short = value if len(value) <= _LINE else f"{value[: _LINE - 1]}…"
    told = f"no turn says {short}" if missing else "the answer was judged wrong"
    return Culprit(turn.position, None, "value_never_said", None, told)


def _shape(value: str) -> re.Pattern[str] | None:
    """What kind of number a value is: long, decimal or small; None where it is none of them."""
    number = _GROUPING.sub("", value.strip().lstrip("$"))
    return next((shape for shape in _SHAPES if shape.fullmatch(number)), None)


def _suspect(turns: Sequence[Turn], shape: re.Pattern[str] | None) -> Turn | None:
    """The first turn with a value of the shape that was not shown; else the first with one."""
    if shape is None:
        return None
    first: Turn | None = None
    shown = _Shown()
    for turn in turns:
        if turn.role == "assistant" and turn.text:
            said = {number for number in _said(turn.text) if shape.fullmatch(number)}
            if said and not shown.has(said):
                return turn
            first = first or (turn if said else None)
        elif turn.role == "user" and turn.text:
            shown.texts.append(turn.text)
        shown.texts += [call.observation for call in turn.calls if call.observation]
    return first


def _said(text: str) -> list[str]:
    lines = _LIST_MARKER.sub("\n", f"\n{text[:SCANNED]}")
    return _NUMBER.findall(_GROUPING.sub("", lines))


def _readings(text: str) -> list[str]:
    """Every number of a text; ``[100,200]`` and ``1,200`` look alike, so both readings count."""
    numbers = _NUMBER.findall(text[:SCANNED])
    joined, times = _GROUPING.subn("", text[:SCANNED])
    return numbers + _NUMBER.findall(joined) if times else numbers


def _value(number: str) -> str:
    """One form for equal numbers: 7.50 and 7.5, 007 and 7."""
    whole, _, fraction = number.partition(".")
    return f"{whole.lstrip('0')}.{fraction.rstrip('0')}"
