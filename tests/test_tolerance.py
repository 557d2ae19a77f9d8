"""How far an argument may be from the expected one: only as far as the case says."""

import pytest

from trayecto.tolerance import (
    WORDS,
    allows_absence,
    is_found,
    is_near,
    matches_whole,
    same,
    why_no_pattern,
)


@pytest.mark.parametrize(
    ("actual", "expected", "tolerance", "near"),
    [
        (0.3, 0.2, 0.1, True),  # in decimals; as floats 0.3 - 0.2 is less than 0.1
        (0.31, 0.2, 0.1, False),
        (0.3, 0.2, {"absolute": 0.1}, True),
        (True, 1, 1, False),  # a bool is no number (ruling 3)
        ("1", 1, 1, False),
        (None, 1, 1, False),
        (101, 100, {"relative": 0.01}, True),
        (99, 100, {"relative": 0.01}, True),
        (101.5, 100, {"relative": 0.01}, False),
        (-99, -100, {"relative": 0.01}, True),  # a share of the size, not of the sign
        (0, 0, {"relative": 0.01}, True),
        (0.1, 0, {"relative": 0.5}, False),  # no share of nothing
        (101, "100", {"relative": 0.01}, False),
        (10**40 + 1, 10**40, 1, True),
        (10**40 + 2, 10**40, 1, False),
    ],
)
def test_numbers_may_be_off_by_a_distance_or_a_share(
    actual: object, expected: object, tolerance: object, *, near: bool
) -> None:
    """Both ends belong to the tolerance."""
    assert is_near(actual, expected, tolerance) is near


@pytest.mark.parametrize(
    ("actual", "expected", "near"),
    [
        ("MADRID", "Madrid", True),
        ("straße", "STRASSE", True),  # case folding, not lower()
        ("Madrid ", "Madrid", False),  # only the case is free
        (1, 1, True),
        (True, 1, False),
        (None, "none", False),
    ],
)
def test_the_case_of_letters_may_be_free(actual: object, expected: object, *, near: bool) -> None:
    """What is no text is compared as ever."""
    assert is_near(actual, expected, {"ignore_case": True}) is near
    assert is_near(actual, expected, {"ignore_case": False}) is same(actual, expected)


@pytest.mark.parametrize(
    ("actual", "expected", "near"),
    [
        ("x^2", "x**2", True),
        ("April 1, 2024", "April 1 2024", True),
        ("san_francisco", "san francisco", True),
        ("it's", 'it"s', True),
        ("x+2", "x2", False),  # a sign that BFCL keeps
        ("x > 2", "x < 2", False),
        ("Madrid", "madrid", False),  # only the signs are free
        ("1.5", 1.5, False),
        (-5, 5, False),  # a number has no punctuation
        ("-", "", True),
    ],
)
def test_punctuation_may_be_free(actual: object, expected: object, *, near: bool) -> None:
    """The signs are those of BFCL's ``standardize_string``, and no more."""
    assert is_near(actual, expected, {"ignore_punctuation": True}) is near


def test_what_two_words_say_of_a_text_holds_together() -> None:
    """Neither alone would let it pass."""
    both = {"ignore_case": True, "ignore_punctuation": True}
    assert is_near("new-york", "New York", both)
    assert not any(is_near("new-york", "New York", {word: True}) for word in both)
    assert is_near(9.5, "x", {"one_of": [10, "x"], "absolute": 0.5, **both})


def test_texts_inside_lists_and_mappings_are_as_free() -> None:
    """Keys are not: they are names of the tool's own."""
    both = {"ignore_case": True, "ignore_punctuation": True}
    assert is_near([{"city": "NEW YORK"}, 1], [{"city": "new_york"}, 1], both)
    assert not is_near([{"City": "new york"}], [{"city": "new york"}], both)
    assert not is_near([True], [1], both)


@pytest.mark.parametrize(
    ("actual", "expected", "near"),
    [
        ("2026-01-05", "2026-01-05", True),
        ("20260105", "2026-01-05", True),
        ("2026-01-05T09:30", "2026-01-05", True),  # one has no time: the days are compared
        ("20260105", "2026-01-05T09:30", True),
        ("2026-01-06", "2026-01-05", False),
        ("2026-01-05T09:30Z", "2026-01-05T10:30+01:00", True),  # the same instant
        ("2026-01-05T09:30Z", "2026-01-05T09:30+01:00", False),
        ("2026-01-05T09:30", "2026-01-05T09:30Z", True),  # no offset: as it is written
        ("5 January", "2026-01-05", False),
        ("2026-02-30", "2026-02-30", False),  # there is no such day
        (20260105, "2026-01-05", False),
    ],
)
def test_dates_are_compared_as_dates(actual: object, expected: object, *, near: bool) -> None:
    """ISO 8601, by hand from its rules for offsets."""
    assert is_near(actual, expected, {"date": True}) is near


@pytest.mark.parametrize(("actual", "near"), [(1, True), ("one", True), (True, False), (2, False)])
def test_one_of_several_values_will_do(actual: object, *, near: bool) -> None:
    """The list stands in place of the expected value: 2 is not in it."""
    assert is_near(actual, 2, {"one_of": [1, "one"]}) is near


def test_the_words_go_together() -> None:
    """Near to one of the values, in one of the ways."""
    assert is_near("NYC", "x", {"one_of": ["New York", "nyc"], "ignore_case": True})
    assert is_near(9.5, 0, {"one_of": [10, 20], "absolute": 0.5})
    assert not is_near(15, 0, {"one_of": [10, 20], "absolute": 0.5})
    assert is_near(104, 100, {"absolute": 1, "relative": 0.05})


@pytest.mark.parametrize(
    ("tolerance", "may_be_absent"),
    [("any", True), (1, False), ({"optional": True}, True), ({"one_of": [1]}, False)],
)
def test_only_what_is_optional_may_be_left_out(tolerance: object, *, may_be_absent: bool) -> None:
    """Absent is not null (ruling 3)."""
    assert allows_absence(tolerance) is may_be_absent
    assert is_near(5, 5, tolerance) is (tolerance != {"one_of": [1]})


def test_a_pattern_matches_the_whole_text_or_is_found_in_one() -> None:
    """An argument has to match whole; a searched text holds the match anywhere."""
    assert is_near("W-123", None, {"pattern": r"W-\d+"})
    assert not is_near("W-123x", None, {"pattern": r"W-\d+"})
    assert not is_near(123, None, {"pattern": r"\d+"})
    assert matches_whole("(?i)sí", "SÍ")
    assert is_found(r"\bW-\d+", "order W-12 shipped")


def test_a_pattern_cannot_be_made_slow_nor_broken_by_a_text() -> None:
    """Nested repeats take linear time (re2), and a lone surrogate is searched as its escape."""
    assert not matches_whole("(a+)+b", "a" * 50_000)
    assert is_found("d835", "x\ud835y")


@pytest.mark.parametrize(
    ("pattern", "why"), [("(a", "missing ): (a"), ("(?=a)", "invalid perl operator: (?=")]
)
def test_what_is_no_pattern_says_why(pattern: str, why: str) -> None:
    """Lookahead is not regular: re2 refuses it."""
    assert why_no_pattern(pattern) == why


def test_a_pattern_that_is_one_has_nothing_to_say() -> None:
    """The words are those of the docstring."""
    assert why_no_pattern("a+") is None
    assert set(WORDS) == {
        *("absolute", "relative", "ignore_case", "ignore_punctuation", "date"),
        *("one_of", "pattern", "optional"),
    }
