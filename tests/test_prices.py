"""Prices: exact money, the packaged prices, and the user's file over them."""

import json
import os
import pickle
import subprocess
import sys
import warnings
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto import prices
from trayecto.errors import InputError
from trayecto.prices import PriceTable, load
from trayecto.rates import NO_RATES, Rates
from trayecto.trajectory import Usage

DOLLAR = 10**9  # in nano-dollars
MILLION = 10**6
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
TOKENS = st.integers(0, 10**9)
USAGES = st.builds(Usage, TOKENS, TOKENS, TOKENS, TOKENS, st.none())
ARTICLE = "models: {m: {input: 3.0, output: 15.0}}"
DATED = """
models:
  m:
    - {from: 2026-06-01, input: 1, output: 4}
    - {from: 2026-01-01, input: 2, output: 8}
"""


@pytest.fixture(scope="module")
def packaged() -> PriceTable:
    """Return the packaged prices alone."""
    return load(None)


def table(folder: Path, text: str, on: date | None = None) -> PriceTable:
    """Write a price file and load it."""
    path = folder / "prices.yaml"
    path.write_text(text, "utf-8")
    return load(path, on=on)


def refusal(folder: Path, text: str) -> str:
    """Return the error that a price file meets, without its folder."""
    with pytest.raises(InputError) as caught:
        table(folder, text)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("fresh", "output", "dollars"),
    [(1_900, 70, "0.00675"), (136_400, 185, "0.411975"), (0, 0, "0")],
)
def test_the_costs_of_the_article(tmp_path: Path, fresh: int, output: int, dollars: str) -> None:
    """The article's sane and pathological trajectories, at 3 and 15 dollars, to the last digit."""
    money = table(tmp_path, ARTICLE)
    assert money.cost("m", Usage(fresh, 0, 0, output)) == Decimal(dollars) * DOLLAR


def test_the_four_buckets(tmp_path: Path) -> None:
    """INPUT-07: fresh 100, read 2,000, written 400 and 50 out cost $0.00315."""
    row = "{input: 3.00, cache_read: 0.30, cache_write: 3.75, output: 15.00}"
    money = table(tmp_path, f"models: {{m: {row}}}")
    assert money.cost("m", Usage(100, 2_000, 400, 50)) == 3_150_000


def test_reasoning_is_not_charged_twice(tmp_path: Path) -> None:
    """Reasoning is a part of the output, so telling it changes nothing."""
    money = table(tmp_path, ARTICLE)
    assert money.cost("m", Usage(0, 0, 0, 70, 60)) == money.cost("m", Usage(0, 0, 0, 70))


def test_cache_without_a_price_costs_as_input(tmp_path: Path) -> None:
    """A bucket that the file leaves out is not free."""
    money = table(tmp_path, ARTICLE)
    assert money.cost("m", Usage(0, 10, 5, 0)) == money.cost("m", Usage(15, 0, 0, 0)) == 45_000


@pytest.mark.parametrize(
    ("price", "tokens", "nano"),
    [("0.0004", 1, 0), ("0.0005", 1, 1), ("0.0005", 3, 2), ("0.0015", 1, 2), ("0.001499", 1, 1)],
)
def test_half_a_nano_dollar_is_rounded_up_once(
    tmp_path: Path, price: str, tokens: int, nano: int
) -> None:
    """A cost is rounded half up at its end, not at each token and not to even."""
    money = table(tmp_path, f"models: {{m: {{input: {price}, output: 0}}}}")
    assert money.cost("m", Usage(tokens, 0, 0, 0)) == nano


def test_a_price_is_read_as_written(tmp_path: Path) -> None:
    """A float's 0.1 would be off by dollars after enough tokens; ours is exact, quoted or not."""
    money = table(tmp_path, "models: {a: {input: 0.1, output: 0}, b: {input: '0.1', output: 0}}")
    tokens = Usage(10**24, 0, 0, 0)
    assert money.cost("a", tokens) == money.cost("b", tokens) == 10**26


@given(first=USAGES, second=USAGES)
def test_costs_of_a_flat_model_add_up(packaged: PriceTable, first: Usage, second: Usage) -> None:
    """Where a nano-dollar divides every price, the cost of a sum is the sum of the costs."""
    apart = [packaged.cost("gpt-4o", usage) for usage in (first, second)]
    both = Usage(*(getattr(first, name) + getattr(second, name) for name in prices.BUCKETS))
    assert packaged.cost("gpt-4o", both) == sum(apart)


# ---- the package -------------------------------------------------------------------------------


