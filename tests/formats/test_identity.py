"""Tests of identity (ruling 15): what is one attempt, and what only bears the same name."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
from msgspec.structs import replace

from trayecto.errors import InputError
from trayecto.formats import Reading, read
from trayecto.formats._identity import Identity, content_digest, shortest_endings
from trayecto.records import Account
from trayecto.trajectory import Call, Source, Trajectory, Turn, Usage
from trayecto.wire.files import File
from trayecto.wire.trayecto_jsonl import encode

Write = Callable[..., Path]
HERE = Path(__file__)
Line = dict[str, object]


BASE = Trajectory(
    id="i",
    suite="s",
    candidate="c",
    case_id="k",
    trial=0,
    turns=(Turn(1, "user", "u"), Turn(2, "assistant", "a", (Call(1, "f", {"n": 1}, "r", "ok"),))),
)


def line(case: str, trial: int | None = 0, says: str = "x", **more: object) -> Line:
    """Return a conversation of the agent "m" on a case."""
    talk = [{"role": "user", "content": "hola"}, {"role": "assistant", "content": says}]
    return {"candidate": "m", "case_id": case, "trial": trial, "messages": talk, **more}


@pytest.fixture
def reading(write: Write) -> Callable[..., Reading]:
    """Read files, given by name, each with its lines."""

    def reading(files: dict[str, list[Line]], **options: bool) -> Reading:
        for name, lines in files.items():
            write("\n".join(map(json.dumps, lines)).encode(), name)
        return read(*files, **options)

    return reading


Read = Callable[..., Reading]


def slots(found: Reading) -> list[tuple[str, str, int | None]]:
    """Return candidate, case and trial of every record."""
    runs = [record.trajectory for record in found]
    return [(one.candidate, one.case_id, one.trial) for one in runs]


@pytest.mark.parametrize("trial", [0, 7, 4095, 4096, 10**12, -1])
def test_a_slot_filled_twice_in_a_file_is_an_error(reading: Read, trial: int) -> None:
    """The message names both records and what to do, whatever the trial's number."""
    found = reading({"a.jsonl": [line("k", trial), line("j", trial), line("k", trial)]})
    with pytest.raises(InputError) as raised:
        list(found)
    assert str(raised.value) == (
        f"a.jsonl:3: trial {trial} of case 'k' (suite 'openai_messages', candidate 'm') was "
        "already filled by record 1; number the trials, or pass --keep-duplicates"
    )


def test_other_slots_do_not_clash(reading: Read) -> None:
    """Case, trial, candidate and suite each make another slot."""
    lines = [
        line("k"),
        line("j"),
        line("k", 1),
        line("k", 5000),
        line("k", 5001),
        line("k", -1),
        line("k", candidate="n"),
        line("k", suite="s"),
    ]
    assert len(list(reading({"a.jsonl": lines}))) == 8


def test_unnumbered_trials_never_clash(reading: Read) -> None:
    """Several attempts at a case need no numbers."""
    found = reading({"a.jsonl": [line("k", None), line("k", None), line("k", None, "y")]})
    assert slots(found) == [("m", "k", None)] * 3


def test_duplicates_may_be_kept(reading: Read) -> None:
    """Then a slot that is filled twice counts as two attempts."""
    found = reading({"a.jsonl": [line("k"), line("k")]}, keep_duplicates=True)
    assert slots(found) == [("m", "k", 0)] * 2


@pytest.mark.parametrize("order", [("a.jsonl", "b.jsonl"), ("b.jsonl", "a.jsonl")])
def test_the_same_content_in_two_files_is_one_attempt(reading: Read, order: list[str]) -> None:
    """The fuller record is kept, in whichever order the files come; the warning names both."""
    files = {"a.jsonl": [line("k")], "b.jsonl": [line("j"), line("k", success=True)]}
    found = reading({name: files[name] for name in order})
    kept = {record.trajectory.case_id: record.trajectory for record in found}
    assert len(kept) == 2
    assert (kept["k"].source.file, kept["k"].success) == ("b.jsonl", True)
    assert found.account.warnings == Counter(duplicate=1)
    assert found.account.examples["duplicate"] == "b.jsonl:2 and a.jsonl:1"


