"""The tools of BFCL's questions: the dialect of their schemas, and the documents of classes."""

import json
from pathlib import Path

import pytest

from trayecto.case_formats._bfcl_fault import FaultError
from trayecto.case_formats._bfcl_tools import CLASSES, Documents, properties_of, read_tools
from trayecto.contracts import toolbox_of
from trayecto.errors import InputError
from trayecto.trajectory import Call, Tool


def translated(schema: dict[str, object]) -> dict[str, object]:
    """Return the schema of an argument as it is translated."""
    parameters = {"type": "dict", "properties": {"x": schema}}
    (tool,) = read_tools([{"name": "f", "parameters": parameters}], ())
    assert tool.parameters["type"] == "object"
    return tool.parameters["properties"]["x"]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("dict", "object"),
        ("HashMap", "object"),
        ("float", "number"),
        ("double", "number"),
        ("integer", "integer"),
        ("long", "integer"),
        ("tuple", "array"),
        ("ArrayList", "array"),
        ("boolean", "boolean"),
        ("String", "string"),
    ],
)
def test_a_type_has_its_name_in_json_schema(theirs: str, ours: str) -> None:
    """Source: the tables of bfcl_eval's type_mappings."""
    assert translated({"type": theirs, "description": "d"}) == {"type": ours, "description": "d"}


def test_any_says_nothing() -> None:
    """JSON Schema has no name for every type: it leaves the word out."""
    assert translated({"type": "any", "description": "d"}) == {"description": "d"}


def test_schemas_are_translated_at_every_level() -> None:
    """Inside lists, mappings and what may stand beside; values that look like types stay."""
    deep = {"type": "array", "items": {"type": "dict", "properties": {"type": {"type": "float"}}}}
    assert translated(deep) == {
        "type": "array",
        "items": {"type": "object", "properties": {"type": {"type": "number"}}},
    }
    open_ = {"type": "dict", "additionalProperties": {"type": "tuple"}, "enum": ["dict"]}
    assert translated(open_) == {
        "type": "object",
        "additionalProperties": {"type": "array"},
        "enum": ["dict"],
    }


def test_a_translated_schema_can_be_used() -> None:
    """A whole number is a number; a text is none."""
    (tool,) = read_tools(
        [{"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": "float"}}}}], ()
    )
    box = toolbox_of((tool,))
    calls = [Call(1, tool.name, {"x": x}, None, "ok") for x in (1, "1")]
    assert box.check(calls) == (2, calls[1:])


def test_the_arguments_of_a_tool_stand_in_order() -> None:
    """As they are declared; a tool without a schema has none."""
    parameters = {"type": "dict", "properties": {"b": {}, "a": {}}}
    (tool,) = read_tools([{"name": "f", "description": "d", "parameters": parameters}], ())
    assert ([*properties_of(tool)], tool.description) == (["b", "a"], "d")
    assert properties_of(Tool("g")) == {}


@pytest.mark.parametrize(
    ("functions", "path", "told"),
    [
        ({}, ("function",), "{} is not a list"),
        (["f"], ("function", 0), "'f' is not a mapping"),
        ([{"nam": "f"}], ("function", 0), "field 'name' is missing; there are: nam. Did"),
        ([{"name": ""}], ("function", 0, "name"), "is empty"),
        ([{"name": "f"}], ("function", 0), "field 'parameters' is missing; there are: name."),
        (
            [{"name": "f", "parameters": {"type": "dcit"}}],
            ("function", 0, "parameters", "type"),
            "'dcit' is not a type of BFCL; choose string",
        ),
        (
            [{"name": "f", "parameters": {"properties": {"x": 3}}}],
            ("function", 0, "parameters", "properties", "x"),
            "3 is not a mapping",
        ),
        (
            [{"name": "f", "parameters": {"type": ["dict"]}}],
            ("function", 0, "parameters", "type"),
            "['dict'] is not text",
        ),
    ],
)
def test_what_is_no_tool_is_told(functions: object, path: tuple[object, ...], told: str) -> None:
    """With the place inside the line, and what may have been meant."""
    with pytest.raises(FaultError) as raised:
        read_tools(functions, ("function",))
    assert raised.value.path == path
    assert raised.value.sentence.startswith(told)


def test_a_schema_without_end_is_refused() -> None:
    """The limit is that of every case file."""
    schema: dict[str, object] = {}
    for _ in range(200):
        schema = {"items": schema}
    with pytest.raises(FaultError, match="nested deeper than 64 levels"):
        translated(schema)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the documents of two classes."""
    for name, tools in {"math_api": ["add", "mean"], "posting_api": ["post"]}.items():
        described = [{"name": tool, "parameters": {"type": "dict"}} for tool in tools]
        text = "\n".join(map(json.dumps, described))
        (tmp_path / f"{name}.json").write_text(text, "utf-8")
    return tmp_path


def test_the_tools_of_classes_are_found_in_their_documents(folder: Path) -> None:
    """In the order of the classes, less those that are named."""
    found = Documents(folder).tools(["TwitterAPI", "MathAPI"], ["mean"])
    assert [tool.name for tool in found] == ["post", "add"]
    assert found[0].parameters == {"type": "object"}


@pytest.mark.parametrize("classes", [["MathAPI", "TicketAPI"], ["NoSuchAPI"], [3]])
def test_tools_that_nobody_describes_are_unknown(folder: Path, classes: list[object]) -> None:
    """Half a list of tools would make the other half invented."""
    assert Documents(folder).tools(classes, []) is None


def test_a_document_is_read_once(folder: Path) -> None:
    """It may be gone afterwards."""
    documents = Documents(folder)
    first = documents.tools(["MathAPI"], [])
    (folder / "math_api.json").unlink()
    assert documents.tools(["MathAPI"], []) == first


def test_a_broken_document_is_told_with_its_line(folder: Path) -> None:
    """It is part of what was given."""
    (folder / "math_api.json").write_text('{"name": "a", "parameters": {}}\n{"name": 3}\n{\n')
    with pytest.raises(InputError) as raised:
        Documents(folder).tools(["MathAPI"], [])
    first, second = str(raised.value).splitlines()
    assert first.endswith("math_api.json:2: name: 3 is not text")
    assert "math_api.json:3: is not one JSON object" in second


@pytest.mark.shared
def test_every_class_has_its_document(shared: Path) -> None:
    """The table names what bfcl-eval ships, all of it."""
    folder = shared / "data/bfcl-eval/bfcl_eval/data/multi_turn_func_doc"
    assert {path.name for path in folder.iterdir()} == set(CLASSES.values())
