"""The figures of a group: what is written, and what is left out."""

import pytest
from msgspec import UNSET, json

from trayecto.figures import Metric, PassK

METRIC = Metric(value=0.42, n=200, of=200, tasks=50, unit="share", better="higher", over="runs")


def test_what_is_not_said_is_not_written() -> None:
    """An interval is always there, as null where there is none; its method stands beside it."""
    written = json.decode(json.encode(METRIC))
    assert written == {
        "value": 0.42, "n": 200, "of": 200, "tasks": 50, "unit": "share", "better": "higher",
        "over": "runs", "interval": None, "method": None,
    }  # fmt: skip


def test_an_interval_may_have_no_upper_end() -> None:
    """As a percentile of few tasks has none."""
    made = Metric(
        value=3.0, n=9, of=9, tasks=9, unit="ms", better="lower", over="runs",
        interval=(1.0, None), method="order_statistics", clusters=9, cluster="task",
    )  # fmt: skip
    written = json.decode(json.encode(made))
    assert written["interval"] == [1, None]
    assert (written["clusters"], written["cluster"]) == (9, "task")
    assert json.decode(json.encode(made), type=Metric) == made


def test_why_there_is_no_interval() -> None:
    """The reason is written only where there is one."""
    assert METRIC.interval_why is UNSET
    assert "interval_why" not in json.decode(json.encode(METRIC))


def test_pass_k_has_the_same_fields() -> None:
    """So that one function gives either its interval."""
    shared = {"interval", "method", "clusters", "cluster", "interval_why"}
    for kind in (Metric, PassK):
        assert shared <= set(kind.__struct_fields__)


@pytest.mark.parametrize("kind", [Metric, PassK])
def test_figures_are_frozen(kind: type) -> None:
    """Nothing downstream writes on them."""
    assert kind.__struct_config__.frozen
    assert kind.__doc__
