"""The common test of metrics: what must hold of any of them, whoever wrote it.

    from trayecto.testing import check_metric

    def test_it_is_a_metric() -> None:
        check_metric(my_metric)

``check_metric`` runs a metric over sample trajectories: none, one and ten thousand calls, errors,
unknown outcomes, parallel calls, arguments that are no object, loops and cycles, sub-agents, every
status, with and without a case. It needs no test framework and reads no file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from time import process_time
from types import TracebackType
from typing import cast

from msgspec.json import Decoder, Encoder

from trayecto.case import Case
from trayecto.facts import Facts, gather
from trayecto.metrics import Derived, Entry, Function, describe, load
from trayecto.rates import Rates
from trayecto.scores import Culprit, Score, Value
from trayecto.testing._samples import MANY, Sample, samples
from trayecto.trajectory import Trajectory, Usage

__all__ = ["check_metric"]

SECONDS = 2.0  # of processor time, for ten thousand calls
SENTENCES = 3
DIRECTION = {
    "higher": ("igher is better", "rue is good"),
    "lower": ("ower is better", "alse is good"),
    "neither": ("either good nor bad",),
}
WHOLE = {"calls", "pairs", "tokens"}
IDLE = re.compile(r"\bwithout (?:a )?calls?\b", re.IGNORECASE)

_encode = Encoder(order="deterministic").encode
_copy = Decoder(Trajectory).decode


class _Fixed:
    """A dollar for a million tokens, whatever the model, and a cent for a call of one tool."""

    source = "fixed"
    rates = Rates({"get": 10_000_000})

    def cost(self, model: str | None, usage: Usage) -> int | None:
        """Price one model; a model without a name has no price."""
        tokens = usage.input + (usage.cache_read or 0) + (usage.cache_write or 0) + usage.output
        return None if model is None else tokens * 1000

    def is_flat(self, model: str | None) -> bool:
        """Every token costs the same."""
        return model is not None

    def why(self, model: str | None) -> str:
        """Say why there is no price."""
        return f"no price is known for model {model}"


class _On:
    """Says on which sample a metric failed, whatever it raised."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample

    def __enter__(self) -> None:
        """Begin with nothing to say."""

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        """Add the sample's name to an error that passes by."""
        if error is not None:
            error.add_note(f"while the metric looked at the sample: {self.sample.name}")


def check_metric(function: Function) -> None:
    """Check a metric; raises AssertionError, with a sentence, where it is no good one.

    It must be documented (three sentences or more, with unit, direction, when it is undefined, and
    its source), give the same scores every time and change nothing that it is shown; give one
    Score, or as many as PARTS; be undefined, not zero, on an empty trajectory, unless it needs a
    case and its definition says what a run without calls is worth; give values that its UNIT
    promises; point only at calls that were made, in order; and look at ten thousand calls in two
    seconds. Raises UsageError where its module does not say what a metric has to say.
    """
    entry = describe(function)
    _check_words(entry)
    for sample in samples():
        with _On(sample):
            _check_on(entry, sample)


def _check_words(entry: Entry) -> None:
    """Whether the module's docstring defines the metric."""
    name, unit, better = entry.columns[0].id, entry.columns[0].unit, entry.columns[0].better
    text = _definition(entry)
    found = len(re.findall(r"[.!?](?=\s|$)", text))
    _require(
        found >= SENTENCES, f"{name}: its docstring has {found} sentences, not {SENTENCES} or more"
    )
    _require("Unit:" in text or unit in text, f"{name}: its docstring does not say its unit")
    _require(
        any(words in text for words in DIRECTION[better]),
        f"{name}: its docstring does not say that {better} is better, as BETTER does",
    )
    _require("ndefined" in text, f"{name}: its docstring does not say when it is undefined")
    _require("Source:" in text, f"{name}: its docstring names no source")
    _require(bool(entry.function.__doc__), f"{name}: its function has no docstring")


def _definition(entry: Entry) -> str:
    """A metric's docstring, as one line."""
    return " ".join((entry.module.__doc__ or "").split())


