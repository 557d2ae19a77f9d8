"""Short ways to write the two sides of a comparison."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import pytest

from trayecto.case import Case, CaseInput, CaseSecret, expect, refer
from trayecto.decisions import Side, read_arm
from trayecto.metrics import score
from trayecto.rates import NO_RATES
from trayecto.records import Record
from trayecto.trajectory import Call, Source, Spent, Trajectory, Turn, Usage

STATUSES = {"i": "infra_error", "b": "budget_exceeded"}
_NUMBERS = count(1)


class Dollar:
    """A dollar for a million tokens, of any model."""

    source = "a dollar"
    rates = NO_RATES

    def cost(self, model: str | None, usage: Usage) -> int | None:  # noqa: ARG002  # the price of all
        """Price the usage in nano-dollars."""
        return 1000 * (usage.input + usage.output)

    def is_flat(self, model: str | None) -> bool:  # noqa: ARG002  # the price of all
        """Every token costs the same."""
        return True

    def why(self, model: str | None) -> str:  # noqa: ARG002  # the price of all
        """Say that there is no price."""
        return "no price"


def _run(case: str, end: str, **fields: Any) -> Record:  # noqa: ANN401  # any field of a trajectory
    """Make a run that passes (p), fails (f), breaks (i) or runs out (b), of one-letter tools."""
    number = next(_NUMBERS)
    tools, reference = fields.pop("tools", "a"), fields.pop("reference", None)
    cluster, text = fields.pop("cluster", None), fields.pop("text", None)
    tokens = fields.pop("tokens", None)
    calls = [Call(at, tool, {}, tool, "ok") for at, tool in enumerate(tools, 1)]
    turns = tuple(Turn(call.index, "assistant", None, (call,)) for call in calls)
    path = None if reference is None else refer([(expect(t, None),) for t in reference], "in_order")
    judged = Case(case, CaseInput(text or ""), CaseSecret(path), cluster=cluster)
    found = {
        "id": f"run{number}",
        "suite": "shop",
        "candidate": "agent",
        "case_id": case,
        "trial": number,
        "turns": turns,
        "status": STATUSES.get(end, "completed"),
        "success": {"p": True, "f": False}.get(end),
        "success_from": "recorded" if end in "pf" else None,
        "spent": () if tokens is None else (Spent("m", Usage(tokens, 0, 0, 0)),),
        "source": Source("made", "runs.jsonl", number),
        **fields,
    }
    return Record(Trajectory(**found), judged)


@pytest.fixture(scope="session")
def dollar() -> Dollar:
    """Return prices of a dollar for a million tokens."""
    return Dollar()


@pytest.fixture(scope="session")
def run() -> Callable[..., Record]:
    """Return the maker of one run."""
    return _run


@pytest.fixture(scope="session")
def side() -> Callable[..., Side]:
    """Return a maker of a side: each task with a letter for each of its runs."""

    def side(ends: Mapping[str, str], *, pool: bool = False, **fields: Any) -> Side:  # noqa: ANN401  # any field of a trajectory
        records = [_run(case, end, **fields) for case, runs in ends.items() for end in runs]
        (found,) = read_arm(score(records, prices=Dollar()), "runs", pool=pool).values()
        return found

    return side
