"""Which files are meant by the paths that were named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from trayecto.errors import InputError, shown


class Meant(Struct, frozen=True, gc=False):
    """A file or folder: the name to show, whether it was named itself, why it is left alone."""

    path: Path
    name: str
    named: bool = False
    left: str | None = None


def find_files(paths: Iterable[str | Path]) -> Iterator[Meant]:
    """Every file that is meant, and after them what is left alone in the folders.

    Folders are walked in sorted order; hidden files and folders are left alone, and so are links,
    which may lead out of the folder or round in it. A file that is meant twice is one file.
    """
    seen: set[Path] = set()
    left: dict[Path, Meant] = {}
    for given in paths:
        for found in _meant(given):
            path = found.path
            if found.left is not None:
                left.setdefault(path.parent.resolve() / path.name, found)
            elif (real := path.resolve()) not in seen:
                seen.add(real)
                yield found
    for place, found in left.items():
        if place not in seen:
            yield found


def _meant(given: str | Path) -> list[Meant]:
    path = Path(given)
    try:
        if path.is_dir():
            return list(_walk(path))
        path.stat()  # unlike exists(), it says why not
        return [Meant(path, shown(given), named=True)]
    except (FileNotFoundError, NotADirectoryError, ValueError):  # or a NUL byte in the name
        raise InputError(shown(path), "no such file or folder") from None
    except OSError as problem:
        place = shown(problem.filename or path)
        raise InputError(place, (problem.strerror or str(problem)).lower()) from None


def _walk(folder: Path) -> Iterator[Meant]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            yield Meant(path, shown(path), left="hidden")
        elif path.is_symlink():
            yield Meant(path, shown(path), left="a link")
        elif path.is_dir():
            yield from _walk(path)
        else:
            yield Meant(path, shown(path))
