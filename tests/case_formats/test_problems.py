"""Tests of collecting problems: all are counted, the first are told, each with its place."""

import pytest

from trayecto.case_formats._problems import Problems, Spot, written
from trayecto.errors import InputError


def test_no_problem_is_no_error() -> None:
    """A good file passes in silence."""
    assert Problems("cases.yaml").check() is None


def test_all_problems_are_told_in_the_order_of_the_file() -> None:
    """A person mends a file from top to bottom, in one go."""
    problems = Problems("cases.yaml")
    problems.add(9, ("cases", 1, "match"), "late")
    problems.add(2, ("suite",), "early")
    problems.add(0, (), "whole")
    with pytest.raises(InputError) as raised:
        problems.check()
    assert str(raised.value).splitlines() == [
        "cases.yaml: whole",
        "cases.yaml:2: suite: early",
        "cases.yaml:9: cases[1].match: late",
    ]


def test_the_place_of_the_error_is_that_of_the_first_problem() -> None:
    """Who lists errors by place finds the first one."""
    problems = Problems("cases.yaml")
    problems.add(3, ("cases", 0), "broken")
    with pytest.raises(InputError) as raised:
        problems.check()
    assert (raised.value.place, raised.value.problem) == ("cases.yaml:3: cases[0]", "broken")


def test_a_file_with_a_name_of_two_lines_is_shown_on_one() -> None:
    """Every line of the error is a problem (B27)."""
    problems = Problems("two\nlines.yaml")
    problems.add(1, (), "early")
    problems.add(2, (), "late")
    with pytest.raises(InputError) as raised:
        problems.check()
    assert str(raised.value).split("\n") == ["two␊lines.yaml:1: early", "two␊lines.yaml:2: late"]


def test_at_most_20_problems_are_listed() -> None:
    """A file of another kind does not fill the screen."""
    problems = Problems("cases.yaml")
    for line in range(1, 26):
        problems.add(line, (), "broken")
    with pytest.raises(InputError) as raised:
        problems.check()
    lines = str(raised.value).splitlines()
    assert (len(lines), lines[-1]) == (21, "and 5 more")


def test_a_path_is_written_as_a_person_would() -> None:
    """Odd keys are quoted: a message holds no control character of the file."""
    assert written(("cases", 3, "scope", "get.id")) == "cases[3].scope.get.id"
    assert written(("a b", "\x1b[31m")) == "['a b']['\\x1b[31m']"


def test_a_spot_finds_the_deepest_known_line() -> None:
    """A missing field is shown where its owner begins."""
    spot = Spot(1, {"cases": Spot(2, {0: Spot(3)})})
    assert spot.find(("cases", 0, "id")) == 3
    assert spot.find(()) == 1
