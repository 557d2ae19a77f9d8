"""Metrics: one number about one trajectory each, by plain code.

The file name is the metric's id. A metric is a module that holds its definition as docstring,
``UNIT``, ``BETTER``, and a function of its own name: ``name(facts, case) -> Score``. Beside them it
may hold ``needs(case)``, which says why a case cannot be judged by it; ``OVER``, the runs that its
mean counts (``valid``: those in which the agent had a fair chance, ``runs``: all, ``successes``);
``PARTS``, where the function returns a list of scores with these names; ``SUMMARY``, its name in a
summary; ``PASSES``, the value with which the case's assertion holds that it answers for, and
``STARTS_AT``, the value that its source starts from, which marks a mean that falls short and blocks
nothing (both of the part without a name, where there are parts); ``explain(facts, case)``, in
words, when somebody looks; ``OPT_IN``, where it is computed only for who names it; ``OPTIONS``, the
keywords of ``score`` that its function takes; ``DERIVED``, where it follows from what others found,
which is then its third argument.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from trayecto import _folder
from trayecto.case import Case
from trayecto.contracts import Toolbox, ToolContract
from trayecto.errors import UsageError, choose, quoted
from trayecto.facts import Prices
from trayecto.metrics._engine import Findings, Plan, Scored, Scores
from trayecto.metrics._entries import (
    BETTERS,
    FAULTS,
    OVERS,
    Column,
    Derived,
    Entry,
    Function,
    bind,
    describe,
    guard,
)
from trayecto.records import Record

__all__ = [
    "BETTERS",
    "FAULTS",
    "OVERS",
    "Column",
    "Derived",
    "Entry",
    "Findings",
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
    tools: Mapping[str, ToolContract] | None = None,
    metrics: Iterable[Function | str] = (),
    assume_effects: bool = False,
) -> Scores:
    """Score trajectories with every metric of this folder, and the user's own ``metrics``.

    ``cases`` (what ``load_cases`` returns, or any cases) replace those that the records carry; a
    trajectory without a case is judged by the metrics that need none. What a case file skipped
    stands in the account. ``tools`` are the contracts of the tools that the agents had, in place of
    what the traces tell. ``metrics`` may also name metrics of this folder that are computed only
    where they are asked for. ``assume_effects`` guesses from a tool's name whether it writes, where
    nobody tells. Nothing is computed before the result is iterated. Raises UsageError where a
    metric of the user's does not say what it is, or gives what is no score, and where a case names
    a critical metric that cannot be one.
    """
    options = {"assume_effects": assume_effects}
    entries = [bind(entry, options) for entry in _chosen(metrics)]
    ids = [column.id for entry in entries for column in entry.columns]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        message = f"metric {twice[0]!r} is defined twice"
        raise UsageError(message)
    by_id = cases if cases is None or isinstance(cases, Mapping) else {c.id: c for c in cases}
    toolbox = None if tools is None else Toolbox(tools.values())
    scores = Scores(records, cases=by_id, entries=entries, prices=prices, toolbox=toolbox)
    for case in () if by_id is None else by_id.values():
        scores.check_critical(case)
    scores.skipped = [f"{e.place} ({e.id}: {e.why})" for e in getattr(cases, "skipped", ())]
    scores.given_away = getattr(cases, "told", ())
    return scores


def _chosen(metrics: Iterable[Function | str]) -> list[Entry]:
    """Every metric of this folder but those nobody asked for, and the user's own."""
    named = {metric for metric in metrics if isinstance(metric, str)}
    own = [guard(describe(metric)) for metric in metrics if not isinstance(metric, str)]
    known = {entry.function.__name__: entry for entry in load()}
    odd = sorted(named - known.keys())
    if odd:
        message = (
            f"metric {quoted(odd[0])} is not known; write one of your own as module:function, or "
            f"{choose(odd[0], known)}"
        )
        raise UsageError(message)
    opt_in = {name for name, entry in known.items() if getattr(entry.module, "OPT_IN", False)}
    return [entry for name, entry in known.items() if name not in opt_in - named] + own
