"""How fast the cluster bootstrap is beside the bare product of weights and sums.

    python benchmarks/stats.py [--resamples 10000] [--tasks 500] [--metrics 12] [--rounds 7]

Both draw the same resamples; ours also keeps memory in bounds. They run in turn, on one core, and
only the ratio of the two is worth quoting.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import TypeAlias

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before numpy: one core on either side

import numpy as np  # noqa: E402, TID253  # after the limits; a benchmark may be slow to start

from trayecto.stats.bootstrap import resampled  # noqa: E402  # after the limits

LIMIT = 1.5
SEED = 20260101
Matrix: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def bare(sums: Matrix, resamples: int) -> Matrix:
    """Draw all weights at once, and multiply."""
    tasks = len(sums)
    chance = np.random.Generator(np.random.PCG64(SEED))
    drawn = chance.integers(0, tasks, (resamples, tasks))
    flat = (drawn + np.arange(resamples)[:, None] * tasks).ravel()
    weights = np.bincount(flat, minlength=resamples * tasks).reshape(resamples, tasks)
    product: Matrix = weights.astype(float) @ sums
    return product


def seconds(work: Callable[[], Matrix]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    """Print the ratio; 1 where it is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("resamples", 10_000), ("tasks", 500), ("metrics", 12), ("rounds", 7)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    sums: Matrix = np.random.default_rng(SEED).random((given.tasks, given.metrics))

    def ours() -> Matrix:
        return resampled(sums, seed=SEED, resamples=given.resamples)

    def floor() -> Matrix:
        return bare(sums, given.resamples)

    if not np.allclose(ours(), floor()):
        raise AssertionError
    pairs = [(seconds(ours), seconds(floor)) for _ in range(given.rounds)]
    ratios = [one / other for one, other in pairs]
    ratio = statistics.median(ratios)
    print(
        f"{given.resamples:,} resamples of {given.tasks:,} tasks by {given.metrics} metrics: "
        f"{ratio:.2f} times the bare product ({min(ratios):.2f} to {max(ratios):.2f}; "
        f"{statistics.median(one for one, _ in pairs):.2f} CPU s)"
    )
    print("every limit is kept" if ratio <= LIMIT else f"missed: at most {LIMIT} times")
    return ratio > LIMIT


if __name__ == "__main__":
    sys.exit(main())
