"""The engine: which metrics apply to a run, and what a user's own metric must say."""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.case import Case
from trayecto.case_formats import CaseFile, Skipped
from trayecto.errors import UsageError
from trayecto.metrics import Scored, Scores, describe, load, score
from trayecto.prices import PriceTable
from trayecto.records import Account, Record
from trayecto.scores import Goal, Score
from trayecto.trajectory import Trajectory

Make = Callable[..., Any]


def module(text: str, name: str = "made") -> Callable[..., object]:
    """Return the function of a metric's module made of ``text``."""
    import sys

    made = sys.modules[name] = ModuleType(name)
    exec(text, made.__dict__)  # noqa: S102  # the text stands in this file
    return made.__dict__["mine"]


UNITS = "UNIT = 'share'\nBETTER = 'higher'\n"
GOAL = "from trayecto.scores import Goal\nSTARTS_AT = "
MINE = "from trayecto.scores import Score\ndef mine(facts, case): return Score(1.0)\n"


def by_id(scores: Scores, run: Scored) -> dict[str, Score]:
    """Return the scores of a run by the ids of their columns."""
    pairs = zip(run.plan.places, run.scores, strict=True)
    return {scores.columns[place].id: found for place, found in pairs}


def only(scores: Scores) -> dict[str, Score]:
    """Return the scores of the one run."""
    [run] = scores
    return by_id(scores, run)


def test_every_file_is_loaded_in_order() -> None:
    """The folder is the registry."""
    names = [entry.function.__name__ for entry in load()]
    assert names == sorted(names)
    assert {"loop", "path_match", "culprit"} <= set(names)


def test_a_score_stands_where_its_column_says(
    run: Make, article_case: Case, article_prices: PriceTable, sane: Trajectory
) -> None:
    """Parts, metrics over successes and skipped ones do not shift each other's scores."""
    found = only(score([Record(sane, article_case)], prices=article_prices))
    assert found["path_efficiency"] == found["path_precision"] == Score(1.0)
    assert found["path_match"] == found["path_match.all_attempts"] == Score(value=True)
    assert found["tokens.input"] == Score(1900)
    assert found["cost_usd"] == Score(0.00675)
    assert found["loop"] == Score(value=False)


def test_without_a_case_what_needs_one_is_skipped_with_its_reason(run: Make) -> None:
    """A trajectory without a case is judged by the metrics that need none."""
    scores = score([Record(run("a", success=True))])
    [scored] = scores
    skipped = {scores.columns[place].id: why for place, why in scored.plan.skipped}
    assert (
        skipped.items()
        >= {
            "path_match": "no reference path",
            "path_match.all_attempts": "no reference path",
            "path_precision": "no reference path",
            "path_recall": "no reference path",
            "path_edit_similarity": "no reference path",
            "path_efficiency": "no reference path and no min_calls",
        }.items()
    )
    assert by_id(scores, scored)["task_success"] == Score(value=True)


def test_a_run_without_a_fair_chance_is_judged_by_few(run: Make, article_case: Case) -> None:
    """What the infrastructure broke says nothing of the agent; time, money and success count."""
    scores = score([Record(run("a", status="infra_error"), article_case)])
    [scored] = scores
    kept = {name.partition(".")[0] for name in by_id(scores, scored)}
    told = {"task_success", "accepted", "corrupt_success"}
    assert kept == told | {"cost_usd", "latency_ms", "tokens"}
    whys = {why for _, why in scored.plan.skipped}
    assert whys == {"the run broke (infra_error)", "the case does not ask for it"}


def test_a_plan_knows_its_assertions(run: Make, article_case: Case) -> None:
    """Where each score stands and what passes; of a broken run, which ones it leaves open."""
    whole, broken = (
        score([Record(run("a", status=status), article_case)])
        for status in ("completed", "not_run")
    )
    [scored] = whole
    found = {whole.columns[place].id: passes for place, _, passes in scored.plan.checks}
    assert found.items() >= {"task_success": True, "path_match": True}.items()
    assert all(scored.plan.places[at] == place for place, at, _ in scored.plan.checks)
    assert scored.plan.lost == ()
    [scored] = broken
    assert [broken.columns[place].id for place, _, _ in scored.plan.checks] == ["task_success"]
    lost = {broken.columns[place].id: why for place, why in scored.plan.lost}
    assert lost.keys() == found.keys() - {"task_success"}
    assert set(lost.values()) == {"the run broke (not_run)"}


