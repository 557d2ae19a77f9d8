"""The sums behind a line about steps: equal parts, what tokens are worth, the dearest call."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.summaries._step_sums import Cell, Line, Table, part, part_of
from trayecto.trajectory import Call, Usage

Make = Callable[..., Any]


class Rates:
    """Prices in nano-dollars a token, by bucket."""

    source = "rates"

    def __init__(self, *rates: int) -> None:
        """Keep the rates, in the order of Usage."""
        self.rates = rates

    def cost(self, model: str | None, usage: Usage) -> int | None:
        """Price any model but the unknown one."""
        counts = (usage.input, usage.cache_read or 0, usage.cache_write or 0, usage.output)
        found = sum(rate * count for rate, count in zip(self.rates, counts, strict=True))
        return None if model is None else found

    def is_flat(self, model: str | None) -> bool:
        """Every token of a known model costs the same."""
        return model is not None

    def why(self, model: str | None) -> str:
        """Say that there is no price."""
        return f"no price for {model}"


@given(st.integers(0, 10**18), st.integers(1, 50))
def test_parts_come_to_the_whole(whole: int, of: int) -> None:
    """No token is lost, and no part is larger by two."""
    parts = [part(whole, number, of) for number in range(of)]
    assert sum(parts) == whole
    assert max(parts) - min(parts) <= 1
    assert parts == sorted(parts, reverse=True)


@given(st.integers(0, 99), st.none() | st.integers(0, 99), st.integers(1, 9))
def test_every_bucket_comes_to_its_whole(fresh: int, read: int | None, of: int) -> None:
    """What is not told is told of no part."""
    usage = Usage(fresh, read, None, 7)
    parts = [part_of(usage, number, of) for number in range(of)]
    assert sum(each.input for each in parts) == fresh
    assert sum(each.output for each in parts) == 7
    assert sum(each.cache_read or 0 for each in parts) == (read or 0)
    assert {each.cache_read is None for each in parts} == {read is None}
    assert {each.cache_write for each in parts} == {None}


@pytest.mark.parametrize(
    ("rates", "weights"),
    [((3000, 300, 3750, 15000), (20, 2, 25, 100)), ((1, 1, 1, 1), (1, 1, 1, 1))],
)
def test_weights_are_prices_beside_each_other(
    rates: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    """The published prices of a model with a cache: 3, 0.30, 3.75 and 15 dollars a million."""
    table = Table(("m", None), Rates(*rates))
    assert table.weights == weights
    assert [each * table.unit for each in weights] == [rate * 1_000_000 for rate in rates]


def test_what_is_free_is_worth_nothing() -> None:
    """A price of 0 is a price."""
    table = Table(("m", None), Rates(0, 0, 0, 0))
    assert (table.priced, table.weights, table.level) == (True, (0, 0, 0, 0), 2)


@pytest.mark.parametrize(
    ("key", "rates", "level"),
    [(("m", None), None, 1), ((None, None), (1, 1, 1, 1), 1), ((None, "untold"), (1, 1, 1, 1), 0)],
)
def test_tokens_without_a_price_weigh_alike(
    key: tuple[str | None, str | None], rates: tuple[int, ...] | None, level: int
) -> None:
    """No prices, no price for the model, no tokens at all."""
    table = Table(key, None if rates is None else Rates(*rates))
    assert (table.priced, table.weights, table.level) == (False, (1, 1, 1, 1), level)


@pytest.mark.parametrize(("worth", "call", "kept"), [(8, 9, 9), (7, 1, 1), (7, 9, 4), (6, 1, 4)])
def test_the_dearest_and_then_the_first_call_is_kept(worth: int, call: int, kept: int) -> None:
    """By hand: the fourth call is worth 7."""
    cell = Cell()
    cell.offer(7, ("f", 1, "r", 4))
    cell.offer(worth, ("f", 1, "r", call))
    assert cell.place[3] == kept


def test_money_goes_before_tokens_and_tokens_before_characters() -> None:
    """A cent is dearer than a million tokens without a price, and these than any text."""
    prices, line = Rates(1, 1, 1, 1), Line()
    keys = [(None, "untold"), (None, None), ("m", None)]
    for number, key in enumerate(keys, 1):
        table = Table(key, prices)
        usage = None if key[1] else Usage(10**6 if key[0] is None else 1, 0, 0, 0)
        table.count(Call(1, "a", {}, "x" * 10**7, "ok"), usage, None, ("f", number, "r", 1))
        line.add(table, table.cells[1]["a"])
        assert line.sums(prices).place == ("f", number, "r", 1)


def test_a_line_prices_each_model_by_itself() -> None:
    """One token of each of two models, whose prices differ."""
    line, prices = Line(), Rates(5, 0, 0, 0)
    for model in ("m", "n"):
        table = Table((model, None), prices)
        table.count(Call(1, "a", {}, None, "ok"), Usage(1, 0, 0, 0), None, ("f", 1, "r", 1))
        line.add(table, table.cells[1]["a"])
    found = line.sums(prices)
    assert (found.counted, found.priced, found.nano, found.tokens) == (2, 2, 10, 2)


def test_a_fee_is_paid_for_each_call_whose_tokens_have_a_price() -> None:
    """By hand: two calls at 7 nano-dollars beside their 2 tokens; none for those without price."""
    line, prices = Line(), Rates(5, 0, 0, 0)
    for model, calls in (("m", 2), (None, 3)):
        table = Table((model, None), prices)
        for at in range(1, calls + 1):
            call = Call(at, "a", {}, None, "ok")
            table.count(call, Usage(1, 0, 0, 0), None, ("f", 1, "r", 1))
        line.add(table, table.cells[1]["a"], 7)
    both = Line()
    both.join(line)
    assert [each.sums(prices).nano for each in (line, both)] == [2 * 5 + 2 * 7] * 2
    assert both.sums(prices).place == ("f", 1, "r", 1)


def test_joining_leaves_the_other_line_as_it_is() -> None:
    """The line of the cheaper tools is a sum of theirs."""
    table = Table(("m", None), None)
    table.count(Call(1, "a", {}, "xx", "ok"), Usage(1, 0, 0, 0), None, ("f", 1, "r", 1))
    one, both = Line(), Line()
    one.add(table, table.cells[1]["a"])
    both.join(one)
    both.join(one)
    assert (one.sums(None).cell.calls, both.sums(None).cell.calls) == (1, 2)
