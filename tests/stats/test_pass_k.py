"""pass@k and pass^k: the golden values, brute force, and what is undefined."""

import json
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.stats.pass_k import pass_at_k, pass_hat_k

# golden.json: n, c, k, pass@k, pass^k
GOLDEN = [
    (5, 2, 1, 0.4, 0.4), (5, 2, 2, 0.7, 0.1), (5, 2, 3, 0.9, 0.0), (5, 2, 4, 1.0, 0.0),
    (5, 2, 5, 1.0, 0.0), (10, 8, 1, 0.8, 0.8), (10, 8, 2, 0.977778, 0.622222),
    (10, 8, 4, 1.0, 0.333333), (10, 8, 8, 1.0, 0.022222), (4, 0, 1, 0.0, 0.0), (4, 0, 4, 0.0, 0.0),
    (4, 4, 1, 1.0, 1.0), (4, 4, 4, 1.0, 1.0), (4, 3, 1, 0.75, 0.75), (4, 3, 2, 1.0, 0.5),
    (4, 3, 3, 1.0, 0.25), (4, 3, 4, 1.0, 0.0), (1, 1, 1, 1.0, 1.0), (1, 0, 1, 0.0, 0.0),
    (12, 6, 2, 0.772727, 0.227273),
]  # fmt: skip


@pytest.mark.parametrize(("n", "c", "k", "at", "hat"), GOLDEN)
def test_the_golden_values(n: int, c: int, k: int, at: float, hat: float) -> None:
    """Values of golden.json, by two implementations each, to the six digits that it prints."""
    assert pass_at_k(n, c, k) == pytest.approx(at, abs=5e-7)
    assert pass_hat_k(n, c, k) == pytest.approx(hat, abs=5e-7)


def test_the_golden_file(shared: Path) -> None:
    """Every entry of golden.json with trials, successes and k, read where it lies."""
    entries = json.loads((shared / "golden" / "golden.json").read_text("utf-8"))["golden"]
    checked = 0
    for entry in entries:
        given_ = entry["input"]
        if entry["group"] != "pass@k / pass^k" or "n" not in given_ or "output" not in given_:
            continue
        if not isinstance(given_["k"], list):
            continue
        for k in given_["k"]:
            pair = [f(given_["n"], given_["c"], k) for f in (pass_at_k, pass_hat_k)]
            expected = entry["expected"][f"k={k}"]
            assert pair == (expected if None in expected else pytest.approx(expected, abs=5e-7))
            checked += 1
    assert checked == 21


def test_many_trials_stay_exact() -> None:
    """Golden passk_large_n: n 200, c 13, k 100 is 0.999919; a product of floats would drift."""
    exact = 1 - Fraction(comb(187, 100), comb(200, 100))
    assert pass_at_k(200, 13, 100) == float(exact) == pytest.approx(0.999919, abs=5e-7)


def test_it_is_no_plug_in() -> None:
    """Golden passk_plugin_vs_unbiased: 8 of 10 is 1/3 for k 4, not 0.8 to the fourth."""
    assert pass_hat_k(10, 8, 4) == 1 / 3


def test_tasks_are_averaged_not_pooled() -> None:
    """Golden passk_suite_per_task_then_mean: 0.611111 and 0.388889."""
    tasks = [(4, 4), (4, 2), (4, 0)]
    assert fmean(pass_at_k(n, c, 2) for n, c in tasks) == pytest.approx(0.611111, abs=5e-7)
    assert fmean(pass_hat_k(n, c, 2) for n, c in tasks) == pytest.approx(0.388889, abs=5e-7)


@pytest.mark.parametrize(("n", "c", "k"), [(4, 3, 5), (1, 1, 2), (0, 0, 1), (4, 4, 0), (4, 4, -1)])
def test_more_than_the_trials_is_undefined(n: int, c: int, k: int) -> None:
    """golden: k > n is null, never 1.0 or 0.0; and no trial says nothing."""
    assert pass_at_k(n, c, k) is pass_hat_k(n, c, k) is None


@given(st.integers(1, 8), st.data())
def test_they_are_the_share_of_samples(n: int, data: st.DataObject) -> None:
    """Of all ways to take k of n trials: those with one success, and those with nothing else."""
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    taken = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == sum(map(any, taken)) / len(taken)
    assert pass_hat_k(n, c, k) == sum(map(all, taken)) / len(taken)
