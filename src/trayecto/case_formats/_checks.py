"""What only makes sense together: contradictions in a case, and tools that a contract lacks.

Each check yields the path of a field inside the case, and a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from trayecto.case import Case, Expected, Reference
from trayecto.case_formats._problems import Path
from trayecto.case_formats._schema import CallEntry, CaseEntry, ToleranceEntry, ToolOrCall
from trayecto.contracts import ToolContract
from trayecto.errors import choose, quoted
from trayecto.tolerance import WORDS, why_no_pattern
from trayecto.trajectory import Json

Findings: TypeAlias = Iterator[tuple[Path, str]]
Contracts: TypeAlias = Mapping[str, ToolContract]

LONGEST = 1_000  # calls of a reference
LONGEST_ID = 200  # characters
_NOTHING = (
    "asserts nothing: give it a reference, an answer or another check, or say assert_nothing: true"
)
_BAD_ID = re.compile("[/\\x00-\\x1f\\x7f-\\x9f\u2028\u2029]|\\.\\.")


def folded(case_id: str) -> str:
    """Fold what a file system or a reader would take for the same id: case and composition."""
    return unicodedata.normalize("NFC", case_id).casefold()


def check_entry(entry: CaseEntry) -> Findings:
    """Find what contradicts itself in a case as it is written, before it is prepared."""
    yield from _check_id(entry.id)
    if entry.reference:
        yield from _check_reference(entry.reference)
    elif entry.reference is None and "match" in entry.model_fields_set:
        yield ("match",), "says how to compare with a reference, and there is none"
    if entry.answer is not None and not entry.answer.model_fields_set:
        yield ("answer",), "is empty; say what the answer contains or equals"
    if entry.state is not None and not entry.state.model_fields_set:
        yield ("state",), "is empty; say what it equals, what is absent, or unchanged: true"
    yield from _check_patterns(entry)


def check_prepared(case: Case) -> Findings:
    """Find what a case may not be, of one that never was an entry: its id, and its length."""
    if len(case.id) > LONGEST_ID:
        yield ("id",), f"{quoted(case.id)} is too long; choose at most {LONGEST_ID} characters"
    yield from _check_id(case.id)
    reference = case.secret.reference
    if reference is not None:
        yield from _check_length(len(reference.entries))


def _check_id(case_id: str) -> Findings:
    if _BAD_ID.search(case_id):
        yield ("id",), f"{quoted(case_id)} may hold no '/', no '..' and no control character"


def _check_length(calls: int) -> Findings:
    if calls > LONGEST:
        yield ("reference",), f"has {calls:,} calls; {LONGEST:,} are the limit"


def _check_patterns(entry: CaseEntry) -> Findings:
    """Find patterns that cannot be used, and words of a tolerance that do not go together."""
    if entry.answer is not None and entry.answer.pattern is not None:
        yield from _check_pattern(entry.answer.pattern, ("answer", "pattern"))
    for field, allowed in entry.tolerance.items():
        if not isinstance(allowed, ToleranceEntry):
            continue
        said = [word for word in allowed.model_fields_set if word != "optional"]
        if allowed.pattern is not None:
            yield from _check_pattern(allowed.pattern, ("tolerance", field, "pattern"))
            if len(said) > 1:
                yield ("tolerance", field), "a pattern goes with nothing but optional"
        if not allowed.model_fields_set:
            yield ("tolerance", field), f"is empty; choose {', '.join(WORDS)}"


def _check_pattern(pattern: str, path: Path) -> Findings:
    why = why_no_pattern(pattern)
    if why is not None:
        yield path, f"{quoted(pattern)} is no pattern that can be used: {why}"


def _check_reference(entries: list[str | CallEntry | list[ToolOrCall]]) -> Findings:
    yield from _check_length(sum(len(each) if isinstance(each, list) else 1 for each in entries))
    for at, each in enumerate(entries):
        if isinstance(each, CallEntry):
            if each.arguments is None or isinstance(each.compare, list):  # else there is nothing
                yield from _check_call(each, ("reference", at))
        elif isinstance(each, list):
            for inner, call in enumerate(each):
                if isinstance(call, CallEntry):
                    yield from _check_call(call, ("reference", at, inner))


def _check_call(call: CallEntry, path: Path) -> Findings:
    """Look at a call that names no arguments, or some of them."""
    if call.arguments is None:
        if "arguments" in call.model_fields_set:
            yield (*path, "arguments"), "is null; leave the field out, or give it a value"
        elif "compare" in call.model_fields_set:
            yield (*path, "compare"), "says how to compare arguments, and there are none"
        return
    if isinstance(call.compare, list):
        for at, name in enumerate(call.compare):
            if name not in call.arguments:
                hint = f"; {_choose(name, call.arguments)}" if call.arguments else ""
                yield (*path, "compare", at), f"{quoted(name)} is not among the arguments{hint}"


def check_case(case: Case, *, assert_nothing: bool) -> Findings:
    """Find what contradicts itself in a prepared case."""
    secret = case.secret
    if not assert_nothing and not asserts(case):
        yield (), _NOTHING
    if secret.forbidden:
        yield from _check_forbidden(case)
    yield from _check_state(case)
    if secret.max_calls is not None:
        yield from _check_budget(case, secret.max_calls)
    if secret.order:
        yield from _check_order(secret.order)
    for field in (*secret.scope, *secret.tolerance):
        if not all(field.partition(".")[::2]):
            where = "scope" if field in secret.scope else "tolerance"
            yield (where, field), f"{quoted(field)} is not written tool.argument"
    if secret.tolerance:
        yield from _check_tolerance(secret.reference, secret.tolerance)


def asserts(case: Case) -> bool:
    """Whether a trajectory can fail the case."""
    secret = case.secret
    checks = (secret.answer, secret.required, secret.forbidden, secret.max_calls)
    more = (secret.order, secret.scope, secret.secrets, secret.canary)
    state = secret.state is not None and secret.state.asks
    path = secret.reference is not None and secret.reference.asserts
    return path or state or secret.should_abstain is not None or any(checks) or any(more)


def tells_its_answer(case: Case) -> bool:
    """Whether the agent is told what it must say: the text stands in the task, between words."""
    answer = case.secret.answer
    if answer is None:
        return False
    wanted = [*answer.contains, *([] if answer.equals is None else [answer.equals.strip()])]
    task = case.task.text.casefold()
    patterns = [rf"(?<!\w){re.escape(text.casefold())}(?!\w)" for text in wanted if text]
    return any(re.search(pattern, task) for pattern in patterns)


def _check_state(case: Case) -> Findings:
    """Find what the end of a run cannot be all at once."""
    secret = case.secret
    if secret.should_abstain and secret.required:
        yield ("should_abstain",), "is true, and tools are required: one contradicts the other"
    for at, path in enumerate(() if secret.state is None else secret.state.absent):
        if secret.state is not None and path in secret.state.equals:
            yield ("state", "absent", at), f"{quoted(path)} is in equals too"


def _check_forbidden(case: Case) -> Findings:
    secret = case.secret
    reference = secret.reference
    # In mode subset the reference is what may be called, not what must be.
    expected = reference.tools if reference is not None and reference.match != "subset" else ()
    for at, tool in enumerate(secret.forbidden):
        if tool in secret.required:
            yield ("forbidden", at), f"{quoted(tool)} is required too"
        elif tool in expected:
            yield ("forbidden", at), f"{quoted(tool)} is in the reference too"


def _check_budget(case: Case, most: int) -> Findings:
    fewest = case.secret.min_calls
    if fewest is not None and fewest > most:
        yield ("min_calls",), f"{fewest} is more than max_calls, {most}"
    reference = case.secret.reference
    needed = 0 if reference is None else reference.fewest or 0
    if needed > most:
        yield ("max_calls",), f"{most} is fewer than the {needed} calls of the reference"


def _check_order(order: tuple[tuple[str, str], ...]) -> Findings:
    after: dict[str, list[str]] = {}
    for at, (first, second) in enumerate(order):
        if first == second:
            yield ("order", at), f"{quoted(first)} cannot come before itself"
        else:
            after.setdefault(first, []).append(second)
    cycle = _find_cycle(after)
    if cycle:
        yield ("order",), f"goes round in a circle: {' → '.join(cycle)}"


def _find_cycle(after: dict[str, list[str]]) -> list[str]:
    """Find a circle of tools, the first one named again at its end; empty where there is none."""
    done: set[str] = set()
    for start, first in after.items():
        path: dict[str, Iterator[str]] = {start: iter(first)}
        while path:
            tool, rest = next(reversed(path.items()))
            then = next(rest, None)
            if then is None:
                done.add(tool)
                del path[tool]
            elif then in path:
                names = [*path]
                return [*names[names.index(then) :], then]
            elif then not in done:
                path[then] = iter(after.get(then, ()))
    return []


def _check_tolerance(reference: Reference | None, tolerance: dict[str, Json]) -> Findings:
    entries = () if reference is None else reference.entries
    with_arguments = [entry for entry in entries if entry.arguments is not None]
    for field, allowed in tolerance.items():
        same_tool = [each for each in with_arguments if field.startswith(f"{each.tool}.")]
        if not same_tool:
            yield ("tolerance", field), "names no call of the reference that has arguments"
        elif allowed != "any" and not any(_holds(each, field) for each in same_tool):
            # What is any may be left out of the reference: it lets an optional argument be given.
            names = sorted({f"{e.tool}.{key}" for e in same_tool for key in e.arguments or ()})
            yield ("tolerance", field), f"is not in the reference; {_choose(field, names)}"


def _choose(name: str, allowed: Iterable[str]) -> str:
    return choose(name[:200], sorted(allowed)[:50])


def _holds(entry: Expected, field: str) -> bool:
    name = field[len(entry.tool) + 1 :]
    return name.split(".")[0] in (entry.arguments or {}) or name in (entry.arguments or {})


def check_contract(case: Case, contracts: Contracts) -> Findings:
    """Find tools and arguments that the agent's contract does not have."""
    secret = case.secret
    if secret.reference is not None:
        for at, group in enumerate(secret.reference.groups):
            for entry in group:
                yield from _check_known(entry.tool, ("reference", at), contracts)
    for at, tool in enumerate(secret.required):
        yield from _check_known(tool, ("required", at), contracts)
    for at, pair in enumerate(secret.order):
        for tool in pair:
            yield from _check_known(tool, ("order", at), contracts)
    for where, fields in (("scope", secret.scope), ("tolerance", secret.tolerance)):
        for field in fields:
            yield from _check_argument(field, (where, field), contracts)


def _check_known(tool: str, path: Path, contracts: Contracts) -> Findings:
    if tool not in contracts:
        yield path, f"{quoted(tool)} is not in the tools' contract; {_choose(tool, contracts)}"


def owner(field: str, tools: Iterable[str]) -> str:
    """The tool of a ``tool.argument``: of those it may be the longest, else what stands first."""
    owners = [tool for tool in tools if field.startswith(f"{tool}.")]
    return max(owners, key=len) if owners else field.partition(".")[0]


def _check_argument(field: str, path: Path, contracts: Contracts) -> Findings:
    tool = owner(field, contracts)
    if tool not in contracts:
        yield from _check_known(tool, path, contracts)
        return
    known = (contracts[tool].parameters or {}).get("properties")
    name = field[len(tool) + 1 :].split(".", maxsplit=1)[0]
    if isinstance(known, dict) and name not in known:
        yield path, f"{quoted(name)} is no argument of {tool}; {_choose(name, known)}"
