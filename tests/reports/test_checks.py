"""The block of assertions that did not pass."""

import pytest
from rich.cells import cell_len

from trayecto.document import Check, Checked, CheckedRun
from trayecto.reports._checks import checks
from trayecto.reports._page import Page


def check(metric: str, failed: int, lacking: int = 0, name: str = "run#1") -> Check:
    """An assertion of ten runs."""
    one = CheckedRun(id=name, file="runs.json", record=1, case="c", failed=failed > 0)
    return Check(metric=metric, asserted=10, failed=failed, not_evaluated=lacking, examples=[one])


def printed(make: object, *made: Check, compact: bool = False, lang: str = "en") -> list[str]:
    """The lines of a group with these assertions; three of nine runs fail one."""
    page = Page(lang, 80, color=False)
    checked = Checked(trajectories=9, failed=3, not_evaluated=sum(c.not_evaluated for c in made))
    checks(page, make.group(checks=list(made), checked=checked), compact=compact)
    return page.text().splitlines()


def test_a_line_for_each_that_did_not_pass(make: object) -> None:
    """With how often it failed, could not be evaluated, and was made; one that passed has none."""
    lines = printed(make, check("answer", 0), check("path_match", 2, 1), check("task_success", 3))
    assert lines[0] == "Checks   failed in 3 of 9 trajectories, not evaluated in 1"
    assert lines[1].split() == ["Failed", "Unknown", "Of", "Metric", "Example"]
    assert lines[2].split() == ["3", "0", "10", "task", "success", "run#1"]
    assert lines[3].split()[:3] == ["2", "1", "10"]
    assert len(lines) == 4


def test_nothing_is_said_where_everything_passed(make: object) -> None:
    """A report has no empty heading."""
    assert printed(make, check("answer", 0)) == []


def test_many_groups_have_the_count_alone(make: object) -> None:
    """Their blocks are short."""
    assert printed(make, check("answer", 3), compact=True) == [
        "Checks   failed in 3 of 9 trajectories"
    ]


def test_spanish(make: object) -> None:
    """The same, in Spanish."""
    assert "fallan en 3 de 9" in printed(make, check("answer", 3), lang="es")[0]


@pytest.mark.parametrize("metric", ["answer", "m" * 90])
def test_hostile_names_stay_in_their_column(make: object, hostile: str, metric: str) -> None:
    """No line is wider than the page, and nothing is obeyed."""
    lines = printed(make, check(metric, 1, name=hostile))
    assert all(cell_len(line) <= 80 for line in lines)
    assert "\x1b" not in "".join(lines)
