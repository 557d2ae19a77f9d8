"""Stages 2 and 3 of the culprit: the first wrong write, or the write that was never made.

Writes are held against the writes of the reference, never reads: how an agent looks things up is
its own business, and with no write on either side these stages say nothing. Every step here is
linear in calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from trayecto.case import Expected, Reference, canonical
from trayecto.contracts import is_write
from trayecto.facts import Facts
from trayecto.matching import assign
from trayecto.metrics._blame import agent_turns
from trayecto.scores import Culprit, Kind
from trayecto.trajectory import Call, Json, Trajectory

SHORT = 50  # entries of a reference that are looked through for each call
_LINE = 200  # characters of arguments in a sentence


class Walk(Struct, frozen=True, gc=False):
    """The agent's write attempts held against the writes of the reference.

    ``left_over`` are the successful attempts that no expected write asks for (a repeat of a right
    write is one of them), ``unused`` the expected writes that nobody made.
    """

    attempts: list[Call]
    expected: list[Expected]
    left_over: list[Call]
    unused: list[Expected]


class _Candidate(Struct, frozen=True, gc=False):
    call: Call
    kind: Kind
    evidence: str


Effects: TypeAlias = Mapping[str, str]


def walk(trajectory: Trajectory, reference: Reference, effects: Effects) -> Walk:
    """Give each expected write the first successful attempt that agrees with it."""
    attempts = _attempts(trajectory, effects)
    expected = [entry for entry in reference.entries if is_write(entry.tool, effects)]
    done = [call for call in attempts if call.outcome != "error"]
    if not expected or not done:
        return Walk(attempts, expected, done, expected)
    met, used = _use_up(expected, done)
    return Walk(
        attempts,
        expected,
        [call for place, call in enumerate(done) if place not in used],
        [entry for place, entry in enumerate(expected) if place not in met],
    )


def _attempts(trajectory: Trajectory, effects: Effects) -> list[Call]:
    """Every write that the agent tried, in order."""
    calls = [
        call
        for turn in trajectory.turns
        if turn.calls and turn.role == "assistant"
        for call in turn.calls
    ]
    writes = {tool for tool in {call.tool for call in calls} if is_write(tool, effects)}
    return [call for call in calls if call.tool in writes]


def _plain(facts: Facts, reference: Reference, effects: Effects) -> _Candidate | None:
    """The first wrong or refused write of most runs, which need no walk.

    None where the walk has to decide: entries that leave arguments open compete for calls, a
    refused write which the reference has may have an earlier cause, and a long reference is better
    looked up than looked through.
    """
    if not reference.strict or len(reference.entries) > SHORT:
        return None
    wrong = _first_left_over(facts.trajectory, reference, effects)
    refused: list[Call] = []
    if len(facts.done) < len(facts.calls):
        attempts = _attempts(facts.trajectory, effects)
        lost = _never_made_good(attempts)
        refused = [call for call in attempts if call.index in lost]
        if any(_asks_for(reference, call) for call in refused):
            return None
    if refused and (wrong is None or refused[0].index < wrong.index):
        expected = any(is_write(tool, effects) for tool in reference.by_tool)
        return _refusal(refused[0]) if expected else None
    return None if wrong is None else _wrong(wrong)


def _asks_for(reference: Reference, call: Call) -> bool:
    return any(entry.accepts(call.arguments) for entry in reference.by_tool.get(call.tool, ()))


def _first_left_over(trajectory: Trajectory, reference: Reference, effects: Effects) -> Call | None:
    """The agent's first successful write that no unused entry of a strict reference asks for."""
    unused: dict[str, list[Expected]] = {}
    for turn in trajectory.turns:
        for call in turn.calls if turn.role == "assistant" else ():
            if call.outcome == "error" or not is_write(call.tool, effects):
                continue
            entries = unused.get(call.tool)
            if entries is None:
                entries = unused[call.tool] = list(reference.by_tool.get(call.tool, ()))
            met = next((entry for entry in entries if entry.accepts(call.arguments)), None)
            if met is None:
                return call
            entries.remove(met)
    return None


def _use_up(expected: list[Expected], done: list[Call]) -> tuple[set[int], set[int]]:
    """The places of the expected writes that were made, and of the calls that made them."""
    made = _by_name([call.tool for call in done])
    met: set[int] = set()
    used: set[int] = set()
    for tool, entries in _by_name([entry.tool for entry in expected]).items():
        calls = made.get(tool, [])
        if len(entries) == 1:
            agrees = expected[entries[0]].agrees
            found = [next((at for at, call in enumerate(calls) if agrees(done[call])), None)]
        else:
            found = assign([expected[at] for at in entries], [done[at] for at in calls])
        for entry, place in zip(entries, found, strict=True):
            if place is not None:
                met.add(entry)
                used.add(calls[place])
    return met, used


