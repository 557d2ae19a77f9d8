"""Sides that are odd: one cluster, unequal trials, nothing graded, and what is on one side only."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from trayecto.decisions import Comparison, Side, compare, read_arm
from trayecto.decisions._success import NO_CHANCE, UNGRADED
from trayecto.errors import UsageError
from trayecto.formats import read
from trayecto.metrics import score
from trayecto.reports import safe
from trayecto.reports.comparison import render
from trayecto.reports.json import to_json

Make = Callable[..., Side]


def both(base: Side, candidate: Side) -> Comparison:
    """Compare two sides on one suite."""
    return compare(("base", {"shop": base}), [("other", {"shop": candidate})])


def written(found: Comparison) -> str:
    """Return a comparison as JSON and as text in both languages: each must be possible."""
    texts = [to_json(found).decode(), render(found), render(found, lang="es")]
    document = json.loads(texts[0], parse_constant=pytest.fail)  # NaN and infinity are no JSON
    assert document["schema"] == "trayecto.compare/1"
    return "\n".join(texts)


def test_one_cluster(side: Make) -> None:
    """All tasks are of one repository: values and difference stand, nothing else is told."""
    base = side({"a": "p", "b": "f"}, cluster="r")
    success = both(base, side({"a": "p", "b": "p"}, cluster="r")).metrics["task_success"]
    assert (success.difference, success.interval, success.verdict) == (0.5, None, None)
    assert "one cluster" in success.why
    assert "None" not in written(both(base, base)).replace('"None"', "")


def test_one_task(side: Make) -> None:
    """The same with one task: nothing tells how others would differ."""
    found = both(side({"a": "pp"}), side({"a": "ff"}))
    assert found.metrics["task_success"].verdict is None
    assert [caveat.code for caveat in found.warnings] == ["cannot_be_significant"]
    assert written(found)


@pytest.mark.parametrize("ends", ["i", "iii"])
def test_nothing_but_broken_runs(side: Make, ends: str) -> None:
    """Nothing was measured of the agent, on one side or on both: no value, no word, a reason."""
    broken = side(dict.fromkeys("abcdefgh", ends))
    for other in (broken, side(dict.fromkeys("abcdefgh", "p"))):
        found = both(other, broken)
        success = found.metrics["task_success"]
        assert (success.base, success.verdict, success.why) == (None, None, NO_CHANCE)
        assert found.more_evidence is None
        assert written(found)


def test_runs_without_a_grade_are_not_left_out_in_silence(run: Callable[..., Any]) -> None:
    """30 of 30 graded runs pass where 20 of 40 did: the 10 that nobody graded are told."""
    base = [run(f"t{n:02}", "pf"[n % 2]) for n in range(40)]
    other = [run(f"t{n:02}", "p" if n < 30 else "x", status="unknown") for n in range(40)]
    sides = [next(iter(read_arm(score(each), "runs").values())) for each in (base, other)]
    found = both(*sides)
    success = found.metrics["task_success"]
    assert (success.tasks, success.verdict, success.why) == (30, "undecided", UNGRADED)
    (caveat,) = found.warnings
    assert (caveat.code, caveat.base, caveat.candidate) == ("not_graded", "0 of 40", "10 of 40")
    assert "10 of 40 in the candidate" in written(found)


def test_one_run_without_a_grade_is_told(run: Callable[..., Any]) -> None:
    """One of 40 changes no word."""
    made = [run(f"t{n:02}", "x" if n == 7 else "p", status="unknown") for n in range(40)]
    base = next(iter(read_arm(score(made), "runs").values()))
    found = both(base, base)
    assert [caveat.code for caveat in found.warnings] == ["not_graded"]
    assert found.metrics["task_success"].why is UNSET


def test_runs_that_nobody_graded(run: Callable[..., Any]) -> None:
    """No success on either side: it was not compared, and no 0 stands in its place."""
    records = [run(case, "x", status="unknown") for case in "abcdefgh"]
    ungraded = next(iter(read_arm(score(records), "runs").values()))
    found = both(ungraded, ungraded)
    success = found.metrics["task_success"]
    assert (success.base, success.verdict) == (None, None)
    assert success.why is not UNSET
    assert "success was not compared" in written(found).lower()
    assert found.more_evidence is None


def test_more_trials_than_k_on_one_side_only(side: Make) -> None:
    """pass^3 needs three trials everywhere: it is left out, and not taken of fewer."""
    found = both(side(dict.fromkeys("abcdef", "ppp")), side(dict.fromkeys("abcdef", "pp")))
    assert "pass_hat_k.2" in found.metrics
    assert "pass_hat_k.3" not in {**found.metrics, **found.groups[0].not_compared}
    assert written(found)


def test_tasks_on_one_side_are_named(side: Make) -> None:
    """Two of 42 are told by name; the rest is compared."""
    many = {f"t{number:02}": "p" for number in range(40)}
    found = both(side({**many, "old": "p"}), side({**many, "new": "p"}))
    assert (found.tasks.only_base, found.tasks.only_candidate) == (1, 1)
    text = written(found)
    assert "Without a partner: old, new" in text
    with pytest.raises(UsageError, match="at most 5 % may"):
        both(side({"a": "p", "b": "p"}), side({"a": "p"}))


def test_a_metric_on_one_side_only(side: Make) -> None:
    """Cost is known of the base alone: it is not compared, and no ratio is made of it."""
    base = side(dict.fromkeys("abcdef", "p"), tokens=1_000)
    found = both(base, side(dict.fromkeys("abcdef", "p")))
    assert "cost_usd" not in found.metrics
    assert found.groups[0].not_compared["cost_usd"] == "no token counts"
    assert found.groups[0].cost_per_extra_accepted.usd is None


def test_a_base_that_costs_nothing(side: Make) -> None:
    """Nothing over nothing is no ratio."""
    free = side(dict.fromkeys("abcdef", "p"), tokens=0)
    ratio = both(free, side(dict.fromkeys("abcdef", "p"), tokens=9)).metrics["cost_usd"].ratio
    assert (ratio.value, ratio.interval) == (None, None)
    assert "costs nothing" in ratio.why


@pytest.mark.parametrize(
    "name", ["a\x1b[31m", "\ud835", "x" * 5_000, "\u202eevil", "a\nb", "##vso[x]"]
)
def test_names_that_are_odd(side: Make, name: str) -> None:
    """They are shown, cut and never obeyed."""
    tasks = {name: "p", **dict.fromkeys("abcdef", "p")}
    found = both(side(tasks), side({**tasks, name: "f"}))
    text = written(found)
    assert "\x1b" not in text
    assert max(map(len, render(found).splitlines())) < 200
    assert safe(name)[:20] in text or len(name) > 80 or not name.isprintable()


def test_numbers_that_are_none_are_rejected_as_they_are_read(tmp_path: Path) -> None:
    """A NaN in a trace is no JSON: the record is counted, and the task is not there."""
    path = tmp_path / "runs.jsonl"
    good = '{"case_id": "c", "success": true, "messages": []}\n'
    path.write_text(good + '{"case_id": "d", "success": true, "latency_ms": NaN}\n', "utf-8")
    reading = read(path)
    (found,) = read_arm(score(reading), "runs").values()
    assert list(found.tasks) == ["c"]
    assert reading.account.rejected_count == 1
