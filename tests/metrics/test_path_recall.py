"""Recall of the path: which share of the reference was done."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.path_recall import needs, path_recall
from trayecto.scores import Score

Make = Callable[..., Any]

SEARCH, OPEN = ("search", {"q": "visado"}), ("open", {"id": 7})


@pytest.mark.parametrize(
    ("calls", "share"),
    [
        ([OPEN, SEARCH, SEARCH], 3 / 3),
        ([SEARCH, OPEN], 2 / 3),
        ([SEARCH, SEARCH, SEARCH, OPEN], 3 / 3),
        ([SEARCH, SEARCH, OPEN], 3 / 3),
    ],
)
@pytest.mark.parametrize("mode", ["exact", "in_order", "any_order", "multiset"])
def test_repeated_legitimate_calls(
    judge: Make, run: Make, make_case: Make, *, calls: list[object], share: float, mode: str
) -> None:
    """INPUT-01's column, the same in every mode, never above 1."""
    case = make_case([SEARCH, SEARCH, OPEN], mode)
    assert judge(path_recall, run(*calls), case) == Score(share)


def test_nothing_expected(judge: Make, run: Make, make_case: Make) -> None:
    """INPUT-04: a and b n/a, c 1/1, d 0/1."""
    assert needs(make_case([], "exact")) == "the reference is empty"
    one = make_case([("handoff_sales", {})])
    assert judge(path_recall, run(("handoff_sales", {})), one) == Score(1.0)
    assert judge(path_recall, run(), make_case([("lookup", {"id": 1})])) == Score(0.0)


def test_failed_attempts_do_not_count(judge: Make, run: Make, make_case: Make) -> None:
    """INPUT-03: recall 1.0 by the retry; without it a half."""
    case = make_case(["get_order", "refund"])
    failed = ("refund", {}, "503 timeout", "error")
    assert judge(path_recall, run("get_order", failed, "refund"), case) == Score(1.0)
    assert judge(path_recall, run("get_order", failed), case) == Score(0.5)


def test_what_it_needs(make_case: Make) -> None:
    """A reference with a call."""
    assert needs(None) == needs(make_case(None, min_calls=1)) == "no reference path"
    assert needs(make_case(["a"])) is None
