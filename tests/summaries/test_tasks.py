"""The table of tasks: trial, then task, then suite; nothing pooled, everything counted."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from trayecto.case import Case, CaseInput, CaseSecret
from trayecto.document import KINDS, LABEL, OTHER
from trayecto.figures import Metric
from trayecto.metrics import load
from trayecto.records import Record
from trayecto.scores import Goal, Score
from trayecto.summaries import tasks

Make = Callable[..., Any]

INFRA = {"status": "infra_error", "success": None}


def runs(record: Make, trials: dict[str, str]) -> list[Record]:
    """Make runs of tasks, a letter each: p passes, f fails, i breaks by infrastructure."""
    kinds = {"p": {"success": True}, "f": {"success": False}, "i": INFRA}
    return [record(case, **kinds[letter]) for case, made in trials.items() for letter in made]


def test_the_mean_of_tasks_is_not_the_mean_of_trials(record: Make, total: Make) -> None:
    """Three of four and one of one are 0.875; pooled they would be 4 of 5."""
    found = total(runs(record, {"t1": "pppf", "t2": "p"})).metrics["task_success"]
    assert (found.value, found.n, found.of, found.tasks) == (0.875, 5, 5, 2)
    assert (found.method, found.clusters, found.cluster) == ("wilson_neff_t", 2, "task")


def test_the_article_s_two_runs(record: Make, total: Make) -> None:
    """Article 000: efficiencies 1 and 1/3, loops 0 and 1, of two tasks, are averaged."""
    fields = {"reference": "bv"}
    made = [record("t1", "bv", **fields), record("t2", "VVVlbv", **fields)]
    found = total(made).metrics
    assert found["path_efficiency"].value == pytest.approx((1 + 1 / 3) / 2)
    assert found["loop_rate"].value == 0.5
    assert found["repeated_calls"].value == 1.5  # the letters carry no arguments, so v repeats VVV
    assert found["path_match"].value == 1


def test_a_mean_that_falls_short_of_its_starting_value_is_told(record: Make, total: Make) -> None:
    """The same two runs: 0.67 is not above 0.70, nor 0.5 below 0.02; success has no goal."""
    fields = {"reference": "bv"}
    found = total([record("t1", "bv", **fields), record("t2", "VVVlbv", **fields)]).metrics
    efficiency, loops = found["path_efficiency"], found["loop_rate"]
    assert (efficiency.goal, efficiency.short) == (Goal(above=0.70), True)
    assert (loops.goal, loops.short) == (Goal(below=0.02), True)
    assert found["task_success"].goal is found["task_success"].short is UNSET


def test_a_mean_that_keeps_to_its_starting_value_is_not_short(record: Make, total: Make) -> None:
    """A run without a detour and without a loop."""
    found = total([record("t1", "bv", reference="bv")]).metrics
    assert [found[name].short for name in ("path_efficiency", "loop_rate")] == [False, False]


def test_the_undefined_is_not_short(record: Make, total: Make) -> None:
    """Nobody told which tools there were: the starting value stands there, and no mark."""
    found = total([record("t1", "bv")]).metrics["hallucinated_tools"]
    assert (found.value, found.goal, found.short) == (None, Goal(equal=0), UNSET)


def test_infrastructure_errors_in_both_views(record: Make, total: Make) -> None:
    """INPUT-11: success 0.333 and 0.875, pass^1 to ^4 0.333, 0.167, 0.083, 0 with infra failing."""
    made = runs(record, {"T1": "piii", "T2": "iiii", "T3": "pfpp"})
    document = total(made)
    success = document.metrics["task_success"]
    hats = [each.value for each in document.metrics["pass_hat_k"].values()]
    assert success.value == success.operational == pytest.approx(1 / 3)
    assert success.capability == pytest.approx(0.875)
    assert hats == pytest.approx([1 / 3, 1 / 6, 1 / 12, 0])
    assert document.statuses == {"completed": 5, "infra_error": 7}


def test_infrastructure_errors_by_the_golden_file(record: Make, total: Make) -> None:
    """Golden passhat_infra_error_conventions: 1.0 without the broken run, 0.25 as a failure."""
    found = total(runs(record, {"t": "pppi"})).metrics["pass_hat_k"]["3"]
    assert (found.capability, found.value) == (1.0, 0.25)


@pytest.mark.parametrize(
    ("k", "strict", "available", "defined"),
    [("1", 0.75, 0.75, 3), ("2", 0.5, 0.5, 3), ("3", None, 0.625, 2), ("4", None, 0.0, 1)],
)
def test_unequal_trials(
    record: Make, total: Make, k: str, *, strict: float | None, available: float, defined: int
) -> None:
    """Golden passhat_unequal_trials: null unless every task has k trials; k 4 by hand: C(3,4)=0."""
    found = total(runs(record, {"a": "pppf", "b": "ppp", "c": "pf"})).metrics["pass_hat_k"]
    assert list(found) == ["1", "2", "3", "4"]
    each = found[k]
    assert (each.value, each.available, each.tasks, each.of) == (strict, available, defined, 3)


def test_tasks_are_averaged_not_pooled(record: Make, total: Make) -> None:
    """Golden passk_suite_per_task_then_mean: 0.611111 and 0.388889 for k 2."""
    found = total(runs(record, {"a": "pppp", "b": "ppff", "c": "ffff"})).metrics
    assert found["pass_at_k"]["2"].value == pytest.approx(0.611111, abs=5e-7)
    assert found["pass_hat_k"]["2"].value == pytest.approx(0.388889, abs=5e-7)


def test_k_ends_somewhere(record: Make, total: Make) -> None:
    """A task with a thousand trials does not make a thousand lines."""
    found = total(runs(record, {"t": "p" * 20})).metrics["pass_at_k"]
    assert list(found) == [str(k) for k in range(1, 17)]


def test_a_task_without_a_graded_run_leaves_pass_k_open(record: Make, total: Make) -> None:
    """Nobody knows: null, with the mean over the others beside it."""
    made = [*runs(record, {"a": "pf"}), record("b", success=None)]
    found = total(made).metrics
    one = found["pass_hat_k"]["1"]
    assert (one.value, one.available, one.tasks, one.of) == (None, 0.5, 1, 2)
    assert (found["task_success"].value, found["task_success"].n) == (0.5, 2)
    assert found["task_success"].undefined == {"nobody recorded whether the run succeeded": 1}


def test_nothing_graded_is_no_success_rate(record: Make, total: Make) -> None:
    """No value, and the reason in its place."""
    found = total([record("a", success=None), record("a", success=None)]).metrics
    success = found["task_success"]
    assert (success.value, success.capability, success.n, success.of) == (None, None, 0, 2)
    assert success.why == "nobody recorded whether the run succeeded"
    assert list(found["pass_at_k"]) == ["1"]
    assert found["pass_at_k"]["1"].value is found["pass_at_k"]["1"].available is None


def test_only_efficiency_of_successes_counts(record: Make, total: Make) -> None:
    """Article 000: a run that failed in its first step would be efficient."""
    made = [
        record("t", "abab", reference="ab"),
        record("t", "a", success=False, reference="ab"),
        record("t", "", reference="ab"),
    ]
    found = total(made).metrics["path_efficiency"]
    assert (found.value, found.n, found.of, found.over) == (0.5, 1, 2, "successes")
    assert found.undefined == {"the run made no call": 1}


def test_without_a_success_there_is_no_efficiency(record: Make, total: Make) -> None:
    """Not 0: there is nothing to average."""
    found = total([record("t", success=False, reference="a")]).metrics["path_efficiency"]
    assert (found.value, found.n, found.of, found.why) == (None, 0, 0, "no run succeeded")


def test_every_run_is_defined_or_has_a_reason(record: Make, total: Make) -> None:
    """N and the counted reasons add up to of, in every column."""
    made = [
        record("a", "aa", reference="a"),
        record("b", ""),
        record("c", success=None, reference=""),
        record("d", **INFRA, reference="a"),
        record("e", "b", success=False, tokens=5),
        record("e", "b", grade="held"),
    ]
    found = total(made).metrics
    for name, each in found.items():
        if name.startswith(("pass_", "latency_ms.", "cost_per")):
            continue
        reasons = {} if each.undefined is UNSET else each.undefined
        assert each.n + sum(reasons.values()) == each.of, name
        assert (each.value is None) == (each.n == 0) == (each.why is not UNSET), name
    assert found["path_recall"].undefined == {
        "no reference path": 3,
        "the reference is empty": 1,
        "the run broke (infra_error)": 1,
    }


def test_the_most_frequent_reason_stands_for_all(record: Make, total: Make) -> None:
    """Where nothing could be computed, the first reason is the commonest."""
    made = [record("a", reference=""), record("b"), record("c")]
    found = total(made).metrics["path_recall"]
    assert list(found.undefined) == ["no reference path", "the reference is empty"]
    assert found.why == "no reference path"


def test_totals_are_exact(record: Make, total: Make, dollar: Make) -> None:
    """Ten runs of a dime are a dollar: floats would make it 0.9999999999999999."""
    made = [record("t", tokens=100_000) for _ in range(10)]
    found = total(made, dollar).metrics
    assert (found["cost_usd"].total, found["cost_usd"].missing) == (1.0, 0)
    assert found["tokens.input"].total == 1_000_000
    assert found["cost_usd"].value == pytest.approx(0.1, abs=1e-12)


def test_part_of_a_total_is_no_total(record: Make, total: Make, dollar: Make) -> None:
    """One run without a count leaves the sum open, and says how many are missing."""
    found = total([record("a", tokens=5), record("b")], dollar).metrics
    for name in ("cost_usd", "tokens.input", "tokens.output"):
        assert (found[name].total, found[name].missing, found[name].n) == (None, 1, 1)
    assert found["tokens.input"].value == 5


def test_other_metrics_have_no_total(record: Make, total: Make) -> None:
    """A sum of shares means nothing."""
    found = total([record("a")]).metrics
    assert found["loop_rate"].total is found["loop_rate"].missing is UNSET
    assert found["loop_rate"].capability is UNSET


def test_a_culprit_is_not_averaged(record: Make, total: Make) -> None:
    """It is counted by the attribution table."""
    assert "culprit" not in total([record("a", success=False)]).metrics


def test_the_summary_s_name_of_a_metric(record: Make, total: Make) -> None:
    """The design's list: loop is loop_rate in a summary."""
    found = total([record("a")]).metrics
    assert "loop_rate" in found
    assert "loop" not in found


