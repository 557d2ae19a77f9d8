"""One JSON line for each trajectory."""

from __future__ import annotations

import json
from pathlib import Path

from trayecto.formats import read
from trayecto.metrics import score
from trayecto.reports.per_run import to_line


def lines(path: Path) -> list[dict[str, object]]:
    """Every run of a file, as its line."""
    scores = score(read(path))
    return [json.loads(to_line(run, scores.columns)) for run in scores]


def test_a_line_says_everything_of_a_run(tmp_path: Path) -> None:
    """Identity, steps, tokens, answer, every metric's value and why, and the culprit."""
    message = {"role": "assistant", "content": "done"}
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps({"id": "r", "case_id": "k", "trial": 3, "messages": [message]}))
    (line,) = lines(path)
    assert (line["file"], line["record"], line["id"]) == (str(path), 1, "r")
    assert (line["case"], line["trial"], line["success"]) == ("k", 3, None)
    assert (line["steps"], line["answer"], line["culprit"]) == ([], "done", None)
    assert line["metrics"]["path_match"] == {"value": None, "why": "no reference path"}  # type: ignore[index]  # a test reads plain JSON


def test_all_lines_name_the_same_metrics(shared: Path) -> None:
    """A metric that does not apply stands there with its reason: no line is shorter."""
    found = lines(shared / "data/tau-bench/historical_trajectories/gpt-4o-airline.json")
    names = {tuple(line["metrics"]) for line in found}  # type: ignore[arg-type]  # a test reads plain JSON
    assert len(found) == 200
    assert len(names) == 1
    assert {"task_success", "path_match.all_attempts", "tokens.output"} <= set(names.pop())


def test_the_culprit_stands_apart(shared: Path) -> None:
    """A failed run names turn, call, kind and tool; a successful one has no culprit."""
    found = lines(shared / "data/tau-bench/historical_trajectories/gpt-4o-airline.json")
    failed = [line for line in found if line["success"] is False]
    assert found[0]["culprit"]["kind"] == "wrong_write"  # type: ignore[index]  # a test reads plain JSON
    assert sum(line["culprit"] is not None for line in failed) > len(failed) / 2
    assert all(line["culprit"] is None for line in found if line["success"])
