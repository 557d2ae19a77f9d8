"""Tests of opening a case file: what cannot hold cases is refused by its name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trayecto.case_formats import _source, load_cases
from trayecto.case_formats._source import Source
from trayecto.errors import InputError

Problems = Callable[..., list[str]]


@pytest.mark.parametrize("content", ["", " \n\n", "\ufeff\n"])
def test_an_empty_file_is_refused(problems: Problems, content: str) -> None:
    """A file without anything in it is no suite that passes."""
    assert problems(content) == ["cases.yaml: is empty: it holds no case"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(problems: Problems, encoding: str) -> None:
    """What a Windows editor may have saved is said in so many words."""
    found = problems("cases: [{id: x}]".encode(encoding))
    assert found == ["cases.yaml: is UTF-16, expected UTF-8"]


def test_a_binary_file_is_refused(problems: Problems) -> None:
    """A database or an archive is not parsed."""
    found = problems(b"cases:\n\0\0\0\0")
    assert found == ["cases.yaml: is a binary file, expected YAML or JSON lines"]


def test_invalid_utf_8_is_named_with_its_line(problems: Problems) -> None:
    """A broken byte is found by its line."""
    found = problems(b"cases:\n  - id: x\n    task: \xff\n")
    assert found == ["cases.yaml:3: byte 0xff is not valid UTF-8"]


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """Cases are one file."""
    with pytest.raises(InputError, match=r"is a folder; name one case file$"):
        load_cases(tmp_path)


def test_a_device_is_refused() -> None:
    """Nothing is read from what may never end."""
    with pytest.raises(InputError, match=r"is not a regular file"):
        load_cases(Path("/dev/null"))


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    """A file that cannot be opened is the user's to mend: no traceback."""
    with pytest.raises(InputError, match=r"no such file or directory$"):
        load_cases(tmp_path / "cases.yaml")


def test_a_document_that_is_too_large_is_refused(
    problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A YAML file has to be held whole, so its size has a limit."""
    monkeypatch.setattr(_source, "RECORD_LIMIT", 10)
    found = problems("cases: [{id: x, reference: [a]}]")
    assert found == ["cases.yaml: is one document of more than 10 bytes; write a case a line"]


def test_a_line_that_is_too_long_is_refused(
    problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that never ends does not fill the memory."""
    monkeypatch.setattr(_source, "RECORD_LIMIT", 10)
    found = problems('{"id": "x", "reference": ["a"]}', "cases.jsonl")
    assert found == ["cases.jsonl:1: is longer than 10 bytes"]


def test_lines_are_counted_with_the_blank_ones(tmp_path: Path) -> None:
    """An editor shows the same numbers; the mark at the beginning is no content."""
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"\xef\xbb\xbfa\n\n  \r\nb\r\nc")
    assert [*Source(path).lines()] == [(1, b"a\n"), (4, b"b\r\n"), (5, b"c")]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    """A file saved on Windows is like any other."""
    path = tmp_path / "cases.yaml"
    path.write_text("suite: s", "utf-8-sig")
    source = Source(path)
    assert (source.start, source.first_line, source.text()) == (
        b"suite: s",
        b"suite: s",
        "suite: s",
    )


def test_the_suffix_is_read_in_any_case(tmp_path: Path) -> None:
    """CASES.YAML is YAML."""
    path = tmp_path / "CASES.YAML"
    path.write_text("\n \nsuite: s\nx")
    assert (Source(path).suffix, Source(path).first_line) == (".yaml", b"suite: s")


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    """A link that leads round in a circle is an InputError."""
    (tmp_path / "a.yaml").write_text("cases: [{id: x, reference: [a]}]")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "a.yaml")
    (tmp_path / "c.yaml").symlink_to(tmp_path / "c.yaml")
    assert len(load_cases(tmp_path / "b.yaml").cases) == 1
    with pytest.raises(InputError, match=r"c\.yaml: too many levels of symbolic links"):
        load_cases(tmp_path / "c.yaml")
