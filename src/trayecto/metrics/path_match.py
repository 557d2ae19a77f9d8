"""Whether the run followed the reference path, in the case's own match mode.

Counted: the calls whose outcome is not an error (an unknown outcome counts as not an error), by the
one-to-one assignment of ``trayecto.matching``. ``path_match.all_attempts`` counts failed attempts
too, so that a clean retry can be told from a clean path. Modes: ``exact``, ``in_order`` (default),
``any_order``, ``superset``, ``multiset``, ``subset``; a property of the case. Unit: share of runs.
Higher is better. Undefined without a reference, and with an empty one in a mode that allows extra
calls, since such a reference asserts nothing. Without a call a run fails, unless nothing was asked
for.

Source: article 000, *Comparar contra una trayectoria de referencia*; the design's rulings 1 to 4.
"""

from __future__ import annotations

from trayecto.case import Case, Reference
from trayecto.facts import Facts
from trayecto.matching import Mismatch, by_tool, count_matched, explain_mismatch, matches
from trayecto.scores import Score
from trayecto.trajectory import Arguments, Call

UNIT = "share"
BETTER = "higher"
PARTS = ("", "all_attempts")

YES, NO = Score(value=True), Score(value=False)


def needs(case: Case | None) -> str | None:
    """A reference that a run can fail."""
    reference = None if case is None else case.secret.reference
    if reference is None:
        return "no reference path"
    if not reference.asserts:
        return f"an empty reference asserts nothing in mode {reference.match}"
    return None


def path_match(facts: Facts, case: Case) -> list[Score]:
    """Compare the calls that were done, and all attempts, with the reference."""
    reference = case.secret.reference
    if reference is None or facts.matched is None:
        raise TypeError(needs(case))
    done = matches(reference, facts.done, facts.matched)
    failed = [call for call in facts.calls if call.outcome == "error"]
    everything = _with_failed(reference, facts, failed, done=done) if failed else done
    return [YES if done else NO, YES if everything else NO]


def _with_failed(reference: Reference, facts: Facts, failed: list[Call], *, done: bool) -> bool:
    """Whether all attempts follow the reference; looked at only where it may not be ``done``."""
    if reference.allows_extras:
        if done or not any(call.tool in reference.by_tool for call in failed):
            return done
    elif len(facts.calls) > len(reference.entries):
        return False
    return matches(reference, facts.calls, count_matched(reference, by_tool(facts.calls)))


def explain(facts: Facts, case: Case) -> str:
    """Name each call that is missing, extra or out of place."""
    reference = case.secret.reference
    if reference is None:
        return ""
    done = explain_mismatch(reference, facts.done)
    text = _told(done) or f"follows the reference ({reference.match})"
    failed = [call for call in facts.calls if call.outcome == "error"]
    extra = explain_mismatch(reference, [*facts.done, *failed]).extra  # what was done goes first
    failed = [call for call in extra if call.outcome == "error"]
    if failed:
        text += "; with all attempts, extra: " + ", ".join(
            f"{_named(call)} (failed attempt)" for call in failed
        )
    return text


def _told(mismatch: Mismatch) -> str:
    kinds = (
        ("missing", [_written(entry.tool, entry.arguments) for entry in mismatch.missing]),
        ("extra", [_named(call) for call in mismatch.extra]),
        ("out of place", [_named(call) for call in mismatch.out_of_place]),
    )
    return "; ".join(f"{kind}: {', '.join(found)}" for kind, found in kinds if found)


def _named(call: Call) -> str:
    return f"call {call.index} {_written(call.tool, call.arguments)}"


def _written(tool: str, arguments: Arguments | None) -> str:
    if not isinstance(arguments, dict):
        return tool
    return f"{tool}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
