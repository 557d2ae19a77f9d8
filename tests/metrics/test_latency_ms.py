"""Latency: the recorded time of an attempt."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.formats import read
from trayecto.metrics.latency_ms import IMPOSSIBLE, UNTIMED, latency_ms
from trayecto.scores import Score

Make = Callable[..., Any]


@pytest.mark.parametrize("took", [0, 410, 1200.5])
def test_the_recorded_time(judge: Make, run: Make, took: float) -> None:
    """A recorded time is the value, zero too."""
    assert judge(latency_ms, run("a", latency_ms=took)) == Score(took)


def test_without_times_it_is_unknown(judge: Make, run: Make) -> None:
    """An unknown time is not 0."""
    assert judge(latency_ms, run("a")) == UNTIMED == Score(None, "the trace has no times")


@pytest.mark.parametrize("took", [-3.5, 1.7e308, 1e12 + 1])
def test_a_time_that_cannot_be_is_none(judge: Make, run: Make, took: float) -> None:
    """A clock that was set back measured nothing, nor does one that ran for thirty years."""
    assert judge(latency_ms, run("a", latency_ms=took)) == IMPOSSIBLE


@pytest.mark.parametrize(("second", "took"), [(', "latency_ms": 90', 500), ("", None)])
def test_the_times_of_the_generations_add_up(
    judge: Make, tmp_path: Path, second: str, took: object
) -> None:
    """Only where every generation has its time: part of a sum is no sum."""
    path = tmp_path / "runs.jsonl"
    path.write_text(
        '{"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "a", '
        f'"latency_ms": 410}}, {{"role": "assistant", "content": "b"{second}}}]}}',
        "utf-8",
    )
    [record] = read(path)
    assert judge(latency_ms, record.trajectory).value == took
