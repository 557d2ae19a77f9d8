"""A case file on disk: opened once, refused early where it cannot hold cases."""

from __future__ import annotations

import codecs
import stat
from collections.abc import Iterator
from pathlib import Path

from trayecto.errors import InputError

START = 65_536  # bytes that a format may look at to recognise its files
DEPTH = 64  # levels of lists and mappings
NODES = 200_000  # values of a YAML document, or of one line of JSON
TEXT = 16 << 20  # characters of one text
DIGITS = 4_300  # of an integer, as everywhere (ruling 3)
RECORD_LIMIT = 64 << 20  # bytes of a line, or of a document that has to be held whole
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Source:
    """A file that may hold cases; ``start`` are its first bytes, without a byte order mark."""

    def __init__(self, path: Path) -> None:
        """Look at the file's first bytes; raise InputError where it cannot be a case file."""
        self.path = path
        self.name = str(path)
        self.suffix = path.suffix.lower()
        start = self._open_start()
        if start.startswith(_UTF16) or b"\0" in start[:4]:
            raise InputError(self.name, "is UTF-16, expected UTF-8")
        if b"\0" in start:
            raise InputError(self.name, "is a binary file, expected YAML or JSON lines")
        self.start = start.removeprefix(codecs.BOM_UTF8)
        if not self.start.strip():
            raise InputError(self.name, "is empty: it holds no case")

    def _open_start(self) -> bytes:
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):
                kind = "is a folder" if self.path.is_dir() else "is not a regular file"
                raise InputError(self.name, f"{kind}; name one case file")
            with self.path.open("rb") as file:
                return file.read(START)
        except OSError as problem:
            raise InputError(self.name, (problem.strerror or str(problem)).lower()) from None

    @property
    def first_line(self) -> bytes:
        """The first line with something on it, as far as ``start`` holds it."""
        return self.start.lstrip().split(b"\n", 1)[0].strip()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line that is not blank, with its number from 1, one at a time."""
        with self.path.open("rb", buffering=1 << 20) as file:
            number = 0
            while line := file.readline(RECORD_LIMIT + 1):
                number += 1
                if len(line) > RECORD_LIMIT:
                    problem = f"is longer than {RECORD_LIMIT:,} bytes"
                    raise InputError(f"{self.name}:{number}", problem)
                text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                if not text.isspace() and text:
                    yield number, text

    def text(self) -> str:
        """The whole file, for documents that cannot be read line by line."""
        raw = self.path.read_bytes() if self.path.stat().st_size <= RECORD_LIMIT else None
        if raw is None:
            problem = f"is one document of more than {RECORD_LIMIT:,} bytes; write a case a line"
            raise InputError(self.name, problem)
        try:
            return raw.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError as problem:
            line = raw.count(b"\n", 0, problem.start) + 1
            raise InputError(f"{self.name}:{line}", invalid_utf8(problem)) from None


def invalid_utf8(problem: UnicodeDecodeError) -> str:
    """Say which byte is no UTF-8."""
    return f"byte 0x{problem.object[problem.start]:02x} is not valid UTF-8"
