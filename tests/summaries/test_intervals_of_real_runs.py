"""Intervals of real runs, held against scipy and statsmodels on the same means of tasks."""

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from msgspec import UNSET
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from trayecto.figures import Metric
from trayecto.formats import read
from trayecto.metrics import score
from trayecto.records import Record
from trayecto.summaries import Document, summarize
from trayecto.trajectory import Trajectory

AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"
PIPELINE = "data/agentdyn/runs/gpt-4o-2024-08-06"


@pytest.fixture(scope="module")
def airline(shared: Path) -> Document:
    """Return the report of 50 tasks by four trials."""
    return summarize(score(read(shared / AIRLINE)))


@pytest.fixture(scope="module")
def rewards(shared: Path) -> dict[int, list[float]]:
    """Return the rewards by task, read with nothing of ours."""
    found: dict[int, list[float]] = defaultdict(list)
    for run in json.loads((shared / AIRLINE).read_text("utf-8")):
        found[run["task_id"]].append(run["reward"])
    return found


def by_hand(means: list[float]) -> tuple[float, float]:
    """Return Wilson's interval on the effective size, with scipy's quantile, step by step."""
    p, error, count = fmean(means), stats.sem(means), len(means)
    n = p * (1 - p) / error**2
    t = stats.t.ppf(0.975, count - 1)
    centre = (p + t * t / (2 * n)) / (1 + t * t / n)
    half = t / (1 + t * t / n) * np.sqrt(p * (1 - p) / n + t * t / (4 * n * n))
    return float(centre - half), float(centre + half)


def test_success_is_by_task(airline: Document, rewards: dict[int, list[float]]) -> None:
    """DESIGN's own example: 0.42, from 0.32 to 0.53; by trial it would promise more."""
    success = airline.metrics["task_success"]
    means = [fmean(trials) for trials in rewards.values()]
    assert success.interval == pytest.approx(by_hand(means))
    assert [round(end, 2) for end in success.interval] == [0.32, 0.53]
    assert (success.method, success.clusters, success.cluster) == ("wilson_neff_t", 50, "task")
    low, high = proportion_confint(84, 200, method="wilson")
    assert success.interval[0] < low < high < success.interval[1]


def test_all_of_four_is_by_task(airline: Document, rewards: dict[int, list[float]]) -> None:
    """pass^4: one yes or no a task, so that its interval has 50 values behind it."""
    found = airline.metrics["pass_hat_k"]["4"]
    every = [float(all(trials)) for trials in rewards.values()]
    assert found.value == pytest.approx(fmean(every))
    assert found.interval == pytest.approx(by_hand(every))
    assert found.clusters == 50


def test_counts_take_student(airline: Document) -> None:
    """Repeated calls in a run are no share: the interval is Student's, and not below 0."""
    found = airline.metrics["repeated_calls"]
    assert found.method == "cluster_t"
    assert 0 <= found.interval[0] < found.value < found.interval[1]


def test_every_number_with_a_value_says_how_sure_it_is(airline: Document) -> None:
    """An interval with its method and clusters, or the reason; coverage is a count of what was."""
    for name, found in airline.metrics.items():
        figures = [found] if isinstance(found, Metric) else list(found.values())
        for figure in figures:
            if figure.value is None or name == "coverage":
                continue
            assert figure.clusters is not UNSET, name
            assert (figure.interval is None) == (figure.interval_why is not UNSET), name
            assert (figure.method is None) == (figure.interval is None), name


def test_declared_clusters_of_real_runs(shared: Path) -> None:
    """AgentDyn: ten injections on each of 20 user tasks are 20 clusters, and not 200 tasks."""
    document = summarize(score(read(shared / PIPELINE)))
    group = next(
        each for each in document.groups if each.suite == "dailylife/important_instructions"
    )
    success = group.metrics["task_success"]
    assert (success.tasks, success.clusters, success.cluster) == (200, 20, "declared")
    low, high = proportion_confint(102, 200, method="wilson")
    assert success.interval[0] < low < high < success.interval[1]


@pytest.fixture
def made() -> Callable[..., list[Record]]:
    """Return a maker of runs: a letter for each trial of a task."""

    def made(ends: dict[str, str]) -> list[Record]:
        return [
            Record(
                Trajectory(
                    id=f"{case}{trial}", suite="s", candidate="c", case_id=case, trial=trial,
                    turns=(), status="completed", success=end == "p",
                )
            )
            for case, runs in ends.items()
            for trial, end in enumerate(runs)
        ]  # fmt: skip

    return made


@pytest.mark.parametrize(
    ("ends", "low", "high"),
    [
        # golden rate_interval_equal_task_means: five tasks, each two of four
        (dict.fromkeys("abcde", "ppff"), 0.110588, 0.889412),
        # golden clustered_all_same: three tasks that always pass
        (dict.fromkeys("abc", "pp"), 0.139452, 1.0),
        # golden rate_interval_default_macro
        ({"a": "ppf", "b": "ff", "c": "pppf", "d": "ppp", "e": "fp"}, 0.204653, 0.883953),
    ],
)
def test_the_golden_intervals_come_out_of_a_report(
    made: Callable[..., list[Record]], ends: dict[str, str], low: float, high: float
) -> None:
    """From runs to the document, in both views."""
    success = summarize(score(made(ends))).metrics["task_success"]
    assert success.interval == pytest.approx((low, high), abs=5e-7)
    assert success.capability_interval == pytest.approx((low, high), abs=5e-7)


def test_one_task_has_no_interval(made: Callable[..., list[Record]]) -> None:
    """However many trials it has: they tell of no other task."""
    success = summarize(score(made({"a": "ppppffff"}))).metrics["task_success"]
    assert (success.value, success.interval) == (0.5, None)
    assert success.interval_why == "one cluster: nothing tells how much another would differ"
    assert success.clusters == 1


def test_any_split_gives_the_same_intervals(made: Callable[..., list[Record]]) -> None:
    """To the bit, whatever the order in which runs come."""
    ends = {f"t{number}": "pf" * (number % 3 + 1) + "p" for number in range(12)}
    records = made(ends)
    one, other = (summarize(score(some)).metrics for some in (records, records[::-1]))
    for name, found in one.items():
        if isinstance(found, Metric):
            assert found.interval == other[name].interval, name
