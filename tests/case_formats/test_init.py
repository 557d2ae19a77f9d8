"""Tests of the folder's verb, load_cases, and of the JSON Schema for editors."""

import json
import string
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.case import AnswerCheck, Case, CaseSecret, Limits, StateCheck
from trayecto.case_formats import formats, json_schema, load_cases
from trayecto.errors import InputError

DESIGN = """\
suite: support
tools: tools.json
agent: examples.support:agent
trials: 4
limits: {calls: 12, seconds: 60, tokens: 50000, cost_usd: 0.05}
mocks: mocks.yaml
cases:
  - id: balance_001
    task: What is the balance of customer 12345678-9?
    difficulty: simple
    reference: [find_customer, {tool: get_balance, arguments: {id: 8812}}]
    match: in_order
    required: [get_balance]
    forbidden: [delete_customer]
    min_calls: 2
    max_calls: 6
    order: [[find_customer, get_balance]]
    scope: {get_balance.id: [8812]}
    tolerance: {get_balance.limit: any}
    answer: {contains: "142.900"}
    state: {unchanged: true}
"""
DOCUMENT = {
    "cases": [
        {
            "id": "a",
            "reference": ["b", {"tool": "c", "arguments": {"x": None}}, ["d", "e"]],
            "answer": {"contains": ["f"]},
        }
    ]
}

texts = st.text(string.printable + "ñé→😀", max_size=12)
names = st.text(string.ascii_letters + "_:.", min_size=1, max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
).filter(lambda value: "inf" not in json.dumps(value).lower())
calls = names | st.fixed_dictionaries(
    {"tool": names, "arguments": st.dictionaries(texts, values, max_size=3)}
)
cases = st.fixed_dictionaries(
    {
        "id": st.integers().map("case {}".format),
        "task": texts,
        "reference": st.lists(calls | st.lists(calls, min_size=1, max_size=2), min_size=1),
        "match": st.sampled_from(["exact", "set", "unordered", "superset"]),
        "answer": st.fixed_dictionaries({"contains": texts.filter(bool)}),
        "state": st.fixed_dictionaries(
            {"equals": st.dictionaries(texts.filter(bool), values, min_size=1, max_size=2)}
        ),
    }
)


def without_places(found: tuple[Case, ...]) -> list[tuple[object, ...]]:
    """Return the fields of cases but the places where they stand."""
    return [(case.id, case.task, case.secret, case.suite, case.difficulty) for case in found]


def test_the_example_of_the_design_loads(tmp_path: Path) -> None:
    """The example that the documentation shows is read as it says."""
    path = tmp_path / "cases.yaml"
    path.write_text(DESIGN)
    found = load_cases(path)
    case = found.cases[0]
    assert (found.suite, case.suite, case.id) == ("support", "support", "balance_001")
    assert (case.task.text, case.difficulty) == (
        "What is the balance of customer 12345678-9?",
        "simple",
    )
    assert case.place == f"{path}:8"
    assert case.secret.reference.tools == ("find_customer", "get_balance")
    assert case.secret.reference.entries[1].arguments == {"id": 8812}


def test_every_check_of_the_example_reaches_the_case(tmp_path: Path) -> None:
    """No assertion is lost between the file and the metrics."""
    path = tmp_path / "cases.yaml"
    path.write_text(DESIGN)
    secret = load_cases(path).cases[0].secret
    assert secret == CaseSecret(
        secret.reference,
        2,
        AnswerCheck(("142.900",)),
        ("get_balance",),
        ("delete_customer",),
        6,
        (("find_customer", "get_balance"),),
        {"get_balance.id": (8812,)},
        {"get_balance.limit": "any"},
        StateCheck(unchanged=True),
        limits=Limits(calls=12, seconds=60, tokens=50_000, cost_usd=0.05),
    )


def test_the_settings_of_the_example_are_kept(tmp_path: Path) -> None:
    """The suite's settings are plain values, as they are written."""
    path = tmp_path / "cases.yaml"
    path.write_text(DESIGN)
    assert load_cases(path).settings == {
        "suite": "support",
        "tools": "tools.json",
        "agent": "examples.support:agent",
        "trials": 4,
        "limits": {"calls": 12, "seconds": 60, "tokens": 50000, "cost_usd": 0.05},
        "mocks": "mocks.yaml",
    }


@given(st.lists(cases, min_size=1, max_size=3, unique_by=lambda case: case["id"]))
def test_yaml_and_json_lines_load_to_equal_cases(
    tmp_path_factory: pytest.TempPathFactory, written: list[dict[str, object]]
) -> None:
    """The two ways of writing a case mean the same."""
    folder = tmp_path_factory.mktemp("cases")
    # ensure_ascii=False: YAML has no escape for half of a surrogate pair.
    yaml = json.dumps({"suite": "s", "cases": written}, ensure_ascii=False)
    (folder / "cases.yaml").write_text(yaml, "utf-8")
    lines = [json.dumps(each) for each in [{"suite": "s"}, *written]]
    (folder / "cases.jsonl").write_text("\n".join(lines), "utf-8")
    one, other = load_cases(folder / "cases.yaml"), load_cases(folder / "cases.jsonl")
    assert without_places(one.cases) == without_places(other.cases)
    assert one.suite == other.suite


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cases.json", '{"cases": [{"id": "a", "reference": ["b"]}]}'),
        ("cases.txt", '{"id": "a", "reference": ["b"]}'),
        ("cases.txt", "# ours\n\ncases: [{id: a, reference: [b]}]"),
        ("cases.yaml", '{"id": "a", "reference": ["b"]}\n'),
        ("CASES.JSONL", '\n  {"id": "a", "reference": ["b"]}\r\n\r\n'),
        ("cases", "\ufeffcases:\r\n- id: a\r\n  reference: [b]\r\n"),
    ],
)
def test_a_format_is_found_by_content(tmp_path: Path, name: str, content: str) -> None:
    """A file's ending need not tell what it is."""
    (tmp_path / name).write_bytes(content.encode())
    assert [case.id for case in load_cases(tmp_path / name).cases] == ["a"]


def test_what_looks_like_no_case_file_is_refused(tmp_path: Path) -> None:
    """A table given by mistake is not searched for cases."""
    path = tmp_path / "cases.csv"
    path.write_text("id,task\n1,hello\n")
    with pytest.raises(InputError, match=r"known: articles, bfcl, native_jsonl, native_yaml$"):
        load_cases(path)


def test_our_own_formats_are_asked_last() -> None:
    """Ours take whatever looks like them, so that another format must come first."""
    assert [*formats()][-2:] == ["native_jsonl", "native_yaml"]


def test_the_schema_describes_every_field() -> None:
    """An editor can say what each field is for."""
    schema = json_schema()
    tables = [schema, *schema["$defs"].values()]
    fields = [pair for table in tables for pair in table["properties"].items()]
    assert len(fields) > 30
    assert [name for name, field in fields if "description" not in field] == []


def test_the_schema_accepts_what_load_accepts() -> None:
    """An editor does not mark a good file as wrong."""
    validator = jsonschema_rs.validator_for(json_schema())
    assert validator.is_valid(DOCUMENT)


@pytest.mark.parametrize(
    "change",
    [{"requierd": ["a"]}, {"match": "in_oder"}, {"max_calls": 0}, {"max_calls": None}],
)
def test_the_schema_refuses_what_load_refuses(change: dict[str, object]) -> None:
    """An editor marks a misspelled field, an unknown mode, a budget of nothing, and null."""
    validator = jsonschema_rs.validator_for(json_schema())
    assert not validator.is_valid({"cases": [{**DOCUMENT["cases"][0], **change}]})
