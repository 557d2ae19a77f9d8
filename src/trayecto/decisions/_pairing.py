"""Which tasks of two sides belong together: those with one id and one text."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct

from trayecto.comparison import Tasks
from trayecto.decisions._arm import Side, Task
from trayecto.document import shorten
from trayecto.errors import UsageError, quoted

NAMED = 10  # tasks without a partner that are named
FEW = 3  # of each kind that an error names
ALLOWED = 0.05  # share of all tasks that may be without one


class Pair(Struct, frozen=True):
    """One task on both sides."""

    name: str
    base: Task
    candidate: Task

    @property
    def unit(self) -> Hashable:
        """What the task is independent by."""
        return self.base.unit


class Paired(Struct, frozen=True):
    """The tasks of two sides, paired, and what has no partner."""

    pairs: list[Pair]
    only_base: list[str]
    only_candidate: list[str]
    other_text: list[str]

    @property
    def unmatched(self) -> list[str]:
        """Every task without a partner."""
        return [*self.only_base, *self.only_candidate, *self.other_text]

    @property
    def declared(self) -> bool:
        """Whether cases declare clusters of several tasks."""
        return len({pair.unit for pair in self.pairs}) < len(self.pairs)

    def told(self) -> Tasks:
        """The counts, and the first that have no partner."""
        return Tasks(
            paired=len(self.pairs),
            by_id=sum(not (pair.base.texts and pair.candidate.texts) for pair in self.pairs),
            only_base=len(self.only_base),
            only_candidate=len(self.only_candidate),
            other_text=len(self.other_text),
            unmatched=[shorten(name) for name in self.unmatched[:NAMED]],
            clusters=len({pair.unit for pair in self.pairs}),
        )


def pair_tasks(base: Side, candidate: Side) -> Paired:
    """Pair the tasks of two sides; where a side does not tell a task's text the id decides.

    Raises UsageError where no task is on both sides, and where more than 5 % have no partner.
    """
    both = [name for name in base.tasks if name in candidate.tasks]
    other = [name for name in both if _differ(base.tasks[name], candidate.tasks[name])]
    lost = set(other)
    found = Paired(
        [
            Pair(name, base.tasks[name], candidate.tasks[name])
            for name in sorted(both)
            if name not in lost
        ],
        sorted(base.tasks.keys() - candidate.tasks.keys()),
        sorted(candidate.tasks.keys() - base.tasks.keys()),
        sorted(other),
    )
    _refuse_unmatched(found, base)
    return found


def _differ(base: Task, candidate: Task) -> bool:
    """Whether both sides tell the text of the task, and no run of one tells the other's."""
    return bool(base.texts and candidate.texts) and base.texts.isdisjoint(candidate.texts)


def _refuse_unmatched(found: Paired, base: Side) -> None:
    lost = found.unmatched
    total = len(found.pairs) + len(lost)
    if len(lost) <= ALLOWED * total and found.pairs:
        return
    kinds = (
        (found.only_base, "only in the base"),
        (found.only_candidate, "only in the candidate"),
        (found.other_text, "with another text"),
    )
    told = "; ".join(f"{len(names):,} {where} ({_first(names)})" for names, where in kinds if names)
    raise UsageError(
        f"suite {quoted(base.suite)}: {len(lost):,} of {total:,} tasks have no partner, and at "
        f"most 5 % may: {told}"
    )


def _first(names: list[str]) -> str:
    """The first few names."""
    shown = ", ".join(map(quoted, names[:FEW]))
    return f"{shown}, …" if len(names) > FEW else shown
