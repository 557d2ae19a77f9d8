"""The report of a comparison: the word, the numbers, and what is never said."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from rich.cells import cell_len

from trayecto.comparison import (
    Candidate,
    Caveat,
    Compared,
    Comparison,
    Difference,
    Differs,
    Extra,
    Margin,
    MoreEvidence,
    Parting,
    Ratio,
    Regression,
    Regressions,
    TaskChange,
    Tasks,
)
from trayecto.reports.comparison import render

SUCCESS = Difference(
    base=0.748, candidate=0.878, difference=0.13, tasks=115, unit="share", better="higher",
    interval=(0.034, 0.227), method="paired_t", clusters=115, test="mcnemar_exact",
    p_value=0.0135, reachable=1e-34, won=24, lost=9, verdict="better",
)  # fmt: skip
EFFICIENCY = replace(
    SUCCESS, base=0.81, candidate=0.52, difference=-0.29, interval=(-0.35, -0.23),
    test="sign_flip", p_value=0.00001, won=3, lost=60, verdict="worse",
)  # fmt: skip
UNDECIDED = replace(
    SUCCESS, base=0.878, candidate=0.896, difference=0.018, interval=(-0.037, 0.072),
    p_value=0.7539, won=6, lost=4, verdict="undecided",
)  # fmt: skip
COST = replace(
    SUCCESS, base=0.01, candidate=0.03, difference=0.02, unit="usd", better="lower",
    interval=(0.01, 0.03), won=1, lost=114, verdict="worse",
    ratio=Ratio(value=3.0, interval=(2.5, 3.6), method="cluster_bootstrap"),
)  # fmt: skip
PARTED = Parting(
    what="tool", step=3, base_turn=7, candidate_turn=9, base_tool="get_user",
    candidate_tool="find_user",
)  # fmt: skip
WRITTEN = replace(PARTED, what="arguments", step=1, base_tool="pay", candidate_tool="pay")
LOST = TaskChange(
    task="t12", change="worse", base="1/1", candidate="0/1", base_run="a#1", candidate_run="b#1",
    parted=PARTED, parted_write=WRITTEN,
)  # fmt: skip
ENGLISH = """\
base → candidate   retail
115 tasks on both sides · 2 only in the base
Without a partner: t1, t2
Recorded successes that had to write and wrote nothing: 2 of 77 in the base, 8
of 93 in the candidate.

[better; recorded success not trustworthy]
  task success 74.8 % → 87.8 %, +13.0 points (95 %: +3.4…+22.7)
  24 won, 9 lost of 115 tasks · McNemar's exact test: p = 0.0135
  Other metrics, worse: path efficiency · cost of a run

Metric             Base   Cand.   Diff.          95 %    +/-       p
task success     74.8 %  87.8 %   +13.0    +3.4…+22.7   24/9  0.0135  [▲]
path efficiency  81.0 %  52.0 %   \u221229.0  \u221235.0…\u221223.0   3/60   <1e-4  ▼
cost of a run     $0.01   $0.03   +0.02    +0.01…+0.03  1/114  0.0135  ▼
▲ better · ▼ worse · = not worse · ? undecided · +/- tasks won and lost
cost of a run: × 3.00 (2.50–3.60)
Each further accepted run costs $0.15.

What differs
model: small → large
prompt: sha256:1 → sha256:2

Tasks that changed   1 lost · 0 won
t12  1/1 → 0/1
  step 3: get_user (turn 7) against find_user (turn 9)
  among writes, step 1: pay with other arguments (turns 7, 9)

Fell by more than half a point   a flag, no verdict
path efficiency: 4 tasks
  t3 1 → 0.3 · path efficiency