def test_of_equally_full_records_the_first_is_kept(reading: Read) -> None:
    """Three copies are one attempt; records counts all that were read."""
    found = reading({name: [line("k")] for name in ("a.jsonl", "b.jsonl", "c.jsonl")})
    assert [record.trajectory.source.file for record in found] == ["a.jsonl"]
    assert (found.account.warnings, found.account.records) == (Counter(duplicate=2), 3)


def test_other_content_in_two_files_is_another_attempt(reading: Read) -> None:
    """Each file is a group of its own, named by the shortest ending that tells them apart."""
    found = reading({"x/a.jsonl": [line("k")], "y/a.jsonl": [line("k", says="y"), line("j")]})
    assert slots(found) == [
        ("m @ x/a.jsonl", "k", 0),
        ("m @ y/a.jsonl", "k", 0),
        ("m @ y/a.jsonl", "j", 0),
    ]
    assert found.account.warnings == Counter(same_slot=1)
    assert found.account.examples["same_slot"] == "x/a.jsonl:1 and y/a.jsonl:1: case 'k', trial 0"


def test_a_duplicate_beside_another_attempt(reading: Read) -> None:
    """The copy that tells less is dropped; the other content stays an attempt of its own."""
    found = reading(
        {
            "a.jsonl": [line("k")],
            "b.jsonl": [line("k", says="y")],
            "c.jsonl": [line("k", success=True)],
        }
    )
    assert slots(found) == [("m @ b.jsonl", "k", 0), ("m @ c.jsonl", "k", 0)]
    assert found.account.warnings == Counter(duplicate=1, same_slot=1)
    assert found.account.examples["same_slot"].startswith("c.jsonl:1 and b.jsonl:1: ")


def test_only_the_candidate_that_clashes_is_renamed(reading: Read) -> None:
    """Another one in the same file keeps its name, and so does a third file."""
    found = reading(
        {
            "a.jsonl": [line("k"), line("j", candidate="n")],
            "b.jsonl": [line("k", says="y")],
            "c.jsonl": [line("i")],
        }
    )
    assert slots(found) == [
        ("m @ a.jsonl", "k", 0),
        ("n", "j", 0),
        ("m @ b.jsonl", "k", 0),
        ("m", "i", 0),
    ]


def test_a_slot_filled_twice_is_an_error_among_several_files_too(reading: Read) -> None:
    """Also where its candidate is renamed, and where one of the two is a duplicate."""
    lines = [line("k"), line("k", says="y")]
    for other in (line("k", says="z"), line("k")):
        found = reading({"b.jsonl": [other], "a.jsonl": lines})
        with pytest.raises(InputError, match=r"a\.jsonl:2: .* already filled by record 1"):
            list(found)


def test_unnumbered_trials_in_two_files_clash_by_their_case(reading: Read) -> None:
    """The same content once, other content as another attempt of a candidate of its own."""
    same = reading({"a.jsonl": [line("k", None)], "b.jsonl": [line("k", None)]})
    assert slots(same) == [("m", "k", None)]
    other = reading({"a.jsonl": [line("k", None)], "b.jsonl": [line("k", None, "y")]})
    assert slots(other) == [("m @ a.jsonl", "k", None), ("m @ b.jsonl", "k", None)]


def test_files_of_one_name_are_not_trials_of_each_other(reading: Read) -> None:
    """Ruling 15: a record without a case is a slot as well; other content is another attempt."""
    said = [{"messages": [{"role": "user", "content": text}]} for text in ("hola", "adiós")]
    found = reading({"x/a.jsonl": said[:1], "y/a.jsonl": said[1:]})
    assert slots(found) == [("a @ x/a.jsonl", "a#1", None), ("a @ y/a.jsonl", "a#1", None)]
    assert found.account.warnings["same_slot"] == 1


