"""Which files are meant by the paths that were named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from trayecto.errors import InputError


def find_files(paths: Iterable[str | Path]) -> Iterator[tuple[Path, str, bool]]:
    """Every file, with the name to show and whether it was named itself.

    Folders are walked in sorted order; hidden files and links out of them are left alone. A file
    that is meant twice is one file.
    """
    seen: set[Path] = set()
    for given in paths:
        for path, named in _meant(Path(given)):
            real = path.resolve()
            if real not in seen:
                seen.add(real)
                yield path, str(given) if named else str(path), named


def _meant(path: Path) -> list[tuple[Path, bool]]:
    try:
        if path.is_dir():
            return [(inside, False) for inside in _walk(path)]
        if path.exists():
            return [(path, True)]
    except OSError as problem:
        place = str(problem.filename or path)
        raise InputError(place, (problem.strerror or str(problem)).lower()) from None
    raise InputError(str(path), "no such file or folder")


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _walk(path)
        else:
            yield path
