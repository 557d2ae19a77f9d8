"""``trayecto init``: the starter suite that it writes, and what it refuses."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from trayecto.case_formats import load_cases
from trayecto.case_formats._schema import CaseEntry, Settings

Type = Callable[..., Any]  # gives code, out and err: see conftest
LANGS = ["en", "es"]
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("lang", LANGS)
def test_the_suite_loads_with_its_five_difficulties(type_: Type, tmp_path: Path, lang: str) -> None:
    """One simple case, two medium ones, a complex one and an edge case, all of them evaluated."""
    assert type_("init", tmp_path, "--lang", lang).code == 0
    cases = load_cases(tmp_path / "cases.yaml")
    assert [case.difficulty for case in cases] == ["simple", "medium", "medium", "complex", "edge"]
    assert cases.suite == "orders"
    assert cases.skipped == ()


@pytest.mark.parametrize("lang", LANGS)
def test_the_command_that_it_prints_works(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """In a folder whose name needs quotes too; the numbers are counted by hand in runs.jsonl.

    8 of 10 runs succeed. Both trials of three tasks do: pass^2 is 3/5. One refund of two goes
    wrong, and so does one delivery: the paths of the four tasks that have one match in 1, 1/2, 1
    and 1/2 of their trials.
    """
    monkeypatch.chdir(tmp_path)
    printed = type_("init", "my suite", "--lang", lang).out.splitlines()[-1]
    words = shlex.split(printed[printed.index("trayecto") :])
    result = type_(*words[1:], "--json")
    document = json.loads(result.out)
    assert (result.code, result.err, document["warnings"]) == (0, "", [])
    metrics = document["metrics"]
    assert metrics["task_success"]["value"] == 8 / 10
    assert metrics["pass_hat_k"]["2"]["value"] == 3 / 5
    assert metrics["path_match"]["value"] == (1 + 1 / 2 + 1 + 1 / 2) / 4
    assert metrics["forbidden_tools"]["value"] == 1 / 2


@pytest.mark.parametrize("lang", LANGS)
def test_every_field_that_it_uses_is_explained(type_: Type, tmp_path: Path, lang: str) -> None:
    """Where a field stands first, the line above is a comment."""
    type_("init", tmp_path, "--lang", lang)
    lines = (tmp_path / "cases.yaml").read_text("utf-8").splitlines()
    known = {*CaseEntry.model_fields, *Settings.model_fields, "cases"}
    seen: dict[str, str] = {}
    for above, line in pairwise(lines):
        field = line.strip().removeprefix("- ").partition(":")[0]
        if field in known:
            seen.setdefault(field, above.strip())
    assert len(seen) >= 16
    assert {field for field, above in seen.items() if not above.startswith("#")} == set()


def test_what_each_run_is_asked_is_the_task(type_: Type, tmp_path: Path) -> None:
    """Cases and runs speak of the same, in the language that was asked for."""
    type_("init", tmp_path, "--lang", "es")
    tasks = {case.id: case.task.text for case in load_cases(tmp_path / "cases.yaml")}
    lines = map(json.loads, (tmp_path / "runs.jsonl").read_text("utf-8").splitlines())
    asked = {line["case_id"]: line["messages"][0]["content"] for line in lines}
    assert asked == tasks
    assert "¿En qué estado está el pedido A-1001?" in tasks.values()


@pytest.mark.parametrize("name", ["cases.yaml", "runs.jsonl"])
def test_a_file_that_is_there_is_never_written_over(type_: Type, tmp_path: Path, name: str) -> None:
    """The error names it, and the other file is not written either."""
    taken = tmp_path / name
    taken.write_text("mine")
    result = type_("init", tmp_path)
    assert (result.code, result.out) == (2, "")
    assert f"{taken}: is there already; --force writes over it" in result.err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_force_writes_over_files(type_: Type, tmp_path: Path) -> None:
    """Files only: a folder of that name stays."""
    (tmp_path / "cases.yaml").write_text("mine")
    assert type_("init", tmp_path, "--force").code == 0
    assert len(load_cases(tmp_path / "cases.yaml").cases) == 5
    (tmp_path / "runs.jsonl").unlink()
    (tmp_path / "runs.jsonl").mkdir()
    result = type_("init", tmp_path, "--force")
    assert (result.code, "is no file" in result.err) == (2, True)


def test_a_file_of_another_name(type_: Type, tmp_path: Path) -> None:
    """The folders on the way to it are made, and the runs lie beside it."""
    path = tmp_path / "a" / "b" / "suite.yml"
    assert type_("init", path).code == 0
    assert sorted(each.name for each in path.parent.iterdir()) == ["runs.jsonl", "suite.yml"]


def test_without_a_place_it_is_this_folder(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the command that is printed is the shortest."""
    monkeypatch.chdir(tmp_path)
    assert "trayecto score runs.jsonl --cases cases.yaml" in type_("init").out


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("suite.json", "a starter suite is YAML; choose .yaml, .yml."),
        ("taken", "is no folder, and no .yaml file"),
        ("taken/below", "cannot write"),
        ("taken/below.yaml", "cannot write"),
    ],
)
def test_a_place_that_cannot_be_is_one_sentence(
    type_: Type, tmp_path: Path, place: str, told: str
) -> None:
    """Another kind of file, and a folder that cannot be made, end with 2."""
    (tmp_path / "taken").write_text("")
    result = type_("init", tmp_path / place)
    assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)
    assert told in result.err


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="needs /proc, a Linux folder")
def test_a_folder_that_cannot_be_written_to_is_one_sentence(type_: Type) -> None:
    """Whoever runs it, nothing can be written there; the path is named."""
    result = type_("init", "/proc")
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert "cannot write /proc/cases.yaml" in result.err


def test_a_file_that_appears_meanwhile_is_kept(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking and writing, somebody else may have been faster."""
    monkeypatch.setattr("trayecto.cli.init._refuse", lambda *_, **__: None)
    (tmp_path / "cases.yaml").write_text("mine")
    result = type_("init", tmp_path)
    assert (result.code, (tmp_path / "cases.yaml").read_text()) == (2, "mine")


def test_its_checks_and_strata_can_be_tried(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand in runs.jsonl: eight assertions fail, in the last delivery, refund and refusal.

    The delivery is out of order (path, order), the refund of another order (path, scope, success),
    and the order of the neighbour cancelled (forbidden, answer, success).
    """
    monkeypatch.chdir(tmp_path)
    type_("init")
    words = ("score", "runs.jsonl", "--cases", "cases.yaml", "--check", "--min", "task_success=0.8")
    result = type_(*words, "--json")
    [group] = json.loads(result.out)["groups"]
    assert result.code == 1
    assert group["checked"] == {"trajectories": 10, "failed": 3, "not_evaluated": 0}
    assert sum(check["failed"] for check in group["checks"]) == 8
    parts = group["strata"]["difficulty"]
    values = {name: metrics["task_success"]["value"] for name, metrics in parts.items()}
    assert values == {"simple": 1.0, "medium": 1.0, "complex": 0.5, "edge": 0.5}


@pytest.mark.slow
def test_the_wheel_holds_the_templates(tmp_path: Path) -> None:
    """What is installed can write what is here."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    options = ["--no-build-isolation", "--wheel-dir", tmp_path, ROOT]
    subprocess.run([*command, *options], check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    folder = ROOT / "src" / "trayecto" / "starter"
    wanted = {
        f"trayecto/starter/{lang}/{n}" for lang in LANGS for n in ("cases.yaml", "runs.jsonl")
    }
    assert wanted <= held
    assert len([path for path in folder.rglob("*") if path.is_file()]) == len(wanted)