def test_cases_of_one_shape_share_a_plan(run: Make, make_case: Make) -> None:
    """What applies is decided once for each shape, not for each case."""
    records = [Record(run("a", case_id=str(n)), make_case(["a"])) for n in range(5)]
    scores = score(records)
    assert len({id(scored.plan) for scored in scores}) == len(scores.plans) == 1


def test_given_cases_replace_those_of_the_records(run: Make, make_case: Make) -> None:
    """A run is judged by the case of its id; without one it is scored all the same, and counted."""
    records = [Record(run("a"), make_case(["b"])), Record(run("a", case_id="other"))]
    scores = score(records, cases={"case": make_case(["a"]), "idle": make_case(["a"])})
    first, second = (by_id(scores, scored) for scored in scores)
    assert first["path_recall"] == Score(1.0)
    assert "path_recall" not in second
    assert scores.account.warnings == {"no_case": 1, "case_without_run": 1}
    assert scores.account.examples["case_without_run"] == "idle"


def test_cases_that_were_skipped_stand_in_the_account(run: Make, make_case: Make) -> None:
    """However often the runs are gone through, with the first of them as example."""
    left = tuple(Skipped(name, f"cases:{name}", "no answer") for name in "12")
    file = CaseFile("cases", None, {}, (make_case(["a"]),), skipped=left)
    scores = score([Record(run("a"))], cases=file)
    assert len([*scores]) == 1
    assert scores.account.warnings["case_skipped"] == 2
    assert scores.account.examples["case_skipped"] == "cases:1 (1: no answer)"


def test_two_cases_of_one_id_are_told_apart(run: Make, make_case: Make) -> None:
    """Two suites may use the same case ids."""
    records = [Record(run("a"), make_case(None)), Record(run("a"), make_case(["a"]))]
    scores = score(records)
    assert ["path_recall" in by_id(scores, scored) for scored in scores] == [False, True]


@pytest.mark.parametrize(
    ("status", "grade", "recorded", "success"),
    [
        ("completed", "graded", True, True),
        ("completed", "graded", False, False),
        ("completed", "graded", None, None),
        ("budget_exceeded", "graded", True, False),
        ("completed", "held", True, None),
    ],
)
def test_success_means_one_thing(
    run: Make, *, status: str, grade: str, recorded: bool | None, success: bool | None
) -> None:
    """Every summary counts as success what ``task_success`` does."""
    trajectory = run("a", status=status, grade=grade, success=recorded)
    [scored] = score([Record(trajectory)])
    assert scored.success is success


def test_nothing_is_computed_before_it_is_asked_for(run: Make) -> None:
    """A stream of any length takes the memory of a few runs."""
    seen: list[int] = []
    records = (seen.append(n) or Record(run("a")) for n in range(500))
    stream = iter(score(records))
    assert seen == []
    next(stream)
    assert len(seen) < 100


def test_runs_come_in_their_order_with_their_own_scores(run: Make, make_case: Make) -> None:
    """Runs of one plan are scored together; nobody sees that from outside."""
    cases = [make_case(["a"]), None, make_case(["a", "b"]), make_case(None, min_calls=2)]
    records = [Record(run(*"a" * (n % 5), id=f"r{n}"), cases[n % 4]) for n in range(150)]
    scores = score(records)
    for number, (record, scored) in enumerate(zip(records, scores, strict=True)):
        found = by_id(scores, scored)
        alone = score([record])
        assert scored.trajectory.id == f"r{number}"
        assert found == only(alone)
        assert len(found) + len(scored.plan.skipped) == len(scores.columns)


def test_the_account_of_what_was_read_is_kept(run: Make) -> None:
    """Scores carry the account of their records."""

    class Reading(list[Record]):
        """Records with an account, as a reading has them."""

        account = Account()

    assert score(Reading([Record(run())])).account is Reading.account


def test_a_metric_of_the_user_stands_beside_ours(run: Make) -> None:
    """Its column is named after the function."""
    found = only(score([Record(run("a"))], metrics=[module(UNITS + MINE)]))
    assert found["mine"] == Score(1.0)
    assert "loop" in found


def test_a_metric_over_successes_is_the_last(run: Make) -> None:
    """A user's own may count successes only, or need a case."""
    text = UNITS + "OVER = 'successes'\ndef needs(case): return None if case else 'no case'\n"
    scores = score([Record(run("a"))], metrics=[module(text + MINE)])
    [scored] = scores
    assert (len(scores.columns) - 1, "no case") in scored.plan.skipped


