"""Tests of files and the records in them: layouts, limits, and what is told of broken ones."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from time import process_time
from tracemalloc import get_traced_memory, start, stop

import pytest

from trayecto.errors import InputError
from trayecto.records import Record, Rejected
from trayecto.trajectory import Trajectory
from trayecto.wire import files
from trayecto.wire.files import File, explain, read_each
from trayecto.wire.json import decode

BOM = b"\xef\xbb\xbf"
Open = Callable[..., File]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """Open a file with these bytes."""

    def opened(content: bytes, name: str = "t.jsonl", **options: bool) -> File:
        path = tmp_path / name
        path.write_bytes(content)
        return File(path, name, **options)

    return opened


def numbered(file: File) -> list[tuple[int, object]]:
    """Return every record of a file, decoded, with its number."""
    return [(number, decode.decode(raw)) for number, raw in file.records()]


def build(number: int, raw: bytes, value: object) -> Record:
    """Make the simplest trajectory of an object with an id; other JSON is refused."""
    if not isinstance(value, dict):
        raise InputError("", "is no object")
    name = str(value.get("id"))
    return Record(Trajectory(id=name, suite="", candidate="", case_id="", trial=None, turns=()))


def read(file: File) -> list[str | tuple[int, str]]:
    """Return the id of every record that was read, place and reason of every rejected one."""
    return [
        (item.record, item.why) if isinstance(item, Rejected) else item.trajectory.id
        for item in read_each(file, decode.decode, build)
    ]


@pytest.mark.parametrize(
    ("content", "layout", "records"),
    [
        (b'{"a":1}\n{"a":2}\n', "lines", [(1, {"a": 1}), (2, {"a": 2})]),
        (b'{"a":1}\n{"a":2}', "lines", [(1, {"a": 1}), (2, {"a": 2})]),
        (b'\n{"a":1}\n \n\n{"a":2}\n', "lines", [(2, {"a": 1}), (5, {"a": 2})]),
        (b'{"a":1}\r\n{"a":2}\r\n', "lines", [(1, {"a": 1}), (2, {"a": 2})]),
        (b"[1]\n[2]\n", "lines", [(1, [1]), (2, [2])]),
        (b'[{"a":1},{"a":2}]', "list", [(1, {"a": 1}), (2, {"a": 2})]),
        (b'[{"a":1},\n{"a":2}\n]\n', "list", [(1, {"a": 1}), (2, {"a": 2})]),
        (b'[\n  {\n    "a": 1\n  },\n  {"a": 2}\n]\n', "list", [(1, {"a": 1}), (2, {"a": 2})]),
        (b"[[1], [2]]\n\n", "list", [(1, [1]), (2, [2])]),
        (b"[]", "list", []),
        (b'{"a":1}\n', "document", [(1, {"a": 1})]),
        (b'{\n  "a": 1\n}\n', "document", [(1, {"a": 1})]),
    ],
)
def test_every_layout_is_found(
    opened: Open, content: bytes, layout: str, records: list[object]
) -> None:
    """Lines are numbered as an editor does, items from 1; a document is record 1."""
    for file in (opened(content), opened(BOM + content, "bom.jsonl")):
        assert (file.layout, numbered(file)) == (layout, records)


@pytest.mark.parametrize("content", [b"", b" \n\r\n\t", BOM, BOM + b"\n", b" " * 5000])
def test_a_file_without_a_record_is_empty(opened: Open, content: bytes) -> None:
    """Nothing was checked is never a pass (B1, B2)."""
    with pytest.raises(InputError, match="is empty: it holds no record"):
        _ = opened(content).first


def test_a_record_may_stand_below_many_blank_lines(opened: Open) -> None:
    """A file is empty only when all of it is."""
    content = b"\n" * 5000 + b'{"a":1}\n{"a":2}'
    assert numbered(opened(content)) == [(5001, {"a": 1}), (5002, {"a": 2})]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{}".encode("utf-16"), "is UTF-16, expected UTF-8"),
        ("{}".encode("utf-16-le"), "is UTF-16, expected UTF-8"),
        ("{}".encode("utf-16-be"), "is UTF-16, expected UTF-8"),
        (gzip.compress(b"{}", mtime=0), "is gzip, which is not read as a trace"),
        (b"PK\x03\x04", "is a zip archive, which is not read as a trace"),
        (b"PAR1", "is Parquet, which is not read as a trace"),
        (b"\x28\xb5\x2f\xfd", "is zstd, which is not read as a trace"),
        (b"SQLite format 3\0", "is an SQLite database, which is not read as a trace"),
    ],
)
def test_what_cannot_be_a_trace_is_called_by_its_name(
    opened: Open, content: bytes, problem: str
) -> None:
    """The first bytes tell what a file is; nothing is unpacked (B4, B17, B28)."""
    with pytest.raises(InputError, match=problem) as raised:
        opened(content)
    assert raised.value.place == "t.jsonl"


@pytest.mark.parametrize(
    "content",
    [
        b"hola\n",
        b"{\r{}\r",
        b'{"a":1}{"a":2}',
        b'{"a":"\xff"}',
        b"[section]\nkey = 1\n",
        b"[{",
        b"\0\0\0\0",
    ],
)
def test_what_is_no_json_is_an_error(opened: Open, content: bytes) -> None:
    """No line and no item of it can be read."""
    with pytest.raises(InputError, match="is not JSON, nor a list or lines of JSON records"):
        _ = opened(content).layout


def test_a_broken_document_is_not_taken_for_lines(opened: Open) -> None:
    """One of its lines may be a value of its own, and is no record."""
    with pytest.raises(InputError, match="is one JSON document, and a broken one"):
        _ = opened(b'{\n"messages": [\n{"role": "user"}\n]\n').layout


@pytest.mark.parametrize("kind", ["folder", "fifo", "missing", "loop"])
def test_only_a_regular_file_is_opened(tmp_path: Path, kind: str) -> None:
    """A FIFO would wait for ever (B24); what cannot be opened says why (B25)."""
    path = tmp_path / kind
    make = {"folder": path.mkdir, "fifo": lambda: os.mkfifo(path), "missing": lambda: None}
    make.get(kind, lambda: path.symlink_to(path))()
    said = {"missing": "no such file", "loop": "too many levels of symbolic links"}
    with pytest.raises(InputError, match=said.get(kind, "is not a regular file")):
        File(path)


def test_a_file_that_may_not_be_read_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's reason is given (B26)."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "t").write_bytes(b"{}")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="permission denied"):
        File(tmp_path / "t")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"id":1}\n{"id":2', ["1", (2, "truncated record")]),
        (b'{"id":1}\n{"id":"\xc3', ["1", (2, "truncated record")]),
        (b'{"id":1\n{"id":2}\n{"id":3}\n', [(1, "truncated record"), "2", "3"]),
        (b'{"id":"\xff"}\n{"id":2}\n{"id":3}', [(1, "invalid UTF-8 encoded string"), "2", "3"]),
        (b'[{"id":1},{"id":2},{"id":', ["1", "2", (3, "truncated record")]),
        (b'[\n{"id":1},\n{"id":2}\n', ["1", "2"]),
        (b'[\n{"id":1},\n{"id":2', ["1", (2, "truncated record")]),
        (b'[{"id":1}, 3, {"id":2}]', ["1", (2, "is no object"), "2"]),
        (b'[{"id":"a]},[{"},{"id":"\\\\",},{"id":3}]', ["a]},[{", (2, "trailing"), "3"]),
        (b'[\n{"id":1},\n{"id":NaN},\n{"id":3}\n]\n', ["1", (2, "invalid character"), "3"]),
        (b'[\n{"id":NaN},\n{"id":2}\n]\n', [(1, "invalid character"), "2"]),
        (b'[\n{"id":1},\n{"id":2},\n]\n', ["1", "2"]),
        (b'[{"id":1}, {"id":"\xff"}, {"id":3}]', ["1", (2, "invalid UTF-8"), "3"]),
        (b'[{"id":1}] x\n', ["1", (2, "invalid character")]),
        (b'[{"id":1}, {"id":%s}, {"id":3}]' % (b"9" * 5000), ["1", (2, "out of range"), "3"]),
        (
            b'[{"id":1}, {"id":%s%s}, {"id":3}]' % (b"[" * 100_000, b"]" * 100_000),
            ["1", (2, "nested deeper than this can be read"), "3"],
        ),
        (b'{"id":1}\n{"id":2} {"id":3}\n', ["1", (2, "JSON is malformed: trailing characters")]),
        (b'{"id":1}\n%s\n{"id":3}\n' % bytes(99), ["1", (2, "invalid character"), "3"]),
        (b'{"id":1}\n{"id":1e999}\n', ["1", (2, "out of range: 1e999")]),
        (b'{"id":1}\n{"id":2,}\n// x\n', ["1", (2, "trailing comma"), (3, "invalid")]),
    ],
)
def test_what_is_broken_costs_only_itself(
    opened: Open, content: bytes, expected: list[str | tuple[int, str]]
) -> None:
    """Good records are kept; each broken one is named by its number, with the reason."""
    found = read(opened(content))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        same = isinstance(other, tuple) and one[0] == other[0] and other[1] in one[1]
        assert same or one == other


def test_the_first_record_that_can_be_read_tells_the_format(opened: Open) -> None:
    """A broken first line, or a broken first item, does not hide the good ones."""
    good = b'{"id":2}'
    assert opened(b'{"id":\n' + good + b"\n" + good).first == {"id": 2}
    assert opened(b'[{"id":NaN},' + good + b"]").first == {"id": 2}
    assert opened(b'[{"role":"us\n[' + good + b"]\n").first == [{"id": 2}]


def test_a_lone_surrogate_is_kept_as_its_escape(opened: Open) -> None:
    """The record is read, with a warning (J9)."""
    file = opened(b'{"id":"a\\ud835b"}\n{"id":2}\n')
    one, two = read_each(file, decode.decode, build)
    assert (one.trajectory.id, one.trajectory.warnings) == ("a\\ud835b", ("lone_surrogate",))
    assert (two.trajectory.id, two.trajectory.warnings) == ("2", ())


def test_a_lone_surrogate_excuses_nothing_else(opened: Open) -> None:
    """A record that is also broken is rejected for what is broken."""
    assert read(opened(b'{"id":1}\n["\\ud835"]\n{"a":"\\ud835",}')) == [
        "1",
        (2, "is no object"),
        (3, "JSON is malformed: trailing comma in object (byte 15)"),
    ]


def test_a_repeated_key_is_refused_when_strict(opened: Open) -> None:
    """Otherwise the last one wins, as in every JSON reader (ruling 14, J1)."""
    content = b'{"id":1,"id":2}\n{"id":3}\n'
    assert read(opened(content)) == ["2", "3"]
    strict = read(opened(content, strict=True))
    assert strict == [(1, "key 'id' stands twice in one object"), "3"]


def test_strict_reading_is_not_blinded_by_depth(opened: Open) -> None:
    """Where a record is too deep to look for repeated keys, it is rejected."""
    content = b'{"id":3}\n{"id":1,"id":2,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    why = "nested deeper than this can be read"
    assert read(opened(content, strict=True)) == ["3", (2, why)]


def test_a_line_that_is_too_long_is_one_rejected_record(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not held, and the lines after it keep their numbers."""
    monkeypatch.setattr(files, "LARGE", 0)
    monkeypatch.setattr(files, "RECORD_LIMIT", 20)
    for length in (22, 41, 42, 43, 99):
        long = b'{"id":"' + b"x" * (length - 9) + b'"}'
        content = b'{"id":1}\n' + long + b'\n{"id":3}\n{'
        assert read(opened(content)) == [
            "1",
            (2, "longer than 20 bytes"),
            "3",
            (4, "truncated record"),
        ]


