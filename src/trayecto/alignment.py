"""Which call stands in line with which expected one, and whether its arguments are right.

Matching asks whether an expected call was made at all; alignment, which call was made in its place.
Where a reference gives no order (between the calls of a group, and in the modes that ask for none),
none is looked for: a call with the right arguments stands in line, else any other of its tool.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trayecto.case import Mode, Reference, canonical
from trayecto.matching import assign, by_tool, count_matched
from trayecto.trajectory import Call

SEQUENCES: frozenset[Mode] = frozenset({"exact", "in_order"})
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


def align_calls(
    reference: Reference, calls: Sequence[Call], tools: Sequence[str]
) -> list[int | None]:
    """The place of each entry's call among the calls of a run, whose names are ``tools``.

    In order, by a longest common subsequence of names (see ``align``); the calls of a group come in
    the order in which they were made. In modes without an order each entry takes the call that it
    was matched with, and then what is left of its tool, by arguments, whenever it was made.
    """
    in_order = reference.match in SEQUENCES
    if in_order and reference.plain:
        return align(reference.tools, tools)
    taken = assign(reference.entries, calls)
    if not in_order:
        return _fill_by_arguments(reference, calls, taken)
    taken = _fill(reference, calls, taken)
    order: list[int] = []
    for group in reference.groups:
        places = range(len(order), len(order) + len(group))
        order += sorted(places, key=lambda at: (taken[at] is None, taken[at] or 0))
    found = align([reference.tools[at] for at in order], tools)
    listed = align(reference.tools, tools)
    if listed.count(None) < found.count(None):  # calls of other groups have led astray
        return listed
    result: list[int | None] = [None] * len(order)
    for at, place in zip(order, found, strict=True):
        result[at] = place
    return result


def _fill(reference: Reference, calls: Sequence[Call], taken: list[int | None]) -> list[int | None]:
    """Give entries that no call agrees with the earliest call that is left of their tools."""
    left = _left(calls, taken) if None in taken else {}
    return [
        left[tool].pop(0) if place is None and left.get(tool) else place
        for tool, place in zip(reference.tools, taken, strict=True)
    ]


def _fill_by_arguments(
    reference: Reference, calls: Sequence[Call], taken: list[int | None]
) -> list[int | None]:
    """The same whenever the calls were made: entries that name a tool only take what is left over.

    The others take the calls that are left in the order of their arguments.
    """
    open_ = [entry.arguments is None for entry in reference.entries]
    if None not in taken and not any(open_):
        return taken
    found = [None if free else place for place, free in zip(taken, open_, strict=True)]
    left = _left(calls, found)
    for places in left.values():
        places.sort(key=lambda place: canonical(calls[place].arguments))
    for at in sorted(range(len(found)), key=open_.__getitem__):
        if found[at] is None and left.get(reference.tools[at]):
            found[at] = left[reference.tools[at]].pop(0)
    return found


def _left(calls: Sequence[Call], taken: list[int | None]) -> dict[str, list[int]]:
    """The places of the calls that no entry has taken, by tool."""
    used = {place for place in taken if place is not None}
    left: dict[str, list[int]] = {}
    for place, call in enumerate(calls):
        if place not in used:
            left.setdefault(call.tool, []).append(place)
    return left


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
