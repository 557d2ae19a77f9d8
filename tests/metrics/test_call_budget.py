"""The budget of calls: whether it was kept."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.call_budget import call_budget, explain, needs
from trayecto.scores import Score

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("made", "score"),
    [
        (0, Score(value=True)),
        (2, Score(value=True)),
        (3, Score(value=True)),
        (5, Score(value=False, steps=(4, 5))),
    ],
)
def test_the_article_s_budget(
    judge: Make, run: Make, make_case: Make, *, made: int, score: Score
) -> None:
    """Golden article001_evaluar: "4 pasos (tope 3)" is too many, 3 are not; steps by hand."""
    assert judge(call_budget, run(*["a"] * made), make_case(None, max_calls=3)) == score


def test_failed_attempts_count(judge: Make, run: Make, make_case: Make) -> None:
    """They cost as much as the others."""
    failed = ("a", {}, "Error: no", "error")
    case = make_case(None, max_calls=1)
    assert judge(call_budget, run(failed, "a"), case) == Score(value=False, steps=(2,))
    assert judge(explain, run(failed, "a"), case) == "calls made: 2, allowed: 1"


def test_what_it_needs(make_case: Make) -> None:
    """A case with a budget."""
    assert needs(None) == needs(make_case(["a"])) == "the case does not ask for it"
    assert needs(make_case(None, max_calls=1)) is None
