"""Edit similarity: how alike the names of both paths are."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.metrics.path_edit_similarity import NOTHING, needs, path_edit_similarity
from trayecto.scores import Score

Make = Callable[..., Any]
WORDS = st.lists(st.sampled_from("abc"), max_size=9)
LONG = st.lists(st.sampled_from("ab"), min_size=60, max_size=70)


def textbook(left: list[str], right: list[str]) -> int:
    """Return the distance by the table that every textbook has."""
    row = list(range(len(right) + 1))
    for at, name in enumerate(left, 1):
        above, row = row, [at]
        for place, other in enumerate(right, 1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (name != other)))
    return row[-1]


@pytest.mark.parametrize(
    ("made", "reference", "similarity"),
    [
        ("bv", "bpv", 2 / 3),
        ("bv", "vvvlbv", 1 / 3),
        ("bpv", "vvvlbv", 1 / 6),
        ("bv", "bv", 1),
        ("bv", "vb", 0),
        ("x", "bv", 0),
        ("", "bv", 0),
        ("bv", "", 0),
    ],
)
def test_one_minus_the_distance_over_the_longer(
    judge: Make, run: Make, make_case: Make, *, made: str, reference: str, similarity: float
) -> None:
    """The first three: golden trajectory_edit_similarity; the others by hand, both ways around."""
    there = judge(path_edit_similarity, run(*made), make_case([*reference], "exact"))
    back = judge(path_edit_similarity, run(*reference), make_case([*made], "exact"))
    assert there.value == back.value == pytest.approx(similarity, abs=1e-12)


def test_two_empty_paths_are_undefined(judge: Make, run: Make, make_case: Make) -> None:
    """Nothing is like nothing: that is no measurement."""
    assert judge(path_edit_similarity, run(), make_case([], "exact")) == NOTHING
    assert Score(None, "the reference is empty, and no call was done") == NOTHING


def test_failed_attempts_do_not_count(judge: Make, run: Make, make_case: Make) -> None:
    """A retry after an error is as the reference."""
    calls = ["a", ("b", {}, "Error", "error"), "b"]
    assert judge(path_edit_similarity, run(*calls), make_case(["a", "b"])) == Score(1.0)


def test_arguments_do_not_count(judge: Make, run: Make, make_case: Make) -> None:
    """Only the names are compared."""
    case = make_case([("a", {"x": 1})])
    assert judge(path_edit_similarity, run(("a", {"x": 2})), case) == Score(1.0)


def test_what_it_needs(make_case: Make) -> None:
    """A reference, even an empty one."""
    assert needs(None) == needs(make_case(None, min_calls=1)) == "no reference path"
    assert needs(make_case([], "exact")) is None


@given(st.one_of(st.tuples(WORDS, WORDS), st.tuples(LONG, LONG)))
def test_the_distance_is_the_textbook_s(
    judge: Make, run: Make, make_case: Make, pair: tuple[list[str], list[str]]
) -> None:
    """Any two paths are as far apart as the textbook's table says, beyond a machine word too."""
    made, expected = pair
    score = judge(path_edit_similarity, run(*made), make_case(expected, "exact"))
    longest = max(len(made), len(expected))
    if not longest:
        assert score == NOTHING
    else:
        assert score.value == pytest.approx(1 - textbook(made, expected) / longest, abs=1e-12)
