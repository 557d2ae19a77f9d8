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
