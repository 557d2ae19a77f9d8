"""A metric as the engine uses it, made of what its module says about itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Protocol, TypeAlias, cast, get_args

from msgspec import UNSET, Struct
from msgspec.structs import replace

from trayecto.case import Case
from trayecto.errors import UsageError, choose, quoted
from trayecto.facts import Facts
from trayecto.scores import Better, Found, Goal, Over, Score

Function: TypeAlias = Callable[[Facts, "Case | None"], "Score | list[Score]"]
Derived: TypeAlias = Callable[[Facts, "Case | None", Found], Score]
BETTERS: tuple[Better, ...] = get_args(Better)
OVERS: tuple[Over, ...] = get_args(Over)
BOUNDS: dict[str, Better] = {"above": "higher", "below": "lower", "equal": "lower"}
LARGEST = 1e300  # a number beyond it would not survive a sum
# What a mistake in a user's metric raises; what is none of it is not ours to turn into a sentence.
FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Metric(Protocol):
    """What a metric's module holds, its optional names filled in; see this folder's docstring."""

    UNIT: str
    BETTER: Better


class Column(Struct, frozen=True, gc=False):
    """One named number: a metric, or a part of one.

    ``passes`` is set where it is an assertion, ``goal`` where it has a value to start from;
    ``gates`` says that it may decide: it is no signal, that is to look at only.
    """

    id: str
    summary: str
    unit: str
    better: Better
    over: Over
    passes: bool | int | None = None
    goal: Goal | None = None
    gates: bool = True


class Entry(Struct, frozen=True, gc=False):
    """A metric as the engine uses it: its function, its columns, and when it applies."""

    function: Function
    columns: tuple[Column, ...]
    needs: Callable[[Case | None], str | None]
    module: ModuleType


def _always(case: Case | None) -> str | None:  # the signature of every ``needs``
    return None


def describe(function: Function) -> Entry:
    """Make a metric of a function, with the definitions that stand in its module.

    Raises UsageError where the module lacks what a metric has to say about itself, or says
    something that no summary could print.
    """
    module = sys.modules[function.__module__]
    name = getattr(function, "__name__", "metric")
    if not name.isidentifier():
        raise UsageError(f"metric {name!r}: give it a name with def")
    missing = [word for word in ("UNIT", "BETTER") if not hasattr(module, word)]
    if missing:
        message = f"metric {name!r}: its module does not define {' and '.join(missing)}"
        raise UsageError(message)
    metric = cast("Metric", module)
    over: Over = getattr(module, "OVER", "valid")
    for word, said, allowed in (("BETTER", metric.BETTER, BETTERS), ("OVER", over, OVERS)):
        if said not in allowed:
            message = f"metric {name!r}: {word} is {quoted(said)}; {choose(str(said), allowed)}"
            raise UsageError(message)
    if over == "successes" and hasattr(module, "PARTS"):
        message = f"metric {name!r}: a metric with PARTS cannot count successes only"
        raise UsageError(message)
    parts: tuple[str, ...] = getattr(module, "PARTS", ("",))
    passes = _passes(module, name, parts)
    goal = _goal(metric, name, parts)
    columns = [
        Column(
            f"{name}.{part}" if part else name,
            f"{name}.{part}" if part else getattr(module, "SUMMARY", name),
            metric.UNIT,
            metric.BETTER,
            over,
            None if part else passes,
            None if part else goal,
            not getattr(module, "SIGNAL", False),
        )
        for part in parts
    ]
    return Entry(function, tuple(columns), getattr(module, "needs", _always), module)


def _passes(module: ModuleType, name: str, parts: tuple[str, ...]) -> bool | int | None:
    """The value with which the assertion holds that a metric answers for; None if it is none."""
    passes = getattr(module, "PASSES", None)
    if passes is None:
        return None
    if not isinstance(passes, int):
        message = f"metric {name!r}: PASSES is {quoted(passes)}; give True, False or a whole number"
        raise UsageError(message)
    if "" not in parts:
        raise UsageError(f"metric {name!r}: PASSES is said of a part without a name, and none is")
    return passes


def _goal(metric: Metric, name: str, parts: tuple[str, ...]) -> Goal | None:
    """The value that a metric starts from; None where its source names none."""
    goal = getattr(metric, "STARTS_AT", None)
    if goal is None:
        return None
    said = [word for word in BOUNDS if getattr(goal, word, UNSET) is not UNSET]
    allowed = [word for word, better in BOUNDS.items() if better == metric.BETTER]
    if not isinstance(goal, Goal) or len(said) != 1 or said[0] not in allowed:
        told = " or ".join(f"Goal({word}=NUMBER)" for word in allowed) or "none"
        message = f"metric {name!r}: STARTS_AT is {quoted(goal)}; "
        raise UsageError(f"{message}since {metric.BETTER} is better, give {told}")
    if "" not in parts:
        message = f"metric {name!r}: STARTS_AT is said of a part without a name, and none is"
        raise UsageError(message)
    return goal


def bind(entry: Entry, options: Mapping[str, bool]) -> Entry:
    """The same metric with the options that its module names."""
    taken = {name: options[name] for name in getattr(entry.module, "OPTIONS", ()) if options[name]}
    return replace(entry, function=partial(entry.function, **taken)) if taken else entry


def guard(entry: Entry) -> Entry:
    """The same metric, a user's own: what it does and returns is looked at before it is counted."""
    function, columns = entry.function, entry.columns
    name = columns[0].id

    def guarded(facts: Facts, case: Case | None) -> Score | list[Score]:
        place = f"metric {name!r}, trajectory {facts.trajectory.id!r}"
        try:
            result = function(facts, case)
        except FAULTS as problem:
            raise UsageError(f"{place}: {type(problem).__name__}: {problem}") from problem
        given: Sequence[object] = result if isinstance(result, list) else [result]
        fits = len(given) == len(columns) and all(map(_is_score, given, columns))
        if not fits:
            wanted = "a Score" if len(columns) == 1 else f"a list of {len(columns)} Scores"
            raise UsageError(
                f"{place}: returned {quoted(result)}; return {wanted} whose value is a bool, a "
                "finite number (from 0 to 1 for a share), or None with a why"
            )
        return result

    return replace(entry, function=guarded)


def _is_score(given: object, column: Column) -> bool:
    if not isinstance(given, Score):
        return False
    value = given.value
    if value is None:
        return bool(given.why)
    if not isinstance(value, (int, float)):
        return False
    return -LARGEST < value < LARGEST and (column.unit != "share" or 0 <= value <= 1)
