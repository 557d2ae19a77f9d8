"""What tokens cost, exactly: whole nano-dollars (1e-9 USD), rounded half up once per cost.

Prices are US dollars per million tokens, from the installed package genai-prices (imported when a
model is first looked up, never updated over the network) under the user's own price file. Tokens
are priced as text; searches, images and other extras are not in ``Usage``, so not in the cost,
unless the user's file prices the calls of a tool, or a second of a run (see ``rates``).
"""

from __future__ import annotations

import re
import stat
import warnings
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import floor, lcm
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from msgspec import Struct

from trayecto.errors import InputError, choose, quoted
from trayecto.rates import NO_RATES, Rates
from trayecto.trajectory import Usage

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, ModelPrice
    from yaml import Node

PRICE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,18})?")
PER_CALL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}0{0,9})?")  # whole nano-dollars
NANO = 1_000_000_000
LARGEST = 1 << 20  # bytes of a price file, which is held whole
BUCKETS = ("input", "cache_read", "cache_write", "output")  # in the order of Usage
BESIDE = {  # fields of a price file beside models: what a price is for, and one such price
    "tools": ("a call (nine decimals at most)", "0.005"),
    "per_second": ("a second of a run", "0.0001"),
    "human_minute": ("a minute of a person", "0.50"),
}
TOKENS = ("per million tokens", "0.30")


class _PerToken(Struct, frozen=True, gc=False):
    """Rates in nano-dollars a token, times ``scale``; ``half`` of the scale rounds half up."""

    input: int
    cache_read: int
    cache_write: int
    output: int
    half: int
    scale: int
    flat: ClassVar[bool] = True
    why: ClassVar[str] = "a price is known for model {}"

    def cost(self, usage: Usage) -> int:
        fresh = usage.input * self.input + usage.output * self.output
        cached = (usage.cache_read or 0) * self.cache_read
        cached += (usage.cache_write or 0) * self.cache_write
        return (fresh + cached + self.half) // self.scale


class _PerRequest(Struct, frozen=True):
    """A row with tiers or a fee per request: the library prices each request."""

    row: ModelPrice
    flat: ClassVar[bool] = False
    why: ClassVar[str] = _PerToken.why

    def cost(self, usage: Usage) -> int:
        return floor(_by_library(self.row, usage) * 10**9 + Fraction(1, 2))


class _Unpriced(Struct, frozen=True):
    """No price, and why; ``{}`` stands for the model's name."""

    why: str
    flat: ClassVar[bool] = False

    def cost(self, usage: Usage) -> None:
        """Be unknown, never 0, whatever was used."""


_Price: TypeAlias = _PerToken | _PerRequest | _Unpriced
NO_PRICE = _Unpriced("no price is known for model {}")
BY_HOUR = _Unpriced("the price of model {} depends on the hour of the request")
NOT_YET = _Unpriced("the first price of model {} begins after the date that was asked for")


class PriceTable:
    """The prices of models; ``load`` makes one. It satisfies ``facts.Prices``.

    ``source`` says which prices these are and belongs in every result made with them: the version
    of genai-prices, the name and SHA-256 of a price file, the date that was asked for. ``rates``
    are what the file says of tools, of time and of people.
    """

    __slots__ = ("_on", "_prices", "_whys", "rates", "source")

    def __init__(
        self, source: str, own: dict[str, _Price], on: date | None, rates: Rates = NO_RATES
    ) -> None:
        self.source = source
        self.rates = rates
        self._on = on
        self._prices: dict[str | None, _Price] = {None: _Unpriced("the trace names no model")}
        self._prices.update(own)
        self._whys: dict[str | None, str] = {}

    def cost(self, model: str | None, usage: Usage) -> int | None:
        """Return the price of one model's usage in nano-dollars, rounded half up.

        None where it is unknown, and ``why`` tells: no model, no price for input or output, a price
        by the hour, a row that the library warns of. A cache bucket without its own price costs
        what fresh input costs. Unless ``is_flat``, the usage must be that of one request.
        """
        return (self._prices.get(model) or self._find(model)).cost(usage)

    def is_flat(self, model: str | None) -> bool:
        """Whether a token's price does not depend on its request; False where it is unknown."""
        return (self._prices.get(model) or self._find(model)).flat

    def why(self, model: str | None) -> str:
        """Why ``cost`` is None for a model; where it is not, that a price is known."""
        if model not in self._whys:
            price = self._prices.get(model) or self._find(model)
            self._whys[model] = price.why.replace("{}", quoted(model))
        return self._whys[model]

    def _find(self, model: str | None) -> _Price:
        found = _look_up(model or "")
        return self._prices.setdefault(model, _in_force(found, self._on) if found else NO_PRICE)


