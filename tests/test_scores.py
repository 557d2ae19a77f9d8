"""A score: a value, or None with the reason."""

import pytest
from msgspec import json

from trayecto.scores import Culprit, Score


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
