"""Cost per accepted run: the whole bill over what it bought."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET

from trayecto.spread import ALIKE
from trayecto.summaries.cost_per_accepted import Accumulator

Make = Callable[..., Any]

NAME = "cost_per_accepted_usd"


def test_the_golden_ratio(record: Make, total: Make, dollar: Make) -> None:
    """Golden cost_ratio_se: 1.40 dollars for four accepted runs are 0.35."""
    costs, accepted = [0.1, 0.2, 0.3, 0.4, 0.15, 0.25], [1, 0, 1, 0, 1, 1]
    made = [
        record(f"t{at}", tokens=round(cost * 1_000_000), success=bool(accepted[at]))
        for at, cost in enumerate(costs)
    ]
    found = total(made, dollar).metrics[NAME]
    assert (found.value, found.total, found.missing) == (pytest.approx(0.35), 1.4, 0)
    assert (found.n, found.of, found.tasks, found.why) == (4, 6, 4, UNSET)


@pytest.mark.parametrize(
    ("tokens", "successes", "each"), [(6_000, 91, 0.006593), (80_000, 94, 0.085106)]
)
def test_the_two_agents_of_the_article(
    record: Make, total: Make, dollar: Make, tokens: int, *, successes: int, each: float
) -> None:
    """Golden cost_example_two_agents: 0.91 at 0.006 and 0.94 at 0.08 dollars a task."""
    made = [record(f"t{at}", tokens=tokens, success=at < successes) for at in range(100)]
    assert total(made, dollar).metrics[NAME].value == pytest.approx(each, abs=5e-7)


def test_broken_runs_are_paid_too(record: Make, total: Make, dollar: Make) -> None:
    """STATISTICS 1.8: the cost of all runs, also of those that the infrastructure broke."""
    made = [
        record("t", tokens=1_000_000),
        record("t", tokens=2_000_000, status="infra_error", success=None),
    ]
    assert total(made, dollar).metrics[NAME].value == 3


def test_an_unknown_cost_leaves_it_unknown(record: Make, total: Make, dollar: Make) -> None:
    """A part of a bill is no bill; the reason counts what is known."""
    made = [record("t", tokens=5), record("t"), record("t", tokens=5, model="other")]
    found = total(made, dollar).metrics[NAME]
    assert (found.value, found.total, found.missing) == (None, None, 2)
    assert found.why == "cost known for 1 of 3 runs"


def test_nothing_accepted_has_no_price(record: Make, total: Make, dollar: Make) -> None:
    """Neither 0 nor infinite; the money spent stands beside it."""
    made = [record("t", tokens=1_000_000, success=False)]
    found = total(made, dollar).metrics[NAME]
    assert (found.value, found.n, found.total) == (None, 0, 1.0)
    assert found.why == "no run was accepted"


def test_a_run_over_its_budget_is_not_accepted(record: Make, total: Make, dollar: Make) -> None:
    """Accepted is what task_success counts: a recorded success that broke is none."""
    made = [record("t", tokens=1_000_000, status="budget_exceeded"), record("t", tokens=1_000_000)]
    assert total(made, dollar).metrics[NAME].value == 2


@pytest.mark.parametrize("known", [True, False])
def test_an_unknown_success_is_no_failure(
    record: Make, total: Make, dollar: Make, *, known: bool
) -> None:
    """Two ungraded runs may be bought or lost: the price of a success is not known."""
    made = [record("t", tokens=5, success=end) for end in (known, None, None)]
    found = total(made, dollar).metrics[NAME]
    assert (found.value, found.n, found.missing) == (None, int(known), 0)
    assert found.why == "acceptance unknown for 2 of 3 runs"


def test_where_nobody_graded_anything_it_is_unknown(
    record: Make, total: Make, dollar: Make
) -> None:
    """That is not the same as a run that was not accepted."""
    made = [record("t", tokens=5, success=None), record("t", tokens=5, grade="held")]
    assert total(made, dollar).metrics[NAME].why == "acceptance unknown for 2 of 2 runs"


def test_the_unknown_merge(record: Make, scored: Make, dollar: Make) -> None:
    """An ungraded run of another part is not forgotten."""
    runs, columns = scored([record("t", tokens=5), record("t", tokens=5, success=None)], dollar)
    whole, part = Accumulator(columns), Accumulator(columns)
    whole.add(runs[0])
    part.add(runs[1])
    whole.merge(part)
    assert whole.metrics()[NAME].why == "acceptance unknown for 1 of 2 runs"


def test_minutes_at_a_stated_rate_are_a_part_of_the_bill(
    record: Make, total: Make, stated: Make
) -> None:
    """By hand: 2 dollars of tokens and 6 minutes, 3 dollars, for one accepted run of two."""
    made = [
        record("t", tokens=1_000_000, human_minutes=4.0),
        record("t", tokens=1_000_000, human_minutes=2.0, success=False),
    ]
    found = total(made, stated).metrics
    assert (found[NAME].value, found[NAME].total) == (5, 5)
    assert found["cost_usd"].total == 2


def test_minutes_that_are_not_all_known_or_priced_are_left_out(
    record: Make, total: Make, dollar: Make, stated: Make
) -> None:
    """The bill is that of models and tools, and the minutes say that they are not in it."""
    for minutes, prices in (((4.0, None), stated), ((4.0, 2.0), dollar)):
        made = [record("t", tokens=1_000_000, human_minutes=each) for each in minutes]
        [group] = total(made, prices).groups
        assert (group.metrics[NAME].value, group.human.in_cost_per_accepted) == (1, False)


def test_minutes_merge(record: Make, scored: Make, stated: Make) -> None:
    """Each part brings its own."""
    made = [record("t", tokens=1_000_000, human_minutes=each) for each in (1.0, 3.0)]
    runs, columns = scored(made, stated)
    whole = Accumulator(columns)
    for run in runs:
        part = Accumulator(columns)
        part.add(run)
        whole.merge(part)
    assert whole.metrics()[NAME].value == 2


def test_the_interval_resamples_the_tasks(record: Make, total: Make, dollar: Make) -> None:
    """Two tasks, $1 and $3, one accepted run each: of four resamples two are all of one task."""
    made = [record("a", tokens=1_000_000), record("b", tokens=3_000_000)]
    found = total(made, dollar).metrics[NAME]
    assert (found.value, found.method, found.clusters) == (2, "cluster_bootstrap", 2)
    assert found.interval == pytest.approx((1.075, 2.925))  # of 1, 2, 2, 3, linear


def test_resamples_without_an_accepted_run_leave_it_unbounded(
    record: Make, total: Make, dollar: Make
) -> None:
    """One accepted task of three: in 8 of 27 resamples it is missing."""
    made = [record(case, tokens=1_000_000, success=case == "a") for case in "abc"]
    found = total(made, dollar).metrics[NAME]
    assert (found.value, found.interval[1]) == (3, None)


def test_many_tasks_are_linearised(record: Make, total: Make, dollar: Make) -> None:
    """600 tasks at $1 and $3, all accepted: $2, and an error of 1/sqrt(599); t(599) is 1.963938."""
    made = [record(f"t{at}", tokens=(1 + at % 2 * 2) * 1_000_000) for at in range(600)]
    found = total(made, dollar).metrics[NAME]
    assert found.interval == pytest.approx((1.919756, 2.080244), abs=1e-6)
    assert (found.value, found.method) == (2, "linearised")


@pytest.mark.parametrize("tasks", [3, 600])
def test_tasks_that_cost_the_same_have_no_interval(
    record: Make, total: Make, dollar: Make, tasks: int
) -> None:
    """One of no width would say that the next task costs just as much."""
    found = total([record(f"t{at}", tokens=1_000_000) for at in range(tasks)], dollar).metrics[NAME]
    assert (found.value, found.interval, found.interval_why) == (1, None, ALIKE)


def test_minutes_in_the_bill_are_of_no_task(record: Make, total: Make, stated: Make) -> None:
    """So nothing tells how they vary."""
    made = [record(case, tokens=1_000_000, human_minutes=2.0) for case in "ab"]
    found = total(made, stated).metrics[NAME]
    assert found.interval is None
    assert found.interval_why == "what people's minutes cost is not told by task"
