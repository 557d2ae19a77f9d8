"""The numbers of a group: what was measured, and what was not."""

from collections.abc import Callable

import pytest

from trayecto.document import Group
from trayecto.reports._metrics_table import headline, headline_cell, table, unmeasured
from trayecto.reports._page import Page
from trayecto.scores import Goal


def printed(part: Callable[..., None], group: Group, *given: object, **named: object) -> str:
    """Return what one part of a report prints of a group, at 80 columns."""
    page = Page("en", 80, color=False)
    part(page, group, *given, **named)
    return page.text()


def row(text: str, name: str) -> str:
    """Return the line that begins with a name."""
    return next(line for line in text.splitlines() if line.startswith(name))


def test_a_metric_has_value_bar_and_denominator(make: object) -> None:
    """Every number carries its n of N."""
    group = make.group(metrics={"path_recall": make.metric(0.706, n=172, of=200)})
    line = row(printed(table, group, None), "expected calls made")
    assert line.split("  ")[-1].strip() == "172/200"
    assert "70.6 %  ··············●·····" in line


def test_without_intervals_there_is_no_such_column(make: object) -> None:
    """A column of nothing is left out."""
    group = make.group(metrics={"task_success": make.metric(0.42)})
    assert "95 %" not in printed(table, group, None)


def test_one_interval_makes_the_column(make: object) -> None:
    """Where any metric has an interval, it is shown and drawn."""
    metrics = {
        "task_success": make.metric(0.42, interval=(0.32, 0.53)),
        "path_recall": make.metric(0.5),
    }
    text = printed(table, make.group(metrics=metrics), None)
    assert "42.0 %   32–53  ······├─●─┤·········" in row(text, "task success")
    assert "95 %" in row(text, "Metric")
    assert max(map(len, text.splitlines())) == 80


def test_a_metric_without_value_is_no_row(make: object) -> None:
    """It stands below, with its reason, and never as 0."""
    group = make.group(metrics={"cost_usd": make.metric(None, unit="usd", why="no prices")})
    assert printed(table, group, None) == ""


@pytest.mark.parametrize(
    ("metric", "unit", "value", "expected"),
    [
        ("cost_usd", "usd", 0.00675, "$0.00675"),
        ("tokens.input", "tokens", 9379.2, "9,379"),
        ("latency_ms.p95", "ms", 3127.0, "3,127 ms"),
        ("repeated_calls", "calls", 0.215, "0.215"),
        ("my_own", "points", 3.25, "3.25"),
    ],
)
def test_what_is_no_share_has_no_bar(
    make: object, metric: str, unit: str, value: float, expected: str
) -> None:
    """Money, tokens and times are no part of a whole."""
    group = make.group(metrics={metric: make.metric(value, unit=unit)})
    text = printed(table, group, None)
    assert expected in text
    assert "●" not in text


def test_a_metric_of_the_user_prints_by_its_id(make: object) -> None:
    """What has no plain name here keeps its own."""
    group = make.group(metrics={"my_metric": make.metric(0.25)})
    assert "25.0 %" in row(printed(table, group, None), "my_metric")


def test_each_k_to_four_and_the_largest_have_rows(make: object) -> None:
    """A suite with 16 trials does not fill the screen."""
    values = {str(k): make.pass_k(1 / k) for k in range(1, 17)}
    text = printed(table, make.group(metrics={"pass_hat_k": values}), None)
    names = [line.split()[0] for line in text.splitlines()[1:]]
    assert names == ["pass^1", "pass^2", "pass^3", "pass^4", "pass^16"]


def test_pass_at_1_is_not_said_twice(make: object) -> None:
    """For k = 1 both repeat the success rate."""
    values = {"1": make.pass_k(0.42), "2": make.pass_k(0.2)}
    metrics = {"task_success": make.metric(0.42), "pass_hat_k": values, "pass_at_k": values}
    text = printed(table, make.group(metrics=metrics), None)
    names = [line.split("  ")[0] for line in text.splitlines()[1:]]
    assert names == ["task success", "pass^2", "pass@2"]


def test_pass_k_on_some_tasks_says_on_how_many(make: object) -> None:
    """The strict value is unknown; the available one carries its denominator."""
    values = {"4": make.pass_k(None, available=0.25, tasks=3)}
    line = row(printed(table, make.group(metrics={"pass_hat_k": values}), None), "pass^4")
    assert line.startswith("pass^4 where tried")
    assert line.endswith("3/5 tasks")


def test_the_bill_and_the_prices_stand_below(make: object) -> None:
    """A cost says from which prices it comes."""
    metrics = {"cost_usd": make.metric(0.5, unit="usd", total=5.0, missing=0)}
    text = printed(table, make.group(metrics=metrics), "prices.yaml")
    assert text.splitlines()[-1] == "All runs together cost $5.00. Prices: prices.yaml"


