"""Required tools: whether each of them was called."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.metrics.required_tools import explain, needs, required_tools
from trayecto.scores import Score
from trayecto.trajectory import Child

Make = Callable[..., Any]

VIEW, VERIFY = "ver_factura", "verificar_identidad"


@pytest.mark.parametrize(
    ("calls", "kept"),
    [
        ([VERIFY, VIEW], True),
        ([VIEW, VERIFY], True),
        ([VIEW, VIEW, VIEW, "borrar_cliente"], False),
        ([], False),
    ],
)
def test_the_article_s_four_runs(
    judge: Make, run: Make, make_case: Make, *, calls: list[str], kept: bool
) -> None:
    """Golden article001_evaluar: tools are missing in the third run and in the fourth."""
    case = make_case(None, required=(VIEW, VERIFY))
    assert judge(required_tools, run(*calls), case) == Score(kept)


def test_a_failed_attempt_is_a_call(judge: Make, run: Make, make_case: Make) -> None:
    """The article looks at names only."""
    failed = ("a", {}, "Error: no", "error")
    assert judge(required_tools, run(failed), make_case(None, required=("a",))) == Score(value=True)


def test_a_sub_agent_may_call_it(judge: Make, run: Make, make_case: Make) -> None:
    """Ruling 17: root and children are looked at."""
    whole = replace(run("b"), children=(Child(run("a"), 1),))
    assert judge(required_tools, whole, make_case(None, required=("a", "b"))) == Score(value=True)


def test_what_is_missing_is_named(judge: Make, run: Make, make_case: Make) -> None:
    """In the order of the case."""
    case = make_case(None, required=("a", "b", "c"))
    assert judge(explain, run("b"), case) == "missing: a, c"
    assert judge(explain, run("a", "b", "c"), case) == "every required tool was called"


def test_what_it_needs(make_case: Make) -> None:
    """A case that requires something."""
    assert needs(None) == needs(make_case(["a"])) == "the case does not ask for it"
    assert needs(make_case(None, required=("a",))) is None
