"""The report for a terminal, whole."""

import re

import pytest
from rich.cells import cell_len

from trayecto.document import Warned
from trayecto.metrics import score
from trayecto.records import Passed, Rejected
from trayecto.reports._words import WARNINGS, WORDS
from trayecto.reports.terminal import render
from trayecto.summaries import Document, summarize

ANSI = re.compile(r"\x1b\[[0-9;]*m")


ENGLISH = """\
agent   shop   tau_bench   10 trajectories   5 tasks × 2 trials
runs.json
8 completed · 2 infrastructure errors · 1,164 calls · 73 errors

Task success  40.0 %   4 of 10 succeeded · 6 failed · mean over 5 tasks
  50.0 % without the runs in which the agent had no fair chance

Metric                            Value    95 %  0 %     50 %   100 %       Runs
task success                     40.0 %   20–60  ····├───●───┤·······      10/10
pass^2                           20.0 %   10–35  ··├─●──┤············    5 tasks
pass@2 where tried               60.0 %          ············●·······  4/5 tasks
expected calls made              70.6 %          ··············●·····       8/10
runs with a loop                  2.0 %          ●···················      10/10
cost of a run                  $0.00675                                    10/10
latency, p95                   3,127 ms                                    10/10
politeness                       90.0 %          ··················●·      10/10
All runs together cost $0.0675. Prices: prices.yaml

What could not be measured
tokens                              –  ░░░░░░░░░░  no token counts
expected calls made           2 of 10  ░░          the reference is empty

Where the 6 failed runs went wrong
Runs    Share  Tool                Cause         Turn  Example
   2   33.3 %  cancel_reservation  wrong write     27  run#16
No step did it
   1   16.7 %  send_certificate    never done       –  run#1
No rule names a cause
   3   50.0 %  every check we can make passed                              run#1

Right answers by a failing path   2 of 4 successes
Example  Case  What failed
run#27   c1    path matches reference
run#30   c1    path matches reference

Warnings
    73  call ids used twice  runs.json:1

2 of 12 records could not be read
  runs.json:7  is cut off
  and 1 more

1 file is no trace
  LICENSE  is no JSON

Next      trayecto show runs.json 'run#16'   one run, step by step
          trayecto score … --json            the same for programs
"""
SPANISH = """\
agent   shop   tau_bench   10 trayectorias   5 tareas × 2 intentos
runs.json
8 completas · 2 errores de infraestructura · 1,164 llamadas · 73 errores

Éxito de la tarea  40.0 %   4 de 10 con éxito · 6 fallidas · media de 5 tareas
  50.0 % sin las corridas en que el agente no tuvo oportunidad

Métrica                          Valor    95 %  0 %     50 %   100 %    Corridas
éxito de la tarea               40.0 %   20–60  ····├───●───┤·······       10/10
pass^2                          20.0 %   10–35  ··├─●──┤············    5 tareas
pass@2 donde se pudo            60.0 %          ············●·······  4/5 tareas
esperadas hechas                70.6 %          ··············●·····        8/10
corridas con bucle               2.0 %          ●···················       10/10
costo de una corrida          $0.00675                                     10/10
latencia, p95                 3,127 ms                                     10/10
politeness                      90.0 %          ··················●·       10/10
Todas las corridas costaron $0.0675. Precios: prices.yaml

Lo que no se pudo medir
tokens                              –  ░░░░░░░░░░  no hay conteo de tokens
esperadas hechas              2 de 10  ░░          la referencia está vacía

Dónde fallaron las 6 corridas fallidas
Corridas    Parte  Herramienta         Causa              Turno  Ejemplo
       2   33.3 %  cancel_reservation  escritura errónea     27  run#16
Ningún paso lo hizo
       1   16.7 %  send_certificate    nunca hecho            –  run#1
Ninguna regla nombra una causa
       3   50.0 %  todo lo que se puede verificar pasó                     run#1

Respuestas correctas por un mal camino   2 de 4 éxitos
Ejemplo  Caso  Qué falló
run#27   c1    camino como referencia
run#30   c1    camino como referencia

Avisos
    73  ids de llamada repetidos  runs.json:1

2 de 12 registros no se pudieron leer
  runs.json:7  is cut off
  y 1 más

1 archivo no es una traza
  LICENSE  is no JSON

Ahora     trayecto show runs.json 'run#16'   una corrida, paso a paso
          trayecto score … --json            lo mismo para programas
"""


