"""The final state held against what a case wants of it: one rule for final_state and success."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import UNSET, UnsetType

from trayecto.case import StateCheck
from trayecto.paths import Keys, find, inside, resolve
from trayecto.tolerance import same
from trayecto.trajectory import Json, Trajectory

Place: TypeAlias = Json | UnsetType


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
    named = [*check.equals, *check.absent]
    free = {resolve(state, path) for path in named for state in (before, after)}
    return [".".join(keys) for keys in _changes(before, after, (), free)]


def _changes(before: Place, after: Place, keys: Keys, free: set[Keys | None]) -> Iterator[Keys]:
    """The places at which two states differ, as deep as they can be told apart.

    What did not exist and now holds something is looked into: what is named may be all of it. What
    was another kind of value before, or is gone, has changed itself.
    """
    if keys in free:
        return
    kinds = _kind(before), _kind(after)
    if kinds[0] != kinds[1] and (before is not UNSET or not _inner(after)):
        yield keys
        return
    if kinds[1] == "value":
        if not same(before, after):  # type: ignore[arg-type]  # neither of them is absent
            yield keys
        return
    one, other = _inner(before), _inner(after)
    for key in dict.fromkeys([*one, *other]):
        yield from _changes(one.get(key, UNSET), other.get(key, UNSET), (*keys, key), free)


def _kind(value: Place) -> str:
    if value is UNSET:
        return "absent"
    return "map" if isinstance(value, dict) else "list" if isinstance(value, list) else "value"


def _inner(value: Place) -> dict[str, Json]:
    return {} if value is UNSET else inside(value)
