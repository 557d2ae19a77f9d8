"""A ratio of sums, such as cost per accepted run, with its linearised error.

Sources: Cochran 1977 (Sampling Techniques, 6); the project's notes on statistics, 1.8; article 004,
for what each further success costs.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum

from msgspec import Struct

from trayecto.stats.clusters import check_finite, clustered_mean

_ROUNDING = 1e-12  # successes that differ by less do so by rounding


class Ratio(Struct, frozen=True):
    """A ratio, and its standard error: None where there is one cluster."""

    value: float
    error: float | None
    clusters: int


def ratio_of_sums(
    above: Sequence[float], below: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> Ratio | None:
    """Sum over sum, with the error of the residuals ``above - ratio * below``; None over 0.

    Raises ValueError for what is not finite, and where the two are not equally many.
    """
    check_finite([*above, *below])
    if len(above) != len(below):
        message = f"{len(above)} values above and {len(below)} below"
        raise ValueError(message)
    total = fsum(below)
    if not total:
        return None
    value = fsum(above) / total
    residuals = [one - value * other for one, other in zip(above, below, strict=True)]
    found = clustered_mean(residuals, clusters)
    if found is None or found.error is None:
        return Ratio(value, None, 1)
    return Ratio(value, found.error * len(residuals) / abs(total), found.clusters)


def cost_per_extra(
    cost: float, success: float, other_cost: float, other_success: float
) -> float | None:
    """What each success costs that the second has more than the first; None where it has none.

    Costs of a run and shares of successes: (0.006, 0.91) against (0.08, 0.94) is 2.466667. Below 0
    where more success costs less. Raises ValueError for what is not finite.
    """
    check_finite([cost, success, other_cost, other_success])
    more = other_success - success
    return (other_cost - cost) / more if more > _ROUNDING else None
