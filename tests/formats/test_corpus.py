"""Every hostile file of tests/corpus has its outcome, and no other exception (RELIABILITY §3)."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from trayecto.errors import InputError
from trayecto.formats import read

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
NOT_JSON = "is not JSON, nor a list or lines of JSON records"
Rejects = list[tuple[int, str]]

# How many are read, which records are rejected and why, and the warnings.
OUTCOMES: dict[str, tuple[int, Rejects, dict[str, int]]] = {
    "b03_bom.jsonl": (1, [], {}),
    "b05_byte_ff.jsonl": (2, [(2, "invalid UTF-8 encoded string")], {}),
    "b06_overlong.jsonl": (1, [(2, "invalid UTF-8 encoded string")], {}),
    "b06_surrogate_bytes.jsonl": (1, [(2, "invalid UTF-8 encoded string")], {}),
    "b07_crlf.jsonl": (2, [], {}),
    "b08_cut.jsonl": (1, [(2, "truncated record")], {}),
    "b08_cut_list.json": (2, [(3, "truncated record")], {}),
    "b09_cut_character.jsonl": (1, [(2, "truncated record")], {}),
    "b10_two_on_a_line.jsonl": (1, [(2, "JSON is malformed: trailing characters")], {}),
    "b11_list.jsonl": (2, [], {}),
    "b12_nul_block.jsonl": (2, [(2, "JSON is malformed: invalid character")], {}),
    "j01_repeated_key.jsonl": (2, [], {}),
    "j02_repeated_argument.jsonl": (1, [], {"ambiguous_arguments": 1}),
    "j03_nan.jsonl": (1, [(2, "invalid character"), (3, "invalid")], {}),
    "j04_out_of_range.jsonl": (1, [(2, "number out of range: 1e999 - at `$.final_state`")], {}),
    "j05_5000_digits.jsonl": (1, [(2, "integer value out of range - at `$.final_state`")], {}),
    "j06_large_id.jsonl": (1, [], {}),
    "j09_lone_surrogate.jsonl": (1, [], {"lone_surrogate": 1}),
    "j10_nul_character.jsonl": (1, [], {}),
    "j11_odd_keys.jsonl": (1, [], {}),
    "j12_null_calls.jsonl": (1, [], {}),
    "j12_null_list.jsonl": (1, [(2, "no conversation: neither `messages`, nor `input`")], {}),
    "j13_number_as_text.jsonl": (1, [(2, "expected `int | null`, got `str` - at `$.trial`")], {}),
    "j14_negative_numbers.jsonl": (1, [], {"unusable_latency": 1, "unusable_usage": 1}),
    "j16_json5.jsonl": (1, [(2, "trailing comma in object"), (3, "invalid character")], {}),
    "j20_unknown_field.jsonl": (1, [], {}),
    "m01_cut_arguments.jsonl": (1, [], {}),
    "m02_empty_arguments.jsonl": (1, [], {"empty_arguments": 1}),
    "m02_null_arguments.jsonl": (1, [], {}),
    "m03_orphans.jsonl": (1, [], {"result_without_call": 1, "call_without_result": 1}),
    "m04_image.jsonl": (1, [], {}),
    "m05_unknown_role.jsonl": (1, [(2, "invalid value 'alien' - at `$.messages[0].role`")], {}),
    "m06_refusal.jsonl": (1, [], {}),
    "x01_forged_message.jsonl": (1, [], {}),
    "x02_single_messages.jsonl": (0, [(1, "no conversation"), (2, "no conversation")], {}),
}
ERRORS = {
    "b01_empty.jsonl": "is empty: it holds no record",
    "b02_blank.jsonl": "is empty: it holds no record",
    "b04_utf16.jsonl": "is UTF-16, expected UTF-8",
    "b07_cr.jsonl": NOT_JSON,
    "b17_gzip.jsonl": "is gzip, which is not read as a trace",
    "b28_parquet.json": "is Parquet, which is not read as a trace",
}
# What the calls of a file become: arguments and flags.
CALLS = {
    "j02_repeated_argument.jsonl": ({"id": 2}, ("ambiguous_arguments",)),
    "j06_large_id.jsonl": ({"id": 18446744073709551617}, ()),
    "j11_odd_keys.jsonl": ({"__proto__": 1, "__class__": 2, "constructor": 3}, ()),
    "m01_cut_arguments.jsonl": ('{"id": 1', ()),
    "m02_empty_arguments.jsonl": ({}, ("empty_arguments",)),
    "m02_null_arguments.jsonl": ("null", ()),
    "x01_forged_message.jsonl": ({}, ()),
}
# What the first turn of a file says.
TEXTS = {
    "j09_lone_surrogate.jsonl": "a\\ud835b",
    "j10_nul_character.jsonl": "a\0b",
    "m04_image.jsonl": None,
    "m06_refusal.jsonl": "no",
}
WATCHED = """
import sys
from pathlib import Path
from trayecto.errors import InputError
from trayecto.formats import read
from trayecto.formats._identity import Identity
seen = []
files = sorted(Path(sys.argv[1]).glob("*.json*"))
list(read(files[-1]))  # imports what is imported when it is first used
sys.addaudithook(lambda event, given: seen.append((event, str(given[0]) if given else "")))
for file in files:
    try:
        list(read(file))
    except InputError:
        pass
