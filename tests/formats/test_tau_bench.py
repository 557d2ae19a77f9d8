"""Tests of tau-bench runs: the numbers of the real files, and what each part of a run becomes."""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from trayecto.case import AnswerCheck, expect
from trayecto.formats import Reading, read
from trayecto.records import Record
from trayecto.trajectory import Call, Trajectory

One = Callable[[object], Trajectory]
Write = Callable[..., Path]

AIRLINE = "tau-bench/historical_trajectories/gpt-4o-airline.json"
LEVELS = "tau-bench-levels/final_results"
ASSERTIONS = f"{LEVELS}/assertions-agent-none-0.1_range_0-100_6_18_2025.json"
L0, L1, L2 = (f"{LEVELS}/tool-calling-l{level}-4o.json" for level in range(3))
AGENTRX = "agentrx/data/tau_retail/tau_dataset_failed.json"
FILES = [AIRLINE, ASSERTIONS, L0, L1, L2]

USER = {"role": "user", "content": "hola"}
TASK = {"user_id": "u", "instruction": "Cancel it.", "actions": [], "outputs": []}
RIGHT = {"reward": 1.0, "info": {"r_actions": 1.0, "gt_data_hash": "x"}, "actions": []}


@cache
def reading(path: Path) -> tuple[Reading, list[Record]]:
    """Read a real file once for all tests."""
    found = read(path)
    return found, list(found)


def calls(records: list[Record]) -> list[Call]:
    """Return the calls of all records."""
    return [call for record in records for call in record.trajectory.calls]


def run(*messages: dict[str, object], **more: object) -> dict[str, object]:
    """Return a run as it stands in a file."""
    info = {"task": TASK, "source": "user", "user_cost": 0.1, "reward_info": RIGHT}
    return {
        "task_id": 3,
        "trial": 1,
        "reward": 1.0,
        "info": info,
        "traj": [USER, *messages],
        **more,
    }


def ask(tool: str, arguments: object = "{}", result: str = "ok") -> list[dict[str, object]]:
    """Return a call and its result."""
    call = {"id": "c", "type": "function", "function": {"name": tool, "arguments": arguments}}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    return [said, {"role": "tool", "tool_call_id": "c", "name": tool, "content": result}]


@pytest.mark.parametrize("name", FILES)
def test_the_numbers_of_the_real_files(shared: Path, name: str) -> None:
    """Runs, tasks, successes, calls and errors are those of the answer key."""
    expected = json.loads((shared / "data/EXPECTED.json").read_text("utf-8"))[name]
    found, records = reading(shared / "data" / name)
    runs = [record.trajectory for record in records]
    assert (len(runs), len({one.case_id for one in runs})) == (expected["n"], expected["tasks"])
    assert len(calls(records)) == expected["tool_calls"]
    errors = [call for call in calls(records) if call.outcome == "error"]
    said = sum((call.observation or "").startswith("Error") for call in errors)
    assert said == expected["tool_errors(Error prefix)"]
    assert round(sum(one.success is True for one in runs) / len(runs), 4) == expected["pass^1"]
    trials = Counter(str(n) for n in Counter(one.case_id for one in runs).values())
    assert trials == expected["trials"]
    assert (found.account.records, found.account.rejected_count) == (expected["n"], 0)


@pytest.mark.parametrize("name", FILES)
def test_crashed_runs_are_not_the_agents_fault(shared: Path, name: str) -> None:
    """A run with an error in place of a reward is an infrastructure or harness error."""
    expected = json.loads((shared / "data/EXPECTED.json").read_text("utf-8"))[name]
    _, records = reading(shared / "data" / name)
    statuses = Counter(record.trajectory.status for record in records)
    assert statuses["infra_error"] + statuses["harness_error"] == expected["info.error"]


def test_the_published_airline_runs(shared: Path) -> None:
    """73 errors, 73 repeated ids with nothing lost, 5 turn limits, 84 successes, one domain."""
    found, records = reading(shared / "data" / AIRLINE)
    runs = [record.trajectory for record in records]
    assert Counter(call.outcome for call in calls(records)) == {"ok": 1091, "error": 73}
    assert found.account.warnings == {"repeated_call_id": 73}
    assert Counter(one.status for one in runs) == {"completed": 195, "budget_exceeded": 5}
    assert sum(one.success is True for one in runs) == 84
    assert {(one.suite, one.candidate) for one in runs} == {("airline", "gpt-4o-airline")}
    assert {one.trial for one in runs} == {0, 1, 2, 3}
    assert len({call.tool for call in calls(records)}) == 14


