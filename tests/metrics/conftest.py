"""Short ways to write a run and a case, and the two runs of article 000."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.case import Case, CaseInput, CaseSecret, Expected, expect, refer
from trayecto.facts import gather
from trayecto.prices import PriceTable, load
from trayecto.scores import Score
from trayecto.trajectory import Call, Spent, Trajectory, Turn, Usage

NAMES = {"id": "run", "suite": "suite", "candidate": "agent", "case_id": "case", "trial": 1}
Step = str | tuple[Any, ...]
Run = Callable[..., Trajectory]
MakeCase = Callable[..., Case]
Judge = Callable[..., Any]


def _call(index: int, step: Step) -> Call:
    """Make a call of `"tool"` or of `("tool", arguments, observation, outcome)`."""
    given = (step,) if isinstance(step, str) else step
    tool, arguments, observation, outcome = (*given, *("tool", {}, "ok", "ok")[len(given) :])
    return Call(index, tool, arguments, observation, outcome)


def _run(*steps: Step | list[Step], **fields: object) -> Trajectory:
    """Make a run: each step is a generation of its own, a list is one with parallel calls."""
    turns: list[Turn] = []
    index = 0
    for step in steps:
        group = step if isinstance(step, list) else [step]
        calls = tuple(_call(index + at, each) for at, each in enumerate(group, 1))
        index += len(calls)
        turns.append(Turn(len(turns) + 1, "assistant", None, calls))
    return Trajectory(**{**NAMES, "turns": tuple(turns), **fields})


def _entry(entry: str | tuple[Any, ...]) -> Expected:
    return expect(entry, None) if isinstance(entry, str) else expect(*entry)


def _case(reference: list[Any] | None, match: str = "in_order", **secret: object) -> Case:
    """Make a case: an entry is `"tool"`, `("tool", arguments)` or a list of parallel ones."""
    groups = None
    if reference is not None:
        lists = [entry if isinstance(entry, list) else [entry] for entry in reference]
        groups = refer([tuple(map(_entry, group)) for group in lists], match)
    return Case("case", CaseInput(), CaseSecret(groups, **secret))


@pytest.fixture(scope="session")
def run() -> Run:
    """Return the maker of runs."""
    return _run


@pytest.fixture(scope="session")
def make_case() -> MakeCase:
    """Return the maker of cases."""
    return _case


@pytest.fixture(scope="session")
def judge() -> Judge:
    """Return a function that scores a run: the metric's one score, or its list of them."""

    def judge(
        metric: Callable[..., Score | list[Score]],
        trajectory: Trajectory,
        case: Case | None = None,
        prices: PriceTable | None = None,
        **options: object,
    ) -> Score | list[Score]:
        return metric(gather(trajectory, case, prices), case, **options)

    return judge


@pytest.fixture(scope="session")
def article_prices(tmp_path_factory: pytest.TempPathFactory) -> PriceTable:
    """Return a price file's table: 3 and 15 dollars per million tokens, as in article 000."""
    path: Path = tmp_path_factory.mktemp("prices") / "prices.yaml"
    path.write_text("models: {m: {input: 3.0, output: 15.0}}", "utf-8")
    return load(path)


@pytest.fixture(scope="session")
def sane() -> Trajectory:
    """Return the sane trajectory of article 000: two calls, 1,900 tokens in and 70 out."""
    return _run(
        ("buscar_cliente", {"rut": "12345678-9"}, "id=8812"),
        ("ver_saldo", {"id": 8812}, "142900"),
        answer="El saldo es $142.900",
        success=True,
        spent=(Spent("m", Usage(900 + 1000, 0, 0, 40 + 30)),),
    )


@pytest.fixture(scope="session")
def pathological() -> Trajectory:
    """Return the pathological trajectory of article 000: six calls, the first three in a loop."""
    return _run(
        *[("ver_saldo", {"id": None}, "ERROR: id es obligatorio", "error")] * 3,
        ("listar_clientes", {}, "[... 40k tokens ...]"),
        ("buscar_cliente", {"rut": "12345678-9"}, "id=8812"),
        ("ver_saldo", {"id": 8812}, "142900"),
        answer="El saldo es $142.900",
        success=True,
        spent=(Spent("m", Usage(3 * 1800 + 42000 + 44000 + 45000, 0, 0, 3 * 30 + 25 + 40 + 30)),),
    )


@pytest.fixture(scope="session")
def article_case() -> Case:
    """Return the case of article 000: two tools in order, at least two calls."""
    return _case(["buscar_cliente", "ver_saldo"], "in_order", min_calls=2)