def whole(make: object) -> Document:
    """Return a document in which every section has something to say."""
    lost = {"no token counts": 10}
    metrics = {
        "task_success": make.metric(0.4, interval=(0.2, 0.6), operational=0.4, capability=0.5),
        "pass_hat_k": {"1": make.pass_k(0.4), "2": make.pass_k(0.2, interval=(0.1, 0.35))},
        "pass_at_k": {"1": make.pass_k(0.4), "2": make.pass_k(None, available=0.6, tasks=4)},
        "path_recall": make.metric(0.706, n=8, undefined={"the reference is empty": 2}),
        "loop_rate": make.metric(0.02),
        "cost_usd": make.metric(0.00675, unit="usd", total=0.0675, missing=0),
        "tokens.input": make.metric(None, unit="tokens", why="no token counts", undefined=lost),
        "tokens.output": make.metric(None, unit="tokens", why="no token counts", undefined=lost),
        "latency_ms.p95": make.metric(3127.0, unit="ms"),
        "politeness": make.metric(0.9),
    }
    blames = [
        make.blame("cancel_reservation", trajectories=2, share=1 / 3, turn=27, example="run#16"),
        make.blame("send_certificate", "never_done", trajectories=1, share=1 / 6),
        make.blame(None, None, turn=None, why="every check we can make passed", share=0.5),
    ]
    read = make.read(
        records=12,
        rejected=2,
        skipped=[Passed(file="LICENSE", why="is no JSON")],
        rejected_records=[Rejected(file="runs.json", record=7, why="is cut off")],
    )
    group = make.group(
        statuses={"completed": 8, "infra_error": 2},
        metrics=metrics,
        attribution=blames,
        right_answers=make.right(2, 4, "run#27", "run#30"),
        trials=2,
        succeeded=4,
        failed=6,
    )
    warned = [Warned(code="repeated_call_id", count=73, example="runs.json:1")]
    return make.document(group, read=read, warnings=warned, prices="prices.yaml")


def widths(text: str) -> set[int]:
    """Return the widths of all lines, in columns, without color."""
    return {cell_len(ANSI.sub("", line)) for line in text.split("\n")}


@pytest.mark.parametrize(("lang", "expected"), [("en", ENGLISH), ("es", SPANISH)])
def test_a_whole_report(make: object, lang: str, expected: str) -> None:
    """Every section, as a person reads it."""
    assert render(whole(make), lang=lang) == expected


def test_a_real_report_holds_the_published_numbers(airline: Document) -> None:
    """Success, pass^k, failures and successes of 200 real runs."""
    text = render(airline)
    for number in ("42.0 %", "27.3 %", "22.0 %", "20.0 %", "56.7 %", "66.0 %", "72.0 %"):
        assert number in text
    for words in ("84 of 200 succeeded", "116 failed", "50 tasks × 4 trials", "1,164 calls"):
        assert words in text


@pytest.mark.parametrize("width", [80, 100, 120])
@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("color", [True, False])
def test_a_real_report_fits(airline: Document, width: int, lang: str, *, color: bool) -> None:
    """No line is wider than the terminal, in either language."""
    widest = max(widths(render(airline, lang=lang, width=width, color=color)))
    assert 80 <= widest <= width


def test_color_changes_no_letter(airline: Document) -> None:
    """Color only repeats what words and marks say."""
    assert ANSI.sub("", render(airline, color=True)) == render(airline)


def test_a_real_report_says_what_to_do(airline: Document) -> None:
    """The last lines are commands, with file and id of the example of the first cause."""
    end = render(airline, width=120).split("\nNext      ")[1]
    command = end.replace(" \\\n    ", " ")  # a long path is broken as a shell allows
    assert "/gpt-4o-airline.json 'gpt-4o-airline#" in command
    assert end.splitlines()[-1].strip() == "trayecto score … --json   the same for programs"


def test_a_real_report_is_short(airline: Document) -> None:
    """All of it can be read in a minute: a line for each metric, and sixty for the rest."""
    lines = render(airline).splitlines()
    metrics = [metric for metric in airline.groups[0].metrics.values() if metric]
    assert len(lines) <= 60 + len(metrics)


def test_unknown_cost_and_times_are_never_zero(airline: Document) -> None:
    """What tau-bench files do not hold stands there as not measured."""
    text = render(airline)
    for name in ("cost of a run", "tokens", "latency"):
        line = next(line for line in text.splitlines() if line.startswith(name))
        assert "–  ░" in line
    assert "$" not in text


