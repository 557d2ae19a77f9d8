"""One trajectory step by step."""

import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from types import ModuleType

import pytest
from rich.cells import cell_len

from trayecto.case import Case, CaseInput, CaseSecret, expect, refer
from trayecto.metrics import Scored, Scores, score
from trayecto.records import Record
from trayecto.reports._codes import FLAGS
from trayecto.reports.steps import show
from trayecto.scores import Culprit, Score
from trayecto.trajectory import Call, Child, Source, Trajectory, Turn

ANSI = re.compile(r"\x1b\[[0-9;]*m")
MakeRun = Callable[..., Trajectory]
MakeScores = Callable[..., Scores]


ENGLISH = """\
run#4
shop · agent · case c1 · trial 0
failed (recorded) · completed
■ wrong write, turn 7, call 4  cancel_order
runs.json, record 4 · tau_bench

   1  system
      │ You help customers.

   2  user   ◐ look here second: the request before it
      │ Please cancel W1.

   3  assistant
        1  get_order  ✓ ok
           order W1
           │ lost
           ◐ found here: loop
        2  get_order  ✓ ok
           order W1
           │ lost
           ◐ found here: loop, repeated calls in a run
        3  get_order  ✓ ok
           order W1
           │ lost
           ◐ found here: loop, repeated calls in a run

   7  assistant
      │ Done.
        4  cancel_order  ✓ ok
           order W2
           │ ok
           ◐ found here: accuracy of arguments
           ■ broke here: wrong write
"""
SPANISH = """\
run#4
shop · agent · caso c1 · intento 0
fallida (recorded) · completa
■ escritura errónea, turno 7, llamada 4  cancel_order
runs.json, registro 4 · tau_bench

   1  system
      │ You help customers.

   2  user   ◐ mirar después: el pedido previo
      │ Please cancel W1.

   3  assistant
        1  get_order  ✓ ok
           order W1
           │ lost
           ◐ hallado aquí: bucle
        2  get_order  ✓ ok
           order W1
           │ lost
           ◐ hallado aquí: bucle, llamadas repetidas
        3  get_order  ✓ ok
           order W1
           │ lost
           ◐ hallado aquí: bucle, llamadas repetidas

   7  assistant
      │ Done.
        4  cancel_order  ✓ ok
           order W2
           │ ok
           ◐ hallado aquí: exactitud de argumentos
           ■ falló aquí: escritura errónea
"""


def whole() -> Record:
    """Return a failed run of which every part has something to say, and its case."""
    look = {"arguments": {"order": "W1"}, "observation": "lost", "outcome": "ok"}
    turns = (
        Turn(1, "system", "You help customers."),
        Turn(2, "user", "Please cancel W1."),
        Turn(3, "assistant", None, tuple(Call(n, "get_order", **look) for n in (1, 2, 3))),
        Turn(7, "assistant", "Done.", (Call(4, "cancel_order", {"order": "W2"}, "ok", "ok"),)),
    )
    trajectory = Trajectory(
        id="run#4",
        suite="shop",
        candidate="agent",
        case_id="c1",
        trial=0,
        turns=turns,
        source=Source("tau_bench", "runs.json", 4),
        status="completed",
        success=False,
        success_from="recorded",
    )
    reference = refer([(expect("cancel_order", {"order": "W1"}),)], "superset")
    return Record(trajectory, Case("c1", CaseInput(""), CaseSecret(reference, 1)))


def call(index: int = 1, tool: str = "pay", **fields: object) -> Call:
    """Return one call that went well."""
    given = {"arguments": {"amount": 5, "to": "ana"}, "observation": "done", "outcome": "ok"}
    return Call(index, tool, **{**given, **fields})


def shown(scores: Scores, **options: object) -> str:
    """Return the first scored trajectory as text."""
    return show(next(iter(scores)), scores.entries, **options)


@pytest.fixture
def with_metric() -> Iterator[Callable[..., object]]:
    """Return a function that makes a metric of given score and words, in a module of its own."""
    name = "trayecto_test_metric"
    module = ModuleType(name)
    module.UNIT, module.BETTER = "share", "higher"
    sys.modules[name] = module

    def make_one(given: Score, explain: str | None = None) -> object:
        def mine(facts: object, case: object) -> Score:
            return given

        def words(facts: object, case: object) -> str | None:
            return explain

        mine.__module__ = name
        if explain is not None:
            module.explain = words
        return mine

    yield make_one
    del sys.modules[name]


