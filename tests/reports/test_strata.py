"""The blocks of success by the values of a field."""

import pytest
from rich.cells import cell_len

from trayecto.reports._page import Page
from trayecto.reports._strata import strata


def printed(make: object, parts: dict[str, dict[str, object]], lang: str = "en") -> list[str]:
    """The lines of a group with these strata."""
    page = Page(lang, 80, color=False)
    strata(page, make.group(strata=parts))
    return page.text().splitlines()


def success(make: object, *names: str, value: float | None = 0.5) -> dict[str, object]:
    """Strata with the same success: five tasks, ten runs."""
    return {name: {"task_success": make.metric(value, over="runs")} for name in names}


def test_a_line_for_each_stratum(make: object) -> None:
    """With its success, and of how many runs and tasks."""
    lines = printed(make, {"difficulty": success(make, "simple", "edge")})
    assert lines[0] == "Task success by difficulty"
    assert lines[1].split()[:3] == ["simple", "50.0", "%"]
    assert lines[1].endswith("10 of 10, 5 tasks")
    assert len(lines) == 3


def test_one_stratum_is_no_comparison(make: object) -> None:
    """It would repeat the headline."""
    assert printed(make, {"difficulty": success(make, "simple"), "split": {}}) == []


def test_a_stratum_without_a_value_says_so(make: object) -> None:
    """Nobody knows how its runs ended: no number, and 0 of 10."""
    parts = success(make, "simple") | success(make, "edge", value=None)
    line = printed(make, {"difficulty": parts})[2]
    assert line.split() == ["edge", "–", "0", "of", "10"]


def test_our_own_words_are_in_spanish(make: object) -> None:
    """The field, its values, statuses and what is not known; names of the trace stay."""
    lines = printed(make, {"difficulty": success(make, "complex", "unknown")}, "es")
    assert lines[0] == "Éxito de la tarea por dificultad"
    assert [line.split()[0] for line in lines[1:]] == ["complejo", "desconocido"]
    assert printed(make, {"model": success(make, "simple", "b")}, "es")[1].split()[0] == "simple"
    ended = printed(make, {"status": success(make, "completed", "not_run")}, "es")
    assert [line.split()[0] for line in ended[1:]] == ["completa", "no"]


def test_many_strata_are_cut(make: object) -> None:
    """The document has them all."""
    lines = printed(make, {"model": success(make, *(f"m{n:02}" for n in range(15)))})
    assert (len(lines), lines[-1]) == (14, "and 3 more")


@pytest.mark.parametrize("field", ["model", "extra.x"])
def test_hostile_names_stay_in_their_column(make: object, hostile: str, field: str) -> None:
    """No line is wider than the page, and nothing is obeyed, not even a field's own name."""
    parts = {f"{field}{hostile}": success(make, hostile, "b")}
    lines = printed(make, parts)
    assert all(cell_len(line) <= 80 for line in lines)
    assert "\x1b" not in "".join(lines)
