"""``trayecto score``: what it prints, and with what exit code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from trayecto.reports.json import schema

Type = Callable[..., Any]  # gives code, out and err: see conftest


def test_json_is_one_valid_document(type_: Type, runs: Path, cases: Path) -> None:
    """With --json stdout holds one document of the published shape, and nothing else."""
    result = type_("score", runs, "--cases", cases, "--json")
    document = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    assert jsonschema_rs.is_valid(schema(), document)
    assert document["metrics"]["task_success"]["value"] == 0.5


def test_the_report_names_the_step_that_broke(type_: Type, runs: Path, cases: Path) -> None:
    """Without --json a person reads headline, attribution and what to do next, at 80 columns."""
    result = type_("score", runs, "--cases", cases)
    assert "50.0 %" in result.out
    assert "trayecto show" in result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_spanish(type_: Type, runs: Path) -> None:
    """--lang es speaks Spanish."""
    assert "éxito" in type_("score", runs, "--lang", "es").out.lower()


def test_scores_never_change_the_exit_code(type_: Type, tmp_path: Path) -> None:
    """A file in which every run failed is a fine file."""
    path = tmp_path / "bad.jsonl"
    path.write_text('{"messages": [{"role": "user", "content": "x"}], "success": false}\n')
    assert type_("score", path, "--json").code == 0


def test_a_mark_never_changes_the_exit_code(type_: Type, runs: Path, cases: Path) -> None:
    """Half of the runs loop, and --check looks at what the cases assert only: one run failed."""
    marked = type_("score", runs, "--json")
    loops = json.loads(marked.out)["metrics"]["loop_rate"]
    assert (loops["value"], loops["goal"], loops["short"]) == (0.5, {"below": 0.02}, True)
    assert marked.code == type_("score", runs).code == 0
    checked = type_("score", runs, "--cases", cases, "--check")
    assert checked.code == 1
    assert "loop" not in checked.err


def test_too_many_rejects_end_with_two_and_a_report(type_: Type, runs: Path) -> None:
    """One unreadable record of three is allowed by default, none with --max-rejects 0."""
    with runs.open("a") as file:
        file.write('{"messages": [\n')
    assert type_("score", runs, "--json").code == 0
    strict = type_("score", runs, "--json", "--max-rejects", "0")
    assert strict.code == 2
    assert json.loads(strict.out)["read"]["rejected"] == 1
    assert "1 of 3 records could not be read" in strict.err


def test_nothing_read_is_bad_input(type_: Type, tmp_path: Path) -> None:
    """A folder without a trace ends with 2: nothing was scored."""
    (tmp_path / "README.md").write_text("no trace")
    result = type_("score", tmp_path)
    assert result.code == 2
    assert "nothing was scored" in result.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--format", "openai_mesages"], "Did you mean 'openai_messages'?"),
        (["--max-rejects", "many"], "a number of records, or a share such as 1%"),
        (["--metric", "no_such_module:f"], "No module named 'no_such_module'"),
        (["--metric", "json"], "write one of your own as module:function"),
        (["--metric", "json:dumps"], "does not define UNIT and BETTER"),
        (["--cases", "absent.yaml"], "absent.yaml"),
    ],
)
def test_a_mistake_is_one_sentence(type_: Type, runs: Path, options: list[str], told: str) -> None:
    """A user's mistake ends with 2 and a sentence on stderr, never with a traceback."""
    result = type_("score", runs, *options)
    assert (result.code, result.out) == (2, "")
    assert told in result.err
    assert "Traceback" not in result.err


def test_a_missing_file_is_named(type_: Type, tmp_path: Path) -> None:
    """The file that is not there stands in the error."""
    result = type_("score", tmp_path / "none.jsonl")
    assert result.code == 2
    assert "none.jsonl: no such file or folder" in result.err


