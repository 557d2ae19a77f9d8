"""What may be said of success, and of all that rests on it.

Nothing is, where the infrastructure failed too often, or more often on one side, and where too many
runs have no grade: then what is left is no fair sample. Nor is then of what every run costs and
takes, broken ones too: a run that breaks early is cheap. Where more than 5 % of the recorded
successes contradict what was done, the word is said, and is not to be trusted.

Source: the project's notes on statistics, 1.5; article 003, *set de regresión*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from trayecto.comparison import SUCCESS, Difference
from trayecto.decisions._arm import Side, Task
from trayecto.decisions._caveats import grades_missing, infrastructure_differs
from trayecto.decisions._difference import Values, absent, differ
from trayecto.decisions._pairing import Paired
from trayecto.metrics import Column

OF_SUCCESS = frozenset({SUCCESS, "accepted", "corrupt_success", "error_recovery"})
OVER = "successes"  # such a column has values for runs that succeeded only
OF_ALL = "runs"  # and such a one for runs that broke as well
POWERED = "pass_hat_k."
UNEQUAL = "the infrastructure failed too often, or more often on one side"
UNGRADED = "more than 5 % of the runs have no grade on a side"
NO_CHANCE = "no task has a run on both sides in which the agent had a fair chance"


def settle(
    metrics: Mapping[str, Difference],
    columns: Iterable[Column],
    paired: Paired,
    sides: tuple[Side, Side],
) -> dict[str, Difference]:
    """The metrics, with what may be said of those that rest on success; and its second view."""
    resting = {each.summary for each in columns if each.id in OF_SUCCESS or each.over == OVER}
    of_all = {each.summary for each in columns if each.over == OF_ALL}
    doubtful = any(side.trust.doubtful for side in sides)
    silent = _silent(paired, sides)
    found = dict(metrics)
    for name, metric in metrics.items():
        if name in resting or name.startswith(POWERED):
            found[name] = _held(replace(metric, trusted=not doubtful), silent)
        elif name in of_all and silent == UNEQUAL:
            found[name] = _held(metric, silent)
    if SUCCESS in found:
        found[SUCCESS] = _with_capability(found[SUCCESS], paired, silent)
    return found


def _silent(paired: Paired, sides: tuple[Side, Side]) -> str | None:
    """Why nothing may be said of success; None where something may."""
    if infrastructure_differs(*sides):
        return UNEQUAL
    return UNGRADED if grades_missing(paired) else None


def _held(found: Difference, silent: str | None) -> Difference:
    """A metric of which no word is said, margin included, where there is a reason."""
    if silent is None or found.verdict is None:
        return found
    return replace(found, verdict="undecided", why=silent, margin=UNSET)


def _with_capability(found: Difference, paired: Paired, silent: str | None) -> Difference:
    """Success, also over the runs in which the agent had a fair chance on both sides.

    Where there is no such task, nothing was measured of the agent: success has no value at all.
    """
    fair = [pair for pair in paired.pairs if pair.base.fair and pair.candidate.fair]
    if found.base is not None and not fair:
        return absent(found.unit, found.better, NO_CHANCE)
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
    return replace(found, capability=_held(view, silent))


def _fair(task: Task) -> float:
    return task.fair_succeeded / task.fair
