"""``trayecto score``: read, score, sum up, report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from trayecto.cli._bounds import check_names
from trayecto.cli._cases import load_judges
from trayecto.cli._output import print_document, say, written
from trayecto.cli._source import Input, prepare, typed_path
from trayecto.cli._verdict import Gate, limit, verdict
from trayecto.errors import UsageError
from trayecto.formats import Reading, read
from trayecto.metrics import Scores
from trayecto.reports.per_run import to_line
from trayecto.summaries import EXTRA, UNKNOWN, Document, Summary, check_fields, summarize


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
    files = [typed_path(path) for path in paths]
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
    judges = load_judges(source.cases, source.tools)
    if judges[0] is not None and source.cases is not None:
        named = str(judges[0].settings.get("tools", ""))
        _refuse_overwriting(target, [source.cases.parent / named])
    return prepare(reading, source, judges)


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


def _refuse_overwriting(target: Path | None, inputs: list[Path | None]) -> None:
    """Refuse to write the lines over a file that is read."""
    for path in inputs if target is not None and target.exists() else ():
        if target is not None and path is not None and path.exists() and target.samefile(path):
            raise UsageError(f"--per-run {target}: is read as input; name another file")
