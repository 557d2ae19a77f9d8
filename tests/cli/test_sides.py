"""The sides of a comparison: their names, and what was read of them."""

import json
from pathlib import Path

import pytest

from trayecto.cli._sides import open_arms
from trayecto.cli._source import Input
from trayecto.cli._verdict import limit
from trayecto.errors import InputError, UsageError


def written(path: Path, tasks: int = 3, broken: int = 0) -> Path:
    """Write runs of so many tasks, and so many lines that are no records."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps({"id": f"r{n}", "case_id": f"t{n}", "success": True, "messages": []})
        for n in range(tasks)
    ]
    path.write_text("\n".join([*lines, *["{broken"] * broken]) + "\n", "utf-8")
    return path


def names(*paths: Path) -> list[str]:
    """Return what these sides are called."""
    return [arm.name for arm in open_arms(paths, Input())]


def test_a_side_is_called_as_its_file_or_folder(tmp_path: Path) -> None:
    """A file without its suffix, a folder as it is."""
    written(tmp_path / "v1.2" / "runs.jsonl")
    assert names(written(tmp_path / "base.jsonl"), tmp_path / "v1.2") == ["base", "v1.2"]


def test_one_name_takes_as_many_folders_as_tell_it_apart(tmp_path: Path) -> None:
    """Two with the same file in the same folder take the one above; a third one takes none."""
    paths = [written(tmp_path / where / "x" / "runs.jsonl") for where in ("a", "b")]
    other = written(tmp_path / "other.jsonl")
    assert names(*paths, other) == ["a/x/runs", "b/x/runs", "other"]


def test_a_base_may_be_its_own_candidate(tmp_path: Path) -> None:
    """To see that nothing is found where nothing is; a candidate given twice is a mistake."""
    one, other = written(tmp_path / "one.jsonl"), written(tmp_path / "other.jsonl")
    assert names(one, one) == ["one", "one"]
    with pytest.raises(UsageError, match="is given as a candidate 2 times"):
        open_arms([one, other, other], Input())


def test_a_name_is_the_candidate_s_alone(tmp_path: Path) -> None:
    """The base keeps what its file says."""
    one, other = written(tmp_path / "one.jsonl"), written(tmp_path / "other.jsonl")
    base, candidate = open_arms([one, other], Input(candidate="v2"))
    (left,), (right,) = (arm.sides(limit("1%"), pool=False).values() for arm in (base, candidate))
    assert (left.candidate == "v2", right.candidate) == (False, "v2")
    with pytest.raises(UsageError, match="names one candidate, and there are several"):
        open_arms([one, other, written(tmp_path / "third.jsonl")], Input(candidate="v2"))


def test_what_was_read_is_told(tmp_path: Path) -> None:
    """Files, records, and the first of those that could not be read."""
    paths = [written(tmp_path / "one.jsonl"), written(tmp_path / "two.jsonl", 20, 1)]
    arms = open_arms(paths, Input())
    for arm in arms:
        assert arm.sides(limit("1%"), pool=False)
    one, two = (arm.told() for arm in arms)
    assert (one.side, one.records, one.rejected, one.rejected_records) == ("one", 3, 0, [])
    assert (two.files, two.records, two.rejected) == (1, 21, 1)
    assert two.rejected_records[0].record == 21


def test_too_many_unreadable_records_are_an_error_with_the_first(tmp_path: Path) -> None:
    """Where it stands, and why it could not be read."""
    paths = [written(tmp_path / "one.jsonl"), written(tmp_path / "two.jsonl", 3, 4)]
    arm = open_arms(paths, Input())[1]
    with pytest.raises(InputError, match=r"4 of 7 .* allows \(1\); first .*two.jsonl:4: JSON"):
        arm.sides(limit("1%"), pool=False)


def test_as_many_unreadable_records_as_are_allowed(tmp_path: Path) -> None:
    """Four of seven at 60 %, and not where three are the most."""
    paths = [written(tmp_path / "one.jsonl"), written(tmp_path / "two.jsonl", 3, 4)]
    arm = open_arms(paths, Input())[1]
    (side,) = arm.sides(limit("60%"), pool=False).values()
    assert sorted(side.tasks) == ["t0", "t1", "t2"]
    assert arm.told().rejected == 4
    with pytest.raises(InputError, match=r"allows \(3\)"):
        open_arms(paths, Input())[1].sides(limit("3"), pool=False)
