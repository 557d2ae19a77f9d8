"""``trayecto score``: read, score, sum up, report."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from trayecto.case_formats import CaseFile, load_cases
from trayecto.cli import complain
from trayecto.cli._output import print_document, say
from trayecto.errors import UsageError, quoted
from trayecto.formats import Reading, read
from trayecto.metrics import Function, Scored
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
        tuple[str, ...], Parameter(help="A metric of your own, as module:function. Repeatable.")
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


def score(*paths: Path, source: Input | None = None, output: Output | None = None) -> int:
    """Score trajectories from files or folders, and report.

    Each file's format is found by its content. Without --cases the references that the files carry
    are used, and every metric that needs none.

    Example: trayecto score runs.jsonl --cases cases.yaml
    """
    source, output = source or Input(), output or Output()
    allowed = _limit(source.max_rejects)
    reading = read(
        *paths,
        format=source.format,
        strict=source.strict,
        keep_duplicates=source.keep_duplicates,
    )
    document = _summarize(reading, source, output)
    print_document(document, json=output.json, lang=output.lang, content=output.content)
    return _verdict(reading.account, document, allowed)


def tune() -> None:
    """Look for reference cycles less often, and not among what stays: a stream makes none."""
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)


def _summarize(reading: Reading, source: Input, output: Output) -> Document:
    """Score everything once, writing a line for each run on the way where that was asked for."""
    case_file = None if source.cases is None else load_cases(source.cases)
    if case_file is not None:
        _warn_unused(case_file, reading.account)
    scores = score_records(
        reading,
        cases=None if case_file is None else {case.id: case for case in case_file.cases},
        prices=load_prices(source.prices),
        metrics=[_function(name) for name in source.metric],
    )
    tune()
    with ExitStack() as stack:
        watch: Callable[[Scored], object] | None = None
        if output.per_run is not None:
            file = stack.enter_context(output.per_run.open("wb"))
            columns = scores.columns

            def watch(run: Scored) -> object:
                return file.write(to_line(run, columns) + b"\n")

        return summarize(scores, watch)


def _warn_unused(case_file: CaseFile, account: Account) -> None:
    """Say which assertions of the cases nothing evaluates: silence would look like a pass."""
    for field, count in case_file.unused.items():
        account.warn("assertion_not_evaluated", field, count)


def _function(name: str) -> Function:
    """Import a user's metric: it is named on the command line, never found in data."""
    module, _, function = name.partition(":")
    if not module or not function:
        message = f"--metric {quoted(name)}: write it as module:function"
        raise UsageError(message)
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError) as problem:
        message = f"--metric {quoted(name)}: {problem}"
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
    if number < 0 or (share and number > 100):  # noqa: PLR2004  # a percentage
        message = f"--max-rejects {quoted(text)}: write a number of records, or a share such as 1%"
        raise UsageError(message)
    return lambda records: max(1, int(records * number / 100)) if share else int(number)


def _verdict(account: Account, document: Document, allowed: Callable[[int], int]) -> int:
    """The exit code: scores never change it, unreadable input does."""
    if not document.trajectories:
        return complain("no trajectory could be read, so nothing was scored")
    limit = allowed(account.records)
    if account.rejected_count > limit:
        say(
            f"{account.rejected_count} of {account.records} records could not be read, more than "
            f"--max-rejects allows ({limit})"
        )
        return BAD_INPUT
    return FINE
