"""Where two runs of one task part: the first step that is not the same on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from trayecto.comparison import How, Parting
from trayecto.decisions._arm import Step
from trayecto.document import shorten


def parting(base: Sequence[Step], candidate: Sequence[Step]) -> Parting:
    """The first step at which tool or arguments differ, or one of the runs has ended.

    Steps are counted from 1 in what is given: all calls, or only those that write.
    """
    for number, (one, other) in enumerate(zip_longest(base, candidate), 1):
        if one is None or other is None:
            return _parted("ended", number, one, other)
        if one.tool != other.tool:
            return _parted("tool", number, one, other)
        if one.arguments != other.arguments:
            return _parted("arguments", number, one, other)
    return _parted("none", None, None, None)


def _parted(what: How, step: int | None, base: Step | None, candidate: Step | None) -> Parting:
    return Parting(
        what=what,
        step=step,
        base_turn=None if base is None else base.turn,
        candidate_turn=None if candidate is None else candidate.turn,
        base_tool=None if base is None else shorten(base.tool),
        candidate_tool=None if candidate is None else shorten(candidate.tool),
    )
