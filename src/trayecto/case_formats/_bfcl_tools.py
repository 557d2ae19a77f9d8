"""The tools of BFCL's questions: its dialect of JSON Schema as JSON Schema.

BFCL names types as Python, Java and JavaScript do: ``dict`` is an object, ``float`` a number,
``tuple`` an array, and ``any`` says nothing. All else is kept as it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as FilePath

from trayecto.case_formats._bfcl_fault import FaultError, as_list, as_mapping, as_text, field
from trayecto.case_formats._lines import decoded
from trayecto.case_formats._problems import Path, Problems
from trayecto.case_formats._source import DEPTH, Source
from trayecto.errors import choose, quoted
from trayecto.trajectory import Json, Tool

# Source: the type tables of bfcl_eval, less what they say of `any` ("string").
TYPES: dict[str, str | None] = {
    **dict.fromkeys(("string", "String", "char"), "string"),
    **dict.fromkeys(("integer", "byte", "short", "long", "Bigint"), "integer"),
    **dict.fromkeys(("number", "float", "double"), "number"),
    **dict.fromkeys(("boolean", "Boolean", "bool"), "boolean"),
    **dict.fromkeys(("array", "Array", "ArrayList", "list", "tuple"), "array"),
    **dict.fromkeys(("Queue", "Stack", "Set"), "array"),
    **dict.fromkeys(("dict", "object", "HashMap", "Hashtable"), "object"),
    **dict.fromkeys(("any", "Any"), None),
}
# The file that describes the tools of each class of the conversations.
CLASSES = {
    "GorillaFileSystem": "gorilla_file_system.json",
    "MathAPI": "math_api.json",
    "MemoryAPI_kv": "memory_kv.json",
    "MemoryAPI_rec_sum": "memory_rec_sum.json",
    "MemoryAPI_vector": "memory_vector.json",
    "MessageAPI": "message_api.json",
    "TicketAPI": "ticket_api.json",
    "TradingBot": "trading_bot.json",
    "TravelAPI": "travel_booking.json",
    "TwitterAPI": "posting_api.json",
    "VehicleControlAPI": "vehicle_control.json",
    "WebSearchAPI": "web_search.json",
}


class Documents:
    """The descriptions of tools that stand in a folder of their own, a file for each class."""

    def __init__(self, folder: FilePath) -> None:
        """Look into this folder when a class is asked for; each file is read once."""
        self.folder = folder
        self.known: dict[str, tuple[Tool, ...] | None] = {}

    def tools(self, classes: Sequence[Json], without: Sequence[Json]) -> tuple[Tool, ...] | None:
        """The tools of some classes less those named; None where a class is not described here."""
        found: list[Tool] = []
        for name in classes:
            tools = self._of_class(name) if isinstance(name, str) else None
            if tools is None:
                return None
            found += [tool for tool in tools if tool.name not in without]
        return tuple(found)

    def _of_class(self, name: str) -> tuple[Tool, ...] | None:
        if name not in self.known:
            path = self.folder / CLASSES.get(name, "")
            self.known[name] = _read_document(path) if path.is_file() else None
        return self.known[name]


def _read_document(path: FilePath) -> tuple[Tool, ...]:
    """Every tool of a file, a line each; raise InputError with all that is wrong in it."""
    problems = Problems(str(path))
    found: list[Tool] = []
    for _, line, value in decoded(Source(path), problems):
        try:
            found.append(read_tool(value, ()))
        except FaultError as fault:
            problems.add(line, fault.path, fault.sentence)
    problems.check()
    return tuple(found)


def read_tools(functions: Json, path: Path) -> tuple[Tool, ...]:
    """The tools of a question, their schemas translated; raise FaultError where one is none."""
    listed = as_list(functions, path)
    return tuple([read_tool(each, (*path, at)) for at, each in enumerate(listed)])


def read_tool(function: Json, path: Path) -> Tool:
    """One tool from its description."""
    told = as_mapping(function, path)
    name = as_text(field(told, "name", path), (*path, "name"))
    description = told.get("description")
    parameters = as_mapping(field(told, "parameters", path), (*path, "parameters"))
    schema = _translate(parameters, (*path, "parameters"), DEPTH)
    return Tool(name, description if isinstance(description, str) else None, schema)


def properties_of(tool: Tool) -> dict[str, Json]:
    """The schemas of a tool's arguments by name, in the order in which they are declared."""
    found = (tool.parameters or {}).get("properties")
    return found if isinstance(found, dict) else {}


def _translate(schema: dict[str, Json], path: Path, levels: int) -> dict[str, Json]:
    """A schema with the types of JSON Schema, at every level where a schema stands."""
    if levels == 0:
        raise FaultError(path, f"nested deeper than {DEPTH} levels")
    found: dict[str, Json] = {}
    for word, value in schema.items():
        here = (*path, word)
        if word == "type":
            translated = _type(value, here)
            if translated is not None:
                found[word] = translated
        elif word == "properties":
            inside = as_mapping(value, here)
            found[word] = {
                name: _translate(as_mapping(each, (*here, name)), (*here, name), levels - 1)
                for name, each in inside.items()
            }
        elif word in ("items", "additionalProperties") and isinstance(value, dict):
            found[word] = _translate(value, here, levels - 1)
        else:
            found[word] = value
    return found


def _type(value: Json, path: Path) -> str | None:
    name = as_text(value, path)
    if name not in TYPES:
        raise FaultError(path, f"{quoted(name)} is not a type of BFCL; {choose(name, TYPES)}")
    return TYPES[name]
