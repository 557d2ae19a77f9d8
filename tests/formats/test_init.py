"""Tests of reading: named files and folders, what is listed, and what is an error."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.errors import InputError, UsageError
from trayecto.formats import load, read, recognise, tau_bench
from trayecto.records import Account, Passed, Rejected
from trayecto.wire.files import File

Write = Callable[..., Path]

TALK = [{"role": "user", "content": "hola"}, {"role": "assistant", "content": "listo"}]
CHAT = {"messages": TALK}
RUN = {"task_id": 0, "trial": 0, "reward": 1.0, "traj": TALK, "info": {}}
GOOD = [
    f"{json.dumps(CHAT)}\n{json.dumps({**CHAT, 'id': 'é'})}\n".encode(),
    json.dumps([CHAT, CHAT], indent=1).encode(),
    json.dumps([RUN, {**RUN, "trial": 1}]).encode(),
    json.dumps(TALK).encode(),
]
KNOWN = ", ".join(load())


def test_files_of_several_formats_are_read_together(write: Write) -> None:
    """Each is found by its content, in the order in which they were named."""
    names = [write([RUN], "b.json"), write(CHAT, "a.txt")]
    reading = read(*names)
    assert [record.trajectory.source.format for record in reading] == [
        "tau_bench",
        "openai_messages",
    ]
    account = reading.account
    assert account.formats == Counter(tau_bench=1, openai_messages=1)
    assert (account.files, account.records, account.rejected_count) == (2, 2, 0)


def test_a_folder_lists_what_is_no_trace(write: Write) -> None:
    """Licences, tables and other JSON are passed over, each with what it was taken for."""
    write(CHAT, "d/a/runs.json")
    write(b"MIT License\n", "d/LICENSE")
    write(b"id,n\n1,2\n", "d/table.csv")
    write({"prices": [1]}, "d/prices.json")
    write(b"", "d/empty.jsonl")
    write(b"PAR1", "d/table.parquet")
    reading = read("d")
    assert [record.trajectory.source.file for record in reading] == ["d/a/runs.json"]
    no_json = "is not JSON, nor a list or lines of JSON records"
    assert reading.account.skipped == [
        Passed("d/LICENSE", no_json),
        Passed("d/empty.jsonl", "is empty: it holds no record"),
        Passed("d/prices.json", "JSON of another shape"),
        Passed("d/table.csv", no_json),
        Passed("d/table.parquet", "is Parquet, which is not read as a trace"),
    ]
    assert (reading.account.failed, reading.account.records) == ([], 1)


def test_a_folder_lists_what_is_no_json(write: Write) -> None:
    """Nobody knows whether it would have been a trace: it is no rejected record (ruling 16)."""
    write(CHAT, "d/good.json")
    write(b'{"messages": [', "d/bad.jsonl")
    reading = read("d")
    assert len(list(reading)) == 1
    why = "is not JSON, nor a list or lines of JSON records"
    assert reading.account.skipped == [Passed("d/bad.jsonl", why)]
    assert (reading.account.records, reading.account.rejected_count) == (1, 0)


def test_a_broken_file_with_a_good_record_is_read(write: Write) -> None:
    """Its format is known by the good one; the broken ones are rejected (ruling 16)."""
    write(b'{"messages": [\n' + json.dumps(CHAT).encode() + b"\n", "d/a.jsonl")
    reading = read("d")
    assert len(list(reading)) == 1
    assert reading.account.rejected == [Rejected("d/a.jsonl", 1, "truncated record")]


def test_a_trace_that_can_no_longer_be_read_is_counted(write: Write) -> None:
    """In a folder it is one rejected record and listed, each time anew (ruling 16)."""
    gone = write(CHAT, "d/gone.json")
    write(CHAT, "d/good.json")
    reading = read("d")
    gone.unlink()
    why = "no such file or directory"
    for _ in range(2):
        assert len(list(reading)) == 1
        assert reading.account.failed == [Passed("d/gone.json", why)]
        assert reading.account.rejected == [Rejected("d/gone.json", 1, why)]
        assert (reading.account.records, reading.account.files) == (2, 1)


def test_a_named_trace_that_can_no_longer_be_read_is_an_error(write: Write) -> None:
    """Whoever names a file means it."""
    path = write(CHAT, "gone.json")
    reading = read(path)
    path.unlink()
    with pytest.raises(InputError, match=r"gone\.json: no such file or directory"):
        list(reading)


def test_what_is_left_alone_in_a_folder_is_listed(write: Write) -> None:
    """Nothing vanishes: a hidden folder is one entry (ruling 16)."""
    for name in ("d/a.json", "d/.b.json", "d/.git/x.json", "d/.git/y.json"):
        write(CHAT, name)
    Path("d/z.json").symlink_to("a.json")
    reading = read("d")
    assert len(list(reading)) == 1
    assert reading.account.skipped == [
        Passed("d/.b.json", "hidden"),
        Passed("d/.git", "hidden"),
        Passed("d/z.json", "a link"),
    ]
    assert reading.account.files == 1


def test_an_empty_folder_holds_nothing(write: Write) -> None:
    """It is for the command to say what that means."""
    write(CHAT, "d/.hidden.json")
    reading = read("d")
    assert (list(reading), reading.account.files, reading.account.records) == ([], 0, 0)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"hola\n", "is not JSON, nor a list or lines of JSON records"),
        ({"prices": [1]}, f"is no trace that is known here: {KNOWN}"),
        ([1, 2], f"is no trace that is known here: {KNOWN}"),
        (b"[]", f"is no trace that is known here: {KNOWN}"),
        (b"", "is empty: it holds no record"),
    ],
)
def test_a_named_file_that_is_no_trace_is_an_error(
    write: Write, content: object, problem: str
) -> None:
    """Whoever names a file means it."""
    write(CHAT, "good.json")
    with pytest.raises(InputError) as raised:
        read("good.json", write(content, "bad.json"))
    assert (raised.value.place, raised.value.problem) == ("bad.json", problem)


@pytest.mark.parametrize("path", ["gone.json", "gone/"])
def test_a_path_that_is_not_there_is_an_error(path: str) -> None:
    """Before anything is read."""
    with pytest.raises(InputError, match="no such file or folder"):
        read(path)


def test_nothing_named_is_an_error() -> None:
    """An empty list of files is a mistake of the caller."""
    with pytest.raises(UsageError, match="no file or folder was named"):
        read()


def test_a_format_may_be_named(write: Write) -> None:
    """Then nothing is guessed: what it cannot read is rejected by name."""
    path = write([RUN, CHAT])
    reading = read(path, format="tau_bench")
    assert len(list(reading)) == 1
    (rejected,) = reading.account.rejected
    assert (rejected.record, rejected.why) == (2, "object missing required field `task_id`")


def test_a_named_format_reads_a_file_that_it_does_not_recognise(write: Write) -> None:
    """The first record may be the odd one."""
    reading = read(write([{"odd": 1}, CHAT]), format="openai_messages")
    assert [record.trajectory.source.record for record in reading] == [2]


def test_a_named_format_leaves_other_files_of_a_folder_listed(write: Write) -> None:
    """A licence beside the traces stops nothing."""
    write(CHAT, "d/a.json")
    write(b"MIT License\n", "d/LICENSE")
    reading = read("d", format="openai_messages")
    assert len(list(reading)) == 1
    assert [passed.file for passed in reading.account.skipped] == ["d/LICENSE"]


def test_a_format_that_is_not_known_is_named_with_the_known_ones(write: Write) -> None:
    """The message says what is allowed and what may have been meant."""
    with pytest.raises(UsageError) as raised:
        read(write(CHAT), format="tau_bensh")
    assert str(raised.value) == (
        f"format 'tau_bensh' is not known; choose auto, {KNOWN}. Did you mean 'tau_bench'?"
    )


def test_reading_again_counts_nothing_twice(write: Write) -> None:
    """Records, rejects and warnings are those of one reading, also of one broken off."""
    odd = {"messages": [*TALK, {"role": "tool", "content": "x"}]}
    write("\n".join(map(json.dumps, [odd, 3, CHAT])).encode(), "d/a.jsonl")
    reading = read("d")
    next(iter(reading))
    assert list(reading) == list(reading)
    account = reading.account
    assert (account.records, account.rejected_count, len(account.rejected)) == (3, 1, 1)
    assert account.warnings == Counter(result_without_call=1)
    assert account.formats == Counter(openai_messages=2)


def test_the_account_is_one_object(write: Write) -> None:
    """Who asked for it before reading sees what was read."""
    reading = read(write(CHAT))
    account = reading.account
    _ = [list(reading), list(reading)]
    assert (account is reading.account, account.records) == (True, 1)


def test_what_others_warned_of_before_reading_is_kept(write: Write) -> None:
    """A case file may be odd before the first run is read."""
    reading = read(write(CHAT))
    reading.account.warn("odd", "cases.yaml:1")
    assert len(list(reading)) == 1
    assert reading.account.warnings == Counter(odd=1)


def test_a_warning_is_counted_with_its_first_place(write: Write) -> None:
    """One example is enough to look at it."""
    odd = {"messages": [{"role": "tool", "content": "x"}]}
    reading = read(write([CHAT, odd, odd], "a.json"))
    assert len(list(reading)) == 3
    assert reading.account.warnings == Counter(result_without_call=2)
    assert reading.account.examples == {"result_without_call": "a.json:2"}


def test_reading_is_lazy(write: Write) -> None:
    """A file of any size is read a record at a time."""
    reading = read(write([CHAT] * 9))
    records = iter(reading)
    next(records)
    assert reading.account.records == 1
    records.close()


def test_read_and_rejected_are_all_that_there_was(write: Write) -> None:
    """In each file and over all of them, nothing is dropped without standing in the account."""
    lines = [json.dumps(CHAT), "{", "3", json.dumps(CHAT), '{"messages": [{"role": "x"}]}']
    write("\n".join(lines).encode(), "d/a.jsonl")
    write([CHAT, None, RUN], "d/b.json")
    reading = read("d")
    assert len(list(reading)) == 3
    assert [(item.file, item.record) for item in reading.account.rejected] == [
        ("d/a.jsonl", 2),
        ("d/a.jsonl", 3),
        ("d/a.jsonl", 5),
        ("d/b.json", 2),
        ("d/b.json", 3),
    ]
    assert reading.account.records == 8


def test_many_rejects_are_all_counted(write: Write) -> None:
    """A thousand are named; the number is whole."""
    reading = read(write(json.dumps(CHAT).encode() + b"\n{" * 1500))
    assert len(list(reading)) == 1
    account: Account = reading.account
    assert (account.rejected_count, len(account.rejected), account.records) == (1500, 1000, 1501)


def test_a_file_is_recognised_by_its_first_record(write: Write) -> None:
    """None says that no format knows it."""
    assert recognise(File(write([RUN]))) is tau_bench
    assert recognise(File(write([{"prices": 1}]))) is None


@given(
    st.sampled_from(GOOD),
    st.integers(0, 200),
    st.integers(0, 9),
    st.binary(max_size=3) | st.sampled_from([b"[", b"}", b'"', b"\n", b"\\ud800", b"\xed\xa0\x80"]),
)
def test_no_damage_raises_anything_but_our_errors(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, at: int, cut: int, put: bytes
) -> None:
    """Bytes lost or put in anywhere: a named error, or everything is read or rejected."""
    path = tmp_path_factory.getbasetemp() / "damaged.json"
    path.write_bytes(content[:at] + put + content[at + cut :])
    try:
        reading = read(path, keep_duplicates=True)
        good = len(list(reading))
        told = good + reading.account.rejected_count == reading.account.records > 0
    except InputError as problem:
        told = problem.place == str(path)
    assert told


@pytest.mark.parametrize(
    "first", ["5", '{"meta": 1}', '{"messages": [{"role": null}]}', '{"messages": [']
)
def test_a_file_that_begins_with_something_else_is_read(tmp_path: Path, first: str) -> None:
    """One bad first line is one rejected record, by line; it does not lose the file."""
    path = tmp_path / "runs.jsonl"
    good = '{"messages": [{"role": "user", "content": "x"}]}'
    path.write_text(f"{first}\n{good}\n{good}\n")
    reading = read(path)
    assert len(list(reading)) == 2
    assert [(each.record, reading.account.records) for each in reading.account.rejected] == [(1, 3)]


def test_calls_in_another_shape_are_not_passed_over(tmp_path: Path) -> None:
    """Messages with tool_use blocks are no conversation of ours: their calls would be missed."""
    path = tmp_path / "other.json"
    blocks = '[{"type": "tool_use", "id": "1", "name": "f", "input": {}}]'
    talk = f'[{{"role": "user", "content": "x"}}, {{"role": "assistant", "content": {blocks}}}]'
    path.write_text(f'{{"messages": {talk}}}')
    with pytest.raises(InputError, match="is no trace that is known here"):
        read(path)


def test_an_option_that_there_is_not_is_refused(write: Write) -> None:
    """As Python refuses it, with what may have been meant."""
    with pytest.raises(TypeError, match=r"no option .candidat.; choose .* mean .candidate."):
        read(write(CHAT), candidat="me")


@pytest.mark.parametrize("name", ["suite", "candidate"])
def test_an_empty_name_is_a_mistake(write: Write, name: str) -> None:
    """An unset variable of a shell is no name."""
    with pytest.raises(UsageError, match=f"{name}: an empty name"):
        read(write(CHAT), **{name: ""})


def test_a_rejected_record_keeps_its_place_under_a_given_name(write: Write) -> None:
    """A name is given to what was read; what was not is counted as before."""
    path = write(json.dumps(CHAT).encode() + b"\n{broken\n", "runs.jsonl")
    reading = read(path, suite="mine")
    assert [record.trajectory.suite for record in reading] == ["mine"]
    assert [(each.file, each.record) for each in reading.account.rejected] == [("runs.jsonl", 2)]


def test_a_file_that_grows_while_it_is_read_is_told(write: Write) -> None:
    """What was there at the start is read, once for each reading (B23)."""
    path = write(json.dumps(CHAT).encode() + b"\n")
    reading = read(path)
    for _ in range(2):
        for _ in reading:
            with path.open("ab") as file:
                file.write(json.dumps(CHAT).encode() + b"\n")
        assert (reading.account.records, reading.account.warnings) == (1, {"file_grew": 1})
    assert reading.account.examples == {"file_grew": "runs.json"}
