"""Whether the run may be used as it is: a success, without a critical finding, within its budget.

Counted: runs that succeeded, of which no critical metric failed (see ``corrupt_success``), and that
kept to what the case and its suite allow: ``max_calls``, and the limits of a trial (calls, seconds,
tokens, money). Unit: share of all graded runs. Higher is better. Undefined where nobody knows
whether the run succeeded; where a critical metric that the case asks for could not be evaluated;
and where a limit is set and the trace does not tell what was spent: unless it failed anyway. Where
nothing is critical and no limit is set, an accepted run is a successful one.

Source: article 004, *costo por tarea aceptada*; the design's ruling 10.
"""

from __future__ import annotations

from trayecto.case import Case, Limits
from trayecto.facts import Facts
from trayecto.metrics._critical import NOBODY, failed_critical, unknown_critical
from trayecto.scores import Found, Score

UNIT = "share"
BETTER = "higher"
OVER = "runs"
DERIVED = True

YES, NO = Score(value=True), Score(value=False)
UNKNOWN = Score(None, NOBODY)
UNCOUNTED = Score(None, "a limit is set, and the trace does not tell what was spent")
BUCKETS = ("tokens.input", "tokens.cache_read", "tokens.cache_write", "tokens.output")
MILLISECONDS = 1000


def accepted(facts: Facts, case: Case | None, found: Found) -> Score:
    """Ask for the success, then for what may not be, then for what may not be exceeded."""
    succeeded = found.passes("task_success")
    if succeeded is False or found.passes("call_budget") is False:
        return NO
    if failed_critical(case, found) is not None:
        return NO
    limits = None if case is None else case.secret.limits
    kept = True if limits is None else _keeps(limits, facts, found)
    if kept is False:
        return NO
    if succeeded is None:
        return UNKNOWN
    unknown = unknown_critical(facts, case, found)
    if unknown is not None:
        return Score(None, f"{unknown} could not be evaluated")
    return UNCOUNTED if kept is None else YES


def _keeps(limits: Limits, facts: Facts, found: Found) -> bool | None:
    """Whether the run kept every limit; None where one cannot be told and none is known broken."""
    milliseconds = None if limits.seconds is None else limits.seconds * MILLISECONDS
    pairs = (
        (limits.calls, len(facts.calls)),
        (milliseconds, _number("latency_ms", found)),
        (limits.tokens, _tokens(found)),
        (limits.cost_usd, _number("cost_usd", found)),
    )
    asked = [(most, spent) for most, spent in pairs if most is not None]
    if any(spent is not None and spent > most for most, spent in asked):
        return False
    return None if any(spent is None for _, spent in asked) else True


def _number(name: str, found: Found) -> float | None:
    score = found.score(name)
    value = None if score is None else score.value
    return value if isinstance(value, (int, float)) else None


def _tokens(found: Found) -> float | None:
    """All tokens; a bucket that the trace does not tell apart is inside another one."""
    if _number("tokens.input", found) is None or _number("tokens.output", found) is None:
        return None
    return sum(_number(name, found) or 0 for name in BUCKETS)