def test_a_packaged_price(packaged: PriceTable) -> None:
    """gpt-4o costs 2.50 in and 10.00 out."""
    assert packaged.cost("gpt-4o", Usage(MILLION, 0, 0, 0)) == Decimal("2.50") * DOLLAR
    assert packaged.cost("gpt-4o", Usage(0, 0, 0, MILLION)) == 10 * DOLLAR
    assert packaged.is_flat("gpt-4o")
    assert packaged.why("gpt-4o") == "a price is known for model 'gpt-4o'"


def test_cached_tokens_are_not_charged_twice(packaged: PriceTable) -> None:
    """A million tokens of gpt-5-mini, 900,000 of them cached, cost $0.0475 and not $0.25."""
    assert packaged.cost("gpt-5-mini", Usage(100_000, 900_000, 0, 0)) == 47_500_000


@pytest.mark.parametrize(
    ("model", "same"),
    [
        ("openai/gpt-4o", "gpt-4o"),
        ("openrouter/openai/gpt-4o", "gpt-4o"),
        ("gemini/gemini-2.5-pro", "gemini-2.5-pro"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5"),
    ],
)
def test_a_name_may_carry_its_provider(packaged: PriceTable, model: str, same: str) -> None:
    """A name that is not found as given is tried as provider/name."""
    usage = Usage(1_000, 200, 30, 4)
    assert packaged.cost(model, usage) == packaged.cost(same, usage) is not None


@pytest.mark.parametrize(
    ("tokens", "dollars"),
    [((200_000, 0, 1_000), "0.26"), ((300_000, 0, 1_000), "0.765"), ((100_000, 200_000, 0), "0.3")],
)
def test_a_tier_depends_on_the_request(
    packaged: PriceTable, tokens: tuple[int, int, int], dollars: str
) -> None:
    """gemini-2.5-pro costs 1.25/10, above 200,000 tokens 2.50/15 (cached 0.25), cached included."""
    usage = Usage(tokens[0], tokens[1], 0, tokens[2])
    assert packaged.cost("gemini-2.5-pro", usage) == Decimal(dollars) * DOLLAR
    assert not packaged.is_flat("gemini-2.5-pro")
    assert packaged.why("gemini-2.5-pro") == "a price is known for model 'gemini-2.5-pro'"


def test_a_fee_for_each_request(packaged: PriceTable) -> None:
    """Sonar costs $1 per million tokens and $12 per thousand requests, so it is not flat."""
    assert packaged.cost("perplexity/sonar", Usage(500, 0, 0, 500)) == 13_000_000
    assert not packaged.is_flat("perplexity/sonar")


def test_the_rates_are_the_librarys() -> None:
    """For every packaged model that has rates, they give what the library itself calculates."""
    from genai_prices import Usage as Request

    usage = Usage(1_234, 567, 89, 10)
    differing, flat = [], 0
    models = [model for provider in prices._snapshot().providers for model in provider.models]
    for model in models:
        price = prices._in_force(model, NOON.date())
        if price.flat:
            flat += 1
            request = Request(
                input_tokens=1_890, cache_read_tokens=567, cache_write_tokens=89, output_tokens=10
            )
            library = model.get_prices(NOON).calc_price(request)["total_price"]
            if int((library * DOLLAR).quantize(Decimal(1), ROUND_HALF_UP)) != price.cost(usage):
                differing.append(model.id)
    assert differing == []
    assert flat > 1_000


@pytest.mark.parametrize(
    ("on", "dollars"), [(date(2025, 5, 1), 10), (date(2026, 11, 30), 2), (None, 2)]
)
def test_a_packaged_price_has_a_date(on: date | None, dollars: int) -> None:
    """A million tokens of o3 cost $10 on 2025-05-01 and $2 since June of that year."""
    assert load(None, on=on).cost("o3", Usage(MILLION, 0, 0, 0)) == dollars * DOLLAR


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (None, "the trace names no model"),
        ("", "no price is known for model ''"),
        ("nobody/has-{}-this", "no price is known for model 'nobody/has-{}-this'"),
        ("gpt-nobody-has-this", "no price is known for model 'gpt-nobody-has-this'"),
        ("github_copilot/gpt-4o", "no price is known for model 'github_copilot/gpt-4o'"),
        ("whisper-large-v3", "no price is known for model 'whisper-large-v3'"),
        ("text-embedding-3-small", "no price is known for model 'text-embedding-3-small'"),
        ("deepseek-chat", "the price of model 'deepseek-chat' depends on the hour of the request"),
    ],
)
def test_an_unknown_cost_is_none(packaged: PriceTable, model: str | None, why: str) -> None:
    """No model, no row, an empty row, no price for tokens, a price by the hour: never 0."""
    assert packaged.cost(model, Usage(0, 0, 0, 0)) is None
    assert not packaged.is_flat(model)
    assert packaged.why(model) == why