def _check_on(entry: Entry, sample: Sample) -> None:
    """Look at one sample twice, and at what was found."""
    why = entry.needs(sample.case)
    if why is not None:
        _require(bool(why), f"{entry.columns[0].id}: needs() gives an empty reason")
        return
    for prices in (_Fixed(), None) if len(sample.trajectory.turns) < MANY else (_Fixed(),):
        facts = gather(sample.trajectory, sample.case, prices)
        before = _written(facts, sample)
        started = process_time()
        scores = _scores(entry, facts, sample.case)
        took = process_time() - started
        _require(took < SECONDS, f"{entry.columns[0].id}: took {took:.1f} s")
        name = entry.columns[0].id
        _require(_written(facts, sample) == before, f"{name}: changed what it was shown")
        for column, score in zip(entry.columns, scores, strict=True):
            _check_score(column.id, column.unit, score, len(facts.calls))
        again = gather(_copy(_encode(sample.trajectory)), sample.case, prices)
        same = _scores(entry, again, sample.case) == scores
        _require(same, f"{name}: gives another score for the same trajectory")
        _check_empty(entry, sample, scores)


def _written(facts: Facts, sample: Sample) -> bytes:
    return _encode([sample.trajectory, sample.case, facts.calls, facts.done, facts.repeats])


def _scores(entry: Entry, facts: Facts, case: Case | None) -> list[Score]:
    """The scores of one trajectory: one, or one for each of PARTS."""
    name = entry.columns[0].id
    found = _apply(entry, facts, case)
    several = hasattr(entry.module, "PARTS")
    if not several:
        _require(isinstance(found, Score), f"{name}: gives {found!r}, not a Score")
    scores: list[Score] = found if isinstance(found, list) else [cast("Score", found)]
    _require(
        not several or (isinstance(found, list) and len(found) == len(entry.columns)),
        f"{name}: does not give a list with a Score for each of its PARTS",
    )
    _require(all(isinstance(score, Score) for score in scores), f"{name}: gives what is no Score")
    return scores


def _apply(entry: Entry, facts: Facts, case: Case | None) -> object:
    """What a metric returns; a derived one is shown what the house's others found."""
    if not getattr(entry.module, "DERIVED", False):
        return entry.function(facts, case)
    return cast("Derived", entry.function)(facts, case, _Found(facts, case))


class _Found:
    """What the metrics of the house find of a run, but for those that follow from them."""

    def __init__(self, facts: Facts, case: Case | None) -> None:
        self.scores: dict[str, tuple[Score, bool]] = {}
        for entry in load():
            if entry.needs(case) is None and not getattr(entry.module, "DERIVED", False):
                given = entry.function(facts, case)
                scores = given if isinstance(given, list) else [given]
                for column, score in zip(entry.columns, scores, strict=True):
                    self.scores[column.id] = (score, column.better == "higher")

    def score(self, name: str) -> Score | None:
        """The score of a metric by id."""
        return self.scores[name][0] if name in self.scores else None

    def passes(self, name: str) -> bool | None:
        """Whether a metric's value is the good one."""
        score, good = self.scores.get(name, (None, True))
        return None if score is None or score.value is None else score.value == good


def _check_score(name: str, unit: str, score: Score, calls: int) -> None:
    """Whether value or reason, and the steps, are what they should be."""
    value = score.value
    if value is None:
        _require(bool(score.why), f"{name}: is undefined and does not say why")
    else:
        _require(_keeps(unit, value), f"{name}: {value!r} is no value of unit {unit!r}")
    steps = score.steps
    _require(
        all(1 <= step <= calls for step in steps), f"{name}: points at calls that are not there"
    )
    _require(list(steps) == sorted(set(steps)), f"{name}: its steps do not rise")


def _keeps(unit: str, value: Value) -> bool:
    """Whether a value is what its unit promises."""
    if unit == "turn" or isinstance(value, Culprit):
        return unit == "turn" and isinstance(value, Culprit)
    if unit == "share":
        return 0 <= value <= 1
    if isinstance(value, bool) or not isfinite(value):
        return False
    if unit in WHOLE:
        return isinstance(value, int) and value >= 0
    return value >= 0 or unit not in ("usd", "ms")


def _check_empty(entry: Entry, sample: Sample, scores: Sequence[Score]) -> None:
    """Whether nothing is undefined; against a case it may say what nothing is worth."""
    if sample.trajectory.turns or all(score.value is None for score in scores):
        return
    name = entry.columns[0].id
    needed = entry.needs(None) is not None
    value = next(score.value for score in scores if score.value is not None)
    _require(needed, f"{name}: must be undefined, not {value!r}, on an empty trajectory")
    text = _definition(entry)
    _require(
        IDLE.search(text) is not None,
        f"{name}: its docstring does not say what a run without calls is worth",
    )


def _require(holds: bool, sentence: str) -> None:  # noqa: FBT001  # reads as assert
    if not holds:
        raise AssertionError(sentence)
