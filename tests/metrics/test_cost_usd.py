"""Cost: tokens at the prices of their models, or unknown."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.metrics.cost_usd import MIXED, PRICELESS, UNCOUNTED, cost_usd
from trayecto.prices import PriceTable, load
from trayecto.scores import Score
from trayecto.trajectory import Child, Spent, Trajectory, Turn, Usage

Make = Callable[..., Any]

MILLION = Usage(1_000_000, 0, 0, 0)


class Tiered:
    """Prices by request: a million nano-dollars each, twice that from 100 tokens on."""

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
