"""How long the attempt took.

Counted: the time that the trace records for the whole attempt, else the sum of the times of its
generations where every one of them is recorded. Unit: milliseconds. Lower is better; read the
percentiles, not the mean. Undefined where the trace has no times, and where one cannot
be: it is negative, or longer than thirty years.

Source: article 004; the design's values.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._took import can_be, took_ms
from trayecto.scores import Score

UNIT = "ms"
BETTER = "lower"
OVER = "runs"

UNTIMED = Score(None, "the trace has no times")
IMPOSSIBLE = Score(None, "a recorded time cannot be")


def latency_ms(facts: Facts, case: Case | None) -> Score:
    """Read the attempt's time, or add up its generations'."""
    took = took_ms(facts.trajectory)
    if took is None:
        return UNTIMED
    return Score(took) if can_be(took) else IMPOSSIBLE
