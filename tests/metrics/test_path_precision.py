"""Precision of the path: which share of what was done belongs to the reference."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.path_precision import NOTHING, needs, path_precision
from trayecto.scores import Score

Make = Callable[..., Any]

SEARCH, OPEN = ("search", {"q": "visado"}), ("open", {"id": 7})


@pytest.mark.parametrize(
    ("calls", "share"),
    [
        ([OPEN, SEARCH, SEARCH], 3 / 3),
        ([SEARCH, OPEN], 2 / 2),
        ([SEARCH, SEARCH, SEARCH, OPEN], 3 / 4),
        ([SEARCH, SEARCH, OPEN], 3 / 3),
    ],
)
@pytest.mark.parametrize("mode", ["exact", "in_order", "any_order", "multiset"])
def test_repeated_legitimate_calls(
    judge: Make, run: Make, make_case: Make, *, calls: list[object], share: float, mode: str
) -> None:
    """INPUT-01's column, the same in every mode, never above 1."""
    case = make_case([SEARCH, SEARCH, OPEN], mode)
    assert judge(path_precision, run(*calls), case) == Score(share)


def test_nothing_expected(judge: Make, run: Make, make_case: Make) -> None:
    """INPUT-04: a n/a, b 0/1, c 1/1, d n/a."""
    found = [
        judge(path_precision, run(), make_case([], "exact")),
        judge(path_precision, run(("web_search", {"q": "2+2"})), make_case([], "exact")),
        judge(path_precision, run(("handoff_sales", {})), make_case([("handoff_sales", {})])),
        judge(path_precision, run(), make_case([("lookup", {"id": 1})])),
    ]
    assert found == [NOTHING, Score(0.0), Score(1.0), NOTHING]


def test_failed_attempts_do_not_count(judge: Make, run: Make, make_case: Make) -> None:
    """INPUT-03: precision on successful calls 1.0; where all failed, nothing was done."""
    case = make_case(["get_order", "refund"])
    failed = ("refund", {}, "503 timeout", "error")
    assert judge(path_precision, run("get_order", failed, "refund"), case) == Score(1.0)
    assert judge(path_precision, run(failed), case) == Score(None, "no call was done")


def test_what_it_needs(make_case: Make) -> None:
    """A reference that asserts something: an empty one does so only where extras are forbidden."""
    assert needs(None) == needs(make_case(None, min_calls=1)) == "no reference path"
    assert needs(make_case([], "in_order")) == "an empty reference asserts nothing in mode in_order"
    assert needs(make_case([], "exact")) is needs(make_case([], "subset")) is None
