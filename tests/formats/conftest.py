"""What the tests of formats share: a file on disk, what it reads as, and small trajectories."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from trayecto.formats import read
from trayecto.trajectory import Trajectory

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into an empty folder and stand in it, so that messages name the file only."""
    monkeypatch.chdir(tmp_path)

    def write(content: object, name: str = "runs.json") -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


@pytest.fixture
def trajectories(write: Write) -> Callable[[object], list[Trajectory]]:
    """Read what is written as one file."""
    return lambda content: [record.trajectory for record in read(write(content))]


@pytest.fixture
def one(trajectories: Callable[[object], list[Trajectory]]) -> Callable[[object], Trajectory]:
    """Read what is written as one file with one trajectory."""

    def one(content: object) -> Trajectory:
        (trajectory,) = trajectories(content)
        return trajectory

    return one
