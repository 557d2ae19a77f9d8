"""Tests of strict YAML: surprises are text, tricks are refused, limits hold while reading."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case_formats import _yaml
from trayecto.case_formats._problems import Problems, Spot, place
from trayecto.trajectory import Json

LOADERS = sorted({yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)}, key=str)


@pytest.fixture(params=LOADERS, autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test with libyaml and without it."""
    monkeypatch.setattr(_yaml, "_LOADER", request.param)


def value(text: str) -> Json:
    """Return what a good document holds."""
    problems = Problems("f")
    loaded, _ = _yaml.load(text, problems)
    assert problems.kept == []
    return loaded


def spot(text: str) -> Spot:
    """Return where everything stands in a good document."""
    return _yaml.load(text, Problems("f"))[1]


def refused(text: str) -> list[str]:
    """Return what is wrong with a document, each with its place."""
    problems = Problems("f")
    _yaml.load(text, problems)
    return [f"{place('f', each)}: {each.sentence}" for each in problems.kept]


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "off",
        "Yes",
        "on",
        "y",
        "012",
        "1_000",
        "12:30:45",
        "2026-11-30",
        "+56",
        "0x1F",
        "0o17",
        "1e",
        "1.2.3",
        "-",
        "1,5",
        "${HOME}",
        "{{ id }}",
        "<<x",
        "-a",
        "nul",
        "1e5x",
        "=",
        "12345678-9",
    ],
)
def test_what_only_looks_like_a_value_stays_text(text: str) -> None:
    """A country, a time, a postcode, a phone number: what is read is what is written."""
    assert value(f"a: '{text}'\nb: {text if text[0] not in '{-=' else repr(text)}") == {
        "a": text,
        "b": text,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-0", 0),
        ("-12", -12),
        ("18446744073709551617", 18446744073709551617),
        ("1.0", 1),
        ("-0.0", 0),
        ("1.10", 1.1),
        (".5", 0.5),
        ("5.", 5),
        ("1e3", 1000),
        ("2.5e-1", 0.25),
    ],
)
def test_a_plain_scalar_has_its_json_type(text: str, expected: Json) -> None:
    """Whole floats are integers, so that 1.0 and 1 are one value, and true is no 1."""
    found = value(f"a: {text}")["a"]
    assert (type(found), found) == (type(expected), expected)


@pytest.mark.parametrize("text", ["'1'", '"true"', "|\n  1", "'~'", "'.nan'"])
def test_what_is_quoted_is_text(text: str) -> None:
    """Quotes always help."""
    assert isinstance(value(f"a: {text}")["a"], str)


def test_a_document_is_built_from_lists_and_mappings() -> None:
    """Nesting, flow and block style give plain Python values."""
    text = "a:\n  - [1, {b: c}]\n  - {}\n  -\nd: []\n"
    assert value(text) == {"a": [[1, {"b": "c"}], {}, None], "d": []}


def test_every_value_knows_its_line() -> None:
    """A key's value is found at the line of the key."""
    found = spot("a: 1\nb:\n  - c: |\n      text\n    d: 2\n  - 3\n")
    paths = [("a",), ("b",), ("b", 0), ("b", 0, "c"), ("b", 0, "d"), ("b", 1)]
    assert [found.find(path) for path in paths] == [1, 2, 3, 3, 5, 6]


def test_aliases_and_anchors_are_refused() -> None:
    """A small file cannot grow in memory, and a value stands where it is used."""
    assert refused("a: &x [1]\nb: [*x, *x]") == [
        "f:1: a: anchor &x is not allowed",
        "f:2: b[0]: alias *x is not allowed; write the value out",
        "f:2: b[1]: alias *x is not allowed; write the value out",
    ]


def test_an_alias_bomb_is_refused_without_growing() -> None:
    """Ten levels of ten aliases stay a hundred aliases."""
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 10)]
    found = refused("\n".join(["l0: &l0 [x]", *levels]))
    assert len(found) == 20
    assert "anchor &l0" in found[0]


def test_merge_keys_are_refused() -> None:
    """A case holds its own fields."""
    assert refused("a:\n  <<: {b: 1}") == [
        "f:2: a: merge keys are not allowed; write the fields out"
    ]
    assert value("'<<': 1") == {"<<": 1}


def test_a_repeated_key_names_both_lines() -> None:
    """The last one does not win in silence."""
    assert refused("a:\n  b: 1\n  c: 2\n  b: 3\n") == [
        "f:4: a: key 'b' stands twice: lines 2 and 4"
    ]


