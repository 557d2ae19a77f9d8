"""How long the attempt took.

Counted: the time that the trace records for the whole attempt, else the sum of the times of its
generations where every one of them is recorded. Unit: milliseconds. Lower is better; read the
percentiles, not the mean. Undefined where the trace has no times, and where one cannot
be: it is negative, or longer than thirty years.

Source: article 004; the design's values.
"""

from __future__ import annotations

from collections.abc import Sequence

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.scores import Score
from trayecto.trajectory import Turn

UNIT = "ms"
BETTER = "lower"
OVER = "runs"

UNTIMED = Score(None, "the trace has no times")
LONGEST = 1e12
IMPOSSIBLE = Score(None, "a recorded time cannot be")


def latency_ms(facts: Facts, case: Case | None) -> Score:
    """Read the attempt's time, or add up its generations'."""
    took = facts.trajectory.latency_ms
    if took is None:
        took = _added_up(facts.trajectory.turns)
    if took is None:
        return UNTIMED
    return Score(took) if 0 <= took <= LONGEST else IMPOSSIBLE


def _added_up(turns: Sequence[Turn]) -> float | None:
    """The sum of the generations' times; None where one is not recorded."""
    total, times = 0.0, 0
    for turn in turns:
        if turn.role == "assistant":
            if turn.latency_ms is None:
                return None
            total += turn.latency_ms
            times += 1
    return total if times else None
