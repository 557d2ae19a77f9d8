"""Errors: place, value, what is allowed, and what may have been meant."""

import pytest

from trayecto.errors import SHOWN, InputError, TrayectoError, UsageError, choose, one_line, quoted


@pytest.mark.parametrize("kind", [InputError, UsageError])
def test_one_root_for_all_that_is_raised_on_purpose(kind: type[Exception]) -> None:
    """Who catches TrayectoError catches a user's mistakes and no programming error."""
    assert issubclass(kind, TrayectoError)
    assert not issubclass(kind, (ValueError, TypeError, KeyError))


def test_an_input_error_keeps_place_and_problem_apart() -> None:
    """A folder's report lists both."""
    error = InputError("cases.yaml:3: match", "'in_oder' is no match mode")
    assert (error.place, error.problem) == ("cases.yaml:3: match", "'in_oder' is no match mode")
    assert str(error) == "cases.yaml:3: match: 'in_oder' is no match mode"


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("in_oder", " Did you mean 'in_order'?"),
        ("zzz", ""),
        ("", ""),
        ("exct", " Did you mean 'exact'?"),
    ],
)
def test_what_may_have_been_meant(value: str, meant: str) -> None:
    """All that is allowed, and the likeliest of it where one is near."""
    assert choose(value, iter(["exact", "in_order"])) == f"choose exact, in_order.{meant}"


def test_a_long_value_is_cut() -> None:
    """An error stays readable, and says how much there was."""
    assert quoted("abc") == "'abc'"
    assert quoted(7) == "7"
    long = quoted("x" * 500)
    assert long == "'" + "x" * (SHOWN - 1) + "… (502 characters)"


def test_control_characters_are_written_out() -> None:
    """A value cannot move the cursor or break the line."""
    assert quoted("a\x1b[2J\nb") == r"'a\x1b[2J\nb'"


def test_a_place_is_one_line() -> None:
    """A file may be called like that; every line of an error is a problem of its own (B27)."""
    error = InputError("two\nlines.yaml:3: id", "is empty\nother.yaml: too")
    assert str(error) == "two␊lines.yaml:3: id: is empty\nother.yaml: too"
    assert (one_line("a\nb\n"), error.place) == ("a␊b␊", "two\nlines.yaml:3: id")
