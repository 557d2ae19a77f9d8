"""Paths into a JSON value."""

import pytest
from msgspec import UNSET

from trayecto.paths import find, inside, resolve, without

WORLD = {"a": {"b": [1, {"c": 2}]}, "a.b": 3, "d.e": {"f": None}, "": 4}


@pytest.mark.parametrize(
    ("path", "keys", "found"),
    [
        ("a", ("a",), WORLD["a"]),
        ("a.b", ("a.b",), 3),  # the longest key that is there
        ("a.b.0", None, UNSET),  # which has nothing inside
        ("d.e.f", ("d.e", "f"), None),
        ("d.e.g", None, UNSET),
        ("x", None, UNSET),
    ],
)
def test_a_path_leads_to_one_place(path: str, keys: object, found: object) -> None:
    """Or to none; null is something."""
    assert resolve(WORLD, path) == keys
    assert find(WORLD, path) == found


@pytest.mark.parametrize(
    ("path", "found"), [("b.1.c", 2), ("b.0", 1), ("b.2", UNSET), ("b.-1", UNSET)]
)
def test_places_of_a_list_are_numbers_from_0(path: str, found: object) -> None:
    """Counted from the front."""
    assert find(WORLD["a"], path) == found


def test_what_stands_at_a_path_can_be_left_out() -> None:
    """Nothing else changes, and the value itself stays as it is."""
    value = {"a": {"b": 1, "c": 2}, "x.y": 3, "l": [1]}
    assert without(value, "a.b") == {"a": {"c": 2}, "x.y": 3, "l": [1]}
    assert without(value, "x.y") == {"a": {"b": 1, "c": 2}, "l": [1]}
    assert without(value, "a.z") == value
    assert without(value, "l.0") == value  # a list without an item is another list
    assert value["a"] == {"b": 1, "c": 2}


def test_only_mappings_and_lists_have_an_inside() -> None:
    """Texts have none."""
    assert [inside(each) for each in ({"k": 1}, [7], "ab", None)] == [{"k": 1}, {"0": 7}, {}, {}]
