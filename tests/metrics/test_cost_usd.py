"""Cost: tokens at the prices of their models, or unknown."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.metrics.cost_usd import (
    IMPOSSIBLE,
    MIXED,
    PRICELESS,
    UNCOUNTED,
    UNTIMED,
    cost_usd,
)
from trayecto.prices import PriceTable, load
from trayecto.rates import NO_RATES
from trayecto.scores import Score
from trayecto.trajectory import Child, Spent, Trajectory, Turn, Usage

Make = Callable[..., Any]

MILLION = Usage(1_000_000, 0, 0, 0)


class Tiered:
    """Prices by request: a million nano-dollars each, twice that from 100 tokens on."""

    rates = NO_RATES

    def is_flat(self, model: str | None) -> bool:
        """Say that the size of a request matters, but for the model "flat"."""
        return model == "flat"

    def cost(self, model: str | None, usage: Usage) -> int | None:
        """Price one request; those of the model "odd" above 100 tokens are unknown."""
        if model == "odd" and usage.input > 100:
            return None
        return 2_000_000 if usage.input >= 100 else 1_000_000

    def why(self, model: str | None) -> str:
        """Say that there is no price."""
        return f"no price for {model}"


def turns(*requests: tuple[str | None, int]) -> tuple[Turn, ...]:
    """Make generations, each with a model and its fresh input."""
    return tuple(
        Turn(at, "assistant", "a", usage=Usage(count, 0, 0, 0), model=model)
        for at, (model, count) in enumerate(requests, 1)
    )


def test_the_two_runs_of_the_article(
    judge: Make, sane: Trajectory, pathological: Trajectory, article_prices: PriceTable
) -> None:
    """Golden cost_seed_000: 0.00675 and 0.411975, of which article 000 prints 0.41197."""
    assert judge(cost_usd, sane, None, article_prices) == Score(0.00675)
    assert judge(cost_usd, pathological, None, article_prices) == Score(0.411975)


def test_each_bucket_at_its_price(judge: Make, run: Make, tmp_path: Path) -> None:
    """INPUT-07: fresh 3.00, read 0.30, written 3.75, output 15.00 per million: 0.00315."""
    path = tmp_path / "prices.yaml"
    row = "{input: 3.00, cache_read: 0.30, cache_write: 3.75, output: 15.00}"
    path.write_text(f"models: {{m: {row}}}", "utf-8")
    spent = (Spent("m", Usage(100, 2000, 400, 50)),)
    assert judge(cost_usd, run("a", spent=spent), None, load(path)) == Score(0.00315)


def test_models_are_priced_apart_and_added(judge: Make, run: Make, tmp_path: Path) -> None:
    """A million tokens at 1 and at 2 dollars are 3 dollars."""
    path = tmp_path / "prices.yaml"
    path.write_text("models: {a: {input: 1, output: 9}, b: {input: 2, output: 9}}", "utf-8")
    spent = (Spent("a", MILLION), Spent("b", MILLION))
    assert judge(cost_usd, run("x", spent=spent), None, load(path)) == Score(3.0)


def test_an_unknown_price_leaves_the_whole_unknown(
    judge: Make, run: Make, article_prices: PriceTable
) -> None:
    """A part of a bill is no bill, and the reason names the model."""
    spent = (Spent("m", MILLION), Spent("nobody-sells-this", MILLION))
    score = judge(cost_usd, run("a", spent=spent), None, article_prices)
    assert score.value is None
    assert "nobody-sells-this" in score.why


def test_an_unknown_model_leaves_it_unknown(
    judge: Make, run: Make, article_prices: PriceTable
) -> None:
    """Tokens without a model have no price."""
    score = judge(cost_usd, run("a", spent=(Spent(None, MILLION),)), None, article_prices)
    assert score == Score(None, "the trace names no model")


@pytest.mark.parametrize(
    "spent", [(), (Spent("m", None),), (Spent("m", MILLION), Spent("m", None))]
)
def test_uncounted_tokens_leave_it_unknown(
    judge: Make, run: Make, article_prices: PriceTable, spent: object
) -> None:
    """Unknown is not free."""
    score = judge(cost_usd, run("a", spent=spent), None, article_prices)
    assert score == UNCOUNTED == Score(None, "no token counts")


def test_without_a_price_table_it_is_unknown(judge: Make, sane: Trajectory) -> None:
    """Scoring without prices says so."""
    assert judge(cost_usd, sane) == PRICELESS


def test_sub_agents_are_included(judge: Make, run: Make, article_prices: PriceTable) -> None:
    """Ruling 17: a root's cost includes its children's; one that is unknown leaves it unknown."""
    child = run("b", spent=(Spent("m", MILLION),))
    root = run("a", spent=(Spent("m", MILLION),), children=(Child(child, 1),))
    assert judge(cost_usd, root, None, article_prices) == Score(6.0)
    root = run("a", spent=(Spent("m", MILLION),), children=(Child(run("b"), 1),))
    assert judge(cost_usd, root, None, article_prices) == UNCOUNTED


def test_requests_are_priced_one_by_one_where_their_size_matters(judge: Make, run: Make) -> None:
    """Two requests of 60 tokens cost 1 each, not the 2 of one of 120, plus 2 for one of 100."""
    spent = (Spent("tiered", Usage(220, 0, 0, 0)),)
    made = turns(("tiered", 60), ("tiered", 60), ("tiered", 100))
    assert judge(cost_usd, run(turns=made, spent=spent), None, Tiered()) == Score(0.004)


def test_requests_without_a_model_belong_where_the_counts_add_up(judge: Make, run: Make) -> None:
    """A format may name the model once for all generations that name none."""
    spent = (Spent("tiered", Usage(120, 0, 0, 0)), Spent("flat", Usage(60, 0, 0, 0)))
    made = turns((None, 60), ("flat", 60), ("tiered", 60))
    assert judge(cost_usd, run(turns=made, spent=spent), None, Tiered()) == Score(0.003)


def test_requests_without_a_model_may_belong_to_another(judge: Make, run: Make) -> None:
    """Where the named requests are the whole count, the unnamed ones are not charged to it."""
    spent = (Spent("tiered", Usage(60, 0, 0, 0)), Spent("flat", Usage(60, 0, 0, 0)))
    made = turns(("tiered", 60), (None, 60))
    assert judge(cost_usd, run(turns=made, spent=spent), None, Tiered()) == Score(0.002)


def test_requests_that_are_not_told_apart_have_no_price(judge: Make, run: Make) -> None:
    """Only the sum is known, and the sum does not tell the price: never 0."""
    spent = (Spent("tiered", Usage(120, 0, 0, 0)),)
    assert judge(cost_usd, run("a", spent=spent), None, Tiered()) == MIXED
    made = turns(("tiered", 60))
    assert judge(cost_usd, run(turns=made, spent=spent), None, Tiered()) == MIXED


def test_one_request_without_a_price_leaves_it_unknown(judge: Make, run: Make) -> None:
    """The reason is that of the price table."""
    spent = (Spent("odd", Usage(250, 0, 0, 0)),)
    made = turns(("odd", 50), ("odd", 200))
    score = judge(cost_usd, run(turns=made, spent=spent), None, Tiered())
    assert score == Score(None, "no price for odd")


def beside(folder: Path, text: str) -> PriceTable:
    """Write prices of tokens as article 000 has them, with others beside them."""
    path = folder / "prices.yaml"
    path.write_text(f"models: {{m: {{input: 3.0, output: 15.0}}}}\n{text}", "utf-8")
    return load(path)


def test_every_call_of_a_priced_tool_is_paid(judge: Make, run: Make, tmp_path: Path) -> None:
    """By hand: 3 dollars of tokens, and three calls of "a" at half a cent, one of them failed."""
    prices = beside(tmp_path, 'tools: {a: "0.005", z: 9}')
    failed = ("a", {}, "Error", "error")
    made = run("a", failed, "b", "a", spent=(Spent("m", MILLION),))
    assert judge(cost_usd, made, None, prices) == Score(3.015)


def test_calls_of_sub_agents_are_paid_too(judge: Make, run: Make, tmp_path: Path) -> None:
    """Ruling 17: one call of the root, two of the child, one of the child's child."""
    prices, spent = beside(tmp_path, "tools: {a: 0.25}"), (Spent("m", Usage(0, 0, 0, 0)),)
    inner = run("a", spent=spent)
    child = run("a", "a", spent=spent, children=(Child(inner, 1),))
    root = run("a", "b", spent=spent, children=(Child(child, 2),))
    assert judge(cost_usd, root, None, prices) == Score(1.0)


