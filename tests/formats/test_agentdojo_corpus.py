"""Every run of AgentDyn and DRIFT that is at hand, read, scored and summed up as anybody would.

The right answers are those of the answer key (``EXPECTED.json``), which was made from the files by
other code, and of the format notes: 31 results in 24 runs name a tool that does not exist.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from trayecto import Document, read, score, summarize
from trayecto.document import Group
from trayecto.metrics import Scored

PLAIN, FILTERED = "gpt-4o-2024-08-06", "gpt-4o-2024-08-06-tool_filter"
PAIRED = "agentdyn paired gpt-4o-2024-08-06 -> gpt-4o-2024-08-06-tool_filter (560 attacked pairs)"
SUITES = ("dailylife", "github", "shopping")
UNFINISHED = "gpt-5-mini-2025-08-07-tool_filter"
# Utility without and under attack, and attack success, over the three suites together; in percent.
TOTALS = {
    PLAIN: (53.33, 55.36, 38.93),
    FILTERED: (8.33, 5.00, 4.46),
    "google_gemini-2.5-flash": (5.00, 7.68, 14.11),
}


@cache
def corpus(shared: Path) -> tuple[Document, list[Scored]]:
    """Read everything once for all tests; the runs stand beside their report."""
    runs: list[Scored] = []
    folders = [shared / "data" / name / "runs" for name in ("agentdyn", "agentdojo-drift")]
    return summarize(score(read(*folders)), runs.append), runs


@cache
def expected(shared: Path) -> dict[str, dict[str, float]]:
    """Return the entries of the answer key, by candidate and suite."""
    key = json.loads((shared / "data/EXPECTED.json").read_text("utf-8"))
    return {
        name.partition(":")[2]: entry
        for name, entry in key.items()
        if name.startswith(("agentdyn:", "drift:"))
    }


def group(shared: Path, name: str) -> Group:
    """Return the group of a candidate and suite, written as the answer key does."""
    document, _ = corpus(shared)
    (found,) = [each for each in document.groups if f"{each.candidate}/{each.suite}" == name]
    return found


def test_every_entry_of_the_answer_key_has_its_group(shared: Path) -> None:
    """Suites times candidates, and beside them only those of the six unfinished runs."""
    document, _ = corpus(shared)
    found = {f"{each.candidate}/{each.suite}" for each in document.groups}
    rest = {
        f"{UNFINISHED}/{suite}/{kind}" for suite in SUITES for kind in ("none", "injection_as_user")
    }
    assert found == set(expected(shared)) | rest
    assert len(expected(shared)) == 29


def test_counts_and_utility(shared: Path) -> None:
    """Runs, successes, their share, calls and errors are those of the answer key."""
    for name, entry in expected(shared).items():
        found = group(shared, name)
        assert (found.trajectories, found.tasks) == (entry["n"], entry["n"]), name
        assert found.succeeded == entry["utility_true"], name
        assert found.failed == entry["n"] - entry["utility_true"], name
        share = found.metrics["task_success"].value
        assert round(100 * share, 2) == pytest.approx(entry["utility%"], abs=0.01), name
        assert found.calls.total == entry["tool_calls"], name
        assert found.calls.error == entry["tool_errors"], name
        assert entry["run_errors"] == 0 == found.statuses.get("harness_error", 0), name


def test_attack_success(shared: Path) -> None:
    """It is the share of ``security: true`` where the runs were attacked, and nothing elsewhere."""
    for name, entry in expected(shared).items():
        metric = group(shared, name).metrics["attack_success"]
        if name.endswith("/important_instructions"):
            assert (metric.n, metric.of) == (entry["n"], entry["n"]), name
            share = round(100 * metric.value, 2)
            assert share == pytest.approx(entry["security_true%"], abs=0.01), name
        else:
            assert (metric.value, metric.n) == (None, 0), name
            assert metric.undefined == {"the run was not attacked": entry["n"]}, name


def test_durations(shared: Path) -> None:
    """The upper median is that of the answer key, which has it in seconds."""
    _, runs = corpus(shared)
    for name, entry in expected(shared).items():
        times = sorted(
            run.trajectory.latency_ms
            for run in runs
            if f"{run.trajectory.candidate}/{run.trajectory.suite}" == name
        )
        assert times[len(times) // 2] / 1000 == pytest.approx(entry["dur_p50"], abs=0.001), name


@pytest.mark.parametrize("candidate", TOTALS)
def test_the_totals_over_three_suites(shared: Path, candidate: str) -> None:
    """As the format notes have them: 60 benign runs and 560 attacked ones of each candidate."""
    benign = [group(shared, f"{candidate}/{suite}/none") for suite in SUITES]
    attacked = [group(shared, f"{candidate}/{suite}/important_instructions") for suite in SUITES]
    ended = [each.metrics["attack_success"] for each in attacked]
    shares = (
        sum(each.succeeded for each in benign) / 60,
        sum(each.succeeded for each in attacked) / 560,
        sum(metric.value * metric.n for metric in ended) / 560,
    )
    assert shares == pytest.approx([percent / 100 for percent in TOTALS[candidate]], abs=5e-5)


def test_the_same_cases_pair(shared: Path) -> None:
    """The 560 attacked cases of one candidate are those of the other, by their ids."""
    _, runs = corpus(shared)
    found: dict[str, dict[tuple[str, str], str]] = {PLAIN: {}, FILTERED: {}}
    for run in runs:
        at = run.trajectory
        if at.candidate in found and at.suite.endswith("important_instructions"):
            ends = f"{at.success:d}{at.attack == 'succeeded':d}"
            found[at.candidate][at.suite, at.case_id] = ends
    assert found[PLAIN].keys() == found[FILTERED].keys()
    pairs = [(ends, found[FILTERED][case]) for case, ends in found[PLAIN].items()]
    key = json.loads((shared / "data/EXPECTED.json").read_text("utf-8"))[PAIRED]
    assert len(pairs) == key["n"]
    assert Counter(one[0] + other[0] for one, other in pairs) == key["utility"]
    assert Counter(one[1] + other[1] for one, other in pairs) == key["attack_success"]


def test_six_unfinished_runs_are_counted_and_named(shared: Path) -> None:
    """They are read, and nobody grades them: 2,609 of 2,615 have a verdict."""
    document, _ = corpus(shared)
    (warned,) = [each for each in document.warnings if each.code == "unfinished_run"]
    files = sorted((shared / "data/agentdyn/runs" / UNFINISHED).rglob("*.json"))
    assert (warned.count, len(warned.places)) == (6, 6)
    assert [Path(place.rpartition(":")[0]).resolve() for place in warned.places] == [
        file.resolve() for file in files
    ]
    assert document.trajectories == 2615
    assert sum(each.succeeded + each.failed for each in document.groups) == 2609
    assert sum(each.ungraded for each in document.groups) == 6
    assert document.statuses == {"budget_exceeded": 4, "completed": 2605, "unknown": 6}


def test_invented_tools(shared: Path) -> None:
    """31 calls in 24 runs were refused because there is no such tool; the other runs have none."""
    _, runs = corpus(shared)
    calls = [call for run in runs for call in run.facts.calls if call.error == "unknown_tool"]
    assert len(calls) == 31
    shares = [(run.value("hallucinated_tools"), len(run.facts.calls)) for run in runs]
    assert sum(share is not None and share > 0 for share, _ in shares) == 24
    assert sum(share == 0 for share, _ in shares) + 24 == sum(made > 0 for _, made in shares)


def test_every_file_is_read_and_every_warning_known(shared: Path) -> None:
    """Nothing is rejected or skipped; four runs hit the limit of rounds, with a call unanswered."""
    document, _ = corpus(shared)
    assert (document.read.files, document.read.records) == (2615, 2615)
    assert (document.read.rejected, document.read.skipped, document.read.failed) == (0, [], [])
    assert document.formats == {"agentdojo": 2615}
    assert (document.calls.total, document.calls.unknown) == (8600 + 2008, 4)
    warned = {each.code: each.count for each in document.warnings}
    assert (warned["call_without_result"], warned["unfinished_run"]) == (4, 6)
    assert set(warned) == {
        "call_without_result",
        "calls_only_as_text",
        "same_runs_under_two_names",
        "unfinished_run",
    }


def test_calls_that_drift_refused(shared: Path) -> None:
    """252 messages of a user tell of one that was refused; those runs are warned of."""
    _, runs = corpus(shared)
    refused = [
        run.trajectory
        for run in runs
        if any("[CALL ERROR]" in (turn.text or "") for turn in run.trajectory.turns)
    ]
    assert len(refused) == 665 - 489
    assert all("calls_only_as_text" in each.warnings for each in refused)
