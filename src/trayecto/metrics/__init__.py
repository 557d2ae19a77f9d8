"""Metrics: one number about one trajectory each, by plain code.

The file name is the metric's id. A metric is a module that holds its definition as docstring,
``UNIT``, ``BETTER``, and a function of its own name: ``name(facts, case) -> Score``. Beside them it
may hold ``needs(case)``, which says why a case cannot be judged by it; ``OVER``, the runs that its
mean counts (``valid``: those in which the agent had a fair chance, ``runs``: all, ``successes``);
``PARTS``, where the function returns a list of scores with these names; ``SUMMARY``, its name in a
summary; ``explain(facts, case)``, in words, when somebody looks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from trayecto import _folder
from trayecto.case import Case
from trayecto.errors import UsageError
from trayecto.facts import Prices
from trayecto.metrics._engine import Plan, Scored, Scores
from trayecto.metrics._entries import (
    BETTERS,
    FAULTS,
    OVERS,
    Column,
    Entry,
    Function,
    describe,
    guard,
)
from trayecto.records import Record

__all__ = [
    "BETTERS",
    "FAULTS",
    "OVERS",
    "Column",
    "Entry",
    "Function",
    "Plan",
    "Scored",
    "Scores",
    "describe",
    "load",
    "score",
]


def load() -> list[Entry]:
    """Every metric of this folder, sorted by id."""
    found = _folder.entries(sys.modules[__name__])
    return [describe(getattr(module, name)) for name, module in found.items()]


def score(
    records: Iterable[Record],
    *,
    cases: Mapping[str, Case] | Iterable[Case] | None = None,
    prices: Prices | None = None,
    metrics: Iterable[Function] = (),
) -> Scores:
    """Score trajectories with every metric of this folder, and the user's own ``metrics``.

    ``cases`` (what ``load_cases`` returns, or any cases) replace those that the records carry; a
    trajectory without a case is judged by the metrics that need none. What a case file skipped
    stands in the account. Nothing is computed before
    the result is iterated. Raises UsageError where a metric of the user's does not say what it is,
    or gives what is no score.
    """
    entries = load() + [guard(describe(function)) for function in metrics]
    ids = [column.id for entry in entries for column in entry.columns]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        message = f"metric {twice[0]!r} is defined twice"
        raise UsageError(message)
    by_id = cases if cases is None or isinstance(cases, Mapping) else {c.id: c for c in cases}
    skipped = [f"{e.place} ({e.id}: {e.why})" for e in getattr(cases, "skipped", ())]
    return Scores(records, cases=by_id, entries=entries, prices=prices, skipped=skipped)
