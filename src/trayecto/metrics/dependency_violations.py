"""How many declared orders were broken: B was done, and A had not been done before it.

Counted: the pairs (A, B) of the case whose first B has no earlier A, over the calls whose outcome
is not an error (unknown counts as done): a refused call has no effect, so it neither breaks an
order nor keeps one. A pair whose B was never done is not broken. Unit: pairs. Lower is better, and
only 0 is good. Undefined where the case declares no order. A run without calls breaks none: 0. The
steps are the first B of each broken pair.

Article 001 looks at every attempt, article 002 at calls with valid arguments; both are in
``trayecto.articles`` as published.

Source: article 002, *violaciones de dependencia*; article 001, *orden*.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import NOT_ASKED, Score
from trayecto.trajectory import Call

UNIT = "pairs"
BETTER = "lower"
PASSES = 0

NONE = Score(0)


def needs(case: Case | None) -> str | None:
    """A case that declares an order."""
    return None if case is not None and case.secret.order else NOT_ASKED


def dependency_violations(facts: Facts, case: Case) -> Score:
    """Count the pairs whose second tool came first."""
    broken = _broken(facts, case)
    if not broken:
        return NONE
    return Score(len(broken), None, tuple(sorted({call.index for call in broken.values()})))


def _broken(facts: Facts, case: Case) -> dict[tuple[str, str], Call]:
    """Each broken pair, with the call that broke it."""
    first: dict[str, Call] = {}
    for made in facts.done:
        first.setdefault(made.tool, made)
    broken: dict[tuple[str, str], Call] = {}
    for before, after in case.secret.order:
        call: Call | None = first.get(after)
        earlier: Call | None = first.get(before)
        if call is not None and (earlier is None or earlier.index > call.index):
            broken[before, after] = call
    return broken


def explain(facts: Facts, case: Case) -> str:
    """Name each broken pair, and the call that broke it."""
    told = [
        f"call {call.index} {after} without {before} before it"
        for (before, after), call in _broken(facts, case).items()
    ]
    return "; ".join(told) or "every declared order was kept"