@pytest.mark.parametrize(
    ("lang", "scores_head", "expected"),
    [("en", "\nScores\n", ENGLISH), ("es", "\nPuntajes\n", SPANISH)],
)
def test_a_whole_run(lang: str, scores_head: str, expected: str) -> None:
    """Turns, calls and what was found at them, as a person reads it."""
    assert shown(score([whole()]), lang=lang).split(scores_head)[0] == expected


def test_the_header_says_which_attempt_and_how_it_ended(
    trajectory: MakeRun, scores: MakeScores
) -> None:
    """Id, suite, candidate, case, trial, success, status, checks, place."""
    run = trajectory(
        id="run#4",
        success=False,
        success_from="recorded",
        status="completed",
        checks={"state": False},
    )
    assert shown(scores(run)).splitlines()[:4] == [
        "run#4",
        "s · c · case 1 · trial 0",
        "failed (recorded) · completed · state failed",
        "runs.json, record 4 · tau_bench",
    ]


@pytest.mark.parametrize(
    ("success", "expected"), [(True, "succeeded"), (False, "failed"), (None, "success unknown")]
)
def test_success_has_three_values(
    trajectory: MakeRun, scores: MakeScores, expected: str, *, success: bool | None
) -> None:
    """Unknown is not failed."""
    assert expected in shown(scores(trajectory(success=success))).splitlines()[2]


def test_an_unnumbered_trial_is_not_trial_none(trajectory: MakeRun, scores: MakeScores) -> None:
    """What the trace does not say is left out."""
    assert shown(scores(trajectory(trial=None))).splitlines()[1] == "s · c · case 1"


def test_a_turn_has_position_role_and_text(trajectory: MakeRun, scores: MakeScores) -> None:
    """A person who opens the file finds it."""
    assert "   1  user\n      │ please help\n" in shown(scores(trajectory()))


def test_a_call_has_tool_arguments_outcome_and_observation(
    trajectory: MakeRun, scores: MakeScores
) -> None:
    """Arguments are one readable line, not JSON."""
    text = shown(scores(trajectory(call())))
    expected = [
        "   2  assistant",
        "        1  pay  ✓ ok",
        "           amount 5 · to ana",
        "           │ done",
    ]
    assert "\n".join(expected) in text


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"outcome": "error"}, "pay  ■ error"),
        ({"outcome": "error", "error": "Refused"}, "pay  ■ error Refused"),
        ({"outcome": "unknown"}, "pay  ◌ outcome unknown"),
        ({"observation": None}, "no observation recorded"),
        ({"arguments": {}}, "no arguments"),
        ({"arguments": "{broken"}, "           {broken"),
        ({"arguments": {"list": [1, {"a": None}]}}, 'list [1,{"a":null}]'),
        ({"arguments": {"text": "x" * 300}}, "xxx…\n"),
        ({"arguments": dict.fromkeys("ab", "x" * 150)}, "more characters"),
        ({"arguments": {"odd": ["\ud800"]}}, "odd ['\\ud800']"),
    ],
)
def test_calls_that_are_not_plain(
    trajectory: MakeRun, scores: MakeScores, fields: dict[str, object], expected: str
) -> None:
    """Every outcome has its mark and its word; what is missing is said."""
    assert expected in shown(scores(trajectory(call(**fields))))


def test_a_long_observation_is_clamped_to_three_lines(
    trajectory: MakeRun, scores: MakeScores
) -> None:
    """What was cut is counted."""
    text = shown(scores(trajectory(call(observation="0123456789" * 100))))
    lines = [line for line in text.splitlines() if line.startswith("           │ ")]
    assert len(lines) == 4
    assert lines[-1].endswith(f"{1000 - 3 * 67} more characters")


def test_a_repeated_call_is_marked_where_it_was_made(
    trajectory: MakeRun, scores: MakeScores
) -> None:
    """Metrics stand under the steps that show them."""
    text = shown(scores(trajectory(call(1), call(2), call(3))))
    assert "◐ found here: loop, repeated calls in a run" in text


def with_culprit(scored: Scored, culprit: Culprit) -> Scored:
    """Return the same scored run with another culprit."""
    made = [Score(culprit) if isinstance(each.value, Culprit) else each for each in scored.scores]
    return Scored(scored.trajectory, scored.case, scored.facts, scored.plan, made, scored.success)


