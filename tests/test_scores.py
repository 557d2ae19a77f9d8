"""A score: a value, or None with the reason."""

import pytest
from msgspec import json

from trayecto.scores import Culprit, Goal, Score


def test_a_score_cannot_be_changed() -> None:
    """Nothing downstream writes on what was found."""
    with pytest.raises(AttributeError):
        Score(1.0).value = 0.0


def test_undefined_is_neither_zero_nor_false() -> None:
    """The rule that makes us different."""
    undefined = Score(None, "no reference path")
    assert undefined not in (Score(0), Score(value=False), Score(0.0))
    assert (undefined.value, undefined.steps) == (None, ())


@pytest.mark.parametrize("value", [True, 0, 0.5, None, Culprit(3, None, "never_done", "pay", "x")])
def test_a_score_is_written_as_json(value: object) -> None:
    """Value, reason and steps, whatever the value."""
    line = json.decode(json.encode(Score(value, None, (1, 2))))
    assert line["steps"] == [1, 2]
    assert (line["value"]["kind"] if isinstance(value, Culprit) else line["value"]) == (
        "never_done" if isinstance(value, Culprit) else value
    )


@pytest.mark.parametrize(
    ("goal", "missed", "kept"),
    [
        (Goal(above=0.70), [0.0, 0.69, 0.70], [0.71, 1.0]),
        (Goal(below=0.02), [0.02, 0.03, 1.0], [0.0, 0.019]),
        (Goal(equal=0), [0.001, 1.0], [0, 0.0]),
    ],
)
def test_what_stands_at_the_number_is_neither_above_nor_below(
    goal: Goal, missed: list[float], kept: list[float]
) -> None:
    """The articles write > 0.70, < 0.02 and zero, so 0.70 and 0.02 fall short."""
    assert [goal.is_missed(value) for value in (*missed, *kept)] == [True] * len(missed) + [
        False
    ] * len(kept)


def test_a_goal_is_written_as_its_one_bound() -> None:
    """What is not said is not written."""
    goals = [Goal(above=0.7), Goal(below=0.02), Goal(equal=0)]
    assert json.encode(goals) == b'[{"above":0.7},{"below":0.02},{"equal":0}]'
