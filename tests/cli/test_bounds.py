"""``--min``: bounds of metrics, and what they find."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.cli._bounds import Bound, parse
from trayecto.errors import UsageError

Type = Callable[..., Any]  # gives code, out and err: see conftest


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("task_success=0.9", Bound("task_success", "=", "0.9", 0.9)),
        ("pass_hat_k.4>=.5", Bound("pass_hat_k.4", ">=", ".5", 0.5)),
        (" loop_rate <= 2e-2 ", Bound("loop_rate", "<=", "2e-2", 0.02)),
        ("mine=-1.", Bound("mine", "=", "-1.", -1.0)),
    ],
)
def test_a_bound_is_a_metric_a_sign_and_a_number(text: str, bound: Bound) -> None:
    """White space around them does not matter."""
    assert parse(text) == bound


@pytest.mark.parametrize(
    "number", ["", "nan", "inf", "-inf", "1_000", "1e999", "90%", "0x1", "--1", "1,5", "\u0661"]
)
def test_what_is_no_finite_number_is_refused(number: str) -> None:
    """Nothing is above NaN, and nothing below infinity: such a bound would always or never hold."""
    with pytest.raises(UsageError, match="write it as METRIC=VALUE, METRIC>=VALUE or METRIC<="):
        parse(f"task_success={number}")


@pytest.mark.parametrize("text", ["", "task_success", "=1", "a==1", "a<1", "a>1", "a=>1"])
def test_what_is_no_bound_is_refused(text: str) -> None:
    """Below and above leave open what happens at the number itself."""
    with pytest.raises(UsageError, match="--min"):
        parse(text)


@pytest.mark.parametrize(
    ("value", "held"),
    [(0.9, {"a=0.9", "a>=0.9", "a<=0.9"}), (0.95, {"a=0.9", "a>=0.9"}), (0.85, {"a<=0.9"})],
)
def test_a_bound_includes_its_number(value: float, held: set[str]) -> None:
    """At least, or at most."""
    texts = ("a=0.9", "a>=0.9", "a<=0.9")
    assert {text for text in texts if parse(text).holds(value)} == held


@pytest.mark.parametrize(
    ("bounds", "code"),
    [
        (["task_success=0.5"], 0),
        (["task_success>=0.51"], 1),
        (["task_success<=0.5", "loop_rate<=0.5"], 0),
        (["task_success=0.5", "loop_rate<=0.49"], 1),
        (["pass_at_k.2=1", "pass_hat_k.2<=0"], 0),
        (["loop_rate>=0.5"], 0),
        (["cost_usd<=1000"], 1),
        (["pass_hat_k.3=0"], 1),
    ],
)
def test_the_value_of_the_suite_decides(
    type_: Type, runs: Path, bounds: list[str], code: int
) -> None:
    """One of two trials of one task succeeds, the other loops; nobody knows a cost, or a third."""
    options = [word for bound in bounds for word in ("--min", bound)]
    assert type_("score", runs, *options, "--json").code == code


def test_what_does_not_hold_is_said_with_its_value(type_: Type, runs: Path) -> None:
    """A bound a line; an undefined value does not hold, and says why it is undefined."""
    bounds = ["task_success=0.9", "cost_usd<=1", "pass_hat_k.3>=0.1"]
    result = type_("score", runs, *[word for bound in bounds for word in ("--min", bound)])
    assert result.err.splitlines() == [
        "trayecto: --min task_success>=0.9: it is 0.5, in 2 of 2 runs",
        "trayecto: --min cost_usd<=1: it is undefined: no token counts",
        "trayecto: --min pass_hat_k.3>=0.1: it is undefined: 0 of 1 tasks have so many trials",
    ]


def test_a_value_just_below_is_written_in_full(type_: Type, tmp_path: Path) -> None:
    """2/3 is below 0.666667, which it would be printed as."""
    lines = [
        {"messages": [{"role": "user", "content": "x"}], "case_id": "a", "success": n > 0}
        for n in range(3)
    ]
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = type_("score", path, "--min", "task_success=0.666667")
    assert f"it is {2 / 3!r}, in 3 of 3 runs" in result.err


def test_every_group_must_hold(type_: Type, runs: Path) -> None:
    """Two candidates, and the one that fails is named; nothing is averaged over them."""
    other = json.loads(runs.read_text().splitlines()[0]) | {"candidate": "you"}
    with runs.open("a") as file:
        file.write(json.dumps(other))
    result = type_("score", runs, "--min", "task_success=0.75", "--json")
    assert (result.code, len(result.err.splitlines())) == (1, 1)
    assert "(suite 'openai_messages', candidate 'me')" in result.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("task_succes=1", "there is no metric 'task_succes'"),
        ("task_succes=1", "Did you mean 'task_success'?"),
        ("loop=0.1", "Did you mean 'loop_rate'?"),
        ("pass_hat_k=0.5", "Did you mean 'pass_hat_k.1'?"),
        ("pass_hat_k.0=0.5", "there is no metric"),
        ("pass_hat_k.17=0.5", "there is no metric"),
        ("task_success.1=0.5", "there is no metric"),
        ("loop_rate=0.02", "write 'loop_rate<=0.02', or 'loop_rate>=0.02' if you mean it"),
    ],
)
def test_a_mistake_is_found_before_anything_is_scored(
    type_: Type, runs: Path, text: str, told: str
) -> None:
    """An unknown metric, and a floor where a ceiling may be meant, end with 2 and no report."""
    result = type_("score", runs, "--min", text)
    assert (result.code, result.out) == (2, "")
    assert told in result.err


def test_a_metric_of_the_user_can_be_bounded(
    type_: Type, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--metric and --min go together; the runs made 2 and 3 calls."""
    source = "from trayecto import Score\nUNIT, BETTER = 'calls', 'neither'\n"
    source += "def made(facts, case):\n    return Score(len(facts.calls))\n"
    runs.with_name("bounded_metric.py").write_text(source)
    monkeypatch.syspath_prepend(runs.parent)
    words = ("score", runs, "--metric", "bounded_metric:made", "--json", "--min")
    assert type_(*words, "made=2.5").code == 0
    assert type_(*words, "made=2.6").code == 1


def test_bad_input_goes_before_a_bound(type_: Type, runs: Path) -> None:
    """Both are said, and the exit code is 2; so it is where a check fails besides."""
    with runs.open("a") as file:
        file.write("{\n")
    words = ("--min", "task_success=1", "--check", "--max-rejects", "0")
    result = type_("score", runs, *words)
    assert result.code == 2
    assert "--min task_success>=1: it is 0.5" in result.err
    assert "assertions that failed: 1" in result.err


def test_without_a_bound_nothing_is_said(type_: Type, runs: Path) -> None:
    """And where every bound holds, neither."""
    assert type_("score", runs, "--json").err == ""
    assert type_("score", runs, "--json", "--min", "task_success=0.5").err == ""


def test_help_says_what_is_compared(type_: Type) -> None:
    """At least by default, at most where it is written, with ids of the document."""
    words = " ".join(type_("score", "--help").out.replace("│", " ").split())
    assert "METRIC=VALUE, or METRIC>=VALUE" in words
    assert 'For a metric of which less is better write "METRIC<=VALUE"' in words
    assert "pass_hat_k.4" in words


def test_a_signal_may_not_gate(type_: Type, runs: Path) -> None:
    """Ruling 5: redundancy is to look at."""
    result = type_("score", runs, "--min", "repeated_calls<=0")
    assert (result.code, "is a signal, and may not gate" in result.err) == (2, True)
