"""Every golden value of statistics is held by some test, by its id."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trayecto.stats.clusters import clustered_mean
from trayecto.stats.pass_k import pass_hat_k

TESTS = Path(__file__).resolve().parents[1]
GROUPS = (
    "pass@k / pass^k", "consistency", "one rate", "planning", "clustered SE", "bootstrap",
    "paired", "gate", "sequential", "agreement", "cost", "latency", "difficulty",
)  # fmt: skip
# What the ids of a family are called together in tests.
FAMILIES = (
    "passk_", "passhat_unequal_trials_", "wilson_", "clopper_pearson_", "jeffreys_",
    "beta_uniform_prior_", "zero_failures_upper95_", "zero_failure_trials_needed_",
    "mcnemar_exact_", "noninferiority_smoothed_", "noninferiority_", "evalue_sign_",
    "fisher_task_flag_", "percentile_rank_ci_", "sample_size_trials_K", "agreement_",
)  # fmt: skip


def words() -> str:
    """Return all that tests say, of this file without the lists above."""
    found = [path.read_text("utf-8") for path in TESTS.rglob("*.py") if path != Path(__file__)]
    own = Path(__file__).read_text("utf-8")
    return "\n".join([*found, own.partition("def words")[2]])


def test_every_entry_is_named_where_it_is_tested(shared: Path) -> None:
    """By its id, or by the family of ids that one table of a test holds."""
    entries = json.loads((shared / "golden" / "golden.json").read_text("utf-8"))["golden"]
    ids = [entry["id"] for entry in entries if entry["group"] in GROUPS]
    assert len(ids) > 90
    told = words()
    named = {name for name in ids if re.search(rf"\b{re.escape(name)}\b", told)}
    families = tuple(family for family in FAMILIES if family in told)
    assert [name for name in ids if name not in named and not name.startswith(families)] == []


def test_miller_s_printed_form_is_a_little_smaller(
    golden: Callable[[str], tuple[Any, Any]],
) -> None:
    """Golden clustered_se_miller_form: ours has the correction for few clusters, and says so."""
    given, expected = golden("clustered_se_miller_form")
    clusters = given["clusters"]
    trials = [value for values in clusters.values() for value in values]
    names = [name for name, values in clusters.items() for _ in values]
    found = clustered_mean(trials, names)
    n, mean = len(trials), sum(trials) / len(trials)
    own = sum((value - mean) ** 2 for value in trials) / (n * (n - 1))
    sums = [sum(value - mean for value in values) for values in clusters.values()]
    squares = sum((value - mean) ** 2 for value in trials)
    cross = (sum(total * total for total in sums) - squares) / n**2
    assert (own + cross) ** 0.5 == pytest.approx(expected["se"], abs=5e-7)
    assert expected["se"] < found.error


def test_pairs_of_one_arm_are_worth_more_than_two_arms(
    golden: Callable[[str], tuple[Any, Any]],
) -> None:
    """Golden unpaired_se_same_data: 0.152179 where pairing has 0.066815."""
    given, expected = golden("unpaired_se_same_data")
    base, candidate = (clustered_mean(given[arm]) for arm in ("baseline", "candidate"))
    unpaired = (base.error**2 + candidate.error**2) ** 0.5
    assert unpaired == pytest.approx(expected["se_unpaired"], abs=5e-7)
    gains = [b - a for a, b in zip(given["baseline"], given["candidate"], strict=True)]
    paired = clustered_mean(gains).error
    assert paired == pytest.approx(expected["se_paired_from_corr"], abs=5e-7)
    correlation = (base.error**2 + candidate.error**2 - paired**2) / (
        2 * base.error * candidate.error
    )
    assert correlation == pytest.approx(expected["corr"], abs=5e-7)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_unequal_trials_are_never_mixed(golden: Callable[[str], tuple[Any, Any]], k: int) -> None:
    """Golden passhat_unequal_trials_k1, passhat_unequal_trials_k2 and passhat_unequal_trials_k3.

    Strict only where every task has k trials; the mean over those that have stands beside it.
    """
    given, expected = golden(f"passhat_unequal_trials_k{k}")
    values = [pass_hat_k(n, c, k) for n, c in given["tasks_n_c"]]
    known = [value for value in values if value is not None]
    assert (len(known), len(values)) == (expected["tasks_defined"], expected["tasks"])
    assert sum(known) / len(known) == pytest.approx(expected["mean"])
    assert (expected["strict"] is None) == (len(known) < len(values))
