"""Files and the records in them: a line, an item of a list, or the whole document."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder

from trayecto.errors import InputError, quoted, shown
from trayecto.records import Record, Rejected
from trayecto.wire.json import decode as decode_json
from trayecto.wire.json import keep_lone_surrogates, outgrown, repeated_key

Layout: TypeAlias = Literal["lines", "list", "document"]

RECORD_LIMIT = 64 << 20  # bytes of one record
LIST_LIMIT = 256 << 20  # bytes of a file that is one JSON list, which has to be held whole
LARGE = 1 << 20  # bytes of a record that is looked at before it is decoded
TOO_DEEP = "nested deeper than this can be read"
REASON = 400  # characters of a reason: a decoder's may repeat what it found
LOOKED_AT = 50  # lines or items to look through for a first good one
PIECE = 1 << 20  # bytes of a line that is passed over, at a time
BATCH = 24  # records that are decoded before they are built
START = 4096  # bytes that tell what a file cannot be
FAULTS = (msgspec.DecodeError, RecursionError, InputError)  # what makes a record unreadable
T = TypeVar("T")
_ITEMS: Decoder[list[Raw]] = Decoder(list[Raw])
_ANY: Decoder[Raw] = Decoder(Raw)
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "a zip archive",
    b"PAR1": "Parquet",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"SQLite format 3": "an SQLite database",
}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARKS = re.compile(rb'"[^"\\\n]*(?:\\.[^"\\\n]*)*+"?|[\[\]{},]')  # strings, brackets, commas


class Outgrown(Struct, frozen=True):
    """Stands for a value that is not decoded, being too large or too deep, and says why."""

    why: str


class File:
    """One trace file: how it is laid out, its first record, and all its records in order.

    Of a file that grows while it is read, as much is read as there was when it was opened.
    """

    def __init__(
        self, path: Path, name: str | None = None, *, strict: bool = False, extras: bool = False
    ) -> None:
        """Look at the file's first bytes; raise InputError where it cannot be a trace.

        ``strict`` and ``extras`` say how its records are to be read: see ``formats.read``.
        """
        self.path = path
        self.name = shown(path) if name is None else name
        self.strict = strict
        self.extras = extras
        self.size = 0
        self.start = self._open_start()

    @property
    def stem(self) -> str:
        """The file's name without its ending: the candidate, where a format names none."""
        return shown(self.path.stem)

    def _open_start(self) -> bytes:
        with self._told():
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise InputError(self.name, "is not a regular file")
            with self.path.open("rb") as file:
                start = file.read(START)
                self.size = os.fstat(file.fileno()).st_size
        for magic, kind in _MAGIC.items():
            if start.startswith(magic):
                raise InputError(self.name, f"is {kind}, which is not read as a trace")
        if start.startswith(_UTF16) or start[:2].count(b"\0") == 1:
            raise InputError(self.name, "is UTF-16, expected UTF-8")
        if len(start) < START and not start.removeprefix(codecs.BOM_UTF8).strip():
            raise InputError(self.name, "is empty: it holds no record")
        return start

    @property
    def grew(self) -> bool:
        """Whether there is more in the file by now than there was when it was opened."""
        try:
            return self.path.stat().st_size > self.size
        except OSError:  # it was removed
            return False

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise InputError where the system refuses."""
        try:
            yield
        except OSError as problem:
            raise InputError(self.name, (problem.strerror or str(problem)).lower()) from None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line that is not blank, with its number, one at a time."""
        with self._told():
            file = self.path.open("rb", buffering=1 << 20)
        with file:
            for number, line in enumerate(_limited(file.readline, self.size), 1):
                text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                if not text.isspace() and text:
                    yield number, text

    def whole(self) -> bytes:
        """The whole file, for documents that cannot be read piece by piece."""
        if self.size > LIST_LIMIT:
            raise InputError(
                self.name, f"is one JSON document of {self.size:,} bytes; write a record a line"
            )
        with self._told(), self.path.open("rb") as file:
            return file.read(self.size).removeprefix(codecs.BOM_UTF8)

    @cached_property
    def layout(self) -> Layout:
        """Whether the file holds a record a line, one JSON list, or one JSON document."""
        return self._looked[0]

    @property
    def first(self) -> object:
        """The first record that can be read: what a format recognises its files by."""
        return self._looked[1]

    def samples(self) -> Iterator[object]:
        """The first records that can be read: a file may begin with something else."""
        for _, raw in islice(self.records(), LOOKED_AT):
            known, value = _try(raw)
            if known and not isinstance(value, Outgrown):
                yield value

    @cached_property
    def _looked(self) -> tuple[Layout, object]:
        lines = self.lines()
        _, line = next(lines, (0, b""))
        if not line:
            raise InputError(self.name, "is empty: it holds no record")
        alone = _one_value(line)
        if alone is not None and next(lines, None) is None:
            if isinstance(alone[1], Outgrown):
                raise InputError(self.name, f"holds no record that can be read: {alone[1].why}")
            return alone
        known, value = (False, None) if alone is None else _try(line)
        whole = known and not isinstance(value, Outgrown)
        return ("lines", value) if whole else self._look_deeper(line.strip())

    def _look_deeper(self, line: bytes) -> tuple[Layout, object]:
        """Find the layout of a file whose first line is not a value of its own."""
        opened = line[:1]
        limits = {b"[": LIST_LIMIT, b"{": min(LIST_LIMIT, RECORD_LIMIT)}  # which is one record
        if self.size <= limits.get(opened, -1):
            alone = _one_value(self.whole())
            if alone is not None and not isinstance(alone[1], Outgrown):
                return alone
        if line == b"{":
            raise InputError(self.name, "is one JSON document, and a broken one")
        ways: list[tuple[Layout, Iterable[tuple[int, bytes]]]] = [("lines", self.lines())]
        if opened == b"[":  # an item a line looks like lines of records, but for its commas
            goes_on = line == opened or line.endswith(b",")
            ways.insert(0 if goes_on else 1, ("list", self._cut_list()))
        why = ""
        for layout, pieces in ways:
            for _, piece in islice(pieces, LOOKED_AT):
                known, value = _try(piece)
                if known and isinstance(value, (dict, list)):
                    return layout, value
                if isinstance(value, Outgrown):
                    why = why or f"holds no record that can be read: {value.why}"
        raise InputError(self.name, why or "is not JSON, nor a list or lines of JSON records")

    def records(self) -> Iterator[tuple[int, bytes]]:
        """Every record with its number: a line, or an item of a list; a document is record 1."""
        if self.layout == "lines":
            return self.lines()
        return self._items() if self.layout == "list" else iter([(1, self.whole())])

    def _items(self) -> Iterator[tuple[int, bytes]]:
        try:
            items = _ITEMS.decode(self.whole())
        except (msgspec.DecodeError, RecursionError):
            return self._cut_list()
        return ((number, bytes(item)) for number, item in enumerate(items, 1))

    def _cut_list(self) -> Iterator[tuple[int, bytes]]:
        """The items of a list that breaks somewhere: the good ones, then the broken rest as one."""
        text = self.whole()
        at, number, depth = text.index(b"[") + 1, 1, 0
        for found in _MARKS.finditer(text, at):
            mark = found.group()
            if mark in (b"[", b"{"):
                depth += 1
            elif mark in (b"]", b"}") and depth:
                depth -= 1
            elif not depth and mark in (b",", b"]"):
                item = text[at : found.start()].strip()
                at = found.end()
                if item:
                    yield number, item
                    number += 1
                if mark == b"]":
                    break
        if rest := text[at:].strip():
            yield number, rest


