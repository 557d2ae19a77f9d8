"""A metric as the engine uses it, made of what its module says about itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Protocol, TypeAlias, cast, get_args

from msgspec import Struct

from trayecto.case import Case
from trayecto.errors import UsageError, choose, quoted
from trayecto.facts import Facts
from trayecto.scores import Better, Over, Score

Function: TypeAlias = Callable[[Facts, "Case | None"], "Score | list[Score]"]
BETTERS: tuple[Better, ...] = get_args(Better)
OVERS: tuple[Over, ...] = get_args(Over)


class Metric(Protocol):
    """What a metric's module holds, its optional names filled in; see this folder's docstring."""

    UNIT: str
    BETTER: Better


class Column(Struct, frozen=True, gc=False):
    """One named number: a metric, or a part of one."""

    id: str
    summary: str
    unit: str
    better: Better
    over: Over


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
    columns = [
        Column(
            f"{name}.{part}" if part else name,
            f"{name}.{part}" if part else getattr(module, "SUMMARY", name),
            metric.UNIT,
            metric.BETTER,
            over,
        )
        for part in getattr(module, "PARTS", ("",))
    ]
    return Entry(function, tuple(columns), getattr(module, "needs", _always), module)
