"""Parts of the report of a comparison: what changed, what fell, several candidates."""

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from trayecto.comparison import (
    Candidate,
    Parting,
    Regressions,
    TaskChange,
)
from trayecto.reports._changes import candidates, changes, regressions
from trayecto.reports._page import Page

PARTED = Parting(
    what="arguments", step=2, base_turn=5, candidate_turn=7, base_tool="pay", candidate_tool="pay"
)
CHANGE = TaskChange(
    task="t1", change="worse", base="2/4", candidate="0/4", base_run="a", candidate_run="b",
    parted=PARTED,
)  # fmt: skip
ROW = Candidate(
    suite="shop", candidate="no_memory", base=False, success=0.5, cost_usd=0.02, difference=-0.1,
    interval=(-0.2, -0.01), p_adjusted=0.03, verdict="worse", trusted=True, cost_ratio=0.5,
    front=True,
)  # fmt: skip


def page(lang: str = "en", width: int = 80) -> Page:
    """Return an empty page."""
    return Page(lang, width, color=False)


def test_a_change_has_its_counts_and_its_step() -> None:
    """The head counts lost and won ones."""
    made = page()
    changes(made, [CHANGE, replace(CHANGE, task="t2", change="better", base="0/4")])
    lines = made.text().splitlines()
    assert lines[0] == "Tasks that changed   1 lost · 1 won"
    assert lines[1:3] == ["t1  2/4 → 0/4", "  step 2: pay with other arguments (turns 5, 7)"]


def test_a_write_that_parts_where_the_steps_do_is_not_repeated() -> None:
    """One that parts elsewhere is told besides."""
    made = page()
    changes(made, [replace(CHANGE, parted_write=PARTED)])
    assert "among writes" not in made.text()
    made = page()
    changes(made, [replace(CHANGE, parted_write=replace(PARTED, step=1, base_turn=3))])
    assert "among writes, step 1: pay with other arguments (turns 3, 7)" in made.text()


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("tool", "step 2: pay (turn 5) against refund (turn 7)"),
        ("ended", "step 2: pay (turn 5) in the base only: the other run has ended"),
    ],
)
def test_how_two_runs_part(what: str, told: str) -> None:
    """In words, with the tools and turns of both sides."""
    made = page()
    other = {"candidate_tool": "refund"}
    if what == "ended":
        other = {"candidate_tool": None, "candidate_turn": None}
    changes(made, [replace(CHANGE, parted=replace(PARTED, what=what, **other))])
    assert f"\n  {told}\n" in made.text()


def test_nothing_that_changed_prints_nothing() -> None:
    """No head without lines."""
    made = page()
    changes(made, [])
    regressions(made, Regressions(counts={}, examples=[]))
    assert not made.text().strip()


def test_the_metrics_in_which_most_tasks_fell_come_first() -> None:
    """By their names, and said to be a flag."""
    made = page("es")
    counts = {"task_success": 1, "path_match": 12, "politeness": 3}
    regressions(made, Regressions(counts=counts, examples=[]))
    head, *told = made.text().splitlines()
    assert head == "Bajaron más de medio punto   una marca, no un veredicto"
    assert " ".join(told) == (
        "camino como referencia: 12 tareas · politeness: 3 tareas éxito de la tarea: 1 tarea"
    )


@pytest.mark.parametrize("width", [80, 100, 120])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_candidates_with_long_names_keep_to_the_page(width: int, lang: str) -> None:
    """The end of a name stays, since versions differ there."""
    made = page(lang, width)
    rows = [ROW, replace(ROW, candidate="a-very-long-name-of-a-candidate-" * 4 + "v2", front=False)]
    candidates(made, rows)
    lines = made.text().splitlines()
    assert max(map(cell_len, lines)) <= width
    assert "v2  " in lines[3]
    assert (lines[2].startswith("◆"), lines[3].startswith("◆")) == (True, False)


def test_no_escape_code_comes_through() -> None:
    """Names are foreign text."""
    made = page()
    evil = "x\x1b[2J"
    candidates(made, [replace(ROW, candidate=evil)])
    changes(made, [replace(CHANGE, task=evil, parted=replace(PARTED, base_tool=evil))])
    assert "\x1b" not in made.text()


def test_a_suite_stands_beside_a_candidate_only_where_there_are_several() -> None:
    """With one it would say nothing, and take the room of the name."""
    one, two = page(), page()
    candidates(one, [ROW])
    candidates(two, [ROW, replace(ROW, suite="bank")])
    assert "(shop)" not in one.text()
    assert "no_memory (bank)" in two.text()


def test_the_base_has_its_row() -> None:
    """Its success and its cost, and no difference with itself; how to read the rest is said."""
    made = page()
    bare = {"difference": None, "interval": None, "p_adjusted": None, "verdict": None}
    candidates(made, [replace(ROW, candidate="v1", base=True, cost_ratio=None, **bare), ROW])
    lines = made.text().splitlines()
    assert lines[2].split() == ["◆", "v1", "50.0", "%", "$0.02", "(base)"]
    assert "is what that part was worth" in made.text().replace("\n", " ")


def test_a_won_task_is_shown_beside_many_lost_ones() -> None:
    """Of nine lost and two won: four and one, and how many more there are."""
    many = [replace(CHANGE, task=f"l{at}") for at in range(9)]
    won = [replace(CHANGE, task=f"w{at}", change="better", base="0/4") for at in range(2)]
    made = page()
    changes(made, many + won)
    text = made.text()
    assert [name for name in ("l3", "l4", "w0", "w1") if f"{name}  " in text] == ["l3", "w0"]
    assert "and 6 more" in text
