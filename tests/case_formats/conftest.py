"""What the tests of case files share: a file on disk, its cases, and its problems."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trayecto.case_formats import CaseFile, load_cases
from trayecto.errors import InputError

Write = Callable[[str | bytes, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into an empty folder and stand in it, so that messages name the file only."""
    monkeypatch.chdir(tmp_path)

    def write(content: str | bytes, name: str = "cases.yaml") -> Path:
        path = Path(name)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def loaded(write: Write) -> Callable[..., CaseFile]:
    """Load what is written as a case file."""
    return lambda content, name="cases.yaml", **options: load_cases(write(content, name), **options)


@pytest.fixture
def problems(write: Write) -> Callable[..., list[str]]:
    """Return the lines of the error that loading a case file must raise."""

    def problems(content: str | bytes, name: str = "cases.yaml", **options: object) -> list[str]:
        with pytest.raises(InputError) as raised:
            load_cases(write(content, name), **options)
        return str(raised.value).splitlines()

    return problems


@pytest.fixture
def fault(problems: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """Return what is wrong with one case, of which the fields below its id are given.

    The case begins on line 2; its first field is on line 3.
    """

    def fault(fields: str, **options: object) -> list[str]:
        lines = "".join(f"    {line}\n" for line in fields.splitlines())
        found = problems(f"cases:\n  - id: x\n{lines}", **options)
        return [line.removeprefix("cases.yaml:") for line in found]

    return fault
