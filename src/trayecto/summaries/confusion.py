"""Which tools were called in place of others: the confusion matrix of tool selection.

Counted: every run that has a reference with a call in it, and in which the agent had a fair chance;
every attempt of it, aligned with the expected calls as ``tool_selection`` aligns them. An expected
call in line is right. One that is not is confused with the call that nothing expects in the same
gap, between the same two calls in line (of a reference without an order the whole run is one gap);
several in a gap pair one to one, in order. Where the gap holds no such call it was missed
(``called`` is None), and a call that is left over is extra (``expected`` is None). Arguments do not
count. A pair says which tool stood in the place, not why: an agent that gave up leaves whatever it
did instead. Beyond 200 pairs the least frequent are counted as one, without any name. Undefined
where no run has a reference.

Source: article 002, *matriz de confusión de tools*; the design's ruling 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct

from trayecto.document import KINDS, Confused, Selection, ToolChoice, most_frequent, shorten
from trayecto.metrics import Column, Scored
from trayecto.trajectory import INVALID

PATHS = 4096  # different references that are counted whole, before their tools are
NAMES = 4096  # different names of called tools that are kept as they are, before they are labels
UNJUDGED = "no reference path"
EMPTY = "the reference is empty"

Example: TypeAlias = tuple[str, int, str]  # file, record, id
Pair: TypeAlias = tuple[str | None, str | None]  # expected, called
# The expected calls that are missing between two calls in line, and the calls that stand there.
Gap: TypeAlias = tuple[Sequence[str], Sequence[str]]
_REST: Pair = (None, None)


class _Line(Struct):
    """How often a pair was found, and where first."""

    count: int
    example: Example


class Accumulator:
    """Calls by tool, expected and made, and the pairs that differ.

    Right and extra calls are what is left over of the totals, so that a run whose expected calls
    are all in line, as most are, costs little: it is looked at again only for a first example.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        """Start with nothing compared."""
        self.runs = 0
        self.judged = 0
        self.whys: Counter[str] = Counter()
        self.paths: dict[tuple[str, ...], int] = {}
        self.expected: Counter[str] = Counter()
        self.called: Counter[str] = Counter()
        self.pairs: dict[Pair, _Line] = {}
        self.extras: dict[str, Example] = {}
        self.latest = ("", 0)  # where the last of these examples is: what comes later replaces none

    def add(self, run: Scored) -> None:
        """Count one run's calls, expected and made, and what they were confused with."""
        self.runs += 1
        case, trajectory, facts = run.case, run.trajectory, run.facts
        reference = None if case is None else case.secret.reference
        if reference is None or not reference.entries or trajectory.status in INVALID:
            self._leave_out(run)
            return
        self.judged += 1
        tools, aligned = reference.tools, facts.aligned or []
        self._expect(tools)
        self.called.update(facts.tools)
        if len(self.called) > NAMES:
            self.called = self._calls()
        in_line = None not in aligned
        if in_line and len(facts.tools) == len(tools):
            return
        source = trajectory.source
        where = (source.file, source.record)
        new = where <= self.latest or not facts.by_tool.keys() <= self.extras.keys()
        if new or not in_line:
            self._compare(run, tools, new=new)

    def _leave_out(self, run: Scored) -> None:
        """Count why a run is not compared, as ``tool_selection`` says it."""
        status = run.trajectory.status
        reference = None if run.case is None else run.case.secret.reference
        if status in INVALID:
            self.whys[f"the run broke ({status})"] += 1
        else:
            self.whys[UNJUDGED if reference is None else EMPTY] += 1

    def _expect(self, tools: tuple[str, ...], runs: int = 1) -> None:
        """Count a reference; where there are many, their tools."""
        paths = self.paths
        paths[tools] = paths.get(tools, 0) + runs
        if len(paths) > PATHS:
            self.expected = self._expectations()
            self.paths = {}

    def _expectations(self) -> Counter[str]:
        """How often each tool was expected."""
        found = self.expected.copy()
        for tools, runs in self.paths.items():
            for tool in tools:
                found[shorten(tool)] += runs
        return found

    def _calls(self) -> Counter[str]:
        """How often each tool was called, by its label."""
        found: Counter[str] = Counter()
        for tool, count in self.called.items():
            found[shorten(tool)] += count
        return found

    def _compare(self, run: Scored, tools: Sequence[str], *, new: bool) -> None:
        """Count the pairs of a run that differ; ``new``: its extra calls may be first examples."""
        source = run.trajectory.source
        example = (source.file, source.record, shorten(run.trajectory.id))
        for missing, others in _gaps(tools, run.facts.tools, run.facts.aligned or []):
            if not missing and not new:
                continue
            for wanted, got in zip(missing, others, strict=False):
                self._add_pair((shorten(wanted), shorten(got)), 1, example)
            for wanted in missing[len(others) :]:
                self._add_pair((shorten(wanted), None), 1, example)
            for got in others[len(missing) :] if new else ():
                self._note_extra(shorten(got), example)

    def _add_pair(self, pair: Pair, count: int, example: Example) -> None:
        line = self.pairs.get(pair)
        if line is None:
            self.pairs[pair] = _Line(count, example)
        else:
            line.count += count
            line.example = min(line.example, example)

    def _note_extra(self, tool: str, example: Example) -> None:
        self.extras[tool] = kept = min(self.extras.get(tool, example), example)
        self.latest = max(self.latest, kept[:2])

    def merge(self, other: Accumulator) -> None:
        """Add the calls and pairs of another part."""
        self.runs += other.runs
        self.judged += other.judged
        self.whys += other.whys
        self.expected += other.expected
        for tools, runs in other.paths.items():
            self._expect(tools, runs)
        self.called.update(other.called)
        for pair, line in other.pairs.items():
            self._add_pair(pair, line.count, line.example)
        for tool, example in other.extras.items():
            self._note_extra(tool, example)

    def value(self) -> dict[str, list[Confused] | Selection]:
        """The pairs that differ, the most frequent first, and how each tool was chosen."""
        tools = self._tools()
        lines = dict(self.pairs)
        for tool, counts in tools.items():
            if counts.extra:
                lines[None, tool] = _Line(counts.extra, self.extras[tool])
        selection = Selection(
            trajectories=self.judged,
            of=self.runs,
            why=UNSET if self.judged else next(iter(most_frequent(self.whys)), UNJUDGED),
            undefined=most_frequent(self.whys) or UNSET,
            tools=_choices(tools),
        )
        return {"confusion": _confused(lines), "selection": selection}

    def _tools(self) -> dict[str, _Counts]:
        """The counts of each tool."""
        found = {tool: _Counts(of=count) for tool, count in self._expectations().items()}
        for tool, count in self._calls().items():
            found.setdefault(tool, _Counts()).called = count
        for (wanted, got), line in self.pairs.items():
            if got is None:
                found[wanted or ""].missed += line.count
            else:
                found[wanted or ""].confused += line.count
                found[got].instead += line.count
        return found


