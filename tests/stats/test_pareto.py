"""The Pareto front: golden, and by comparing every pair."""

from collections.abc import Callable
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.stats.pareto import pareto_front

POINTS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1
)


def test_the_golden_front(golden: Callable[[str], tuple[dict, list]]) -> None:
    """Golden pareto_front: equal points both stay."""
    given_, expected = golden("pareto_front")
    points = {name: tuple(point) for name, point in given_["points_cost_success"].items()}
    assert sorted(pareto_front(points)) == sorted(expected)


@given(POINTS)
def test_nobody_on_the_front_is_outdone(points: dict[str, tuple[int, int]]) -> None:
    """By the definition, pair by pair; and whoever is not on it is outdone."""
    front = pareto_front(points)
    for name, (cost, success) in points.items():
        outdone = any(
            other_cost <= cost and other_success >= success and (other_cost, other_success) != point
            for point in [(cost, success)]
            for other_cost, other_success in points.values()
        )
        assert (name in front) != outdone
    assert pareto_front({}) == []


@given(POINTS)
def test_what_is_outdone_may_be_left_out(points: dict[str, tuple[int, int]]) -> None:
    """The front of the front is the front."""
    front = pareto_front(points)
    assert pareto_front({name: points[name] for name in front}) == front


@pytest.mark.parametrize("odd", [nan, inf, -inf])
def test_points_that_cannot_be(odd: float) -> None:
    """A cost or a success that is no number would be dropped without a word."""
    for point in ((odd, 0.5), (0.5, odd)):
        with pytest.raises(ValueError, match=f"{odd} is not a finite"):
            pareto_front({"a": point, "b": (1, 1)})
