"""Files: in which files the runs stand."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.records import Record
from trayecto.summaries.files import LISTED, Accumulator
from trayecto.trajectory import Source

Make = Callable[..., Any]


def in_file(record: Make, name: str) -> Record:
    """Return a run that was read from a file."""
    return record("t", source=Source("made", name, 1))


def test_each_file_is_named_once(record: Make, total: Make) -> None:
    """By name, however the runs come; the account has the same names over all groups."""
    made = [in_file(record, name) for name in ("b.json", "a.json", "b.json")]
    found = total(made)
    assert found.groups[0].files == ["a.json", "b.json"]
    assert found.read.names == ["a.json", "b.json"]


def test_groups_name_their_own_files(record: Make, total: Make) -> None:
    """A candidate's runs are found where they are; the account names all."""
    made = [
        record("t", candidate=name, source=Source("made", f"{name}.json", 1)) for name in ("b", "a")
    ]
    found = total(made)
    assert [group.files for group in found.groups] == [["a.json"], ["b.json"]]
    assert found.read.names == ["a.json", "b.json"]


def test_a_run_of_no_file_names_none(record: Make, total: Make) -> None:
    """A trajectory that was made in memory stands nowhere."""
    assert total([in_file(record, "")]).read.names == []


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_of_many_files_the_first_by_name_are_kept(record: Make, scored: Make, parts: int) -> None:
    """However they are split, and never many more than that at a time."""
    names = [f"{at:03}.json" for at in range(100)]
    runs, columns = scored([in_file(record, name) for name in reversed(names)])
    whole = Accumulator(columns)
    for at in range(parts):
        part = Accumulator(columns)
        for run in runs[at::parts]:
            part.add(run)
            assert len(part.names) <= 2 * LISTED
        whole.merge(part)
    assert whole.value() == {"files": names[:LISTED]}
