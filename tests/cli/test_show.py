"""``trayecto show``: one trajectory, by its id or its number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Type = Callable[..., Any]  # gives code, out and err: see conftest


def test_shows_steps_and_what_was_found(type_: Type, runs: Path, cases: Path) -> None:
    """Each call stands there with its arguments, and the loop is marked where it happened."""
    result = type_("show", runs, "a/2", "--cases", cases)
    assert result.code == 0
    assert "get" in result.out
    assert "loop" in result.out
    assert "id is required" in result.out


def test_a_number_works_too(type_: Type, runs: Path) -> None:
    """#1 is the first record of the file."""
    result = type_("show", runs, "#1")
    assert result.code == 0
    assert "a/1" in result.out


def test_an_unknown_id_names_near_ones(type_: Type, runs: Path) -> None:
    """A misspelled id ends with 2 and says which ids there are."""
    result = type_("show", runs, "a/3")
    assert result.code == 2
    assert "no trajectory has the id 'a/3'" in result.err
    assert "'a/1'" in result.err


def test_real_run(type_: Type, shared: Path) -> None:
    """A failed run of a published file shows where it broke."""
    path = shared / "data/tau-bench/historical_trajectories/gpt-4o-airline.json"
    result = type_("show", path, "#1")
    assert result.code == 0
    assert "book_reservation" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