def test_nothing_is_invented_that_the_airline_file_does_not_hold(shared: Path) -> None:
    """It has no tokens, no times, no model and no list of tools."""
    _, records = reading(shared / "data" / AIRLINE)
    runs = [record.trajectory for record in records]
    told = [(one.latency_ms, one.tools, [spent.usage for spent in one.spent]) for one in runs]
    assert told == [(None, None, [None])] * 200


def test_the_assertions_agent(shared: Path) -> None:
    """Its arguments are Python, its ids are absent and not repeated, its errors hide in text."""
    found, records = reading(shared / "data" / ASSERTIONS)
    flags = Counter(flag for call in calls(records) for flag in call.flags)
    assert flags == {"python_literal": 465}
    assert found.account.warnings["repeated_call_id"] == 0
    errors = [call for call in calls(records) if call.outcome == "error"]
    assert len(errors) == 22
    assert {call.id for call in calls(records)} == {None}
    assert all(isinstance(call.arguments, dict) for call in calls(records))


def test_the_failed_runs_of_agentrx(shared: Path) -> None:
    """29 runs of retail, all failed."""
    _, records = reading(shared / "data" / AGENTRX)
    runs = [record.trajectory for record in records]
    assert Counter((one.suite, one.success) for one in runs) == {("retail", False): 29}


def test_the_same_runs_under_two_names(shared: Path) -> None:
    """All 29 are also runs of l0: kept in both, and told (ruling 15)."""
    found = read(shared / "data" / AGENTRX, shared / "data" / L0)
    assert len(list(found)) == 29 + 115
    assert found.account.warnings["same_runs_under_two_names"] == 29


def test_task_messages_and_reward_make_a_run(one: One) -> None:
    """Everything else may be missing: then the trial has no number, and nothing more is known."""
    found = one([{"task_id": "t", "reward": 0.0, "traj": []}])
    assert (found.slot, found.checks) == (("tau_bench", "runs", "t", None), {})
    assert (found.turns, found.answer, found.success) == ((), None, False)


def test_a_run_is_a_trajectory(one: One) -> None:
    """Task, trial, file and domain name it; reward 1.0 is success, as recorded."""
    found = one([run(*ask("get_order_details"), {"role": "assistant", "content": "listo"})])
    assert (found.id, found.slot) == ("runs#1", ("retail", "runs", "3", 1))
    assert (found.success, found.success_from, found.status) == (True, "recorded", "completed")
    assert (found.answer, found.turns[0].text) == ("listo", "hola")


@pytest.mark.parametrize(
    ("reward", "success", "source"),
    [(1.0, True, "recorded"), (1, True, "recorded"), (0.5, False, "recorded"), (None, None, None)],
)
def test_only_the_whole_reward_is_success(
    one: One, reward: object, success: object, source: object
) -> None:
    """No reward is no failure."""
    found = one([run(reward=reward)])
    assert (found.success, found.success_from) == (success, source)


@pytest.mark.parametrize(
    ("info", "status"),
    [
        ({"reward_info": RIGHT}, "completed"),
        ({"reward_info": None, "user_cost": None}, "budget_exceeded"),
        ({}, "completed"),
        ({"error": "Rate limit reached", "traceback": "…"}, "infra_error"),
        ({"error": "Connection error."}, "infra_error"),
        ({"error": "list index out of range"}, "harness_error"),
    ],
)
def test_how_a_run_ended(one: One, info: dict[str, object], status: str) -> None:
    """A null reward record is the turn limit; an error names the provider, or else our side."""
    assert one([run(info=info)]).status == status


@pytest.mark.parametrize(
    ("reward", "parts", "checks"),
    [
        (1.0, {"r_actions": 1.0}, {"state": True}),
        (0.0, {"r_actions": 0.0}, {"state": False}),
        (1.0, {"r_outputs": 1.0, "outputs": {"327": True}}, {"state": True, "answer": True}),
        (0.0, {"r_outputs": 1.0, "outputs": {"327": True}}, {"state": False, "answer": True}),
        (0.0, {"r_outputs": 0.0, "outputs": {"327": False}}, {"answer": False}),
        (0.0, {}, {}),
    ],
)
def test_which_part_of_the_check_passed(
    one: One, reward: float, parts: dict[str, object], checks: dict[str, bool]
) -> None:
    """Outputs are looked at after the state: what they hide of it is not guessed."""
    found = one([run(reward=reward, info={"reward_info": {"reward": reward, "info": parts}})])
    assert found.checks == checks


