"""The report for programs: the whole document as JSON, and the JSON Schema that it keeps to."""

from __future__ import annotations

import re
from types import GenericAlias
from typing import TypeAlias, cast

import msgspec

from trayecto import comparison
from trayecto.comparison import SCHEMA as COMPARISON
from trayecto.comparison import Comparison
from trayecto.document import SCHEMA, Document, Group
from trayecto.figures import Metric, PassK
from trayecto.reports._safe import safe
from trayecto.trajectory import Json

Schema: TypeAlias = dict[str, Json]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_INDENT = 2
_encode = msgspec.json.Encoder(order="deterministic").encode

# Legal inside a JSON string, yet a terminal obeys or hides them: as \uXXXX they are the same value.
# "##" may begin a command of a build server anywhere in a line.
_RISKY = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|#(?=#)")
_METRICS: Schema = {
    "type": "object",
    "description": "Metrics by id; pass_at_k and pass_hat_k hold one value for each k.",
    "additionalProperties": {
        "anyOf": [
            {"$ref": "#/$defs/Metric"},
            {
                "type": "object",
                "propertyNames": {"pattern": "^[1-9][0-9]*$"},
                "additionalProperties": {"$ref": "#/$defs/PassK"},
            },
        ]
    },
}
_STRATA: Schema = {
    "type": "object",
    "description": "Metrics of parts of the group: by field, then by value.",
    "additionalProperties": {"type": "object", "additionalProperties": _METRICS},
}
_SURROGATES = re.compile("[\ud800-\udfff]+")


def to_json(document: Document | Comparison) -> bytes:
    """Write a document, one value a line; equal documents give equal bytes."""
    try:
        raw = _encode(document)
    except UnicodeEncodeError:  # a file's name may hold bytes that are no text
        raw = _encode(_without_surrogates(cast("Json", msgspec.to_builtins(document))))
    text = msgspec.json.format(raw, indent=_INDENT).decode()
    return _RISKY.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()


def _without_surrogates(value: Json) -> Json:
    """Show lone surrogates as text, since UTF-8 has no bytes for them."""
    if isinstance(value, str):
        return _SURROGATES.sub(lambda found: safe(found[0]), value)
    if isinstance(value, list):
        return [_without_surrogates(each) for each in value]
    if isinstance(value, dict):
        return {
            cast("str", _without_surrogates(key)): _without_surrogates(each)
            for key, each in value.items()
        }
    return value


def schema() -> Schema:
    """The JSON Schema of the document, made from its types."""
    simple = dict[str, Metric]
    group = _imitate(Group, {"metrics": simple, "strata": dict[str, dict[str, simple]]})
    document = _imitate(
        Document, {"metrics": dict[str, Metric], "groups": GenericAlias(list, (group,))}
    )
    _, made = msgspec.json.schema_components([document, PassK], ref_template="#/$defs/{name}")
    parts = cast("dict[str, Schema]", made)
    for kind in (Document, Group):
        cast("Schema", parts[kind.__name__]["properties"])["metrics"] = _METRICS
    cast("Schema", parts["Group"]["properties"])["strata"] = _STRATA
    for part in parts.values():
        part["additionalProperties"] = False
    parts["Document"]["required"] = _written(Document)
    parts["Group"]["required"] = _written(Group)
    return {
        "$schema": _DIALECT,
        "$id": SCHEMA,
        "$ref": "#/$defs/Document",
        "$defs": cast("Json", dict(sorted(parts.items()))),
    }


def comparison_schema() -> Schema:
    """The JSON Schema of a comparison, made from its types."""
    _, made = msgspec.json.schema_components([Comparison], ref_template="#/$defs/{name}")
    parts = cast("dict[str, Schema]", made)
    for name, part in parts.items():
        part["additionalProperties"] = False
        part["required"] = _written(getattr(comparison, name))
    return {
        "$schema": _DIALECT,
        "$id": COMPARISON,
        "$ref": "#/$defs/Comparison",
        "$defs": cast("Json", dict(sorted(parts.items()))),
    }


def _imitate(kind: type[msgspec.Struct], types: dict[str, object]) -> type[msgspec.Struct]:
    """The same type with simpler fields: msgspec describes no union of a Struct and a dict."""
    fields = [
        (field.name, types.get(field.name, field.type), _default(field))
        for field in msgspec.structs.fields(kind)
    ]
    return msgspec.defstruct(
        kind.__name__, fields, kw_only=True, namespace={"__doc__": kind.__doc__}
    )


def _default(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory)
    return msgspec.field() if field.required else msgspec.field(default=field.default)


def _written(kind: type[msgspec.Struct]) -> list[Json]:
    """The fields that always stand in the JSON: all but those that may be unset."""
    fields = msgspec.structs.fields(kind)
    return [field.encode_name for field in fields if field.default is not msgspec.UNSET]
