"""Documents and scored runs to report on: made up, and one that is real."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trayecto.document import (
    Abandoned,
    Blame,
    CallCounts,
    Check,
    Checked,
    CheckedRun,
    Confused,
    DearStep,
    DearSteps,
    Group,
    Human,
    Read,
    RightAnswer,
    RightAnswers,
    Selection,
    StepTokens,
    Told,
    ToolChoice,
)
from trayecto.figures import Metric, PassK
from trayecto.formats import read
from trayecto.metrics import Scores, score
from trayecto.records import Record
from trayecto.summaries import Document, summarize
from trayecto.trajectory import Call, Source, Trajectory, Turn

AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"
HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "\x1b]52;c;cm0gLXJmIC8=\x07",
    "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "[/x]",
    "[bold red]big[/bold red]",
    ":smile:",
    "abc\u202egnp.exe",
    "two\nlines",
    "back\rover",
    "tab\tbell\x07",
    "zero\u200bwidth\u2060",
    "c1 \x9b31m csi",
    "lone \ud800 surrogate",
    "wide 漢字 and 👩\u200d👩\u200d👧",
    "e\u0301" * 50,
    "x" * 10_240,
    "::add-mask::x",
    "##vso[task.setvariable variable=x]y",
)


class Make:
    """Builders of the parts of a document, each with plain defaults."""

    @staticmethod
    def metric(value: float | None = 0.5, **fields: object) -> Metric:
        """A share of ten runs."""
        given = {
            "n": 0 if value is None else 10,
            "of": 10,
            "tasks": 5,
            "unit": "share",
            "better": "higher",
            "over": "valid",
        }
        return Metric(value=value, **{**given, **fields})

    @staticmethod
    def pass_k(value: float | None = 0.5, **fields: object) -> PassK:
        """One k on all of five tasks."""
        return PassK(**{"value": value, "available": value, "tasks": 5, "of": 5, **fields})

    @staticmethod
    def blame(
        tool: str | None = "pay", cause: str | None = "wrong_write", **fields: object
    ) -> Blame:
        """Three of the failed runs."""
        given = {"trajectories": 3, "share": 0.6, "turn": 7, "example": "run#1"}
        given |= {"file": "runs.json", "record": 1}
        return Blame(tool=tool, cause=cause, **{**given, **fields})

    @staticmethod
    def right(count: int, of: int, *ids: str) -> RightAnswers:
        """Right answers by a path that does not match."""
        where = {"file": "runs.json", "record": 1, "case": "c1"}
        examples = [RightAnswer(id=id_, failed=["path_match"], **where) for id_ in ids]
        return RightAnswers(count=count, of=of, examples=examples)

    @staticmethod
    def check() -> Check:
        """An assertion that failed once, and could not be evaluated once."""
        at = {"id": "run#1", "file": "runs.json", "record": 1, "case": "c1"}
        runs = [CheckedRun(**at, failed=True), CheckedRun(**at, failed=False)]
        counts = {"asserted": 9, "failed": 1, "not_evaluated": 1, "undefined": {"it broke": 1}}
        return Check(metric="answer", **counts, examples=runs)

    @staticmethod
    def confused(expected: str | None, called: str | None, count: int = 1) -> Confused:
        """A pair of tools, found first in one run."""
        where = {"example": "run#1", "file": "runs.json", "record": 1}
        return Confused(expected=expected, called=called, count=count, **where)

    @staticmethod
    def choice(tool: str | None, **fields: object) -> ToolChoice:
        """Four calls were expected, two of them were right."""
        given = {"of": 4, "right": 2, "confused": 1, "missed": 1, "called": 2}
        return ToolChoice(**{"tool": tool, **given, "precision": 1.0, "recall": 0.5, **fields})

    @staticmethod
    def selection(*tools: ToolChoice, **fields: object) -> Selection:
        """What ten of ten runs were compared with."""
        return Selection(**{"trajectories": 10, "of": 10, "tools": list(tools), **fields})

    @staticmethod
    def step(tool: str | None = "pay", **fields: object) -> DearStep:
        """Four calls that observed 30 characters each; tokens and cost are not known."""
        given = {"calls": 4, "observed": 4, "characters": 120, "mean_characters": 30.0}
        given |= {"counted": 0, "tokens": None, "mean_tokens": None}
        given |= {"priced": 0, "cost_usd": None, "mean_usd": None}
        given |= {"timed": 0, "mean_latency_ms": None}
        given |= {"example": "run#1", "file": "runs.json", "record": 1, "call": 2}
        return DearStep(**{"tool": tool, **given, **fields})

    def dear_step(self, tool: str = "pay", **fields: object) -> DearStep:
        """The same, with 1,000 tokens and a cent for each call."""
        tokens = StepTokens(input=3900, cache_read=None, cache_write=None, output=100)
        known = {"counted": 4, "tokens": tokens, "mean_tokens": 1000.0}
        known |= {"priced": 4, "cost_usd": 0.04, "mean_usd": 0.01}
        return self.step(tool, **{**known, **fields})

    @staticmethod
    def steps(*tools: DearStep, by: str = "cost", **fields: object) -> DearSteps:
        """The steps of ten runs."""
        given = {"trajectories": 10, "positions": [], "answers": None, "undefined": {}}
        return DearSteps(**{**given, "by": by, "tools": list(tools), **fields})

    @staticmethod
    def human(**fields: object) -> Human:
        """Ten runs that tell nothing of people."""
        nothing = Told(total=None, mean=None, n=0)
        given = {"of": 10, "minutes": nothing, "interventions": nothing, "human_usd": None}
        given |= {"in_cost_per_accepted": False, "undefined": {"minutes": "nobody tells"}}
        given["abandoned"] = Abandoned(runs=None, share=None, n=0, median_seconds=None)
        return Human(**{**given, **fields})

    def told(self, **fields: object) -> Human:
        """Ten runs, eight of which tell what people did."""
        told = {"minutes": Told(total=12.5, mean=1.5625, n=8)}
        told |= {"interventions": Told(total=3, mean=0.375, n=8)}
        told |= {"abandoned": Abandoned(runs=2, share=0.25, n=8, median_seconds=45.5)}
        return self.human(**{**told, **fields})

    def group(self, **fields: object) -> Group:
        """Five of ten runs succeeded, on five tasks with two trials each."""
        given = {
            "suite": "shop",
            "candidate": "agent",
            "files": ["runs.json"],
            "trajectories": 10,
            "tasks": 5,
            "trials": None,
            "succeeded": 5,
            "failed": 5,
            "ungraded": 0,
            "statuses": {"completed": 10},
            "calls": CallCounts(total=1164, ok=1091, error=73, unknown=0),
            "metrics": {"task_success": self.metric(over="runs")},
            "attribution": [],
            "confusion": [],
            "selection": self.selection(),
            "dear_steps": self.steps(),
            "human": self.human(),
            "right_answers": self.right(0, 5),
            "checks": [],
            "checked": Checked(trajectories=0, failed=0, not_evaluated=0),
        }
        return Group(**{**given, **fields})

    @staticmethod
    def read(**fields: object) -> Read:
        """One file of ten records."""
        given = {
            "files": 1,
            "records": 10,
            "rejected": 0,
            "unreadable": fields.get("rejected", 0) - len(fields.get("failed", ())),
            "names": ["runs.json"],
            "skipped": [],
            "failed": [],
            "repeated_call_ids": 0,
        }
        return Read(**{**given, **fields})

    def document(self, *groups: Group, **fields: object) -> Document:
        """A report of some groups."""
        given = {
            "read": self.read(),
            "formats": {"tau_bench": 10},
            "trajectories": sum(group.trajectories for group in groups),
            "tasks": sum(group.tasks for group in groups),
            "statuses": {},
            "calls": CallCounts(total=0, ok=0, error=0, unknown=0),
            "groups": list(groups),
        }
        return Document(**{**given, **fields})


@pytest.fixture(scope="session")
def make() -> Make:
    """Return the builders of documents."""
    return Make()


@pytest.fixture(params=HOSTILE, ids=range(len(HOSTILE)))
def hostile(request: pytest.FixtureRequest) -> str:
    """Return a text that is dangerous, ugly or long to print."""
    return request.param


@pytest.fixture(scope="session")
def trajectory() -> Callable[..., Trajectory]:
    """Return a function that makes a trajectory of some calls, one a turn."""

    def make_one(*calls: Call, **fields: object) -> Trajectory:
        turns = [Turn(1, "user", "please help")]
        turns += [Turn(2 * call.index, "assistant", None, (call,)) for call in calls]
        given = {"id": "t1", "suite": "s", "candidate": "c", "case_id": "1", "trial": 0}
        source = Source("tau_bench", "runs.json", 4)
        return Trajectory(**{**given, "turns": tuple(turns), "source": source, **fields})

    return make_one


@pytest.fixture(scope="session")
def scores() -> Callable[..., Scores]:
    """Return a function that scores trajectories by no case."""
    return lambda *runs: score([Record(run) for run in runs])


@pytest.fixture(scope="session")
def airline_scores(shared: Path) -> Scores:
    """Return the scores of 200 real runs."""
    return score(read(shared / AIRLINE))


@pytest.fixture(scope="session")
def airline(airline_scores: Scores) -> Document:
    """Return the document of 200 real runs."""
    return summarize(airline_scores)
