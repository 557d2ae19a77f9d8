"""Whole comparisons: the published runs, and what must never be said."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import UNSET

from trayecto.decisions import Side, compare, read_arm
from trayecto.decisions._difference import UNKNOWN
from trayecto.decisions._success import UNEQUAL
from trayecto.decisions.compare import NO_EXTRA, TRIALS, UNJUDGED
from trayecto.errors import InputError, UsageError
from trayecto.facts import Prices
from trayecto.formats import read
from trayecto.metrics import score
from trayecto.records import Record
from trayecto.reports.comparison import render

Make = Callable[..., Side]
LEVELS = "data/tau-bench-levels/final_results/tool-calling-l{}-4o.json"
RETURN = "return_delivered_order_items"
PIPELINES = ("gpt-4o-2024-08-06", "gpt-4o-2024-08-06-tool_filter")


@pytest.fixture(scope="session")
def levels(shared: Path) -> list[dict[str, Side]]:
    """Return the three levels of tools of one agent, on 115 tasks."""
    paths = [shared / LEVELS.format(level) for level in range(3)]
    return [read_arm(score(read(path)), path.stem) for path in paths]


def both(base: Side, candidate: Side, **margins: float) -> object:
    """Compare two sides on one suite."""
    return compare(("base", {"shop": base}), [("other", {"shop": candidate})], margins)


@pytest.mark.parametrize(
    ("sides", "operational", "capability", "verdict"),
    [
        ((0, 1), (9, 24, 0.0135), (8, 24, 0.0070), "better"),
        ((0, 2), (5, 22, 0.0015), (4, 22, 0.0005), "better"),
        ((1, 2), (4, 6, 0.754), (3, 5, 0.727), "undecided"),
    ],
)
def test_the_published_levels(
    levels: list[dict[str, Side]],
    sides: tuple[int, int],
    operational: tuple[int, int, float],
    capability: tuple[int, int, float],
    verdict: str,
) -> None:
    """EXPECTED.json's paired counts and the issue's p values, in both views."""
    base, candidate = (levels[level] for level in sides)
    success = compare(("base", base), [("other", candidate)]).metrics["task_success"]
    for view, (lost, won, p_value) in ((success, operational), (success.capability, capability)):
        assert (view.lost, view.won) == (lost, won)
        assert view.p_value == pytest.approx(p_value, abs=5e-5 if p_value < 0.5 else 5e-4)
    assert success.verdict == verdict


def test_a_success_that_contradicts_what_was_done(levels: list[dict[str, Side]]) -> None:
    """Over 5 % on one side: the word is not to be trusted, and the counts are there."""
    found = compare(("l0", levels[0]), [("l1", levels[1])])
    (caveat,) = found.warnings
    told = (caveat.code, caveat.base, caveat.candidate)
    assert told == ("success_contradicts_trajectory", "2 of 77", "8 of 93")
    assert not found.metrics["task_success"].trusted


@pytest.mark.parametrize(
    ("task", "parts", "tools", "write"),
    [
        # the same list, then details against a count; both return, the items in another order
        ("2", (2, 5, 5), ("get_product_details", "count_available_product_variants"), (29, 27)),
        # four looks alike; l0 thinks and returns to the card, l1 returns to PayPal
        ("12", (5, 17, 23), ("think", RETURN), (19, 23)),
        # five looks alike; l0 returns to PayPal at once, l1 looks for payment methods first
        ("109", (6, 21, 21), (RETURN, "get_user_payment_methods"), (21, 25)),
    ],
)
def test_where_two_runs_part(
    levels: list[dict[str, Side]],
    task: str,
    parts: tuple[int, int, int],
    tools: tuple[str, str],
    write: tuple[int, int],
) -> None:
    """Three tasks read by hand: the step, and the messages of both files, counted from 1."""
    found = compare(("l0", levels[0]), [("l1", levels[1])]).tasks_changed
    change = next(each for each in found if each.task == task)
    parted, written = change.parted, change.parted_write
    assert (parted.step, parted.base_turn, parted.candidate_turn) == parts
    assert (parted.base_tool, parted.candidate_tool) == tools
    assert (written.what, written.step) == ("arguments", 1)
    assert (written.base_turn, written.candidate_turn) == write


def test_pooled_suites_under_one_attack(shared: Path) -> None:
    """EXPECTED.json: 560 attacked pairs; the interval is by the 60 user tasks of three suites."""
    arms = [
        (name, read_arm(score(read(shared / "data/agentdyn/runs" / name)), name, pool=True))
        for name in PIPELINES
    ]
    groups = {group.suite: group for group in compare(arms[0], arms[1:]).groups}
    assert groups.keys() == {"*/important_instructions", "*/injection_as_user", "*/none"}
    attacked = groups["*/important_instructions"]
    assert (attacked.tasks.paired, attacked.tasks.clusters) == (560, 60)
    utility, attack = attacked.metrics["task_success"], attacked.metrics["attack_success"]
    assert (utility.lost, utility.won, utility.verdict) == (287, 5, "worse")
    assert (attack.won, attack.lost, attack.verdict) == (197, 4, "better")
    assert utility.base == pytest.approx((287 + 23) / 560)
    assert utility.test == "sign_flip"
    assert utility.ignoring_clusters < 1e-70


def mixed(run: Callable[..., Record], passes: int, short: int) -> dict[str, Side]:
    """Return 100 tasks of which so many pass, so many of these by two calls, the rest by four."""
    records = [
        run(
            f"t{n:03}",
            "p" if n < passes else "f",
            tools="ab" if n < short else "abxy",
            reference=["a", "b"],
        )
        for n in range(100)
    ]
    return read_arm(score(records), "runs")


def test_more_success_by_longer_ways_is_not_better(run: Callable[..., Record]) -> None:
    """Success 0.88 to 0.89 with efficiency 0.81 to 0.52: success no worse, efficiency fell."""
    base, candidate = mixed(run, 88, 55), mixed(run, 89, 4)
    found = compare(("base", base), [("other", candidate)], {"task_success": 0.05})
    success, efficiency = (found.metrics[name] for name in ("task_success", "path_efficiency"))
    assert (success.base, success.candidate) == pytest.approx((0.88, 0.89))
    assert (success.verdict, efficiency.verdict) == ("no_worse", "worse")
    assert efficiency.difference == pytest.approx(0.52 - 0.81, abs=0.01)
    assert "better" not in {metric.verdict for metric in found.metrics.values()}
    told = render(found).partition("Metric ")[0]
    assert "\nNot worse\n" in told
    worse = told.partition("Other metrics, worse: ")[2].partition("other metrics undecided")[0]
    assert "path efficiency" in " ".join(worse.split())
    assert "better" not in told.lower()


def test_infrastructure_that_failed_on_one_side(side: Make) -> None:
    """Six of 40 runs broke there: whatever the counts say, nothing is said of success."""
    base = side(dict.fromkeys(map(str, range(40)), "p"))
    broken = side({str(n): "i" if n < 6 else "p" for n in range(40)})
    found = both(base, broken)
    success = found.metrics["task_success"]
    assert (success.lost, success.verdict, success.why) == (6, "undecided", UNEQUAL)
    (caveat,) = found.warnings
    assert (caveat.code, caveat.base, caveat.candidate) == (
        "infrastructure_differs", "0 of 40", "6 of 40",
    )  # fmt: skip


def test_few_tasks_cannot_be_significant(side: Make) -> None:
    """Five tasks, all lost: p is 0.0625, and the smallest there is."""
    found = both(side(dict.fromkeys("abcde", "p")), side(dict.fromkeys("abcde", "f")))
    assert [caveat.code for caveat in found.warnings] == ["cannot_be_significant"]
    assert found.metrics["task_success"].verdict == "undecided"


def test_the_half_point_rule_is_a_flag(side: Make) -> None:
    """A task that falls from 4 of 4 to 1 of 4 falls by more than a half; to 2 of 4, by no more.

    Nor does one that falls from 5/6 to 2/6, where floats leave 0.5000000000000001.
    """
    found = both(side({"a": "pppp", "b": "pppp"}), side({"a": "pfff", "b": "ppff"}))
    assert found.groups[0].regressions.counts["task_success"] == 1
    assert found.groups[0].regressions.examples[0].task == "a"
    found = both(side({"a": "pppppf", "b": "p"}), side({"a": "ppffff", "b": "p"}))
    assert "task_success" not in found.groups[0].regressions.counts


def test_what_each_further_success_costs(side: Make) -> None:
    """10 tasks at $1 and 5 of 10 against $3 and 9 of 10: $2 more for 0.4 more, $5 each."""
    ends = {str(n): "p" if n < 5 else "f" for n in range(10)}
    more = {str(n): "p" if n < 9 else "f" for n in range(10)}
    base, other = side(ends, tokens=1_000_000), side(more, tokens=3_000_000)
    assert both(base, other).groups[0].cost_per_extra_accepted.usd == pytest.approx(5)
    assert both(other, base).groups[0].cost_per_extra_accepted.why == NO_EXTRA
    assert both(base, other).metrics["cost_usd"].ratio.value == pytest.approx(3)


def test_several_candidates_make_a_table(side: Make) -> None:
    """Cheap and bad, dear and good, dear and bad: only the last is outdone; p is Holm's."""
    base = side({str(n): "pf"[n % 2] for n in range(20)}, tokens=1_000_000)
    good = side({str(n): "p" for n in range(20)}, tokens=2_000_000)
    bad = side({str(n): "f" for n in range(20)}, tokens=3_000_000)
    cheap = side({str(n): "f" for n in range(20)}, tokens=500_000)
    arms = [(name, {"shop": arm}) for name, arm in (("g", good), ("b", bad), ("c", cheap))]
    found = compare(("base", {"shop": base}), arms)
    assert [row.front for row in found.table] == [True, True, False, True]
    single = [group.metrics["task_success"].p_value for group in found.groups]
    assert [row.p_adjusted for row in found.table[1:]] == pytest.approx([3 * p for p in single])
    assert (found.candidates, len(found.groups)) == (["g", "b", "c"], 3)