Before you trust this
Several things differ (model, prompt): which one made the difference, nobody can
tell.
"""
SPANISH_LINES = (
    "115 tareas en ambos lados · 2 solo en la base",
    "[mejor; el éxito registrado no es confiable]",
    "  éxito de la tarea 74.8 % → 87.8 %, +13.0 puntos (95 %: +3.4…+22.7)",
    "  ganadas 24, perdidas 9 de 115 tareas · prueba exacta de McNemar: p = 0.0135",
    "  Otras métricas, peor: eficiencia del camino · costo de una corrida",
    "Cada corrida aceptada de más cuesta $0.15.",
    "modelo: small → large",
    "Tareas que cambiaron   perdidas: 1 · ganadas: 0",
    "  paso 3: get_user (turno 7) frente a find_user (turno 9)",
    "  entre escrituras, paso 1: pay con otros argumentos (turnos 7, 9)",
    "Bajaron más de medio punto   una marca, no un veredicto",
    "Antes de confiar en esto",
)


def group(metrics: Mapping[str, Difference], **fields: Any) -> Compared:  # noqa: ANN401  # any field of it
    """Return a suite on both sides."""
    found = {
        "suite": "retail",
        "base": "base",
        "candidate": "candidate",
        "tasks": Tasks(
            paired=115, only_base=0, only_candidate=0, other_text=0, unmatched=[], clusters=115
        ),
        "tasks_changed": [],
        "regressions": Regressions(counts={}, examples=[]),
        "more_evidence": None,
        "cost_per_extra_accepted": Extra(usd=None, why="no"),
        "differs": [],
        "warnings": [],
        **fields,
    }
    return Compared(metrics=dict(metrics), **found)


def comparison(*groups: Compared, **fields: Any) -> Comparison:  # noqa: ANN401  # any field of it
    """Return a comparison of these groups."""
    return Comparison(base="base", candidate="candidate", groups=list(groups), **fields)


@pytest.fixture
def whole() -> Comparison:
    """Return a comparison with every part."""
    tasks = Tasks(
        paired=115, only_base=2, only_candidate=0, other_text=0, unmatched=["t1", "t2"],
        clusters=115,
    )  # fmt: skip
    return comparison(
        group(
            {
                "task_success": replace(SUCCESS, trusted=False),
                "path_efficiency": EFFICIENCY,
                "cost_usd": COST,
            },
            tasks=tasks,
            tasks_changed=[LOST],
            regressions=Regressions(
                counts={"path_efficiency": 4},
                examples=[Regression(metric="path_efficiency", task="t3", base=1.0, candidate=0.3)],
            ),
            cost_per_extra_accepted=Extra(usd=0.15),
            differs=[
                Differs(aspect="model", base=["small"], candidate=["large"]),
                Differs(aspect="prompt", base=["sha256:1"], candidate=["sha256:2"]),
            ],
            warnings=[
                Caveat(code="success_contradicts_trajectory", base="2 of 77", candidate="8 of 93"),
                Caveat(
                    code="several_things_differ", base="model, prompt", candidate="model, prompt"
                ),
            ],
        )
    )


def words(text: str) -> str:
    """Return a text with single spaces, as it is read over the ends of lines."""
    return re.sub(r"\s+", " ", text)


def test_a_whole_report(whole: Comparison) -> None:
    """Every part, as a person reads it: what to doubt stands above the word."""
    assert words(render(whole)) == words(ENGLISH)


def test_the_same_in_spanish(whole: Comparison) -> None:
    """Every sentence, in the terms of the other reports."""
    lines = render(whole, lang="es").splitlines()
    assert [line for line in SPANISH_LINES if line not in lines] == []
    assert "2 de 77 en la base" in words(render(whole, lang="es"))


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_too_wide(whole: Comparison, lang: str, width: int) -> None:
    """At whatever width there is."""
    lines = render(whole, lang=lang, width=width).splitlines()
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize(
    ("verdict", "word"),
    [
        ("better", "Better"),
        ("worse", "Worse"),
        ("undecided", "Undecided"),
        ("no_worse", "Not worse"),
    ],
)
def test_the_word_is_the_rule_s(verdict: str, word: str) -> None:
    """On a line of its own, and no other word is said of success."""
    text = render(comparison(group({"task_success": replace(SUCCESS, verdict=verdict)})))
    assert f"\n{word}\n" in text
    others = {"Better", "Worse", "Undecided", "Not worse"} - {word}
    assert not any(f"\n{other}\n" in text for other in others)


def test_what_would_decide() -> None:
    """So many more tasks, or that no number does; never "no regression"."""
    more = MoreEvidence(tasks=2154, trials=3, why="because")
    text = render(comparison(group({"task_success": UNDECIDED}, more_evidence=more)))
    told = "2,154 more tasks or 3 more trials of each, if the difference seen is the true one"
    assert told in words(text)
    none = MoreEvidence(tasks=None, trials=None, why="no number decides")
    text = render(comparison(group({"task_success": UNDECIDED}, more_evidence=none)))
    assert "What would decide\nNo number decides." in text
    assert "regression" not in text.lower()
    assert "better" not in text.split("Metric")[0].lower()


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("pass", "not worse by more than 5 points (lower bound \u22123.0)"),
        ("insufficient", "the margin of 5 points is not excluded (bounds \u22123.0 to +7.0)"),
        ("fail", "worse by more than 5 points (upper bound +7.0)"),
    ],
)
def test_a_margin_is_told_with_its_bounds(outcome: str, told: str) -> None:
    """Whether it is excluded, and by what."""
    margin = Margin(margin=0.05, lower=-0.03, upper=0.07, outcome=outcome)
    text = render(comparison(group({"task_success": replace(UNDECIDED, margin=margin)})))
    assert told in words(text)


def test_the_other_view_stands_beside_it() -> None:
    """Where the runs that broke change the counts; else it is not repeated."""
    fair = replace(SUCCESS, won=24, lost=8, p_value=0.007)
    text = render(comparison(group({"task_success": replace(SUCCESS, capability=fair)})))
    assert "Where the agent had a fair chance: better" in text
    assert "McNemar's exact test: p = 0.0070" in text
    same = replace(SUCCESS, capability=SUCCESS)
    assert "fair chance" not in render(comparison(group({"task_success": same})))


def test_nothing_that_is_missing_is_printed_as_none() -> None:
    """No success, no interval, no test, no turns: words or a dash."""
    empty = Difference(
        base=None, candidate=None, difference=None, tasks=0, unit="share", better="higher",
        why="no task has a value on both sides",
    )  # fmt: skip
    odd = Parting(
        what="ended", step=1, base_turn=None, candidate_turn=3, base_tool=None, candidate_tool="a"
    )
    bare = replace(LOST, base_run=None, parted=odd, parted_write=None)
    lone = replace(LOST, task="t9", parted=None, parted_write=None)
    text = render(comparison(group({"task_success": empty}, tasks_changed=[bare, lone])))
    assert "Success was not compared\n  no task has a value on both sides\n" in text
    assert "step 1: a (turn 3) in the candidate only: the other run has ended" in text
    assert "\n  no two graded runs show where they part\n" in text
    thin = replace(SUCCESS, interval=None, test=None, p_value=None, verdict=None, why="one cluster")
    text += render(
        comparison(group({"task_success": thin, "cost_usd": replace(COST, ratio=UNSET)}))
    )
    assert "no interval" in text
    assert "None" not in text
    assert "nan" not in text


def test_clusters_and_the_test_that_ignores_them() -> None:
    """The interval is by cluster, and the other p is said to ignore them."""
    tasks = Tasks(
        paired=560, only_base=0, only_candidate=1, other_text=2, unmatched=["x"], clusters=60
    )
    found = replace(SUCCESS, test="sign_flip", p_value=1e-5, ignoring_clusters=1e-78)
    text = render(comparison(group({"task_success": found}, tasks=tasks)))
    assert "560 tasks on both sides in 60 clusters · 1 only in the candidate" in text
    told = "permutation of signs: p < 1e-4 · McNemar's test, which ignores clusters: p < 1e-4"
    assert told in words(text)


def test_foreign_text_is_shown_and_not_obeyed() -> None:
    """Escape codes in a name of a task, a tool or a model print as what they are."""
    evil = "a\x1b[31mb"
    change = replace(LOST, task=evil, parted=replace(PARTED, base_tool=evil))
    differs = [Differs(aspect="model", base=[evil], candidate=[])]
    text = render(
        comparison(group({"task_success": SUCCESS}, tasks_changed=[change], differs=differs))
    )
    assert "\x1b" not in text
    assert "model: " in text


def test_many_changes_are_counted() -> None:
    """The first are shown, the rest counted; the same of metrics in which tasks fell."""
    many = [replace(LOST, task=f"t{number}") for number in range(9)]
    counts = {f"metric{number}": 9 - number for number in range(8)}
    text = render(
        comparison(
            group(
                {"task_success": SUCCESS},
                tasks_changed=many,
                regressions=Regressions(counts=counts, examples=[]),
            )
        )
    )
    assert "\nand 4 more\n" in text
    assert "metric0: 9 tasks" in text
    assert "and 2 more" in text


def test_each_suite_has_its_block() -> None:
    """Nothing is averaged over them; many have short blocks."""
    one, other = (group({"task_success": SUCCESS}, suite=name) for name in ("air", "shop"))
    text = render(comparison(one, other))
    assert ("base → candidate   air" in text, "base → candidate   shop" in text) == (True, True)
    five = render(comparison(*[group({"task_success": UNDECIDED}, tasks_changed=[LOST])] * 5))
    assert "Tasks that changed" not in five


def test_several_candidates_stand_beside_each_other() -> None:
    """With the mark of the front, Holm's p, and a dash for what is not known."""
    row = Candidate(
        suite="shop", candidate="no_memory", success=0.5, cost_usd=0.02, difference=-0.1,
        interval=(-0.2, -0.01), p_adjusted=0.03, verdict="worse", trusted=True, cost_ratio=0.5,
    front=True,
    )  # fmt: skip
    bare = replace(
        row, candidate="x", success=None, cost_usd=None, difference=None, interval=None,
        p_adjusted=None, verdict=None, front=None, cost_ratio=None,
    )  # fmt: skip
    text = render(comparison(group({"task_success": SUCCESS}), table=[row, bare]))
    lines = text.splitlines()
    assert lines[0] == "Candidates"
    assert (
        words(lines[2])
        == "◆ no_memory (shop) 50.0 % \u221210.0 \u221220.0…\u22121.0 0.0300 ×0.50 worse"
    )
    assert words(lines[3]).strip() == "x (shop) – – – – –"


