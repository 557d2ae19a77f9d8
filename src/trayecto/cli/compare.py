"""``trayecto compare``: a candidate beside a base, task by task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from trayecto.cli._cases import load_judges
from trayecto.cli._output import print_comparison
from trayecto.cli._source import Input, Judges, prepare, typed_path
from trayecto.cli._verdict import limit
from trayecto.comparison import Compared
from trayecto.decisions import Side, read_arm
from trayecto.decisions import compare as compare_sides
from trayecto.errors import InputError, UsageError, choose, quoted
from trayecto.formats import read

SUCCESS = "task_success"
LEAST, MOST = 0.0, 1.0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Output:
    """How the two sides are compared, and how that is told."""

    margin: Annotated[
        tuple[str, ...],
        Parameter(
            negative="",
            help="How much worse the candidate may be, as a share (0.05 is 5 points): VALUE for "
            "success, or METRIC=VALUE. Adds the verdict no_worse. Repeatable.",
        ),
    ] = ()
    pool: Annotated[
        bool,
        Parameter(
            negative="",
            help="Join suites of one kind: a task is then suite and case, and its cluster stays "
            "within its suite. Suites under different attacks are never joined.",
        ),
    ] = False
    json: Annotated[
        bool, Parameter(negative="", help="One JSON document on stdout, and nothing else.")
    ] = False
    lang: Annotated[Literal["en", "es"], Parameter(help="Language of the report.")] = "en"


def compare(
    base: Annotated[str, Parameter(name="BASE", help="Trace file or folder of the base.")],
    /,
    *candidates: Annotated[
        str, Parameter(name="CANDIDATE", json_list=False, help="One or more to hold against it.")
    ],
    source: Input | None = None,
    output: Output | None = None,
) -> int:
    """Compare candidates with a base on the same tasks, and say what got better and what worse.

    Tasks are paired by id and text; each counts once, however many trials it has. "Better" needs a
    test at 0.05, "not worse" a margin. Above 5 % of tasks without a partner nothing is compared.
    """
    source, output = source or Input(), output or Output()
    if not candidates:
        raise UsageError("compare takes a base and at least one candidate")
    margins = dict(_margin(text) for text in output.margin)
    judges = load_judges(source.cases, source.tools)
    sides = [_side(path, source, judges, pool=output.pool) for path in (base, *candidates)]
    found = compare_sides(sides[0], sides[1:], margins)
    _refuse_unknown(margins, found.groups)
    print_comparison(found, json=output.json, lang=output.lang)
    return 0


def _side(text: str, source: Input, judges: Judges, *, pool: bool) -> tuple[str, dict[str, Side]]:
    """Read and score one side; raises InputError where too little of it can be read."""
    path = typed_path(text)
    reading = read(
        path,
        format=source.format,
        strict=source.strict,
        keep_duplicates=source.keep_duplicates,
        extras=True,
        suite=source.suite,
        candidate=source.candidate,
    )
    found = read_arm(prepare(reading, source, judges), str(path), pool=pool)
    account = reading.account
    most = limit(source.max_rejects)(account.records)
    if not found:
        raise InputError(str(path), "no trajectory could be read")
    if account.rejected_count > most:
        told = f"{account.rejected_count:,} of {account.records:,} records could not be read"
        raise InputError(str(path), f"{told}, more than --max-rejects allows ({most:,})")
    return _name(path), found


def _name(path: Path) -> str:
    """What a side is called: by its file or folder."""
    return path.stem if path.is_file() else path.resolve().name


def _margin(text: str) -> tuple[str, float]:
    """Read a margin; raises UsageError where it is none."""
    name, equals, value = text.rpartition("=")
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not LEAST < number < MOST or (equals and not name):
        raise UsageError(
            f"--margin {quoted(text)}: write it as VALUE or METRIC=VALUE, a share such as 0.05"
        )
    return (name or SUCCESS, number)


def _refuse_unknown(margins: Iterable[str], groups: Iterable[Compared]) -> None:
    """Refuse a margin of a metric that was compared nowhere, or that is no share."""
    known = {
        name
        for group in groups
        for name, metric in group.metrics.items()
        if metric.unit == "share" and metric.better != "neither"
    }
    for name in margins:
        if name not in known:
            raise UsageError(
                f"--margin {name}: is no share that was compared; {choose(name, sorted(known))}"
            )
