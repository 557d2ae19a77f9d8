"""The error of a mean whose values come in clusters: tasks of one repository, incident or template.

Values of one cluster move together, so the cluster is what counts as independent. The correction is
CR1: ``sqrt(C/(C-1) * sum over clusters (sum of deviations)^2) / n``; with every value a cluster of
its own it is the standard deviation over the root of n.

Sources: Liang and Zeger 1986 (Biometrika 73); Miller 2024 (arXiv 2411.00640), whose printed form
leaves the correction out.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum, isfinite, sqrt
from operator import mul

from msgspec import Struct

ROUNDING = 1e-12  # of the largest number: what differs by less differs by rounding


class Clustered(Struct, frozen=True):
    """A mean and its standard error; ``clusters`` is how many there are, ``n`` how many values.

    ``error`` is None where there is one cluster: nothing tells how clusters differ. It is 0 where
    they differ by no more than rounding.
    """

    mean: float
    error: float | None
    clusters: int
    n: int


def clustered_mean(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> Clustered | None:
    """The mean with its clustered error; None of no values.

    Without ``clusters`` every value is one. Raises ValueError where a value is not finite, and
    where values and clusters are not equally many.
    """
    check_finite(values)
    if not values:
        return None
    mean = fsum(values) / len(values)
    sums = cluster_sums([value - mean for value in values], clusters)
    error = None
    if len(sums) > 1:
        spread = fsum(map(mul, sums, sums))
        error = sqrt(len(sums) / (len(sums) - 1) * spread) / len(values)
        if error <= ROUNDING * max(map(abs, values)):  # three times 0.1 is no spread
            error = 0.0
    return Clustered(mean, error, len(sums), len(values))


def cluster_sums(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> list[float]:
    """The sum of each cluster's values, in the order in which clusters are first met."""
    if clusters is None:
        return list(values)
    found: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        found.setdefault(cluster, []).append(value)
    return [fsum(inner) for inner in found.values()]


def check_finite(values: Sequence[float]) -> None:
    """Raise ValueError for a value that is no finite number."""
    if not all(map(isfinite, values)):  # asked of every number of a report: fast where all is well
        odd = next(value for value in values if not isfinite(value))
        message = f"{odd!r} is not a finite number"
        raise ValueError(message)
