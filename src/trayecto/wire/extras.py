"""The fields of a record that its format does not know, kept as they stand in the file."""

from __future__ import annotations

from collections.abc import Container

from msgspec import DecodeError, Raw
from msgspec.json import Decoder

from trayecto.trajectory import Json
from trayecto.wire.json import decode as decode_json
from trayecto.wire.json import too_deep

_decode = Decoder(dict[str, Raw]).decode


def unknown_fields(raw: bytes, known: Container[str]) -> dict[str, Json]:
    """The fields of a record that are not among the known ones; none where it is no object."""
    if raw.lstrip()[:1] != b"{":
        return {}
    return {key: _value(bytes(text)) for key, text in _decode(raw).items() if key not in known}


def _value(raw: bytes) -> Json:
    """A field's value; its text where it cannot be decoded, or is too deep to be written again."""
    try:
        value = decode_json.decode(raw)
    except (DecodeError, RecursionError):
        return raw.decode(errors="backslashreplace")
    return raw.decode() if too_deep(value) else value  # type: ignore[return-value]  # decoded JSON
