"""Whether the agent said what the case asks for."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from trayecto.case import AnswerCheck, Case, CaseInput, CaseSecret
from trayecto.facts import gather
from trayecto.formats import read
from trayecto.metrics.answer import answer, needs
from trayecto.trajectory import Trajectory, Turn


def run(*said: str | None, **check: object) -> object:
    """Score a run that said these things, by a case that asks for an answer."""
    turns = tuple(Turn(place, "assistant", text) for place, text in enumerate(said, 1))
    last = next((text for text in reversed(said) if text), None)
    trajectory = Trajectory(
        id="t", suite="s", candidate="c", case_id="k", trial=0, turns=turns, answer=last
    )
    case = Case("k", CaseInput(), CaseSecret(answer=AnswerCheck(**check)))  # type: ignore[arg-type]  # a test's shorthand
    return answer(gather(trajectory, case), case).value


@pytest.mark.parametrize(
    ("said", "wanted", "expected"),
    [
        ("The balance is $142.900", ("142.900",), True),
        ("You owe 1,250 dollars", ("1250",), True),
        ("SHIPPED today", ("shipped",), True),
        ("Invoices F-901", ("F-901", "F-902"), False),
        ("I could not find it", ("142.900",), False),
    ],
)
def test_contains_wants_every_text(said: str, wanted: tuple[str, ...], *, expected: bool) -> None:
    """Every text must be said; case and commas in numbers do not matter."""
    assert run(said, contains=wanted) is expected


def test_what_was_said_earlier_counts() -> None:
    """A conversation goes on after the answer, so any turn of the agent may hold it."""
    assert run("It costs 54.04.", "You are welcome!", contains=("54.04",)) is True


def test_equals_wants_the_last_words() -> None:
    """The check `equals` is about the last thing said, but for white space and case."""
    assert run("Working on it", " done ", equals="Done") is True
    assert run("done", "Anything else?", equals="done") is False


def test_silence_is_not_an_answer() -> None:
    """An agent that took a turn without a word did not say it; without a turn nothing is known."""
    assert run(None, contains=("x",)) is False
    assert run(contains=("x",)) is None


def test_needs_a_case_that_asks() -> None:
    """Without an expected answer the metric does not apply, and says why."""
    assert needs(None) == "the case does not ask for it"
    assert needs(Case("k", CaseInput(), CaseSecret())) == "the case does not ask for it"
    asks = CaseSecret(answer=AnswerCheck(contains=("x",)))
    assert needs(Case("k", CaseInput(), asks)) is None


@pytest.mark.parametrize(
    ("file", "checked"),
    [
        ("tau-bench/historical_trajectories/gpt-4o-airline.json", 13),
        ("tau-bench-levels/final_results/tool-calling-l0-4o.json", 37),
        ("tau-bench-levels/final_results/tool-calling-l1-4o.json", 36),
    ],
)
def test_agrees_with_the_recorded_checks(shared: Path, file: str, checked: int) -> None:
    """Where tau-bench recorded whether the outputs were said, we say the same of every run."""
    told = []
    for record in read(shared / "data" / file):
        recorded = record.trajectory.checks.get("answer")
        if recorded is not None and record.case is not None:
            facts = gather(record.trajectory, record.case)
            told.append((recorded, answer(facts, record.case).value))
    assert len(told) == checked
    assert all(recorded is value for recorded, value in told)


# ---- numbers and patterns -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "number", "tolerance", "holds"),
    [
        ("It is 142900 pesos.", 142900, None, True),
        ("It is $142.900.", 142900, None, True),  # a point of thousands
        ("It is $142.900.", 142.9, None, True),  # or of decimals: either may be meant
        ("It is 1,250.50 dollars", 1250.5, None, True),
        ("Son 1.250,50 euros", 1250.5, None, True),
        ("1 234 567 units", 1234567, None, False),  # plain spaces part numbers
        ("1\u00a0234\u00a0567 units", 1234567, None, True),
        ("minus: -5 degrees", -5, None, True),
        ("\u22125 degrees", -5, None, True),
        ("-5 degrees", 5, None, False),
        ("from 3-5", 5, None, True),
        ("1.5e3 volts", 1500, None, True),
        ("about 101", 100, 1, True),
        ("about 102", 100, 1, False),
        ("about 101", 100, {"relative": 0.01}, True),
        ("order W7", 7, None, False),  # part of a word
        ("none", 0, None, False),
        ("12.34.56", 123456, None, False),
    ],
)
def test_a_number_may_be_written_in_many_ways(
    said: str, number: float, tolerance: object, *, holds: bool
) -> None:
    """In the last thing that was said, within its tolerance; by hand."""
    assert run(said, number=number, tolerance=tolerance) is holds


def test_a_number_stands_in_the_last_thing_that_was_said() -> None:
    """An agent that thinks of 7 and answers 8 has not said 7."""
    assert run("Is it 7?", "It is 8.", number=7) is False
    assert run("Is it 7?", "It is 8.", number=8) is True


def test_a_pattern_may_match_in_any_turn() -> None:
    """As written: large letters are large."""
    said = ("Order P-12 is paid.", "Anything else?")
    for pattern, holds in ((r"\bP-\d+", True), (r"p-\d+", False), (r"(?i)p-\d+", True)):
        assert run(*said, pattern=pattern) is holds


def test_a_very_long_number_is_passed_over() -> None:
    """No text makes the search slow."""
    started = process_time()
    assert run("9" * 1_000_000, number=9) is False
    assert process_time() - started < 1


@pytest.mark.parametrize("said", ["1e9999999", "1e99999999999999999999999", "0e" + "9" * 30])
def test_no_number_is_too_large_to_read(said: str) -> None:
    """An exponent that no number could have is text after a number."""
    assert run(f"build {said} done", number=5) is False


def test_integers_are_compared_exactly() -> None:
    """Ruling 3: no number passes through a float."""
    assert run("your id is 9007199254740993", number=9007199254740993) is True
    assert run("your id is 9007199254740992", number=9007199254740993) is False


def test_a_number_that_begins_with_0_has_no_thousands() -> None:
    """0.500 is a half."""
    assert run("0.500", number=500) is False
    assert run("0.500", number=0.5) is True


def test_a_comma_that_is_wanted_has_to_be_said() -> None:
    """Commas do not count inside a text; alone they are the text."""
    assert run("a b", contains=(",",)) is False
    assert run("a, b", contains=(",",)) is True