def _limited(readline: Callable[[int], bytes], size: int) -> Iterator[bytes]:
    """Lines of so many bytes; of one that is longer than a record may be, only the start."""
    while line := readline(min(RECORD_LIMIT + 1, size)):
        size -= len(line)
        yield line
        cut = len(line) > RECORD_LIMIT
        while cut and line and not line.endswith(b"\n"):
            line = readline(min(PIECE, size))
            size -= len(line)


def _try(raw: bytes) -> tuple[bool, object]:
    """Decode JSON if it can be decoded; what is too large for that is looked at as text only."""
    try:
        if len(raw) > LARGE:
            if len(raw) <= RECORD_LIMIT:
                _ANY.decode(raw)  # is it JSON? This builds nothing
            why = _too_large(raw)
            if why is not None:
                return True, Outgrown(why)
        return True, decode_json.decode(raw)
    except RecursionError:
        return True, Outgrown(TOO_DEEP)
    except msgspec.DecodeError:
        kept = keep_lone_surrogates(raw)
        return _try(kept) if kept is not None else (False, None)


def _too_large(raw: bytes) -> str | None:
    """Say why a large record is not decoded; None where it may be."""
    if len(raw) > RECORD_LIMIT and len(raw.rstrip(b"\r\n")) > RECORD_LIMIT:
        return f"longer than {RECORD_LIMIT:,} bytes"
    return outgrown(raw)