def test_a_copy_of_a_file_without_cases_is_counted_once(reading: Read) -> None:
    """Ruling 15: the same content in two files is one attempt, with a warning."""
    talk = {"messages": [{"role": "user", "content": "hola"}], "candidate": "m"}
    found = reading({"x/a.jsonl": [talk], "y/a.jsonl": [talk]})
    assert slots(found) == [("m", "a#1", None)]
    assert found.account.warnings["duplicate"] == 1


def said(name: object, says: str = "x", **more: object) -> Line:
    """Return a conversation that has an id, and no case."""
    return {key: one for key, one in line("", None, says, id=name, **more).items() if key[0] != "c"}


def test_the_same_id_and_content_in_two_files_is_one_attempt(reading: Read) -> None:
    """An id that a record gave is the name of its case."""
    files = {"a.jsonl": [said("r", model="m")], "b.jsonl": [said("r", model="m"), said("s", "y")]}
    found = reading(files)
    assert slots(found) == [("m", "r", None), ("b", "s", None)]
    assert found.account.warnings == Counter(duplicate=1)


def test_the_same_id_with_other_content_is_another_attempt(reading: Read) -> None:
    """Two files that number their records are not poured into one group."""
    files = {"a.jsonl": [said(1, model="m")], "b.jsonl": [said(1, "y", model="m")]}
    found = reading(files)
    assert slots(found) == [("m @ a.jsonl", "1", None), ("m @ b.jsonl", "1", None)]
    assert found.account.warnings == Counter(same_slot=1)
    assert found.account.examples["same_slot"] == "a.jsonl:1 and b.jsonl:1: case '1', trial None"


def test_an_id_that_looks_like_one_of_ours_was_given(reading: Read) -> None:
    """Only the name of a record's own place is made up."""
    files = {"a.jsonl": [said("a#2", model="m")], "b.jsonl": [said("a#2", model="m")]}
    found = reading(files)
    assert (len(list(found)), found.account.warnings) == (1, Counter(duplicate=1))


def exported(*trajectories: Trajectory) -> bytes:
    """Return lines of our own format."""
    return b"\n".join(map(encode, trajectories))


def test_a_line_of_ours_was_named_by_its_record(write: Write) -> None:
    """What was made up when it was first read is its name since then: copies are told."""
    first = replace(BASE, id="a#1", case_id="a#1", trial=None, source=Source("f", "x/a.json", 1))
    names = [write(exported(first), name) for name in ("x/a.jsonl", "y/b.jsonl")]
    found = read(*names)
    assert slots(found) == [("c", "a#1", None)]
    assert found.account.warnings == Counter(duplicate=1)


def test_a_copy_costs_no_other_record_of_its_file(write: Write) -> None:
    """Lines of ours say where they were first: two of a file may both be a record 1."""
    one = replace(BASE, source=Source("f", "a.json", 1))
    other = replace(BASE, case_id="l", source=Source("f", "b.json", 1))
    names = [write(exported(one), "a.jsonl"), write(exported(one, other), "b.jsonl")]
    assert slots(read(*names)) == [("c", "k", 0), ("c", "l", 0)]


def test_many_copies_and_many_files_take_no_time_of_their_square() -> None:
    """A thousand files, and a slot of ten thousand records."""
    start = process_time()
    paths = [f"runs/{n // 10}/deep/{n % 10}/a.jsonl" for n in range(3000)]
    endings = shortest_endings(paths)
    assert endings["runs/7/deep/3/a.jsonl"] == "7/deep/3/a.jsonl"
    identity = Identity()
    attempts = [Turn(1, "user", str(n)) for n in range(10_000)]
    for file, name in enumerate(("a.jsonl", "b.jsonl")):
        source = File(HERE, name)
        for place, turn in enumerate(attempts):
            identity.see(file, place, source, replace(BASE, trial=None, turns=(turn,)))
    account = Account()
    identity.settle(account)
    assert account.warnings == Counter(duplicate=10_000)
    assert process_time() - start < 3


