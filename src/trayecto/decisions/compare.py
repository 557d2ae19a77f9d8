"""Compare a candidate with a base, task by task: what got better, what worse, what nobody knows.

Tasks are paired by id and text, each counts once, however many trials it has, and suites are never
averaged. Success is compared in two views: operational, in which a broken run is a failure, and
capability, over the runs in which the agent had a fair chance. A word is said of every metric by
the rule of ``_difference``, and of success under the conditions of ``_success``.

Source: the project's notes on statistics, 1.1, 1.5 and 1.6; article 003, *set de regresión*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from trayecto.comparison import SUCCESS, Compared, Comparison, Difference, Extra
from trayecto.decisions._arm import Side
from trayecto.decisions._caveats import caveats
from trayecto.decisions._changes import changed, regressed
from trayecto.decisions._difference import ABSENT, UNKNOWN, Values, differ
from trayecto.decisions._evidence import more_evidence
from trayecto.decisions._pairing import Paired, pair_tasks
from trayecto.decisions._setup import compare_setups
from trayecto.decisions._success import POWERED, settle
from trayecto.decisions._table import COST, table
from trayecto.errors import UsageError, quoted
from trayecto.metrics import Column
from trayecto.stats.ratios import cost_per_extra
from trayecto.summaries.tasks import LARGEST_K

ACCEPTED = "accepted"
TRIALS = "not every paired task has so many graded trials on both sides"
UNJUDGED = "not every run of the paired tasks is known to be accepted or not on both sides"
NO_EXTRA = "the candidate has no more accepted runs than the base"


def compare(
    base: tuple[str, Mapping[str, Side]],
    candidates: Iterable[tuple[str, Mapping[str, Side]]],
    margins: Mapping[str, float] | None = None,
) -> Comparison:
    """Compare each candidate with the base on every suite.

    A side is its name with what ``read_arm`` returns; ``margins`` are how much worse a metric may
    be, by id. Raises UsageError where two sides do not have the same suites, or the same tasks.
    """
    name, sides = base
    others = list(candidates)
    for label, other in others:
        _refuse_other_suites(name, sides, label, other)
    groups = [
        _group(_names(suite, base, (label, other), others), sides[suite], other[suite], margins)
        for label, other in others
        for suite in sides
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


def _refuse_other_suites(
    name: str, base: Mapping[str, Side], label: str, other: Mapping[str, Side]
) -> None:
    """Refuse sides of which one lacks a suite: it would go without a word."""
    for suites, where, missing in ((base, name, other), (other, label, base)):
        alone = [suite for suite in suites if suite not in missing]
        if alone:
            told = ", ".join(map(quoted, alone))
            raise UsageError(
                f"{where}: only this side has the suite {told}; the other has "
                f"{', '.join(map(quoted, missing))}. --suite names one for both"
            )


def _names(
    suite: str,
    base: tuple[str, Mapping[str, Side]],
    other: tuple[str, Mapping[str, Side]],
    others: Iterable[tuple[str, Mapping[str, Side]]],
) -> tuple[str, str]:
    """What two sides are called: as their candidates are, with the side where others are, too."""
    known = Counter(sides[suite].candidate for _, sides in (base, *others))

    def name(side: tuple[str, Mapping[str, Side]]) -> str:
        label, sides = side
        candidate = sides[suite].candidate
        if known[candidate] == 1:
            return candidate
        return label if len(known) == 1 else f"{candidate} @ {label}"

    return name(base), name(other)


def _group(
    names: tuple[str, str], base: Side, candidate: Side, margins: Mapping[str, float] | None
) -> Compared:
    """One suite on both sides."""
    paired = pair_tasks(base, candidate)
    metrics, missing = _metrics(paired, base, candidate, margins or {})
    metrics = settle(metrics, base.columns, paired, (base, candidate))
    setups = compare_setups((pair.base.setup, pair.candidate.setup) for pair in paired.pairs)
    return Compared(
        suite=base.suite,
        base=names[0],
        candidate=names[1],
        tasks=paired.told(),
        metrics=metrics,
        not_compared=missing,
        tasks_changed=changed(paired.pairs),
        regressions=regressed(paired.pairs, base.columns),
        more_evidence=more_evidence(metrics.get(SUCCESS), paired),
        cost_per_extra_accepted=_extra(metrics),
        differs=setups.differs,
        same=setups.same,
        untold=setups.untold,
        warnings=caveats(base, candidate, paired, setups.differs),
    )


def _metrics(
    paired: Paired, base: Side, candidate: Side, margins: Mapping[str, float]
) -> tuple[dict[str, Difference], dict[str, str]]:
    """Every metric that some task has on both sides, then pass^k; and why others have none.

    A side that has no value at all says why.
    """
    found: dict[str, Difference] = {}
    missing: dict[str, str] = {}
    for column in base.columns:
        name, values = column.summary, _values(paired, column)
        if values.base or column.id == SUCCESS:
            found[name] = differ(values, margins.get(name))
        elif column.unit != "turn":
            whys = (side.missing.get(name) for side in (base, candidate))
            missing[name] = next((why for why in whys if why is not None), ABSENT)
    for k in range(2, min(LARGEST_K, _most_trials(paired)) + 1):
        name, whole = f"{POWERED}{k}", _pass_hat(paired, k)
        if whole is None:
            missing[name] = TRIALS
        else:
            found[name] = differ(whole, margins.get(name))
    return found, missing


def _values(paired: Paired, column: Column) -> Values:
    """A metric on the tasks that have a value on both sides."""
    name = column.summary
    pairs = [pair for pair in paired.pairs if name in pair.base.values]
    pairs = [pair for pair in pairs if name in pair.candidate.values]
    return Values(
        [pair.base.values[name].value for pair in pairs],
        [pair.candidate.values[name].value for pair in pairs],
        [pair.unit for pair in pairs] if paired.declared else None,
        all(pair.base.trials == pair.candidate.trials == 1 for pair in pairs),
        column.unit,
        column.better,
        _of_every_run(paired, name),
    )


def _most_trials(paired: Paired) -> int:
    """The most trials that both sides have of some task: of more there is no pass^k to miss."""
    return max(min(pair.base.graded, pair.candidate.graded) for pair in paired.pairs)


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


def _extra(metrics: Mapping[str, Difference]) -> Extra:
    """What each further accepted run costs, where every run of every paired task tells."""
    cost, accepted = metrics.get(COST), metrics.get(ACCEPTED)
    if cost is None or not cost.complete:
        return Extra(usd=None, why=UNKNOWN)
    if accepted is None or not accepted.complete:
        return Extra(usd=None, why=UNJUDGED)
    if accepted.why is not UNSET:
        return Extra(usd=None, why=accepted.why)
    usd = cost_per_extra(
        cost.base or 0.0, accepted.base or 0.0, cost.candidate or 0.0, accepted.candidate or 0.0
    )
    return Extra(usd=None, why=NO_EXTRA) if usd is None else Extra(usd=usd)


def _of_every_run(paired: Paired, metric: str) -> bool:
    """Whether all runs of the paired tasks have a value of a metric."""
    return all(
        metric in task.values and task.values[metric].runs == task.trials
        for pair in paired.pairs
        for task in (pair.base, pair.candidate)
    )
