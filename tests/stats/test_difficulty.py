"""Difficulty and discrimination: golden, and scipy."""

from collections.abc import Callable
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.difficulty import items

ROWS = st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=3, max_size=8)


def test_the_golden_items(golden: Callable[[str], tuple[dict, dict]]) -> None:
    """Golden item_difficulty_discrimination: none of a task that all agents pass."""
    given_, expected = golden("item_difficulty_discrimination")
    found = items(given_["agents_x_tasks"])
    assert [item.difficulty for item in found] == pytest.approx(expected["difficulty"])
    told = [item.discrimination for item in found]
    assert told[0] is expected["item_rest_correlation"][0] is None
    assert told[1:] == pytest.approx(expected["item_rest_correlation"][1:], abs=5e-7)


@given(ROWS)
def test_scipy_s_point_biserial(agents: list[list[int]]) -> None:
    """Of each task with the rest of the suite, wherever both vary."""
    for place, item in enumerate(items(agents)):
        own = [row[place] for row in agents]
        rest = [sum(row) - row[place] for row in agents]
        if len(set(own)) > 1 and len(set(rest)) > 1:
            expected = stats.pointbiserialr(own, rest).statistic
            assert item.discrimination == pytest.approx(float(expected), abs=1e-9)
        else:
            assert item.discrimination is None


def test_agents_must_have_the_same_tasks() -> None:
    """Rows of unequal length, and no numbers."""
    with pytest.raises(ValueError, match="the same tasks"):
        items([[1, 0], [1]])
    with pytest.raises(ValueError, match="nan is not a finite"):
        items([[1, nan]])
    assert items([]) == []


def test_a_task_that_only_bad_agents_pass_is_suspect() -> None:
    """The last one goes against the two others: as far below 0 as it can be."""
    found = items([[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 1]])
    assert found[2].discrimination == -1
    assert found[0].discrimination is None  # the rest of it is 1 for every agent


@given(ROWS, st.randoms())
def test_the_order_of_agents_does_not_matter(agents: list[list[int]], random: object) -> None:
    """The same tasks, with the agents in another order."""
    shuffled = agents.copy()
    random.shuffle(shuffled)
    for one, other in zip(items(agents), items(shuffled), strict=True):
        assert one.difficulty == other.difficulty
        assert one.discrimination == pytest.approx(other.discrimination, abs=1e-12)


@given(ROWS)
def test_failures_discriminate_as_successes_do(agents: list[list[int]]) -> None:
    """Both change sides, so that they go together as before; what was hard is easy."""
    flipped = items([[1 - value for value in row] for row in agents])
    for one, other in zip(items(agents), flipped, strict=True):
        assert one.difficulty == pytest.approx(1 - other.difficulty)
        assert one.discrimination == pytest.approx(other.discrimination, abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6), st.floats(0, 1))
def test_rounding_does_not_discriminate(own: list[float], other: float) -> None:
    """The rest of the first task is the same for all agents, but for rounding of the sums."""
    first, second = items([[value, other] for value in own])
    assert first.discrimination is second.discrimination is None


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_two_equal_tasks_go_together(own: list[float]) -> None:
    """By exactly 1, never above it; None where they do not vary."""
    for item in items([[value, value] for value in own]):
        if item.discrimination is not None:
            assert 1 - 1e-9 <= item.discrimination <= 1


@pytest.mark.parametrize("odd", [-0.1, 1.1])
def test_a_success_is_from_0_to_1(odd: float) -> None:
    """What is beyond is named."""
    with pytest.raises(ValueError, match=f"{odd} is no success from 0 to 1"):
        items([[1, odd], [0, 1]])
