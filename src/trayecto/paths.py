"""Paths into a JSON value: keys and places joined by points (``orders.P-3.items.0``).

A key may hold points itself: of the ways to read a path, the one with the longest first key that is
there is taken.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, UnsetType

from trayecto.trajectory import Json

Keys: TypeAlias = tuple[str, ...]


def resolve(value: Json, path: str) -> Keys | None:
    """The keys of a path in a value; None where nothing stands there."""
    keys: list[str] = []
    rest = path
    while rest:
        inner = inside(value)
        head = rest
        while head and head not in inner:
            head = head.rpartition(".")[0]
        if not head:
            return None
        keys.append(head)
        value, rest = inner[head], rest[len(head) + 1 :]
    return tuple(keys)


def find(value: Json, path: str) -> Json | UnsetType:
    """What stands at a path; UNSET where nothing does."""
    keys = resolve(value, path)
    if keys is None:
        return UNSET
    for key in keys:
        value = inside(value)[key]
    return value


def without(value: dict[str, Json], path: str) -> dict[str, Json]:
    """A mapping without what stands at a path in mappings; itself where nothing does."""
    keys = resolve(value, path)
    if keys is None:
        return value
    first, rest = keys[0], path[len(keys[0]) + 1 :]
    if not rest:
        return {key: inner for key, inner in value.items() if key != first}
    inner = value[first]
    return {**value, first: without(inner, rest)} if isinstance(inner, dict) else value


def inside(value: Json) -> dict[str, Json]:
    """What lies in a mapping or a list, by key or place; nothing in any other value."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(place): one for place, one in enumerate(value)}
    return {}
