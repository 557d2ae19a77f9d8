"""``trayecto schema``: the shapes of files, for editors and other programs."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from cyclopts import Parameter

from trayecto.cli._output import put


def schema(
    shape: Annotated[
        Literal["cases", "report", "compare", "trajectory"],
        Parameter(name="SHAPE", help="What to describe."),
    ] = "cases",
    /,
) -> int:
    """Print a JSON Schema: of case files (default), of reports, or of our own trajectories."""
    put(json.dumps(_schema(shape), indent=2, ensure_ascii=False))
    return 0


def _schema(shape: str) -> object:
    if shape == "cases":
        from trayecto.case_formats import json_schema  # pydantic, for this only

        return json_schema()
    if shape == "report":
        from trayecto.reports.json import schema as report_schema  # as above

        return report_schema()
    if shape == "compare":
        from trayecto.reports.json import comparison_schema  # msgspec's schemas, for this only

        return comparison_schema()
    from trayecto.wire.trayecto_jsonl import schema as line_schema  # as above

    return line_schema()
