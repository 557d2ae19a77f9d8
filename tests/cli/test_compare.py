"""``trayecto compare``: what it prints, what it refuses, and its exit codes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from trayecto.cli import run
from trayecto.reports.json import comparison_schema

Capture = pytest.CaptureFixture[str]
Write = Callable[..., Path]
LEVELS = "data/tau-bench-levels/final_results"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a writer of a side: a letter for each run of a task."""

    def write(name: str, ends: dict[str, str], **fields: Any) -> Path:  # noqa: ANN401  # any field of it
        path = tmp_path / f"{name}.jsonl"
        lines = [
            {
                "id": f"{name}-{case}-{trial}",
                "case_id": case,
                "trial": trial,
                "success": end == "p",
                "messages": [
                    {"role": "user", "content": "Refund it."},
                    {"role": "assistant", "content": f"done {name} {trial}"},
                ],
                **fields,
            }
            for case, runs in ends.items()
            for trial, end in enumerate(runs, 1)
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return path

    return write


@pytest.fixture
def sides(write: Write) -> tuple[Path, Path]:
    """Return a base and a candidate that lost 12 of 20 tasks."""
    base = {f"t{number:02}": "p" for number in range(20)}
    worse = {name: "f" if int(name[1:]) < 12 else "p" for name in base}
    return write("base", base), write("candidate", worse)


def test_the_word_and_the_numbers(sides: tuple[Path, Path], capsys: Capture) -> None:
    """12 of 20 lost: worse, by McNemar's exact test at 2 * 0.5^12."""
    assert run(["compare", *map(str, sides)]) == 0
    out = capsys.readouterr().out
    assert "\nWorse\n" in out
    assert "0 won, 12 lost of 20 tasks" in out
    assert "p = 0.0005" in out


def test_the_document_keeps_to_its_schema(sides: tuple[Path, Path], capsys: Capture) -> None:
    """JSON alone on stdout, with the shape that is published."""
    assert run(["compare", *map(str, sides), "--json", "--margin", "0.05"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema_rs.validate(comparison_schema(), document)
    success = document["metrics"]["task_success"]
    assert (document["schema"], document["tasks"]["paired"]) == ("trayecto.compare/1", 20)
    assert (success["lost"], success["verdict"]) == (12, "worse")
    assert success["margin"]["outcome"] == "fail"
    assert (document["base"], document["candidate"]) == ("base", "candidate")


def test_the_schema_is_printed(capsys: Capture) -> None:
    """For editors and other programs."""
    assert run(["schema", "compare"]) == 0
    assert json.loads(capsys.readouterr().out) == comparison_schema()


def test_several_candidates(write: Write, sides: tuple[Path, Path], capsys: Capture) -> None:
    """Each beside the base, and a table of all."""
    third = write("third", {f"t{number:02}": "p" for number in range(20)})
    assert run(["compare", *map(str, sides), str(third), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema_rs.validate(comparison_schema(), document)
    assert document["candidates"] == ["candidate", "third"]
    assert [row["verdict"] for row in document["table"]] == [None, "worse", "undecided"]
    assert run(["compare", *map(str, sides), str(third), "--lang", "es"]) == 0
    assert capsys.readouterr().out.startswith("Candidatas\n")


def test_five_of_five_twice_is_undecided(write: Write, capsys: Capture) -> None:
    """Nothing lost, nothing shown: it says so, and what could decide."""
    ends = dict.fromkeys("abcde", "p")
    assert run(["compare", str(write("one", ends)), str(write("two", ends))]) == 0
    out = capsys.readouterr().out
    assert "\nUndecided\n" in out
    assert "With 5 independent tasks no test can reach 0.05" in out
    assert "No difference was seen" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--margin", "5"], "--margin '5': write it as VALUE or METRIC=VALUE"),
        (["--margin", "x=y"], "--margin 'x=y': write it as"),
        (["--margin", "nan"], "--margin 'nan': write it as"),
        (["--margin", "0.05", "--margin", "task_success=3%"], "has a margin already"),
        (["--margin", "dear_x=0.1"], "is no share that can be compared"),
        (["--margin", "pass_hat_k.4=0.1"], "was not compared on suite"),
        (["--margin", "task_succes=0.1"], "did you mean"),
        (["--max-rejects", "x"], "--max-rejects"),
        (["--cases", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_what_is_typed_wrong(
    sides: tuple[Path, Path], capsys: Capture, arguments: list[str], told: str
) -> None:
    """Exit code 2, one sentence, no traceback."""
    assert run(["compare", *map(str, sides), *arguments]) == 2
    message = capsys.readouterr().err
    assert told.lower() in message.lower()
    assert "Traceback" not in message


def test_sides_that_cannot_be_compared(write: Write, capsys: Capture, tmp_path: Path) -> None:
    """Other tasks, no candidate, a file that is not there or holds nothing."""
    base = write("base", {"a": "p", "b": "p"})
    other = write("other", {"x": "p", "y": "p"})
    assert run(["compare", str(base), str(other)]) == 2
    assert "have no partner" in capsys.readouterr().err
    assert run(["compare", str(base)]) == 2
    assert "at least one candidate" in capsys.readouterr().err
    assert run(["compare", str(base), str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err
    (tmp_path / "broken.jsonl").write_text(base.read_text("utf-8") + "{\n{\n{\n", "utf-8")
    assert run(["compare", str(base), str(tmp_path / "broken.jsonl")]) == 2
    assert "records could not be read" in capsys.readouterr().err


def test_a_slot_that_is_filled_twice(write: Write, capsys: Capture) -> None:
    """One case and trial, told twice in a file: an error that names it (INPUT-11)."""
    base = write("base", {"a": "p", "b": "p"})
    twice = write("twice", {"a": "p", "b": "p"})
    lines = twice.read_text("utf-8").splitlines()
    changed = json.loads(lines[0]) | {"id": "again", "success": False}
    twice.write_text("\n".join([*lines, json.dumps(changed)]) + "\n", "utf-8")
    assert run(["compare", str(base), str(twice)]) == 2
    message = capsys.readouterr().err
    assert "'a'" in message
    assert "trial 1" in message


def test_broken_runs_on_both_sides_say_nothing(write: Write, capsys: Capture) -> None:
    """All infrastructure errors: no success, no word, and no number in its place."""
    ends = dict.fromkeys("abcdef", "f")
    sides = [write(name, ends, status="infra_error", success=None) for name in ("one", "two")]
    assert run(["compare", *map(str, sides), "--json"]) == 0
    text = capsys.readouterr().out
    document = json.loads(text)
    success = document["metrics"]["task_success"]
    assert (success["base"], success["verdict"]) == (None, None)
    assert "had a fair chance" in success["why"]
    assert [caveat["code"] for caveat in document["warnings"]] == ["infrastructure_differs"]
    assert "NaN" not in text
    assert "Infinity" not in text


def test_the_published_levels(shared: Path, capsys: Capture) -> None:
    """The words of the issue: above them stands that recorded success is not to be trusted."""
    paths = [str(shared / LEVELS / f"tool-calling-l{level}-4o.json") for level in (0, 1)]
    assert run(["compare", *paths]) == 0
    out = capsys.readouterr().out
    caveat, word = out.index("2 of 77 in the base"), out.index("[better; recorded success not")
    assert caveat < word
    assert "24 won, 9 lost of 115 tasks" in out
    assert "24 won, 8 lost of 114 tasks" in out


def test_a_margin_may_be_a_percentage(sides: tuple[Path, Path], capsys: Capture) -> None:
    """5% is 0.05, which is 5 points."""
    assert run(["compare", *map(str, sides), "--json", "--margin", "5%"]) == 0
    success = json.loads(capsys.readouterr().out)["metrics"]["task_success"]
    assert success["margin"]["margin"] == 0.05


def test_a_name_for_the_candidate_only(write: Write, capsys: Capture) -> None:
    """The base keeps its own; of several candidates nobody knows which is meant."""
    ends = dict.fromkeys("abcdef", "p")
    paths = [str(write(name, ends)) for name in ("one", "two", "three")]
    assert run(["compare", *paths[:2], "--candidate", "v2", "--json"]) == 0
    (group,) = json.loads(capsys.readouterr().out)["groups"]
    assert group["candidate"] == "v2"
    assert group["base"] != "v2"
    assert run(["compare", *paths, "--candidate", "v2"]) == 2
    assert "names one candidate" in capsys.readouterr().err


def test_files_of_one_name_are_told_apart(write: Write, tmp_path: Path, capsys: Capture) -> None:
    """By the folder above them; and one file is one candidate."""
    ends = dict.fromkeys("abcdef", "p")
    paths = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        paths.append(write(f"{folder}/runs", ends))
    assert run(["compare", *map(str, paths), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["base"], document["candidate"]) == ("a/runs", "b/runs")
    assert run(["compare", *map(str, paths), str(paths[1])]) == 2
    assert "given as a candidate 2 times" in capsys.readouterr().err


def test_what_could_not_be_read_is_named(write: Write, capsys: Capture) -> None:
    """On stderr, on the page and in the document: its task counts with fewer runs."""
    base = write("base", dict.fromkeys("abcdef", "p"))
    other = write("other", dict.fromkeys("abcdef", "pp"))
    other.write_text(other.read_text("utf-8") + "{broken\n", "utf-8")
    assert run(["compare", str(base), str(other)]) == 0
    told = capsys.readouterr()
    assert "other: 1 of 13 records could not be read, first" in told.err
    assert told.out.startswith("other: 1 of 13 records could not be read.\n")
    assert run(["compare", str(base), str(other), "--json"]) == 0
    read = json.loads(capsys.readouterr().out)["read"]
    assert [(side["side"], side["rejected"]) for side in read] == [("base", 0), ("other", 1)]
    assert read[1]["rejected_records"][0]["record"] == 13


def test_cases_of_other_tasks_are_a_mistake(
    sides: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    """Nothing would be judged by them."""
    cases = tmp_path / "cases.yaml"
    cases.write_text(
        "suite: s\ncases:\n  - id: zzz\n    task: x\n    assert_nothing: true\n", "utf-8"
    )
    assert run(["compare", *map(str, sides), "--cases", str(cases)]) == 2
    assert "none of the cases is of any trajectory" in capsys.readouterr().err
