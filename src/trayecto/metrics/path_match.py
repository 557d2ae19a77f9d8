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

from collections.abc import Sequence

from msgspec.json import encode

from trayecto.case import Case, Expected, Reference
from trayecto.facts import Facts
from trayecto.matching import Mismatch, count_matched, explain_mismatch, matches
from trayecto.metrics._reference import reference_of
from trayecto.metrics._reference import why_no_reference as needs
from trayecto.scores import Score
from trayecto.tolerance import allows_absence, is_near
from trayecto.trajectory import Arguments, Call

UNIT = "share"
BETTER = "higher"
PASSES = True
PARTS = ("", "all_attempts")

__all__ = ["BETTER", "PARTS", "PASSES", "UNIT", "explain", "needs", "path_match"]

NEAR = 50  # calls of a tool among which the nearest to a missing one is looked for
YES, NO = Score(value=True), Score(value=False)


def path_match(facts: Facts, case: Case) -> list[Score]:
    """Compare the calls that were done, and all attempts, with the reference."""
    reference = reference_of(case)
    done = matches(reference, facts.done, facts.matched or 0)
    failed = len(facts.done) < len(facts.calls)
    everything = _with_failed(reference, facts, done=done) if failed else done
    return [YES if done else NO, YES if everything else NO]


def _with_failed(reference: Reference, facts: Facts, *, done: bool) -> bool:
    """Whether all attempts follow the reference; looked at only where they can and may not."""
    if reference.allows_extras:
        known = reference.by_tool
        tried = sum([c.tool in known for c in facts.calls if c.outcome == "error"])
        missing = len(reference.different) - (facts.matched or 0)
        if done or tried < max(missing, 1):
            return done
    elif len(facts.calls) > len(reference.entries):
        return False
    return matches(reference, facts.calls, count_matched(reference, facts.by_tool))


def explain(facts: Facts, case: Case) -> str:
    """Name each call that is missing, extra or out of place."""
    reference = reference_of(case)
    done = explain_mismatch(reference, facts.done)
    text = _told(done, facts.done) or f"follows the reference ({reference.match})"
    failed = [call for call in facts.calls if call.outcome == "error"]
    extra = explain_mismatch(reference, [*facts.done, *failed]).extra  # what was done goes first
    failed = [call for call in extra if call.outcome == "error"]
    if failed:
        text += "; with all attempts, extra: " + ", ".join(
            f"{_named(call)} (failed attempt)" for call in failed
        )
    return text


def _told(mismatch: Mismatch, calls: Sequence[Call]) -> str:
    kinds = (
        ("missing", [_missed(entry, calls) for entry in mismatch.missing]),
        ("extra", [_named(call) for call in mismatch.extra]),
        ("out of place", [_named(call) for call in mismatch.out_of_place]),
    )
    return "; ".join(f"{kind}: {', '.join(found)}" for kind, found in kinds if found)


def _missed(entry: Expected, calls: Sequence[Call]) -> str:
    """An expected call that was not made, and how the nearest call of its tool differs."""
    told = _written(entry.tool, entry.arguments)
    same = [call for call in calls if call.tool == entry.tool and not entry.agrees(call)][:NEAR]
    return f"{told} ({min((_difference(entry, call) for call in same), key=len)})" if same else told


def _difference(entry: Expected, call: Call) -> str:
    if not isinstance(call.arguments, dict):
        return f"call {call.index} has no object as arguments"
    expected, actual = entry.arguments or {}, call.arguments
    limits = entry.tolerance
    absent = [n for n in expected if n not in actual and not allows_absence(limits.get(n))]
    common = [name for name in expected if name in actual]
    more = [name for name in actual if name not in expected and name not in limits]
    another = [n for n in common if not is_near(actual[n], expected[n], limits.get(n, {}))]
    kinds = (
        ("lacks", absent),
        ("also has", more if entry.compare == "all" else []),
        ("has another", another),
    )
    told = [f"{kind} {', '.join(names)}" for kind, names in kinds if names]
    return f"call {call.index} {' and '.join(told)}"


def _named(call: Call) -> str:
    return f"call {call.index} {_written(call.tool, call.arguments)}"


def _written(tool: str, arguments: Arguments | None) -> str:
    if not isinstance(arguments, dict):
        return tool
    told = (f"{name}={encode(value).decode()}" for name, value in arguments.items())
    return f"{tool}({', '.join(told)})"
