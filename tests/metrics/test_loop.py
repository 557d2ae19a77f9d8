"""The loop: the same call with the same result, three times or more."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.formats import read
from trayecto.metrics.loop import EMPTY, UNSEEN, loop
from trayecto.scores import Score
from trayecto.trajectory import Trajectory

Make = Callable[..., Any]

GET = ("get", {"id": 1}, "ok")


def test_the_two_runs_of_the_article(
    judge: Make, sane: Trajectory, pathological: Trajectory
) -> None:
    """Article 000 prints no loop, and one: the first three calls."""
    assert judge(loop, sane) == Score(value=False)
    assert judge(loop, pathological) == Score(value=True, steps=(1, 2, 3))


@pytest.mark.parametrize(("times", "value"), [(1, False), (2, False), (3, True), (4, True)])
def test_three_times_or_more(judge: Make, run: Make, *, times: int, value: bool) -> None:
    """Article 000: N is 3, so twice is no loop yet."""
    assert judge(loop, run(*[GET] * times)).value is value


def test_not_necessarily_in_a_row(judge: Make, run: Make) -> None:
    """Ruling 6: other calls may come between."""
    assert judge(loop, run(GET, "a", GET, "b", GET)).steps == (1, 3, 5)


def test_polling_is_no_loop(judge: Make, run: Make) -> None:
    """Article 000: a call whose observation changes is legitimate."""
    polls = [("status", {"order": 77}, seen) for seen in ("sent", "near", "there")]
    assert judge(loop, run(*polls)) == Score(value=False)


def test_polling_that_gets_stuck_is_a_loop(judge: Make, run: Make) -> None:
    """Only the calls with one observation count, and only they are shown."""
    polls = [("status", {}, seen) for seen in ("sent", "near", "near", "near")]
    assert judge(loop, run(*polls)).steps == (2, 3, 4)


def test_the_order_of_keys_does_not_matter(judge: Make, run: Make) -> None:
    """Article 000: {"a":1,"b":2} and {"b":2,"a":1} are one call."""
    calls = [("t", {"a": 1, "b": 2}), ("t", {"b": 2, "a": 1}), ("t", {"a": 1, "b": 2})]
    assert judge(loop, run(*calls)).value is True


@pytest.mark.parametrize("other", [{"id": True}, {"id": "1"}, {"id": None}, {}, '{"id":1}'])
def test_different_arguments_are_different_calls(judge: Make, run: Make, other: object) -> None:
    """Ruling 3: 1, true, "1", null, absent and raw text differ."""
    assert judge(loop, run(GET, GET, ("get", other, "ok"))).value is False


def test_a_call_without_observation_leaves_it_open(judge: Make, run: Make) -> None:
    """Whether the results were the same cannot be known."""
    assert judge(loop, run(GET, GET, ("get", {"id": 1}, None, "unknown"))) == UNSEEN


def test_a_loop_that_was_seen_is_one_whatever_else_is_unknown(judge: Make, run: Make) -> None:
    """Three equal results are enough."""
    assert judge(loop, run(GET, ("get", {"id": 1}, None, "unknown"), GET, GET)).steps == (1, 3, 4)


def test_a_run_without_turns_is_undefined(judge: Make, run: Make) -> None:
    """Nothing was recorded, so nothing passed; a run that only talked did not go in circles."""
    assert judge(loop, run()) == EMPTY == Score(None, "the run has no turn")
    assert judge(loop, run([])).value is False


def test_how_often_can_be_chosen(judge: Make, run: Make) -> None:
    """The threshold is an option of the function."""
    assert judge(loop, run(GET, GET), times=2).value is True
    assert judge(loop, run(GET, GET, GET), times=4).value is False


MALFORMED = """{"messages": [{"role": "user", "content": "?"}, %s]}"""
SIX = [
    ("calc", r'"{\"n\":1}"', r"ok \ud835"),
    ("ping", '""', "ok"),
    ("calc", r'"{\"n\": 1"', "ok"),
    ("calc", r'"\"{\\\"n\\\": 1}\""', "ok"),
    ("calc", '"[1,2]"', "ok"),
    ("calc", '{"n":1}', "ok"),
]


def test_malformed_arguments_make_no_loop(judge: Make, tmp_path: Path) -> None:
    """INPUT-09: calls 1, 4 and 6 are one call, two with the result "ok"; 3 and 5 are others."""
    messages = [
        f'{{"role": "assistant", "tool_calls": [{{"id": "{at}", "function": {{"name": "{tool}", '
        f'"arguments": {arguments}}}}}]}}, '
        f'{{"role": "tool", "tool_call_id": "{at}", "content": "{seen}"}}'
        for at, (tool, arguments, seen) in enumerate(SIX)
    ]
    path = tmp_path / "runs.jsonl"
    path.write_text(MALFORMED % ", ".join(messages), "utf-8")
    [record] = read(path)
    assert len(record.trajectory.calls) == 6
    assert judge(loop, record.trajectory) == Score(value=False)
    assert judge(loop, record.trajectory, times=2).steps == (4, 6)


def test_a_reused_call_id_makes_no_loop(judge: Make, tmp_path: Path) -> None:
    """INPUT-08: an id that returns in a later turn belongs to another call."""
    said = ""
    for sku, stock in (("A", "4"), ("B", "0")):
        said += (
            f', {{"role": "assistant", "tool_calls": [{{"id": "stock:0", "function": '
            f'{{"name": "stock", "arguments": "{{\\"sku\\":\\"{sku}\\"}}"}}}}]}}, '
            f'{{"role": "tool", "tool_call_id": "stock:0", "content": "{stock}"}}'
        )
    path = tmp_path / "runs.jsonl"
    path.write_text(f'{{"messages": [{{"role": "user", "content": "?"}}{said}]}}', "utf-8")
    [record] = read(path)
    assert [call.observation for call in record.trajectory.calls] == ["4", "0"]
    assert judge(loop, record.trajectory, times=2) == Score(value=False)
