"""Invented tools: calls of what the agent did not have."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.metrics.hallucinated_tools import IDLE, UNTOLD, explain, hallucinated_tools
from trayecto.scores import Score
from trayecto.trajectory import Child, Tool

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
