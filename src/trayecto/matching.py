"""Comparing the calls that were made with the calls that were expected.

Calls are matched one to one: a call never counts for two expected ones, and the size of the match
does not depend on the order in which either side is listed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice

from msgspec import Struct

from trayecto.case import Expected, Mode, Reference, canonical
from trayecto.trajectory import Call

Calls = Sequence[Call]


def assign(entries: Sequence[Expected], calls: Calls) -> list[int | None]:
    """Give each expected call a call of its own, as many as possible; ties go to the earliest.

    Returns, for each entry, the position of its call in ``calls``, or None. Entries that fix all
    arguments choose first, then those that fix some, then those that name a tool only: choosing in
    this order never costs a match, and only the second kind can compete among themselves.
    """
    matched: list[int | None] = [None] * len(entries)
    asking: dict[str, tuple[list[int], list[int], list[int]]] = {}
    for at, entry in enumerate(entries):
        kind = 2 if entry.arguments is None else 0 if entry.fixed else 1
        asking.setdefault(entry.tool, ([], [], []))[kind].append(at)
    free: dict[str, list[int]] = {tool: [] for tool in asking}
    for place, call in enumerate(calls):
        if call.tool in free:
            free[call.tool].append(place)
    for tool, places in free.items():
        strict, loose, named = asking[tool]
        _assign_equal(strict, entries, places, calls, matched)
        _assign_loose(loose, entries, places, calls, matched)
        for at, place in zip(named, places, strict=False):
            matched[at] = place
    return matched


def _assign_equal(
    asking: list[int],
    entries: Sequence[Expected],
    free: list[int],
    calls: Calls,
    matched: list[int | None],
) -> None:
    """Match entries that fix all arguments: equal canonical forms, first come, first served."""
    if not asking:
        return
    waiting: dict[bytes | None, list[int]] = {}
    for at in reversed(asking):
        waiting.setdefault(entries[at].form, []).append(at)
    left: list[int] = []
    for place in free:
        arguments = calls[place].arguments
        queue = None if isinstance(arguments, str) else waiting.get(canonical(arguments))
        if queue:
            matched[queue.pop()] = place
        else:
            left.append(place)
    free[:] = left


def _assign_loose(
    asking: list[int],
    entries: Sequence[Expected],
    free: list[int],
    calls: Calls,
    matched: list[int | None],
) -> None:
    """Match entries that leave arguments open, by augmenting paths; then take their calls.

    What an entry accepts is looked at once, and a call from which no free one can be reached is not
    searched again: the work is bounded by entries times calls.
    """
    accepted: dict[int, list[int]] = {}
    owner: dict[int, int] = {}
    lost: set[int] = set()
    for start in asking:
        came: dict[int, int] = {}  # place -> the entry that reached it
        queue = [start]
        for entry in queue:
            if entry not in accepted:
                accepts = entries[entry].accepts
                accepted[entry] = [place for place in free if accepts(calls[place].arguments)]
            reached = [p for p in accepted[entry] if p not in came and p not in lost]
            came.update(dict.fromkeys(reached, entry))
            open_ = next((place for place in reached if place not in owner), None)
            if open_ is not None:
                _turn_over(open_, came, owner, matched)
                break
            queue += [owner[place] for place in reached]
        else:
            lost |= came.keys()
    free[:] = [place for place in free if place not in owner]


def _turn_over(
    place: int, came: dict[int, int], owner: dict[int, int], matched: list[int | None]
) -> None:
    """Walk an augmenting path back: each entry takes the place that it reached."""
    step: int | None = place
    while step is not None:
        entry = came[step]
        before = matched[entry]
        owner[step], matched[entry] = entry, step
        step = before


def by_tool(calls: Calls) -> dict[str, list[Call]]:
    """Calls by their tool, each in order."""
    found: defaultdict[str, list[Call]] = defaultdict(list)
    for call in calls:
        found[call.tool].append(call)
    return dict(found)


def count_matched(reference: Reference, made: dict[str, list[Call]]) -> int:
    """How many calls of a reference were made: the size of the maximum one-to-one match.

    ``made`` are the calls by tool: calls of different tools never compete.
    """
    matched = 0
    for tool, entries in reference.by_tool.items():
        calls = made.get(tool)
        if calls is None:
            continue
        if len(entries) == 1:
            accepts = entries[0].accepts
            for call in calls:
                if accepts(call.arguments):
                    matched += 1
                    break
        else:
            matched += sum(place is not None for place in assign(entries, calls))
    return matched


def _exact(reference: Reference, calls: Calls, matched: int) -> bool:
    """Same calls, same order, nothing else; inside a group any order."""
    if not matched == len(reference.entries) == len(calls):
        return False
    if reference.plain:
        return all(e.agrees(call) for e, call in zip(reference.entries, calls, strict=True))
    start = 0
    for group in reference.groups:
        end = start + len(group)
        if None in assign(group, calls[start:end]):
            return False
        start = end
    return True


def _in_order(reference: Reference, calls: Calls, matched: int) -> bool:
    """The reference appears in order; other calls may come between."""
    if matched < len(reference.entries):
        return False
    if reference.plain:
        return _appear(reference.entries, calls)
    start = 0
    for group in reference.groups:
        end = _end_of(group, calls, start)
        if end is None:
            return False
        start = end
    return True


def _end_of(group: Sequence[Expected], calls: Calls, start: int) -> int | None:
    """Where the shortest window from ``start`` ends that holds a group: the earliest is best.

    The window is doubled until it holds the group, then halved: never one call at a time.
    """

    def holds(size: int) -> bool:
        return None not in assign(group, calls[start : start + size])

    size = len(group)
    while not holds(size):
        if start + size >= len(calls):
            return None
        size *= 2
    if size == len(group):
        return start + size
    return start + bisect_left(range(size + 1), x=True, lo=size // 2 + 1, key=holds)


def _appear(entries: Sequence[Expected], calls: Calls) -> bool:
    """Whether the entries are found one after the other: the earliest call each is best."""
    waiting = iter(entries)
    entry = next(waiting, None)
    for call in calls:
        if entry is None:
            return True
        if entry.tool == call.tool and entry.accepts(call.arguments):
            entry = next(waiting, None)
    return entry is None


def _any_order(reference: Reference, calls: Calls, matched: int) -> bool:
    """Every different expected call was made, in any order; repeats do not matter."""
    if matched == len(reference.entries):
        return True
    different = reference.different
    return len(different) < len(reference.entries) and None not in assign(different, calls)


def _superset(reference: Reference, calls: Calls, matched: int) -> bool:  # noqa: ARG001  # matchers have one shape
    """Every expected call is found in a call of its own, in any order."""
    return matched == len(reference.entries)


def _multiset(reference: Reference, calls: Calls, matched: int) -> bool:
    """The same calls, as often, in any order, and no others."""
    return matched == len(reference.entries) == len(calls)


def _subset(reference: Reference, calls: Calls, matched: int) -> bool:  # noqa: ARG001  # matchers have one shape
    """Nothing was called beyond the reference."""
    return matched == len(calls)


Matcher = Callable[[Reference, Calls, int], bool]
MATCHERS: dict[Mode, Matcher] = {
    "exact": _exact,
    "in_order": _in_order,
    "any_order": _any_order,
    "superset": _superset,
    "multiset": _multiset,
    "subset": _subset,
}


def matches(reference: Reference, calls: Calls, matched: int) -> bool:
    """Whether calls follow a reference in its own mode; ``matched`` is ``count_matched``'s."""
    return MATCHERS[reference.match](reference, calls, matched)


