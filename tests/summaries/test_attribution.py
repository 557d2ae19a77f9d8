"""Attribution: where the failed runs broke, by tool and cause."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from trayecto.document import KINDS, LABEL, OTHER
from trayecto.metrics import Column, Scored
from trayecto.scores import Culprit, Score
from trayecto.summaries.attribution import OVERRULED, TURNS, Accumulator
from trayecto.trajectory import BROKEN, Source

Make = Callable[..., Any]


def blame(run: Scored, columns: tuple[Column, ...], score: Score) -> Scored:
    """Return a run with another culprit."""
    place = [column.id for column in columns].index("culprit")
    scores = list(run.scores)
    scores[run.plan.places.index(place)] = score
    return replace(run, scores=scores)


def at(turn: int, tool: str, kind: str = "wrong_write") -> Score:
    """Return a culprit."""
    return Score(Culprit(turn, 1, kind, tool, "said in words"), None, (1,))


def table(record: Make, scored: Make, culprits: list[Score]) -> Accumulator:
    """Return the table of failed runs with these culprits."""
    runs, columns = scored([record("t", success=False) for _ in culprits])
    found = Accumulator(columns)
    for run, score in zip(runs, culprits, strict=True):
        found.add(blame(run, columns, score))
    return found


def test_the_table_of_the_article(record: Make, scored: Make) -> None:
    """Article 000: 31 of 40 in ver_saldo, 6 in emitir_nota, 3 in buscar_cliente."""
    culprits = (
        [at(1, "buscar_cliente")] * 3 + [at(2, "ver_saldo")] * 31 + [at(4, "emitir_nota")] * 6
    )
    lines = table(record, scored, culprits).value()["attribution"]
    assert [(line.tool, line.trajectories) for line in lines] == [
        ("ver_saldo", 31),
        ("emitir_nota", 6),
        ("buscar_cliente", 3),
    ]
    assert [line.share for line in lines] == [0.775, 0.15, 0.075]
    assert {line.why for line in lines} == {UNSET}


def test_one_tool_and_two_causes_are_two_lines(record: Make, scored: Make) -> None:
    """Each cause is mended in another way."""
    culprits = [at(1, "pay"), at(1, "pay", "refused_write"), at(1, "pay")]
    lines = table(record, scored, culprits).value()["attribution"]
    assert [(line.cause, line.trajectories) for line in lines] == [
        ("wrong_write", 2),
        ("refused_write", 1),
    ]


def test_turns_are_listed_and_the_first_run_is_the_example(record: Make, scored: Make) -> None:
    """The same fault sits at different turns of different conversations."""
    [line] = table(record, scored, [at(9, "pay"), at(3, "pay"), at(5, "pay")]).value()[
        "attribution"
    ]
    assert line.turns == [3, 5, 9]
    assert line.turn == 9
    assert line.example.startswith("run")


def test_of_many_turns_the_least_are_listed(record: Make, scored: Make) -> None:
    """All runs are counted all the same."""
    [line] = table(record, scored, [at(turn, "pay") for turn in range(300, 0, -1)]).value()[
        "attribution"
    ]
    assert line.trajectories == 300
    assert line.turns == list(range(1, TURNS + 1))


def test_what_nobody_can_explain_is_a_line_with_its_reason(record: Make, scored: Make) -> None:
    """Undefined lines are the last, even when they are the most."""
    culprits = [Score(None, "no reference path")] * 3 + [at(2, "pay")]
    lines = table(record, scored, culprits).value()["attribution"]
    assert [(line.tool, line.cause, line.why) for line in lines] == [
        ("pay", "wrong_write", UNSET),
        (None, None, "no reference path"),
    ]
    assert (lines[1].turn, lines[1].turns, lines[1].share) == (None, [], 0.75)


def test_successes_and_unknown_ends_are_no_failures(record: Make, total: Make) -> None:
    """Only runs that are known to have failed are asked where they broke."""
    made = [record("t"), record("t", success=None), record("t", success=False, grade="held")]
    assert total(made).groups[0].attribution == []


def test_runs_that_broke_are_failures(record: Make, total: Make) -> None:
    """Ruling 11: where nobody recorded a success too; infrastructure is a reason, no culprit."""
    made = [
        record("t", "ab", status="budget_exceeded", success=None),
        record("t", status="infra_error", success=None),
    ]
    lines = total(made).groups[0].attribution
    assert [(line.tool, line.cause, line.why) for line in lines] == [
        ("b", "ran_out", UNSET),
        (None, None, "the run broke (infra_error)"),
    ]
    assert [line.share for line in lines] == [0.5, 0.5]


@pytest.mark.parametrize("status", sorted(OVERRULED))
def test_a_recorded_success_that_broke_is_a_failure(record: Make, total: Make, status: str) -> None:
    """It is counted as task_success counts it, on a line that says what overruled the record."""
    group = total([record("t", status=status)]).groups[0]
    [line] = group.attribution
    assert (line.tool, line.cause, line.turn, line.why) == (None, None, None, OVERRULED[status])
    assert (group.succeeded, group.failed, line.trajectories, line.share) == (0, 1, 1, 1.0)


def test_every_way_to_break_has_its_reason() -> None:
    """What task_success counts as broken is what overrules a recorded success."""
    assert set(OVERRULED) == BROKEN


def test_every_failed_run_is_on_one_line(record: Make, total: Make) -> None:
    """The lines add up to the failed runs."""
    statuses = ["completed", "budget_exceeded", "infra_error", "not_run", "agent_error"]
    successes = [True, False, None]
    made = [record("t", status=how, success=end) for how in statuses for end in successes]
    group = total(made).groups[0]
    assert sum(line.trajectories for line in group.attribution) == group.failed == 10


def test_an_example_can_be_found(record: Make, total: Make) -> None:
    """File and record lead to it, also where its id is cut."""
    made = record("t", success=False, id="x" * 500, source=Source("made", "a.jsonl", 7))
    [line] = total([made]).groups[0].attribution
    assert (line.file, line.record, len(line.example)) == ("a.jsonl", 7, LABEL)


def test_names_of_tools_and_reasons_are_labels(record: Make, scored: Make) -> None:
    """A trace can call a tool a megabyte."""
    culprits = [at(1, "p" * 1_000_000), Score(None, "w" * 1_000_000)]
    found = table(record, scored, culprits)
    lines = found.value()["attribution"]
    assert [len(lines[0].tool), len(lines[1].why)] == [LABEL, LABEL]
    assert max(len(str(key)) for key in found.lines) < 2 * LABEL


def test_rare_lines_are_counted_as_one(record: Make, scored: Make) -> None:
    """300 tools that failed once are no table: the most frequent stay, by name where they tie."""
    culprits = [at(1, f"tool{number:03}") for number in range(300)] + [at(1, "tool299")]
    lines = table(record, scored, culprits).value()["attribution"]
    assert len(lines) == KINDS + 1
    assert [line.tool for line in lines[:2]] == ["tool299", "tool000"]
    assert (lines[-1].tool, lines[-1].why, lines[-1].trajectories) == (None, OTHER, 100)
    assert sum(line.trajectories for line in lines) == 301


def test_a_reason_called_other_joins_the_others(record: Make, scored: Make) -> None:
    """A metric of tomorrow may say so, and its runs are not lost."""
    culprits = [Score(None, OTHER)] * 3 + [at(1, f"tool{number:03}") for number in range(300)]
    lines = table(record, scored, culprits).value()["attribution"]
    assert [line.trajectories for line in lines if line.why == OTHER] == [104]


def test_merging_leaves_the_other_table_as_it_is(record: Make, scored: Make) -> None:
    """A part that was added to one total may be added to another."""
    part = table(record, scored, [at(1, "pay")])
    before = part.value()
    whole = table(record, scored, [])
    whole.merge(part)
    whole.merge(table(record, scored, [at(2, "pay")]))
    assert part.value() == before
    assert whole.value()["attribution"][0].trajectories == 2