def test_a_line_as_long_as_allowed_is_read(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit itself is inside; the line's end does not count."""
    monkeypatch.setattr(files, "LARGE", 0)
    monkeypatch.setattr(files, "RECORD_LIMIT", 20)
    assert read(opened(b'{"id":"' + b"x" * 11 + b'"}\n{"id":2}\n')) == ["x" * 11, "2"]


def test_a_document_that_is_too_large_is_an_error(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would have to be held whole; lines need not."""
    monkeypatch.setattr(files, "LIST_LIMIT", 10)
    with pytest.raises(InputError, match="is one JSON document of 18 bytes; write a record a line"):
        list(opened(b'[{"a":1},{"a":2}]\n').records())


def test_lines_may_be_of_any_size(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken first line does not make a large file be held whole."""
    monkeypatch.setattr(files, "LIST_LIMIT", 10)
    monkeypatch.setattr(File, "whole", None)
    assert read(opened(b'{"id":1\n{"id":2}\n')) == [(1, "truncated record"), "2"]


def test_a_file_is_shown_by_its_path(tmp_path: Path) -> None:
    """Unless another name was given for it."""
    path = tmp_path / "a.json"
    path.write_bytes(b"{}")
    assert [File(path).name, File(path, "b").name] == [str(path), "b"]


def test_the_stem_is_the_name_without_its_ending(opened: Open) -> None:
    """It is the candidate where a format names none (ruling 15)."""
    assert opened(json.dumps([1]).encode(), "gpt-4o-airline.json").stem == "gpt-4o-airline"


def test_an_item_that_is_too_long_is_rejected(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of a record is one for lines and lists."""
    monkeypatch.setattr(files, "LARGE", 0)
    monkeypatch.setattr(files, "RECORD_LIMIT", 20)
    content = b'[{"id":1},{"id":"%s"},{"id":3}]' % (b"x" * 20)
    assert read(opened(content)) == ["1", (2, "longer than 20 bytes"), "3"]


def test_a_string_longer_than_16_mb_is_rejected(opened: Open) -> None:
    """One of 16 MB is read, in whatever field it stands (B15)."""
    inside, outside = b"x" * ((16 << 20) - 2), b"\\n" * (10 << 20)
    content = b'{"id":1,"x":"%s"}\n{"id":2,"x":"%s"}\n{"id":3}\n' % (inside, outside)
    assert read(opened(content)) == ["1", (2, "a string longer than 16,777,216 bytes"), "3"]


@pytest.mark.parametrize("lone", [b"", b'"s":"\\ud835",'])
def test_a_million_keys_in_an_object_are_rejected(opened: Open, lone: bytes) -> None:
    """Within 2 s (J17), whatever else is odd about the record."""
    keys = b",".join(b'"k%d":1' % n for n in range(1_000_000))
    content = b'{"id":1}\n{"id":2,%s"x":{%s}}\n' % (lone, keys)
    begun = process_time()
    assert read(opened(content)) == ["1", (2, "more than 200,000 keys in one object")]
    assert process_time() - begun < 2


@pytest.mark.parametrize("layout", ["[%s]", "[\n%s\n]", "[\n%s,\n 1e999]"])
def test_a_list_is_not_decoded_for_its_first_item(opened: Open, layout: str) -> None:
    """Who asks for the format of a large file does not hold it as objects."""
    content = (layout % ",".join(['{"id":1,"x":[[],[],[],[]]}'] * 50_000)).encode()
    file = opened(content)
    start()
    first = file.first
    peak = get_traced_memory()[1]
    stop()
    assert (first, file.layout) == ({"id": 1, "x": [[], [], [], []]}, "list")
    assert peak < 6 * len(content)


@pytest.mark.parametrize(
    ("content", "first"),
    [
        (b'[1e999, {"id":2}]', {"id": 2}),
        (b'[{"id":"\\ud835"}, 1e999]', {"id": "\\ud835"}),
        (b"[null, 3]", None),
        (b" [3, null]", 3),
    ],
)
def test_the_first_item_that_can_be_decoded_is_the_first(
    opened: Open, content: bytes, first: object
) -> None:
    """A broken one before it does not hide the list."""
    file = opened(content)
    assert (file.layout, file.first) == ("list", first)


def test_a_first_line_that_is_a_list_is_decoded_whole(opened: Open) -> None:
    """It is a record of its own; a list that breaks inside makes no line."""
    assert opened(b"[1, 2]\n[3]\n").first == [1, 2]
    assert opened(b"[1, 1e999]\n[3]\n").first == [3]


def test_a_file_that_is_gone_says_so(opened: Open) -> None:
    """Between the first look at a file and its reading, it may be removed."""
    for content in (b"[1]", b"1\n2"):
        file = opened(content)
        assert file.layout
        file.path.unlink()
        with pytest.raises(InputError, match=r"t\.jsonl: no such file or directory"):
            list(file.records())


def test_a_reason_is_cut(opened: Open) -> None:
    """A key or a value of a megabyte is not repeated (RELIABILITY T5)."""
    key = b"k" * 100_000
    ((record, why),) = read(opened(b'{"%s":1,"%s":2}' % (key, key), strict=True))
    assert (record, why.endswith("… (100002 characters) stands twice in one object")) == (1, True)
    assert len(why) < 200
    long = explain(ValueError(f"Invalid value '{'x' * 1000}' - at `$.role`"))
    assert long.startswith("invalid value 'xxx")
    assert long.endswith("x' - at `$.role`")
    assert len(long) < 420


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"[" * 100_000, "nested deeper than this can be read"),
        (
            b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
            "nested deeper than this can be read",
        ),
        (
            b'{"id":1,"x":[' + b"[]," * 2_000_000 + b"[]]}",
            "more than 2,000,000 values in one record",
        ),
        (b'{"id":"' + b"x" * (17 << 20) + b'"}', "a string longer than 16,777,216 bytes"),
    ],
    ids=["cut", "deep", "values", "string"],
)
def test_a_file_of_nothing_but_what_is_too_large_says_so(
    opened: Open, content: bytes, why: str
) -> None:
    """The limit is named: "is not JSON" would be wrong (B13, B15)."""
    with pytest.raises(InputError, match=f"holds no record that can be read: {why}"):
        _ = opened(content).layout


def test_what_is_too_large_is_not_decoded_for_its_format(opened: Open) -> None:
    """Memory stays near the size of the file, and a good record after it is the first."""
    content = b'{"id":1,"x":[' + b"[]," * 3_000_000 + b'[]]}\n{"id":2}\n'
    file = opened(content)
    start()
    first, read_ = file.first, read(file)
    peak = get_traced_memory()[1]
    stop()
    assert first == {"id": 2}
    assert read_ == [(1, "more than 2,000,000 values in one record"), "2"]
    assert peak < 6 * len(content)


def test_a_document_longer_than_a_record_is_not_held(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line of 1 GB costs no more than the longest record (B16)."""
    monkeypatch.setattr(files, "LARGE", 0)
    monkeypatch.setattr(files, "RECORD_LIMIT", 20)
    monkeypatch.setattr(File, "whole", None)
    for ending in (b"", b"\n", b"\n{"):
        with pytest.raises(InputError, match="can be read: longer than 20 bytes"):
            _ = opened(b'{"id":"' + b"x" * 90 + b'"}' + ending).layout


@pytest.mark.parametrize(
    "content", [b'{"id":1}\n{"id":2}\n', b'{"id":1}\n{"id', b'[{"id":1},{"id":2}]']
)
def test_what_is_added_while_reading_is_not_read(opened: Open, content: bytes) -> None:
    """A file is what it was when it was opened, and says that it grew (B23)."""
    file = opened(content)
    before, grew = read(file), file.grew
    with file.path.open("ab") as more:
        more.write(b'":2}\n{"id":3}\n')
    assert (read(file), grew, file.grew) == (before, False, True)


def test_a_file_that_is_gone_did_not_grow(opened: Open) -> None:
    """Whoever asks afterwards gets an answer."""
    file = opened(b"{}")
    file.path.unlink()
    assert file.grew is False
