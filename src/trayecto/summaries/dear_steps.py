"""What steps cost: money, tokens and size of observation, by tool and by step position.

Counted: every call of every run and of its sub-agents, failed ones too. A call costs what the
generation that made it cost: all that it read, so the whole context up to there, and all that it
wrote. A trace tells usage by generation, so where one made several calls each bears an equal part
in whole tokens, the first ones one more where it does not come out even: no token is lost or
counted twice. Where the price file prices calls of a tool, each of its calls costs that as well, if
its tokens have a price. Generations without a call (answers) stand apart, so that all lines come to
the whole bill; only what a price per second adds is no step's, and stands in ``cost_usd`` alone.
The size of an observation is its length in characters, as the trace has it; what it costs
shows in the steps after it. Latency is the call's own time.

The position of a step is the index of its call in its own run, from 1; those after the 50th count
together, and so do the tools that are not among the first 200. Both stand the dearest first: by
cost where any is known, else by tokens, else by size. The example is the dearest single call, of
equal ones the first; a model that has a price goes before one that has none. Every sum says how
many calls it covers: an unknown cost is unknown, never 0.

Source: article 000, *Costo por tarea*, by step; the design's ruling 17.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from trayecto.document import KINDS, DearSteps, most_frequent, shorten
from trayecto.facts import Prices, family
from trayecto.metrics import Column, Scored
from trayecto.summaries._step_sums import (
    LAST,
    NO_CALL,
    NO_SUMS,
    Line,
    PlainCells,
    Sums,
    Table,
    TableKey,
    Where,
    part,
    part_of,
)
from trayecto.trajectory import Trajectory, Turn

UNCOUNTED = "no token counts"
UNTOLD = "the trace tells tokens for the whole run only"
PRICELESS = "no price table was given"


class Accumulator:
    """Sums by model, position and tool; what a report shows is added up of them at the end."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start without a step."""
        self.runs = 0
        self.prices: Prices | None = None
        self.tables: dict[TableKey, Table] = {}

    def add(self, run: Scored) -> None:
        """Count the steps of one run and of its sub-agents."""
        self.runs += 1
        if self.prices is None:
            self.prices = run.facts.prices
        root = run.trajectory
        source = root.source
        self._walk(root, (source.file, source.record, root.id))
        if root.children:
            for child in family(root)[1:]:
                self._walk(child, (source.file, source.record, child.id))

    def _walk(self, trajectory: Trajectory, where: Where) -> None:
        """Count every generation: those with one call, as most are, right here."""
        spent = trajectory.spent
        model = spent[0].model if len(spent) == 1 else None
        table: Table | None = None
        plain: PlainCells = []
        by_input = by_output = at = 0
        by_request = False
        named = None
        for turn in trajectory.turns:
            calls, usage = turn.calls, turn.usage
            if usage is None or len(calls) != 1:
                if calls or usage is not None or turn.role == "assistant":
                    self._share(trajectory, turn, at, where)
                    at += len(calls)
                continue
            if table is None or turn.model is not named:
                named = turn.model
                table = self._table((named or model, None))
                plain, (by_input, _, _, by_output) = table.plain, table.weights
                by_request = table.by_request
            if by_request:
                self._share(trajectory, turn, at, where)
                at += 1
                continue
            at += 1
            (call,) = calls
            tool, seen = call.tool, call.observation
            if (
                seen is None
                or call.latency_ms is not None
                or usage.cache_read is not None
                or usage.cache_write is not None
            ):
                table.count(call, usage, None, (*where, at))
                continue
            place = at if at < LAST else LAST  # noqa: FURB136  # min takes thrice the time
            fresh, output = usage.input, usage.output
            sums = plain[place]
            known, characters, read, written, best = sums[tool] if tool in sums else NO_SUMS  # noqa: SIM401  # a call of get takes twice the time
            worth = fresh * by_input + output * by_output
            if worth >= best:
                table.cell(place, tool).offer(worth, (*where, at))
                best = worth
            size = characters + len(seen)
            sums[tool] = (known + 1, size, read + fresh, written + output, best)

    def _table(self, key: TableKey) -> Table:
        table = self.tables.get(key)
        if table is None:
            table = self.tables[key] = Table(key, self.prices)
        return table

    def _share(self, trajectory: Trajectory, turn: Turn, at: int, where: Where) -> None:
        """Count any generation: one without a call, one that made several, one priced by itself."""
        calls, usage = turn.calls, turn.usage
        table = self._table_of(trajectory, turn)
        nano = None
        if usage is not None and table.by_request and self.prices is not None:
            nano = self.prices.cost(table.model, usage)
        if not calls:
            table.answer(usage, nano, where)
        for number, call in enumerate(calls):
            share = None if usage is None else part_of(usage, number, len(calls))
            cost = None if nano is None else part(nano, number, len(calls))
            table.count(call, share, cost, (*where, at + number + 1))

    def _table_of(self, trajectory: Trajectory, turn: Turn) -> Table:
        """The table of a generation: of its model, or of the reason why its tokens are not told."""
        spent = trajectory.spent
        if turn.usage is not None:
            return self._table((turn.model or (spent[0].model if len(spent) == 1 else None), None))
        whole = bool(spent) and all(part.usage for part in spent)
        return self._table((None, UNTOLD if whole else UNCOUNTED))

    def merge(self, other: Accumulator) -> None:
        """Add the steps of another part."""
        self.runs += other.runs
        if self.prices is None:
            self.prices = other.prices
        for key, table in other.tables.items():
            mine = self._table(key)
            table.settle()
            for at, cells in enumerate(table.cells):
                for tool, cell in cells.items():
                    mine.cell(at, tool).add(cell)

    def value(self) -> dict[str, DearSteps]:
        """The lines, the dearest first."""
        tools: dict[str | None, Line] = {}
        positions: dict[int, Line] = {}
        priced = {} if self.prices is None else self.prices.rates.tools
        fees: dict[str | None, int] = {shorten(tool): fee for tool, fee in priced.items()}
        for table in self.tables.values():
            table.settle()
            for at, cells in enumerate(table.cells):
                for tool, cell in cells.items():
                    fee = fees.get(tool, 0)
                    tools.setdefault(tool, Line()).add(table, cell, fee)
                    if at != NO_CALL:
                        positions.setdefault(at, Line()).add(table, cell, fee)
        answers = tools.pop(None, None)
        sums = {tool: line.sums(self.prices) for tool, line in tools.items()}
        order = sorted(sums, key=lambda tool: (*sums[tool].rank, tool or ""))
        found = [sums[tool].step(tool=shorten(tool or "")) for tool in order[:KINDS]]
        if len(order) > KINDS:
            rest = Line()
            for tool in order[KINDS:]:
                rest.join(tools[tool])
            found.append(rest.sums(self.prices).step(tool=None))
        at_position = {at: line.sums(self.prices) for at, line in positions.items()}
        places = sorted(at_position, key=lambda at: (*at_position[at].rank, at))
        steps = DearSteps(
            trajectories=self.runs,
            by=_by(sums.values()),
            tools=found,
            positions=[at_position[at].step(position=at if at < LAST else None) for at in places],
            answers=None if answers is None else answers.sums(self.prices).step(),
            undefined=self._undefined(),
        )
        return {"dear_steps": steps}

    def _undefined(self) -> dict[str, dict[str, int]]:
        """Why tokens and costs are not known, by the calls and answers for which they are not."""
        tokens: Counter[str] = Counter()
        cost: Counter[str] = Counter()
        for table in self.tables.values():
            calls = sum(cell.calls for cells in table.cells for cell in cells.values())
            if table.why is not None:
                tokens[table.why] += calls
            if self.prices is None:
                cost[PRICELESS] += calls
            elif table.why is not None:
                cost[table.why] += calls
            elif not table.priced:
                cost[shorten(self.prices.why(table.model))] += calls
        found = {"cost": most_frequent(cost), "tokens": most_frequent(tokens)}
        return {what: whys for what, whys in found.items() if whys}


def _by(lines: Iterable[Sums]) -> Literal["cost", "tokens", "characters"]:
    """By what lines are ordered."""
    known = list(lines)
    if any(line.priced for line in known):
        return "cost"
    return "tokens" if any(line.counted for line in known) else "characters"
