"""What the attempt cost: its tokens at the prices of its models.

Counted: every generation of the attempt and of its sub-agents, failed ones too; cached input at its
own price. Prices come from the user's file, else from the packaged table; the report names both.
Unit: US dollars, exact to the nano-dollar. Lower is better; read it beside success. Undefined where
a token count, the model or its price is unknown, or where a price goes by the size of a request and
the trace does not tell the requests apart: never 0.

Source: article 000, *Costo por tarea*.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts, Prices, family
from trayecto.scores import Score
from trayecto.trajectory import Spent, Trajectory, Usage

UNIT = "usd"
BETTER = "lower"
OVER = "runs"

NANO = 1_000_000_000
UNCOUNTED = Score(None, "no token counts")
PRICELESS = Score(None, "no price table was given")
MIXED = Score(None, "a price goes by request, and the requests are not told apart")


def cost_usd(facts: Facts, case: Case | None) -> Score:
    """Price the usage of each model, and add."""
    prices = facts.prices
    if prices is None:
        return PRICELESS
    root = facts.trajectory
    total = 0
    for member in family(root) if root.children else (root,):
        if not member.spent:
            return UNCOUNTED
        for part in member.spent:
            if part.usage is None:
                return UNCOUNTED
            cost = _price(part, part.usage, member, prices)
            if isinstance(cost, Score):
                return cost
            total += cost
    return Score(total / NANO)


def _price(part: Spent, usage: Usage, trajectory: Trajectory, prices: Prices) -> int | Score:
    """Price one model: its sum where a token always costs the same, else request by request."""
    whole = prices.cost(part.model, usage)
    if whole is None:
        return Score(None, prices.why(part.model))
    if prices.is_flat(part.model):
        return whole
    total = 0
    requests = _requests(part.model, usage, trajectory)
    for request in requests:
        cost = prices.cost(part.model, request)
        if cost is None:
            return Score(None, prices.why(part.model))
        total += cost
    return total if requests else MIXED


def _requests(model: str | None, usage: Usage, trajectory: Trajectory) -> list[Usage]:
    """The requests that make up a model's usage; none where the trace does not tell them apart.

    A turn that names no model may be of this one: then only with it the counts add up.
    """
    counted = [turn for turn in trajectory.turns if turn.usage is not None]
    for names in ((model,), (model, None)):
        found = [turn.usage for turn in counted if turn.usage and turn.model in names]
        if _buckets(found) == _buckets([usage]):
            return found
    return []


def _buckets(used: list[Usage]) -> tuple[int, int, int, int]:
    return (
        sum(usage.input for usage in used),
        sum(usage.cache_read or 0 for usage in used),
        sum(usage.cache_write or 0 for usage in used),
        sum(usage.output for usage in used),
    )
