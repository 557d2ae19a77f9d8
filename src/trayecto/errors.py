"""What can go wrong, as values a person can act on.

    TrayectoError            anything this package raises on purpose
    ├── InputError           a file, record, field or value that cannot be used (exit code 2)
    └── UsageError           a command line or a call that cannot be carried out (exit code 2)

A programming error is not in this tree: it keeps its traceback. An error says where it is, what was
found, what is allowed and what may have been meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

SHOWN = 80  # characters of a value that an error repeats


class TrayectoError(Exception):
    """The root of every error that this package raises on purpose."""


class InputError(TrayectoError):
    """A file, record, field or value that cannot be used.

    ``place`` is ``file``, ``file:line`` or ``file:line: field``; ``problem`` is a sentence.
    """

    def __init__(self, place: str, problem: str) -> None:
        """Keep place and problem apart, so that a folder's report can list both."""
        super().__init__(f"{one_line(place)}: {problem}")
        self.place = place
        self.problem = problem


class UsageError(TrayectoError):
    """A command line or a call that cannot be carried out as asked."""


def choose(value: str, allowed: Iterable[str]) -> str:
    """Say what is allowed instead of ``value``, and the likeliest thing that was meant.

    >>> choose("in_oder", ["exact", "in_order"])
    "choose exact, in_order. Did you mean 'in_order'?"
    """
    options = list(allowed)
    near = get_close_matches(value, options, n=1, cutoff=0.6)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"choose {', '.join(options)}.{meant}"


def shown(path: object) -> str:
    """A path as text that any encoding of Unicode can write: other bytes as their escapes."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def one_line(place: str) -> str:
    """A place whose file has a name of several lines, shown as one."""
    return place.replace("\n", "␊")


def quoted(value: object) -> str:
    """Show a value in an error: as Python writes it, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
