"""Tests of JSON from strangers: numbers, equality, lone surrogates, repeated keys, depth."""

import json
import re
from time import process_time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case import canonical
from trayecto.wire import json as wire_json
from trayecto.wire.json import (
    DEPTH,
    decode,
    exceeds,
    keep_lone_surrogates,
    number,
    outgrown,
    repeated_key,
    too_deep,
)

LONE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
scalars = st.sampled_from([0, 1, 1.0, -0.0, 0.5, True, False, None, "", "1", "true"])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=5,
)


def same(one: object, other: object) -> bool:
    """Say whether two values are equal by ruling 3, in the plainest words."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def form(value: object) -> bytes:
    """Return the canonical form of arguments that hold a value, as a reader would make it."""
    return canonical(decode.decode(json.dumps({"v": value})))


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.0", 1), ("-0.0", 0), ("1e3", 1000), ("-2.50e1", -25), ("1e16", 10**16)],
)
def test_a_whole_number_is_an_integer_however_it_is_written(text: str, value: int) -> None:
    """1 equals 1.0, and -0 equals 0 (ruling 3)."""
    assert (number(text), type(number(text))) == (value, int)


@pytest.mark.parametrize("text", ["0.5", "1e-3", "2.50"])
def test_other_numbers_stay_floats(text: str) -> None:
    """A number with a fraction is a float."""
    assert (number(text), type(number(text))) == (float(text), float)


@pytest.mark.parametrize("text", ["1e999", "-1e999", "9" * 5000 + ".0"])
def test_a_number_out_of_range_is_no_number(text: str) -> None:
    """It would become infinity, which JSON cannot say."""
    with pytest.raises(ValueError, match=f"number out of range: {text[:20]}"):
        number(text)


@pytest.mark.parametrize("value", [2**53 + 1, 2**64 + 1, -(2**64) - 1, 10**4299])
def test_integers_are_exact(value: int) -> None:
    """An id is no float (J6): up to 4,300 digits each one is kept."""
    assert decode.decode(str(value)) == value


def test_an_integer_of_5000_digits_is_refused() -> None:
    """Reading it would take time that grows with its square (J5)."""
    with pytest.raises(msgspec.DecodeError, match="Integer value out of range"):
        decode.decode("9" * 5000)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ('{"n": 1}', '{"n": 1.0}', True),
        ('{"n": 0}', '{"n": -0.0}', True),
        ('{"n": 1}', '{"n": true}', False),
        ('{"n": 0}', '{"n": false}', False),
        ('{"n": 1}', '{"n": "1"}', False),
        ('{"a": 1, "b": {"c": 2, "d": 3}}', '{"b": {"d": 3, "c": 2}, "a": 1}', True),
        ('{"order": "W1", "amount": 20}', '{"order": "W1"}', False),
        ('{"order": "W1", "note": null}', '{"order": "W1"}', False),
        ('{"a": [1, 2]}', '{"a": [2, 1]}', False),
    ],
)
def test_canonical_forms_are_equal_where_arguments_are(one: str, other: str, equal: bool) -> None:  # noqa: FBT001  # a column of the table
    """The table of INPUT-02 holds for the form that signatures are compared by."""
    forms = {canonical(decode.decode(text)) for text in (one, other)}
    assert (len(forms) == 1) == equal


@given(values, values)
def test_canonical_forms_tell_any_two_values_apart(one: object, other: object) -> None:
    """Forms are equal where ruling 3 says that values are, and nowhere else."""
    assert (form(one) == form(other)) == same(one, other)


@given(st.dictionaries(st.text(max_size=3), scalars), st.randoms())
def test_the_order_of_keys_does_not_count(value: dict[str, object], chance: object) -> None:
    """Models write the same arguments in any order."""
    keys = list(value)
    chance.shuffle(keys)
    assert form({key: value[key] for key in keys}) == form(value)


@given(values | st.text())
def test_valid_json_is_left_alone(value: object) -> None:
    """A surrogate pair is a character, escaped or not."""
    assert keep_lone_surrogates(json.dumps(value).encode()) is None
    assert keep_lone_surrogates(json.dumps(value, ensure_ascii=False).encode()) is None


@given(st.text(st.characters(categories=["Cs"]) | st.sampled_from('a\\u"😀'), max_size=8))
def test_a_lone_half_becomes_its_own_escape(text: str) -> None:
    """Whatever halves a string holds, it can be read, and every half shows as it was written."""
    raw = json.dumps(text).encode()
    expected = LONE.sub(lambda half: f"\\u{ord(half.group()):04x}", text)
    whole = expected.encode("utf-16", "surrogatepass").decode("utf-16")
    assert decode.decode(keep_lone_surrogates(raw) or raw) == whole


def test_an_escaped_backslash_hides_no_half() -> None:
    r"""``\\ud835`` is a backslash and five letters, ``\\\ud835`` a backslash and a half."""
    assert keep_lone_surrogates(rb'"\\ud835"') is None
    assert keep_lone_surrogates(rb'"\\\ud835"') == rb'"\\\\ud835"'


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"a": 1, "a": 1}', "a"),
        (b'{"x": [{"b": 1, "c": 2, "b": 3}]}', "b"),
        ('{"a": {"a": 1}, "b": {"a": 2}}', None),
        ('{"a": 1, "\\u0061": 2}', "a"),
        ('{"a": 1, "a": 2, "n": ' + "9" * 5000 + "}", "a"),
        ('{"a": 1, "a": 2', None),
    ],
)
def test_a_repeated_key_is_found_at_any_depth(text: str | bytes, key: str | None) -> None:
    """A long number hides nothing; broken text is for its reader to refuse."""
    assert repeated_key(text) == key


def test_a_key_repeated_among_many_is_found_in_time() -> None:
    """An object of 100,000 keys costs no time that grows with their square (J17, J18)."""
    keys = ", ".join(f'"k{n}": 1' for n in range(100_000))
    start = process_time()
    assert repeated_key(f'{{{keys}, "k7": 2}}') == "k7"
    assert process_time() - start < 2


@pytest.mark.parametrize("pair", [("[", "]"), ('{"a":', "}")])
def test_depth_is_limited_to_128(pair: tuple[str, str]) -> None:
    """128 levels are kept, 129 are not (B14)."""
    nested = [decode.decode(pair[0] * n + "1" + pair[1] * n) for n in (DEPTH, DEPTH + 1)]
    assert (DEPTH, [too_deep(value) for value in nested]) == (128, [False, True])


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b'{"a": 1, "b": 2, "c": 3}', None),
        (b'{"a": 1, "b": 2, "c": 3, "d": 4}', "more than 3 keys in one object"),
        (b'[{"x": {"a": 1, "b" : 2, "c"\n:3, "d":4}}]', "more than 3 keys in one object"),
        (b'{"a": {"a": 1, "b": 1, "c": 1}, "b": {"a": 1}, "c": 1}', None),
        (b'{"a": {}, "b": {}, "c": 1, "d": {}}', "more than 3 keys in one object"),
        (b'{"a": "::::", "b": "{\\"x\\":1,"}', None),
        (b'["aaaaaaaaaaaaaaaaaa"]', None),
        (b'["aaaaaaaaaaaaaaaaaaa"]', "a string longer than 20 bytes"),
        (b'["aaaaaaaaa\\"aaaaaaaaa"]', "a string longer than 20 bytes"),
        (b'["aaaaaaaaaaaaaaaaaaaaa', "a string longer than 20 bytes"),
        (b'}}}{"a": 1, "b": 2, "c": 3, "d": 4', "more than 3 keys in one object"),
        (b"[1, 2, 3, 4, 5, 6, 7, 8, 9]", None),
    ],
)
def test_long_strings_and_large_objects_are_found(
    monkeypatch: pytest.MonkeyPatch, raw: bytes, why: str | None
) -> None:
    """At any depth, in broken text too; what looks like a key inside a string is none."""
    monkeypatch.setattr(wire_json, "STRING_LIMIT", 20)
    monkeypatch.setattr(wire_json, "KEY_LIMIT", 3)
    assert outgrown(raw) == why


def test_a_million_keys_are_found_in_time() -> None:
    """Nothing is decoded for it (J17)."""
    raw = b"{%s}" % b",".join(b'"k%d":1' % n for n in range(1_000_000))
    start = process_time()
    assert outgrown(raw) == "more than 200,000 keys in one object"
    assert process_time() - start < 2


@pytest.mark.parametrize(
    ("raw", "more"),
    [
        (b"[1, 2, 3, 4]", False),
        (b"[1, 2, 3, 4, 5]", True),
        (b"[[[[[", True),
        (b'[{"a": {}}, 1]', False),
        (b'[{"a": {}}, 1, 2]', True),
        (b'["[[[[,,,,{{{{", "\\",,,,"]', False),
        (b'["cut, and, no, end, of, it', False),
    ],
)
def test_values_are_counted_by_what_stands_before_them(raw: bytes, *, more: bool) -> None:
    """Four are allowed here: a comma or an opening bracket each, but for those in strings."""
    assert exceeds(raw, 4) is more


def test_a_record_of_too_many_values_is_outgrown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes up to twenty times its text, once it is an object."""
    monkeypatch.setattr(wire_json, "VALUE_LIMIT", 3)
    assert outgrown(b"[1, 2, 3]") is None
    assert outgrown(b"[1, 2, 3, 4]") == "more than 3 values in one record"
