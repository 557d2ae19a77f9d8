"""The culprit held against people: real failed runs, the steps they named, and runs that succeeded.

Labels are read where they lie, none is copied here. A position is a message, the first is 1.
"""

import csv
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from trayecto.contracts import is_write
from trayecto.facts import Facts, gather
from trayecto.formats import tau_bench
from trayecto.metrics._blame import agent_calls, article_by_code, article_by_text
from trayecto.metrics.culprit import MEASURED, UNCHECKED, culprit, explain
from trayecto.records import Record
from trayecto.scores import Culprit, Score
from trayecto.trajectory import Call, Trajectory, Turn
from trayecto.wire.files import File

AGENTRX = "data/agentrx/data/tau_retail/tau_dataset_failed.json"
AGENTRX_LABELS = "data/agentrx/data/ground_truth/tau_ground_truth.json"
LEVELS = "data/tau-bench-levels"
RETAIL = f"{LEVELS}/final_results/tool-calling-l0-4o.json"
AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"
WEB_LOGS = "data/who-and-when/Who&When/Hand-Crafted"

Labels = dict[str, int]


def read(path: Path) -> list[Record]:
    """Return the runs of a tau-bench file; none may be rejected."""
    found = list(tau_bench.read(File(path)))
    assert [r for r in found if not isinstance(r, Record)] == []
    return found


def judge(record: Record) -> Score:
    """Return the culprit of a run."""
    return culprit(gather(record.trajectory, record.case), record.case)


def position(trajectory: Trajectory, call: Call | None) -> int | None:
    """Return the message that made a call."""
    return next((t.position for t in trajectory.turns if call in t.calls), None)


def within(named: Mapping[str, int | None], labels: Labels, most: int) -> int:
    """Count the labels at most so many messages from the place that was named."""
    found = [(named[case], label) for case, label in labels.items()]
    return sum(place is not None and abs(place - label) <= most for place, label in found)


@pytest.fixture(scope="module")
def failed(shared: Path) -> list[Record]:
    """Return AgentRx's 29 failed runs of tau-bench retail."""
    return read(shared / AGENTRX)


@pytest.fixture(scope="module")
def found(failed: list[Record]) -> dict[str, Culprit]:
    """Return the culprit of each failed run; each must have one."""
    values = {record.trajectory.case_id: judge(record).value for record in failed}
    assert all(isinstance(value, Culprit) for value in values.values())
    return values


@pytest.fixture(scope="module")
def labels(shared: Path) -> Labels:
    """Return the root cause that AgentRx's people named, by case."""
    steps: Labels = {}
    for entry in json.loads((shared / AGENTRX_LABELS).read_text("utf-8")):
        root = entry["root_cause"]["failure_id"]
        step = next(f["step_number"] for f in entry["failures"] if f["failure_id"] == root)
        steps[str(entry["trajectory_id"])] = int(step)
    assert len(steps) == 29
    return steps


@pytest.fixture(scope="module")
def second_labels(shared: Path) -> Labels:
    """Return what a second person named in 23 of the same runs."""
    path = shared / LEVELS / "llm_as_a_judge" / "ground_truth_failures_tau_bench.csv"
    with path.open(newline="", encoding="utf-8") as file:
        steps = {row["Task_id"]: int(row["Step Number"]) for row in csv.DictReader(file)}
    assert len(steps) == 23
    return steps


@pytest.fixture(scope="module")
def succeeded(shared: Path) -> list[Record]:
    """Return 157 successes: 73 of retail in tasks below 100, 84 of airline."""
    retail = [r for r in read(shared / RETAIL) if int(r.trajectory.case_id) < 100]
    return [r for r in retail + read(shared / AIRLINE) if r.trajectory.success]


def test_first_person(found: dict[str, Culprit], labels: Labels) -> None:
    """Of 29 runs 16 are named to the message, 18 within one, 22 within three."""
    named = {case: value.turn for case, value in found.items()}
    assert [within(named, labels, most) for most in (0, 1, 3)] == [16, 18, 22]


def test_second_person(found: dict[str, Culprit], second_labels: Labels) -> None:
    """Of 23 runs 11 are named as a second person did, 14 within one, 18 within three."""
    named = {case: value.turn for case, value in found.items()}
    assert [within(named, second_labels, most) for most in (0, 1, 3)] == [11, 14, 18]


def test_first_two(found: dict[str, Culprit], labels: Labels) -> None:
    """With the user's request to look at second, 20 of 29 are among the two."""
    pairs = {case: (value.turn, value.also) for case, value in found.items()}
    assert sum(label in pairs[case] for case, label in labels.items()) == 20


def test_kinds(found: dict[str, Culprit]) -> None:
    """Each stage names the runs that it named in the study."""
    assert Counter(value.kind for value in found.values()) == {
        "wrong_write": 13,
        "refused_write": 3,
        "blocked_by": 2,
        "never_done": 6,
        "value_never_said": 5,
    }


def test_the_printed_evidence_is_what_was_measured(
    found: dict[str, Culprit], labels: Labels
) -> None:
    """The counts beside a culprit are those of these labels, the writes taken together."""
    measured: Counter[tuple[int, int, int]] = Counter()
    for group in set(MEASURED.values()):
        cases = {c: labels[c] for c, value in found.items() if MEASURED[value.kind] == group}
        named = {case: found[case].turn for case in cases}
        measured[(within(named, cases, 0), within(named, cases, 3), len(cases))] += 1
    assert measured == Counter(set(MEASURED.values()))


