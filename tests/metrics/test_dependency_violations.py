"""Declared orders: how many were broken."""

from collections.abc import Callable
from typing import Any

import pytest

from trayecto.metrics.dependency_violations import dependency_violations, explain, needs
from trayecto.scores import Score

Make = Callable[..., Any]

VIEW, VERIFY = "ver_factura", "verificar_identidad"
FIND, BALANCE = "buscar_cliente", "ver_saldo"


@pytest.mark.parametrize(
    ("calls", "steps"),
    [
        ([VERIFY, VIEW], ()),
        ([VIEW, VERIFY], (1,)),
        ([VIEW, VIEW, VIEW, "borrar_cliente"], (1,)),
        ([], ()),
    ],
)
def test_the_article_s_runs(
    judge: Make, run: Make, make_case: Make, *, calls: list[str], steps: tuple[int, ...]
) -> None:
    """Golden article001_evaluar: "sin … previo" in the second run and in the third."""
    case = make_case(None, order=((VERIFY, VIEW),))
    assert judge(dependency_violations, run(*calls), case) == Score(len(steps), None, steps)


def test_article_002_s_mixed_run_breaks_nothing(judge: Make, run: Make, make_case: Make) -> None:
    """Golden article002_metricas_tool_use_as_coded: the first ver_saldo was refused."""
    refused = (BALANCE, {"id": "abc"}, "ERROR de argumentos", "error")
    case = make_case(None, order=((FIND, BALANCE),))
    mixed = run(refused, FIND, (BALANCE, {"id": 8812}))
    assert judge(dependency_violations, mixed, case) == Score(0)
    inverted = run(BALANCE, FIND)
    assert judge(dependency_violations, inverted, case) == Score(1, None, (1,))


def test_what_failed_before_is_no_earlier_step(judge: Make, run: Make, make_case: Make) -> None:
    """By hand: the identity was not verified."""
    failed = (VERIFY, {}, "Error: no such person", "error")
    case = make_case(None, order=((VERIFY, VIEW), (VIEW, "pay")))
    assert judge(dependency_violations, run(failed, VIEW, "pay"), case) == Score(1, None, (2,))
    told = "call 2 ver_factura without verificar_identidad before it"
    assert judge(explain, run(failed, VIEW, "pay"), case) == told
    assert judge(explain, run(VERIFY, VIEW), case) == "every declared order was kept"


def test_two_pairs_broken_by_one_call_are_two(judge: Make, run: Make, make_case: Make) -> None:
    """A violated pair is a pair; the call is pointed at once."""
    case = make_case(None, order=(("a", "c"), ("b", "c")))
    assert judge(dependency_violations, run("c"), case) == Score(2, None, (1,))


def test_what_it_needs(make_case: Make) -> None:
    """A case that declares an order."""
    assert needs(None) == needs(make_case(["a"])) == "the case does not ask for it"
    assert needs(make_case(None, order=(("a", "b"),))) is None