@pytest.mark.parametrize("spent", [(), (Spent("m", None),), (Spent("nobody-sells-it", MILLION),)])
def test_the_price_of_its_tools_is_no_bill(
    judge: Make, run: Make, tmp_path: Path, spent: object
) -> None:
    """Where the tokens or their price are unknown, so is the cost."""
    prices = beside(tmp_path, "tools: {a: 1}\nper_second: 1")
    made = run("a", spent=spent, latency_ms=1000)
    assert judge(cost_usd, made, None, prices).value is None


@pytest.mark.parametrize(
    ("took", "price"),
    [
        (1500, ("0.0001", 0.00015)),
        (0, ("0.0001", 0.0)),
        (1.5, ("0.000000001", 0.0)),
        (500, ("0.000000001", 1e-9)),
        (499.999, ("0.000000001", 0.0)),
        (0.25, ("0.000004", 1e-9)),
        (3_600_000, ("0.000833333333333333", 3.0)),
    ],
)
def test_seconds_are_rounded_half_up_once(
    judge: Make, run: Make, tmp_path: Path, took: float, price: tuple[str, float]
) -> None:
    """To the nano-dollar, by hand: half of one is one; an hour of three dollars is three."""
    rate, dollars = price
    prices = beside(tmp_path, f"per_second: {rate}")
    made = run("a", spent=(Spent("m", Usage(0, 0, 0, 0)),), latency_ms=took)
    assert judge(cost_usd, made, None, prices) == Score(dollars)


