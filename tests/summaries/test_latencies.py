"""Latency percentiles: observed times, whatever the split."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from trayecto.scores import Score
from trayecto.summaries import Document, latencies

Make = Callable[..., Any]


def percentiles(document: Document) -> list[float | None]:
    """Return p50 and p95."""
    return [document.metrics[f"latency_ms.{name}"].value for name in ("p50", "p95")]


def test_nearest_rank(record: Make, total: Make) -> None:
    """Of 1 to 100 ms the 50th and the 95th, in any order, by hand."""
    made = [record("t", latency_ms=time) for time in range(100, 0, -1)]
    assert percentiles(total(made)) == [50, 95]


@pytest.mark.parametrize("number", [1, 2, 19])
def test_of_few_runs_p95_is_the_longest(record: Make, total: Make, number: int) -> None:
    """STATISTICS 1.8: below 20 runs it is the maximum."""
    made = [record("t", latency_ms=10.0 * (1 + at)) for at in range(number)]
    assert percentiles(total(made))[1] == 10 * number


def test_a_percentile_was_observed(record: Make, total: Make) -> None:
    """1.001 ms stays 1.001: a float times 1000 is 1000.9999999999999."""
    assert percentiles(total([record("t", latency_ms=1.001)])) == [1.001, 1.001]


def test_timeouts_are_not_dropped(record: Make, total: Make) -> None:
    """Golden latency_censored: p50 is 130 although two of five never ended; p95 has no bound."""
    made = [record("t", latency_ms=time) for time in (100, 120, 130)]
    late = [record("t", success=False, status="deadline_exceeded") for _ in range(2)]
    document = total(made + late)
    assert percentiles(document) == [130, None]
    p95 = document.metrics["latency_ms.p95"]
    assert (p95.n, p95.of) == (3, 5)
    assert p95.undefined == {"it hit its deadline, and its time was not recorded": 2}
    assert p95.why == "it falls on a run that hit its deadline, and whose time was not recorded"


def test_a_recorded_timeout_is_a_time(record: Make, total: Make) -> None:
    """Where the time of a run at its deadline is known, it counts."""
    made = [record("t", latency_ms=60000, status="deadline_exceeded")]
    assert percentiles(total(made)) == [60000, 60000]


def test_unknown_times_are_not_zero(record: Make, total: Make) -> None:
    """They are left out, and the denominators say how many."""
    made = [record("a", latency_ms=7), record("b"), record("c", latency_ms=-1)]
    p50 = total(made).metrics["latency_ms.p50"]
    assert (p50.value, p50.n, p50.of, p50.tasks, p50.why) == (7, 1, 3, 1, UNSET)


def test_the_time_is_the_one_that_the_metric_gives(record: Make, scored: Make, total: Make) -> None:
    """One rule for the mean and for the percentiles: what ``latency_ms`` says of a run."""
    runs, columns = scored([record("t", latency_ms=7.0)])
    at = runs[0].plan.at["latency_ms"]
    scores = [Score(9.5) if at == place else score for place, score in enumerate(runs[0].scores)]
    table = latencies.Accumulator(columns)
    table.add(replace(runs[0], scores=scores))
    assert table.metrics()["latency_ms.p50"].value == 9.5
    found = total([record("t", latency_ms=7.0), record("t")]).metrics
    assert found["latency_ms"].n == found["latency_ms.p50"].n == 1


def test_times_and_unended_runs_add_up_to_no_more_than_all(record: Make, total: Make) -> None:
    """``n`` promises a value; who has none is counted apart."""
    late = [record("t", status="deadline_exceeded", success=None) for _ in range(2)]
    p50 = total([record("t", latency_ms=7), record("t"), *late]).metrics["latency_ms.p50"]
    assert (p50.n, p50.of, p50.tasks, sum(p50.undefined.values())) == (1, 4, 1, 2)


def test_without_times_there_is_no_percentile(record: Make, total: Make) -> None:
    """The reason stands in its place."""
    p50 = total([record("a")]).metrics["latency_ms.p50"]
    assert (p50.value, p50.n, p50.why) == (None, 0, "the trace has no times")


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_many_times_are_kept_coarsely_and_merge_all_the_same(
    record: Make, scored: Make, monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    """Beyond the limit all times have four digits, later ones too, however they are split."""
    monkeypatch.setattr(latencies, "EXACT", 50)
    times = [1000 + at / 1000 for at in range(80)] + [2000.001, 2000.002, 0.5]
    late = record("t", status="deadline_exceeded", success=None)
    runs, columns = scored([*(record("t", latency_ms=time) for time in times), late])
    whole = latencies.Accumulator(columns)
    for at in range(parts):
        part = latencies.Accumulator(columns)
        for run in runs[at::parts]:
            part.add(run)
        whole.merge(part)
    kept = {500: 1, 1_000_000: 80, 2_000_000: 2, latencies.LATE: 1}
    assert whole.counts == kept


def test_a_coarse_table_stays_coarse(
    record: Make, scored: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time that comes after the limit was passed is rounded like those before it."""
    monkeypatch.setattr(latencies, "EXACT", 3)
    times = [1000.001, 1000.002, 1000.003, 1000.004, 2000.009]
    runs, columns = scored([record("t", latency_ms=time) for time in times])
    table = latencies.Accumulator(columns)
    for run in runs:
        table.add(run)
    assert table.counts == {1_000_000: 4, 2_000_000: 1}


def test_the_interval_counts_tasks_and_not_runs(record: Make, total: Make) -> None:
    """Golden percentile_rank_ci_n20: with 20 tasks the median lies between the 6th and the 15th.

    Five runs of each task are no more tasks: ranks 6/20 and 15/20 of all hundred runs. Of a 95th
    percentile 20 tasks bound nothing above.
    """
    once = total([record(f"t{at:02}", latency_ms=float(at)) for at in range(1, 21)]).metrics
    assert once["latency_ms.p50"].interval == (6, 15)
    assert once["latency_ms.p95"].interval == (17, None)
    often = [record(f"t{at:02}", latency_ms=float(at)) for at in range(1, 21) for _ in range(5)]
    assert total(often).metrics["latency_ms.p50"].interval == (6, 15)
    assert once["latency_ms.p50"].method == "order_statistics"


def test_few_tasks_bound_no_percentile(record: Make, total: Make) -> None:
    """One task, whatever its runs: the reason stands in place of the interval."""
    found = total([record("t", latency_ms=float(at)) for at in range(50)]).metrics
    median = found["latency_ms.p50"]
    assert (median.interval, median.interval_why) == (None, "too few tasks to bound it")
    assert median.clusters == 1