def test_a_culprit_is_a_turn_of_the_agent(failed: list[Record], found: dict[str, Culprit]) -> None:
    """The named turn is the agent's and holds the named call; steps show the same call."""
    for record in failed:
        value = found[record.trajectory.case_id]
        turn = next(t for t in record.trajectory.turns if t.position == value.turn)
        assert turn.role == "assistant"
        assert value.call is None or value.call in [call.index for call in turn.calls]
        assert judge(record).steps == (() if value.call is None else (value.call,))


def test_what_is_named_second_is_a_turn_of_the_user(
    failed: list[Record], found: dict[str, Culprit]
) -> None:
    """The request stands before the culprit."""
    for record in failed:
        value = found[record.trajectory.case_id]
        roles = {turn.position: turn.role for turn in record.trajectory.turns}
        assert value.also is not None
        assert value.also < value.turn
        assert roles[value.also] == "user"


@pytest.mark.parametrize(("rule", "exact"), [(article_by_text, 1), (article_by_code, 3)])
def test_the_article_s_rule(
    failed: list[Record], labels: Labels, rule: Callable[..., Call | None], exact: int
) -> None:
    """The first error or deviation is right once by the article's text, three times by its code."""
    named = {}
    for record in failed:
        call = rule(agent_calls(record.trajectory), record.case.secret.reference)
        named[record.trajectory.case_id] = position(record.trajectory, call)
    assert within(named, labels, 0) == exact


def test_successes_have_no_culprit(succeeded: list[Record]) -> None:
    """Every success is given back the same score, at once."""
    assert len(succeeded) == 157
    assert {id(judge(record)) for record in succeeded} == {id(judge(succeeded[0]))}
    assert judge(succeeded[0]) == Score(None, "the run succeeded")


def asked_as_failures(records: list[Record]) -> list[Record]:
    """Return successes as if their outcome were unknown to stages 2 and 3, the answer closed."""
    return [
        Record(replace(r.trajectory, success=False, checks={"answer": True}), r.case)
        for r in records
    ]


def test_few_successes_would_be_accused(succeeded: list[Record]) -> None:
    """Comparing writes alone accuses at most 12 of 157 runs that were fine."""
    values = [judge(record).value for record in asked_as_failures(succeeded)]
    assert 0 < sum(value is not None for value in values) <= 12


def damaged(record: Record) -> tuple[Record, int] | None:
    """Return a run with a wrong argument in its last successful write, and that call's index."""
    trajectory = record.trajectory
    writes = [c for c in trajectory.calls if is_write(c.tool, {}) and c.outcome == "ok"]
    if not writes or not isinstance(writes[-1].arguments, dict) or not writes[-1].arguments:
        return None
    last = writes[-1]
    wrong = replace(last, arguments=last.arguments | {min(last.arguments): "damaged"})
    turns = tuple(
        replace(turn, calls=tuple(wrong if call is last else call for call in turn.calls))
        for turn in trajectory.turns
    )
    return Record(replace(trajectory, turns=turns), record.case), last.index


def test_damage_is_found(succeeded: list[Record]) -> None:
    """A wrong argument put into a write of a good run is named in nine of ten."""
    pairs = [pair for r in asked_as_failures(succeeded) if (pair := damaged(r)) is not None]
    named = [judge(record).steps == (index,) for record, index in pairs]
    assert len(named) == 91
    assert sum(named) / len(named) >= 0.9


def web_log(path: Path) -> Facts:
    """Return a log of messages without calls, as what it is: text."""
    history = json.loads(path.read_text("utf-8"))["history"]
    turns = [Turn(at, "assistant", message["content"]) for at, message in enumerate(history, 1)]
    names = {"id": path.stem, "suite": "web", "candidate": "agents", "case_id": path.stem}
    return gather(Trajectory(**names, trial=None, turns=tuple(turns), success=False), None)


def test_text_logs_are_undefined(shared: Path) -> None:
    """Where nothing but text was recorded, no step is named: 29 of 29 logs of web agents."""
    scores = [culprit(web_log(path), None) for path in (shared / WEB_LOGS).glob("*.json")]
    assert scores == [UNCHECKED] * 29


def test_every_failed_run_is_explained(failed: list[Record]) -> None:
    """The report says where, where else, and how sure, and prints the article's rule beside."""
    for record in failed:
        lines = explain(gather(record.trajectory, record.case), record.case).splitlines()
        starts = [line[:10].strip() for line in lines if not line.startswith(" ")]
        assert starts == ["broke at", "look also", "evidence", "beside"]
        assert any("article 000 blames" in line for line in lines)
        assert "%" not in lines[2]


def test_a_score_is_a_culprit_or_a_reason(shared: Path) -> None:
    """Of 200 runs of airline the 116 failed ones have a culprit, the others a reason."""
    scores = [judge(record) for record in read(shared / AIRLINE)]
    assert len(scores) == 200
    assert all((score.value is None) != (score.why is None) for score in scores)
    assert sum(score.value is not None for score in scores) == 116
