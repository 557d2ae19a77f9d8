"""Files of tools' contracts, in the shapes of their providers."""

import json
import os
from pathlib import Path

import pytest

from trayecto.contract_files import LIMIT, load_tools
from trayecto.errors import InputError

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
TOLD = {"name": "calc", "description": "Adds."}
SHAPES = {
    "openai": [{"type": "function", "function": {**TOLD, "parameters": SCHEMA}}],
    "responses": [{"type": "function", **TOLD, "parameters": SCHEMA}],
    "anthropic": [{**TOLD, "input_schema": SCHEMA}],
    "mcp": {"tools": [{**TOLD, "inputSchema": SCHEMA}]},
    "mcp answer": {"jsonrpc": "2.0", "result": {"tools": [{**TOLD, "inputSchema": SCHEMA}]}},
    "gemini": [{"functionDeclarations": [{**TOLD, "parameters": SCHEMA}]}],
    "gemini alone": {"function_declarations": [{**TOLD, "parametersJsonSchema": SCHEMA}]},
    "one": {**TOLD, "parameters": SCHEMA},
}


def write(folder: Path, value: object) -> Path:
    """Write a file of tools."""
    path = folder / "tools.json"
    text = value if isinstance(value, str) else json.dumps(value)
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read(tmp_path: Path, shape: str) -> None:
    """They say the same: name, description, schema; the effect is not told."""
    found = load_tools(write(tmp_path, SHAPES[shape]))
    assert list(found) == ["calc"]
    tool = found["calc"]
    assert (tool.description, tool.parameters, tool.effect) == ("Adds.", SCHEMA, "unknown")


@pytest.mark.parametrize(
    ("hints", "effect"),
    [
        ({"readOnlyHint": True}, "read"),
        ({"readOnlyHint": False}, "write"),
        ({"readOnlyHint": False, "destructiveHint": True}, "irreversible"),
        ({"destructiveHint": True}, "irreversible"),
        ({"title": "x"}, "unknown"),
    ],
)
def test_mcp_s_annotations_tell_the_effect(
    tmp_path: Path, hints: dict[str, object], effect: str
) -> None:
    """What is not told stays unknown."""
    path = write(tmp_path, [{**TOLD, "inputSchema": SCHEMA, "annotations": hints}])
    assert load_tools(path)["calc"].effect == effect


def test_a_tool_whose_schema_is_not_told_has_none(tmp_path: Path) -> None:
    """A function without parameters, a custom tool, and the providers' own tools: not checked."""
    tools = [
        {"type": "function", "function": {"name": "ping"}},
        {"custom": {"name": "shell"}},
        {"type": "web_search"},
        {"googleSearch": {}},
        {"name": "bash", "type": "bash_20250124"},
        {"name": "look", "input_schema": None},
    ]
    found = load_tools(write(tmp_path, tools))
    assert list(found) == ["ping", "shell", "web_search", "googleSearch", "bash", "look"]
    assert {tool.parameters for tool in found.values()} == {None}


def test_gemini_s_types_are_json_schema_s(tmp_path: Path) -> None:
    """Its declarations write OBJECT and INTEGER, its REST interface's names."""
    schema = {"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}}
    declared = {"functionDeclarations": [{"name": "calc", "parameters": schema}]}
    for tools in ([declared], declared, {"tools": declared}):
        assert load_tools(write(tmp_path, tools))["calc"].parameters == SCHEMA


def test_a_pipe_is_no_file_of_tools(tmp_path: Path) -> None:
    """It would never end."""
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(InputError, match="is not a regular file"):
        load_tools(tmp_path / "pipe.json")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([], "holds no list of tools (OpenAI, Anthropic, MCP or Gemini)"),
        ({"cases": []}, "holds no list of tools (OpenAI, Anthropic, MCP or Gemini)"),
        ([3], "tool 1: 3 is not a mapping"),
        ([None], "tool 1: None is not a mapping"),
        ([TOLD, {"description": "x"}], "tool 2: has no name"),
        ([{"name": "a", "description": 3}], "tool 1: description: 3 is not text"),
        ([TOLD, TOLD], "'calc' is the name of two tools"),
        ([{**TOLD, "parameters": [1]}], "tool 1 (calc): its schema is [1], not a mapping"),
        (
            [{**TOLD, "parameters": {"type": "number?"}}],
            'tool 1 (calc): its schema cannot be used: "number?" is not valid under any of',
        ),
        ([{**TOLD, "annotations": 1}], "tool 1: annotations: 1 is not a mapping"),
        ("[", "is no JSON that can be read: Input data was truncated"),
        ('[{"name": "a", "name": "b"}]', "key 'name' stands twice in one object"),
        ("[" * 500 + "]" * 500, "is nested too deep"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, value: object, told: str) -> None:
    """The file, the tool by number and name, what is wrong."""
    path = write(tmp_path, value)
    with pytest.raises(InputError) as caught:
        load_tools(path)
    assert told in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_file_that_is_not_there_or_too_long(tmp_path: Path) -> None:
    """One sentence each."""
    with pytest.raises(InputError, match="no such file"):
        load_tools(tmp_path / "none.json")
    path = tmp_path / "long.json"
    path.write_bytes(b" " * (LIMIT + 1))
    with pytest.raises(InputError, match="is longer than"):
        load_tools(path)
