"""Strict YAML: what a person reads is what is loaded, and every value knows its line.

Scalars are those of YAML 1.2, less those that surprise: ``no``, ``on``, ``12:30``, ``012``,
``1_000``, ``+56`` and dates are text. Aliases, anchors, merge keys, tags, repeated keys, keys that
are not text, infinities and a second document are refused.

The document is built from the parser's events in one loop, without recursion: limits hold while
reading, so neither depth nor size can exhaust the machine.
"""

from __future__ import annotations

import re

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from trayecto.case_formats._problems import Problems, Spot
from trayecto.case_formats._source import DEPTH, DIGITS, NODES, TEXT
from trayecto.errors import quoted
from trayecto.trajectory import Json
from trayecto.wire.json import number

_TOO_DEEP = f"nested deeper than {DEPTH} levels"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml is absent on some platforms
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_NUMERIC = frozenset("-+.0123456789")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_A_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_NOTHING: dict[str | int, Spot] = {}  # inside a scalar


class _Open:
    """A collection that is being read, ``at`` its place in the one around it.

    ``key`` waits for its value; ``lines`` are those of every key, for naming both where one is
    repeated.
    """

    __slots__ = ("at", "key", "lines", "spot", "value")

    def __init__(self, value: list[Json] | dict[str, Json], spot: Spot, at: str | int) -> None:
        self.value = value
        self.spot = spot
        self.at = at
        self.key: str | None = None
        self.lines: dict[str, int] = {}

    @property
    def wants_key(self) -> bool:
        """Whether what comes next is a key."""
        return self.key is None and isinstance(self.value, dict)

    @property
    def next(self) -> str | int:
        """Where the next value goes."""
        return len(self.value) if self.key is None else self.key


