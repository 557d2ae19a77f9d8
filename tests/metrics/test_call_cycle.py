"""The cycle: a sequence of different calls, three times one after the other."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.call_cycle import EMPTY, UNSEEN, call_cycle
from trayecto.scores import Score

Make = Callable[..., Any]

NO = Score(value=False)


def calls(letters: str) -> list[object]:
    """Write calls as letters: a letter is a tool; a small one saw nothing."""
    return [
        (letter.upper(), {}, "seen") if letter.isupper() else (letter.upper(), {}, None, "unknown")
        for letter in letters
    ]


@pytest.mark.parametrize(
    ("letters", "steps"),
    [
        ("ABABAB", (1, 6)),
        ("XABABABY", (2, 7)),
        ("ABCABCABC", (1, 9)),
        ("AABAABAAB", (1, 9)),
        ("ABCDABCDABCD", (1, 12)),
        ("ABCDEABCDEABCDE", (1, 15)),
        ("AAAABABAB", (4, 9)),
        ("ABABABABAB", (1, 6)),
    ],
)
def test_a_sequence_three_times_in_a_row(
    judge: Make, run: Make, letters: str, steps: tuple[int, int]
) -> None:
    """Two to five calls, wherever they begin; the first such sequence is shown, once around."""
    found = judge(call_cycle, run(*calls(letters)))
    assert found == Score(value=True, steps=tuple(range(steps[0], steps[1] + 1)))


@pytest.mark.parametrize(
    "letters",
    [
        "A",
        "AB",
        "ABAB",
        "ABABA",
        "AAAAAA",
        "AAAAAAAAAAAA",
        "ABABXAB",
        "ABCDEFABCDEFABCDEF",
        "AAAAAAXBYBZB",
        "AABBAB",
    ],
)
def test_what_is_no_cycle(judge: Make, run: Make, letters: str) -> None:
    """Too few turns, one call alone (a loop), a break in between, a sequence of six."""
    assert judge(call_cycle, run(*calls(letters))) == NO


def test_another_result_breaks_the_cycle(judge: Make, run: Make) -> None:
    """Polling two things in turn is no cycle while their answers change."""
    polls = [(tool, {}, f"{tool}{turn}") for turn in range(4) for tool in "AB"]
    assert judge(call_cycle, run(*polls)) == NO


def test_other_arguments_break_the_cycle(judge: Make, run: Make) -> None:
    """Reading page after page is no cycle."""
    pages = [(tool, {"page": page}) for page in range(4) for tool in ("next", "read")]
    assert judge(call_cycle, run(*pages)) == NO


def test_parallel_calls_count_in_their_order(judge: Make, run: Make) -> None:
    """Three generations with the same two calls are a cycle."""
    assert judge(call_cycle, run(*[["A", "B"]] * 3)).steps == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("letters", ["ababab", "ABABAb", "aBABAB"])
def test_a_missing_observation_leaves_it_open(judge: Make, run: Make, letters: str) -> None:
    """The sequence is there, but whether its results were the same cannot be known."""
    assert judge(call_cycle, run(*calls(letters))) == UNSEEN


def test_a_missing_observation_elsewhere_changes_nothing(judge: Make, run: Make) -> None:
    """Where the calls make no such sequence, their results do not matter."""
    assert judge(call_cycle, run(*calls("aXbYaZbaVb"))) == NO
    assert judge(call_cycle, run(*calls("ABABABcXcYc"))).value is True


def test_a_run_without_turns_is_undefined(judge: Make, run: Make) -> None:
    """Nothing was recorded, so nothing passed; a run that only talked did not go in circles."""
    assert judge(call_cycle, run()) == EMPTY == Score(None, "the run has no turn")
    assert judge(call_cycle, run([])).value is False


def test_how_often_can_be_chosen(judge: Make, run: Make) -> None:
    """The threshold is an option of the function."""
    assert judge(call_cycle, run(*calls("ABAB")), times=2).value is True