def test_two_metrics_of_one_name_are_refused() -> None:
    """A number must have one meaning."""
    function = module(UNITS + MINE)
    with pytest.raises(UsageError, match="'mine' is defined twice"):
        score([], metrics=[function, function])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "its module does not define UNIT and BETTER"),
        ("UNIT = 'share'\n", "its module does not define BETTER"),
        (
            "UNIT = 'share'\nBETTER = 'hihger'\n",
            "BETTER is 'hihger'; choose higher, lower, neither. Did you mean 'higher'?",
        ),
        (UNITS + "OVER = 'all'\n", "OVER is 'all'; choose runs, valid, successes."),
        (UNITS + "PASSES = 'yes'\n", "PASSES is 'yes'; give True, False or a whole number"),
        (
            UNITS + "PASSES = 0\nPARTS = ('a', 'b')\n",
            "PASSES is said of a part without a name, and none is",
        ),
        (
            UNITS + "STARTS_AT = 0.7\n",
            "STARTS_AT is 0.7; since higher is better, give Goal(above=NUMBER)",
        ),
        (
            UNITS + GOAL + "Goal(below=0.5)\n",
            "STARTS_AT is Goal(below=0.5); since higher is better, give Goal(above=NUMBER)",
        ),
        (
            UNITS.replace("higher", "lower") + GOAL + "Goal(below=0.5, equal=0)\n",
            (
                "STARTS_AT is Goal(below=0.5, equal=0); since lower is better, "
                "give Goal(below=NUMBER) or Goal(equal=NUMBER)"
            ),
        ),
        (
            UNITS.replace("higher", "neither") + GOAL + "Goal(equal=0)\n",
            "STARTS_AT is Goal(equal=0); since neither is better, give none",
        ),
        (
            UNITS + GOAL + "Goal(above=0.5)\nPARTS = ('a', 'b')\n",
            "STARTS_AT is said of a part without a name, and none is",
        ),
        (
            UNITS + "OVER = 'successes'\nPARTS = ('a', 'b')\n",
            "a metric with PARTS cannot count successes only",
        ),
    ],
)
def test_what_a_metric_must_say_of_itself(text: str, sentence: str) -> None:
    """A user's mistake is one sentence, before anything is scored."""
    with pytest.raises(UsageError) as caught:
        describe(module(text + MINE))
    assert str(caught.value) == f"metric 'mine': {sentence}"


def test_parts_and_the_name_in_a_summary() -> None:
    """A part's id is file.part, the unnamed part is the metric's own; SUMMARY renames one."""
    parts = describe(module(UNITS + "PASSES = 0\nPARTS = ('', 'x')\n" + MINE)).columns
    assert [(column.id, column.summary) for column in parts] == [("mine",) * 2, ("mine.x",) * 2]
    assert [column.passes for column in parts] == [0, None]
    [column] = describe(module(UNITS + "SUMMARY = 'mine_rate'\n" + MINE)).columns
    assert (column.id, column.summary, column.over) == ("mine", "mine_rate", "valid")


def test_a_metric_keeps_its_own_starting_value() -> None:
    """It stands in the metric's file, and is that of the part without a name."""
    text = UNITS + GOAL + "Goal(above=0.5)\nPARTS = ('', 'x')\n" + MINE
    columns = describe(module(text)).columns
    assert [column.goal for column in columns] == [Goal(above=0.5), None]


def test_the_articles_starting_values() -> None:
    """Article 000's table gives two, article 002 the zero of invented tools; no other is stated."""
    columns = [column for entry in load() for column in entry.columns]
    assert {column.summary: column.goal for column in columns if column.goal is not None} == {
        "path_efficiency": Goal(above=0.70),
        "loop_rate": Goal(below=0.02),
        "hallucinated_tools": Goal(equal=0),
    }


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("000-trajectories", "Umbral inicial razonable"),
        ("000-trajectories", r"Eficiencia del camino\t[^\n]*\t> 0\.70\n"),
        ("000-trajectories", r"Tasa de bucles\t[^\n]*\t< 0\.02\n"),
        ("002-tool-use", "su umbral es el más duro que vas a escribir: cero"),
    ],
)
def test_the_articles_say_so(shared: Path, article: str, words: str) -> None:
    """The numbers above, where they were read."""
    assert re.search(words, (shared / "articles" / f"{article}.txt").read_text("utf-8"))


def test_a_case_is_shown_to_the_metric_as_it_is(run: Make, make_case: Make) -> None:
    """The function gets the facts and the case, in this order."""
    seen: list[Case] = []
    function = module(
        UNITS + "seen = []\n" + MINE.replace(": return", ": seen.append(case); return")
    )
    function.__globals__["seen"] = seen
    case = make_case(["a"])
    only(score([Record(run("a"), case)], metrics=[function]))
    assert seen == [case]