def test_an_unknown_bill_is_not_printed(make: object) -> None:
    """A part of a bill is no bill."""
    metrics = {"cost_usd": make.metric(0.5, unit="usd", total=None, missing=3)}
    assert "together" not in printed(table, make.group(metrics=metrics), None)


def test_a_reason_stands_once_with_all_that_it_takes_away(make: object) -> None:
    """Unknown is said once for the page."""
    why = {"no reference path": 10}
    lost = make.metric(None, why="no reference path", undefined=why)
    metrics = {"path_recall": lost, "path_precision": lost}
    text = printed(unmeasured, make.group(metrics=metrics), compact=False)
    assert text.count("no reference path") == 1
    assert "expected calls made" in text
    assert "calls that were expected" in text


def test_what_has_no_value_is_hatched_and_never_zero(make: object) -> None:
    """Nothing measured looks like nothing measured."""
    lost = make.metric(None, why="no token counts", undefined={"no token counts": 10})
    metrics = {f"tokens.{part}": lost for part in ("input", "output", "cache_read")}
    text = printed(unmeasured, make.group(metrics=metrics), compact=False)
    line = row(text, "tokens")
    assert line.split() == ["tokens", "–", "░" * 10, "no", "token", "counts"]
    assert "0" not in text


def test_one_member_of_a_family_keeps_its_name(make: object) -> None:
    """Only several metrics of one kind are named together."""
    metrics = {"latency_ms.p95": make.metric(None, why="the trace has no times")}
    text = printed(unmeasured, make.group(metrics=metrics), compact=False)
    assert row(text, "latency, p95")


def test_runs_left_out_of_a_mean_are_counted(make: object) -> None:
    """A mean over some runs says what became of the others."""
    metrics = {
        "path_efficiency": make.metric(0.6, n=60, of=84, undefined={"the reference is empty": 24})
    }
    text = printed(unmeasured, make.group(metrics=metrics), compact=False)
    line = row(text, "path efficiency")
    assert "24 of 84  ░░░ " in line
    assert line.endswith("the reference is empty")


def test_a_metric_without_value_tells_all_its_reasons(make: object) -> None:
    """Several reasons together leave nothing."""
    why = {"no reference path": 9, "the run broke (infra_error)": 1}
    metrics = {"path_match": make.metric(None, why="no reference path", undefined=why)}
    text = " ".join(printed(unmeasured, make.group(metrics=metrics), compact=False).split())
    assert "no reference path · the run broke (infra_error)" in text


def test_a_long_list_of_reasons_is_cut(make: object) -> None:
    """A price missing for each of many models does not fill the screen."""
    why = {f"no price for model {n}": 1 for n in range(17)}
    metrics = {"cost_usd": make.metric(0.5, unit="usd", undefined=why)}
    text = printed(unmeasured, make.group(metrics=metrics), compact=False)
    assert text.splitlines()[-1] == "7 more reasons"


def test_eleven_reasons_are_all_listed(make: object) -> None:
    """One line more costs no more than saying that there is one."""
    why = {f"no price for model {n}": 1 for n in range(11)}
    metrics = {"cost_usd": make.metric(0.5, unit="usd", undefined=why)}
    text = printed(unmeasured, make.group(metrics=metrics), compact=False)
    assert "more" not in text


def test_the_short_form_names_what_is_missing(make: object) -> None:
    """Among many groups the reasons are left to the JSON."""
    metrics = {
        "cost_usd": make.metric(None, unit="usd", why="no prices"),
        "path_recall": make.metric(0.5, undefined={"the reference is empty": 2}),
    }
    text = printed(unmeasured, make.group(metrics=metrics), compact=True)
    assert text == "Not measured: cost of a run\n"


def test_nothing_missing_is_no_section(make: object) -> None:
    """A complete report has no such heading."""
    group = make.group(metrics={"task_success": make.metric(0.5)})
    assert printed(unmeasured, group, compact=False) == ""
    assert printed(unmeasured, group, compact=True) == ""


def test_pass_k_of_no_graded_run_is_undefined(make: object) -> None:
    """Without a known outcome pass^k is unknown, not 0."""
    none = {"1": make.pass_k(None, tasks=0)}
    text = printed(unmeasured, make.group(metrics={"pass_hat_k": none}), compact=False)
    assert "pass^k" in text
    assert "no run was graded" in text


def test_a_reason_is_foreign_text(make: object, hostile: str) -> None:
    """A model's name inside a reason cannot leave its column."""
    metrics = {"cost_usd": make.metric(None, unit="usd", why=hostile)}
    text = printed(unmeasured, make.group(metrics=metrics), compact=False)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_headline_is_the_share_of_success(make: object) -> None:
    """Three numbers: the rate, its runs, its tasks."""
    ends = {"trajectories": 200, "succeeded": 84, "failed": 116}
    group = make.group(metrics={"task_success": make.metric(0.42, of=200, tasks=50)}, **ends)
    expected = "Task success  42.0 %   84 of 200 succeeded · 116 failed · mean over 50 tasks\n"
    assert printed(headline, group) == expected


