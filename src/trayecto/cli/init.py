"""``trayecto init``: a starter suite, and runs to score with it."""

from __future__ import annotations

import shlex
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from trayecto.cli._output import put
from trayecto.errors import UsageError, choose, shown
from trayecto.reports import safe

CASES, RUNS = "cases.yaml", "runs.jsonl"
YAML = (".yaml", ".yml")
WORDS = {
    "en": "{cases}: five cases, each field explained\n{runs}: ten runs of them\n\nNext  {next}",
    "es": "{cases}: cinco casos, cada campo explicado\n{runs}: diez corridas\n\nAhora  {next}",
}


def init(
    place: Annotated[
        Path,
        Parameter(
            name="FOLDER|FILE", help="Where to: a folder for cases.yaml, or a YAML file of its own."
        ),
    ] = Path(),
    /,
    *,
    force: Annotated[
        bool, Parameter(negative="", help="Write over files that are already there.")
    ] = False,
    lang: Annotated[
        Literal["en", "es"], Parameter(help="Language of the comments and of the tasks.")
    ] = "en",
) -> int:
    """Write a starter suite: five commented cases, and beside them ten runs to score."""
    try:
        cases = _place(place)
        runs = cases.with_name(RUNS)
        for path in (cases, runs):
            _refuse(path, force=force)
        for path, name in ((cases, CASES), (runs, RUNS)):
            _write(path, files("trayecto") / "starter" / lang / name, force=force)
    except OSError as problem:
        at = shown(problem.filename or place)
        raise UsageError(f"cannot write {at}: {problem.strerror}") from None
    command = f"trayecto score {_word(runs)} --cases {_word(cases)}"
    put(WORDS[lang].format(cases=safe(str(cases)), runs=safe(str(runs)), next=command))
    return 0


def _place(given: Path) -> Path:
    """The file that is meant: in a folder, it is called cases.yaml."""
    if not given.suffix or given.is_dir():
        if given.is_file():
            raise UsageError(f"{shown(given)}: is no folder, and no .yaml file")
        return given / CASES
    if given.suffix not in YAML:
        message = f"{shown(given)}: a starter suite is YAML; {choose(given.suffix, YAML)}"
        raise UsageError(message)
    return given


def _refuse(path: Path, *, force: bool) -> None:
    """Refuse to write over what is there; both files are looked at before one is written."""
    if not path.exists() and not path.is_symlink():
        return
    if not path.is_file():
        raise UsageError(f"{shown(path)}: is there already, and is no file")
    if not force:
        raise UsageError(f"{shown(path)}: is there already; --force writes over it")


def _write(path: Path, template: Traversable, *, force: bool) -> None:
    """Write one of our files; without ``force`` it must be new even at this very moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb" if force else "xb") as file:
        file.write(template.read_bytes())


def _word(path: Path) -> str:
    """A path as one word of a command, never taken for an option."""
    text = safe(str(path))
    return shlex.quote(f"./{text}" if text.startswith("-") else text)
