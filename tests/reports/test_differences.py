"""The word on success and the table of metrics, as a page shows them."""

import re

import pytest
from msgspec.structs import replace

from trayecto.comparison import Difference, Margin
from trayecto.reports._differences import metrics_table, others, success, uncompared
from trayecto.reports._page import Page

SUCCESS = Difference(
    base=0.748, candidate=0.878, difference=0.13, tasks=115, unit="share", better="higher",
    interval=(0.034, 0.227), method="paired_t", clusters=115, test="mcnemar_exact",
    p_value=0.0135, reachable=1e-34, won=24, lost=9, verdict="better",
)  # fmt: skip
UNDECIDED = replace(
    SUCCESS, base=0.878, candidate=0.896, difference=0.018, interval=(-0.037, 0.072),
    p_value=0.7539, won=6, lost=4, verdict="undecided",
)  # fmt: skip


def told(found: Difference | None, lang: str = "en") -> str:
    """Return what a page says of success, as it is read over the ends of lines."""
    page = Page(lang, 80, color=False)
    success(page, found)
    return re.sub(r"\s+", " ", page.text())


def rows(metrics: dict[str, Difference], lang: str = "en", tasks: int = 115) -> dict[str, str]:
    """Return the lines of the table, by how they begin."""
    page = Page(lang, 80, color=False)
    metrics_table(page, metrics, tasks, compact=False)
    return {re.split(r"  +", line.strip())[0]: line for line in page.text().splitlines()}


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("pass", "not worse by more than 5 points (lower bound \u22123.0)"),
        ("insufficient", "the margin of 5 points is not excluded (bounds \u22123.0 to +7.0)"),
        ("fail", "worse by more than 5 points (upper bound +7.0)"),
    ],
)
def test_a_margin_is_told_with_its_bounds(outcome: str, words: str) -> None:
    """Whether it is excluded, and by what."""
    margin = Margin(margin=0.05, lower=-0.03, upper=0.07, outcome=outcome)
    assert words in told(replace(UNDECIDED, margin=margin))


def test_the_other_view_stands_beside_it() -> None:
    """Where the runs that broke change counts or values; else it is not repeated."""
    fair = replace(SUCCESS, won=24, lost=8, p_value=0.007)
    text = told(replace(SUCCESS, capability=fair))
    assert "Where the agent had a fair chance: better" in text
    assert "McNemar's exact test: p = 0.0070" in text
    assert "fair chance" not in told(replace(SUCCESS, capability=SUCCESS))
    other = replace(SUCCESS, base=0.80, candidate=0.93)
    assert "task success 80.0 % → 93.0 %" in told(replace(SUCCESS, capability=other))


def test_the_test_that_ignores_clusters() -> None:
    """The interval is by cluster, and the other p is said to ignore them."""
    text = told(replace(SUCCESS, test="sign_flip", p_value=1e-5, ignoring_clusters=1e-78))
    words = "permutation of signs: p < 1e-4 · McNemar's test, which ignores clusters: p < 1e-4"
    assert words in text


def test_no_success_and_no_reason() -> None:
    """Where nothing says why, no colon waits for a reason."""
    assert told(None, "es") == "No se comparó el éxito "
    assert told(None) == "Success was not compared "


def test_why_it_is_undecided() -> None:
    """The interval holds zero, or it does not and the test decides; nothing where none moved."""
    both, test = "The interval holds both a loss and a gain.", "the test decides."
    assert both in told(UNDECIDED)
    assert test in told(replace(UNDECIDED, interval=(0.01, 0.05)))
    same = told(replace(UNDECIDED, won=0, lost=0))
    assert (both in same, test in same) == (False, False)
    assert both not in told(SUCCESS)
    assert both not in told(replace(UNDECIDED, why="one cluster"))


def test_a_metric_of_no_direction_has_no_mark() -> None:
    """It is not undecided, and no task won or lost by it."""
    tokens = replace(SUCCESS, better="neither", unit="tokens", verdict=None, won=0, lost=0)
    lines = rows({"tokens.input": tokens, "cost_usd": replace(UNDECIDED, unit="usd")})
    assert lines["fresh input tokens"].endswith("0.0135")
    assert "0/0" not in lines["fresh input tokens"]
    assert lines["cost of a run"].endswith("?")


