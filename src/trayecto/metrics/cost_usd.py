"""What the attempt cost: its tokens at the prices of its models, its tools and its time at theirs.

Counted: every generation of the attempt and of its sub-agents, failed ones too; cached input at its
own price. Where the user's price file states them, every call of a priced tool, failed attempts and
sub-agents' too, and every second of the attempt's own latency, in which those of its sub-agents
lie. A tool that the file does not name costs nothing by the call. Prices of tokens come from the
user's file, else from the packaged table; the report names both. A person's minutes are not in it.
Unit: US dollars, exact to the nano-dollar. Lower is better; read it beside success. Undefined where
a token count, the model or its price is unknown, whatever its tools cost (a part of a bill is no
bill); where a price goes by the size of a request and the trace does not tell the requests apart;
and where seconds have a price and the latency is unknown: never 0.

Source: article 000, *Costo por tarea*; article 004 (models, tools and infrastructure).
"""

from __future__ import annotations

from fractions import Fraction

from trayecto.case import Case
from trayecto.facts import Facts, Prices, family
from trayecto.metrics._took import can_be, took_ms
from trayecto.rates import charge
from trayecto.scores import Score
from trayecto.trajectory import Spent, Trajectory, Usage

UNIT = "usd"
BETTER = "lower"
OVER = "runs"

NANO = 1_000_000_000
MICROSECONDS = 1000  # in a millisecond
UNCOUNTED = Score(None, "no token counts")
PRICELESS = Score(None, "no price table was given")
MIXED = Score(None, "a price goes by request, and the requests are not told apart")
UNTIMED = Score(None, "a price goes by the second, and the trace has no times")
IMPOSSIBLE = Score(None, "a price goes by the second, and a recorded time cannot be")


def cost_usd(facts: Facts, case: Case | None) -> Score:
    """Price the usage of each model, and add."""
    prices = facts.prices
    if prices is None:
        return PRICELESS
    root = facts.trajectory
    rates = prices.rates
    total = rates.of_calls(facts.calls) if rates.tools else 0
    for member in family(root) if root.children else (root,):
        if rates.tools and member is not root:
            total += rates.of_calls(member.calls)
        if not member.spent:
            return UNCOUNTED
        for part in member.spent:
            if part.usage is None:
                return UNCOUNTED
            cost = _price(part, part.usage, member, prices)
            if isinstance(cost, Score):
                return cost
            total += cost
    time = 0 if rates.per_second is None else _time(root, rates.per_second)
    return time if isinstance(time, Score) else Score((total + time) / NANO)


def _time(trajectory: Trajectory, per_second: Fraction) -> int | Score:
    """Price how long the attempt took, to the microsecond."""
    took = took_ms(trajectory)
    if took is None:
        return UNTIMED
    return charge(per_second, round(took * MICROSECONDS)) if can_be(took) else IMPOSSIBLE


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
