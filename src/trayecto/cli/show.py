"""``trayecto show``: one trajectory, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from trayecto.cli._cases import load_judges
from trayecto.cli._output import color, put, width
from trayecto.errors import UsageError, quoted
from trayecto.formats import Reading, read
from trayecto.metrics import Scored, score
from trayecto.prices import load as load_prices
from trayecto.records import Record
from trayecto.reports.steps import show as show_steps

NEAREST = 500  # ids to look through for one that may have been meant


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Options:
    """By what the trajectory is judged, and in which language."""

    cases: Annotated[
        Path | None,
        Parameter(help="Case file (YAML or JSONL) instead of the file's own reference."),
    ] = None
    tools: Annotated[
        Path | None,
        Parameter(help="The tools' contracts (JSON: OpenAI, Anthropic, MCP or Gemini)."),
    ] = None
    format: Annotated[str, Parameter(help="Name the format instead of finding it.")] = "auto"
    prices: Annotated[
        Path | None, Parameter(help="Your prices (YAML or JSON), over the packaged ones.")
    ] = None
    lang: Annotated[Literal["en", "es"], Parameter(help="Language of the labels.")] = "en"


def show(
    path: Annotated[Path, Parameter(name="FILE", help="A trace file.")],
    trajectory: Annotated[
        str, Parameter(name="ID", help="The trajectory's id, or #N for the N-th record.")
    ],
    /,
    options: Options | None = None,
) -> int:
    """Show one trajectory step by step, with what each metric found at each step."""
    options = options or Options()
    reading = read(path, format=options.format, keep_duplicates=True, extras=True)
    record = _find(reading, path, trajectory)
    cases, tools = load_judges(options.cases, options.tools)
    prices = load_prices(options.prices, on=datetime.now(UTC).date())
    scores = score([record], cases=cases, prices=prices, tools=tools)
    run: Scored = next(iter(scores))
    put(show_steps(run, scores.entries, lang=options.lang, width=width(), color=color()))
    return 0


def _find(reading: Reading, path: Path, name: str) -> Record:
    """The record with an id, or with a number; raises UsageError with the nearest ids."""
    number = int(name[1:]) if name[:1] == "#" and name[1:].isdecimal() else None
    ids: list[str] = []
    for record in reading:
        at = record.trajectory
        if at.id == name or at.source.record == number:
            return record
        if len(ids) < NEAREST:
            ids.append(at.id)
    near = get_close_matches(name, ids, n=3) or ids[:3]
    raise UsageError(
        f"{path}: no trajectory has the id {quoted(name)}; there are "
        f"{', '.join(map(quoted, near))}{' …' if len(ids) > len(near) else ''}"
    )
