"""How long an attempt took: one rule for its latency, and for what its seconds cost."""

from __future__ import annotations

from collections.abc import Sequence

from trayecto.trajectory import Trajectory, Turn

LONGEST = 1e12  # milliseconds: thirty years


def took_ms(trajectory: Trajectory) -> float | None:
    """The time of the attempt, or of its generations added up; None where it is not recorded."""
    took = trajectory.latency_ms
    return _added_up(trajectory.turns) if took is None else took


def can_be(milliseconds: float) -> bool:
    """Whether a recorded time is one."""
    return 0 <= milliseconds <= LONGEST


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
