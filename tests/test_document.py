"""The document's own rules: labels of one length, kinds of one number, and fields."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.document import (
    KINDS,
    LABEL,
    OTHER,
    CallCounts,
    Document,
    Group,
    Read,
    most_frequent,
    shorten,
)

COUNTS = st.dictionaries(st.text(max_size=3), st.integers(1, 5), max_size=12)


@given(st.text(max_size=300), st.integers(3, 100))
def test_a_label_is_never_longer(text: str, limit: int) -> None:
    """Whatever a trace calls a tool, a run or a model."""
    assert len(shorten(text, limit)) <= limit


@given(st.text(max_size=300))
def test_a_label_that_is_cut_once_stays(text: str) -> None:
    """Parts that were merged hold the same labels as a whole."""
    assert shorten(shorten(text)) == shorten(text)


def test_a_short_label_is_as_it_was() -> None:
    """Up to the last character that fits."""
    assert shorten("x" * LABEL) == "x" * LABEL


def test_a_long_label_keeps_both_ends() -> None:
    """Ids differ at their ends, tools at their beginnings."""
    found = shorten("a" * 100 + "b" * 100)
    assert (len(found), found[:39], found[39], found[40:]) == (80, "a" * 39, "…", "b" * 40)


def test_controls_stay_for_the_printer_to_mask() -> None:
    """The document says what the trace says; a program may compare it."""
    assert shorten("\x1b[31m") == "\x1b[31m"


@given(COUNTS, st.integers(0, 12), st.randoms(use_true_random=False))
def test_what_is_kept_does_not_depend_on_the_order(
    counts: dict[str, int], limit: int, chance: object
) -> None:
    """Merged parts come in any order."""
    pairs = list(counts.items())
    chance.shuffle(pairs)
    expected = list(most_frequent(counts, limit).items())
    assert list(most_frequent(dict(pairs), limit).items()) == expected


@given(COUNTS, st.integers(0, 12))
def test_nothing_that_was_counted_is_lost(counts: dict[str, int], limit: int) -> None:
    """The rest stands under one name."""
    kept = most_frequent(counts, limit)
    assert sum(kept.values()) == sum(counts.values())
    assert len(kept) <= limit + 1


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"b": 2, "a": 2, "c": 3}, {"c": 3, "a": 2, "other": 2}),
        ({"a": 2, OTHER: 3, "c": 1}, {OTHER: 4, "a": 2}),
        ({}, {}),
    ],
)
def test_the_most_frequent_come_first(counts: dict[str, int], expected: dict[str, int]) -> None:
    """Ties by name; a kind that is called "other" itself joins the others."""
    assert list(most_frequent(counts, 2).items()) == list(expected.items())


def test_two_hundred_kinds_are_kept() -> None:
    """So that hostile data cannot grow the document."""
    counts = {f"why {number}": 1 for number in range(10 * KINDS)}
    assert len(most_frequent(counts)) == KINDS + 1


def test_a_document_reads_back_from_its_json() -> None:
    """Parts without metrics survive the way through bytes."""
    read = Read(
        files=1,
        records=2,
        rejected=1,
        unreadable=0,
        skipped=[],
        failed=[],
        repeated_call_ids=0,
        names=["runs.jsonl"],
    )
    assert msgspec.json.decode(msgspec.json.encode(read), type=Read) == read


@pytest.mark.parametrize("kind", [Document, Group, Read, CallCounts])
def test_values_are_frozen(kind: type[msgspec.Struct]) -> None:
    """A report cannot change what it prints."""
    assert kind.__struct_config__.frozen
