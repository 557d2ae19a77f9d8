"""pass@k and pass^k of one task: that one of k trials succeeds, and that all of them do.

Both are unbiased estimates from n trials with c successes, with exact whole numbers. The value of a
suite is the mean over its tasks; pooling the trials of different tasks answers neither question,
and (c/n)^k is biased.

Sources: Chen et al. 2021 (arXiv 2107.03374) for pass@k; Yao et al. 2024 (arXiv 2406.12045) for
pass^k.
"""

from __future__ import annotations

from math import comb


def pass_at_k(trials: int, successes: int, k: int) -> float | None:
    """1 - C(n-c, k) / C(n, k): at least one of k succeeds; None where k exceeds the trials.

    It takes for granted that somebody can tell which attempt was right (an oracle selector).
    """
    if not 1 <= k <= trials:
        return None
    ways = comb(trials, k)
    return (ways - comb(trials - successes, k)) / ways


def pass_hat_k(trials: int, successes: int, k: int) -> float | None:
    """C(c, k) / C(n, k): all of k succeed; None where k exceeds the trials."""
    if not 1 <= k <= trials:
        return None
    return comb(successes, k) / comb(trials, k)