def test_the_same_key_in_two_mappings_is_fine() -> None:
    """Only within one mapping is a key repeated."""
    assert value("[{a: 1}, {a: 2}]") == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:os.system", "!!binary", "!!int", "!!set", "!mine", "!"]
)
def test_tags_are_refused(tag: str) -> None:
    """No tag makes an object, runs code or changes a type."""
    (found,) = refused(f"a: {tag} x") if tag != "!!set" else refused(f"a: {tag} {{x}}")
    assert found.startswith("f:1: a: tag '")


@pytest.mark.parametrize(
    ("key", "told"), [("1", "1"), ("true", "true"), ("~", "~"), ("1.5", "1.5")]
)
def test_a_key_that_is_no_text_is_refused(key: str, told: str) -> None:
    """JSON has text keys only, and so have arguments."""
    assert refused(f"a:\n  {key}: x") == [f"f:2: a: key {told} is not text; put it in quotes"]


@pytest.mark.parametrize("key", ["? [a, b]\n: c", "? {a: b}\n: c", "&a b: c\n*a : d"])
def test_a_key_that_is_a_collection_or_an_alias_is_refused(key: str) -> None:
    """A key is written where it stands."""
    assert "a key must be text, not a list, a mapping or an alias" in refused(key)[-1]


@pytest.mark.parametrize("text", [".nan", ".NaN", ".inf", "-.Inf", "+.inf"])
def test_not_a_number_is_refused(text: str) -> None:
    """What equals nothing cannot be expected."""
    assert refused(f"a: [{text}]") == [
        f"f:1: a[0]: {text} is no number that could be compared; put text in quotes"
    ]


def test_numbers_out_of_range_are_refused() -> None:
    """No number becomes infinite or is cut in silence."""
    assert refused("a: 1e999") == ["f:1: a: number out of range: 1e999"]
    found = refused(f"a: {'9' * 4301}")
    assert found == ["f:1: a: a number of 4,301 digits; 4,300 are the limit"]


@pytest.mark.parametrize("text", ["a:\n\tb: 1", "a:\n  b: 1\n\tc: 2"])
def test_a_tab_is_named(text: str) -> None:
    """Nobody sees a tab: the message says that it is one."""
    line = text.count("\n") + 1
    assert refused(text) == [f"f:{line}: a tab indents this line; YAML wants spaces"]


def test_broken_syntax_names_its_line() -> None:
    """The parser's words, our place."""
    (found,) = refused("a: 1\nb: ]\nc: 2")
    assert found.startswith("f:2: is not YAML: while parsing a block node")
    assert found.endswith("(column 4)")


def test_a_cut_file_names_a_line_that_exists() -> None:
    """The end of the file is no line of its own."""
    (found,) = refused("a:\n  b: [1,\n  2")
    assert found.startswith("f:3: is not YAML: while parsing a flow")
    assert "(from line 2)" in found


def test_a_second_document_is_refused() -> None:
    """What stands below a line of dashes is not passed over."""
    assert refused("a: 1\n---\nb: 2") == [
        "f:2: a second document begins here; a case file holds one"
    ]
    assert value("---\na: 1\n...\n") == {"a": 1}


def test_a_control_character_is_refused() -> None:
    """A file with an escape code in it is not text that a person wrote."""
    assert refused("a: ñ\nb: \x1b[31m") == ["f:2: character U+001B is not allowed in YAML"]


def test_depth_is_limited_to_64() -> None:
    """64 levels are read, 65 are refused, and 100,000 do not exhaust the stack."""
    assert value("[" * 64 + "]" * 64)
    assert refused("[" * 65 + "]" * 65) == ["f:1: nested deeper than 64 levels"]
    assert refused("[" * 100_000) == ["f:1: nested deeper than 64 levels"]


def test_the_number_of_values_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading stops at the limit, wherever the file ends."""
    monkeypatch.setattr(_yaml, "NODES", 3)
    assert value("[a, b]") == ["a", "b"]
    assert refused("- a\n- b\n- c") == ["f:3: more than 3 values; write the cases as JSON lines"]


def test_the_length_of_a_text_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """No single text fills the memory of a report."""
    monkeypatch.setattr(_yaml, "TEXT", 3)
    assert refused("a: bcde") == ["f:1: a text is longer than 3 characters"]


def test_an_empty_document_is_nothing() -> None:
    """A file of comments only holds no value."""
    assert value("# nothing\n") is None


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No file makes the reader raise anything."""
    problems = Problems("f")
    _yaml.load(text.encode("utf-8", "replace").decode(), problems)
    assert len(problems.kept) == min(problems.count, 20)