for event, what in seen:
    print(event, what, sep="\\t")
"""


def test_every_file_has_its_outcome() -> None:
    """A file that nobody expects anything of tests nothing."""
    found = {path.name for path in CORPUS.glob("[!.]*")}
    assert found == OUTCOMES.keys() | ERRORS.keys()


@pytest.mark.parametrize("name", OUTCOMES)
def test_what_can_be_read_is_read(name: str) -> None:
    """Each broken record is named with its reason; read and rejected are all that there was."""
    good, rejected, warnings = OUTCOMES[name]
    reading = read(CORPUS / name)
    account = reading.account
    assert len(list(reading)) == good
    assert [item.record for item in account.rejected] == [record for record, _ in rejected]
    for item, (_, why) in zip(account.rejected, rejected, strict=True):
        assert why in item.why
    assert account.warnings == Counter(warnings)
    assert account.records == good + account.rejected_count == good + len(rejected)


@pytest.mark.parametrize("name", ERRORS)
def test_what_is_no_trace_is_an_error(name: str) -> None:
    """The message names the file and says in a sentence what it is."""
    with pytest.raises(InputError) as raised:
        list(read(CORPUS / name))
    assert (raised.value.place, raised.value.problem) == (str(CORPUS / name), ERRORS[name])


@pytest.mark.parametrize("name", CALLS)
def test_broken_arguments_are_kept(name: str) -> None:
    """They are the agent's fault: the run is read, and what it wrote is there to be scored."""
    (record,) = read(CORPUS / name)
    (call,) = record.trajectory.calls
    assert ((call.arguments, call.flags), call.outcome) == (CALLS[name], "ok")


@pytest.mark.parametrize("name", TEXTS)
def test_odd_texts_are_kept(name: str) -> None:
    """No character is lost, and no text becomes anything but text."""
    (record,) = read(CORPUS / name)
    assert record.trajectory.turns[0].text == TEXTS[name]


def test_the_last_of_repeated_keys_wins_unless_strict() -> None:
    """`strict` rejects the record (ruling 14)."""
    path = CORPUS / "j01_repeated_key.jsonl"
    assert [record.trajectory.id for record in read(path)] == ["good", "two"]
    reading = read(path, strict=True)
    assert [record.trajectory.id for record in reading] == ["good"]
    (rejected,) = reading.account.rejected
    assert (rejected.record, rejected.why) == (2, "key 'id' stands twice in one object")


def test_the_whole_folder_is_read_at_once() -> None:
    """What is no trace is listed; every file is accounted for, and every record."""
    reading = read(CORPUS, keep_duplicates=True)
    good = sum(number for number, _, _ in OUTCOMES.values())
    bad = sum(len(rejected) for _, rejected, _ in OUTCOMES.values())
    account = reading.account
    assert len(list(reading)) == good
    skipped = {Path(passed.file).name: passed.why for passed in account.skipped}
    assert skipped == ERRORS | {".gitattributes": "hidden"}
    assert (account.files, account.failed) == (len(OUTCOMES), [])
    assert account.records == good + bad


def test_reading_opens_no_other_file_and_no_socket() -> None:
    """A trace that names addresses and paths makes nobody fetch them (M4)."""
    command = [sys.executable, "-c", WATCHED, str(CORPUS)]
    output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    events = [line.split("\t") for line in output.splitlines()]
    opened = {Path(what).name for event, what in events if event == "open"}
    assert opened == OUTCOMES.keys() | ERRORS.keys()
    doing = ("socket", "subprocess", "os.system", "os.exec", "ctypes", "exec", "import", "shutil")
    assert [event for event, _ in events if event.startswith(doing)] == []
