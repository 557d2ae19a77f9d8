"""How commands write: the report to stdout, everything else to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Literal, cast

from trayecto.comparison import Comparison
from trayecto.errors import UsageError
from trayecto.reports import report, safe
from trayecto.reports.json import to_json
from trayecto.summaries import Document

NARROWEST, WIDEST = 80, 120
PLAIN = str.maketrans(
    {"·": ".", "●": "*", "░": ":", "–": "-", "\u2212": "-", "×": "x", "…": "~", "│": "|", "—": "-"}
    | {"✓": "+", "✗": "x", "◐": "?", "■": "#", "▲": "^", "▼": "v", "\u2009": " ", "\u00a0": " "}
)


def width() -> int:
    """Columns to fill: the terminal's, 80 where there is none, between 80 and 120."""
    return min(max(shutil.get_terminal_size((NARROWEST, 24)).columns, NARROWEST), WIDEST)


def color() -> bool:
    """Whether stdout shows color: a terminal, unless NO_COLOR or FORCE_COLOR says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout is not None and sys.stdout.isatty()


def say(message: str) -> None:
    """Print a message for the person, beside the output."""
    sys.stderr.write(f"trayecto: {safe(message)}\n")


def print_document(
    document: Document, *, json: bool, lang: Literal["en", "es"], content: bool
) -> None:
    """Print a report: JSON alone, or the terminal's."""
    if sys.stdout is None:
        raise UsageError("there is no output to write to")
    if json:
        _write(to_json(document) + b"\n")
        return
    put(report(document, lang=lang, width=width(), color=color(), content=content))


def print_comparison(comparison: Comparison, *, json: bool, lang: Literal["en", "es"]) -> None:
    """Print a comparison: JSON alone, or the terminal's."""
    if json:
        _write(to_json(comparison) + b"\n")
        return
    from trayecto.reports.comparison import render  # rich, for this only

    put(render(comparison, lang=lang, width=width(), color=color()))


def put(text: str) -> None:
    """Print text to stdout; where its encoding lacks our marks, plain ones stand for them."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(PLAIN).encode(encoding, "replace").decode(encoding)
    text = text.rstrip("\n") + "\n"
    if hasattr(sys.stdout, "buffer"):
        _write(text.replace("\n", os.linesep).encode(encoding))
    else:  # a host took our output: text is all that it can hold
        sys.stdout.write(text)


def _write(data: bytes) -> None:
    """Write all of it: an unbuffered output takes what fits, and does not say that it was less."""
    sys.stdout.flush()
    rest = memoryview(data)
    while rest:
        rest = rest[sys.stdout.buffer.write(rest) :]


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when it is whole; raises UsageError where it cannot be.

    A device or a pipe is written to as it is: it must not be replaced by a file. A new file is for
    its owner alone; one that was there keeps its permissions.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
            return
        target = path.resolve()  # a link stays one
        with NamedTemporaryFile(dir=target.parent, prefix=f".{path.name}.", delete=False) as file:
            part = Path(file.name)
            try:
                yield cast("BinaryIO", file)
                file.flush()
                if target.exists():
                    part.chmod(target.stat().st_mode & 0o777)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None
