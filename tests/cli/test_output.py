"""How commands write."""

from __future__ import annotations

import os
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest

from trayecto.cli._output import color, print_document, put, width, written
from trayecto.errors import UsageError
from trayecto.metrics import score
from trayecto.summaries import summarize


@pytest.mark.parametrize(("columns", "used"), [("40", 80), ("100", 100), ("300", 120)])
def test_width_stays_readable(monkeypatch: pytest.MonkeyPatch, columns: str, used: int) -> None:
    """Reports are between 80 and 120 columns wide, whatever the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    assert width() == used


def test_no_color_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR is respected even where color is forced; else FORCE_COLOR decides off a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert color()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not color()


def test_marks_have_plain_stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal without our marks still shows where a bar's dot is."""
    screen = TextIOWrapper(BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", screen)
    put("42.0 %  ▼  ···●··  ░░  5 × 2 – ñ")
    screen.flush()
    assert screen.buffer.getvalue() == b"42.0 %  v  ...*..  ::  5 x 2 - ?\n"


def test_no_output_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Started without a stdout, a report says so before anything is written."""
    monkeypatch.setattr("sys.stdout", None)
    document = summarize(score([]))
    with pytest.raises(UsageError, match="no output"):
        print_document(document, json=True, lang="en", content=False)
    assert not color()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    """`--per-run >(jq …)`, /dev/null and the like are no files that could be replaced."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with written(pipe) as file:
        file.write(b"line\n")
    assert os.read(reader, 99) == b"line\n"
    assert pipe.is_fifo()
    os.close(reader)


def test_a_link_stays_one(tmp_path: Path) -> None:
    """What it points to is written."""
    target, link = tmp_path / "lines.jsonl", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    with written(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_file_that_was_there_keeps_its_permissions(tmp_path: Path) -> None:
    """A new one is for its owner alone."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.touch(0o644)
    for path in (old, new):
        with written(path) as file:
            file.write(b"x")
    assert [path.stat().st_mode & 0o777 for path in (old, new)] == [0o644, 0o600]


class Short(BytesIO):
    """A raw output that takes three bytes at a time, as one may that is not buffered."""

    def write(self, data: object) -> int:
        """Write the beginning only."""
        return super().write(bytes(data)[:3])  # type: ignore[call-overload]  # a memoryview


def test_a_short_write_is_followed_by_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """With PYTHONUNBUFFERED a report would else end where the pipe was full."""
    raw = Short()
    out = TextIOWrapper(raw, "utf-8", write_through=True)
    monkeypatch.setattr("sys.stdout", out)
    put("eight to ten")
    assert raw.getvalue().split() == [b"eight", b"to", b"ten"]


def test_a_host_may_take_the_output_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """An output without bytes below it, as a notebook or a redirection in Python has."""
    taken = StringIO()
    monkeypatch.setattr("sys.stdout", taken)
    put("hello")
    assert taken.getvalue() == "hello\n"
