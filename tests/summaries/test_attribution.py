"""Attribution: where the failed runs broke, by tool and cause."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from trayecto.metrics import Column, Scored
from trayecto.scores import Culprit, Score
from trayecto.summaries.attribution import TURNS, Accumulator

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
    lines = table(record, scored, culprits).value()
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
    lines = table(record, scored, culprits).value()
    assert [(line.cause, line.trajectories) for line in lines] == [
        ("wrong_write", 2),
        ("refused_write", 1),
    ]


def test_turns_are_listed_and_the_first_run_is_the_example(record: Make, scored: Make) -> None:
    """The same fault sits at different turns of different conversations."""
    [line] = table(record, scored, [at(9, "pay"), at(3, "pay"), at(5, "pay")]).value()
    assert line.turns == [3, 5, 9]
    assert line.turn == 9
    assert line.example.startswith("run")


def test_of_many_turns_the_least_are_listed(record: Make, scored: Make) -> None:
    """All runs are counted all the same."""
    [line] = table(record, scored, [at(turn, "pay") for turn in range(300, 0, -1)]).value()
    assert line.trajectories == 300
    assert line.turns == list(range(1, TURNS + 1))


def test_what_nobody_can_explain_is_a_line_with_its_reason(record: Make, scored: Make) -> None:
    """Undefined lines are the last, even when they are the most."""
    culprits = [Score(None, "no reference path")] * 3 + [at(2, "pay")]
    lines = table(record, scored, culprits).value()
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


def test_a_recorded_success_is_not_asked_where_it_broke(record: Make, total: Make) -> None:
    """A run that ended over its budget with the task done has no culprit."""
    assert total([record("t", status="budget_exceeded")]).groups[0].attribution == []


def test_merging_leaves_the_other_table_as_it_is(record: Make, scored: Make) -> None:
    """A part that was added to one total may be added to another."""
    part = table(record, scored, [at(1, "pay")])
    before = part.value()
    whole = table(record, scored, [])
    whole.merge(part)
    whole.merge(table(record, scored, [at(2, "pay")]))
    assert part.value() == before
    assert whole.value()[0].trajectories == 2
