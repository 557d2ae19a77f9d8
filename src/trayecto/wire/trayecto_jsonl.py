"""Our own line: a trajectory as JSON, with the name and version of its shape."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.json import Decoder, Encoder

from trayecto.errors import InputError, quoted
from trayecto.trajectory import Trajectory
from trayecto.wire.json import number

NAME = "trayecto.trajectory/"
VERSION = NAME + "1"


class _Line(Struct, frozen=True, gc=False):
    format: str
    trajectory: Trajectory


_decode = Decoder(_Line, float_hook=number).decode
_encode = Encoder().encode


def encode(trajectory: Trajectory) -> bytes:
    """Write a trajectory as one line, without the line's end."""
    return _encode(_Line(VERSION, trajectory))


def decode(raw: bytes) -> Trajectory:
    """Read a line back; raises InputError where it is of another version."""
    line = _decode(raw)
    if line.format != VERSION:
        raise InputError(
            "", f"format {quoted(line.format)} is not {VERSION!r}: written by another version"
        )
    return line.trajectory


def schema() -> dict[str, object]:
    """The JSON Schema of a line."""
    return msgspec.json.schema(_Line, schema_hook=lambda _: {"description": "any JSON value"})