def test_a_number_like_a_float_is_a_float(record: Make, scored: Make) -> None:
    """A user's metric may give numpy's numbers: they are counted, not lost."""

    class Float64(float):
        """A float of another library."""

    [run], columns = scored([record("a", reference="a")])
    place = [column.id for column in columns].index("path_recall")
    scores = list(run.scores)
    scores[run.plan.places.index(place)] = Score(Float64(0.25))
    table = tasks.Accumulator(columns)
    table.add(replace(run, scores=scores))
    found = table.metrics()["path_recall"]
    assert (found.value, found.n) == (0.25, 1)


def test_a_mean_does_not_depend_on_the_order() -> None:
    """The sum of floats is exact, so no split changes its last digit."""
    values = [1e16, 1.0, -1e16, 1 / 3]
    assert tasks.average(values) == tasks.average(values[::-1]) == pytest.approx(1 / 3)
    assert tasks.average([]) is None


def test_succeeded_failed_and_ungraded_add_up(record: Make, total: Make) -> None:
    """A report has nothing to add or to take away."""
    statuses = ["completed", "budget_exceeded", "infra_error", "not_run", "unknown"]
    made = [
        record(f"t{number}", status=status, success=success, grade=grade)
        for number, status in enumerate(statuses)
        for success in (True, False, None)
        for grade in ("graded", "held")
    ]
    group = total(made).groups[0]
    assert (group.succeeded, group.failed, group.ungraded) == (2, 8, 20)
    assert group.succeeded + group.failed + group.ungraded == group.trajectories == 30


