"""One test for every format of the folder, whoever wrote it (STYLE 19)."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from trayecto import formats
from trayecto.formats import load, read
from trayecto.records import Record
from trayecto.trajectory import Trajectory
from trayecto.wire.trayecto_jsonl import encode

HERE = Path(__file__).parent
EMPTY = Trajectory(id="i", suite="s", candidate="c", case_id="k", trial=0, turns=())
TALK = [{"role": "user", "content": "hola"}, {"role": "assistant", "content": "listo"}]
# The smallest first record of each format; a new format adds its own.
FIRST: dict[str, object] = {
    "agentdojo": {"suite_name": "s", "pipeline_name": "p", "user_task_id": "u", "messages": TALK},
    "openai_messages": {"messages": TALK},
    "tau_bench": {"task_id": 0, "trial": 0, "reward": 1.0, "traj": TALK, "info": {}},
    "trayecto_jsonl": json.loads(encode(EMPTY)),
}
GARBAGE: list[object] = [None, [], {}, 3, 0.5, True, "x", "", [[]], [None], {"a": 1}, [3, "x"]]

every_format = pytest.mark.parametrize("name", load())


@pytest.fixture
def module(name: str) -> ModuleType:
    """Return the format of that name."""
    return load()[name]


def records(path: Path) -> list[Record]:
    """Return what a file reads as."""
    return list(read(path))


def test_every_format_has_a_first_record() -> None:
    """A format that nobody gives a record to is not tested."""
    assert FIRST.keys() == load().keys()


@every_format
def test_it_is_documented(module: ModuleType) -> None:
    """Its docstring is its page: what is read, and where the shape is defined."""
    text = module.__doc__ or ""
    assert "Read: " in text
    assert len(text.splitlines()[0].split()) > 3


@every_format
def test_it_is_known_by_its_own_name(name: str, module: ModuleType) -> None:
    """The file's name is the id, here and in every source."""
    assert name == module.ID


@every_format
def test_it_has_its_own_test(name: str) -> None:
    """A format's own numbers are looked at in a file of its name."""
    assert (HERE / f"test_{name}.py").is_file()


@every_format
def test_it_recognises_its_own_record_and_no_other(name: str, module: ModuleType) -> None:
    """Exactly one format knows a file."""
    assert [other for other, first in FIRST.items() if module.recognises(first)] == [name]


@every_format
@pytest.mark.parametrize("garbage", GARBAGE, ids=repr)
def test_it_refuses_garbage(module: ModuleType, garbage: object) -> None:
    """Whatever JSON stands first in a file, asking is safe, and the answer is no."""
    assert module.recognises(garbage) is False


@every_format
@pytest.mark.parametrize("layout", ["lines", "list", "document"])
def test_it_is_read_in_every_layout(name: str, layout: str, tmp_path: Path) -> None:
    """A record is the same on a line, in a list, or alone."""
    first = json.dumps(FIRST[name])
    content = {"lines": f"{first}\n\n", "list": f"[{first}]", "document": first}[layout]
    (tmp_path / "runs.json").write_text(content, "utf-8")
    (record,) = records(tmp_path / "runs.json")
    trajectory = record.trajectory
    assert (trajectory.source.format, trajectory.source.record) == (name, 1)


@every_format
def test_reading_is_deterministic(name: str, tmp_path: Path) -> None:
    """Two readings of a file, and two iterations of a reading, give equal records."""
    path = tmp_path / "runs.json"
    path.write_text(json.dumps(FIRST[name]), "utf-8")
    reading = read(path)
    assert records(path) == list(reading) == list(reading) != []


@every_format
def test_a_broken_record_is_rejected_with_its_place(name: str, tmp_path: Path) -> None:
    """The good ones before and after it are kept."""
    first = json.dumps(FIRST[name])
    path = tmp_path / "runs.jsonl"
    path.write_text(f"{first}\n{first[:-2]}\n3\n{{}}\n", "utf-8")
    reading = read(path)
    assert len(list(reading)) == 1
    assert [item.record for item in reading.account.rejected] == [2, 3, 4]
    assert all(item.why for item in reading.account.rejected)


def test_a_format_is_added_by_its_file_alone() -> None:
    """The folder is the registry; private helpers are no formats."""
    files = {path.stem for path in Path(formats.__file__).parent.glob("[!_]*.py")}
    assert files == load().keys()
