"""Trayecto's own case files in JSON lines: a case a line, of the same fields as in YAML.

The first line may hold the suite's settings instead: it has no ``id``. Lines are read one at a
time, so a file may be of any size.
"""

from __future__ import annotations

import json

from trayecto.case_formats._build import Builder, CaseFile
from trayecto.case_formats._checks import Contracts
from trayecto.case_formats._lines import decoded
from trayecto.case_formats._problems import Spot
from trayecto.case_formats._schema import Settings
from trayecto.case_formats._source import Source
from trayecto.trajectory import Json

SUFFIXES = frozenset({".jsonl", ".ndjson"})


def recognises(source: Source) -> bool:
    """Whether a file is named as JSON lines, or its first line is an object that is no document."""
    if source.suffix in SUFFIXES:
        return True
    try:
        first = json.loads(source.first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "cases" not in first


def read(source: Source, contracts: Contracts | None = None) -> CaseFile:
    """Read the cases of a file; raise InputError with all that is wrong in it."""
    builder = Builder(source.name, contracts)
    for place, line, value in decoded(source, builder.problems):
        if place == 0 and isinstance(value, dict) and _is_header(value):
            builder.take_settings(value, Spot(line))
        else:
            builder.take_case(value, Spot(line))
    return builder.finish()


def _is_header(value: dict[str, Json]) -> bool:
    return "id" not in value and not Settings.model_fields.keys().isdisjoint(value)