@pytest.mark.parametrize(
    ("culprit", "place", "mark"),
    [
        (Culprit(2, 1, "wrong_write", "pay", "e", 1), "wrong write, turn 2, call 1  pay", 11),
        (Culprit(2, None, "never_done", "refund", "e", 1), "never done, turn 2  refund", 6),
        (Culprit(2, None, "value_never_said", None, "e", 1), "value never said, turn 2", 6),
    ],
)
def test_the_culprit_is_marked(
    trajectory: MakeRun, scores: MakeScores, culprit: Culprit, place: str, mark: int
) -> None:
    """At the top, at its step or turn, and in the list of scores."""
    made = scores(trajectory(call(), status="budget_exceeded", success=False))
    text = show(with_culprit(next(iter(made)), culprit), made.entries)
    kind = place.split(",", maxsplit=1)[0]
    assert text.splitlines()[3] == f"■ {place}"
    assert f"\n{' ' * mark}■ broke here: {kind}\n" in text
    assert "   1  user   ◐ look here second: the request before it" in text
    assert re.search(rf"where it broke +{re.escape(place)}\n", text)


def test_every_score_is_listed_with_its_value_or_its_reason(
    trajectory: MakeRun, scores: MakeScores
) -> None:
    """Nothing that a metric could not say is missing, and none of it is 0."""
    text = shown(scores(trajectory(call(), success=True)))
    below = text.split("\nScores\n")[1]
    assert re.search(r"^task success +yes$", below, re.MULTILINE)
    assert re.search(r"^loop +no$", below, re.MULTILINE)
    assert re.search(r"^expected calls made +–  no reference path$", below, re.MULTILINE)
    assert re.search(r"^output tokens +–  no token counts$", below, re.MULTILINE)


def test_a_metric_of_the_user_is_listed_and_explained(
    trajectory: MakeRun, with_metric: Callable[..., object]
) -> None:
    """Its value, its step, its words."""
    metric = with_metric(Score(0.25, None, (1,)), "because\n  of this")
    text = shown(score([Record(trajectory(call()))], metrics=[metric]))
    assert "found here: mine" in text
    assert re.search(r"^mine +25\.0 %$", text, re.MULTILINE)
    assert "\nmine\n  because\n    of this\n" in text


def test_a_long_value_in_words_is_broken_without_a_space(
    trajectory: MakeRun, with_metric: Callable[..., object]
) -> None:
    """Who joins the lines again has the value; a space inside would be another value."""
    value = "".join(f'{{"payment_id":"certificate_{n}"}},' for n in range(12))
    metric = with_metric(Score(0.25), f"call 1 with {value} and more")
    text = shown(score([Record(trajectory(call()))], metrics=[metric]))
    lines = text[text.index("\nmine\n  call 1") :].splitlines()[2:]
    assert value in "".join(line.strip() for line in lines)


def test_a_metric_without_words_is_not_explained(
    trajectory: MakeRun, with_metric: Callable[..., object]
) -> None:
    """An empty explanation is left out."""
    text = shown(score([Record(trajectory(call()))], metrics=[with_metric(Score(0.2), "")]))
    assert "\nmine\n" not in text


def test_long_words_go_on_further_in(
    trajectory: MakeRun, with_metric: Callable[..., object]
) -> None:
    """The second line of an explanation is no new one."""
    text = shown(score([Record(trajectory())], metrics=[with_metric(Score(0.2), "word " * 30)]))
    lines = text.split("\nmine\n")[1].splitlines()
    assert [line[:8] for line in lines[:2]] == ["  word w", "    word"]


def test_a_metric_that_cannot_judge_the_case_is_not_asked_for_words(
    trajectory: MakeRun, scores: MakeScores
) -> None:
    """Without a reference there is nothing to compare with."""
    text = shown(scores(trajectory(call())))
    assert "\npath matches reference\n" not in text


def test_a_metric_that_the_plan_left_out_is_not_asked_for_words(
    trajectory: MakeRun, with_metric: Callable[..., object]
) -> None:
    """The plan decides: a broken run is not explained by what would apply to its case."""
    metric = with_metric(Score(0.25), "because")
    broken = trajectory(call(), status="infra_error")
    assert "\nmine\n  because\n" in shown(score([Record(trajectory(call()))], metrics=[metric]))
    assert "because" not in shown(score([Record(broken)], metrics=[metric]))