class _Builder:
    """Turns events into one value and its spot, noting problems on the way."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.stack: list[_Open] = []
        self.root: tuple[Json, Spot] | None = None
        self.nodes = 0

    def feed(self, event: Event) -> bool:
        """Take the next event; False where reading must stop."""
        if isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self.stack.pop()
        elif isinstance(event, NodeEvent):
            return self._take_node(event)
        elif isinstance(event, DocumentStartEvent) and self.root is not None:
            return self._stop(event, "a second document begins here; a case file holds one")
        return True

    def _take_node(self, event: NodeEvent) -> bool:
        self.nodes += 1
        if self.nodes > NODES:
            return self._stop(event, f"more than {NODES:,} values; write the cases as JSON lines")
        self._refuse_extras(event)
        parent = self.stack[-1] if self.stack else None
        is_key = parent is not None and parent.wants_key
        if isinstance(event, ScalarEvent):
            if len(event.value) > TEXT:
                return self._stop(event, f"a text is longer than {TEXT:,} characters")
            if parent is not None and is_key:
                self._take_key(parent, event)
            else:
                self._put(self._scalar(event), event)
        elif is_key:
            return self._stop(event, "a key must be text, not a list, a mapping or an alias")
        elif isinstance(event, AliasEvent):
            self._put(None, event)
        else:
            return self._open(event)
        return True

    def _open(self, event: Event) -> bool:
        if len(self.stack) >= DEPTH:
            return self._stop(event, _TOO_DEEP)
        value: list[Json] | dict[str, Json] = [] if isinstance(event, SequenceStartEvent) else {}
        at = self.stack[-1].next if self.stack else ""
        self.stack.append(_Open(value, self._put(value, event), at))
        return True

    def _take_key(self, parent: _Open, event: ScalarEvent) -> None:
        key, line = event.value, _line(event)
        if event.implicit[0] and key == "<<":
            self._note(event, "merge keys are not allowed; write the fields out")
        elif event.implicit[0] and not isinstance(self._scalar(event), str):
            self._note(event, f"key {key[:80] or 'null'} is not text; put it in quotes")
        elif key in parent.lines:
            first = parent.lines[key]
            self._note(event, f"key {quoted(key)} stands twice: lines {first} and {line}")
        parent.lines.setdefault(key, line)
        parent.key = key

    def _put(self, value: Json, event: Event) -> Spot:
        """Place a value where it belongs: under the waiting key, in the list, or at the root."""
        inner = {} if isinstance(value, (dict, list)) else _NOTHING
        if not self.stack:
            spot = Spot(_line(event), inner)
            self.root = (value, spot)
            return spot
        parent = self.stack[-1]
        if isinstance(parent.value, list):
            spot = Spot(_line(event), inner)
            parent.spot.inner[len(parent.value)] = spot
            parent.value.append(value)
            return spot
        key = str(parent.key)
        spot = parent.spot.inner[key] = Spot(parent.lines[key], inner)
        parent.value[key] = value
        parent.key = None
        return spot

    def _scalar(self, event: ScalarEvent) -> Json:
        text: str = event.value
        if not event.implicit[0]:  # quoted or a block
            return text
        if text in _WORDS:
            return _WORDS[text]
        if text[0] not in _NUMERIC:
            return text
        if not _INTEGER.fullmatch(text):
            return self._decimal(text, event)
        if len(text) > DIGITS:
            self._note(event, f"a number of {len(text):,} digits; {DIGITS:,} are the limit")
            return None
        return int(text)

    def _decimal(self, text: str, event: ScalarEvent) -> Json:
        if _NOT_A_NUMBER.fullmatch(text):
            self._note(event, f"{text} is no number that could be compared; put text in quotes")
        elif _DECIMAL.fullmatch(text):
            try:
                return number(text)
            except ValueError as problem:
                self._note(event, str(problem))
        return text

    def _refuse_extras(self, event: NodeEvent) -> None:
        if isinstance(event, AliasEvent):
            self._note(event, f"alias *{event.anchor} is not allowed; write the value out")
            return
        if event.anchor is not None:
            self._note(event, f"anchor &{event.anchor} is not allowed")
        tag: str | None = event.tag  # type: ignore[attr-defined]  # the stubs forget it
        if tag is not None:
            self._note(event, f"tag {quoted(tag)} is not allowed; values are plain YAML")

    def _note(self, event: Event, sentence: str) -> None:
        """Note a problem with the value that comes next, or with a key of the open mapping."""
        path: list[str | int] = [level.at for level in self.stack[1:]]
        if self.stack and not self.stack[-1].wants_key:
            path.append(self.stack[-1].next)
        self.problems.add(_line(event), tuple(path), sentence)

    def _stop(self, event: Event, sentence: str) -> bool:
        self.problems.add(_line(event), (), sentence)
        return False


def _line(event: Event) -> int:
    """The line an event begins on, from 1."""
    mark = event.start_mark
    return mark.line + 1 if mark else 1


def load(text: str, problems: Problems) -> tuple[Json, Spot]:
    """Read one YAML document: its value, and where everything in it stands.

    Problems are added to ``problems``; the value is of use only where there are none.
    """
    builder = _Builder(problems)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if not builder.feed(event):
                break
    except yaml.MarkedYAMLError as problem:
        _explain(problem, text, problems)
    except yaml.reader.ReaderError:
        found = yaml.reader.Reader.NON_PRINTABLE.search(text)
        at = found.start() if found else 0
        character = f"character U+{ord(text[at]):04X} is not allowed in YAML"
        problems.add(text.count("\n", 0, at) + 1, (), character)
    return builder.root or (None, Spot(1))


def _explain(problem: yaml.MarkedYAMLError, text: str, problems: Problems) -> None:
    """Say in our words where the syntax breaks; a tab is named, being invisible."""
    mark = problem.problem_mark or problem.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if problem.problem and "nesting" in problem.problem:
        problems.add(line, (), _TOO_DEEP)
        return
    lines = text.splitlines()
    line = min(line, len(lines))  # the end of the file is a line of its own to the parser
    shown = lines[line - 1]
    if "\t" in shown[: len(shown) - len(shown.lstrip())]:
        problems.add(line, (), "a tab indents this line; YAML wants spaces")
        return
    begun = problem.context_mark
    since = f" (from line {begun.line + 1})" if begun and begun.line + 1 < line else ""
    what = ", ".join(part for part in (problem.context, problem.problem) if part) + since
    problems.add(line, (), f"is not YAML: {what} (column {column})")
