"""A command line in this process: what was typed, and what came out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from trayecto.cli import run


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Type = Callable[..., Result]


@pytest.fixture
def type_(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Type:
    """Type a command line, 80 columns wide and without color."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def typed(*words: str | Path) -> Result:
        code = run([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(), err.decode())

    return typed


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A file of two runs of one case: a sound one, and one that loops and fails."""
    sound = [("find", {"id": 1}, "ok"), ("get", {"id": 1}, "20")]
    lost = [("get", {"id": None}, "Error: id is required")] * 3
    path = tmp_path / "runs.jsonl"
    lines = [
        conversation("a/1", sound, trial=0, success=True),
        conversation("a/2", lost, trial=1, success=False),
    ]
    path.write_text("".join(lines), "utf-8")
    return path


def conversation(
    name: str, calls: list[tuple[str, dict[str, object], str]], **known: object
) -> str:
    """One line: a conversation with these calls."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "How much?"}]
    for number, (tool, arguments, result) in enumerate(calls):
        call = {"id": f"c{number}", "function": {"name": tool, "arguments": json.dumps(arguments)}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    messages.append({"role": "assistant", "content": "It is 20."})
    whole = {"id": name, "case_id": "a", "candidate": "me", "messages": messages, **known}
    return json.dumps(whole) + "\n"


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """The case of those runs."""
    path = tmp_path / "cases.yaml"
    path.write_text("suite: s\ncases:\n  - {id: a, reference: [find, get]}\n", "utf-8")
    return path
