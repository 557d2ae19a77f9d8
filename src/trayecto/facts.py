"""Facts: one pass over the calls of a trajectory, shared by every metric.

A column belongs here when two metrics need it. Facts judge nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from msgspec import Struct

from trayecto.alignment import Compared, align_calls, compare
from trayecto.case import Case, canonical
from trayecto.contracts import Toolbox, toolbox_of
from trayecto.matching import by_tool
from trayecto.rates import Rates
from trayecto.trajectory import Call, Outcome, Trajectory, Usage

_PAIR = 2
NO_REFERENCE = Compared(0, 0, [])


class Prices(Protocol):
    """A price table: what the metrics ask of it; ``source`` names and dates it.

    ``rates`` are the prices of what is not tokens; ``NO_RATES`` where there are none.
    """

    source: str
    rates: Rates

    def cost(self, model: str | None, usage: Usage) -> int | None:
        """The price of one model's usage in nano-dollars; None where model or price is unknown."""

    def is_flat(self, model: str | None) -> bool:
        """Whether a token's price does not depend on the size of its request."""

    def why(self, model: str | None) -> str:
        """Why ``cost`` is None for a model."""


def family(trajectory: Trajectory) -> list[Trajectory]:
    """A trajectory and all its sub-agents': what a root cost includes what they cost."""
    found = [trajectory]
    for member in found:
        found += [child.trajectory for child in member.children]
    return found


class Facts(Struct, frozen=True, gc=False):
    """What the calls of one trajectory are, before anybody judges them.

    ``calls`` are all attempts, ``tools`` their names, ``outcomes`` how they ended, ``by_tool`` the
    same by tool. ``done`` leaves out those known to have failed (an unknown outcome counts as
    done). ``repeats`` groups the calls with the same tool and canonical arguments, two or more.
    ``matched`` is how many calls of the reference are found in ``done``, ``aligned`` the place of
    each expected call among all attempts (see ``trayecto.alignment``), None without a reference; of
    the calls in line, ``compared`` is how many have expected arguments, ``wrong`` are those with
    others. ``toolbox`` holds the tools that the agent had, None where nobody told; ``checked`` is
    how many calls could be held against a schema of it, ``invalid`` are those that broke theirs.
    """

    trajectory: Trajectory
    calls: list[Call]
    tools: list[str]
    outcomes: list[Outcome]
    by_tool: dict[str, list[Call]]
    done: list[Call]
    repeats: list[list[Call]]
    matched: int | None
    aligned: list[int | None] | None
    compared: int
    wrong: list[Call]
    checked: int
    invalid: list[Call]
    prices: Prices | None
    toolbox: Toolbox | None


def known_effects(facts: Facts, case: Case | None) -> Mapping[str, str]:
    """What tools are known to do: as the suite says, else as their contracts do."""
    suite = {} if case is None else case.effects
    contracts = {} if facts.toolbox is None else facts.toolbox.effects
    return {**contracts, **suite} if suite and contracts else suite or contracts


def calls_of_children(facts: Facts) -> list[Call]:
    """The calls of every sub-agent, at any depth."""
    root = facts.trajectory
    return [call for member in family(root)[1:] for call in member.calls] if root.children else []


def tools_called(facts: Facts) -> AbstractSet[str]:
    """The names of the tools that the run or a sub-agent called, failed attempts too."""
    own = facts.by_tool.keys()
    if not facts.trajectory.children:
        return own
    return own | {call.tool for call in calls_of_children(facts)}


def gather(
    trajectory: Trajectory,
    case: Case | None,
    prices: Prices | None = None,
    toolbox: Toolbox | None = None,
) -> Facts:
    """Make the facts of one trajectory, judged by one case or by none.

    Without a ``toolbox`` the tools are those that the trace names, else those of the case.
    """
    calls = [call for turn in trajectory.turns for call in turn.calls]
    tools = [call.tool for call in calls]
    outcomes = [call.outcome for call in calls]
    done = calls
    if "error" in outcomes:
        done = [call for call, how in zip(calls, outcomes, strict=True) if how != "error"]
    made = by_tool(calls)
    reference = None if case is None else case.secret.reference
    aligned, against = None, NO_REFERENCE
    if reference is not None:
        aligned = align_calls(reference, calls, tools)
        against = compare(reference, calls, made, aligned)
    repeats = _repeats(made) if len(made) < len(calls) else []
    box = _toolbox(trajectory, case) if toolbox is None else toolbox
    checked, invalid = (0, []) if box is None else box.check(calls)
    return Facts(
        trajectory, calls, tools, outcomes, made, done, repeats,
        None if aligned is None else against.matched, aligned, against.compared, against.wrong,
        checked, invalid, prices, box,
    )  # fmt: skip


def _toolbox(trajectory: Trajectory, case: Case | None) -> Toolbox | None:
    """The tools that a trace tells, else those that its case does."""
    tools = trajectory.tools
    if tools is None and case is not None:
        tools = case.tools
    return None if tools is None else toolbox_of(tools)


def _repeats(made: dict[str, list[Call]]) -> list[list[Call]]:
    """Group calls with equal tool and canonical arguments, written out only where a tool recurs."""
    found: list[list[Call]] = []
    for same in made.values():
        if len(same) == _PAIR:  # most tools that recur do so once
            one, other = same[0].arguments, same[1].arguments
            if one == other and canonical(one) == canonical(other):
                found.append(same)
        elif len(same) > _PAIR:
            groups: dict[bytes, list[Call]] = {}
            for call in same:
                groups.setdefault(canonical(call.arguments), []).append(call)
            found += [group for group in groups.values() if len(group) > 1]
    return found
