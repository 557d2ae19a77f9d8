"""One block of a report: where failed runs broke, and right answers by a failing path."""

import pytest

from trayecto.document import OTHER, CallCounts, Group
from trayecto.reports._group import block, tasks_by_trials, title
from trayecto.reports._page import Page


def printed(group: Group, *, compact: bool = False, width: int = 80) -> str:
    """Return the block of a group as text."""
    page = Page("en", width, color=False)
    block(page, group, None, compact=compact)
    return page.text()


def section(text: str, head: str) -> list[str]:
    """Return the lines below a heading, up to an empty one."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(head))
    return lines[start + 1 : lines.index("", start) if "" in lines[start:] else len(lines)]


def test_the_title_says_what_was_read(make: object) -> None:
    """The first line: candidate, suite, format, how much."""
    page = Page("en", 80, color=False)
    title(page, make.group(), ["tau_bench"])
    assert page.text() == "agent   shop   tau_bench   10 trajectories   5 tasks\n"


def test_a_long_candidate_does_not_hide_the_counts(make: object) -> None:
    """The name is cut, the numbers stay."""
    page = Page("en", 80, color=False)
    title(page, make.group(candidate="agent" * 30), ["tau_bench"])
    assert page.text().endswith("10 trajectories   5 tasks\n")


def test_a_title_that_is_too_long_goes_on_below(make: object) -> None:
    """No count is cut: a half number is a wrong one."""
    page = Page("es", 80, color=False)
    group = make.group(suite="s" * 30, trials=4)
    title(page, group, ["openai_messages"])
    assert page.text().splitlines() == [
        f"agent   {'s' * 30}   openai_messages",
        "10 trayectorias · 5 tareas × 4 intentos",
    ]


def test_equal_trials_are_multiplied(make: object) -> None:
    """Only where every task has as many trials."""
    group = make.group(trials=2)
    assert tasks_by_trials(Page("en", 80, color=False), group) == "5 tasks × 2 trials"


def test_unequal_trials_are_not_multiplied(make: object) -> None:
    """4 tasks with two trials and one with two more are not 5 × 2."""
    group = make.group(trials=None)
    assert tasks_by_trials(Page("en", 80, color=False), group) == "5 tasks"


def test_endings_are_counted(make: object) -> None:
    """Statuses, then calls; the most frequent status first."""
    calls = CallCounts(total=3, ok=0, error=1, unknown=2)
    group = make.group(
        statuses={"budget_exceeded": 1, "completed": 9, "infra_error": 2}, calls=calls
    )
    told = "9 completed · 2 infrastructure errors · 1 out of budget · 3 calls · 1 error"
    assert printed(group).splitlines()[:2] == [told, "2 with unknown outcome"]


def test_no_error_is_not_counted(make: object) -> None:
    """A zero that says nothing is left out."""
    calls = CallCounts(total=3, ok=3, error=0, unknown=0)
    assert printed(make.group(calls=calls)).splitlines()[0] == "10 completed · 3 calls"


def test_a_failed_run_has_tool_cause_turn_and_example(make: object) -> None:
    """Every failure can be looked up."""
    text = printed(make.group(failed=3, attribution=[make.blame(example="gpt#4", turn=59)]))
    lines = section(text, "Where the 3 failed runs went wrong")
    assert lines[1].split() == ["3", "60.0", "%", "pay", "wrong", "write", "59", "gpt#4"]


def test_no_failed_run_is_no_section(make: object) -> None:
    """Where nothing failed, nothing went wrong."""
    assert "went wrong" not in printed(make.group())


def test_one_failed_run_is_singular(make: object) -> None:
    """The heading agrees with its number."""
    text = printed(make.group(failed=1, attribution=[make.blame(trajectories=1, share=1.0)]))
    assert "Where the 1 failed run went wrong" in text


def test_six_causes_are_listed_and_the_rest_is_named(make: object) -> None:
    """What the rest comes to is not in the document, so no report adds it up."""
    blames = [make.blame(f"tool{n}", trajectories=20 - n, share=0.05) for n in range(10)]
    lines = section(printed(make.group(attribution=blames)), "Where the")
    assert len(lines) == 8
    assert lines[-1].split() == ["4", "more", "causes"]


def test_a_seventh_cause_is_listed(make: object) -> None:
    """One line more costs no more than saying that there is one."""
    blames = [make.blame(f"tool{n}", share=0.1) for n in range(7)]
    lines = section(printed(make.group(attribution=blames)), "Where the")
    assert "tool6" in lines[-1]


@pytest.mark.parametrize("cause", ["never_done", "value_never_said"])
def test_absences_stand_apart(make: object, cause: str) -> None:
    """What no step did is not blamed on one."""
    blames = [make.blame("refund", cause), make.blame("pay")]
    lines = section(printed(make.group(attribution=blames)), "Where the")
    assert "pay" in lines[1]
    assert lines[2] == "No step did it"
    assert "refund" in lines[3]


def test_what_was_never_done_has_no_turn(make: object) -> None:
    """An absence is at no turn."""
    text = printed(make.group(attribution=[make.blame("refund", "never_done", turn=11)]))
    assert "11" not in "".join(section(text, "Where the"))


def test_undefined_causes_stand_apart_with_their_reason(make: object) -> None:
    """Where no rule names a cause the report says why."""
    why = "every check we can make passed"
    lost = make.blame(None, None, turn=None, why=why, example="run#9")
    lines = section(printed(make.group(attribution=[make.blame(), lost])), "Where the")
    assert lines[-2] == "No rule names a cause"
    assert f"60.0 %  {why} " in lines[-1]
    assert lines[-1].endswith("run#9")


def test_only_undefined_causes_need_no_table(make: object) -> None:
    """Without a reference there are reasons alone."""
    whys = [f"reason {n}" for n in range(5)]
    lost = [make.blame(None, None, turn=None, why=why, share=0.2) for why in whys]
    lines = section(printed(make.group(attribution=lost)), "Where the")
    assert lines[0] == "No rule names a cause"
    assert lines[-1].split() == ["2", "more", "reasons"]


def test_rare_lines_stand_together_below_the_others(make: object) -> None:
    """They are no reason of their own: some of them have a cause."""
    rare = make.blame(None, None, turn=None, why=OTHER, trajectories=100, share=0.25)
    lines = section(printed(make.group(attribution=[make.blame(), rare])), "Where the")
    assert "No rule names a cause" not in lines
    assert lines[-1] == " 100   25.0 %  rarer causes and reasons, together"


def test_a_report_says_what_the_document_says(make: object) -> None:
    """Nothing is added up: not failures from lines, not successes from right answers."""
    blames = [make.blame(trajectories=2), make.blame("b", trajectories=1)]
    ends = {"succeeded": 4, "failed": 6, "right_answers": make.right(1, 9, "a#1")}
    text = printed(make.group(attribution=blames, **ends))
    assert "4 of 10 succeeded · 6 failed" in text
    assert "Where the 6 failed runs went wrong" in text


def test_a_value_never_said_has_no_tool(make: object) -> None:
    """Nothing was called where something was to be said."""
    text = printed(make.group(attribution=[make.blame(None, "value_never_said")]))
    assert "–     value never said" in text


def test_right_answers_by_a_failing_path_are_named(make: object) -> None:
    """The first three by id, the rest by number."""
    right = make.right(5, 12, "a#1", "a#2", "a#3", "a#4")
    text = printed(make.group(right_answers=right))
    assert "Right answers by a failing path   5 of 12 successes" in text
    lines = section(text, "Right answers")
    assert lines[1].split(maxsplit=2) == ["a#1", "c1", "path matches reference"]
    assert lines[-1] == "and 2 more"


def test_no_right_answer_by_luck_is_no_section(make: object) -> None:
    """Nothing is said of nothing."""
    assert "Right answers" not in printed(make.group())


def test_a_short_block_has_fewer_lines(make: object) -> None:
    """Among many groups each is short."""
    blames = [make.blame(f"tool{n}", share=0.1) for n in range(10)]
    group = make.group(attribution=blames, right_answers=make.right(2, 5, "a#1", "a#2"))
    text = printed(group, compact=True)
    assert "7 more causes" in text
    assert "a#1" not in text
    assert "2 of 5 successes" in text


def test_a_wider_page_shows_longer_names(make: object) -> None:
    """More room goes to names, not to more columns."""
    group = make.group(attribution=[make.blame("t" * 60, example="e" * 20)])
    assert "t" * 60 not in printed(group)
    assert "t" * 60 in printed(group, width=120)


def test_foreign_text_stays_in_its_line(make: object, hostile: str) -> None:
    """Tool, id, case and reason print inertly, and nothing is lost beside them."""
    blames = [
        make.blame(hostile, example=hostile),
        make.blame(None, None, turn=None, why=hostile, example=hostile),
    ]
    right = make.right(1, 5, hostile)
    plain = make.group(
        attribution=[make.blame("a"), make.blame(None, None, turn=None, why="b")],
        right_answers=make.right(1, 5, "c"),
    )
    text = printed(make.group(attribution=blames, right_answers=right))
    assert "\x1b" not in text
    assert len(text.splitlines()) == len(printed(plain).splitlines())


def test_names_of_wide_characters_have_the_room_they_need(make: object) -> None:
    """Columns are as wide as their names are on a terminal: ten characters take twenty columns."""
    name = "漢字漢字漢字漢字漢字"
    blames = [make.blame(tool=name), make.blame(None, None, example=name)]
    text = printed(make.group(attribution=blames, right_answers=make.right(1, 5, name)))
    assert text.count(name) == 3


def test_parts_and_checks_stand_between_numbers_and_causes(make: object) -> None:
    """From what was measured to what failed, and then to where."""
    parts = {name: {"task_success": make.metric(over="runs")} for name in ("simple", "edge")}
    group = make.group(
        strata={"difficulty": parts}, checks=[make.check()], attribution=[make.blame()]
    )
    text = printed(group)
    heads = ["Metric", "Task success by difficulty", "Checks", "Where the 5 failed runs"]
    assert sorted(heads, key=text.index) == heads


def test_many_groups_are_not_taken_apart(make: object) -> None:
    """Where blocks are short, strata are in the JSON document only."""
    parts = {name: {"task_success": make.metric(over="runs")} for name in ("simple", "edge")}
    text = printed(make.group(strata={"difficulty": parts}, checks=[make.check()]), compact=True)
    assert "by difficulty" not in text
    assert section(text, "Checks") == []


def test_tools_stand_between_causes_and_right_answers(make: object) -> None:
    """What broke, with which tools, and what may break next."""
    group = make.group(
        attribution=[make.blame()],
        confusion=[make.confused("pay", "refund")],
        dear_steps=make.steps(make.dear_step()),
        right_answers=make.right(1, 5, "run#2"),
    )
    heads = ("Where the", "Confused tools", "Dear steps", "Right answers")
    places = [printed(group).index(f"\n{head}") for head in heads]
    assert places == sorted(places)


def test_where_there_are_many_groups_tools_are_left_out(make: object) -> None:
    """The document has them: sixteen short tables are no overview."""
    group = make.group(
        confusion=[make.confused("pay", "refund")], dear_steps=make.steps(make.dear_step())
    )
    text = printed(group, compact=True)
    assert "Confused tools" not in text
    assert "Dear steps" not in text