def load(path: str | Path | None = None, *, on: date | None = None) -> PriceTable:
    """Make the price table of a user's file over the packaged prices, or of these alone.

    The file is YAML or JSON, in dollars per million tokens; numbers are read as written, never as
    floats. It overrides by a model's exact name. ``cache_read`` and ``cache_write`` are the same as
    ``input`` unless given. Of rows with ``from``, the latest not after ``on`` holds; without ``on``
    the newest, even if still to come (no clock is read). So it is for the packaged prices too::

        currency: USD
        models:
          my-model: {input: 3.0, output: 15.0, cache_read: 0.3, cache_write: 3.75}
          other: [{from: 2026-01-01, input: 2, output: 8}, {from: 2026-06-01, input: 1, output: 4}]
        tools: {search: 0.005}
        per_second: 0.0001
        human_minute: 0.50

    ``tools`` are dollars a call, ``per_second`` dollars a second of a run; both become a part of
    its cost. ``human_minute`` is what a person's minute costs. ``models`` may be left out where one
    of these is there.

    Raises InputError, with file, line and field, for a file that is not like this.
    """
    from importlib.metadata import version  # slow to import

    source = f"genai-prices {version('genai-prices')}" + (f" on {on}" if on else "")
    if path is None:
        return PriceTable(source, {}, on)
    path = Path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(str(path), "is not a regular file")
        if path.stat().st_size > LARGEST:
            raise InputError(str(path), f"is larger than {LARGEST:,} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from error
    source = f"{path.name} sha256:{sha256(data).hexdigest()} over {source}"
    own, rates = _read(data, str(path), on)
    return PriceTable(source, own, on, rates)


def _per_token(prices: Sequence[Decimal]) -> _PerToken:
    """Turn dollars per million tokens, in the order of BUCKETS, into whole rates of one scale."""
    rates = [Fraction(price) * 1000 for price in prices]
    half = lcm(*(rate.denominator for rate in rates))
    fresh, read, write, output = (int(rate * 2 * half) for rate in rates)
    return _PerToken(fresh, read, write, output, half, 2 * half)


@cache
def _snapshot() -> DataSnapshot:
    """Hold the data as installed, whatever an updater in this process fetches."""
    from genai_prices.data import providers
    from genai_prices.data_snapshot import DataSnapshot

    return DataSnapshot(providers=providers, from_auto_update=False)


def _look_up(model: str) -> ModelInfo | None:
    """Find a model by its name as given, else as provider/name."""
    provider, _, name = model.partition("/")
    for reference, provider_id in ((model, None), (name, provider)):
        with suppress(LookupError):
            return _snapshot().find_provider_model(reference, None, provider_id, None)[1]
    return None


def _in_force(model: ModelInfo, on: date | None) -> _Price:
    """Price by the last row that holds, as the library does."""
    from genai_prices.types import ConditionalPrice, ModelPrice, TimeOfDateConstraint

    prices = model.prices
    rows = [ConditionalPrice(prices=prices)] if isinstance(prices, ModelPrice) else prices
    for row in reversed(rows):
        if isinstance(row.constraint, TimeOfDateConstraint):
            return BY_HOUR
        if row.constraint is None or on is None or row.constraint.start_date <= on:
            return _by_row(row.prices)
    return NOT_YET


def _by_row(row: ModelPrice) -> _Price:
    """Take the rates of a row that is nothing but rates; leave others to the library."""
    fresh, output = row.input_mtok, row.output_mtok
    if fresh is None or output is None or row.output_reasoning_mtok is not None or _warns(row):
        return NO_PRICE
    read, write = row.cache_read_mtok, row.cache_write_mtok
    prices = [fresh, fresh if read is None else read, fresh if write is None else write, output]
    rates = [price for price in prices if isinstance(price, Decimal)]
    tiered = len(rates) < len(prices)
    return _PerRequest(row) if tiered or row.requests_kcount else _per_token(rates)


def _by_library(row: ModelPrice, usage: Usage) -> Fraction:
    """Price one request in dollars; the library counts cache tokens as a part of the input."""
    from genai_prices import Usage as Request

    read, write = usage.cache_read or 0, usage.cache_write or 0
    tokens = {"input_tokens": usage.input + read + write, "output_tokens": usage.output}
    request = Request(**tokens, cache_read_tokens=read, cache_write_tokens=write)
    return Fraction(row.calc_price(request)["total_price"])


def _warns(row: ModelPrice) -> bool:
    """Whether the library itself doubts a row: its prices are then unknown."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            _by_library(row, Usage(1, 1, 1, 1))
        except (Warning, ValueError):
            return True
    return False


class _Entry(Struct, frozen=True):
    """A part of a price file, with the place that an error names."""

    file: str
    field: str
    node: Node

    def error(self, problem: str) -> InputError:
        place = f"{self.file}:{self.node.start_mark.line + 1}: {self.field}"
        return InputError(place.removesuffix(": "), problem)

    def fields(
        self, allowed: Sequence[str] = (), required: Sequence[str] = ()
    ) -> dict[str, _Entry]:
        from yaml import MappingNode

        if not isinstance(self.node, MappingNode):
            raise self.error("is not a mapping" + (f" of {', '.join(allowed)}" if allowed else ""))
        found: dict[str, _Entry] = {}
        for key, node in self.node.value:
            name = str(key.value)
            entry = _Entry(self.file, f"{self.field}.{name}".removeprefix("."), node)
            if name in found:
                raise entry.error("is there twice")
            if allowed and name not in allowed:
                raise entry.error(f"{quoted(name)} is no field; {choose(name, allowed)}")
            found[name] = entry
        for name in required:
            if name not in found:
                raise self.error(f"{name!r} is missing")
        return found

    def text(self) -> str:
        return self.node.value if isinstance(self.node.value, str) else ""

    def refuse(self, wanted: str) -> InputError:
        shown = quoted(self.text()) if isinstance(self.node.value, str) else "a collection"
        return self.error(f"{shown} is no {wanted}")

    def price(self, per: tuple[str, str] = TOKENS, form: re.Pattern[str] = PRICE) -> Decimal:
        if not form.fullmatch(self.text()):
            raise self.refuse(f"price; write dollars {per[0]}, such as {per[1]}")
        return Decimal(self.text())

    def day(self) -> date:
        try:
            return date.fromisoformat(self.text())
        except ValueError:
            raise self.refuse("date; write one such as 2026-01-31") from None


def _read(data: bytes, file: str, on: date | None) -> tuple[dict[str, _Price], Rates]:
    """Read a price file through its nodes: every scalar as written, every place known."""
    import yaml

    try:
        root = yaml.compose(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(file, f"is neither YAML nor JSON: {error}") from error
    if root is None:
        raise InputError(file, "is empty")
    entry = _Entry(file, "", root)
    top = entry.fields(("currency", "models", *BESIDE))
    if not top.keys() & {"models", *BESIDE}:
        raise entry.error("'models' is missing")
    if "currency" in top and top["currency"].text() != "USD":
        raise top["currency"].refuse("currency of prices; choose USD")
    models = top["models"].fields() if "models" in top else {}
    return {name: _own(model, on) for name, model in models.items()}, _rates(top)


def _rates(top: dict[str, _Entry]) -> Rates:
    """Read what costs money beside tokens."""
    tools = top["tools"].fields() if "tools" in top else {}
    calls = {name: tool.price(BESIDE["tools"], PER_CALL) for name, tool in tools.items()}
    return Rates(
        {name: int(price * NANO) for name, price in calls.items()},
        _rate(top, "per_second"),
        _rate(top, "human_minute"),
    )


def _rate(top: dict[str, _Entry], name: str) -> Fraction | None:
    return Fraction(top[name].price(BESIDE[name])) * NANO if name in top else None


def _own(model: _Entry, on: date | None) -> _Price:
    """Choose the row that holds among the one or more of a model."""
    from yaml import SequenceNode

    dated = isinstance(model.node, SequenceNode)
    nodes: list[Node] = model.node.value if dated else [model.node]
    rows: dict[date, _PerToken] = {}
    for node in nodes:
        entry = _Entry(model.file, model.field, node)
        found = entry.fields((*BUCKETS, "from"), ("input", "output", "from")[: 2 + dated])
        start = found["from"].day() if "from" in found else date.min
        if start in rows:
            raise entry.error(f"two rows begin on {start}")
        prices = [found.get(name, found["input"]).price() for name in BUCKETS]
        rows[start] = _per_token(prices)
    if not rows:
        raise model.error("has no price")
    holding = [start for start in rows if on is None or start <= on]
    return rows[max(holding)] if holding else NOT_YET
