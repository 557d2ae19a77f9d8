"""The exit code of ``score``, and what is said of it on stderr.

Scores change it only where the command line asks for that. Bad input (2) goes before a check that
failed (1): what could not be read was not checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from trayecto.cli import complain
from trayecto.cli._bounds import Bound, broken, parse
from trayecto.cli._output import say
from trayecto.document import Check, Document, Group
from trayecto.errors import UsageError, one_line, quoted, shown
from trayecto.records import Account

FINE, FAILED, BAD_INPUT = 0, 1, 2
NAMED = 3  # runs that are named for each check


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Gate:
    """What must hold of the scores for the exit code to be 0."""

    check: Annotated[
        bool,
        Parameter(
            negative="",
            help="Exit with 1 where an assertion of a case fails, or could not be evaluated.",
        ),
    ] = False
    min: Annotated[
        tuple[str, ...],
        Parameter(
            negative="",
            help="Exit with 1 where a metric's value is below VALUE, or undefined: "
            "METRIC=VALUE, or METRIC>=VALUE. For a metric of which less is better "
            'write "METRIC<=VALUE": then it must not be above. Ids are those of the '
            "JSON document, such as task_success, pass_hat_k.4 or loop_rate. Repeatable.",
        ),
    ] = ()

    @property
    def bounds(self) -> list[Bound]:
        """What ``--min`` asks for, read."""
        return [parse(text) for text in self.min]


def limit(text: str) -> Callable[[int], int]:
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


def verdict(
    paths: Sequence[str],
    account: Account,
    document: Document,
    allowed: Callable[[int], int],
    gate: Gate,
) -> int:
    """The exit code; every reason for it is said."""
    if not document.trajectories:
        more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        named = one_line(shown(paths[0])) + more
        return complain(f"{named}: no trajectory could be read, so nothing was scored")
    if account.warnings["no_case"] == document.trajectories:
        return complain("none of the cases is of any trajectory: their ids do not match")
    most = allowed(account.records)
    code = _checked(account, document) if gate.check else FINE
    for line in broken(gate.bounds, document.groups):
        say(line)
        code = max(code, FAILED)
    if account.rejected_count > most:
        say(
            f"{account.rejected_count} of {account.records} records could not be read, more than "
            f"--max-rejects allows ({most})"
        )
        return BAD_INPUT
    return code


def _checked(account: Account, document: Document) -> int:
    """Whether every assertion was evaluated and holds; what was not evaluated is no pass."""
    groups = document.groups
    if not any(group.checks for group in groups):
        return complain(
            "--check: no case asserts anything of any trajectory, so nothing was checked"
        )
    told = [line for group in groups for line in _group(group, named=len(groups) > 1)]
    told += _left(account)
    for line in told:
        say(f"--check: {line}")
    if told:
        return FAILED
    made = sum(check.asserted for group in groups for check in group.checks)
    runs = sum(group.checked.trajectories for group in groups)
    of = document.trajectories
    say(f"--check: all {made} assertions hold, made of {runs} of {of} trajectories")
    return FINE


def _group(group: Group, *, named: bool) -> Iterator[str]:
    """What failed in one group, then what could not be evaluated."""
    of = f"of {group.trajectories} trajectories"
    of += f" (suite {quoted(group.suite)}, candidate {quoted(group.candidate)})" if named else ""
    checked = group.checked
    if checked.failed:
        count = sum(check.failed for check in group.checks)
        yield f"assertions that failed: {count}, in {checked.failed} {of}"
        yield from (_told(check, failed=True) for check in group.checks if check.failed)
    if checked.not_evaluated:
        count = sum(check.not_evaluated for check in group.checks)
        yield f"assertions that could not be evaluated: {count}, in {checked.not_evaluated} {of}"
        yield from (_told(check, failed=False) for check in group.checks if check.not_evaluated)


def _told(check: Check, *, failed: bool) -> str:
    """One assertion in numbers, and the first runs by id and place."""
    count = check.failed if failed else check.not_evaluated
    runs = [each for each in check.examples if each.failed == failed]
    places = [f"{each.id} ({each.file}:{each.record})" for each in runs[:NAMED]]
    more = [f"{count - NAMED} more"] if count > NAMED else []
    how = "failed" if failed else "not evaluated"
    return f"  {check.metric}: {count} of {check.asserted} {how}: {', '.join(places + more)}"


def _left(account: Account) -> Iterator[str]:
    """What the cases assert that no trajectory of any group could answer for."""
    idle, skipped = account.warnings["case_without_run"], account.warnings["case_skipped"]
    if idle:
        first = quoted(account.examples["case_without_run"])
        yield f"cases without a trajectory, so not checked: {idle}, first {first}"
    if skipped:
        yield f"cases that were skipped: {skipped}, first {account.examples['case_skipped']}"