def _by_name(names: list[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    return places


def blame_writes(facts: Facts, reference: Reference, effects: Effects) -> Culprit | None:
    """Name the first wrong, refused or blocking write; else the first that was never made."""
    trajectory = facts.trajectory
    found = _plain(facts, reference, effects)
    if found is None:
        walked = walk(trajectory, reference, effects)
        found = _first_wrong(walked)
        if found is None:
            return _never_done(trajectory, walked)
    call = found.call
    position = next(t.position for t in trajectory.turns for made in t.calls if made is call)
    return Culprit(position, call.index, found.kind, call.tool, found.evidence)


def _first_wrong(walked: Walk) -> _Candidate | None:
    """The earliest candidate wins; where no write is expected, a refused one did no harm."""
    first: _Candidate | None = None
    if walked.left_over:
        first = _wrong(walked.left_over[0])
    if walked.expected:
        for candidate in _refused(walked):
            if first is None or candidate.call.index < first.call.index:
                first = candidate
    return first


def _wrong(call: Call) -> _Candidate:
    return _Candidate(call, "wrong_write", f"the reference has no such {call.tool}")


def _refusal(call: Call) -> _Candidate:
    return _Candidate(call, "refused_write", f"{call.tool} was refused and never made good")


def _refused(walked: Walk) -> Iterator[_Candidate]:
    """Each refused write that was not recovered, or the write that made it impossible.

    That is the last successful one on the same entity, where the refused one is in the reference.
    """
    never_made_good = _never_made_good(walked.attempts)
    if not never_made_good:
        return
    asked = _Asked(walked.expected)
    touched: dict[bytes, Call] = {}
    for call in walked.attempts:
        if call.outcome != "error":
            touched.update(dict.fromkeys(_entities(call), call))
        elif call.index in never_made_good:
            causes = [touched[entity] for entity in _entities(call) if entity in touched]
            if causes and asked.has(call):
                cause = max(causes, key=lambda other: other.index)
                told = f"it made call {call.index}, {call.tool}, fail, which the reference has"
                yield _Candidate(cause, "blocked_by", told)
            else:
                yield _refusal(call)


def _never_made_good(attempts: list[Call]) -> set[int]:
    """Refused writes after which neither the same tool nor the same arguments succeeded.

    Attempts come in the order of their indexes. Arguments that are no object are never the same.
    """
    tools: set[str] = set()
    refused: dict[int, Call] = {}
    for call in reversed(attempts):
        if call.outcome != "error":
            tools.add(call.tool)
        elif call.tool not in tools:
            refused[call.index] = call
    sizes = {len(call.arguments) for call in refused.values() if isinstance(call.arguments, dict)}
    first = min(refused, default=0)
    forms: set[bytes] = set()
    for call in reversed(attempts) if sizes else ():
        if call.index < first:
            break
        if isinstance(call.arguments, str) or len(call.arguments) not in sizes:
            continue  # no refused write has as many arguments
        if call.outcome != "error":
            forms.add(canonical(call.arguments))
        elif call.index in refused and canonical(call.arguments) in forms:
            del refused[call.index]
    return set(refused)


class _Asked:
    """The expected writes, to ask often whether a call is one of them."""

    def __init__(self, expected: list[Expected]) -> None:
        self.forms = {
            (entry.tool, entry.form) for entry in expected if entry.fixed or entry.form is None
        }
        self.loose = [entry for entry in expected if not entry.fixed]

    def has(self, call: Call) -> bool:
        """Whether any expected write agrees with a call."""
        written = {(call.tool, None), (call.tool, canonical(call.arguments))}
        return not self.forms.isdisjoint(written) or any(e.agrees(call) for e in self.loose)


def _entities(call: Call) -> set[bytes]:
    """What a call is about: the values of its arguments named ``…_id``."""
    if isinstance(call.arguments, str):
        return set()
    return {
        canonical({"id": value})
        for name, value in call.arguments.items()
        if name.endswith("_id") and value is not None and value != ""
    }


def _never_done(trajectory: Trajectory, walked: Walk) -> Culprit | None:
    """An absence has no call; it is placed at the last turn of the agent.

    Nothing is said where a sub-agent ran: its calls are not here, and it may have made the write.
    """
    turns = agent_turns(trajectory) if walked.unused and not trajectory.children else ()
    if not turns:
        return None
    tool = walked.unused[0].tool
    return Culprit(turns[-1].position, None, "never_done", tool, f"no step did {tool}")


def expected_instead(
    trajectory: Trajectory, reference: Reference, effects: Effects, found: Culprit
) -> str:
    """What the reference has for a wrong write or an absence: the closest write nobody made."""
    walked = walk(trajectory, reference, effects)
    entries = [entry for entry in walked.unused if entry.tool == found.tool]
    if not entries:
        return ""
    call = next((call for call in walked.attempts if call.index == found.call), None)
    if call is None or isinstance(call.arguments, str):
        return _written(entries[0].arguments or {})
    made = call.arguments
    return _written(min((_corrections(made, entry) for entry in entries), key=len))


def _corrections(made: dict[str, Json], entry: Expected) -> dict[str, Json]:
    """The arguments of an expected write that a call gave otherwise, or not at all."""
    return {
        name: value
        for name, value in (entry.arguments or {}).items()
        if name not in made or canonical({"": made[name]}) != canonical({"": value})
    }


def _written(arguments: dict[str, Json]) -> str:
    """Arguments as a person writes them, cut to a line."""
    text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"
