"""``trayecto score``: read, score, sum up, report."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from trayecto.case_formats import CaseFile, load_cases
from trayecto.cli import complain
from trayecto.cli._output import print_document, say, written
from trayecto.errors import UsageError, one_line, quoted, shown
from trayecto.formats import Reading, read
from trayecto.metrics import FAULTS, Function
from trayecto.metrics import score as score_records
from trayecto.prices import load as load_prices
from trayecto.records import Account
from trayecto.reports.per_run import to_line
from trayecto.summaries import Document, summarize

FINE, BAD_INPUT = 0, 2
COLLECT_EVERY = 50_000  # new containers between two looks for cycles


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Input:
    """How files are read, and by what their trajectories are judged."""

    cases: Annotated[
        Path | None,
        Parameter(help="Case file (YAML or JSONL) instead of the files' own references."),
    ] = None
    format: Annotated[str, Parameter(help="Name the format instead of finding it.")] = "auto"
    prices: Annotated[
        Path | None, Parameter(help="Your prices (YAML or JSON), over the packaged ones.")
    ] = None
    metric: Annotated[
        tuple[str, ...],
        Parameter(negative="", help="A metric of your own, as module:function. Repeatable."),
    ] = ()
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
) -> int:
    """Score trajectories from files or folders, and report.

    Each file's format is found by its content. Without --cases the references that the files carry
    are used, and every metric that needs none.
    """
    source, output = source or Input(), output or Output()
    allowed = _limit(source.max_rejects)
    files = [_path(path) for path in paths]
    _refuse_overwriting(output.per_run, [*files, source.cases, source.prices])
    reading = read(
        *files,
        format=source.format,
        strict=source.strict,
        keep_duplicates=source.keep_duplicates,
    )
    document = _summarize(reading, source, output)
    print_document(document, json=output.json, lang=output.lang, content=output.content)
    return _verdict(paths, reading.account, document, allowed)


def load_and_tune(cases: Path | None) -> CaseFile | None:
    """Load the cases; from then on cycles are looked for less often, and not among what stays.

    Neither cases nor a stream of records make any.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return None if cases is None else load_cases(cases)
    finally:
        gc.freeze()
        gc.set_threshold(COLLECT_EVERY)
        if collects:
            gc.enable()


def _summarize(reading: Reading, source: Input, output: Output) -> Document:
    """Score everything once, writing a line for each run on the way where that was asked for."""
    scores = score_records(
        reading,
        cases=load_and_tune(source.cases),
        prices=load_prices(source.prices, on=datetime.now(UTC).date()),
        metrics=[_function(name) for name in source.metric],
    )
    if output.per_run is None:
        return summarize(scores)
    with written(output.per_run) as file:
        return summarize(scores, lambda run: file.write(to_line(run, scores.columns) + b"\n"))


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


def _limit(text: str) -> Callable[[int], int]:
    """How many of N records may be rejected: a number, or a share of which at least one."""
    share = text.endswith("%")
    try:
        number = float(text.removesuffix("%")) if share else int(text)
    except ValueError:
        number = -1
    most = 100.0 if share else math.inf
    if "_" in text or not 0 <= number <= most:  # also where it is no number at all
        message = f"--max-rejects {quoted(text)}: write a number of records, or a share such as 1%"
        raise UsageError(message)
    return lambda records: max(1, int(records * number / 100)) if share else int(number)


def _verdict(
    paths: Sequence[str], account: Account, document: Document, allowed: Callable[[int], int]
) -> int:
    """The exit code: scores never change it, unreadable input does."""
    if not document.trajectories:
        more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        named = one_line(shown(paths[0])) + more
        return complain(f"{named}: no trajectory could be read, so nothing was scored")
    if account.warnings["no_case"] == document.trajectories:
        return complain("none of the cases is of any trajectory: their ids do not match")
    limit = allowed(account.records)
    if account.rejected_count > limit:
        say(
            f"{account.rejected_count} of {account.records} records could not be read, more than "
            f"--max-rejects allows ({limit})"
        )
        return BAD_INPUT
    return FINE
