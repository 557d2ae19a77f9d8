"""What is wrong with one line of a BFCL file: where inside it, and a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from trayecto.case_formats._problems import Path
from trayecto.errors import choose, quoted
from trayecto.trajectory import Json


class FaultError(ValueError):
    """Something that stands in a line and cannot be used; its reader notes it with the line."""

    def __init__(self, path: Path, sentence: str) -> None:
        """Keep the place inside the line and what is wrong there."""
        super().__init__(sentence)
        self.path = path
        self.sentence = sentence


def as_mapping(value: Json, path: Path) -> dict[str, Json]:
    """The value, which must be a mapping."""
    if not isinstance(value, dict):
        raise FaultError(path, f"{quoted(value)} is not a mapping")
    return value


def as_list(value: Json, path: Path) -> list[Json]:
    """The value, which must be a list."""
    if not isinstance(value, list):
        raise FaultError(path, f"{quoted(value)} is not a list")
    return value


def as_text(value: Json, path: Path) -> str:
    """The value, which must be text with something in it."""
    if not isinstance(value, str) or not value:
        raise FaultError(path, f"{quoted(value)} is not text" if value != "" else "is empty")
    return value


def field(mapping: Mapping[str, Json], name: str, path: Path) -> Json:
    """The value of a field that must be there."""
    if name not in mapping:
        found = choose(name, sorted(mapping)[:20]).removeprefix("choose ") if mapping else "none"
        raise FaultError(path, f"field {name!r} is missing; there are: {found}")
    return mapping[name]
