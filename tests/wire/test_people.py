"""What people can have done, and what they cannot."""

import pytest

from trayecto.trajectory import Trajectory
from trayecto.wire.people import MOST, impossible


@pytest.mark.parametrize("field", MOST)
def test_what_is_not_told_is_possible(field: str) -> None:
    """None is no number; so are 0 and the limit."""
    assert not any(impossible(field, value) for value in (None, 0, 0.5, MOST[field]))


@pytest.mark.parametrize("field", MOST)
@pytest.mark.parametrize(
    "value", [-1, -1e-9, float("nan"), float("inf"), -float("inf"), 1e300, True]
)
def test_what_cannot_be(field: str, value: float) -> None:
    """Negative, no number, larger than any measurement, or a yes."""
    assert impossible(field, value)


def test_only_of_giving_up_it_can_be_told_that_nobody_did() -> None:
    """False minutes are no minutes."""
    assert {field for field in MOST if impossible(field, value=False)} == {
        "human_minutes",
        "interventions",
    }


def test_the_fields_are_those_of_a_trajectory() -> None:
    """A field that is renamed there is renamed here."""
    assert set(Trajectory.__struct_fields__) >= MOST.keys()
