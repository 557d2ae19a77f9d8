"""Cases in the shape of the articles, with their Spanish names: JSON lines, or a list in YAML.

A document may hold the list under ``casos``. ``trayectoria_referencia`` and ``modo`` become the
reference, or ``llamadas_esperadas`` do, whose arguments count as far as they are given;
``pasos_minimos``, ``obligatorias``, ``prohibidas``, ``max_pasos``, ``orden`` and ``dependencias``
become what they are called in our own files, ``pregunta`` the task and ``dato_esperado`` what the
answer must contain. Both names of a path, or of an order, may not stand in one case.

Source: articles 000, 001 and 002.
"""

from __future__ import annotations

import json
import re

from msgspec.structs import replace

from trayecto.case_formats import _yaml
from trayecto.case_formats._build import Builder, CaseFile
from trayecto.case_formats._checks import Contracts
from trayecto.case_formats._lines import decoded
from trayecto.case_formats._problems import Path, Spot
from trayecto.case_formats._source import Source
from trayecto.errors import choose, quoted
from trayecto.trajectory import Json

OURS = {
    "id": "id",
    "pregunta": "task",
    "trayectoria_referencia": "reference",
    "llamadas_esperadas": "reference",
    "modo": "match",
    "pasos_minimos": "min_calls",
    "obligatorias": "required",
    "prohibidas": "forbidden",
    "max_pasos": "max_calls",
    "orden": "order",
    "dependencias": "order",
    "dato_esperado": "answer",
}
LINES = frozenset({".jsonl", ".ndjson"})
_NAMES = "|".join(name for name in OURS if name != "id")
# A document of ours is a mapping with ``cases``; theirs is a list, or a mapping with other names.
_TOP = re.compile(rf"""^(?:\{{\s*)?["']?(?:casos|{_NAMES})["']?\s*:""".encode(), re.MULTILINE)
_LISTED = re.compile(rf"""(?:^|[\s{{,])["']?(?:{_NAMES})["']?\s*:""".encode())


def recognises(source: Source) -> bool:
    """Whether one of the articles' names stands where a field of a case begins."""
    if source.suffix in LINES:
        try:
            first = json.loads(source.first_line)
        except (ValueError, RecursionError):
            return False
        return isinstance(first, dict) and not OURS.keys().isdisjoint(first.keys() - {"id"})
    lines = (line.strip() for line in source.start.splitlines())
    first_line = next((line for line in lines if line and not line.startswith(b"#")), b"")
    listed = first_line.startswith((b"-", b"[")) and not first_line.startswith(b"---")
    return (_LISTED if listed else _TOP).search(source.start) is not None


def read(source: Source, contracts: Contracts | None = None) -> CaseFile:
    """Read the cases of a file; raise InputError with all that is wrong in it."""
    builder = Builder(source.name, contracts)
    if source.suffix in LINES:
        for _, line, value in decoded(source, builder.problems):
            _take(value, Spot(line), builder)
    else:
        _read_document(source, builder)
    return builder.finish()


def _read_document(source: Source, builder: Builder) -> None:
    problems = builder.problems
    value, spot = _yaml.load(source.text(), problems)
    problems.check()
    path: Path = ()
    if isinstance(value, dict) and "casos" in value:
        value, spot, path = value["casos"], spot.inner["casos"], ("casos",)
    if isinstance(value, dict):
        _take(value, spot, builder)
    elif isinstance(value, list):
        for at, case in enumerate(value):
            _take(case, spot.inner[at], builder, (*path, at))
    else:
        problems.add(spot.line, path, f"{quoted(value)} is not a list of cases")


def _take(value: Json, spot: Spot, builder: Builder, path: Path = ()) -> None:
    """Hand a case over under our names; what is wrong with it is told under the articles'."""
    problems = builder.problems
    if not isinstance(value, dict):
        builder.take_case(value, spot, path)
        return
    ours: dict[str, Json] = {}
    theirs: dict[str, str] = {}
    spots: dict[str | int, Spot] = {}
    for name, given in value.items():
        field = OURS.get(name)
        if field is None or field in theirs:
            told = choose(name, OURS) if field is None else f"{theirs[field]} says the same"
            sentence = f"is no field of the articles; {told}" if field is None else told
            problems.add(spot.find((name,)), (*path, name), sentence)
            continue
        theirs[field] = name
        ours[field] = _translate(name, given)
        spots[field] = spot.inner.get(name, Spot(spot.line))
    before = len(problems.kept)
    builder.take_case(ours, Spot(spot.line, spots), path)
    problems.kept[before:] = [
        replace(each, path=tuple(theirs.get(str(part), part) for part in each.path))
        for each in problems.kept[before:]
    ]


def _translate(name: str, given: Json) -> Json:
    """A value under our names; one of another shape stays, for the schema to refuse."""
    if name == "dato_esperado":
        return {"contains": given}
    if name == "llamadas_esperadas" and isinstance(given, list):
        return [_call(entry) for entry in given]
    return given


def _call(entry: Json) -> Json:
    if not isinstance(entry, dict):
        return entry
    names = {"nombre": "tool", "argumentos": "arguments"}
    call = {names.get(name, name): value for name, value in entry.items()}
    return {**call, "compare": "at_least"} if "arguments" in call else call
