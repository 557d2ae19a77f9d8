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
from collections.abc import Iterator, Sequence
from math import isfinite
from time import process_time
from types import TracebackType

from msgspec import Struct
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

from trayecto.case import MODES, AnswerCheck, Case, CaseInput, CaseSecret, expect, refer
from trayecto.facts import Facts, gather
from trayecto.metrics import Entry, Function, describe
from trayecto.scores import Culprit, Score, Value
from trayecto.trajectory import Call, Child, Outcome, Spent, Trajectory, Turn, Usage

__all__ = ["check_metric"]

SECONDS = 2.0  # of processor time, for ten thousand calls
MANY = 10_000
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


class Sample(Struct, frozen=True):
    """A trajectory to try a metric on, the case it is judged by, and what it is."""

    name: str
    trajectory: Trajectory
    case: Case | None


class _Fixed:
    """A dollar for a million tokens, whatever the model."""

    source = "fixed"

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
    found = entry.function(facts, case)
    several = hasattr(entry.module, "PARTS")
    if not several:
        _require(isinstance(found, Score), f"{name}: gives {found!r}, not a Score")
    scores = found if isinstance(found, list) else [found]
    _require(
        not several or (isinstance(found, list) and len(found) == len(entry.columns)),
        f"{name}: does not give a list with a Score for each of its PARTS",
    )
    _require(all(isinstance(score, Score) for score in scores), f"{name}: gives what is no Score")
    return scores


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


def samples() -> Iterator[Sample]:
    """Every sample: the shapes of trajectories, without a case and with each kind of case."""
    cases = [None, *_cases()]
    for name, trajectory in _trajectories():
        for case in cases:
            told = "no case" if case is None else f"case {case.id}"
            yield Sample(f"{name}, {told}", trajectory, case)
    for name, trajectory in _large():
        for case in (None, _long_case()):
            yield Sample(name, trajectory, case)


def _cases() -> Iterator[Case]:
    """A reference in each mode, an empty one, a parallel group, a minimum, an answer, limits."""
    steps = [(expect("find", None),), (expect("get", {"id": 1}),)]
    for mode in MODES:
        yield _case(mode, CaseSecret(refer(steps, mode), 2))
    yield _case("nothing", CaseSecret(refer([], "exact")))
    group = (expect("get", {"id": 1}, "at_least"), expect("find", None))
    yield _case("group", CaseSecret(refer([group]), answer=AnswerCheck(("4.5",))))
    yield _case("budget", CaseSecret(min_calls=2))
    yield _case("answer", CaseSecret(answer=AnswerCheck(equals="done")))
    yield _case("limits", _limits())


def _limits() -> CaseSecret:
    """Every assertion about single calls."""
    return CaseSecret(
        required=("get",),
        forbidden=("set_name",),
        max_calls=2,
        order=(("find", "get"),),
        scope={"get.id": (1,)},
    )


def _case(name: str, secret: CaseSecret) -> Case:
    return Case(name, CaseInput("Do it."), secret)


def _long_case() -> Case:
    steps = [(expect("get", {"id": number}),) for number in range(100)]
    return _case("long", CaseSecret(refer(steps)))


def _trajectories() -> Iterator[tuple[str, Trajectory]]:
    """Small trajectories, each odd in one way."""
    get, late = _call("get", {"id": 1}), _call("get", {"id": 1}, None, "unknown")
    find, failed = _call("find", {"q": "a"}), _call("get", {"id": None}, "Error: no id", "error")
    write = _call("set_name", {"id": 1, "name": "b"})
    yield "no turn", _run()
    yield "no call", _run((), ())
    yield "one call", _run((get,))
    yield "the reference's path", _run((find,), (get,))
    yield "parallel calls", _run((get, find), (find, get))
    yield "an error and its retry", _run((find,), (failed,), (get,))
    yield "nothing but errors", _run((failed,), (failed,))
    yield "unknown outcomes", _run((late,), (late,), (late,))
    yield "text for arguments", _run((_call("get", '{"id": 1'), _call("get", "[1]")), (get,))
    yield "a loop", _run(*[(get,)] * 4)
    yield "a cycle", _run(*[(find,), (get,)] * 3)
    yield "polling", _run(*[(_call("get", {"id": 1}, str(n)),) for n in range(4)])
    yield "a write", _run((find,), (get,), (write,))
    done = _run((find,), (get,), (write,), success=True)
    lost = _run((find,), (write,), success=False)
    for name, run in (("a success", done), ("a failure", lost)):
        yield name, run
        yield f"{name} with tokens", replace(run, spent=_SPENT, latency_ms=1200.5)
        yield f"{name} with a sub-agent", replace(run, children=(Child(lost, 1),), spent=_SPENT)
        for status in ("completed", "budget_exceeded", "infra_error", "not_run"):
            yield f"{name} as {status}", replace(run, status=status)
    unknown = (*_SPENT, Spent(None, None))
    yield "tokens in part", replace(done, spent=unknown, latency_ms=-1.0)
    yield "not graded", replace(done, grade="missing")


_SPENT = (Spent("model", Usage(100, 20, 3, 50, 10)), Spent("other", Usage(1, 0, 0, 2)))


def _large() -> Iterator[tuple[str, Trajectory]]:
    """Ten thousand calls: all one, all different, in turns, and without an observation."""
    numbers = range(MANY)
    shapes = {
        "one call again and again": [_call("get", {"id": 1}) for _ in numbers],
        "different calls": [_call("get", {"id": n}) for n in numbers],
        "two calls in turn": [_call("get", {"id": n % 2}) for n in numbers],
        "different tools": [_call(f"set_{n}", {"id": n}, "no", "error") for n in numbers],
        "no observations": [_call("get", {"id": n % 7}, None, "unknown") for n in numbers],
    }
    for name, calls in shapes.items():
        yield f"{name}, {MANY}", _run(*[(call,) for call in calls], success=False)


def _call(
    tool: str,
    arguments: dict[str, object] | str,
    observation: str | None = "ok",
    outcome: Outcome = "ok",
) -> Call:
    return Call(0, tool, arguments, observation, outcome)  # type: ignore[arg-type]  # plain JSON


def _run(*turns: tuple[Call, ...], success: bool | None = None) -> Trajectory:
    """A conversation: a request, then a generation with its calls for each of ``turns``."""
    index = 0
    made: list[Turn] = []
    for calls in turns:
        numbered = tuple(replace(call, index=index + at) for at, call in enumerate(calls, 1))
        index += len(calls)
        made.append(Turn(len(made) + 2, "assistant", None, numbered))
    if made:
        made = [Turn(1, "user", "Do it."), *made, Turn(len(made) + 2, "assistant", "4.5")]
    return Trajectory(
        id="sample",
        suite="samples",
        candidate="agent",
        case_id="sample",
        trial=1,
        turns=tuple(made),
        success=success,
        success_from=None if success is None else "recorded",
        answer="4.5" if made else None,
    )
