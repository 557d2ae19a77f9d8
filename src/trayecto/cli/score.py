"""``trayecto score``: read, score, sum up, report."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from trayecto.cli._bounds import check_names
from trayecto.cli._cases import load_judges
from trayecto.cli._output import print_document, say, written
from trayecto.cli._verdict import Gate, limit, verdict
from trayecto.errors import UsageError, quoted
from trayecto.formats import Reading, read
from trayecto.metrics import FAULTS, Function, Scores
from trayecto.metrics import score as score_records
from trayecto.prices import load as load_prices
from trayecto.reports.per_run import to_line
from trayecto.summaries import EXTRA, UNKNOWN, Document, Summary, check_fields, summarize


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


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Output:
    """What is written, where, and in which language."""

    json: Annotated[
        bool, Parameter(negative="", help="One JSON document on stdout, and nothing else.")
    ] = False
    per_run: Annotated[
        Path | None, Parameter(help="Write a JSON line for each trajectory to this file.")
    ] = None
    by: Annotated[
        tuple[str, ...],
        Parameter(
            negative="",
            help="Report by the values of a field besides: cluster, context (tokens), model, "
            "status, tools, tools_used or turns, or a field of your records, as extra.NAME. By "
            "difficulty and split it is done wherever the cases have them. Repeatable.",
        ),
    ] = ()
    content: Annotated[
        bool, Parameter(negative="", help="Let reports repeat text of the agent.")
    ] = False
    lang: Annotated[Literal["en", "es"], Parameter(help="Language of the report.")] = "en"


def score(
    *paths: Annotated[
        str, Parameter(name="PATH", json_list=False, help="Trace files, or folders of them.")
    ],
    source: Input | None = None,
    output: Output | None = None,
    gate: Gate | None = None,
) -> int:
    """Score trajectories from files or folders, and report.

    Each file's format is found by its content. Without --cases the references that the files carry
    are used, and every metric that needs none. Scores change the exit code only where a gate asks.
    """
    source, output, gate = source or Input(), output or Output(), gate or Gate()
    check_fields(output.by)
    allowed, bounds = limit(source.max_rejects), gate.bounds
    files = [_path(path) for path in paths]
    _refuse_overwriting(output.per_run, [*files, source.cases, source.tools, source.prices])
    reading = read(
        *files,
        format=source.format,
        strict=source.strict,
        keep_duplicates=source.keep_duplicates,
        extras=any(field.startswith(EXTRA) for field in output.by),
        suite=source.suite,
        candidate=source.candidate,
    )
    scores = _score(reading, source, output.per_run)
    if bounds:
        signals = {column.summary for column in scores.columns if not column.gates}
        check_names(bounds, Summary("", "", scores.columns).value().metrics, signals)
    document = _summarize(scores, output)
    for field in _unknown(document, output.by):
        say(f"--by {field}: is not known of any trajectory")
    print_document(document, json=output.json, lang=output.lang, content=output.content)
    return verdict(paths, reading.account, document, allowed, gate)


def _score(reading: Reading, source: Input, target: Path | None) -> Scores:
    """Prepare the scores; nothing is read before they are asked for."""
    cases, tools = load_judges(source.cases, source.tools)
    if cases is not None and source.cases is not None:
        named = str(cases.settings.get("tools", ""))
        _refuse_overwriting(target, [source.cases.parent / named])
    return score_records(
        reading,
        cases=cases,
        prices=load_prices(source.prices, on=datetime.now(UTC).date()),
        tools=tools,
        metrics=[_function(name) if ":" in name else name for name in source.metric],
        assume_effects=source.assume_effects,
    )


def _summarize(scores: Scores, output: Output) -> Document:
    """Score everything once, writing a line for each run on the way where that was asked for."""
    if output.per_run is None:
        return summarize(scores, by=output.by)
    with written(output.per_run) as file:
        return summarize(
            scores, lambda run: file.write(to_line(run, scores.columns) + b"\n"), by=output.by
        )


def _unknown(document: Document, by: Iterable[str]) -> list[str]:
    """The fields of which no trajectory has a value: a name may be misspelled."""
    found = [(field, group.strata[field].keys()) for field in by for group in document.groups]
    known = {field for field, names in found if names - {UNKNOWN}}
    return [field for field in dict.fromkeys(by) if document.groups and field not in known]


def _path(text: str) -> Path:
    """A path that was typed; an empty one is a mistake (an unset variable), not this folder."""
    if not text:
        raise UsageError("an empty path was given; write . for this folder")
    return Path(text)


def _refuse_overwriting(target: Path | None, inputs: list[Path | None]) -> None:
    """Refuse to write the lines over a file that is read."""
    for path in inputs if target is not None and target.exists() else ():
        if target is not None and path is not None and path.exists() and target.samefile(path):
            raise UsageError(f"--per-run {target}: is read as input; name another file")


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
