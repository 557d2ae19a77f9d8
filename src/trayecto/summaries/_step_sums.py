"""The sums behind a line about steps: cells by model, position and tool, and what they come to."""

from __future__ import annotations

from math import gcd
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from trayecto.document import DearStep, StepTokens, shorten
from trayecto.facts import Prices
from trayecto.trajectory import Call, Usage

LAST = 51  # the position at which all after the 50th are counted
NO_CALL = 0  # the position of generations that made no call
LONGEST = 1e12  # milliseconds: a longer time cannot be
NANO = 1_000_000_000
SAMPLE = 1_000_000  # tokens of a bucket whose price ranks the calls of a model

Where: TypeAlias = tuple[str, int, str]  # file, record, id of the run or sub-agent
Place: TypeAlias = tuple[str, int, str, int]  # the same, and the call
Weights: TypeAlias = tuple[int, int, int, int]  # in the order of Usage
TableKey: TypeAlias = tuple[str | None, str | None]  # a model, or why tokens are not told
NOTHING: tuple[int, int, Place] = (1, 0, ("", 0, "", 0))  # any call is dearer
_BUCKETS = (
    Usage(SAMPLE, 0, 0, 0),
    Usage(0, SAMPLE, 0, 0),
    Usage(0, 0, SAMPLE, 0),
    Usage(0, 0, 0, SAMPLE),
)
_SUMS = (
    "calls", "characters", "input", "micros", "nano", "output", "read", "read_told", "timed",
    "unobserved", "write", "write_told",
)  # fmt: skip


class Cell:
    """The sums of one tool at one position, in whole numbers, and the dearest call."""

    __slots__ = (*_SUMS, "place", "worth")

    def __init__(self) -> None:
        self.calls = self.unobserved = self.characters = self.timed = self.micros = self.nano = 0
        self.input = self.output = self.read = self.read_told = self.write = self.write_told = 0
        self.worth = -1  # of the dearest call, in the measure of its table
        self.place: Place = ("", 0, "", 0)

    def spend(self, usage: Usage, weights: Weights) -> int:
        """Add tokens; returns what they are worth."""
        self.input += usage.input
        self.output += usage.output
        worth = usage.input * weights[0] + usage.output * weights[3]
        return worth + self.spend_cached(usage, weights)

    def spend_cached(self, usage: Usage, weights: Weights) -> int:
        """Add the tokens of a cache, where they are told."""
        worth = 0
        if usage.cache_read is not None:
            self.read += usage.cache_read
            self.read_told += 1
            worth += usage.cache_read * weights[1]
        if usage.cache_write is not None:
            self.write += usage.cache_write
            self.write_told += 1
            worth += usage.cache_write * weights[2]
        return worth

    def time(self, took: float) -> None:
        """Add a call's own time, if it can be."""
        if 0 <= took <= LONGEST:
            self.timed += 1
            self.micros += round(took * 1000)

    def offer(self, worth: int, place: Place) -> None:
        """Take a call as example, if it is dearer, or as dear and earlier."""
        if worth > self.worth or (worth == self.worth and place < self.place):
            self.worth, self.place = worth, place

    def add(self, other: Cell) -> None:
        """Add the sums of another cell of the same table."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.offer(other.worth, other.place)


Cells: TypeAlias = list[dict[str | None, Cell]]  # by position, then by tool
# The same for calls of which nothing is to be said but how many there were, their characters, fresh
# input and output, and what the dearest is worth: a tuple is made anew in less time than any cell
# takes to be changed.
PlainCells: TypeAlias = list[dict[str, tuple[int, int, int, int, int]]]
NO_SUMS = (0, 0, 0, 0, -1)


class Table:
    """The cells of one model, or of the calls whose tokens are not told: ``why`` says why not.

    ``weights`` is what tokens of each bucket are worth beside each other: worth times ``unit`` is
    comparable between models. Where the price goes by the request, each request is priced as it
    comes; else the sums are, once, at the end.
    """

    def __init__(self, key: TableKey, prices: Prices | None) -> None:
        self.model, self.why = key
        self.cells: Cells = [{} for _ in range(LAST + 1)]
        self.plain: PlainCells = [{} for _ in range(LAST + 1)]
        self.weights: Weights = (1, 1, 1, 1)
        self.unit = 1
        self.priced = self.by_request = False
        if prices is None or self.why is not None:
            return
        found = [prices.cost(self.model, usage) for usage in _BUCKETS]
        rates = [rate for rate in found if rate is not None]
        if len(rates) == len(found):
            self.priced = True
            self.by_request = not prices.is_flat(self.model)
            self.unit = SAMPLE if self.by_request else gcd(*rates) or 1
            fresh, read, write, output = (rate // self.unit for rate in rates)
            self.weights = (fresh, read, write, output)

    @property
    def level(self) -> int:
        """What a call's worth is measured in: characters, tokens, money."""
        return 0 if self.why is not None else 1 + self.priced

    def cell(self, at: int, tool: str | None) -> Cell:
        """The cell of a tool at a position; a name that is no label is cut to one."""
        cells = self.cells[at]
        name = None if tool is None else shorten(tool)
        cell = cells.get(name)
        if cell is None:
            cell = cells[name] = Cell()
        return cell

    def settle(self) -> None:
        """Add the plain sums to their cells."""
        for at, sums in enumerate(self.plain):
            for tool, (calls, characters, fresh, output, _) in sums.items():
                cell = self.cell(at, tool)
                cell.calls += calls
                cell.characters += characters
                cell.input += fresh
                cell.output += output
            sums.clear()

    def count(self, call: Call, usage: Usage | None, nano: int | None, place: Place) -> None:
        """Add one call, its observation, and its part of what the generation used and cost."""
        cell = self.cell(min(place[3], LAST), call.tool)
        cell.calls += 1
        worth = 0
        if call.observation is None:
            cell.unobserved += 1
        else:
            worth = len(call.observation)
            cell.characters += worth
        if call.latency_ms is not None:
            cell.time(call.latency_ms)
        if usage is not None:
            worth = cell.spend(usage, self.weights)
        if nano is not None:
            cell.nano += nano
            worth = nano
        cell.offer(worth, place)

    def answer(self, usage: Usage | None, nano: int | None, where: Where) -> None:
        """Add a generation that made no call."""
        cell = self.cell(NO_CALL, None)
        cell.calls += 1
        cell.unobserved += 1
        worth = 0 if usage is None else cell.spend(usage, self.weights)
        cell.nano += nano or 0
        cell.offer(worth if nano is None else nano, (*where, NO_CALL))


