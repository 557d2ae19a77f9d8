"""What is read and by what it is judged: the options that commands share."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated, TypeAlias, cast

from cyclopts import Parameter

from trayecto.case_formats import CaseFile
from trayecto.contracts import ToolContract
from trayecto.errors import UsageError, quoted
from trayecto.formats import Reading
from trayecto.metrics import FAULTS, Function, Scores
from trayecto.metrics import score as score_records
from trayecto.prices import load as load_prices

Judges: TypeAlias = "tuple[CaseFile | None, dict[str, ToolContract] | None]"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Input:
    """How files are read, and by what their trajectories are judged."""

    cases: Annotated[
        Path | None,
        Parameter(help="Case file (YAML or JSONL) instead of the files' own references."),
    ] = None
    tools: Annotated[
        Path | None,
        Parameter(help="The tools' contracts (JSON: OpenAI, Anthropic, MCP or Gemini)."),
    ] = None
    format: Annotated[str, Parameter(help="Name the format instead of finding it.")] = "auto"
    suite: Annotated[
        str | None, Parameter(help="Name of the suite, whatever the files call it.")
    ] = None
    candidate: Annotated[
        str | None, Parameter(help="Name of the candidate, whatever the files call it.")
    ] = None
    prices: Annotated[
        Path | None, Parameter(help="Your prices (YAML or JSON), over the packaged ones.")
    ] = None
    metric: Annotated[
        tuple[str, ...],
        Parameter(
            negative="",
            help="A metric of your own, as module:function, or one of ours that is computed only "
            "where it is asked for (unused_observations). Repeatable.",
        ),
    ] = ()
    assume_effects: Annotated[
        bool,
        Parameter(negative="", help="Guess from its name whether a tool writes, if nobody tells."),
    ] = False
    strict: Annotated[
        bool, Parameter(negative="", help="Reject records in which a key stands twice.")
    ] = False
    keep_duplicates: Annotated[
        bool, Parameter(negative="", help="Count an attempt that is recorded twice as two.")
    ] = False
    max_rejects: Annotated[
        str,
        Parameter(help="Records that may be unreadable, as N or P%, before the exit code is 2."),
    ] = "1%"


def prepare(reading: Reading, source: Input, judges: Judges) -> Scores:
    """Prepare the scores of a reading; nothing is read before they are asked for."""
    cases, tools = judges
    return score_records(
        reading,
        cases=cases,
        prices=load_prices(source.prices, on=datetime.now(UTC).date()),
        tools=tools,
        metrics=[_function(name) if ":" in name else name for name in source.metric],
        assume_effects=source.assume_effects,
    )


def typed_path(text: str) -> Path:
    """A path that was typed; an empty one is a mistake (an unset variable), not this folder."""
    if not text:
        raise UsageError("an empty path was given; write . for this folder")
    return Path(text)


def _function(name: str) -> Function:
    """Import a user's metric: it is named on the command line, never found in data."""
    module, _, function = name.partition(":")
    if not module or not function:
        message = f"--metric {quoted(name)}: write it as module:function"
        raise UsageError(message)
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does: the module may lie right here
    try:
        found = getattr(import_module(module), function)
    except (*FAULTS, ImportError, SyntaxError, SystemExit) as problem:
        message = f"--metric {quoted(name)}: {type(problem).__name__}: {problem}"
        raise UsageError(message) from problem
    if not callable(found):
        message = f"--metric {quoted(name)}: {function} is no function"
        raise UsageError(message)
    return cast("Function", found)
