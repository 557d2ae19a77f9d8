"""Which runs may be used as they are."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.case import Case, Limits, StateCheck
from trayecto.metrics import Findings, score
from trayecto.metrics.accepted import explain
from trayecto.prices import PriceTable
from trayecto.records import Record
from trayecto.scores import Score
from trayecto.trajectory import Spent, Trajectory, Usage

Make = Callable[..., Any]
SPENT = (Spent("m", Usage(900, None, None, 100)),)  # 900 * 3 + 100 * 15 = 4,200 micro-dollars


def judge(trajectory: Trajectory, case: Case | None, prices: PriceTable | None = None) -> Score:
    """Score a run with every metric, and return this one."""
    [scored] = score([Record(trajectory, case)], prices=prices)
    return scored.scores[scored.plan.at["accepted"]]


def test_without_limits_and_critical_checks_it_is_success(run: Make) -> None:
    """And unknown where success is."""
    assert judge(run("a", success=True), None) == Score(value=True)
    assert judge(run("a", success=False), None) == Score(value=False)
    assert judge(run("a"), None) == Score(None, "nobody knows whether the run succeeded")


def test_a_run_that_broke_is_not_accepted(run: Make) -> None:
    """As in task_success: operational."""
    assert judge(run("a", success=True, status="infra_error"), None) == Score(value=False)


def test_a_critical_finding_rejects(run: Make, make_case: Make) -> None:
    """Also where the budget cannot be told."""
    case = make_case(None, forbidden=("b",), limits=Limits(tokens=5))
    assert judge(run("b", success=True), case) == Score(value=False)


@pytest.mark.parametrize(
    ("limits", "accepted"),
    [
        (Limits(), True),
        (Limits(calls=2), True),
        (Limits(calls=1), False),
        (Limits(seconds=1.5), True),
        (Limits(seconds=1.4), False),
        (Limits(tokens=1000), True),
        (Limits(tokens=999), False),
        (Limits(cost_usd=0.0042), True),
        (Limits(cost_usd=0.0041), False),
        (Limits(calls=2, tokens=999), False),
    ],
)
def test_every_limit_counts(
    run: Make, make_case: Make, article_prices: PriceTable, limits: Limits, *, accepted: bool
) -> None:
    """Two calls, 1.5 s, 1,000 tokens, 0.0042 dollars; a limit itself may be reached."""
    made = run("a", "b", success=True, spent=SPENT, latency_ms=1500.0)
    found = judge(made, make_case(None, limits=limits), article_prices)
    assert found == Score(value=accepted)


def test_the_case_s_own_budget_of_calls_counts(run: Make, make_case: Make) -> None:
    """max_calls is a limit like the others."""
    case = make_case(None, max_calls=1)
    assert judge(run("a", success=True), case) == Score(value=True)
    assert judge(run("a", "b", success=True), case) == Score(value=False)


@pytest.mark.parametrize("limits", [Limits(seconds=9), Limits(tokens=9), Limits(cost_usd=9)])
def test_unknown_usage_under_a_limit_is_undefined(
    run: Make, make_case: Make, limits: Limits
) -> None:
    """Ruling 10; a limit that is known to be broken rejects all the same."""
    case = make_case(None, limits=limits)
    told = "a limit is set, and the trace does not tell what was spent"
    assert judge(run("a", success=True), case) == Score(None, told)
    both = make_case(None, limits=limits, max_calls=1)
    assert judge(run("a", "b", success=True), both) == Score(value=False)


def test_a_critical_check_that_could_not_be_made_leaves_it_open(run: Make, make_case: Make) -> None:
    """Nothing was checked is never a pass."""
    case = make_case(None, state=StateCheck(unchanged=True))
    found = judge(run("a", success=True), case)
    assert found == Score(None, "final_state.unchanged could not be evaluated")


def test_a_run_that_failed_anyway_is_known_to(run: Make, make_case: Make) -> None:
    """Though nobody knows whether it succeeded."""
    case = make_case(None, forbidden=("b",), max_calls=2)
    for calls, accepted in ((["b"], False), (["a"] * 3, False), (["a"], None)):
        assert judge(run(*calls), case).value is accepted


def test_it_says_what_is_in_the_way(run: Make, make_case: Make) -> None:
    """Each critical finding and each limit, with its numbers."""
    limits = Limits(seconds=10, tokens=900)
    case = make_case(None, forbidden=("b",), max_calls=1, limits=limits)
    made = run("a", "b", success=True, spent=SPENT, latency_ms=20_000.0)
    [scored] = score([Record(made, case)])
    assert explain(scored.facts, case, Findings(scored.plan, scored.scores)) == (
        "not accepted: forbidden_tools failed, which is critical; it made more calls than the case "
        "allows; seconds 20, allowed 10; tokens 1000, allowed 900"
    )
