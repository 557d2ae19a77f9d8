"""Invented tools: calls of what the agent did not have."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.contracts import ToolContract
from trayecto.formats import read
from trayecto.metrics import score
from trayecto.metrics.hallucinated_tools import IDLE, UNTOLD, explain, hallucinated_tools
from trayecto.scores import Score
from trayecto.trajectory import Child, Tool, Trajectory

Make = Callable[..., Any]

TOOLS = (Tool("buscar_cliente"), Tool("ver_saldo"))


@pytest.mark.parametrize(
    ("calls", "score"),
    [
        (["buscar_cliente", "ver_saldo"], Score(0.0)),
        (
            ["ver_saldo", "cancelar_pedido", "buscar_cliente", "ver_saldo"],
            Score(0.25, None, (2,)),
        ),
        (["ver_saldo", "buscar_cliente"], Score(0.0)),
        ([], IDLE),
    ],
)
def test_the_golden_runs(judge: Make, run: Make, *, calls: list[str], score: Score) -> None:
    """Golden tool_use_adopted_definitions, hallucinated_rate: 0, 0.25, 0, null."""
    assert judge(hallucinated_tools, run(*calls, tools=TOOLS)) == score


def test_without_a_list_of_tools_nobody_knows(judge: Make, run: Make) -> None:
    """Never 0: an empty list says that there was none."""
    assert judge(hallucinated_tools, run("a")) == UNTOLD
    assert judge(hallucinated_tools, run("a", tools=())) == Score(1.0, None, (1,))


def refusing(run: Make, *calls: tuple[str, str, str | None]) -> Trajectory:
    """Return a run that tells no tools, but of each that there was not; calls with their errors."""
    made = run(*[(tool, {}, "", outcome) for tool, outcome, _ in calls])
    turns = tuple(
        replace(turn, calls=(replace(turn.calls[0], error=error),))
        for turn, (_, _, error) in zip(made.turns, calls, strict=True)
    )
    return replace(made, turns=turns, refuses_unknown_tools=True)


def test_what_was_refused_as_unknown_was_invented(judge: Make, run: Make) -> None:
    """AgentDojo's runtime says "Invalid tool X provided." of each; another error is none of these.

    By hand: one of four calls.
    """
    calls = [("a", "ok", None), ("x", "error", "unknown_tool"), ("a", "error", "ValueError")]
    made = refusing(run, *calls, ("a", "ok", None))
    assert judge(hallucinated_tools, made) == Score(0.25, None, (2,))
    assert judge(explain, made) == "no such tool: call 2 x"


def test_a_run_without_such_a_refusal_invented_nothing(judge: Make, run: Make) -> None:
    """0 of its calls, where the runtime would have said so; else nobody knows."""
    made = refusing(run, ("a", "ok", None), ("b", "error", None))
    assert judge(hallucinated_tools, made) == Score(0.0)
    assert judge(hallucinated_tools, replace(made, refuses_unknown_tools=False)) == UNTOLD
    assert judge(hallucinated_tools, refusing(run)) == IDLE


def test_a_call_without_a_result_was_not_looked_at(judge: Make, run: Make) -> None:
    """It counts on neither side: half of the two that the runtime saw."""
    calls = [("a", "ok", None), ("x", "error", "unknown_tool"), ("y", "unknown", None)]
    assert judge(hallucinated_tools, refusing(run, *calls)) == Score(0.5, None, (2,))
    assert judge(hallucinated_tools, refusing(run, calls[-1])) == UNTOLD


def test_a_list_of_tools_says_more_than_refusals(judge: Make, run: Make) -> None:
    """Where the trace tells the tools, they decide, whatever a result was called."""
    made = replace(refusing(run, ("ver_saldo", "error", "unknown_tool")), tools=TOOLS)
    assert judge(hallucinated_tools, made) == Score(0.0)


def test_the_names_are_compared_as_they_stand(judge: Make, run: Make) -> None:
    """Another case, or a space, is another tool."""
    made = run("Ver_saldo", "ver_saldo ", tools=TOOLS)
    assert judge(hallucinated_tools, made) == Score(1.0, None, (1, 2))


def test_a_sub_agent_is_held_against_its_own_tools(judge: Make, run: Make) -> None:
    """Ruling 17; one that tells none had the root's."""
    own = Child(run("c", tools=(Tool("c"),)), 1)
    silent = Child(run("c"), 1)
    root = run("ver_saldo", tools=TOOLS)
    assert judge(hallucinated_tools, replace(root, children=(own,))) == Score(0.0)
    assert judge(hallucinated_tools, replace(root, children=(silent,))) == Score(0.5)


def test_in_words(judge: Make, run: Make) -> None:
    """Each call of a tool that was not there."""
    told = "no such tool: call 1 x, call 3 y"
    assert judge(explain, run("x", "ver_saldo", "y", tools=TOOLS)) == told
    fine = "every call was of a tool that there was"
    assert judge(explain, run("ver_saldo", tools=TOOLS)) == fine
    assert judge(explain, run("x")) == ""


AIRLINE = "tau-bench/historical_trajectories/gpt-4o-airline.json"


@pytest.mark.shared
def test_tau_bench_is_judged_where_its_tools_are_given(shared: Path) -> None:
    """Its files name none. Given all that were called but think, the share is counted by hand."""
    path = shared / "data" / AIRLINE
    called = [
        [call["function"]["name"] for m in run["traj"] for call in m.get("tool_calls") or ()]
        for run in json.loads(path.read_text("utf-8"))
    ]
    names = {name for run in called for name in run} - {"think"}
    tools = {name: ToolContract(name, "", {"type": "object"}) for name in names}
    for given in (None, tools):
        for run, made in zip(score(read(path), tools=given), called, strict=True):
            invented = made.count("think") / len(made) if made and given else None
            assert run.value("hallucinated_tools") == invented
            validity = 1.0 if given and set(made) - {"think"} else None
            assert run.value("argument_validity") == validity
