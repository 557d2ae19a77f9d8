"""What judges trajectories: cases and contracts, from the files that are named."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest

from trayecto.cli._cases import load_judges
from trayecto.errors import InputError


def test_streams_look_for_cycles_less_often() -> None:
    """Scoring raises the threshold of the collector, and sets aside what stays."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    try:
        assert load_judges(None, None) == (None, None)
        assert gc.isenabled()
        assert gc.get_threshold()[0] > 700
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a suite that names its own tools, and another file of tools."""
    suite = "suite: s\ntools: own.json\ncases: [{id: a, reference: [find]}]\n"
    (tmp_path / "cases.yaml").write_text(suite)
    (tmp_path / "own.json").write_text(json.dumps([{"name": "find"}, {"name": "own"}]))
    (tmp_path / "given.json").write_text(json.dumps([{"name": "find"}]))
    return tmp_path


def test_a_suite_s_own_tools_are_read_beside_it(folder: Path) -> None:
    """Where none are given; the path is beside the file of cases."""
    cases, tools = load_judges(folder / "cases.yaml", None)
    assert [case.id for case in cases] == ["a"]
    assert list(tools) == ["find", "own"]


def test_given_tools_come_first_and_cases_must_know_them(folder: Path) -> None:
    """A case that asks for a tool that there is not cannot be passed."""
    _, tools = load_judges(folder / "cases.yaml", folder / "given.json")
    assert list(tools) == ["find"]
    (folder / "given.json").write_text(json.dumps([{"name": "fnd"}]))
    with pytest.raises(InputError, match="'find' is not in the tools' contract; choose fnd"):
        load_judges(folder / "cases.yaml", folder / "given.json")


@pytest.mark.parametrize("named", ["python:shop.tools:TOOLS", "'mcp: shop-server'"])
def test_tools_that_would_have_to_be_run_are_left_out(folder: Path, named: str) -> None:
    """Scoring imports no module and starts no server that a file names."""
    suite = folder / "cases.yaml"
    suite.write_text(suite.read_text().replace("own.json", named))
    assert load_judges(suite, None)[1] is None


def test_tools_that_are_not_there_are_told(folder: Path) -> None:
    """With the path that was looked for."""
    (folder / "own.json").unlink()
    with pytest.raises(InputError, match=r"own.json: no such file"):
        load_judges(folder / "cases.yaml", None)


def test_a_suite_s_own_tools_are_held_against_its_cases_too(folder: Path) -> None:
    """A misspelled tool is told, whoever names the contracts (Y19)."""
    (folder / "own.json").write_text(json.dumps([{"name": "fnd"}]))
    with pytest.raises(InputError, match="'find' is not in the tools' contract"):
        load_judges(folder / "cases.yaml", None)


@pytest.mark.parametrize("named", ["/etc/hostname", "../own.json"])
def test_a_suite_names_no_file_outside_of_its_folder(folder: Path, named: str) -> None:
    """A file of cases may come from anywhere: it opens nothing that was not meant."""
    suite = folder / "cases.yaml"
    suite.write_text(suite.read_text().replace("own.json", named))
    with pytest.raises(InputError, match="is outside of the suite's folder"):
        load_judges(suite, None)


def test_tools_of_another_name_are_read_as_json(folder: Path) -> None:
    """Nothing that a suite names is passed over without a word."""
    suite = folder / "cases.yaml"
    (folder / "tools.yaml").write_text("- name: find\n")
    suite.write_text(suite.read_text().replace("own.json", "tools.yaml"))
    with pytest.raises(InputError, match="is no JSON that can be read"):
        load_judges(suite, None)
