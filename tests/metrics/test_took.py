"""How long an attempt took, for its latency and for its price."""

import pytest

from trayecto.metrics._took import can_be, took_ms
from trayecto.trajectory import Trajectory, Turn

NAMES = {"id": "i", "suite": "s", "candidate": "c", "case_id": "k", "trial": 1}


@pytest.mark.parametrize(
    ("whole", "parts", "took"),
    [
        (9.0, [1.0, 2.0], 9.0),
        (None, [1.0, 2.0], 3.0),
        (None, [1.0, None], None),
        (None, [], None),
        (0.0, [1.0], 0.0),
    ],
)
def test_the_whole_goes_before_its_parts(
    whole: float | None, parts: list[float | None], took: float | None
) -> None:
    """The time of the attempt, else all of its generations' or none; a user takes no time."""
    turns = [Turn(at, "assistant", "x", latency_ms=part) for at, part in enumerate(parts, 2)]
    asked = Turn(1, "user", "please", latency_ms=7.0)
    made = Trajectory(**NAMES, turns=(asked, *turns), latency_ms=whole)
    assert took_ms(made) == took


@pytest.mark.parametrize(("took", "is_one"), [(0, True), (1e12, True), (-1, False), (2e12, False)])
def test_a_time_is_neither_negative_nor_longer_than_thirty_years(
    took: float, *, is_one: bool
) -> None:
    """What cannot be is no number."""
    assert can_be(took) is is_one
