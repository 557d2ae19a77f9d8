"""The exit code of ``trayecto score``: 2 for bad input, 1 for what must hold and does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.cli._verdict import limit
from trayecto.errors import UsageError

Type = Callable[..., Any]  # gives code, out and err: see conftest


@pytest.mark.parametrize(
    ("text", "records", "allowed"),
    [("1%", 10, 1), ("1%", 1000, 10), ("0", 1000, 0), ("5", 3, 5), ("0.5%", 1000, 5)],
)
def test_rejects_are_limited_by_number_or_share(text: str, records: int, allowed: int) -> None:
    """A share allows at least one record; a number is taken as it is."""
    assert limit(text)(records) == allowed


@pytest.mark.parametrize("text", ["", "-1", "101%", "x%", "1.5", "nan%", "nan", "inf%", "1_000"])
def test_a_limit_that_is_none_is_refused(text: str) -> None:
    """What is no number of records, and no share of them, is a usage error."""
    with pytest.raises(UsageError, match="--max-rejects"):
        limit(text)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A case that the first run keeps to, and the second does not."""
    path = tmp_path / "good.yaml"
    path.write_text("cases:\n  - {id: a, required: [get], forbidden: [drop]}\n")
    return path


def first_line(path: Path) -> Path:
    """Leave the first run of a file only."""
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    return path


def test_without_check_a_failed_assertion_ends_with_zero(
    type_: Type, runs: Path, cases: Path
) -> None:
    """Ruling 18: scores never change the exit code, unless somebody asks."""
    result = type_("score", runs, "--cases", cases)
    assert (result.code, result.err) == (0, "")


def test_a_failed_assertion_ends_with_one(type_: Type, runs: Path, cases: Path) -> None:
    """The second run fails by its record, and by its path: counted, and named by id and place."""
    result = type_("score", runs, "--cases", cases, "--check", "--json")
    assert result.code == 1
    assert json.loads(result.out)["groups"][0]["checked"] == {
        "trajectories": 2,
        "failed": 1,
        "not_evaluated": 0,
    }
    assert "assertions that failed: 2, in 1 of 2 trajectories" in result.err
    assert f"path_match: 1 of 2 failed: a/2 ({runs}:2)" in result.err
    assert f"task_success: 1 of 2 failed: a/2 ({runs}:2)" in result.err


def test_assertions_that_hold_end_with_zero(type_: Type, runs: Path, good: Path) -> None:
    """Success, a required and a forbidden tool: three assertions, and they are counted."""
    result = type_("score", first_line(runs), "--cases", good, "--check", "--json")
    assert result.code == 0
    assert "all 3 assertions hold, made of 1 of 1 trajectories" in result.err


def test_nothing_asserted_is_bad_usage(type_: Type, tmp_path: Path) -> None:
    """Nothing was checked is never a pass: without a case and a grader there is no check."""
    path = tmp_path / "bare.jsonl"
    path.write_text('{"messages": [{"role": "user", "content": "x"}]}\n')
    assert type_("score", path).code == 0
    result = type_("score", path, "--check")
    assert (result.code, "nothing was checked" in result.err) == (2, True)


def test_what_could_not_be_evaluated_is_no_pass(type_: Type, runs: Path, good: Path) -> None:
    """The infrastructure broke the run: nobody knows whether it would have kept to the case."""
    line = json.loads(first_line(runs).read_text()) | {"status": "cancelled"}
    runs.write_text(json.dumps(line))
    result = type_("score", runs, "--cases", good, "--check")
    assert result.code == 1
    assert "assertions that could not be evaluated: 3, in 1 of 1 trajectories" in result.err
    assert "required_tools: 1 of 1 not evaluated: a/1" in result.err
    assert "failed" not in result.err


def test_a_case_without_a_run_was_not_checked(type_: Type, runs: Path, good: Path) -> None:
    """An agent that never came to a case leaves no trace, and no pass."""
    with good.open("a") as file:
        file.write("  - {id: b, required: [get]}\n")
    result = type_("score", first_line(runs), "--cases", good, "--check")
    assert (result.code, "cases without a trajectory, so not checked: 1" in result.err) == (1, True)


def test_unreadable_records_go_before_failed_checks(type_: Type, runs: Path, cases: Path) -> None:
    """Both are said, and the exit code is that of bad input."""
    with runs.open("a") as file:
        file.write("{\n")
    result = type_("score", runs, "--cases", cases, "--check", "--max-rejects", "0")
    assert result.code == 2
    assert "assertions that failed" in result.err
    assert "1 of 3 records could not be read" in result.err


def test_each_group_says_its_name(type_: Type, runs: Path, cases: Path) -> None:
    """Two candidates, both of them failing: nothing is added up over them."""
    other = json.loads(runs.read_text().splitlines()[1]) | {"candidate": "you", "id": "b/2"}
    with runs.open("a") as file:
        file.write(json.dumps(other))
    result = type_("score", runs, "--cases", cases, "--check")
    assert "in 1 of 2 trajectories (suite 'openai_messages', candidate 'me')" in result.err
    assert "in 1 of 1 trajectories (suite 'openai_messages', candidate 'you')" in result.err


def test_many_failures_name_the_first_three(type_: Type, runs: Path, cases: Path) -> None:
    """The rest is counted."""
    lost = json.loads(runs.read_text().splitlines()[1])
    lines = [lost | {"id": f"x/{n}", "trial": n} for n in range(5)]
    runs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    err = type_("score", runs, "--cases", cases, "--check").err
    [line] = [line for line in err.splitlines() if "path_match" in line]
    assert "5 of 5 failed: x/0" in line
    assert line.endswith(f"x/2 ({runs}:3), 2 more")