def test_unequal_trials_count_a_task_once(side: Make) -> None:
    """Four trials here and one there: a task is a task, and McNemar's test is not for it."""
    found = both(side({"a": "ppff", "b": "p"}), side({"a": "p", "b": "p"})).metrics["task_success"]
    assert (found.base, found.candidate, found.test) == (0.75, 1, "sign_flip")


def test_pass_hat_k_needs_k_trials_everywhere(side: Make) -> None:
    """Two of three tasks have three trials on both sides: pass^2 is there, pass^3 is not."""
    base = side({"a": "ppp", "b": "ppp", "c": "pp"})
    found = both(base, side({"a": "ppf", "b": "fff", "c": "pp"})).metrics
    assert "pass_hat_k.2" in found
    assert "pass_hat_k.3" not in found
    assert found["pass_hat_k.2"].candidate == pytest.approx((1 / 3 + 0 + 1) / 3)


def test_sides_that_share_nothing(side: Make) -> None:
    """A suite on one side only is a mistake, with the names of both."""
    one = side({"a": "p"})
    with pytest.raises(UsageError, match=r"base: only this side has the suite 'shop'; .* 'bank'"):
        compare(("base", {"shop": one}), [("other", {"bank": one})])
    with pytest.raises(UsageError, match="other: only this side has the suite 'bank'"):
        compare(("base", {"shop": one}), [("other", {"shop": one, "bank": one})])


