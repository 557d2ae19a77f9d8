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
    MoreEvidence,
    Parting,
    Ratio,
    Regression,
    Regressions,
    SideRead,
    TaskChange,
    Tasks,
)
from trayecto.records import Rejected
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
▲ better · ▼ worse · = not worse · ? undecided · +/- tasks won and lost · each
metric is tested by itself at 0.05: of many, one in 20 moves by chance
cost of a run: ×3.00 (95 %: ×2.50–3.60)
Each further accepted run costs $0.15, if the differences seen are true.

What differs
model: small → large
prompt: sha256:1 → sha256:2
The same on both sides: tools · not told by both: options

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
    "Cada corrida aceptada de más cuesta $0.15, si las diferencias vistas son",
    "modelo: small → large",
    "Igual en ambos lados: herramientas · no lo dicen ambos: opciones",
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
            paired=115,
            by_id=0,
            only_base=0,
            only_candidate=0,
            other_text=0,
            unmatched=[],
            clusters=115,
        ),
        "tasks_changed": [],
        "regressions": Regressions(counts={}, examples=[]),
        "more_evidence": None,
        "cost_per_extra_accepted": Extra(usd=None, why="no"),
        "not_compared": {},
        "differs": [],
        "same": [],
        "untold": [],
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
        paired=115, by_id=0, only_base=2, only_candidate=0, other_text=0, unmatched=["t1", "t2"],
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
            same=["tools"],
            untold=["options"],
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
    more = MoreEvidence(tasks=2154, trials=3, why="because", clusters=7)
    text = render(comparison(group({"task_success": UNDECIDED}, more_evidence=more)))
    told = (
        "2,154 more tasks in 7 more clusters or 3 more trials of each would decide with a chance "
        "of 80 %, if the difference seen is the true one: because."
    )
    assert told in words(text)
    none = MoreEvidence(tasks=None, trials=None, why="no number decides")
    text = render(comparison(group({"task_success": UNDECIDED}, more_evidence=none)))
    assert "What would decide\nNo number decides." in text
    assert "regression" not in text.lower()
    assert "better" not in text.split("Metric")[0].lower()


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
        suite="shop", candidate="no_memory", base=False, success=0.5, cost_usd=0.02,
        difference=-0.1,
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
        == "◆ no_memory 50.0 % \u221210.0 \u221220.0…\u22121.0 0.0300 $0.02 ×0.50 worse"
    )
    assert words(lines[3]).strip() == "x – – – – – –"


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
        suite="shop", candidate="a", base=False, success=0.5, cost_usd=0.02, difference=-0.1,
        interval=(-0.2, -0.01), p_adjusted=1e-9, verdict="worse", trusted=True,
        cost_ratio=None, front=False,
    )  # fmt: skip
    assert "<1e-4  " in render(comparison(group({}), table=[row]))


def test_what_could_not_be_read_stands_above() -> None:
    """By side, with the first records and reasons; a side that was read whole is not told of."""
    read = SideRead(
        side="new", files=1, records=40, rejected=2, skipped=[], warnings={},
        rejected_records=[
            Rejected("new.jsonl", 7, "cut \x1b[31moff"), Rejected("new.jsonl", 9, "no"),
        ],
    )  # fmt: skip
    whole = replace(read, side="old", rejected=0, rejected_records=[])
    text = render(comparison(group({"task_success": SUCCESS}), read=[whole, read]))
    first, second, third, *rest = text.splitlines()
    assert first == "new: 2 of 40 records could not be read."
    assert (second.startswith("  new.jsonl:7  cut"), third) == (True, "  new.jsonl:9  no")
    assert "\x1b" not in text
    assert "old" not in "".join(rest)


def test_a_ratio_has_its_digits() -> None:
    """A candidate that costs a hundredth is not free, and one without an upper end says so."""
    for ratio, told in (
        (Ratio(value=0.0042, interval=(0.0031, 0.0101)), "×0.0042 (95 %: ×0.0031–0.010)"),
        (Ratio(value=2.0, interval=(1.5, None)), "×2.00 (95 %: ≥ ×1.50)"),
        (Ratio(value=2.0, why="alike"), "×2.00 (no interval)"),
    ):
        text = render(comparison(group({"cost_usd": replace(COST, ratio=ratio)})))
        assert f"cost of a run: {told}" in text
