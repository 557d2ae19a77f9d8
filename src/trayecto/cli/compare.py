"""``trayecto compare``: a candidate beside a base, task by task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter
from msgspec.structs import replace

from trayecto.cli._margins import parse, refuse_unanswered, refuse_unknown
from trayecto.cli._output import print_comparison, say
from trayecto.cli._sides import open_arms
from trayecto.cli._source import Input, typed_path
from trayecto.cli._verdict import limit
from trayecto.comparison import SideRead
from trayecto.decisions import compare as compare_sides
from trayecto.errors import UsageError


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Output:
    """How the two sides are compared, and how that is told."""

    margin: Annotated[
        tuple[str, ...],
        Parameter(
            negative="",
            help="How much worse the candidate may be, as a share (0.05 or 5% is 5 points): VALUE "
            "for success, or METRIC=VALUE. Adds the verdict no_worse. Repeatable.",
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
    --candidate names the only candidate, whatever its files call it; the base keeps its name.
    """
    source, output = source or Input(), output or Output()
    if not candidates:
        raise UsageError("compare takes a base and at least one candidate")
    margins, most = parse(output.margin), limit(source.max_rejects)
    arms = open_arms([typed_path(path) for path in (base, *candidates)], source)
    refuse_unknown(margins, arms[0].scores.columns)
    sides = []
    for arm in arms:
        sides.append((arm.name, arm.sides(most, pool=output.pool)))
        _warn(arm.told())  # also where nothing will be compared: this may be why
    found = compare_sides(sides[0], sides[1:], margins)
    refuse_unanswered(margins, found.groups)
    told = [arm.told() for arm in arms]
    print_comparison(replace(found, read=told), json=output.json, lang=output.lang)
    return 0


def _warn(read: SideRead) -> None:
    """Name the first record of a side that could not be read: its task counts with fewer runs."""
    if read.rejected:
        first = read.rejected_records[0]
        say(
            f"{read.side}: {read.rejected:,} of {read.records:,} records could not be read, "
            f"first {first.file}:{first.record}: {first.why}"
        )