class Line:
    """The cells of a line, those of one table together: each model has its own price.

    ``fees`` is what the calls of priced tools cost by themselves, where their tokens have a price;
    ``dearest`` is the dearest call, fee included: level and worth, both negative, and place.
    """

    def __init__(self) -> None:
        self.parts: dict[TableKey, tuple[Table, Cell]] = {}
        self.fees = 0
        self.dearest = NOTHING

    def add(self, table: Table, cell: Cell, fee: int = 0) -> None:
        """Add a cell whose calls cost ``fee`` each by themselves."""
        self.parts.setdefault((table.model, table.why), (table, Cell()))[1].add(cell)
        paid = fee if table.priced else 0
        self.fees += cell.calls * paid
        worth = cell.worth * table.unit + paid * SAMPLE
        self.dearest = min(self.dearest, (-table.level, -worth, cell.place))

    def join(self, other: Line) -> None:
        """Add another line."""
        for table, cell in other.parts.values():
            self.parts.setdefault((table.model, table.why), (table, Cell()))[1].add(cell)
        self.fees += other.fees
        self.dearest = min(self.dearest, other.dearest)

    def sums(self, prices: Prices | None) -> Sums:
        """Price the parts, and add them."""
        total, counted = Cell(), 0
        priced, nano = 0, self.fees
        for table, cell in self.parts.values():
            total.add(cell)
            if table.why is not None:
                continue
            counted += cell.calls
            cost: int | None = cell.nano if table.by_request else None
            if table.priced and not table.by_request and prices is not None:
                used = Usage(cell.input, cell.read, cell.write, cell.output)
                cost = prices.cost(table.model, used)
            if cost is not None:
                priced += cell.calls
                nano += cost
        return Sums(total, counted, priced, nano, self.dearest[2])


class Sums(Struct, frozen=True):
    """What a line comes to: how many of its calls have known tokens and cost, and the cost."""

    cell: Cell
    counted: int
    priced: int
    nano: int
    place: Place

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.cell.input + self.cell.read + self.cell.write + self.cell.output

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Where the line stands: the dearest first."""
        return (-self.nano, -self.tokens, -self.cell.characters, -self.cell.calls)

    def step(
        self,
        *,
        tool: str | UnsetType | None = UNSET,
        position: int | UnsetType | None = UNSET,
    ) -> DearStep:
        """The line as it stands in the document, divided once."""
        cell, counted, priced = self.cell, self.counted, self.priced
        observed = cell.calls - cell.unobserved
        file, record, name, call = self.place
        return DearStep(
            tool=tool,
            position=position,
            calls=cell.calls,
            observed=observed,
            characters=cell.characters if observed else None,
            mean_characters=cell.characters / observed if observed else None,
            counted=counted,
            tokens=_buckets(cell, counted) if counted else None,
            mean_tokens=self.tokens / counted if counted else None,
            priced=priced,
            cost_usd=round(self.nano / NANO, 9) if priced else None,
            mean_usd=self.nano / NANO / priced if priced else None,
            timed=cell.timed,
            mean_latency_ms=cell.micros / 1000 / cell.timed if cell.timed else None,
            example=shorten(name),
            file=file,
            record=record,
            call=call or None,
        )


def _buckets(cell: Cell, counted: int) -> StepTokens:
    """The tokens; cached ones that only some calls tell apart count as input."""
    read = cell.read if cell.read_told == counted else None
    write = cell.write if cell.write_told == counted else None
    told = (read or 0) + (write or 0)
    fresh = cell.input + cell.read + cell.write - told
    return StepTokens(input=fresh, cache_read=read, cache_write=write, output=cell.output)


def part(whole: int, number: int, of: int) -> int:
    """One of several equal parts in whole numbers; the first ones are larger by one."""
    share, left = divmod(whole, of)
    return share + (number < left)


def part_of(usage: Usage, number: int, of: int) -> Usage:
    """One of several equal parts of a usage."""
    read, write = usage.cache_read, usage.cache_write
    return Usage(
        part(usage.input, number, of),
        None if read is None else part(read, number, of),
        None if write is None else part(write, number, of),
        part(usage.output, number, of),
    )
