"""How often the smoothed gate ships a candidate that is worse by exactly the margin.

The simulation of the notes: tasks succeed at p ~ Beta(1.5 mu, 1.5 (1 - mu)), the candidate
at p (1 - m/mu), so that it is worse by m on average; 20,000 repetitions of each cell.
"""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from trayecto.stats.distributions import student_quantile
from trayecto.stats.noninferiority import smoothed_bound

REPETITIONS = 20_000
CELLS = list(product((0.6, 0.9, 0.97), (5, 10, 20, 50, 100), (0.03, 0.05, 0.10)))


def lower_bounds(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the smoothed lower bounds of many suites at once, a row each."""
    tasks = gains.shape[1]
    shrunk = gains.sum(axis=1) / (tasks + 2)
    spread = ((gains - shrunk[:, None]) ** 2).sum(axis=1)
    spread += ((1 - shrunk) ** 2 + (1 + shrunk) ** 2) / 2 + shrunk**2
    error = np.sqrt(spread * (tasks + 2) / (tasks + 1)) / (tasks + 2)
    return shrunk - student_quantile(0.95, tasks + 1) * error


@pytest.mark.slow
@pytest.mark.parametrize(("trials", "most"), [(4, 0.055), (1, 0.095)])
def test_false_ships(trials: int, most: float) -> None:
    """At most 5.5 % with four trials a task, 9.5 % with one, in every cell."""
    for mean, tasks, margin in CELLS:
        chance = np.random.default_rng([20260101, tasks, trials])
        rates = chance.beta(1.5 * mean, 1.5 * (1 - mean), (REPETITIONS, tasks))
        worse = chance.binomial(trials, rates * (1 - margin / mean))
        gains = (worse - chance.binomial(trials, rates)) / trials
        bounds = lower_bounds(gains)
        for row in range(0, REPETITIONS, REPETITIONS // 20):  # the very function that gates use
            found = smoothed_bound(gains[row].tolist(), margin)
            assert found.lower == pytest.approx(bounds[row], abs=1e-9)
        shipped = (bounds > -margin).mean()
        assert shipped <= most, (mean, tasks, margin)
