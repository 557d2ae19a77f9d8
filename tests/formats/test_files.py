"""Tests of which files are meant by the paths that were named."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from trayecto.errors import InputError
from trayecto.formats._files import find_files

Write = Callable[..., Path]


def found(*paths: str) -> list[tuple[str, bool]]:
    """Return the name of every file that is to be read, and whether it was named itself."""
    return [(one.name, one.named) for one in find_files(paths) if one.left is None]


def left(*paths: str) -> list[tuple[str, str]]:
    """Return the name of everything that is left alone, and why."""
    return [(one.name, one.left) for one in find_files(paths) if one.left is not None]


def test_a_file_is_named_or_lies_in_a_folder(write: Write) -> None:
    """Folders are walked in sorted order, at any depth; paths keep the order given."""
    for name in ("z.json", "d/b.json", "d/a/x.json", "d/a.json"):
        write({}, name)
    inside = [("d/a/x.json", False), ("d/a.json", False), ("d/b.json", False)]
    assert found("z.json", "d") == [("z.json", True), *inside]
    assert found("d", "z.json") == [*inside, ("z.json", True)]


def test_hidden_files_and_links_are_left_alone(write: Write) -> None:
    """A link may lead out of the folder, or round in it."""
    for name in ("d/a.json", "d/.hidden.json", "d/.git/b.json", "out.json"):
        write({}, name)
    Path("d/link.json").symlink_to(Path("out.json").resolve())
    Path("d/round").symlink_to(Path("d").resolve())
    assert found("d") == [("d/a.json", False)]
    assert left("d", "d/../d") == [
        ("d/.git", "hidden"),
        ("d/.hidden.json", "hidden"),
        ("d/link.json", "a link"),
        ("d/round", "a link"),
    ]


def test_a_hidden_file_that_is_named_is_read(write: Write) -> None:
    """Then it is not left alone, before or after its folder."""
    write({}, "d/.a.json")
    for paths in (("d", "d/.a.json"), ("d/.a.json", "d")):
        assert (found(*paths), left(*paths)) == ([("d/.a.json", True)], [])


def test_a_file_is_read_beside_a_link_to_it(write: Write) -> None:
    """The link is named as one, and hides nothing."""
    Path("d").mkdir()
    Path("d/a.json").symlink_to(write({}, "d/b.json").resolve())
    assert (found("d"), left("d")) == ([("d/b.json", False)], [("d/a.json", "a link")])


def test_a_link_that_is_named_is_followed(write: Write) -> None:
    """Whoever names it wants it."""
    Path("link.json").symlink_to(write({}, "a.json"))
    assert found("link.json") == [("link.json", True)]


def test_a_file_that_is_meant_twice_is_one_file(write: Write) -> None:
    """Its runs are not counted twice, however it was named."""
    write({}, "d/a.json")
    assert found("d/a.json", "d", "d/../d/a.json") == [("d/a.json", True)]


def test_an_odd_name_is_a_name(write: Write) -> None:
    """New lines, dashes and 255 bytes are a path like any other (B27)."""
    names = ["-rf", "a\nb.json", "\u202ea.json", "x" * 255]
    for name in names:
        write({}, name)
    assert found(*names) == [(name, True) for name in names]


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("gone.json", "no such file or folder"),
        ("a\0b", "no such file or folder"),
        ("x" * 5000, "file name too long"),
    ],
)
def test_what_is_not_there_is_an_error(path: str, problem: str) -> None:
    """The message names the path and says why."""
    with pytest.raises(InputError) as raised:
        found(path)
    assert (raised.value.place, raised.value.problem) == (path, problem)


def test_a_link_that_leads_to_itself_says_so(write: Write) -> None:
    """It is there, and no file: "no such file" would be wrong (B25)."""
    write({})
    Path("one").symlink_to("two")
    Path("two").symlink_to("one")
    with pytest.raises(InputError) as raised:
        found("one")
    assert raised.value.problem == "too many levels of symbolic links"


def test_a_folder_that_may_not_be_read_says_so(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not taken for an empty one (B26)."""

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    write({}, "d/a.json")
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InputError) as raised:
        found("d")
    assert (raised.value.place, raised.value.problem) == ("d", "permission denied")


def test_what_is_no_file_is_handed_on(write: Write) -> None:
    """A FIFO that is named is for its reader to refuse."""
    os.mkfifo(write({}, "a.json").with_name("fifo"))
    assert found("fifo") == [("fifo", True)]