def _one_value(raw: bytes) -> tuple[Layout, object] | None:
    """The layout of text that is one JSON value, with its first record; None where it is not.

    A list is not decoded for the sake of its first good item.
    """
    if raw.lstrip()[:1] != b"[":
        known, value = _try(raw)
        return ("document", value) if known else None
    try:
        items = _ITEMS.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
    for item in items[:LOOKED_AT]:
        known, value = _try(bytes(item))
        if known:
            return "list", value
    return None if items else ("list", None)


def read_each(
    file: File,
    decode: Callable[[bytes], T],
    build: Callable[[int, bytes, T], Record],
    records: Iterable[tuple[int, bytes]] | None = None,
) -> Iterator[Record | Rejected]:
    """Build a trajectory from every record of a file; what cannot be built is rejected by name.

    A few records are decoded before the first of them is built: the processor does either faster
    when it need not change between the two. ``records`` are the file's own, unless the format cuts
    the file in another way.
    """
    for batch in _batches(file.records() if records is None else records):
        decoded = [_decode(file, decode, raw) for _, raw in batch]
        for (number, raw), value in zip(batch, decoded, strict=True):
            try:
                if isinstance(value, Exception):
                    raise value
                yield build(number, raw, value)
            except FAULTS as problem:
                yield _read_again(file, number, raw, lambda n, r: build(n, r, decode(r)), problem)


def _batches(records: Iterable[tuple[int, bytes]]) -> Iterator[list[tuple[int, bytes]]]:
    """A few records at a time; fewer where they are large, so that they still fit in memory."""
    batch: list[tuple[int, bytes]] = []
    size = 0
    for record in records:
        batch.append(record)
        size += len(record[1])
        if len(batch) == BATCH or size > LARGE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _decode(file: File, decode: Callable[[bytes], T], raw: bytes) -> T | Exception:
    """Decode a record, or say why it cannot be; what is too large is not decoded at all."""
    try:
        if file.strict:
            _refuse_repeated_keys(raw)
        if len(raw) > LARGE:
            _refuse_large(raw)
        return decode(raw)
    except FAULTS as problem:
        return problem


def _read_again(
    file: File,
    number: int,
    raw: bytes,
    build: Callable[[int, bytes], Record],
    problem: Exception,
) -> Record | Rejected:
    """Try a record once more with its lone surrogates kept as text; else reject it."""
    kept = keep_lone_surrogates(raw)
    if kept is None or isinstance(problem, InputError):
        return Rejected(file.name, number, explain(problem))
    try:
        record = build(number, kept)
    except FAULTS as second:
        return Rejected(file.name, number, explain(second))
    warned = (*record.trajectory.warnings, "lone_surrogate")
    return Record(msgspec.structs.replace(record.trajectory, warnings=warned), record.case)


def explain(problem: Exception) -> str:
    """Say in one sentence why a record could not be read."""
    if isinstance(problem, InputError):
        return problem.problem
    if isinstance(problem, RecursionError):
        return TOO_DEEP
    text = str(problem)
    if text.startswith("Input data was truncated"):
        return "truncated record"
    if len(text) > REASON:
        text = f"{text[: REASON // 2]}… {text[-REASON // 4 :]}"
    return text if text.startswith("JSON") else text[:1].lower() + text[1:]


def _refuse_repeated_keys(raw: bytes) -> None:
    key = repeated_key(raw)
    if key is not None:
        raise InputError("", f"key {quoted(key)} stands twice in one object")


def _refuse_large(raw: bytes) -> None:
    """Refuse a record, a string or an object that is larger than it may be."""
    why = _too_large(raw)
    if why is not None:
        raise InputError("", why)
