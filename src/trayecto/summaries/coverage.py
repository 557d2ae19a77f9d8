"""How much of what was planned can be judged, and how much of what can be solved was answered.

``coverage``. Counted: trials that were valid and graded, over all that were planned (the sum of all
statuses). Not valid: those in which the agent had no fair chance (``infra_error``,
``harness_error``, ``sim_invalid``, ``cancelled``, ``not_run``), whatever was recorded of them; not
graded: those that nobody judged, and those that are held. A failure of the agent, out of budget or
time too, is a valid trial. Unit: share of the planned trials, over all tasks together: it says how
much evidence there is, not how good the agent is. ``tasks`` are those with a trial that counts.
Higher is better; read it first, since a mean over few of the planned trials says little. Undefined
where nothing was planned, and where no grader was at work: no trial is graded, and of one nobody
recorded whether it succeeded.

``coverage.answered``. Counted: of the trials whose case says that they should be answered
(``should_abstain: false``), those in which the agent did not abstain (see ``abstention``), so that
abstaining cannot pass for caution: on a task that can be solved it leaves it unsolved. Unit: share,
trial, then task, then suite. Higher is better. Undefined where no case says so, and where nobody
can tell of any trial whether it was answered.

Source: the design's ruling 11; article 004; the project's notes on statistics (coverage is answered
among should-solve).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import fsum

from msgspec import UNSET

from trayecto.document import most_frequent, shorten
from trayecto.figures import Metric
from trayecto.metrics import Column, Scored
from trayecto.scores import NOT_ASKED, UNRECORDED
from trayecto.spread import declared, spread_of, unit_of, with_spread
from trayecto.trajectory import INVALID

UNPLANNED = "no trial was planned"


class Accumulator:
    """Trials that count, why others do not, and the answers to tasks that can be solved."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with nothing planned."""
        self.planned = 0
        self.counted = 0
        self.tasks: set[str] = set()
        self.whys: Counter[str] = Counter()
        self.solvable = 0
        self.answers: dict[str, list[int]] = {}  # by task: trials that tell, and those answered
        self.units: dict[str, Hashable] = {}
        self.untold: Counter[str] = Counter()

    def add(self, run: Scored) -> None:
        """Count one trial."""
        self.planned += 1
        trajectory, case = run.trajectory, run.case
        if run.success is None or trajectory.status in INVALID:
            self.whys[_why(run, "task_success")] += 1
        else:
            self.counted += 1
            self.tasks.add(trajectory.case_id)
        if case is not None and case.secret.should_abstain is False:
            self._answer(run)

    def _answer(self, run: Scored) -> None:
        """Count a trial that should be answered."""
        self.solvable += 1
        answered = run.value("abstention")
        if answered is None:
            self.untold[_why(run, "abstention")] += 1
            return
        name = run.trajectory.case_id
        row = self.answers.setdefault(name, [0, 0])
        row[0] += 1
        row[1] += answered is True
        self.units[name] = unit_of(None if run.case is None else run.case.cluster, name)

    def merge(self, other: Accumulator) -> None:
        """Add the trials of another part."""
        self.planned += other.planned
        self.counted += other.counted
        self.tasks |= other.tasks
        self.whys += other.whys
        self.solvable += other.solvable
        self.untold += other.untold
        self.units |= other.units
        for case, (told, answered) in other.answers.items():
            row = self.answers.setdefault(case, [0, 0])
            row[0] += told
            row[1] += answered

    def metrics(self) -> dict[str, Metric]:
        """Both shares, divided once."""
        why = self._why_uncovered()
        whole = Metric(
            value=self.counted / self.planned if why is None else None,
            n=self.counted,
            of=self.planned,
            tasks=len(self.tasks),
            unit="share",
            better="higher",
            over="runs",
            why=UNSET if why is None else why,
            undefined=most_frequent(self.whys) or UNSET,
        )
        return {"coverage": whole, "coverage.answered": self._answered()}

    def _why_uncovered(self) -> str | None:
        if not self.planned:
            return UNPLANNED
        return UNRECORDED if not self.counted and UNRECORDED in self.whys else None

    def _answered(self) -> Metric:
        rows = self.answers.values()
        units = [self.units[name] for name in self.answers]
        whys = self.untold if self.solvable else Counter({NOT_ASKED: self.planned})
        shares = [answered / told for told, answered in rows]
        value = fsum(shares) / len(shares) if shares else None
        trials = sum(told for told, _ in rows)
        spread = spread_of(shares, declared(units), share=True, trials=trials)
        metric = Metric(
            value=value,
            n=trials,
            of=self.solvable or self.planned,
            tasks=len(rows),
            unit="share",
            better="higher",
            over="runs",
            why=UNSET if value is not None else next(iter(most_frequent(whys)), NOT_ASKED),
            undefined=most_frequent(+whys) or UNSET,
        )
        return with_spread(metric, spread)


def _why(run: Scored, metric: str) -> str:
    """Why a trial does not count for a metric: its status, else what the metric says."""
    status = run.trajectory.status
    if status in INVALID:
        return f"the run broke ({status})"
    return shorten(run.scores[run.plan.at[metric]].why or "")