@pytest.mark.parametrize("trouble", [UserWarning("unsupported price key"), ValueError("no join")])
def test_a_row_that_the_library_doubts_has_no_price(
    monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    """A warning or a refusal of the library makes a price unknown and leaves no filter behind."""

    def doubt(row: object, usage: Usage) -> None:
        if isinstance(trouble, Warning):
            warnings.warn(trouble, stacklevel=1)
        raise trouble

    filters = list(warnings.filters)
    monkeypatch.setattr(prices, "_by_library", doubt)
    assert load(None).cost("gpt-4o", Usage(1, 0, 0, 0)) is None
    assert list(warnings.filters) == filters


def test_no_price_before_the_first_row() -> None:
    """A model whose rows all begin later has no price yet."""
    from genai_prices.types import ClauseEquals, ConditionalPrice, ModelInfo, ModelPrice
    from genai_prices.types import StartDateConstraint as Since

    rows = [ConditionalPrice(Since(date(2026, 1, 1)), prices=ModelPrice(input_mtok=Decimal(1)))]
    model = ModelInfo(id="m", match=ClauseEquals("m"), prices=rows)
    assert prices._in_force(model, date(2025, 1, 1)) is prices.NOT_YET


def test_importing_prices_does_not_import_the_package() -> None:
    """The 1.6 MB of prices are read when a model outside the user's file is asked for."""
    code = (
        "import sys; from trayecto.prices import load; t = load(None); t.cost(None, None);"
        "assert not {m for m in sys.modules if m.partition('.')[0] in ('genai_prices', 'yaml')};"
        "t.is_flat('gpt-4o'); assert 'genai_prices' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_custom_snapshot_does_not_change_prices() -> None:
    """Prices fetched by an updater elsewhere in the process are not those that `source` names."""
    from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot

    set_custom_snapshot(DataSnapshot(providers=[], from_auto_update=True))
    try:
        assert load(None).cost("gpt-4o", Usage(MILLION, 0, 0, 0)) == 2_500_000_000
    finally:
        set_custom_snapshot(None)


# ---- the user's file ---------------------------------------------------------------------------


def test_the_source_names_package_file_and_date(tmp_path: Path) -> None:
    """Whoever reads a result can find the prices that made it."""
    package = f"genai-prices {version('genai-prices')}"
    digest = sha256(ARTICLE.encode()).hexdigest()
    own = f"prices.yaml sha256:{digest} over {package}"
    assert load(None).source == package
    assert table(tmp_path, ARTICLE).source == own
    assert table(tmp_path, ARTICLE, date(2026, 5, 1)).source == f"{own} on 2026-05-01"


def test_a_users_model_overrides_the_packaged_one(tmp_path: Path) -> None:
    """It does so by its exact name; every other model keeps its packaged price."""
    money = table(tmp_path, "currency: USD\nmodels:\n  gpt-4o: {input: 1, output: 1}\n")
    usage = Usage(MILLION, 0, 0, 0)
    costs = [money.cost(model, usage) for model in ("gpt-4o", "openai/gpt-4o", "gpt-5-mini")]
    assert costs == [DOLLAR, Decimal("2.5") * DOLLAR, Decimal("0.25") * DOLLAR]


def test_json_is_read_too(tmp_path: Path) -> None:
    """A price file may be JSON, indented with tabs or not."""
    rows = {"currency": "USD", "models": {"m": {"input": 0.3, "output": "1.20"}}}
    money = table(tmp_path, json.dumps(rows, indent="\t"))
    assert money.cost("m", Usage(10, 0, 0, 10)) == 15_000


def test_a_name_is_never_a_yaml_word(tmp_path: Path) -> None:
    """A model called `no` or `4.10` keeps its name."""
    money = table(tmp_path, "models: {no: {input: 1, output: 1}, 4.10: {input: 1, output: 1}}")
    assert [money.cost(name, Usage(1, 0, 0, 0)) for name in ("no", "4.10")] == [1_000, 1_000]


def test_what_costs_money_beside_tokens(tmp_path: Path) -> None:
    """In nano-dollars, as written: half a cent a call, a tenth of a cent for ten seconds."""
    rates = 'tools: {search: "0.0050000000000", no: 0}\nper_second: "0.0001"\nhuman_minute: "0.50"'
    money = table(tmp_path, f"{ARTICLE}\n{rates}")
    assert money.rates == Rates(
        {"search": 5_000_000, "no": 0}, Fraction(100_000), Fraction(500_000_000)
    )
    assert money.cost("m", Usage(1, 0, 0, 0)) == 3_000
    assert pickle.loads(pickle.dumps(money)).rates == money.rates  # noqa: S301  # our own bytes


def test_a_rate_finer_than_a_nano_dollar_is_exact(tmp_path: Path) -> None:
    """A second of 1e-18 dollars is a billionth of a nano-dollar."""
    assert table(tmp_path, f"per_second: 0.{'0' * 17}1").rates.per_second == Fraction(1, 10**9)


def test_without_such_prices_there_are_none(tmp_path: Path, packaged: PriceTable) -> None:
    """Models alone change nothing; with another price they may be left out."""
    assert table(tmp_path, ARTICLE).rates == packaged.rates == NO_RATES
    money = table(tmp_path, "currency: USD\ntools: {search: 1}")
    usage = Usage(MILLION, 0, 0, 0)
    assert money.cost("gpt-4o", usage) == packaged.cost("gpt-4o", usage)


@pytest.mark.parametrize(
    ("on", "nano"),
    [
        (None, 1_000),
        (date(2027, 1, 1), 1_000),
        (date(2026, 6, 1), 1_000),
        (date(2026, 5, 31), 2_000),
        (date(2025, 12, 31), None),
    ],
)
def test_the_row_of_the_day(tmp_path: Path, on: date | None, nano: int | None) -> None:
    """The latest row not after the day holds, in any order; without a day, the newest."""
    assert table(tmp_path, DATED, on).cost("m", Usage(1, 0, 0, 0)) == nano


def test_why_a_row_does_not_hold_yet(tmp_path: Path) -> None:
    """A price that begins later is no price, and does not fall back to the package."""
    money = table(tmp_path, DATED.replace(" m:", " gpt-4o:"), date(2025, 12, 31))
    why = "the first price of model 'gpt-4o' begins after the date that was asked for"
    assert money.why("gpt-4o") == why


def test_a_single_row_may_be_dated(tmp_path: Path) -> None:
    """`from` is allowed, not needed, where a model has one row."""
    text = "models: {m: {from: 2026-01-01, input: 1, output: 1}}"
    assert table(tmp_path, text, date(2025, 1, 1)).cost("m", Usage(1, 0, 0, 0)) is None


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "prices.yaml: is empty"),
        (
            "[1]",
            (
                "prices.yaml:1: is not a mapping of currency, models, tools, per_second,"
                " human_minute"
            ),
        ),
        ("currency: USD", "prices.yaml:1: 'models' is missing"),
        (
            "model: {}",
            (
                "prices.yaml:1: model: 'model' is no field; choose currency, models, tools,"
                " per_second, human_minute. Did you mean 'models'?"
            ),
        ),
        (
            "models: {}\nper_seconds: 1",
            (
                "prices.yaml:2: per_seconds: 'per_seconds' is no field; choose currency, models,"
                " tools, per_second, human_minute. Did you mean 'per_second'?"
            ),
        ),
        ("tools: 3", "prices.yaml:1: tools: is not a mapping"),
        ("tools:\n  a: 1\n  a: 1", "prices.yaml:3: tools.a: is there twice"),
        (
            "tools:\n  a: 1\n  b: free",
            (
                "prices.yaml:3: tools.b: 'free' is no price; write dollars a call"
                " (nine decimals at most), such as 0.005"
            ),
        ),
        (
            "tools: {a: 0.0000000001}",
            (
                "prices.yaml:1: tools.a: '0.0000000001' is no price; write dollars a call"
                " (nine decimals at most), such as 0.005"
            ),
        ),
        (
            "per_second: -1",
            (
                "prices.yaml:1: per_second: '-1' is no price; write dollars a second of a run,"
                " such as 0.0001"
            ),
        ),
        (
            "human_minute: [1]",
            (
                "prices.yaml:1: human_minute: a collection is no price; write dollars a minute"
                " of a person, such as 0.50"
            ),
        ),
        (
            "currency: EUR\nmodels: {}",
            "prices.yaml:1: currency: 'EUR' is no currency of prices; choose USD",
        ),
        ("models:", "prices.yaml:1: models: is not a mapping"),
        (
            "models:\n  m: 3",
            (
                "prices.yaml:2: models.m: is not a mapping of"
                " input, cache_read, cache_write, output, from"
            ),
        ),
        ("models:\n  m: {input: 1}", "prices.yaml:2: models.m: 'output' is missing"),
        ("models:\n  m: {output: 1}", "prices.yaml:2: models.m: 'input' is missing"),
        ("models: {m: [{input: 1, output: 1}]}", "prices.yaml:1: models.m: 'from' is missing"),
        ("models: {m: []}", "prices.yaml:1: models.m: has no price"),
        (
            "models:\n  m: {input: 1, ouput: 1}",
            (
                "prices.yaml:2: models.m.ouput: 'ouput' is no field; choose"
                " input, cache_read, cache_write, output, from. Did you mean 'output'?"
            ),
        ),
        (
            "models:\n  m: {input: 1, output: 1}\n  m: {input: 2, output: 2}",
            "prices.yaml:3: models.m: is there twice",
        ),
        (
            (
                "models: {m: [{from: 2026-01-01, input: 1, output: 1},\n"
                "             {from: 2026-01-01, input: 2, output: 2}]}"
            ),
            "prices.yaml:2: models.m: two rows begin on 2026-01-01",
        ),
        (
            "models: {m: {from: May, input: 1, output: 1}}",
            "prices.yaml:1: models.m.from: 'May' is no date; write one such as 2026-01-31",
        ),
        (
            "models: {m: {from: [1], input: 1, output: 1}}",
            "prices.yaml:1: models.m.from: a collection is no date; write one such as 2026-01-31",
        ),
    ],
)
def test_a_price_file_is_strict(tmp_path: Path, text: str, error: str) -> None:
    """What is wrong is named with file, line and field, and with what may have been meant."""
    assert refusal(tmp_path, text) == error


