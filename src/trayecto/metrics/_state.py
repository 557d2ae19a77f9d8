"""The final state held against what a case wants of it: one rule for final_state and success."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from trayecto.case import StateCheck
from trayecto.tolerance import same
from trayecto.trajectory import Json, Trajectory


def broken(trajectory: Trajectory, check: StateCheck) -> list[str] | None:
    """The paths where an assertion does not hold; None where the trace tells no final state."""
    state = trajectory.final_state
    if state is None:
        return None
    wrong = [
        path
        for path, expected in check.equals.items()
        if (found := find(state, path)) is UNSET or not same(found, expected)
    ]
    return wrong + [path for path in check.absent if find(state, path) is not UNSET]


def changed(trajectory: Trajectory, check: StateCheck) -> list[str] | None:
    """The paths that changed and are not named by an assertion; None where it cannot be told."""
    before, after = trajectory.initial_state, trajectory.final_state
    if before is None or after is None:
        return None
    return list(_changes(before, after, "", {*check.equals, *check.absent}))


def find(value: Json, path: str) -> Json | UnsetType:
    """What stands at a path (``orders.P-3.items.0``); UNSET where nothing does.

    A key may hold points itself: the longest one that is there is taken.
    """
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        if not head.isdecimal() or not head.isascii() or int(head) >= len(value):
            return UNSET
        return find(value[int(head)], rest) if rest else value[int(head)]
    if not isinstance(value, dict):
        return UNSET
    head = path
    while head:
        if head in value:
            rest = path[len(head) + 1 :]
            return find(value[head], rest) if rest else value[head]
        head = head.rpartition(".")[0]
    return UNSET


def _changes(
    before: Json | UnsetType, after: Json | UnsetType, path: str, free: set[str]
) -> Iterator[str]:
    """The paths at which two states differ, as deep as they can be told apart."""
    inside = _inside(before), _inside(after)
    if inside == ({}, {}):
        if before is UNSET or after is UNSET or not same(before, after):
            yield path
        return
    for key in dict.fromkeys([*inside[0], *inside[1]]):
        place = f"{path}.{key}" if path else key
        if place not in free:
            one, other = inside[0].get(key, UNSET), inside[1].get(key, UNSET)
            yield from _changes(one, other, place, free)


def _inside(value: Json | UnsetType) -> dict[str, Json]:
    """What lies in a mapping or a list, by key or place; nothing in any other value."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(place): one for place, one in enumerate(value)}
    return {}
