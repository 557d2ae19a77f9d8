"""The texts in the arguments of a call, as they were meant: without JSON's escapes."""

from __future__ import annotations

from collections.abc import Iterator

from trayecto.case import canonical
from trayecto.trajectory import Call, Json


def texts_of(call: Call) -> str:
    """Every key and value of the arguments, a line each; raw text as it is."""
    if isinstance(call.arguments, str):
        return call.arguments
    return "\n".join(_texts(call.arguments))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    else:
        yield value if isinstance(value, str) else canonical({"": value}).decode()
