"""A folder as a registry: the file name is the id."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from trayecto import _folder


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return a package with two entries, a private helper, a folder and a text."""
    folder = tmp_path / "made_folder"
    (folder / "wide").mkdir(parents=True)
    for name in ("__init__", "zebra", "ant", "_helper", "wide/__init__"):
        (folder / f"{name}.py").write_text(f"ID = {name!r}\n", "utf-8")
    (folder / "notes.txt").write_text("not Python", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    import made_folder

    yield made_folder
    for name in [name for name in sys.modules if name.startswith("made_folder")]:
        del sys.modules[name]


def test_names_are_the_files_without_helpers(package: ModuleType) -> None:
    """Sorted; a package is an entry too; nothing is imported."""
    assert _folder.names(package) == ["ant", "wide", "zebra"]
    assert [name for name in sys.modules if name.startswith("made_folder.")] == []


def test_entries_are_imported_by_id(package: ModuleType) -> None:
    """Each id leads to its module."""
    found = _folder.entries(package)
    assert {name: module.ID for name, module in found.items()} == {
        "ant": "ant",
        "wide": "wide/__init__",
        "zebra": "zebra",
    }


def test_a_file_that_is_added_is_found(package: ModuleType) -> None:
    """Nothing has to be registered."""
    Path(package.__file__).with_name("bee.py").write_text("ID = 'bee'\n", "utf-8")
    assert "bee" in _folder.names(package)