def test_runs_that_nobody_graded_stand_in_the_headline(make: object) -> None:
    """Succeeded and failed are not all."""
    group = make.group(succeeded=3, failed=5, ungraded=2)
    assert "   3 of 10 succeeded · 5 failed · 2 not graded\n" in printed(headline, group)


def test_both_denominators_stand_there_when_they_differ(make: object) -> None:
    """Runs that broke are failures in one view and left out of the other."""
    metric = make.metric(0.35, operational=0.35, capability=0.53)
    text = printed(headline, make.group(metrics={"task_success": metric}))
    assert "53.0 % without the runs in which the agent had no fair chance" in text


def test_equal_denominators_are_said_once(make: object) -> None:
    """What is equal is folded."""
    metric = make.metric(0.35, operational=0.35, capability=0.35)
    group = make.group(metrics={"task_success": metric})
    assert len(printed(headline, group).splitlines()) == 1


def test_an_unknown_success_says_why(make: object) -> None:
    """Where nobody recorded a success there is no rate."""
    why = "nobody recorded whether the run succeeded"
    group = make.group(metrics={"task_success": make.metric(None, why=why)})
    assert printed(headline, group) == f"Task success  – ░░░░░░░░   {why}\n"
    assert headline_cell(group) == "–"


def test_a_group_without_success_has_no_headline(make: object) -> None:
    """A document may leave a metric out."""
    group = make.group(metrics={})
    assert printed(headline, group) == ""
    assert headline_cell(group) == "–"


def test_large_denominators_are_never_cut(make: object) -> None:
    """With a hundred thousand runs both numbers of n of N are read whole, at 80 columns."""
    metrics = {"path_recall": make.metric(0.706, n=112_345, of=200_000)}
    line = row(printed(table, make.group(metrics=metrics), None), "expected calls made")
    assert line.endswith("112,345/200,000")
    assert len(line) == 80


def test_a_family_has_one_name_only_when_all_of_it_is_missing(make: object) -> None:
    """Cached tokens that are not told apart do not make all tokens unknown."""
    known, lost = make.metric(100.0, unit="tokens"), make.metric(None, why="no token counts")
    part = {"tokens.input": known, "tokens.cache_read": lost, "tokens.cache_write": lost}
    told = printed(unmeasured, make.group(metrics=part), compact=False)
    assert "tokens read from cache" in told
    whole = dict.fromkeys((*part, "tokens.output"), lost)
    assert "tokens  " in printed(unmeasured, make.group(metrics=whole), compact=False)


SHORT = {
    "path_efficiency": {"value": 0.633, "goal": Goal(above=0.70), "short": True},
    "loop_rate": {"value": 0.02, "goal": Goal(below=0.02), "short": True},
    "task_success": {"value": 0.42},
}


def test_a_value_that_falls_short_is_marked(make: object) -> None:
    """The mark stands beside the value, and one line says what it means, in the rows' order."""
    metrics = {name: make.metric(**fields) for name, fields in SHORT.items()}
    text = printed(table, make.group(metrics=metrics), None)
    assert "63.3 %  ▼  ············●" in row(text, "path efficiency")
    assert " 2.0 %  ▼  ●···" in row(text, "runs with a loop")
    assert "42.0 %     ········●" in row(text, "task success")
    assert text.splitlines()[-1] == "▼ short of the articles' starting value (> 70 %, < 2 %)"
    assert max(map(len, text.splitlines())) == 80


def test_the_mark_has_color_and_is_read_without(make: object) -> None:
    """Color is never the only sign."""
    group = make.group(metrics={"loop_rate": make.metric(**SHORT["loop_rate"])})
    page = Page("es", 80, color=True)
    table(page, group, None)
    assert "\x1b[33m▼\x1b[0m" in page.text()
    assert "▼ no llega al valor inicial de los artículos (< 2 %)" in page.text()


def test_without_a_mark_there_is_neither_column_nor_legend(make: object) -> None:
    """What keeps to its value, or has none to compare, is printed as ever."""
    goal = Goal(above=0.70)
    metrics = {
        "path_efficiency": make.metric(0.9, goal=goal, short=False),
        "hallucinated_tools": make.metric(None, goal=Goal(equal=0), why="unknown"),
    }
    text = printed(table, make.group(metrics=metrics), None)
    assert "90.0 %  ·····" in text
    assert not {"▼", "starting"} & {*text, *text.split()}


def test_a_metric_of_the_user_starts_from_its_own_value(make: object) -> None:
    """The articles did not state it, so the legend does not say so."""
    mine = make.metric(3.0, unit="points", goal=Goal(above=5), short=True)
    metrics = {"my_own": mine, "loop_rate": make.metric(**SHORT["loop_rate"])}
    lines = printed(table, make.group(metrics=metrics), None).splitlines()
    assert lines[-2:] == [
        "▼ short of the articles' starting value (< 2 %)",
        "▼ short of the metric's own starting value (> 5)",
    ]