def test_the_time_is_that_of_the_latency(judge: Make, run: Make, tmp_path: Path) -> None:
    """Where the whole has no time, its generations' add up: 2 s at a dollar."""
    prices = beside(tmp_path, "per_second: 1")
    made = tuple(Turn(at, "assistant", "a", latency_ms=1000.0) for at in (1, 2))
    made = run(turns=made, spent=(Spent("m", Usage(0, 0, 0, 0)),))
    assert judge(cost_usd, made, None, prices) == Score(2.0)


@pytest.mark.parametrize(("took", "score"), [(None, UNTIMED), (-1, IMPOSSIBLE), (1e13, IMPOSSIBLE)])
def test_an_unknown_time_leaves_the_cost_unknown(
    judge: Make, run: Make, tmp_path: Path, took: float | None, score: Score
) -> None:
    """Never 0, and the reason says that seconds have a price."""
    prices = beside(tmp_path, "per_second: 0.0001")
    made = run("a", spent=(Spent("m", MILLION),), latency_ms=took)
    assert judge(cost_usd, made, None, prices) == score
    assert score.why.startswith("a price goes by the second")


def test_the_minutes_of_a_person_are_no_cost_of_the_run(
    judge: Make, run: Make, tmp_path: Path
) -> None:
    """Article 004: they are reported apart."""
    prices = beside(tmp_path, "human_minute: 100")
    made = run("a", spent=(Spent("m", MILLION),), human_minutes=5.0)
    assert judge(cost_usd, made, None, prices) == Score(3.0)
