"""Short ways to write a run with its case, and to sum up many."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

from trayecto.case import Case, CaseInput, CaseSecret, expect, refer
from trayecto.metrics import Scored, score
from trayecto.rates import NO_RATES, Rates
from trayecto.records import Record
from trayecto.summaries import Document, summarize
from trayecto.trajectory import Call, Source, Spent, Trajectory, Turn, Usage

NAMES = {"suite": "suite", "candidate": "agent", "status": "completed", "trial": None}


class Dollar:
    """A dollar for a million tokens of the model "m"; no other has a price."""

    source = "a dollar"
    rates = NO_RATES

    def cost(self, model: str | None, usage: Usage) -> int | None:
        """Price the usage in nano-dollars."""
        return 1000 * (usage.input + usage.output) if model == "m" else None

    def is_flat(self, model: str | None) -> bool:
        """Every token costs the same."""
        return model == "m"

    def why(self, model: str | None) -> str:
        """Say that there is no price."""
        return f"no price for {model}"


class Stated(Dollar):
    """The same, and half a dollar for a person's minute."""

    source = "a dollar, and half a dollar a minute"
    rates = Rates(human_minute=Fraction(500_000_000))


def _record(
    case: str,
    tools: str = "a",
    *,
    success: bool | None = True,
    reference: str | None = None,
    match: str = "in_order",
    tokens: int | None = None,
    model: str = "m",
    **fields: object,
) -> Record:
    """Make a run of one-letter tools (a capital fails) and its case, if it has a reference."""
    number = next(_NUMBERS)
    calls = [
        Call(at, tool.lower(), {}, f"{tool}", "error" if tool.isupper() else "ok")
        for at, tool in enumerate(tools, 1)
    ]
    turns = tuple(Turn(call.index, "assistant", None, (call,)) for call in calls)
    spent = () if tokens is None else (Spent(model, Usage(tokens, 0, 0, 0)),)
    found = {
        "id": f"run{number}",
        "case_id": case,
        "turns": turns,
        "success": success,
        "spent": spent,
        "source": Source("made", "runs.jsonl", number),
        **fields,
    }
    judged = None
    if reference is not None:
        path = refer([(expect(tool, None),) for tool in reference], match)
        judged = Case(case, CaseInput(), CaseSecret(path))
    return Record(Trajectory(**{**NAMES, **found}), judged)


_NUMBERS = count(1)


@pytest.fixture(scope="session")
def record() -> Callable[..., Record]:
    """Return the maker of runs."""
    return _record


@pytest.fixture(scope="session")
def total() -> Callable[..., Document]:
    """Return a function that scores records and sums them up."""

    def total(records: Iterable[Record], prices: Any = None) -> Document:  # noqa: ANN401  # any price table
        return summarize(score(records, prices=prices))

    return total


@pytest.fixture(scope="session")
def scored() -> Callable[..., tuple[list[Scored], tuple[Any, ...]]]:
    """Return a function that scores records; it gives the runs and the columns."""

    def scored(records: Iterable[Record], prices: Any = None) -> tuple[list[Scored], Any]:  # noqa: ANN401  # any price table
        scores = score(records, prices=prices)
        return list(scores), scores.columns

    return scored


@pytest.fixture(scope="session")
def dollar() -> Dollar:
    """Return prices of a dollar for a million tokens."""
    return Dollar()


@pytest.fixture(scope="session")
def stated() -> Dollar:
    """Return the same prices with a rate for a person's minute."""
    return Stated()
