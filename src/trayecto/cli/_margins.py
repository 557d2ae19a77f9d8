"""What ``--margin`` allows: how much worse a metric may be, by its id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import UNSET

from trayecto.comparison import SUCCESS, Compared
from trayecto.errors import UsageError, choose, quoted
from trayecto.metrics import Column
from trayecto.summaries.tasks import LARGEST_K

LEAST, MOST = 0.0, 1.0
PERCENT = 100.0
Margins: TypeAlias = dict[str, float]


def parse(texts: Iterable[str]) -> Margins:
    """Read margins; raises UsageError for what is none, and for a metric that has two."""
    found: Margins = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        share = _share(value)
        if not LEAST < share < MOST or (equals and not name):
            raise UsageError(
                f"--margin {quoted(text)}: write it as VALUE or METRIC=VALUE, a share between 0 "
                "and 1 such as 0.05, or 5%"
            )
        name = name or SUCCESS
        if name in found:
            raise UsageError(f"--margin {quoted(text)}: {name} has a margin already")
        found[name] = share
    return found


def _share(text: str) -> float:
    """A share as a number, or as a percentage; -1 where it is neither."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        return -1.0
    return number / PERCENT if text.endswith("%") else number


def refuse_unknown(margins: Margins, columns: Iterable[Column]) -> None:
    """Refuse a margin of what is no metric, or no share of which one direction is good."""
    shares = {
        column.summary
        for column in columns
        if column.unit == "share" and column.better != "neither"
    }
    shares |= {f"pass_hat_k.{k}" for k in range(2, LARGEST_K + 1)}
    for name in margins:
        if name not in shares:
            raise UsageError(
                f"--margin {name}: is no share that can be compared; {choose(name, sorted(shares))}"
            )


def refuse_unanswered(margins: Mapping[str, float], groups: Iterable[Compared]) -> None:
    """Refuse a margin of a metric that some suite has no value of: nothing would be said of it.

    Also of one whose values leave 0 to 1: of these there is no bound.
    """
    for group in groups:
        for name in margins:
            found = group.metrics.get(name)
            if found is not None and found.margin is found.why is UNSET:
                raise UsageError(f"--margin {name}: its values leave 0 to 1, so it has no bound")
            if found is None:
                known = sorted(group.metrics)
                raise UsageError(
                    f"--margin {name}: was not compared on suite {quoted(group.suite)}, "
                    f"where there are {', '.join(known)}"
                )