def line_of(text: str, start: str) -> str:
    """Return the line of a report that begins so."""
    return next(line for line in text.splitlines() if line.startswith(start))


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("width", [80, 100])
def test_hostile_names_stay_in_their_line(hostile: str, lang: str, width: int) -> None:
    """Wherever a name of a trace or a file stands: nothing is obeyed, too wide or endless."""
    parted = replace(PARTED, base_tool=hostile, candidate_tool=hostile)
    one = group(
        {"task_success": SUCCESS, hostile: EFFICIENCY},
        suite=hostile,
        base=hostile,
        candidate=hostile,
        tasks=replace(group({}).tasks, only_base=1, unmatched=[hostile]),
        tasks_changed=[replace(LOST, task=hostile, parted=parted)],
        regressions=Regressions(
            counts={hostile: 1},
            examples=[Regression(metric=hostile, task=hostile, base=1.0, candidate=0.0)],
        ),
        differs=[Differs(aspect="model", base=[hostile], candidate=[hostile])],
        warnings=[Caveat(code="several_things_differ", base=hostile, candidate=hostile)],
    )
    text = render(comparison(one), lang=lang, width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert len(text.splitlines()) < 60
    assert set(text) & set("\x1b\x07\x7f\x9b\r\t\u202e\u200b\u200d\ud800") == set()


def test_a_long_base_leaves_room_for_the_candidate() -> None:
    """Of two long names both beginnings are shown, and the suite has its line."""
    one = group({"task_success": SUCCESS}, base="b" * 90, candidate="c" * 90, suite="shop")
    first, second, *_ = render(comparison(one)).splitlines()
    assert first == f"{'b' * 37}… → {'c' * 37}…"
    assert second == "shop"


def test_what_is_not_named_is_counted() -> None:
    """The document names the first tasks without a partner only."""
    tasks = replace(group({}).tasks, only_base=4, other_text=3, unmatched=["a", "b"])
    text = render(comparison(group({"task_success": SUCCESS}, tasks=tasks)))
    assert "Without a partner: a, b, and 5 more" in text


def test_no_success_and_no_reason() -> None:
    """Where nothing says why, no colon waits for a reason."""
    line = "No se comparó el éxito"
    assert line in render(comparison(group({})), lang="es").splitlines()


def test_the_views_may_differ_in_more_than_counts() -> None:
    """With several trials a task, values differ where won and lost are the same."""
    fair = replace(SUCCESS, base=0.80, candidate=0.93)
    text = render(comparison(group({"task_success": replace(SUCCESS, capability=fair)})))
    assert "task success 80.0 % → 93.0 %" in text


def test_why_it_is_undecided() -> None:
    """The interval holds zero: told of success, and not where it does not."""
    told = "The interval holds both a loss and a gain."
    assert told in render(comparison(group({"task_success": UNDECIDED})))
    above = replace(UNDECIDED, interval=(0.01, 0.05))
    assert told not in render(comparison(group({"task_success": above})))
    assert told not in render(
        comparison(group({"task_success": replace(UNDECIDED, interval=None)}))
    )


def test_a_metric_of_no_direction_has_no_mark() -> None:
    """It is not undecided, and no task won or lost by it."""
    tokens = replace(COST, better="neither", unit="tokens", verdict=None, won=0, lost=0)
    lines = render(comparison(group({"tokens.input": tokens, "cost_usd": UNDECIDED})))
    assert line_of(lines, "fresh input").endswith("0.0135")
    assert "0/0" not in line_of(lines, "fresh input")
    assert line_of(lines, "cost of a run").endswith("?")


def test_more_accepted_runs_for_less() -> None:
    """A negative price of a further accepted run is money saved."""
    text = render(comparison(group({}, cost_per_extra_accepted=Extra(usd=-0.15))))
    assert "each further one saves $0.15." in text
    assert "\u2212$" not in text


def test_a_caveat_agrees_with_the_language() -> None:
    """What differs is named in it, and one task is one."""
    aspects = Caveat(code="several_things_differ", base="model, tools", candidate="model, tools")
    few = Caveat(code="cannot_be_significant", base="1", candidate="1")
    one = group({"task_success": SUCCESS}, warnings=[few, aspects])
    spanish = words(render(comparison(one), lang="es"))
    assert "Difieren varias cosas (modelo, herramientas)" in spanish
    assert "Con 1 tarea independiente ninguna" in spanish
    assert "With 1 independent task no test" in words(render(comparison(one)))


def test_the_least_p_of_the_table_is_not_zero() -> None:
    """A p value of candidates is written as everywhere."""
    row = Candidate(
        suite="shop", candidate="a", success=0.5, cost_usd=0.02, difference=-0.1,
        interval=(-0.2, -0.01), p_adjusted=1e-9, verdict="worse", trusted=True,
        cost_ratio=None, front=False,
    )  # fmt: skip
    assert "<1e-4  " in render(comparison(group({}), table=[row]))
