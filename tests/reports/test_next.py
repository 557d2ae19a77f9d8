"""What to type now: commands that are right, and safe to paste."""

import shlex

import pytest
from rich.cells import cell_len

from trayecto.document import Document, Group, shorten
from trayecto.reports._next import print_next
from trayecto.reports._page import Page


def printed(make: object, *groups: Group, width: int = 80, lang: str = "en") -> str:
    """Return the commands below a report of some groups."""
    page = Page(lang, width, color=False)
    document: Document = make.document(*groups)
    print_next(page, document)
    return page.text()


def words(text: str) -> list[str]:
    """Return the first command as a shell reads it."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if "trayecto show" in line)
    end = next(n for n, line in enumerate(lines[start:], start) if not line.endswith("\\"))
    command = "".join(line.removesuffix("\\") for line in lines[start : end + 1])
    return shlex.split(command[command.index("trayecto") :].split("   one run")[0])


def failed(make: object, **fields: object) -> Group:
    """Return a group with one example."""
    return make.group(attribution=[make.blame(**fields)])


def test_a_short_command_has_its_purpose_beside_it(make: object) -> None:
    """Purposes stand in one column."""
    assert printed(make, failed(make)).splitlines() == [
        "Next      trayecto show runs.json 'run#1'   one run, step by step",
        "          trayecto score … --json           the same for programs",
    ]


def test_a_longer_command_stands_below_its_purpose(make: object) -> None:
    """It is one line as long as it fits."""
    file = "f" * 40 + ".json"
    assert printed(make, failed(make, file=file)).splitlines()[:2] == [
        "Next      one run, step by step",
        f"          trayecto show {file} 'run#1'",
    ]


def test_a_command_that_is_too_long_goes_on_below(make: object) -> None:
    """Each line but the last ends as the shell asks, and has no more than 80 columns."""
    file = "f" * 67 + ".json"
    text = printed(make, failed(make, file=file))
    assert text.splitlines()[:4] == [
        "Next      one run, step by step",
        "  trayecto show \\",
        f"    {file} \\",
        "    'run#1'",
    ]
    assert words(text) == ["trayecto", "show", file, "run#1"]


@pytest.mark.parametrize("length", range(1, 90, 4))
@pytest.mark.parametrize("lang", ["en", "es"])
def test_no_command_is_cut(make: object, length: int, lang: str) -> None:
    """A file has its whole name or stands as FILE: half a path leads nowhere."""
    file = "f" * length
    text = printed(make, failed(make, file=file), lang=lang)
    assert "…" not in text.replace("score …", "")
    assert max(map(cell_len, text.splitlines())) <= 80
    assert any(word in text for word in (f" {file} ", " FILE "))


@pytest.mark.parametrize("length", range(1, 36))
def test_no_command_with_wide_characters_is_cut(make: object, length: int) -> None:
    """A Chinese character takes two columns: room is counted in columns."""
    file = "漢" * length
    text = printed(make, failed(make, file=file))
    assert words(text)[2] in (file, "FILE")
    assert "…" not in text.replace("score …", "")


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ("my runs.json", "my runs.json"),
        ("$(rm -rf ~).json", "$(rm -rf ~).json"),
        ("it's.json", "it's.json"),
        ("-rf.json", "./-rf.json"),
        ("a\nb.json", "FILE"),
        ("a\u202eb.json", "FILE"),
        ("", "FILE"),
    ],
)
def test_a_file_is_one_word_for_the_shell(make: object, given: str, word: str) -> None:
    """It runs nothing, is no option, and is the file itself or none."""
    text = printed(make, failed(make, file=given))
    assert words(text) == ["trayecto", "show", word, "run#1"]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ("a b", "a b"),
        ("$(rm -rf ~)", "$(rm -rf ~)"),
        ("-h", "#7"),
        ("#3", "#7"),
        ("a\x1b[1m", "#7"),
        (shorten("x" * 500), "#7"),
        ("'" * 30, "#7"),
        ("", "#7"),
    ],
)
def test_a_run_is_named_by_its_id_or_its_number(make: object, given: str, word: str) -> None:
    """Where the id is not whole, or would not print, the record's number finds it."""
    text = printed(make, failed(make, example=given, record=7))
    assert words(text) == ["trayecto", "show", "runs.json", word]


def test_the_first_group_with_a_failure_gives_the_example(make: object) -> None:
    """A group in which nothing failed has no run to look at."""
    text = printed(make, make.group(), failed(make, file="b.json"))
    assert words(text)[2] == "b.json"


@pytest.mark.parametrize(
    ("value", "n", "asked"), [(None, 0, True), (0.5, 10, False), (None, 1, False)]
)
def test_without_a_reference_the_report_asks_for_cases(
    make: object, value: float | None, n: int, *, asked: bool
) -> None:
    """Where no run's path was compared, whatever the reason says: numbers decide, no words."""
    metric = make.metric(value, n=n, why="said in any words")
    text = printed(make, make.group(metrics={"path_match": metric}))
    assert ("trayecto score … --cases FILE" in text) is asked


def test_of_nothing_there_is_nothing_to_type(make: object) -> None:
    """No group, no command."""
    assert printed(make) == ""
