"""Repeated calls: the article's rule for redundant steps."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.repeated_calls import repeated_calls
from trayecto.scores import Score
from trayecto.trajectory import Trajectory

Make = Callable[..., Any]


def test_the_two_runs_of_the_article(
    judge: Make, sane: Trajectory, pathological: Trajectory
) -> None:
    """Article 000 prints redundantes 0 and 2."""
    assert judge(repeated_calls, sane) == Score(0)
    assert judge(repeated_calls, pathological) == Score(2, None, (2, 3))


@pytest.mark.parametrize(
    ("calls", "value"), [("A", 0), ("AB", 0), ("AA", 1), ("AAA", 2), ("ABAB", 2), ("ABCABBA", 4)]
)
def test_the_first_counts_and_the_others_are_repeats(
    judge: Make, run: Make, calls: str, value: int
) -> None:
    """Article 000: la primera cuenta, las demás sobran."""
    assert judge(repeated_calls, run(*calls)).value == value


def test_the_steps_are_the_repeats_in_order(judge: Make, run: Make) -> None:
    """Two tools that repeat each other's calls are shown as they were made."""
    assert judge(repeated_calls, run(*"ABBA")).steps == (3, 4)


def test_the_observation_does_not_matter(judge: Make, run: Make) -> None:
    """Polling counts here: this is a signal, not a judgement."""
    assert judge(repeated_calls, run(("get", {}, "a"), ("get", {}, "b"))).value == 1


def test_a_retry_after_an_error_counts(judge: Make, run: Make) -> None:
    """INPUT-03: get_order, refund (error), refund: repeated calls 1."""
    refund = {"id": "P-3", "amount": 12.5}
    calls = [
        ("get_order", {"id": "P-3"}),
        ("refund", refund, "503 timeout", "error"),
        ("refund", refund),
    ]
    assert judge(repeated_calls, run(*calls)) == Score(1, None, (3,))


def test_other_arguments_are_no_repeat(judge: Make, run: Make) -> None:
    """The same tool with other arguments is another call; raw text is compared as it is."""
    calls = [("get", {"id": 1}), ("get", {"id": 2}), ("get", '{"id": 1'), ("get", '{"id": 1')]
    assert judge(repeated_calls, run(*calls)).steps == (4,)


def test_a_run_without_turns_is_undefined(judge: Make, run: Make) -> None:
    """Nothing was recorded, so nothing is known; a run that only talked repeated nothing."""
    assert judge(repeated_calls, run()) == Score(None, "the run has no turn")
    assert judge(repeated_calls, run([])).value == 0