def test_names_in_messages_are_cut(reading: Read) -> None:
    """A megabyte of a stranger's text is not repeated."""
    name = "k" * 100_000
    found = reading({"a.jsonl": [line(name, 1), line(name, 1, candidate=name, suite=name)] * 2})
    with pytest.raises(InputError) as raised:
        list(found)
    assert len(str(raised.value)) < 500
    clash = reading({"b.jsonl": [line(name)], "c.jsonl": [line(name, says="y")]})
    assert len(list(clash)) == 2
    under = reading({"d.jsonl": [line("j")], "e.jsonl": [line("j", candidate=name)]})
    assert len(list(under)) == 2
    examples = {**clash.account.examples, **under.account.examples}
    assert examples.keys() == {"same_slot", "same_runs_under_two_names"}
    assert max(map(len, examples.values())) < 300


def test_kept_duplicates_in_two_files_are_two_attempts(reading: Read) -> None:
    """Numbered ones are told apart by their file, unnumbered ones are further trials."""
    found = reading({"a.jsonl": [line("k")], "b.jsonl": [line("k")]}, keep_duplicates=True)
    assert slots(found) == [("m @ a.jsonl", "k", 0), ("m @ b.jsonl", "k", 0)]
    files = {"a.jsonl": [line("k", None)], "b.jsonl": [line("k", None)]}
    assert slots(reading(files, keep_duplicates=True)) == [("m", "k", None)] * 2


@pytest.mark.parametrize("name", ["suite", "candidate"])
def test_the_same_content_under_two_names_is_kept_in_both(reading: Read, name: str) -> None:
    """It is told once for all, with the count of the contents."""
    lines = [line("k"), line("j", says="y"), line("i", says="z")]
    again = [{**one, name: "other"} for one in lines[:2]]
    found = reading({"a.jsonl": lines, "b.jsonl": again})
    assert len(list(found)) == 5
    assert found.account.warnings == Counter(same_runs_under_two_names=2)


def changed(**fields: object) -> Trajectory:
    """Return the base with one field of its second turn, or of its call, changed."""
    call = {"tool": "f", "arguments": {"n": 1}, "observation": "r", "outcome": "ok"}
    of_call = {key: value for key, value in fields.items() if key in (*call, "id", "flags")}
    made = Call(index=1, **{**call, **of_call})
    rest = {key: value for key, value in fields.items() if key not in of_call}
    turn = Turn(**{"position": 2, "role": "assistant", "text": "a", "calls": (made,), **rest})
    return Trajectory(
        id="j", suite="t", candidate="d", case_id="l", trial=1, turns=(BASE.turns[0], turn)
    )


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"id": "c9"},
        {"usage": Usage(1, 0, 0, 1)},
        {"latency_ms": 3.0},
        {"position": 9},
        {"model": "m"},
        {"start_ns": 5},
    ],
)
def test_names_ids_times_and_usage_are_no_content(fields: dict[str, object]) -> None:
    """The same run may be recorded twice by two tools."""
    assert content_digest(changed(**fields)) == content_digest(BASE)


@pytest.mark.parametrize(
    "fields",
    [
        {"role": "user"},
        {"text": "b"},
        {"text": None},
        {"tool": "g"},
        {"arguments": {"n": True}},
        {"arguments": '{"n":1}'},
        {"observation": None},
        {"outcome": "error"},
        {"calls": ()},
    ],
)
def test_roles_texts_calls_and_outcomes_are_content(fields: dict[str, object]) -> None:
    """Any difference in what was said or done makes another attempt."""
    assert content_digest(changed(**fields)) != content_digest(BASE)


