"""The Pareto front: what is not outdone in both cost and success.

Source: Kapoor et al. 2024 (arXiv 2407.01502), who draw it for agents.
"""

from __future__ import annotations

from collections.abc import Mapping

from trayecto.stats.clusters import check_finite


def pareto_front(points: Mapping[str, tuple[float, float]]) -> list[str]:
    """The names of the points (cost, success) that no other is as cheap and as good as, and better.

    Equal points stay together. In the order given. Linear in points after one sort. Raises
    ValueError for a cost or a success that is not finite.
    """
    check_finite([number for point in points.values() for number in point])
    best = float("-inf")
    kept: set[tuple[float, float]] = set()
    for cost, success in sorted(set(points.values()), key=lambda point: (point[0], -point[1])):
        if success > best:
            best = success
            kept.add((cost, success))
    return [name for name, point in points.items() if point in kept]