@pytest.mark.parametrize("flag", [*FLAGS, "odd_flag"])
@pytest.mark.parametrize("content", [True, False])
def test_what_was_odd_about_a_call_is_said_there(
    trajectory: MakeRun, scores: MakeScores, flag: str, *, content: bool
) -> None:
    """Between the call and its arguments, in words where there are any."""
    run = trajectory(call(), call(2, flags=(flag,)))
    lines = shown(scores(run), content=content).splitlines()
    words = FLAGS[flag][0] if flag in FLAGS else flag
    assert lines.count(f"           ◐ {words}") == 1
    at = lines.index(f"           ◐ {words}")
    assert lines[at - 1] == "        2  pay  ✓ ok"


def test_without_content_nothing_foreign_is_shown(trajectory: MakeRun, scores: MakeScores) -> None:
    """Text of user, agent and tools is replaced by its length."""
    secret = "CANARY"  # noqa: S105  # no password: what must not be printed
    run = trajectory(call(arguments={"a": secret}, observation=secret))
    run = Trajectory(
        **{
            **{name: getattr(run, name) for name in run.__struct_fields__},
            "turns": (*run.turns, Turn(9, "assistant", secret)),
            "answer": secret,
        }
    )
    text = shown(scores(run), content=False)
    assert secret not in text
    assert "6 characters, not shown" in text
    assert "In words" not in text


def test_no_turn_is_said(trajectory: MakeRun, scores: MakeScores) -> None:
    """An empty trajectory is no empty page."""
    assert "The trajectory has no turns." in shown(scores(trajectory(turns=())))


@pytest.mark.parametrize(
    ("index", "expected"),
    [(3, "Sub-agent child, 1 call, started by call 3"), (None, "Sub-agent child, 1 call\n")],
)
def test_sub_agents_are_named(
    trajectory: MakeRun, scores: MakeScores, index: int | None, expected: str
) -> None:
    """Their calls are not the root's."""
    child = Child(trajectory(call(), id="child"), index)
    assert expected in shown(scores(trajectory(children=(child,))))


def test_spanish_has_its_own_words(trajectory: MakeRun, scores: MakeScores) -> None:
    """Labels and reasons are translated."""
    text = shown(scores(trajectory(call())), lang="es")
    for words in ("éxito desconocido", "caso 1", "Puntajes", "no hay camino de referencia"):
        assert words in text


@pytest.mark.parametrize("color", [True, False])
def test_foreign_text_prints_inertly(
    trajectory: MakeRun, scores: MakeScores, hostile: str, *, color: bool
) -> None:
    """Ids, tools, arguments, texts and observations stay letters, inside the page."""
    run = trajectory(
        call(tool=hostile, arguments={hostile: hostile}, observation=hostile, error=hostile),
        id=hostile,
        suite=hostile,
        case_id=hostile,
        checks={hostile: False},
        success=False,
    )
    text = shown(scores(run), color=color)
    left = set(ANSI.sub("", text)) & set("\x1b\x07\x9b\r\t\u202e\u200b\u200d\ud800")
    assert left == set()
    assert max(cell_len(ANSI.sub("", line)) for line in text.split("\n")) <= 80


def test_foreign_text_cannot_pass_for_ours(trajectory: MakeRun, scores: MakeScores) -> None:
    """An observation that imitates the report stands behind a line."""
    text = shown(scores(trajectory(call(observation="ok\n\nScores\ntask success   yes"))))
    assert "\n           │ Scores\n" in text
    assert text.count("\nScores\n") == 1


def test_a_huge_observation_is_shown_quickly(trajectory: MakeRun, scores: MakeScores) -> None:
    """Fifty megabytes are cut before they are looked at."""
    text = shown(scores(trajectory(call(observation="x" * 50_000_000))))
    assert "49,999,799 more characters" in text


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_real_runs_fit(airline_scores: Scores, width: int, lang: str) -> None:
    """Every tenth of 200 real conversations."""
    for scored in islice(airline_scores, 0, None, 10):
        text = show(scored, airline_scores.entries, lang=lang, width=width)
        assert max(map(cell_len, text.split("\n"))) <= width


def test_a_real_run_shows_where_it_broke(airline_scores: Scores) -> None:
    """The step, the request before it, and how sure that is."""
    scored = next(run for run in airline_scores if run.trajectory.id == "gpt-4o-airline#4")
    text = show(scored, airline_scores.entries)
    assert text.splitlines()[3] == "■ wrong write, turn 59, call 20  update_reservation_flights"
    assert "           ■ broke here: wrong write\n" in text
    assert "  50  user   ◐ look here second" in text
    assert "this kind was exact in" in text
