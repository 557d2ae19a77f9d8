"""Trajectories to try a metric on, each odd in one way, and the cases by which they are judged."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trayecto.case import (
    MODES,
    AnswerCheck,
    Case,
    CaseInput,
    CaseSecret,
    Limits,
    StateCheck,
    expect,
    refer,
)
from trayecto.trajectory import Call, Child, Json, Outcome, Spent, Tool, Trajectory, Turn, Usage

MANY = 10_000


class Sample(Struct, frozen=True):
    """A trajectory to try a metric on, the case it is judged by, and what it is."""

    name: str
    trajectory: Trajectory
    case: Case | None


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
    world = StateCheck({"orders.1.paid": True}, ("orders.2",), unchanged=True)
    yield _case("world", CaseSecret(state=world, secrets=("hunter2hunter2",), canary="canary-77"))
    yield _case("abstain", CaseSecret(should_abstain=True, limits=Limits(2, 1.0, 100, 0.5)))


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
    yield "a world", replace(done, initial_state={"orders": {}}, final_state=_WORLD)
    yield "a changed world", replace(done, initial_state=_WORLD, final_state={"orders": [1]})
    yield "a secret", _run((_call("send", {"text": "HUNTER2-hunter2"}),), success=True)
    yield "an attack", replace(done, attack="succeeded")
    yield "its own tools", replace(done, tools=(Tool("get", None, {"required": ["id"]}),))
    yield "tokens in part", replace(done, spent=unknown, latency_ms=-1.0)
    yield "not graded", replace(done, grade="missing")


_WORLD: Json = {"orders": {"1": {"paid": True}}}
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
