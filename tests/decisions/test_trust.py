"""Successes that contradict what was done."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trayecto.decisions._arm import read_arm
from trayecto.decisions._trust import Trust
from trayecto.formats import read
from trayecto.metrics import score

Make = Callable[..., object]
LEVELS = "data/tau-bench-levels/final_results/tool-calling-l{}-4o.json"


def test_a_success_that_had_to_write_and_did_not(side: Make) -> None:
    """One run made the expected write, one did not; a failure claims nothing."""
    written = side({"t": "p"}, tools=["pay"], reference=["pay"])
    assert str(written.trust) == "0 of 1"
    idle = side({"t": "pf"}, tools=["get_it"], reference=["pay"])
    assert str(idle.trust) == "1 of 1"
    assert idle.trust.doubtful


def test_what_only_reads_is_expected_of_nobody(side: Make) -> None:
    """A reference without a write asks for none."""
    assert str(side({"t": "p"}, tools=["get_it"], reference=["get_it"]).trust) == "0 of 0"
    assert str(side({"t": "p"}).trust) == "0 of 0"
    assert not Trust().doubtful


def test_the_limit_is_a_twentieth() -> None:
    """One of 20 may be; two of 39 may not."""
    assert not Trust(20, 1).doubtful
    assert Trust(39, 2).doubtful


def test_parts_add_up() -> None:
    """Counts of two parts are those of the whole."""
    whole = Trust(3, 1)
    whole.merge(Trust(4, 2))
    assert (whole.expected, whole.contradicted) == (7, 3)


@pytest.mark.parametrize(("level", "told"), [(0, "2 of 77"), (1, "8 of 93")])
def test_the_published_runs(shared: Path, level: int, told: str) -> None:
    """Counted by hand in the project's notes: 2 of 77 and 8 of 93."""
    scores = score(read(shared / LEVELS.format(level)))
    (found,) = read_arm(scores, "level").values()
    assert str(found.trust) == told
