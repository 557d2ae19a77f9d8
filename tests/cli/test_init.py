"""The command line as a whole: help, version, exit codes, start-up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from signal import SIGINT, default_int_handler, signal
from time import sleep
from typing import Any

import pytest

from trayecto import cli

Type = Callable[..., Any]  # gives code, out and err: see conftest


def start(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Start the real command in a process of its own."""
    command = [sys.executable, "-m", "trayecto", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload, no-any-return]  # passed on as given


def test_help_lists_every_command(type_: Type) -> None:
    """--help names each command and what it does."""
    result = type_("--help")
    assert result.code == 0
    assert all(name in result.out for name in cli.COMMANDS)


@pytest.mark.parametrize("command", list(cli.COMMANDS))
def test_every_command_has_help_with_an_example(type_: Type, command: str) -> None:
    """Each command explains itself, with an example to type."""
    result = type_(command, "--help")
    assert result.code == 0
    assert f"trayecto {command}" in result.out


def test_version(type_: Type) -> None:
    """--version prints the installed version."""
    assert type_("--version").out.strip() == version("trayecto")


@pytest.mark.parametrize("words", [["scroe", "x"], ["score", "x", "--caes", "y"]])
def test_a_misspelling_ends_with_two(type_: Type, words: list[str]) -> None:
    """A command or option that there is not ends with 2 and what may have been meant."""
    result = type_(*words)
    assert result.code == 2
    assert "Did you mean" in result.err + result.out


def test_help_imports_nothing_heavy() -> None:
    """Help answers before pydantic, numpy, yaml or a metric is imported."""
    code = (
        "import sys; from trayecto.cli import run; run(['--help']);"
        "print([m for m in ('pydantic', 'numpy', 'yaml', 'trayecto.metrics', 'msgspec')"
        " if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_control_characters_in_an_error_are_shown(type_: Type, tmp_path: Path) -> None:
    """A hostile file name cannot write an escape code to the terminal."""
    result = type_("score", tmp_path / "x\x1b[31m.jsonl")
    assert result.code == 2
    assert "\x1b" not in result.err


def test_interrupt_ends_with_four(type_: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with 4 and one line."""

    def interrupted(tokens: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    result = type_("score", "x")
    assert (result.code, result.err) == (4, "trayecto: interrupted\n")


def test_a_closed_pipe_is_no_error() -> None:
    """`trayecto demo | head` ends quietly."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "trayecto", "demo", "--json"]
    done = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a Linux device")
def test_a_full_disk_is_one_sentence() -> None:
    """Output that cannot be written ends with 2 and the reason."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "trayecto", "demo", "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_ends_with_four(tmp_path: Path) -> None:
    """A real SIGINT while a file is read ends with 4 and one line."""
    pipe = tmp_path / "big.jsonl"
    line = '{"messages": [{"role": "user", "content": "' + "x" * 1000 + '"}]}\n'
    pipe.write_text(line * 60_000)
    command = [sys.executable, "-m", "trayecto", "score", str(pipe), "--json"]
    before = signal(SIGINT, default_int_handler)  # a shell's background job hands down "ignore"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        signal(SIGINT, before)
        sleep(1.2)
        running.send_signal(SIGINT)
        _, told = running.communicate(timeout=30)
    assert (running.returncode, told.decode()) == (4, "trayecto: interrupted\n")


def test_works_where_the_terminal_is_not_utf8() -> None:
    """A terminal that cannot show a mark gets a question mark, not a traceback."""
    done = start("demo", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0
    assert "60.0 %" in done.stdout


def test_same_bytes_whatever_the_hash_seed() -> None:
    """Equal input gives equal bytes under any hash seed."""
    outs = {
        start("demo", "--json", env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "1", "random")
    }
    assert len(outs) == 1
