"""Trayecto's own case files in YAML: suite settings, and the cases under ``cases``.

JSON documents of the same shape are read too, being YAML.
"""

from __future__ import annotations

import re

from trayecto.case_formats import _yaml
from trayecto.case_formats._build import Builder, CaseFile
from trayecto.case_formats._checks import Contracts
from trayecto.case_formats._source import Source
from trayecto.errors import quoted

SUFFIXES = frozenset({".yaml", ".yml", ".json"})
_YAML = re.compile(rb"""^\s*(?:[\[{%-]|["']?[\w.-]+["']?\s*:(?:\s|$))""")


def recognises(source: Source) -> bool:
    """Whether a file is named as YAML, or begins like a mapping or a list."""
    if source.suffix in SUFFIXES:
        return True
    lines = (line for line in source.start.splitlines() if line.strip())
    first = next((line for line in lines if not line.lstrip().startswith(b"#")), b"")
    return _YAML.match(first) is not None


def read(source: Source, contracts: Contracts | None = None) -> CaseFile:
    """Read the cases of a file; raise InputError with all that is wrong in it."""
    builder = Builder(source.name, contracts)
    problems = builder.problems
    value, spot = _yaml.load(source.text(), problems)
    problems.check()
    if not isinstance(value, dict):
        found = "nothing" if value is None else quoted(value)
        problems.add(spot.line, (), f"holds {found}; a case file is a mapping with a list, cases")
        return builder.finish()
    builder.take_settings(value, spot, known=("cases",))
    cases = value.get("cases", [])
    line = spot.find(("cases",))
    if not isinstance(cases, list):
        problems.add(line, ("cases",), f"{quoted(cases)} is not a list of cases")
    elif not cases:
        problems.add(line if "cases" in value else 0, ("cases",), "holds no case")
    else:
        for at, case in enumerate(cases):
            builder.take_case(case, spot.inner["cases"].inner[at], ("cases", at))
    return builder.finish()