def test_the_same_document_gives_the_same_text(airline: Document) -> None:
    """A report does not depend on clock or chance."""
    assert render(airline) == render(airline)


def test_spanish_has_no_english_heading(airline: Document) -> None:
    """Every heading of the catalogue is translated."""
    text = render(airline, lang="es")
    heads = ("where", "unmeasured", "right", "warnings", "next")
    english = [WORDS[key][0].split("|")[-1].format(n=116) for key in heads]
    assert [head for head in english if head in text] == []


def test_nothing_read_is_said() -> None:
    """An empty report is no table of zeros."""
    text = render(summarize(score([])))
    assert text == "No trajectory was read: there is nothing to report.\n"


def test_nothing_read_still_names_what_was_rejected(make: object) -> None:
    """A file of broken records is no silence."""
    rejected = [Rejected(file="a.jsonl", record=1, why="cut off")]
    read = make.read(records=1, rejected=1, rejected_records=rejected)
    text = render(make.document(read=read))
    assert "1 of 1 records could not be read" in text
    assert "a.jsonl:1  cut off" in text


def test_everything_undefined_prints_reasons_and_no_number(make: object) -> None:
    """A run of which nothing is known has no value anywhere."""
    why = "nobody recorded whether the run succeeded"
    lost = make.metric(None, why=why, undefined={why: 10})
    none = {"1": make.pass_k(None, tasks=0, of=5)}
    metrics = dict.fromkeys(("task_success", "path_recall", "loop_rate", "cost_usd"), lost)
    text = render(make.document(make.group(metrics={**metrics, "pass_hat_k": none})))
    assert "%" not in text
    assert "$" not in text
    assert "no run was graded" in text


def test_two_groups_have_a_block_each(make: object) -> None:
    """Nothing is averaged over suites; only counts are added up."""
    groups = [make.group(suite="shop"), make.group(suite="bank")]
    text = render(make.document(*groups))
    assert text.startswith("2 groups   tau_bench   20 trajectories   10 tasks\nruns.json\n")
    assert text.count("Task success") == 2
    assert "Candidate" not in text


def test_many_groups_begin_with_a_table(make: object) -> None:
    """The headlines of all candidates stand together, then each has a short block."""
    groups = [
        make.group(
            candidate=f"agent-{n}",
            metrics={"task_success": make.metric(n / 10), "cost_usd": make.metric(None, why="x")},
        )
        for n in range(5)
    ]
    lines = render(make.document(*groups)).splitlines()
    assert lines[3].split() == ["Suite", "Candidate", "Success", "Runs", "Tasks"]
    assert lines[7].split() == ["shop", "agent-3", "30.0", "%", "10", "5", "tasks"]
    assert lines.count("Not measured: cost of a run") == 5


def test_a_table_of_single_trials_leaves_room_for_names(make: object) -> None:
    """Where each task was tried once, its number is enough; a long suite takes what is free."""
    suite = "dailylife/important_instructions"
    groups = [make.group(suite=suite, candidate=f"agent-{n}", trials=1) for n in range(4)]
    lines = render(make.document(*groups)).splitlines()
    assert lines[4].split() == [suite, "agent-0", "50.0", "%", "10", "5"]
    long = [make.group(suite=suite, candidate="m" * 40, trials=1)] * 4
    cells = render(make.document(*long)).splitlines()[4].split()
    assert [len(cell) for cell in cells[:2]] == [26, 27]


def test_a_group_without_success_has_a_dash_in_the_table(make: object) -> None:
    """Unknown success is not 0 %."""
    lost = make.group(metrics={"task_success": make.metric(None, why="ungraded")})
    lines = render(make.document(*[lost] * 4)).splitlines()
    assert lines[4].split() == ["shop", "agent", "–", "10", "5", "tasks"]


@pytest.mark.parametrize("code", [*WARNINGS, "a_code_of_tomorrow"])
def test_warnings_have_words_count_and_example(make: object, code: str) -> None:
    """Each says how often it happened and where first."""
    warned = Warned(code=code, count=1073, example="runs.json:4")
    lines = render(make.document(make.group(), warnings=[warned])).splitlines()
    line = lines[lines.index("Warnings") + 1]
    words = WARNINGS[code][0] if code in WARNINGS else code
    assert line == f" 1,073  {words}  runs.json:4"


