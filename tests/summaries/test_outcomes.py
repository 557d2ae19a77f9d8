"""Outcomes: how runs and calls ended."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from trayecto.document import CallCounts

Make = Callable[..., Any]


def test_calls_by_outcome(record: Make, total: Make) -> None:
    """ok, error and unknown add up to all."""
    open_ = record("t", "ab")
    [first, second] = open_.trajectory.turns
    unknown = replace(second.calls[0], outcome="unknown", observation=None)
    turns = (first, replace(second, calls=(unknown,)))
    run = replace(open_, trajectory=replace(open_.trajectory, turns=turns))
    found = total([run, record("t", "aBcD"), record("u", "")]).calls
    assert found == CallCounts(total=6, ok=3, error=2, unknown=1)


def test_statuses_add_up_to_the_runs(record: Make, total: Make) -> None:
    """Ruling 11: planned is the sum of all statuses, sorted by name."""
    statuses = ["completed", "not_run", "completed", "cancelled", "infra_error"]
    document = total([record("t", status=status) for status in statuses])
    expected = {"cancelled": 1, "completed": 2, "infra_error": 1, "not_run": 1}
    assert document.statuses == document.groups[0].statuses == expected
    assert list(document.statuses) == sorted(document.statuses)
    assert sum(document.statuses.values()) == document.trajectories == 5
