"""What holds of every metric in the folder, before its author writes a line of test."""

from collections import Counter
from pathlib import Path

import pytest

from trayecto.metrics import BETTERS, OVERS, Entry, load
from trayecto.testing import check_metric

ENTRIES = load()
IDS = [entry.function.__name__ for entry in ENTRIES]
UNITS = {"share", "calls", "pairs", "tokens", "usd", "ms", "turn"}
# The list of the design's section 6, as far as this issue goes.
DESIGNED = {
    "task_success", "path_match", "path_efficiency", "path_precision", "path_recall",
    "path_edit_similarity", "loop", "call_cycle", "repeated_calls", "cost_usd", "tokens",
    "latency_ms", "culprit",
}  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_every_metric(entry: Entry) -> None:
    """Documented, the same every time, changing nothing, undefined of nothing, fast."""
    check_metric(entry.function)


@pytest.mark.parametrize("name", IDS)
def test_every_metric_has_its_own_test(name: str) -> None:
    """Who looks for the tests of a metric finds them under its name."""
    assert (Path(__file__).parent / f"test_{name}.py").is_file()


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_the_file_name_is_the_id(entry: Entry) -> None:
    """File, function and column bear one name; a part adds its own."""
    name = entry.module.__name__.rpartition(".")[2]
    assert entry.function.__name__ == name
    assert {column.id.partition(".")[0] for column in entry.columns} == {name}


def test_ids_are_unique() -> None:
    """No two columns, and no two lines of a summary, have one name."""
    columns = [column for entry in ENTRIES for column in entry.columns]
    for names in ([column.id for column in columns], [column.summary for column in columns]):
        assert [name for name, count in Counter(names).items() if count > 1] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_units_and_directions_are_legal(entry: Entry) -> None:
    """A report knows how to print each of them."""
    for column in entry.columns:
        assert column.unit in UNITS
        assert column.better in BETTERS == ("higher", "lower", "neither")
        assert column.over in OVERS == ("runs", "valid", "successes")


def test_the_metrics_of_the_design_are_there() -> None:
    """The folder holds what was promised."""
    assert set(IDS) >= DESIGNED
