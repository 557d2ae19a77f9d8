"""The common test of metrics, tried on metrics that are wrong in one way each."""

import sys
from collections import Counter
from types import ModuleType

import pytest
from msgspec.json import encode

from trayecto.errors import UsageError
from trayecto.metrics import Function
from trayecto.testing import check_metric, samples

DOC = """How many calls went well.

Counted: calls whose outcome is ok. Unit: calls. Higher is better. Undefined where none was made.

Source: this test.
"""
GOOD = """
from trayecto.scores import Score

UNIT = "calls"
BETTER = "higher"

def well(facts, case):
    '''Count the calls that went well.'''
    steps = tuple(call.index for call in facts.calls if call.outcome == "ok")
    return Score(len(steps), None, steps) if facts.calls else Score(None, "no call")
"""
LAST = "return Score(len(steps), None, steps) if facts.calls else Score(None, 'no call')"
BODY = LAST.replace("'", '"')


def metric(text: str, doc: str = DOC) -> Function:
    """Return the metric of a module made of ``text``."""
    module = sys.modules["made_metric"] = ModuleType("made_metric", doc)
    exec(text, module.__dict__)  # noqa: S102  # the text stands in this file
    return module.__dict__["well"]


def with_body(body: str) -> str:
    """Return the good metric with another last line."""
    assert BODY in GOOD
    return GOOD.replace(BODY, body)


def complaint(text: str, doc: str = DOC) -> str:
    """Return what is said of a bad metric."""
    with pytest.raises(AssertionError) as caught:
        check_metric(metric(text, doc))
    return str(caught.value)


def test_a_good_metric_passes() -> None:
    """Nothing is asked that a plain metric does not have."""
    check_metric(metric(GOOD))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (DOC, "How many calls went well.", "its docstring has 1 sentences, not 3 or more"),
        ("Unit: calls. ", "", "does not say its unit"),
        ("Higher is better. ", "", "does not say that higher is better, as BETTER does"),
        ("Higher is better. ", "Lower is better. ", "does not say that higher is better"),
        ("Undefined where none was made.", "", "does not say when it is undefined"),
        ("Source: this test.", "", "names no source"),
    ],
)
def test_a_metric_is_documented(old: str, new: str, sentence: str) -> None:
    """The docstring is the definition: unit, direction, undefined, source."""
    doc = DOC.replace(old, new).replace("calls", "steps") if "unit" in sentence else ""
    assert sentence in complaint(GOOD, doc or DOC.replace(old, new))


def test_the_function_is_documented() -> None:
    """What it does stands under its name too."""
    text = GOOD.replace("'''Count the calls that went well.'''", "")
    assert complaint(text) == "well: its function has no docstring"


SLOW = """import time
    began = time.process_time()
    while len(steps) > 100 and time.process_time() < began + 2.1: pass
    return Score(None, 'x')"""


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("return Score(len(steps))", "must be undefined, not 0, on an empty trajectory"),
        ("return Score(False)", "False is no value of unit 'calls'"),
        ("return Score(1.5) if facts.calls else Score(None, 'x')", "1.5 is no value of unit"),
        ("return Score(-1) if facts.calls else Score(None, 'x')", "-1 is no value of unit"),
        ("return Score(None)", "is undefined and does not say why"),
        ("return Score(None, '')", "is undefined and does not say why"),
        ("return Score(None, 'x', (0,))", "points at calls that are not there"),
        ("return Score(None, 'x', (1, 2))", "points at calls that are not there"),
        ("return Score(None, 'x', steps[::-1])", "its steps do not rise"),
        ("return Score(None, 'x', steps * 2)", "its steps do not rise"),
        ("return len(steps)", "not a Score"),
        ("return [Score(None, 'x')]", "not a Score"),
        ("facts.calls.clear(); return Score(None, 'x')", "changed what it was shown"),
        ("facts.trajectory.extra['x'] = 1; return Score(None, 'x')", "changed what it was shown"),
        ("return Score(None, str(id(facts)))", "gives another score for the same trajectory"),
        (
            SLOW,
            "took 2.",
        ),
    ],
)  # fmt: skip
def test_what_a_metric_gives(body: str, sentence: str) -> None:
    """Each of these is found, and said in a sentence."""
    assert sentence in complaint(with_body(body))


