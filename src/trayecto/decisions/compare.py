"""Compare a candidate with a base, task by task: what got better, what worse, what nobody knows.

Tasks are paired by id and text, each counts once, however many trials it has, and suites are never
averaged. Success is compared in two views: operational, in which a broken run is a failure, and
capability, over the runs in which the agent had a fair chance. A word is said of every metric by
the rule of ``_difference``. Where the two sides differ in how often the infrastructure failed,
nothing is said of success; where more than 5 % of the recorded successes contradict what was done,
the word is said, and not to be trusted.

Source: the project's notes on statistics, 1.1, 1.5 and 1.6; article 003, *set de regresión*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from trayecto.comparison import Compared, Comparison, Difference, Extra
from trayecto.decisions._arm import LARGEST_K, Side, Task
from trayecto.decisions._caveats import caveats, infrastructure_differs
from trayecto.decisions._changes import changed, regressed
from trayecto.decisions._difference import Values, differ
from trayecto.decisions._evidence import more_evidence
from trayecto.decisions._pairing import Paired, pair_tasks
from trayecto.decisions._setup import differences
from trayecto.decisions._table import table
from trayecto.errors import UsageError, quoted
from trayecto.metrics import Column

SUCCESS = "task_success"
RESTING = (SUCCESS, "accepted", "pass_hat_k.")  # what rests on who succeeded
UNEQUAL = "the infrastructure failed more often on one side"
UNPRICED = "not every paired task has a known cost on both sides"
UNJUDGED = "not every paired task is known to be accepted or not on both sides"
NO_EXTRA = "the candidate has no more accepted runs than the base"


def compare(
    base: tuple[str, Mapping[str, Side]],
    candidates: Iterable[tuple[str, Mapping[str, Side]]],
    margins: Mapping[str, float] | None = None,
) -> Comparison:
    """Compare each candidate with the base on every suite that both have.

    A side is its name with what ``read_arm`` returns; ``margins`` are how much worse a metric may
    be, by id. Raises UsageError where two sides share no suite, or not the same tasks.
    """
    name, sides = base
    others = list(candidates)
    groups = [
        _group((name, sides[suite]), (label, other[suite]), margins or {})
        for label, other in others
        for suite in _shared(name, sides, other)
    ]
    found = Comparison(
        base=name,
        candidate=others[0][0] if len(others) == 1 else UNSET,
        candidates=UNSET if len(others) == 1 else [label for label, _ in others],
        groups=groups,
        table=UNSET if len(others) == 1 else table(groups),
    )
    if len(groups) > 1:
        return found
    group = groups[0]
    return replace(
        found,
        tasks=group.tasks,
        metrics=group.metrics,
        tasks_changed=group.tasks_changed,
        more_evidence=group.more_evidence,
        warnings=group.warnings,
    )


def _shared(name: str, base: Mapping[str, Side], other: Mapping[str, Side]) -> list[str]:
    found = [suite for suite in base if suite in other]
    if not found:
        told = f"{', '.join(map(quoted, base))} and {', '.join(map(quoted, other))}"
        raise UsageError(f"{name}: no suite is on both sides ({told}); --suite names one for both")
    return found


def _group(
    one: tuple[str, Side], other: tuple[str, Side], margins: Mapping[str, float]
) -> Compared:
    """One suite on both sides, called as the candidates are, or the sides where these are alike."""
    (name, base), (label, candidate) = one, other
    alike = base.candidate == candidate.candidate
    paired = pair_tasks(base, candidate)
    metrics = _metrics(paired, base.columns, margins)
    doubtful = base.trust.doubtful or candidate.trust.doubtful
    unequal = infrastructure_differs(base, candidate)
    for metric in [metric for metric in metrics if metric.startswith(RESTING)]:
        metrics[metric] = _resting(metrics[metric], doubtful=doubtful, unequal=unequal)
    success = metrics.get(SUCCESS)
    if success is not None:
        metrics[SUCCESS] = _with_capability(success, paired)
    differs = differences((pair.base.setup, pair.candidate.setup) for pair in paired.pairs)
    return Compared(
        suite=base.suite,
        base=name if alike else base.candidate,
        candidate=label if alike else candidate.candidate,
        tasks=paired.told(),
        metrics=metrics,
        tasks_changed=changed(paired.pairs),
        regressions=regressed(paired.pairs, base.columns),
        more_evidence=more_evidence(metrics.get(SUCCESS), paired, margins.get(SUCCESS)),
        cost_per_extra_accepted=_extra(metrics),
        differs=differs,
        warnings=caveats(base, candidate, paired, differs),
    )


def _metrics(
    paired: Paired, columns: tuple[Column, ...], margins: Mapping[str, float]
) -> dict[str, Difference]:
    """Every metric that is defined on both sides of some task, then pass^k."""
    found: dict[str, Difference] = {}
    for column in columns:
        values = _values(paired, column)
        if values.base or column.id == SUCCESS:
            found[column.summary] = differ(values, margins.get(column.summary))
    for k in range(2, LARGEST_K + 1):
        whole = _pass_hat(paired, k)
        if whole is None:
            break
        name = f"pass_hat_k.{k}"
        found[name] = differ(whole, margins.get(name))
    return found


def _values(paired: Paired, column: Column) -> Values:
    """A metric on the tasks that have a value on both sides."""
    pairs = [
        pair
        for pair in paired.pairs
        if column.summary in pair.base.values and column.summary in pair.candidate.values
    ]
    return Values(
        [pair.base.values[column.summary] for pair in pairs],
        [pair.candidate.values[column.summary] for pair in pairs],
        [pair.unit for pair in pairs] if paired.declared else None,
        all(pair.base.trials == pair.candidate.trials == 1 for pair in pairs),
        column.unit,
        column.better,
    )


def _pass_hat(paired: Paired, k: int) -> Values | None:
    """pass^k, where every task has k trials on both sides; None where one has not."""
    base = [pair.base.pass_hat(k) for pair in paired.pairs]
    candidate = [pair.candidate.pass_hat(k) for pair in paired.pairs]
    known = [value for value in base if value is not None]
    others = [value for value in candidate if value is not None]
    if len(known) + len(others) < 2 * len(paired.pairs):
        return None
    units = [pair.unit for pair in paired.pairs] if paired.declared else None
    return Values(known, others, units, single=False, unit="share", better="higher")


def _resting(found: Difference, *, doubtful: bool, unequal: bool) -> Difference:
    """A metric that rests on success: not to be trusted where that is not, nor said of."""
    found = replace(found, trusted=not doubtful)
    if unequal and found.verdict is not None:
        return replace(found, verdict="undecided", why=UNEQUAL)
    return found


def _with_capability(found: Difference, paired: Paired) -> Difference:
    """Success, also over the runs in which the agent had a fair chance on both sides."""
    fair = [pair for pair in paired.pairs if pair.base.fair and pair.candidate.fair]
    values = Values(
        [_fair(pair.base) for pair in fair],
        [_fair(pair.candidate) for pair in fair],
        [pair.unit for pair in fair] if paired.declared else None,
        all(pair.base.fair == pair.candidate.fair == 1 for pair in fair),
        "share",
        "higher",
    )
    margin = None if found.margin is UNSET else found.margin.margin
    view = replace(differ(values, margin), trusted=found.trusted)
    if found.why == UNEQUAL and view.verdict is not None:
        view = replace(view, verdict="undecided", why=UNEQUAL)
    return replace(found, capability=view)


def _fair(task: Task) -> float:
    return task.fair_succeeded / task.fair


def _extra(metrics: Mapping[str, Difference]) -> Extra:
    """What each further accepted run costs, over the paired tasks."""
    cost, accepted = metrics.get("cost_usd"), metrics.get("accepted")
    success = metrics.get(SUCCESS)
    tasks = 0 if success is None else success.tasks
    if cost is None or cost.difference is None or cost.tasks != tasks:
        return Extra(usd=None, why=UNPRICED)
    if accepted is None or accepted.difference is None or accepted.tasks != tasks:
        return Extra(usd=None, why=UNJUDGED)
    if accepted.difference <= 0:
        return Extra(usd=None, why=NO_EXTRA)
    return Extra(usd=cost.difference / accepted.difference)
