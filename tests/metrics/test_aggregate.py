"""The product's own aggregate of article 000's two runs, not rounded before its end."""

import json
from pathlib import Path

import pytest

from trayecto.case import Case
from trayecto.metrics import score
from trayecto.prices import PriceTable
from trayecto.records import Record
from trayecto.summaries import summarize
from trayecto.trajectory import Trajectory

NAME = "article000_aggregate_unrounded"


@pytest.mark.shared
def test_the_two_runs_of_article_000(
    shared: Path,
    sane: Trajectory,
    pathological: Trajectory,
    article_case: Case,
    article_prices: PriceTable,
) -> None:
    """Golden article000_aggregate_unrounded: efficiency 0.666667, cost 0.209363."""
    golden = json.loads((shared / "golden" / "golden.json").read_text("utf-8"))["golden"]
    expected = next(each for each in golden if each["id"] == NAME)["expected"]
    records = [Record(run, article_case) for run in (sane, pathological)]
    metrics = summarize(score(records, prices=article_prices)).metrics
    assert metrics["path_efficiency"].value == pytest.approx(expected["efficiency_mean"], abs=1e-6)
    assert metrics["cost_usd"].value == pytest.approx(expected["cost_mean"], abs=1e-6)