def test_own_metric(
    type_: Type, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--metric module:function adds a user's own number to the report."""
    source = (
        "from trayecto import Score\n"
        "UNIT, BETTER = 'calls', 'lower'\n"
        "def my_calls(facts, case):\n"
        "    return Score(len(facts.calls))\n"
    )
    (tmp_path / "my_metric_module.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    result = type_("score", runs, "--metric", "my_metric_module:my_calls", "--json")
    assert json.loads(result.out)["metrics"]["my_calls"]["value"] == 2.5


def test_per_run_writes_a_line_for_each(type_: Type, runs: Path, cases: Path) -> None:
    """--per-run leaves a JSON line for each run, with steps, scores and culprit."""
    lines = runs.with_name("lines.jsonl")
    type_("score", runs, "--cases", cases, "--per-run", lines, "--json")
    first, second = map(json.loads, lines.read_text().splitlines())
    assert [step["tool"] for step in first["steps"]] == ["find", "get"]
    assert second["metrics"]["loop"] == {"value": True, "steps": [1, 2, 3]}
    assert second["metrics"]["path_match"]["value"] is False


def test_cases_that_fit_no_run_are_bad_input(type_: Type, runs: Path, tmp_path: Path) -> None:
    """A case file of other ids judges nothing: that is no fine end, and both sides are counted."""
    path = tmp_path / "other.yaml"
    path.write_text("cases:\n  - {id: b, reference: [find]}\n")
    result = type_("score", runs, "--cases", path, "--json")
    warnings = json.loads(result.out)["warnings"]
    counts = {warning["code"]: warning["count"] for warning in warnings}
    assert (counts["no_case"], counts["case_without_run"]) == (2, 1)
    assert result.code == 2
    assert "their ids do not match" in result.err


def test_bfcl_questions_judge_a_run(type_: Type, tmp_path: Path) -> None:
    """A file of its questions is all that is named; what it skipped is told with the rest."""
    name = "BFCL_v4_parallel.json"
    (tmp_path / "possible_answer").mkdir()
    truth = [{"play": {"by": ["A B"], "loud": [True, ""]}}, {"play": {"by": ["C"]}}]
    asked = [[{"role": "user", "content": "Play both."}]]
    questions = [{"id": i, "question": asked, "function": []} for i in ("parallel_0", "parallel_1")]
    (tmp_path / name).write_text("\n".join(map(json.dumps, questions)))
    answers = tmp_path / "possible_answer" / name
    answers.write_text(json.dumps({"id": "parallel_0", "ground_truth": truth}))
    made = [
        {"function": {"name": "play", "arguments": json.dumps({"by": b})}} for b in ("c", "a-b")
    ]
    run = {"case_id": "parallel_0", "messages": [{"role": "assistant", "tool_calls": made}]}
    runs = tmp_path / "runs.jsonl"
    runs.write_text(json.dumps(run))
    document = json.loads(type_("score", runs, "--cases", tmp_path / name, "--json").out)
    assert document["metrics"]["path_match"]["value"] == 1
    [warned] = [each for each in document["warnings"] if each["code"] == "case_skipped"]
    assert (warned["count"], warned["example"][-34:]) == (1, "(parallel_1: no acceptable answer)")


def test_agent_text_stays_out_of_machine_output(type_: Type, runs: Path, cases: Path) -> None:
    """What agent and user said is not in the default report, in either shape."""
    for options in ([], ["--json"]):
        out = type_("score", runs, "--cases", cases, *options).out
        assert "It is 20." not in out
        assert "How much?" not in out


def test_a_metric_that_is_no_function_is_refused(type_: Type, runs: Path) -> None:
    """--metric has to name something that can be called."""
    result = type_("score", runs, "--metric", "json:__doc__")
    assert result.code == 2
    assert "is no function" in result.err


@pytest.mark.parametrize("option", ["runs", "cases"])
def test_lines_are_never_written_over_an_input(
    type_: Type, runs: Path, cases: Path, option: str
) -> None:
    """--per-run refuses a file that is read, and leaves it as it was."""
    target = runs if option == "runs" else cases
    before = target.read_bytes()
    result = type_("score", runs, "--cases", cases, "--per-run", target)
    assert result.code == 2
    assert "is read as input" in result.err
    assert target.read_bytes() == before


def test_lines_that_cannot_be_written_are_one_sentence(type_: Type, runs: Path) -> None:
    """A folder that is not there ends with 2 and names the file."""
    result = type_("score", runs, "--per-run", "/no/such/folder/x.jsonl")
    assert (result.code, "cannot write /no/such/folder/x.jsonl" in result.err) == (2, True)


def test_lines_appear_whole_or_not_at_all(
    type_: Type, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted half way, --per-run leaves no file under its name, and no part of one."""

    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("trayecto.cli.score.to_line", interrupted)
    lines = runs.with_name("lines.jsonl")
    assert type_("score", runs, "--per-run", lines).code == 4
    assert [path.name for path in lines.parent.iterdir()] == [runs.name]


def test_an_empty_path_is_a_mistake(type_: Type) -> None:
    """An unset variable does not score the whole current folder."""
    result = type_("score", "")
    assert result.code == 2
    assert "an empty path" in result.err


def test_a_name_that_looks_like_json_is_a_name(type_: Type, runs: Path) -> None:
    """A file may be called [runs].jsonl."""
    odd = runs.rename(runs.with_name("[runs].jsonl"))
    assert type_("score", odd.relative_to(odd.parent), "--json").code == 2  # not here
    assert type_("score", odd, "--json").code == 0


def test_a_metric_beside_the_user_is_found(
    type_: Type, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--metric finds a module in the current folder, as `python -m` does."""
    runs.with_name("right_here.py").write_text(
        "from trayecto import Score\nUNIT, BETTER = 'calls', 'lower'\n"
        "def here(facts, case):\n    return Score(1)\n"
    )
    monkeypatch.chdir(runs.parent)
    monkeypatch.setattr("sys.path", [*sys.path])
    result = type_("score", runs, "--metric", "right_here:here", "--json")
    assert json.loads(result.out)["metrics"]["here"]["value"] == 1


@pytest.mark.parametrize("text", ["raise SystemExit(7)", "1 / 0", "def broken(:"])
def test_a_module_that_cannot_be_imported_is_told(
    type_: Type, runs: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Whatever a user's module does on import, it ends with 2 and one sentence."""
    runs.with_name("breaks_on_import.py").write_text(text)
    monkeypatch.syspath_prepend(runs.parent)
    result = type_("score", runs, "--metric", "breaks_on_import:f")
    assert result.code == 2
    assert "--metric 'breaks_on_import:f'" in result.err


def test_every_problem_of_a_case_file_has_a_line(type_: Type, runs: Path) -> None:
    """Several mistakes are printed one below the other."""
    path = runs.with_name("bad.jsonl")
    path.write_text('{"id": "a", "refernce": []}\n{"id": "b", "refernce": []}\n')
    result = type_("score", runs, "--cases", path)
    assert result.code == 2
    assert len([line for line in result.err.splitlines() if "refernce" in line]) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")
def test_a_name_that_is_no_unicode_is_shown_by_its_escape(type_: Type, runs: Path) -> None:
    """A file name with other bytes is read, and every output can be written."""
    odd = runs.rename(Path(os.fsdecode(os.fsencode(runs.parent) + b"/bad\xff.jsonl")))
    lines = odd.parent / "lines.jsonl"
    result = type_("score", odd, "--per-run", lines, "--json")
    assert result.code == 0
    assert "bad\\\\udcff.jsonl" in lines.read_text()


def test_names_can_be_given(type_: Type, runs: Path, cases: Path) -> None:
    """--suite and --candidate stand for those of the files; a case of another suite is told."""
    words = ("score", runs, "--cases", cases, "--json", "--candidate", "new", "--suite")
    document = json.loads(type_(*words, "s").out)
    [group] = document["groups"]
    assert (group["suite"], group["candidate"]) == ("s", "new")
    assert document["warnings"] == []
    [warning] = json.loads(type_(*words, "other").out)["warnings"]
    assert (warning["code"], warning["count"]) == ("case_of_another_suite", 2)


def test_an_empty_name_is_one_sentence(type_: Type, runs: Path) -> None:
    """It ends with 2, and says which."""
    result = type_("score", runs, "--suite", "")
    assert (result.code, "suite: an empty name was given" in result.err) == (2, True)


def test_by_takes_the_runs_apart(type_: Type, runs: Path) -> None:
    """By a property of runs, and by a field of the records: the agent took 3 and 4 turns."""
    text = runs.read_text().replace('"trial": 0', '"trial": 0, "shop": {"region": "south"}')
    runs.write_text(text)
    words = ("score", runs, "--by", "turns", "--by", "extra.shop.region", "--json")
    [group] = json.loads(type_(*words).out)["groups"]
    values = {
        field: {name: metrics["task_success"]["value"] for name, metrics in parts.items()}
        for field, parts in group["strata"].items()
    }
    assert values == {
        "extra.shop.region": {"south": 1.0, "unknown": 0.0},
        "turns": {"3-5": 0.5},
    }
    assert "Task success by extra.shop.region" in type_(*words[:-1]).out


def test_a_field_that_no_run_has_is_told(type_: Type, runs: Path) -> None:
    """It may be misspelled; a stratum that is called unknown alone would not say so."""
    result = type_("score", runs, "--by", "extra.regoin", "--by", "turns")
    assert result.code == 0
    assert result.err == "trayecto: --by extra.regoin: is not known of any trajectory\n"


def test_a_stratum_that_there_is_not_is_a_mistake(type_: Type, runs: Path) -> None:
    """It ends with 2 before anything is read."""
    result = type_("score", runs, "--by", "modle")
    assert (result.code, result.out) == (2, "")
    assert "Did you mean 'model'?" in result.err


def test_who_reads_nothing_is_told_of_what(type_: Type, runs: Path, tmp_path: Path) -> None:
    """The error names the file, on one line, and says how many more there were (B24, B27)."""
    broken = tmp_path / "two\nlines.jsonl"
    broken.write_text('{"role": "user", "content": "hola"}\n' * 2)
    result = type_("score", broken, broken, tmp_path / "two\nlines.jsonl")
    told = f"trayecto: {tmp_path}/two␊lines.jsonl and 2 more: no trajectory could be read"
    assert (result.code, result.err.startswith(told)) == (2, True)


# ---- tools --------------------------------------------------------------------------------------


def test_contracts_can_be_given(type_: Type, runs: Path, tmp_path: Path) -> None:
    """--tools: which calls were invented, and which kept to their schema; else nobody knows."""
    tools = tmp_path / "tools.json"
    schema = {"type": "object", "properties": {"q": {"type": "integer"}}}
    tools.write_text(json.dumps([{"name": "find", "parameters": schema}]))
    metrics = json.loads(type_("score", runs, "--json").out)["metrics"]
    assert metrics["hallucinated_tools"]["why"] == "nobody told which tools there were"
    metrics = json.loads(type_("score", runs, "--tools", tools, "--json").out)["metrics"]
    assert metrics["hallucinated_tools"]["value"] > 0
    assert metrics["argument_validity"]["n"] > 0


def test_a_metric_of_ours_can_be_asked_for(type_: Type, runs: Path) -> None:
    """unused_observations takes time: it is computed for who names it."""
    asked = json.loads(type_("score", runs, "--metric", "unused_observations", "--json").out)
    assert "unused_observations" in asked["metrics"]
    assert "unused_observations" not in json.loads(type_("score", runs, "--json").out)["metrics"]
    wrong = type_("score", runs, "--metric", "unused")
    assert (wrong.code, "metric 'unused' is not known" in wrong.err) == (2, True)


def test_effects_are_guessed_only_where_that_is_asked_for(type_: Type, tmp_path: Path) -> None:
    """--assume-effects: get reads by its name, so the second call brought nothing new."""
    call = {"id": "1", "type": "function", "function": {"name": "get", "arguments": "{}"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"role": "tool", "tool_call_id": "1", "content": "7"}
    path = tmp_path / "again.json"
    path.write_text(json.dumps([asked, answer, asked, answer]))
    plain = json.loads(type_("score", path, "--json").out)["metrics"]["redundant_calls"]
    guessed = json.loads(type_("score", path, "--assume-effects", "--json").out)["metrics"]
    assert (plain["value"], plain["why"]) == (None, "nobody told which tools only read")
    assert guessed["redundant_calls"]["value"] == 1


def test_lines_are_never_written_over_a_suite_s_tools(type_: Type, runs: Path) -> None:
    """The suite names them, not the command line."""
    tools = runs.with_name("tools.json")
    tools.write_text('[{"name": "find"}]')
    suite = runs.with_name("suite.yaml")
    suite.write_text("tools: tools.json\ncases: [{id: a, reference: [find]}]\n")
    result = type_("score", runs, "--cases", suite, "--per-run", tools)
    assert (result.code, "is read as input" in result.err) == (2, True)
    assert tools.read_text() == '[{"name": "find"}]'