def test_two_candidates_in_one_side(run: Callable[..., Record]) -> None:
    """A folder with the runs of two agents is no side."""
    records = [run("a", "p"), run("a", "p", candidate="other")]
    with pytest.raises(InputError, match="holds two candidates on suite 'shop', 'agent' and 'oth"):
        read_arm(score(records), "runs")


def test_sides_of_one_name_are_called_by_their_files(side: Make) -> None:
    """The same agent in two files; where the agents differ, their names say more."""
    one = side({"a": "p", "b": "p"})
    alike = both(one, side({"a": "p", "b": "p"}))
    apart = both(one, side({"a": "p", "b": "p"}, candidate="new"))
    assert (alike.groups[0].base, alike.groups[0].candidate) == ("base", "other")
    assert (apart.groups[0].base, apart.groups[0].candidate) == ("agent", "new")


def test_candidates_of_one_name_are_told_apart(side: Make) -> None:
    """Two files of one agent beside another one: the name, and the file."""
    one, new = side({"a": "p", "b": "p"}), side({"a": "p", "b": "p"}, candidate="new")
    arms = [(name, {"shop": new}) for name in ("x", "y")]
    found = compare(("base", {"shop": one}), arms)
    assert [row.candidate for row in found.table] == ["agent", "new @ x", "new @ y"]


def test_an_unpriced_run_leaves_the_cost_of_more_open(
    side: Make, run: Callable[..., Record], dollar: Prices
) -> None:
    """One run of 20 without a cost, or a task that nobody judged: no price of a success."""
    ends = {str(n): "p" if n < 5 else "f" for n in range(10)}
    base = side(ends, tokens=1_000_000)
    records = [run(str(n), "p", tokens=None if n == 3 else 3_000_000) for n in range(10)]
    records += [run(str(n), "p", tokens=3_000_000) for n in range(10)]
    (other,) = read_arm(score(records, prices=dollar), "runs").values()
    assert both(base, other).groups[0].cost_per_extra_accepted.why == UNKNOWN
    ungraded = [run(str(n), "p" if n < 9 else "x", tokens=1, status="unknown") for n in range(10)]
    (other,) = read_arm(score(ungraded, prices=dollar), "runs").values()
    assert both(base, other).groups[0].cost_per_extra_accepted.why == UNJUDGED


def test_what_could_not_be_compared_is_named(side: Make) -> None:
    """pass^2 of tasks of which one has a single trial."""
    base = side({"a": "pp", "b": "pp"})
    found = both(base, side({"a": "pp", "b": "p"})).groups[0]
    assert found.not_compared["pass_hat_k.2"] == TRIALS
    assert found.not_compared["latency_ms"] == "the trace has no times"


def test_tasks_whose_text_nobody_tells_are_counted(side: Make) -> None:
    """They are paired by id alone."""
    tasks = dict.fromkeys("abcdef", "p")
    told = both(side(tasks, text="Refund."), side(tasks, text="Refund.")).tasks
    untold = both(side(tasks, text="Refund."), side(tasks)).tasks
    assert (told.by_id, untold.by_id) == (0, 6)


def test_a_run_that_broke_is_no_change_of_the_agent(side: Make) -> None:
    """It is told as broken, unless another run of the task failed by itself."""
    tasks = dict.fromkeys("abcdefgh", "p")
    changes = both(side(tasks), side({**tasks, "a": "i", "b": "if"})).tasks_changed
    assert [(each.task, each.candidate_broke) for each in changes] == [
        ("a", "infra_error"), ("b", UNSET),
    ]  # fmt: skip