class Mismatch(Struct, frozen=True, gc=False):
    """Why calls do not follow a reference: what is missing, extra or out of place.

    Only what the mode forbids is listed: an extra call is no fault where extras are allowed.
    """

    missing: tuple[Expected, ...] = ()
    extra: tuple[Call, ...] = ()
    out_of_place: tuple[Call, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.missing or self.extra or self.out_of_place)


def explain_mismatch(reference: Reference, calls: Calls) -> Mismatch:
    """Say what separates calls from a reference, in the reference's mode."""
    mode = reference.match
    entries = reference.different if mode == "any_order" else reference.entries
    places = assign(entries, calls)
    used = {place for place in places if place is not None}
    missing = [e for e, place in zip(entries, places, strict=True) if place is None]
    extra = [call for place, call in enumerate(calls) if place not in used]
    stray: list[Call] = []
    if mode in ("exact", "in_order") and not missing and not _in_order(reference, calls, len(used)):
        keep = _longest_increasing(_in_groups(reference, places))
        stray = [calls[place] for place in sorted(used - keep)]
    return Mismatch(
        tuple(missing) if mode != "subset" else (),
        tuple(extra) if mode in ("exact", "multiset", "subset") else (),
        tuple(stray),
    )


def _in_groups(reference: Reference, places: Sequence[int | None]) -> list[int]:
    """The places of the matched calls in the reference's order; a group has none inside."""
    rest = iter(places)
    order: list[int] = []
    for group in reference.groups:
        order += sorted(place for place in islice(rest, len(group)) if place is not None)
    return order


def _longest_increasing(numbers: Sequence[int]) -> set[int]:
    """The members of a longest increasing subsequence (patience sorting)."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(tails, number)
        before[number] = tails[at - 1] if at else None
        tails[at : at + 1] = [number]
    kept: set[int] = set()
    last = tails[-1] if tails else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept
