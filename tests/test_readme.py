"""What the README says works as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from trayecto.case_formats import load_cases
from trayecto.prices import load as load_prices

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """Every fenced block of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_python_runs(tmp_path: Path) -> None:
    """Read, score, summarize, report in five lines; then with cases and prices of one's own."""
    for name in ("runs.jsonl", "cases.yaml", "prices.yaml"):
        (tmp_path / name).write_bytes((files("trayecto") / "example" / name).read_bytes())
    code = "\n".join(blocks("python")) + "\nprint(report(summarize(scores)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.count("Task success  60.0 %") == 2
    assert len(blocks("python")[0].strip().splitlines()) <= 5


def test_the_case_and_price_files_load(tmp_path: Path) -> None:
    """The YAML of the README is two case files, and a price file."""
    cases, more, prices = blocks("yaml")
    (tmp_path / "cases.yaml").write_text(cases)
    (tmp_path / "prices.yaml").write_text(prices)
    assert [case.id for case in load_cases(tmp_path / "cases.yaml")] == [
        "balance_001",
        "invoices_004",
    ]
    (tmp_path / "more.yaml").write_text(more)
    assert [case.id for case in load_cases(tmp_path / "more.yaml")] == [
        "payment_003",
        "refund_of_another",
    ]
    assert load_prices(str(tmp_path / "prices.yaml")).is_flat("my-model")


@pytest.mark.parametrize("path", re.findall(r"`((?:src|docs)/[\w/.]+)`", README))
def test_every_file_that_is_named_is_there(path: str) -> None:
    """A path in the README leads somewhere."""
    assert (Path(__file__).parent.parent / path).exists()


def test_the_commands_are_commands() -> None:
    """Every command of the README is one, with options that it has."""
    lines = re.findall(r"(?m)^    trayecto ([a-z]+)(.*)$", README)
    assert {name for name, _ in lines} >= {"score", "show", "init", "compare"}
    for name in {name for name, _ in lines}:
        done = subprocess.run(
            [sys.executable, "-m", "trayecto", name, "--help"],
            capture_output=True,
            text=True,
            check=True,
        )
        used = {word for other, rest in lines if other == name for word in rest.split()}
        options = {word for word in used if word.startswith("--")}
        assert {option for option in options if option not in done.stdout} == set()
