"""Lines of a fixed width, in columns, with or without color."""

import pytest
from rich.cells import cell_len

from trayecto.reports._page import Column, Page

COLUMNS = [Column(8), Column(6, "right"), Column(10, keep="end")]


def page(width: int = 80, *, color: bool = False) -> Page:
    """Return an empty English page."""
    return Page("en", width, color=color)


def lines(made: Page) -> list[str]:
    """Return the lines of a page as text."""
    return made.text().splitlines()


def test_an_empty_page_is_no_text() -> None:
    """Nothing is written of nothing."""
    assert page().text() == ""


def test_columns_are_aligned() -> None:
    """Numbers stand on the right, names on the left."""
    made = page()
    made.row(COLUMNS, ["a", "12", "x"])
    assert lines(made) == ["a             12  x"]


def test_a_cell_never_leaves_its_column() -> None:
    """A long name is cut, an id keeps its end."""
    made = page()
    made.row(COLUMNS, ["update_reservation", "1234567", "gpt-4o-airline#4"])
    assert lines(made) == ["update_…  12345…  …airline#4"]


def test_wide_characters_count_twice() -> None:
    """Columns stay aligned beside Chinese names."""
    made = page()
    made.row(COLUMNS, ["漢字", "1", "x"])
    made.row(COLUMNS, ["abcd", "1", "x"])
    assert {cell_len(line) for line in lines(made)} == {19}


def test_a_missing_cell_is_an_error() -> None:
    """A row has as many cells as columns."""
    with pytest.raises(ValueError, match="zip"):
        page().row(COLUMNS, ["a", "b"])


def test_a_line_is_cut_to_the_page() -> None:
    """No line is wider than the page."""
    made = page()
    made.line(("x" * 100, "bold"))
    assert lines(made) == ["x" * 79 + "…"]


def test_two_gaps_are_one() -> None:
    """Sections are one empty line apart, and none comes first."""
    made = page()
    made.gap()
    made.line(("a", ""))
    made.gap()
    made.gap()
    made.line(("b", ""))
    assert lines(made) == ["a", "", "b"]


def test_a_paragraph_is_broken_at_spaces() -> None:
    """A sentence goes on in the next line, at the same place."""
    made = page(60)
    made.paragraph("word " * 20, indent=2)
    assert lines(made) == ["  " + " ".join(["word"] * 11), "  " + " ".join(["word"] * 9)]


def test_a_series_is_broken_between_its_parts() -> None:
    """A count stays beside what it counts."""
    made = page(60)
    made.series(["22 infrastructure errors"] * 3)
    part = "22 infrastructure errors"
    assert lines(made) == [f"{part} · {part}", part]


def test_a_series_of_one_long_part_is_wrapped() -> None:
    """A part that is wider than the page is still shown whole."""
    made = page(60)
    made.series(["x" * 70, "y"])
    assert [len(line) for line in lines(made)] == [60, 10, 1]


def test_no_line_ends_with_a_space() -> None:
    """A report can be committed without complaints."""
    made = page(color=True)
    made.row(COLUMNS, ["a", "", ""])
    assert made.text() == "a\n"


def test_without_color_there_is_no_escape_code() -> None:
    """Styles are dropped where nobody sees them."""
    made = page()
    made.line(("a", "bold red"))
    made.head("title", "beside")
    assert "\x1b" not in made.text()


def test_with_color_styles_are_escape_codes() -> None:
    """Bold and color come out for a terminal."""
    made = page(color=True)
    made.line(("a", "bold"))
    assert made.text() == "\x1b[1ma\x1b[0m\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [("NO_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "20"), ("FORCE_COLOR", "1")],
)
@pytest.mark.parametrize("color", [True, False])
def test_the_environment_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, *, color: bool
) -> None:
    """Only the caller decides on color and width."""
    before = page(color=color)
    before.line(("x" * 70, "bold"))
    monkeypatch.setenv(name, value)
    after = page(color=color)
    after.line(("x" * 70, "bold"))
    assert after.text() == before.text()


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[/x]", ":smile:", "https://a.example 1.5 'q'"])
def test_text_is_no_markup(text: str) -> None:
    """Square brackets, colons and links are letters, with color too."""
    made = page(color=True)
    made.line((text, ""))
    assert made.text() == f"{text}\n"


def test_a_page_has_a_least_width() -> None:
    """Below it nothing can be laid out."""
    assert page(5).width == 60