def test_metrics_of_fewer_tasks_are_named() -> None:
    """How many tasks stand behind each row: all, but for those that are said."""
    fewer = replace(SUCCESS, tasks=38)
    alone = rows({"task_success": SUCCESS}, tasks=120)
    assert "On 115 of 120 tasks: task success" in "\n".join(alone.values())
    text = "\n".join(rows({"task_success": SUCCESS, "latency_ms": fewer}).values())
    assert "On 38 of 115 tasks: latency, mean" in text
    text = "\n".join(rows({"task_success": SUCCESS, "latency_ms": SUCCESS}).values())
    assert "of 115 tasks" not in text


def test_a_blank_interval_has_its_reason() -> None:
    """Below the table, for all metrics that share it."""
    bare = replace(
        SUCCESS,
        interval=None,
        interval_why="one cluster: nothing tells how much another would differ",
    )
    page = Page("es", 80, color=False)
    metrics_table(
        page, {"task_success": SUCCESS, "latency_ms": bare, "cost_usd": bare}, 115, compact=False
    )
    text = re.sub(r"\s+", " ", page.text())
    assert "Sin intervalo de costo de una corrida · latencia, media: un solo grupo" in text


def test_what_was_not_compared_is_named() -> None:
    """With the reason, in the page's language."""
    page = Page("es", 80, color=False)
    uncompared(
        page, {"pass_hat_k.3": "not every paired task has so many graded trials on both sides"}
    )
    assert "Sin comparar: pass^3 (no todas las tareas" in re.sub(r"\s+", " ", page.text())


def test_the_other_metrics_by_their_word() -> None:
    """What got worse first; in brackets what is not to be trusted; the undecided are counted."""
    worse = replace(SUCCESS, verdict="worse")
    page = Page("en", 80, color=False)
    others(
        page,
        {"task_success": SUCCESS, "accepted": replace(worse, trusted=False), "cost_usd": worse,
         "latency_ms": UNDECIDED, "path_match": SUCCESS},
    )  # fmt: skip
    first, second, third = page.text().splitlines()
    assert first.startswith("  Other metrics, worse: [")
    assert "cost of a run" in first
    assert second.startswith("  Other metrics, better: ")
    assert third == "  1 other metric undecided"


def test_a_row_that_the_test_leaves_undecided_is_told() -> None:
    """Its interval holds no zero: the test decides, and it is said which rows these are."""
    found = replace(UNDECIDED, interval=(-0.914, -0.086), difference=-0.5)
    lines = rows({"task_success": UNDECIDED, "error_recovery": found})
    told = "Undecided by the test, although the interval holds no zero: recovered from"
    assert any(line.startswith(told) for line in lines.values())
    held = rows({"task_success": UNDECIDED, "error_recovery": replace(found, why="it broke")})
    assert not any(line.startswith(told) for line in held.values())


def test_a_narrow_page_keeps_the_word_and_its_p() -> None:
    """Dear runs with long numbers: the counts go first, and money has two digits."""
    cost = replace(
        SUCCESS, base=0.0042375, candidate=0.00365125, difference=-0.00058625, unit="usd",
        interval=(-0.00069, -0.00048), better="lower", p_value=0.00001,
    )  # fmt: skip
    long = replace(SUCCESS, base=12345678.0, candidate=12345679.0, unit="ms", interval=(-1e7, 2e7))
    lines = rows({"task_success": SUCCESS, "cost_usd": cost, "latency_ms": long})
    assert len([line for line in lines.values() if line.endswith("▲")]) == 3
    assert not any("24/9" in line for line in lines.values())
    alone = rows({"task_success": SUCCESS, "cost_usd": cost})
    assert alone["cost of a run"].endswith("24/9   <1e-4  ▲")
    assert "$0.0042" in alone["cost of a run"]
