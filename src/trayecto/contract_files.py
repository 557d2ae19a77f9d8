"""Files of tools' contracts: a JSON list of tools, in any of the shapes that providers use.

Read: OpenAI's tools (chat and Responses), Anthropic's (``input_schema``), MCP's (``inputSchema``,
also as the answer of ``tools/list``), and Gemini's function declarations; a list of them, or an
object that holds it under ``tools``. A tool of the provider's own (a web search) has a name and no
schema: its calls are not held against one. What MCP's annotations say of a tool is its effect: one
that only reads is ``read``, one that destroys is ``irreversible``, any other that is not read-only
writes.

Source: OpenAI, Anthropic and Gemini API references; Model Context Protocol, 2025-06-18.
"""

from __future__ import annotations

import stat
from pathlib import Path

from msgspec import DecodeError

from trayecto.contracts import Effect, ToolContract, why_no_schema
from trayecto.errors import InputError, quoted, shown
from trayecto.trajectory import Json
from trayecto.wire.json import decode, repeated_key, too_deep

LIMIT = 16 << 20  # bytes of a file
SCHEMAS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema")
DECLARATIONS = ("functionDeclarations", "function_declarations")


def load_tools(path: str | Path) -> dict[str, ToolContract]:
    """Read the contracts of a file, by tool name, in the order of the file.

    Raises InputError where the file is no list of tools, where two tools have one name, and where a
    schema cannot be used: every schema is compiled, and nothing is fetched for it.
    """
    name = shown(path)
    listed = _listed(_decode(Path(path), name))
    if not listed:
        raise InputError(name, "holds no list of tools (OpenAI, Anthropic, MCP or Gemini)")
    found: dict[str, ToolContract] = {}
    for number, entry in enumerate(listed, 1):
        contract = _contract(entry, f"{name}: tool {number}")
        if contract.name in found:
            raise InputError(name, f"{quoted(contract.name)} is the name of two tools")
        found[contract.name] = contract
    return found


def _decode(path: Path, name: str) -> object:
    """The file's JSON value."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(name, "is not a regular file")
        with path.open("rb") as file:
            raw = file.read(LIMIT + 1).removeprefix(b"\xef\xbb\xbf")
        if len(raw) > LIMIT:
            raise InputError(name, f"is longer than {LIMIT:,} bytes")
    except OSError as problem:
        raise InputError(name, (problem.strerror or str(problem)).lower()) from None
    try:
        value = decode.decode(raw)
    except (DecodeError, RecursionError) as problem:
        raise InputError(name, f"is no JSON that can be read: {problem}") from None
    if too_deep(value):
        raise InputError(name, "is nested too deep")
    key = repeated_key(raw)
    if key is not None:
        raise InputError(name, f"key {quoted(key)} stands twice in one object")
    return value


def _listed(value: object) -> list[object]:
    """The tools of a document; Gemini's stand in lists within the list."""
    if isinstance(value, dict):
        if any(key in value for key in DECLARATIONS):
            return _listed([value])
        for key in ("result", "tools"):
            if key in value:
                return _listed(value[key])
        return [value] if "name" in value or "function" in value else []
    found: list[object] = []
    for entry in value if isinstance(value, list) else ():
        keys = [key for key in DECLARATIONS if isinstance(entry, dict) and key in entry]
        held = entry[keys[0]] if keys else None
        found += [_lowered(one) for one in held] if isinstance(held, list) else [entry]
    return found


def _contract(entry: object, place: str) -> ToolContract:
    """One tool, whatever its shape."""
    if not isinstance(entry, dict):
        raise InputError(place, f"{quoted(entry)} is not a mapping")
    inner = entry.get("function", entry.get("custom", entry))
    told = inner if isinstance(inner, dict) else {}
    name, description = told.get("name", _built_in(entry)), told.get("description")
    if not isinstance(name, str) or not name:
        raise InputError(place, "has no name")
    if not isinstance(description, (str, type(None))):
        raise InputError(f"{place}: description", f"{quoted(description)} is not text")
    schema = next((told[key] for key in SCHEMAS if told.get(key) is not None), None)
    return ToolContract(
        name, description or "", _usable(schema, f"{place} ({name})"), _effect(entry, place)
    )


def _built_in(entry: dict[str, Json]) -> Json:
    """What a provider's own tool is called: by its type (OpenAI), or by its only key (Gemini)."""
    if len(entry) == 1 and isinstance(next(iter(entry.values())), dict):
        return next(iter(entry))
    return None if entry.get("type") == "function" else entry.get("type")


def _lowered(value: Json) -> Json:
    """A declaration of Gemini's with its types as JSON Schema writes them: OBJECT is object."""
    if isinstance(value, list):
        return [_lowered(each) for each in value]
    if not isinstance(value, dict):
        return value
    lowered = {key: _lowered(inner) for key, inner in value.items()}
    kind = lowered.get("type")
    return {**lowered, "type": kind.lower()} if isinstance(kind, str) else lowered


def _usable(schema: object, place: str) -> dict[str, Json] | None:
    """A schema that can be used; raises InputError for any other."""
    if schema is None:
        return None
    if not isinstance(schema, dict):
        raise InputError(place, f"its schema is {quoted(schema)}, not a mapping")
    why = why_no_schema(schema)
    if why is not None:
        raise InputError(place, f"its schema cannot be used: {why}")
    return schema


def _effect(entry: dict[str, Json], place: str) -> Effect:
    """What MCP's annotations say; unknown where there are none."""
    hints = entry.get("annotations")
    if hints is None:
        return "unknown"
    if not isinstance(hints, dict):
        raise InputError(f"{place}: annotations", f"{quoted(hints)} is not a mapping")
    if hints.get("readOnlyHint") is True:
        return "read"
    if hints.get("destructiveHint") is True:
        return "irreversible"
    return "write" if hints.get("readOnlyHint") is False else "unknown"
