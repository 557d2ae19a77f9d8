"""Which tasks changed: in success, with the step at which two of their runs part, or in a metric.

The half-point rule of article 003 flags a task that falls by more than half a point. It is strict,
and reckons in decimals: 4.4 to 3.9 is half a point and no more, whatever floats make of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from trayecto.comparison import SUCCESS, Change, Regression, Regressions, TaskChange
from trayecto.decisions._arm import Run
from trayecto.decisions._pairing import Pair
from trayecto.decisions._parting import parting
from trayecto.document import shorten
from trayecto.metrics import Column
from trayecto.stats.dropped import dropped
from trayecto.stats.multiplicity import benjamini_hochberg
from trayecto.stats.two_by_two import fisher_exact

EXAMPLES = 20
DIGITS = 12  # of a mean: 5/6 and 2/6 are half a point apart, whatever floats make of it
POINTS = frozenset({"share", "points"})  # units in which half a point is half of something


def changed(pairs: Iterable[Pair]) -> list[TaskChange]:
    """The tasks with another share of successes: those that got worse first, each by name."""
    graded = [pair for pair in pairs if pair.base.graded and pair.candidate.graded]
    adjusted = benjamini_hochberg([_fisher(pair) for pair in graded])
    found = [
        replace(_change(pair), p_adjusted=p_value)
        for pair, p_value in zip(graded, adjusted, strict=True)
        if _moved(pair)
    ]
    return sorted(found, key=lambda change: (change.change != "worse", change.task))


def _fisher(pair: Pair) -> float:
    """How likely so different successes of one task are, if nothing changed."""
    base, candidate = pair.base, pair.candidate
    return fisher_exact(base.succeeded, base.graded, candidate.succeeded, candidate.graded)


def _moved(pair: Pair) -> int:
    """How the share of successes moved: above 0 where it rose, below where it fell."""
    base, candidate = pair.base, pair.candidate
    return candidate.succeeded * base.graded - base.succeeded * candidate.graded


def _change(pair: Pair) -> TaskChange:
    """What changed: the runs that part are a success of the better side, a failure of the other."""
    rose = _moved(pair) > 0
    change: Change = "better" if rose else "worse"
    base, candidate = pair.base.runs.get(not rose), pair.candidate.runs.get(rose)
    parted = written = None
    if base is not None and candidate is not None:
        parted = parting(base.steps, candidate.steps)
        written = parting(
            [step for step in base.steps if step.writes],
            [step for step in candidate.steps if step.writes],
        )
    return TaskChange(
        task=shorten(pair.name),
        change=change,
        base=f"{pair.base.succeeded}/{pair.base.graded}",
        candidate=f"{pair.candidate.succeeded}/{pair.candidate.graded}",
        base_run=None if base is None else shorten(base.id),
        candidate_run=None if candidate is None else shorten(candidate.id),
        parted=parted,
        parted_write=written,
        base_broke=_broke(base),
        candidate_broke=_broke(candidate),
    )


def _broke(run: Run | None) -> str | UnsetType:
    return run.status if run is not None and run.broke else UNSET


def regressed(pairs: Sequence[Pair], columns: Iterable[Column]) -> Regressions:
    """The tasks that fell by more than half a point, by metric; each is an example once."""
    counts: Counter[str] = Counter()
    examples: list[Regression] = []
    told: set[str] = set()
    for column in sorted(columns, key=lambda column: column.id != SUCCESS):
        if column.unit not in POINTS or column.better == "neither":
            continue
        for pair in pairs:
            base = pair.base.values.get(column.summary)
            candidate = pair.candidate.values.get(column.summary)
            if base is None or candidate is None:
                continue
            values = [round(each.value, DIGITS) for each in (base, candidate)]
            if dropped(*(values if column.better == "higher" else reversed(values))):
                counts[column.summary] += 1
                if len(examples) < EXAMPLES and pair.name not in told:
                    told.add(pair.name)
                    examples.append(
                        Regression(
                            metric=column.summary,
                            task=shorten(pair.name),
                            base=base.value,
                            candidate=candidate.value,
                        )
                    )
    return Regressions(counts=dict(sorted(counts.items())), examples=examples)
