"""Adding a metric touches one file and its test: CONTRIBUTING.md's example, put into a copy."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"<!-- metric example -->(.*)<!-- end of metric example -->", re.DOTALL)
BLOCK = re.compile(r"^`([\w/]+\.py)`.*?```python\n(.*?)```", re.DOTALL | re.MULTILINE)
SCORE = """
import json, sys
import msgspec, trayecto
from trayecto.metrics.first_call_ok import first_call_ok
from trayecto.testing import check_metric

check_metric(first_call_ok)
document = trayecto.summarize(trayecto.score(trayecto.read(sys.argv[1])))
print(json.dumps([trayecto.__file__, msgspec.to_builtins(document)]))
"""
RUN = {
    "messages": [
        {"role": "user", "content": "?"},
        {
            "role": "assistant",
            "tool_calls": [{"id": "1", "function": {"name": "get", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "4"},
    ]
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with the example's files, and nothing else, added to it."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    [text] = EXAMPLE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    files = dict(BLOCK.findall(text))
    assert sorted(files) == [
        "src/trayecto/metrics/first_call_ok.py",
        "tests/metrics/test_first_call_ok.py",
    ]
    for name, source in files.items():
        path = root / name
        assert not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, "utf-8")
    return root


def start(copy: Path, *arguments: str) -> str:
    """Run Python on the copy; return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_is_a_metric_and_stands_in_the_document(copy: Path) -> None:
    """The common test passes on it, and a scored run has its value."""
    path = copy / "runs.jsonl"
    path.write_text(json.dumps(RUN), "utf-8")
    place, document = json.loads(start(copy, "-c", SCORE, str(path)))
    assert Path(place) == copy / "src" / "trayecto" / "__init__.py"
    found = document["metrics"]["first_call_ok"]
    assert (found["value"], found["n"], found["of"]) == (1.0, 1, 1)
    assert (found["unit"], found["better"], found["over"]) == ("share", "higher", "valid")


def test_the_test_of_the_example_passes(copy: Path) -> None:
    """What a contributor copies works as it stands."""
    printed = start(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert re.search(r"\b4 passed", printed), printed


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]])
def test_the_example_is_as_clean_as_the_rest(copy: Path, arguments: list[str]) -> None:
    """The project's own lint and format have nothing to say."""
    ruff = Path(sys.executable).parent / "ruff"
    if not ruff.exists():
        pytest.skip("ruff is not installed")
    shutil.copy(ROOT / "pyproject.toml", copy)
    files = ["src/trayecto/metrics/first_call_ok.py", "tests/metrics/test_first_call_ok.py"]
    done = subprocess.run(
        [ruff, *arguments, "--no-cache", *files],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("test", ["metrics/test_common.py", "reports/test_words.py"])
def test_no_other_file_has_to_change(copy: Path, tmp_path: Path, test: str) -> None:
    """The tests that look over the whole package pass with the new metric and nothing else."""
    shutil.copytree(ROOT / "tests", tmp_path / "tests", dirs_exist_ok=True)
    shutil.copytree(copy, tmp_path, dirs_exist_ok=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    printed = start(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/{test}")
    assert re.search(r"\b\d+ passed", printed), printed
    assert "failed" not in printed