def test_rejected_records_are_named_to_the_fifth(make: object) -> None:
    """The rest is counted."""
    rejected = [Rejected(file="a.jsonl", record=n, why=f"why {n}") for n in range(1, 9)]
    read = make.read(records=100, rejected=8, rejected_records=rejected)
    text = render(make.document(make.group(), read=read))
    assert "8 of 100 records could not be read" in text
    assert "a.jsonl:5  why 5" in text
    assert "a.jsonl:6" not in text
    assert "  and 3 more" in text


def test_a_failed_file_is_not_named_twice(make: object) -> None:
    """It counts as a rejected record, and is printed as a file."""
    read = make.read(
        records=1,
        rejected=1,
        failed=[Passed(file="bad.json", why="is cut off")],
        rejected_records=[Rejected(file="bad.json", record=1, why="is cut off")],
    )
    text = render(make.document(make.group(), read=read))
    assert "1 file could not be read" in text
    assert text.count("bad.json") == 1


def test_skipped_files_are_named(make: object) -> None:
    """What was passed over in a folder is no secret."""
    skipped = [Passed(file=f"{n}.txt", why="no JSON") for n in range(7)]
    text = render(make.document(make.group(), read=make.read(skipped=skipped)))
    assert "7 files are no traces" in text
    assert "  and 2 more" in text


def test_reasons_are_cut_to_their_line_unless_content_is_asked_for(make: object) -> None:
    """A reason may quote what a file says."""
    rejected = [Rejected(file="a.jsonl", record=1, why="long " * 40 + "end")]
    document = make.document(make.group(), read=make.read(rejected=1, rejected_records=rejected))
    assert "end" not in render(document)
    assert "end" in render(document, content=True)


@pytest.mark.parametrize(
    ("files", "names", "expected"),
    [
        (1, ["a.json"], ["a.json"]),
        (2, ["a.json", "b.json"], ["a.json", "b.json"]),
        (3, ["a.json", "b.json", "c.json"], ["3 files"]),
        (2, ["a.json"], ["2 files"]),
        (1, ["folder/" * 20 + "runs.json"], ["…" + ("folder/" * 20 + "runs.json")[-79:]]),
    ],
)
def test_the_header_says_which_files(
    make: object, files: int, names: list[str], expected: list[str]
) -> None:
    """One or two by name, more by number; a file without a trajectory leaves names unsaid."""
    text = render(make.document(make.group(), read=make.read(files=files, names=names)))
    assert text.splitlines()[1 : 1 + len(expected)] == expected
    assert text.splitlines()[1 + len(expected)].startswith("10 completed")


def test_unreadable_records_are_as_many_as_the_document_says(make: object) -> None:
    """Nothing is taken from anything here."""
    text = render(make.document(make.group(), read=make.read(rejected=9, unreadable=4)))
    assert "4 of 10 records could not be read" in text


@pytest.mark.parametrize("color", [True, False])
def test_foreign_text_prints_inertly(make: object, hostile: str, *, color: bool) -> None:
    """Whatever a trace, a path or a reason says stays letters, in its column."""
    group = make.group(
        suite=hostile,
        candidate=hostile,
        statuses={hostile: 1},
        metrics={hostile: make.metric(0.5), "cost_usd": make.metric(None, why=hostile)},
        attribution=[make.blame(hostile, example=hostile)],
        right_answers=make.right(1, 5, hostile),
    )
    passed = [Passed(file=hostile, why=hostile)]
    document = make.document(
        group,
        read=make.read(skipped=passed, failed=passed, rejected=1),
        formats={hostile: 1},
        warnings=[Warned(code=hostile, count=1, example=hostile)],
        prices=hostile,
    )
    text = render(document, color=color)
    left = set(ANSI.sub("", text)) & set("\x1b\x07\x9b\r\t\u202e\u200b\u200d\ud800")
    assert left == set()
    assert max(widths(text)) <= 80
    assert text.encode()


def test_markup_is_shown_as_it_is(make: object) -> None:
    """Square brackets do not make anything bold, nor crash."""
    group = make.group(candidate="[/x] [bold]b[/bold]")
    assert "[/x] [bold]b[/bold]" in render(make.document(group), color=True)


@pytest.mark.parametrize("command", ["::add-mask::x", "##[error]x", "##vso[task.complete]x"])
def test_a_build_server_gets_no_command(make: object, command: str) -> None:
    """A candidate's name begins the first line of the report."""
    document = make.document(make.group(candidate=command))
    assert command in render(document)
    text = render(document, ci=True)
    assert command not in text
    assert max(widths(text)) <= 80
