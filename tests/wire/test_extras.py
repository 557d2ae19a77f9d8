"""Unknown fields: kept as they stand, and never a reason to lose a record."""

import pytest

from trayecto.wire.extras import unknown_fields

KNOWN = {"messages", "id"}


def test_only_what_is_not_known_is_kept() -> None:
    """In the order of the record, numbers as the rulings want them (1.0 is 1)."""
    raw = b' {"id": 3, "team": "\xc3\xa9", "messages": [], "n": 1.0, "at": {"a": [null]}}'
    found = unknown_fields(raw, KNOWN)
    assert found == {"team": "é", "n": 1, "at": {"a": [None]}}
    assert list(found) == ["team", "n", "at"]
    assert type(found["n"]) is int


@pytest.mark.parametrize("raw", [b'[{"a": 1}]', b"  [1]", b"{}", b'{"id": 1}'])
def test_what_has_no_unknown_fields_has_none(raw: bytes) -> None:
    """A list has no fields."""
    assert unknown_fields(raw, KNOWN) == {}


@pytest.mark.parametrize("value", ["1e999", "[" * 129 + "]" * 129])
def test_what_cannot_be_written_again_is_kept_as_text(value: str) -> None:
    """Too large a number, and too deep a value."""
    assert unknown_fields(b'{"odd": %s}' % value.encode(), KNOWN) == {"odd": value}