def test_equal_trials_are_said(record: Make, total: Make) -> None:
    """Only where every task has as many."""
    made = [record(case) for case in "aabb"]
    assert total(made).groups[0].trials == 2
    assert total(made[:3]).groups[0].trials is None


def test_reasons_are_labels_of_a_limited_number(record: Make, total: Make, dollar: Make) -> None:
    """A model's name is the trace's: it can neither be long here nor come in thousands."""
    made = [record("t", tokens=5, model=f"{number:03}" + "m" * 500) for number in range(300)]
    found = total(made, dollar).metrics["cost_usd"].undefined
    assert len(found) == KINDS + 1
    assert max(map(len, found)) == LABEL
    assert (found[OTHER], sum(found.values())) == (100, 300)


def test_a_group_without_a_run_has_no_value() -> None:
    """A part of a split may be empty: every metric is there, and undefined of nothing."""
    columns = [column for entry in load() for column in entry.columns]
    found = tasks.Accumulator(columns).metrics()
    success = found["task_success"]
    assert isinstance(success, Metric)
    assert (success.value, success.n, success.of, success.tasks) == (None, 0, 0, 0)


@pytest.mark.parametrize("done", range(1, 100))
def test_a_share_is_not_rounded_down(record: Make, total: Make, done: int) -> None:
    """The mean of one run is that run's value, to the last digit: a bound of 0.7 keeps 0.7."""
    case = Case("t", CaseInput(), CaseSecret(min_calls=done))
    made = Record(replace(record("t", "a" * 100, success=True).trajectory), case)
    assert total([made]).metrics["path_efficiency"].value == done / 100