class _Counts(Struct):
    """How often a tool was expected, missed, replaced, called, and called in place of another."""

    of: int = 0
    missed: int = 0
    confused: int = 0
    called: int = 0
    instead: int = 0

    @property
    def right(self) -> int:
        """Expected calls in line."""
        return self.of - self.missed - self.confused

    @property
    def extra(self) -> int:
        """Calls that stand in place of nothing."""
        return self.called - self.right - self.instead

    def choice(self, tool: str | None) -> ToolChoice:
        """The counts as they stand in the document, divided once."""
        return ToolChoice(
            tool=tool,
            of=self.of,
            right=self.right,
            confused=self.confused,
            missed=self.missed,
            called=self.called,
            precision=self.right / self.called if self.called else None,
            recall=self.right / self.of if self.of else None,
        )


def _gaps(
    expected: Sequence[str], called: Sequence[str], places: Sequence[int | None]
) -> Iterable[Gap]:
    """What stands between calls in line: the expected calls that are missing, and the others.

    Where the calls in line do not come in the order of the reference, nothing is between them.
    """
    in_line = [place for place in places if place is not None]
    if in_line != sorted(in_line):
        lost = [tool for tool, place in zip(expected, places, strict=True) if place is None]
        others = [tool for place, tool in enumerate(called) if place not in set(in_line)]
        return [(lost, others)]
    found: list[Gap] = []
    missing: list[str] = []
    start = 0
    for tool, place in zip(expected, places, strict=True):
        if place is None:
            missing.append(tool)
        else:
            if missing or start < place:
                found.append((missing, called[start:place]))
                missing = []
            start = place + 1
    found.append((missing, called[start:]))
    return found


def _confused(lines: Mapping[Pair, _Line]) -> list[Confused]:
    """The most frequent pairs, and the others as one."""
    order = sorted(lines.items(), key=_rank)
    kept, rest = order[:KINDS], [line for _, line in order[KINDS:]]
    if rest:
        together = _Line(sum(line.count for line in rest), min(line.example for line in rest))
        kept.append((_REST, together))
    return [
        Confused(
            expected=expected,
            called=called,
            count=line.count,
            example=line.example[2],
            file=line.example[0],
            record=line.example[1],
        )
        for (expected, called), line in kept
    ]


def _rank(item: tuple[Pair, _Line]) -> tuple[int, str, str]:
    (expected, called), line = item
    return (-line.count, expected or "", called or "")


def _choices(tools: Mapping[str, _Counts]) -> list[ToolChoice]:
    """Each tool's counts: the most often expected first, beyond 200 all others as one."""
    order = sorted(tools.items(), key=lambda item: (-item[1].of, -item[1].called, item[0]))
    found = [counts.choice(tool) for tool, counts in order[:KINDS]]
    if len(order) > KINDS:
        rest = _Counts()
        for _, counts in order[KINDS:]:
            rest.of += counts.of
            rest.missed += counts.missed
            rest.confused += counts.confused
            rest.called += counts.called
        found.append(rest.choice(None))
    return found