def test_a_turn_limit_checked_nothing(one: One) -> None:
    """Without a reward record no part is known."""
    assert one([run(reward=0.0, info={"reward_info": None})]).checks == {}


def test_the_task_becomes_a_case(write: Write) -> None:
    """Expected calls are a superset reference by tool and arguments; outputs must be said."""
    actions = [
        {"name": "get_user_details", "kwargs": {"user_id": "u"}},
        {"name": "cancel_pending_order", "kwargs": {"order_id": "#W1", "n": 1.0}},
    ]
    task = {**TASK, "actions": actions, "outputs": ["327"]}
    (record,) = read(write([run(info={"task": task, "reward_info": RIGHT})]))
    case = record.case
    assert (case.id, case.suite, case.task.text) == ("3", "retail", "Cancel it.")
    assert case.secret.answer == AnswerCheck(contains=("327",))
    assert (case.secret.min_calls, case.secret.reference.match) == (2, "superset")
    assert case.secret.reference.entries == (
        expect("get_user_details", {"user_id": "u"}),
        expect("cancel_pending_order", {"order_id": "#W1", "n": 1}),
    )


def test_a_task_without_outputs_asks_for_no_words(write: Write) -> None:
    """Nothing to say is no check of the answer; an empty path is still a reference."""
    (record,) = read(write([run()]))
    secret = record.case.secret
    assert (secret.answer, secret.min_calls, secret.reference.entries) == (None, 0, ())


def test_without_a_task_there_is_no_case(write: Write) -> None:
    """Nothing is expected of what nobody described."""
    (record,) = read(write([run(info={"reward_info": RIGHT})]))
    assert record.case is None


@pytest.mark.parametrize(
    ("tools", "suite"),
    [
        (["think", "cancel_reservation"], "airline"),
        (["get_user_details", "modify_user_address"], "retail"),
        (["think", "calculate", "get_user_details", "transfer_to_human_agents"], "tau_bench"),
    ],
)
def test_the_domain_is_told_by_the_tools(one: One, tools: list[str], suite: str) -> None:
    """Tools that both domains have tell nothing."""
    assert one([run(*(message for tool in tools for message in ask(tool)))]).suite == suite


def test_runs_without_a_trial_never_clash(write: Write) -> None:
    """No number is made up for them: a second run of a task is another attempt."""
    task = {key: value for key, value in run().items() if key != "trial"}
    found = read(write([task, task, {**task, "trial": None}]))
    assert [record.trajectory.trial for record in found] == [None] * 3


def test_one_domain_holds_for_the_whole_file(write: Write) -> None:
    """A run without calls belongs to the domain of the others."""
    found = read(write([run(), run(*ask("book_reservation"), trial=2)]))
    assert [record.trajectory.suite for record in found] == ["airline", "airline"]


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("Error: no such order", "error"),
        ('# var_6 = "Error: no such order"', "error"),
        ("# var_6 = 'Error: no such order'", "error"),
        ("#var_6 = 'Error'", "error"),
        ('# var_6 = "Errors"', "ok"),
        ('# var_6 = "fine" # Error', "ok"),
        ("fine", "ok"),
    ],
)
def test_an_error_may_hide_in_text(one: One, result: str, outcome: str) -> None:
    """The assertions agent writes results as assignments (FORMATS §16.11)."""
    assert [call.outcome for call in one([run(*ask("f", "{}", result))]).calls] == [outcome]


def test_calls_that_exist_only_as_text_are_no_steps(one: One) -> None:
    """A warning says so."""
    found = one([run({"role": "assistant", "content": ' <tool_call>{"name": "f"}</tool_call>'})])
    assert (found.calls, found.warnings) == ([], ("calls_only_as_text",))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"traj": None}, "expected `array`, got `null` - at `$.traj`"),
        ({"trial": "1"}, "expected `int | null`, got `str` - at `$.trial`"),
        ({"reward": "1.0"}, "expected `float | null`, got `str` - at `$.reward`"),
        ({"info": {"task": {"actions": [{"kwargs": {}}]}}}, "object missing required field `name`"),
    ],
)
def test_a_run_that_cannot_be_read_is_named(
    write: Write, change: dict[str, object], why: str
) -> None:
    """The others are read (J12, J13)."""
    found = read(write([run(), {**run(trial=2), **change}, run(trial=3)]))
    assert [record.trajectory.trial for record in found] == [1, 3]
    (rejected,) = found.account.rejected
    assert (rejected.record, rejected.why[: len(why)]) == (2, why)