# ---- a user's own metric ----------------------------------------------------------------------

UNIT, BETTER = "share", "higher"


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        (Score("x"), "returned"),
        (5, "returned 5"),
        (Score(float("nan")), "a finite number"),
        (Score(float("inf")), "a finite number"),
        (Score(-3.0), "from 0 to 1 for a share"),
        (Score(10**400), "a finite number"),
        (Score(None), "None with a why"),
        ([Score(1.0), Score(1.0)], "return a Score"),
    ],
)
def test_what_is_no_score_is_refused_by_name(run: Make, returned: object, told: str) -> None:
    """A number that cannot be counted names metric, trajectory and value: it never becomes a 0."""

    def mine(facts: object, case: object) -> object:
        return returned

    with pytest.raises(UsageError, match="metric 'mine', trajectory 'run'") as caught:
        list(score([Record(run("a"))], metrics=[mine]))
    assert told in str(caught.value)


def test_a_mistake_in_a_metric_is_one_sentence(run: Make) -> None:
    """What a user's metric raises is told with its kind, and where it happened."""

    def mine(facts: object, case: object) -> Score:
        raise ZeroDivisionError("oh")

    with pytest.raises(UsageError, match="trajectory 'run': ZeroDivisionError: oh"):
        list(score([Record(run("a"))], metrics=[mine]))


def test_a_metric_needs_a_name(run: Make) -> None:
    """A lambda could not be found in a report."""
    with pytest.raises(UsageError, match="give it a name"):
        score([Record(run("a"))], metrics=[lambda *_: Score(1.0)])


# ---- warnings ---------------------------------------------------------------------------------


def test_cases_that_tell_their_answer_are_told(run: Make, make_case: Make) -> None:
    """A run that repeats what it was told has shown nothing (Y30)."""

    class Cases(list[Case]):
        """Cases as a file gives them."""

        told = ("a", "b")

    scores = score([Record(run("a"))], cases=Cases([make_case(["a"])]))
    assert len([*scores]) == 1
    account = scores.account
    assert (account.warnings["answer_in_task"], account.examples["answer_in_task"]) == (2, "a")


def test_a_case_of_another_suite_is_told(run: Make, make_case: Make) -> None:
    """A case id is unique in a suite only; a suite that is but the format's name says nothing."""
    case = replace(make_case(["a"]), suite="retail")
    scores = score([Record(run("a", suite="airline"))], cases=[case])
    list(scores)
    assert scores.account.warnings["case_of_another_suite"] == 1
    same = score([Record(run("a", suite="retail"))], cases=[case])
    list(same)
    assert same.account.warnings["case_of_another_suite"] == 0


@pytest.mark.parametrize(("effects", "guessed"), [({}, 1), ({"pay": "write"}, 0)])
def test_a_guessed_effect_is_told(
    run: Make, make_case: Make, effects: dict[str, str], guessed: int
) -> None:
    """Where a culprit rests on what a name lets guess, the report says so."""
    case = replace(make_case([("pay", {"n": 1})], "superset"), effects=effects)
    failed = run(("pay", {"n": 2}), success=False, status="completed")
    scores = score([Record(failed, case)])
    (scored,) = scores
    assert scored.value("culprit").kind == "wrong_write"
    assert scores.account.warnings["effects_assumed"] == guessed


def test_a_given_effect_is_believed(run: Make, make_case: Make) -> None:
    """A tool that the suite says only reads is never a wrong write, whatever its name."""
    case = replace(make_case(["look"], "superset"), effects={"ship": "read", "look": "read"})
    (scored,) = score([Record(run("look", "ship", success=False, status="completed"), case)])
    assert scored.value("culprit") is None


def test_plain_records_are_counted(run: Make) -> None:
    """Records that no reading accounts for are accounted for here."""
    scores = score([Record(run("a")), Record(run("b"))])
    list(scores)
    assert (scores.account.records, scores.account.formats.total()) == (2, 2)


@pytest.mark.parametrize(
    "name",
    ["forbiden_tools", "cost_usd", "loop_rate", "accepted", "path_efficiency", "repeated_calls"],
)
def test_what_is_critical_must_be_a_check(run: Make, make_case: Make, name: str) -> None:
    """No misspelling, no price, no signal (ruling 5), nothing that follows from others."""
    case = make_case(["a"], critical=(name,))
    with pytest.raises(UsageError, match=f"{name}. is no check; choose .*forbidden_"):
        list(score([Record(run("a"), case)]))
    with pytest.raises(UsageError, match="is no check"):
        score([], cases=[case])  # before anything is read
