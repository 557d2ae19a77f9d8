"""Foreign text is cut to where it has to fit."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from trayecto.reports._fit import clamp, cut, cut_start

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT, st.integers(2, 40))
def test_a_cut_text_fits(text: str, width: int) -> None:
    """A text never leaves its column, whichever end is kept."""
    assert cell_len(cut(text, width)) <= width
    assert cell_len(cut_start(text, width)) <= width


def test_a_short_text_is_not_cut() -> None:
    """A text that fits exactly keeps its last character."""
    assert cut("abcde", 5) == "abcde"
    assert cut_start("abcde", 5) == "abcde"


def test_a_long_text_ends_with_an_ellipsis() -> None:
    """What is cut says so."""
    assert cut("update_reservation", 8) == "update_…"


def test_an_id_keeps_its_end() -> None:
    """The end of an id or a path tells it from the others."""
    assert cut_start("gpt-4o-airline#115", 9) == "…line#115"


def test_a_huge_text_is_cut_quickly() -> None:
    """Only as much is looked at as can be shown."""
    assert cut("\u202e" * 10_000_000, 10) == "\\u202e\\u2…"


def test_a_pile_of_accents_is_cut() -> None:
    """Characters without width cannot make a text endless."""
    assert len(cut("e" + "\u0301" * 10_000, 10)) <= 42


def test_a_clamped_text_says_what_is_left() -> None:
    """Shown and left characters are the whole text."""
    assert clamp("one two three four", 9, 1) == (["one two"], 10)
    assert clamp("one two three four", 9, 5) == (["one two", "three", "four"], 0)


def test_a_clamped_text_keeps_its_lines() -> None:
    """A line's end in the text is one on the page."""
    assert clamp("first\nsecond", 20, 4) == (["first", "second"], 0)
    assert clamp("\nfirst", 20, 4) == (["", "first"], 0)


def test_a_word_longer_than_the_line_is_broken() -> None:
    """A long word is no way out of the column."""
    assert clamp("x" * 25, 10, 2) == (["x" * 10, "x" * 10], 5)


def test_an_empty_text_has_no_line() -> None:
    """Nothing is shown of nothing."""
    assert clamp("", 10, 3) == ([], 0)


def test_clamped_text_is_safe() -> None:
    """Escape codes in an observation are shown."""
    assert clamp("\x1b[2J\rgone", 20, 2) == (["␛[2J␍gone"], 0)


@given(ANY_TEXT, st.integers(20, 60), st.integers(1, 4))
def test_clamped_lines_fit(text: str, width: int, lines: int) -> None:
    """No line is wider than asked, and never too many."""
    shown, left = clamp(text, width, lines)
    assert len(shown) <= lines
    assert 0 <= left <= len(text)
    assert all(cell_len(line) <= width for line in shown)