@pytest.mark.parametrize(
    ("path", "others", "ending"),
    [
        ("runs/a.json", ["runs/b.json"], "a.json"),
        ("x/run/a.json", ["y/run/a.json"], "x/run/a.json"),
        ("/d/x/run/a.json", ["/d/y/run/a.json", "/d/x/run/b.json"], "x/run/a.json"),
        ("a.json", ["x/a.json"], "a.json"),
        ("x/a.json", ["a.json"], "x/a.json"),
    ],
)
def test_the_shortest_ending_that_tells_apart(path: str, others: list[str], ending: str) -> None:
    """As much of the path as is needed, and no more."""
    assert shortest_endings([path, *others])[path] == ending


def test_a_given_suite_and_candidate_replace_those_of_the_files(reading: Read) -> None:
    """Ruling 15: they override what the format says; nothing else of a trajectory changes."""
    files = {"a.jsonl": [line("1", suite="shop"), line("2")]}
    runs = [record.trajectory for record in reading(files, suite="mine", candidate="new")]
    assert {(run.suite, run.candidate) for run in runs} == {("mine", "new")}
    plain = [record.trajectory for record in reading(files)]
    assert [replace(run, suite="mine", candidate="new") for run in plain] == runs


@pytest.mark.parametrize(
    ("given", "names"),
    [({"suite": "mine"}, ("mine", "m")), ({"candidate": "new"}, ("shop", "new"))],
)
def test_one_name_leaves_the_other(
    reading: Read, given: dict[str, str], names: tuple[str, str]
) -> None:
    """Each stands for itself."""
    [record] = reading({"a.jsonl": [line("1", suite="shop")]}, **given)
    assert (record.trajectory.suite, record.trajectory.candidate) == names


def test_the_same_runs_under_one_name_are_duplicates(reading: Read) -> None:
    """Two files call one run by two names; under one name it is one attempt, counted once."""
    files = {"a.jsonl": [line("1")], "b.jsonl": [line("1", candidate="n")]}
    apart = reading(files)
    assert len(list(apart)) == 2
    assert apart.account.warnings == Counter(same_runs_under_two_names=1)
    together = reading(files, candidate="new")
    assert slots(together) == [("new", "1", 0)]
    assert together.account.warnings == Counter(duplicate=1)


def test_other_runs_under_one_name_are_told_apart_by_their_files(reading: Read) -> None:
    """Two attempts of what is now one candidate, in one slot: each file is a group of its own."""
    files = {"a.jsonl": [line("1")], "b.jsonl": [line("1", says="y", candidate="n")]}
    found = reading(files, candidate="new")
    assert slots(found) == [("new @ a.jsonl", "1", 0), ("new @ b.jsonl", "1", 0)]
    assert found.account.warnings == Counter(same_slot=1)


def test_two_candidates_of_a_file_may_clash_under_one_name(reading: Read) -> None:
    """As any slot that is filled twice: an error that names both records."""
    files = {"a.jsonl": [line("1"), line("1", candidate="n", says="y")]}
    assert len(list(reading(files))) == 2
    with pytest.raises(InputError, match=r"candidate 'new'\) was already filled by record 1"):
        list(reading(files, candidate="new"))
    assert len(list(reading(files, candidate="new", keep_duplicates=True))) == 2


def test_every_format_takes_a_given_name(write: Write) -> None:
    """tau-bench guesses its suite from the tools, and our own lines carry names."""
    talk = [{"role": "user", "content": "hola"}]
    write([{"task_id": 0, "trial": 0, "reward": 1.0, "traj": talk, "info": {}}], "tau.json")
    write(encode(BASE), "own.jsonl")
    names = {
        (record.trajectory.suite, record.trajectory.candidate)
        for record in read("tau.json", "own.jsonl", suite="mine", candidate="new")
    }
    assert names == {("mine", "new")}


def test_reading_again_gives_the_same_names(reading: Read) -> None:
    """A reading may be iterated twice, and compares several files beforehand."""
    found = reading({"a.jsonl": [line("1")], "b.jsonl": [line("2")]}, candidate="new")
    assert slots(found) == slots(found) == [("new", "1", 0), ("new", "2", 0)]
