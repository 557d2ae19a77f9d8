"""What people did in a run, as traces tell it: which numbers can be, and which cannot."""

from __future__ import annotations

from typing import Final, TypeAlias

Told: TypeAlias = float | bool | None

# The fields of a trajectory, and the most that each may be: two years of minutes, steps beyond
# count, thirty years of seconds. What is larger is no measurement.
MOST: Final[dict[str, int]] = {
    "human_minutes": 1_000_000,
    "interventions": 1_000_000,
    "abandoned_at": 1_000_000_000,
}


def impossible(field: str, value: Told) -> bool:
    """Whether a number cannot be; what is not told can, and that nobody gave up can.

    >>> impossible("human_minutes", -1), impossible("abandoned_at", False)
    (True, False)
    """
    if value is None or (value is False and field == "abandoned_at"):
        return False
    return isinstance(value, bool) or not 0 <= value <= MOST[field]
