"""Case files: each file of this folder reads one format, and finds it by name and content.

A format is a module with ``recognises(source)``, which looks at a file's name and beginning, and
``read(source, contracts)``, which returns its cases or raises with all that is wrong in it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from trayecto import _folder
from trayecto.case_formats._build import CaseFile, Skipped
from trayecto.case_formats._checks import Contracts
from trayecto.case_formats._schema import CaseDocument
from trayecto.case_formats._source import Source
from trayecto.errors import InputError
from trayecto.trajectory import Json

__all__ = ["CaseFile", "Skipped", "formats", "json_schema", "load_cases"]


def formats() -> dict[str, ModuleType]:
    """Every format of this folder, by id, in the order in which they are asked.

    Our own come last: they take whatever looks like theirs, to say what is wrong with it.
    """
    found = _folder.entries(sys.modules[__name__])
    return dict(sorted(found.items(), key=lambda item: item[0].startswith("native")))


def load_cases(path: str | Path, *, contracts: Contracts | None = None) -> CaseFile:
    """Read a case file: the suite's settings and its cases, in order.

    With ``contracts`` (by tool name), the tools and arguments that a case names must be among them.
    Raises one InputError that lists everything wrong in the file, a line each.
    """
    source = Source(Path(path))
    known = formats()
    for module in known.values():
        if module.recognises(source):
            read: CaseFile = module.read(source, contracts)
            return read
    wanted = ", ".join(known)
    raise InputError(source.name, f"is no case file that can be recognised; known: {wanted}")


class _Generator(GenerateJsonSchema):
    """Shows what a file may hold: our None means "left out", and null is refused."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        shown = super().default_schema(schema)
        return {key: value for key, value in shown.items() if (key, value) != ("default", None)}


def json_schema() -> dict[str, Json]:
    """The JSON Schema of a case file, for editors; what only makes sense together is not in it."""
    schema = CaseDocument.model_json_schema(schema_generator=_Generator)
    return {"$schema": _Generator.schema_dialect, **schema}
