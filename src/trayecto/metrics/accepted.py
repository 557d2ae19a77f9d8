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
    known = _spent(limits, facts, found)
    if any(spent > most for _, most, spent in known):
        return False
    asked = (limits.calls, limits.seconds, limits.tokens, limits.cost_usd)
    return None if len(known) < sum(most is not None for most in asked) else True


def _spent(limits: Limits, facts: Facts, found: Found) -> list[tuple[str, float, float]]:
    """Each limit that is set and of which the trace tells what was spent: name, most, spent."""
    took = _number("latency_ms", found)
    pairs = (
        ("calls", limits.calls, len(facts.calls)),
        ("seconds", limits.seconds, None if took is None else took / MILLISECONDS),
        ("tokens", limits.tokens, _tokens(found)),
        ("cost_usd", limits.cost_usd, _number("cost_usd", found)),
    )
    return [(n, most, spent) for n, most, spent in pairs if most is not None and spent is not None]


def _number(name: str, found: Found) -> float | None:
    score = found.score(name)
    value = None if score is None else score.value
    return value if isinstance(value, (int, float)) else None


def _tokens(found: Found) -> float | None:
    """All tokens; a bucket that the trace does not tell apart is inside another one."""
    if _number("tokens.input", found) is None or _number("tokens.output", found) is None:
        return None
    return sum(_number(name, found) or 0 for name in BUCKETS)


def explain(facts: Facts, case: Case | None, found: Found) -> str:
    """Say what keeps a run from being accepted."""
    if accepted(facts, case, found).value is not False:
        return ""
    told = ["it did not succeed"] if found.passes("task_success") is False else []
    failed = failed_critical(case, found)
    told += [f"{failed} failed, which is critical"] if failed else []
    told += ["it made more calls than the case allows"] * (found.passes("call_budget") is False)
    limits = None if case is None else case.secret.limits
    spent = [] if limits is None else _spent(limits, facts, found)
    told += [f"{name} {used:g}, allowed {most:g}" for name, most, used in spent if used > most]
    return f"not accepted: {'; '.join(told)}"
