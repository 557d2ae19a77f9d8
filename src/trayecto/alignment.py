"""Which call stands in line with which expected one, and whether its arguments are right.

Matching asks whether an expected call was made at all; alignment, which call was made in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trayecto.case import Reference
from trayecto.matching import by_tool, count_matched
from trayecto.trajectory import Call

SHORT = 64  # calls among which names are looked for one by one


class Compared(Struct, frozen=True, gc=False):
    """How the calls of a run agree with a reference.

    ``matched`` is how many of its calls were done (see ``count_matched``). Of the calls in line
    with an entry that expects arguments, ``compared`` is how many there are, ``wrong`` are those
    that were given others.
    """

    matched: int
    compared: int
    wrong: list[Call]


def compare(
    reference: Reference,
    calls: Sequence[Call],
    made: dict[str, list[Call]],
    places: Sequence[int | None],
) -> Compared:
    """Hold the attempts of a run, also given by tool, against a reference they are aligned with.

    Most references expect each tool once, with its arguments: then each entry looks at the call in
    line with it, and at others of its tool only where that is not the one.
    """
    if not reference.strict or len(reference.by_tool) < len(reference.entries):
        return _compare_any(reference, calls, made, places)
    wrong: list[Call] = []
    compared = matched = 0
    for entry, place in zip(reference.entries, places, strict=True):
        mine = made.get(entry.tool)
        if mine is None:
            continue
        if place is not None:
            compared += 1
            call = calls[place]
            if not entry.accepts(call.arguments):
                wrong.append(call)
            elif call.outcome != "error":
                matched += 1
                continue
        if len(mine) > 1 or place is None:
            matched += any(c.outcome != "error" and entry.accepts(c.arguments) for c in mine)
    return Compared(matched, compared, wrong)


def _compare_any(
    reference: Reference,
    calls: Sequence[Call],
    made: dict[str, list[Call]],
    places: Sequence[int | None],
) -> Compared:
    """The same for any reference: what competes for calls is assigned."""
    wrong: list[Call] = []
    compared = 0
    for entry, place in zip(reference.entries, places, strict=True):
        if place is not None and entry.arguments is not None:
            compared += 1
            if not entry.accepts(calls[place].arguments):
                wrong.append(calls[place])
    done = [call for call in calls if call.outcome != "error"]
    matched = count_matched(reference, made if len(done) == len(calls) else by_tool(done))
    return Compared(matched, compared, wrong)


def align(expected: Sequence[str], called: Sequence[str]) -> list[int | None]:
    """Align two sequences of names by a longest common subsequence; ties go to the earliest call.

    Returns, for each expected name, the place of its call, or None. One inserted call shifts
    nothing. Linear in calls: what a suffix of the calls can still match is kept as the bits of one
    number (Hyyrö 2004), a bit for each expected name, the last one lowest. Most short runs do not
    need it: what they called at all stands in line.
    """
    if len(called) <= SHORT:
        found = _in_line(expected, called)
        if found is not None:
            return found
    size = len(expected)
    masks: dict[str, int] = {}
    for at, name in enumerate(expected):
        masks[name] = masks.get(name, 0) | 1 << (size - 1 - at)
    wanted = [place for place, name in enumerate(called) if name in masks]
    row = whole = (1 << size) - 1
    rows = [row]  # of each suffix of the wanted calls, the shortest first; a zero bit is a match
    for place in reversed(wanted):
        mask = masks[called[place]]
        row = (row + (row & mask) | row & ~mask) & whole
        rows.append(row)
    places: list[int | None] = [None] * size
    left, best = size, size - row.bit_count()  # names that are left, and matches still to be had
    for place, after in zip(wanted, reversed(rows[:-1]), strict=True):
        asking = masks[called[place]] & (1 << left) - 1
        if not best or not asking:
            continue
        rest = asking.bit_length() - 1  # names after the first that asks for the call
        if 1 + rest - (after & (1 << rest) - 1).bit_count() == best:
            places[size - 1 - rest] = place
            left, best = rest, best - 1
    return places


def _in_line(expected: Sequence[str], called: Sequence[str]) -> list[int | None] | None:
    """The earliest place of each name after the one before; None if one was called before only."""
    places: list[int | None] = []
    start = 0
    for name in expected:
        if name in called[start:]:
            start = called.index(name, start) + 1
            places.append(start - 1)
        elif name in called:
            return None
        else:
            places.append(None)
    return places