@pytest.mark.parametrize(
    ("unit", "value"),
    [
        ("share", "1.5"), ("share", "-0.1"), ("share", "float('nan')"), ("ms", "-1.0"),
        ("usd", "float('inf')"), ("usd", "True"), ("tokens", "0.5"), ("turn", "3"),
        ("stars", "float('nan')"),
        ("share", "__import__('trayecto').Culprit(1, None, 'ran_out', None, '')"),
    ],
)  # fmt: skip
def test_a_value_is_what_its_unit_promises(unit: str, value: str) -> None:
    """A share is 0 to 1, money and time are not negative, nothing is NaN or infinite."""
    body = f"return Score({value}) if facts.calls else Score(None, 'x')"
    text = with_body(body).replace('"calls"', f'"{unit}"')
    assert f"is no value of unit '{unit}'" in complaint(text)


@pytest.mark.parametrize(("unit", "value"), [("share", "True"), ("usd", "0.5"), ("stars", "-2")])
def test_a_value_that_its_unit_allows(unit: str, value: str) -> None:
    """A unit of one's own takes any number."""
    body = f"return Score({value}) if facts.calls else Score(None, 'x')"
    check_metric(metric(with_body(body).replace('"calls"', f'"{unit}"')))


@pytest.mark.parametrize(
    "given", ["Score(None, 'x')", "[Score(None, 'x')]", "[Score(None, 'x'), 1]"]
)
def test_as_many_scores_as_parts(given: str) -> None:
    """A metric with parts gives a list with a score for each."""
    text = with_body(f"return {given}") + "PARTS = ('', 'b')\n"
    assert "PARTS" in complaint(text) or "no Score" in complaint(text)


def test_a_metric_with_parts_passes() -> None:
    """Two scores for two parts."""
    check_metric(metric(with_body("return [Score(None, 'x')] * 2") + "PARTS = ('', 'b')\n"))


NEEDS = "def needs(case):\n    return None if case else 'no case'\n"


def test_what_needs_a_case_may_say_what_nothing_is_worth() -> None:
    """Against a case a run without calls may be worth 0, if the definition says so."""
    text = with_body("return Score(len(steps))") + NEEDS
    assert "what a run without calls is worth" in complaint(text)
    check_metric(metric(text, DOC.replace("Source", "Without a call it is 0.\n\nSource")))


def test_an_empty_reason_is_no_reason() -> None:
    """Who cannot judge a case says why."""
    text = GOOD + "def needs(case):\n    return ''\n"
    assert complaint(text) == "well: needs() gives an empty reason"


def test_an_error_says_on_which_sample_it_came() -> None:
    """A metric's own error passes, with a note."""
    with pytest.raises(ZeroDivisionError) as caught:
        check_metric(metric(with_body("return Score(1 / len(facts.calls))")))
    assert caught.value.__notes__ == ["while the metric looked at the sample: no turn, no case"]


def test_a_module_that_says_nothing_is_refused() -> None:
    """Unit and direction must be there."""
    with pytest.raises(UsageError, match="UNIT"):
        check_metric(metric(GOOD.replace("UNIT", "IT")))


def test_the_samples_are_of_many_kinds() -> None:
    """No call and ten thousand, each outcome and status, text arguments, parallel calls, cases."""
    found = list(samples())
    runs = [sample.trajectory for sample in found]
    calls = [call for run in runs[:300] for call in run.calls]
    assert {len(run.calls) for run in runs} >= {0, 1, 10_000}
    assert {call.outcome for call in calls} == {"ok", "error", "unknown"}
    assert {type(call.arguments) for call in calls} == {dict, str}
    assert any(len(turn.calls) > 1 for run in runs[:300] for turn in run.turns)
    assert {run.success for run in runs} == {True, False, None}
    assert any(run.children for run in runs)
    assert sum(sample.case is None for sample in found) > 20 < sum(bool(s.case) for s in found)


def test_the_samples_have_names_of_their_own() -> None:
    """A name finds one sample, but for the cases of the large ones; each is a right trajectory."""
    names = Counter(sample.name for sample in samples())
    assert max(names.values()) == 2
    for sample in samples():
        calls = sample.trajectory.calls
        assert [call.index for call in calls] == list(range(1, len(calls) + 1)), sample.name
        assert encode(sample.trajectory)


def test_it_needs_no_test_framework() -> None:
    """A user may call it from anywhere."""
    import subprocess

    code = "import trayecto.testing, sys; print('pytest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
