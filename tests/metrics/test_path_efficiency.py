"""Efficiency: the fewest calls over the calls made."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.case import Case
from trayecto.case_formats import load_cases
from trayecto.metrics.path_efficiency import IDLE, OVER, needs, path_efficiency
from trayecto.scores import Score
from trayecto.trajectory import Trajectory

Make = Callable[..., Any]


def test_the_two_runs_of_the_article(
    judge: Make, sane: Trajectory, pathological: Trajectory, article_case: Case
) -> None:
    """Article 000 prints eficiencia 1.0 and 0.333: two calls needed, two and six made."""
    assert judge(path_efficiency, sane, article_case) == Score(1.0)
    assert judge(path_efficiency, pathological, article_case) == Score(1 / 3)


@pytest.mark.parametrize(("made", "value"), [(1, 1.0), (2, 1.0), (3, 2 / 3), (8, 0.25)])
def test_at_most_one(judge: Make, run: Make, make_case: Make, made: int, value: float) -> None:
    """Article 000: a run shorter than the reference is not better than perfect."""
    case = make_case(None, min_calls=2)
    assert judge(path_efficiency, run(*"a" * made), case) == Score(value)


def test_failed_attempts_count(judge: Make, run: Make, make_case: Make) -> None:
    """INPUT-03 and ruling 4: efficiency 2/3, the failed refund was a call too."""
    calls = ["get_order", ("refund", {}, "503 timeout", "error"), "refund"]
    case = make_case(["get_order", "refund"])
    assert judge(path_efficiency, run(*calls), case) == Score(2 / 3)


def test_the_reference_tells_the_fewest_calls(judge: Make, run: Make, make_case: Make) -> None:
    """Article 000: por defecto, el largo de la referencia, a parallel group call by call."""
    case = make_case(["a", ["b", "c"]])
    assert judge(path_efficiency, run(*"aaaabc"), case) == Score(0.5)


def test_the_case_may_say_otherwise(judge: Make, run: Make, make_case: Make) -> None:
    """A minimum goes before the reference's length."""
    assert judge(path_efficiency, run("a", "b"), make_case(["a", "b"], min_calls=1)) == Score(0.5)


def test_a_case_file_need_not_say_how_many(judge: Make, run: Make, tmp_path: Path) -> None:
    """A case as it is written in a file is judged by the length of its reference."""
    path = tmp_path / "cases.yaml"
    path.write_text("cases: [{id: c, task: t, reference: [a, b]}]", "utf-8")
    [case] = load_cases(path).cases
    assert needs(case) is None
    assert judge(path_efficiency, run(*"aabb"), case) == Score(0.5)


def test_without_a_call_it_is_undefined(judge: Make, run: Make, make_case: Make) -> None:
    """The article's function returns 0.0 here; a success without a call is not inefficient."""
    assert judge(path_efficiency, run(), make_case(["a"])) == IDLE
    assert Score(None, "the run made no call") == IDLE
    assert judge(path_efficiency, run("a"), make_case(None)) == IDLE


def test_what_it_needs(make_case: Make) -> None:
    """A case that needs a call; ruling 4: a reference of length 0 leaves it undefined."""
    assert needs(None) == needs(make_case(None)) == "no reference path and no min_calls"
    assert needs(make_case([], "exact")) == "the reference is empty"
    assert needs(make_case([], "exact", min_calls=2)) is None


def test_only_successes_count() -> None:
    """Article 000: the efficiency of a run that failed means nothing."""
    assert OVER == "successes"
