"""What is wrong with a case file, collected so that all of it is reported together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from trayecto.errors import InputError, one_line

Path: TypeAlias = "tuple[str | int, ...]"

SHOWN = 20  # problems that one error lists; the rest are counted
_PLAIN = re.compile(r"[\w.-]+")


class Spot(Struct, frozen=True):
    """Where a value stands: its line, and the spots of the values inside it, by key or position.

    The spot of a key's value is the line of the key: there a person looks first.
    """

    line: int
    inner: dict[str | int, Spot] = {}

    def find(self, path: Iterable[str | int]) -> int:
        """The line of the value at a path, or of the deepest known value around it."""
        spot = self
        for part in path:
            if part not in spot.inner:
                break
            spot = spot.inner[part]
        return spot.line


class Problem(Struct, frozen=True):
    """One thing that is wrong: where (line 0: the file as a whole), and a sentence."""

    line: int
    path: Path
    sentence: str


class Problems:
    """The problems of one file; counts them all, keeps the first ones."""

    def __init__(self, file: str) -> None:
        """Start with none, for the file of this name."""
        self.file = file
        self.kept: list[Problem] = []
        self.count = 0

    @property
    def full(self) -> bool:
        """Whether more problems are only counted."""
        return len(self.kept) >= SHOWN

    def add(self, line: int, path: Path, sentence: str) -> None:
        """Note a problem."""
        self.count += 1
        if not self.full:
            self.kept.append(Problem(line, path, sentence))

    def check(self) -> None:
        """Raise one InputError that lists the problems, in the order of the file, if any."""
        if not self.kept:
            return
        first, *rest = sorted(self.kept, key=lambda problem: problem.line)
        lines = [first.sentence]
        lines += [f"{one_line(place(self.file, each))}: {each.sentence}" for each in rest]
        if self.count > len(self.kept):
            lines.append(f"and {self.count - len(self.kept)} more")
        raise InputError(place(self.file, first), "\n".join(lines))


def place(file: str, problem: Problem) -> str:
    """Write ``file``, ``file:line`` or ``file:line: field``."""
    where = f"{file}:{problem.line}" if problem.line else file
    return f"{where}: {written(problem.path)}" if problem.path else where


def written(path: Path) -> str:
    """Write a path as a person would: ``cases[3].match``; positions count from 0.

    >>> written(("cases", 3, "scope", "get.id"))
    'cases[3].scope.get.id'
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f"[{part[:80]!r}]"
    return text