@pytest.mark.parametrize(
    "price", ["-1", "+1", "true", ".nan", ".inf", "1_000", "0x10", "1e9", "'3,0'", "''", "٣"]
)
def test_a_price_is_a_plain_number(tmp_path: Path, price: str) -> None:
    """Negative, not finite, in words or in another notation: no price."""
    error = refusal(tmp_path, f"models:\n  m:\n    input: {price}\n    output: 1\n")
    shown = repr(price.strip("'"))
    expected = (
        f"models.m.input: {shown} is no price; write dollars per million tokens, such as 0.30"
    )
    assert error == f"prices.yaml:3: {expected}"


@pytest.mark.parametrize("price", ["[1]", "{a: 1}"])
def test_a_price_is_no_collection(tmp_path: Path, price: str) -> None:
    """A list or a mapping in the place of a price is refused and not repeated."""
    error = refusal(tmp_path, f"models: {{m: {{input: {price}, output: 1}}}}")
    assert "models.m.input: a collection" in error
    assert "Node" not in error


@pytest.mark.parametrize("text", ["models: {", "a: b: c", "--- 1\n--- 2", "\x00", "[" * 5_000])
def test_what_is_no_yaml_is_an_input_error(tmp_path: Path, text: str) -> None:
    """A broken file is the user's to mend: its place, no traceback."""
    assert refusal(tmp_path, text).startswith("prices.yaml: is neither YAML nor JSON: ")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A wrong path is an error that names it, never a table without the user's prices."""
    with pytest.raises(InputError, match=r"none\.yaml: cannot be read: No such file"):
        load(tmp_path / "none.yaml")


def test_a_table_travels_to_a_worker(tmp_path: Path) -> None:
    """A pickled table has the same prices and source, also those that the library applies."""
    money = table(tmp_path, ARTICLE)
    usage = Usage(300_000, 1, 2, 3)
    models = ("m", "gpt-4o", "gemini-2.5-pro", "nobody-has-this", None)
    expected = [money.cost(model, usage) for model in models]
    copy = pickle.loads(pickle.dumps(money))  # noqa: S301  # our own bytes
    assert [copy.cost(model, usage) for model in models] == expected
    assert copy.source == money.source


def test_a_price_file_that_never_ends_is_refused(tmp_path: Path) -> None:
    """A pipe would be waited for, a device would fill the memory; so would a large file."""
    pipe, large = tmp_path / "pipe.yaml", tmp_path / "large.yaml"
    os.mkfifo(pipe)
    large.write_bytes(b"#" * (1 << 20))
    os.truncate(large, (1 << 20) + 1)
    for path, why in ((pipe, "is not a regular file"), (large, "is larger than 1,048,576 bytes")):
        with pytest.raises(InputError) as caught:
            load(path)
        assert caught.value.problem == why
