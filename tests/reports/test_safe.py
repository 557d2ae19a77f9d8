"""Foreign text is shown, never carried out."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.reports import guard, safe

ANY_TEXT = st.text(st.characters(exclude_categories=()))
SHOWN = {
    "plain_tool_name": "plain_tool_name",
    "niño · 漢字": "niño · 漢字",
    "\x1b[31m": "␛[31m",
    "a\nb\tc\r": "a␊b␉c␍",
    "\x7f": "␡",
    "\x9b": "\\x9b",
    "\u202e\u2066": "\\u202e\\u2066",
    "\u200b\ufeff\xad": "\\u200b\\ufeff\\xad",
    "\u2028": "\\u2028",
    "\ud800": "\\ud800",
    "\u3164\ufe0f": "\\u3164\\ufe0f",
    "\U000e0041": "\\U000e0041",
    "[/x] [bold]": "[/x] [bold]",
}


@pytest.mark.parametrize("text", SHOWN)
def test_what_does_not_print_is_shown(text: str) -> None:
    """A control or an invisible character becomes visible; letters stay letters."""
    assert safe(text) == SHOWN[text]


@given(ANY_TEXT)
def test_nothing_hidden_is_left(text: str) -> None:
    """Whatever comes in, no control, format or surrogate character comes out."""
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert {unicodedata.category(sign) for sign in safe(text)} & hidden == set()


@given(ANY_TEXT)
def test_safe_text_stays_as_it_is(text: str) -> None:
    """Making a text safe twice changes nothing more."""
    assert safe(safe(text)) == safe(text)


@given(ANY_TEXT)
def test_safe_text_can_be_written(text: str) -> None:
    """A lone surrogate does not stop the report."""
    assert safe(text).encode().decode() == safe(text)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("::add-mask::x", ": :add-mask::x"),
        ("   ::stop-commands::x", "   : :stop-commands::x"),
        ("\x1b[1m::error::x", "\x1b[1m: :error::x"),
        ("##[group]x", "# #[group]x"),
        ("tool ##vso[task.complete]x", "tool # #vso[task.complete]x"),
        ("tool ##[command]x", "tool # #[command]x"),
        ("## title", "# # title"),
        ("tests/a.py::test_b", "tests/a.py::test_b"),
        ("a # b ## c", "a # b ## c"),
    ],
)
def test_commands_for_a_build_server_are_parted(line: str, expected: str) -> None:
    """GitHub trims a line before it looks for a command, so the signs are parted."""
    assert guard(line) == expected


def test_every_line_is_guarded() -> None:
    """A command in the middle of a report is one too."""
    assert guard("a\n::error::b\n") == "a\n: :error::b\n"
