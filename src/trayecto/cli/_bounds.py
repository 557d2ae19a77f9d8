"""What ``--min`` asks of a metric: a bound of its value, in every group."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from math import isfinite

from msgspec import UNSET, Struct

from trayecto.document import Group
from trayecto.errors import UsageError, choose, quoted
from trayecto.figures import Metric, Metrics, PassK
from trayecto.summaries.tasks import LARGEST_K

_WRITTEN = re.compile(
    r"\s*([^\s<>=]+)\s*(>=|<=|=)\s*(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\s*"
)
_KS = {str(k) for k in range(1, LARGEST_K + 1)}
_FORMS = "METRIC=VALUE, METRIC>=VALUE or METRIC<=VALUE, such as task_success=0.9"


class Bound(Struct, frozen=True):
    """A metric by its id in the JSON document, and the least or the most that it may be."""

    metric: str
    sign: str  # ">=" or "<="; "=" as it was written, and means at least
    limit: str  # the number as it was written
    value: float

    @property
    def text(self) -> str:
        """The bound as it is compared."""
        return f"{self.metric}{'<=' if self.sign == '<=' else '>='}{self.limit}"

    def holds(self, value: float) -> bool:
        """Whether a value keeps to it."""
        return value <= self.value if self.sign == "<=" else value >= self.value


def parse(text: str) -> Bound:
    """Read a bound; raises UsageError where it is none, or its number is not finite."""
    found = _WRITTEN.fullmatch(text)
    value = float(found[3]) if found else 0.0
    if found is None or not isfinite(value):
        raise UsageError(f"--min {quoted(text)}: write it as {_FORMS}")
    return Bound(found[1], found[2], found[3], value)


def check_names(bounds: Iterable[Bound], known: Metrics, signals: Container[str]) -> None:
    """Refuse a metric that there is not or may not gate, and ``=`` where ``<=`` may be meant."""
    for bound in bounds:
        found = _find(known, bound.metric)
        if bound.metric in signals:
            raise UsageError(f"--min {bound.text}: {bound.metric} is a signal, and may not gate")
        if found is None:
            ids = [name for name, metric in known.items() if isinstance(metric, Metric)]
            ids += [f"{name}.1" for name in known if name not in ids]
            raise UsageError(
                f"--min {bound.text}: there is no metric {quoted(bound.metric)}; "
                f"{choose(bound.metric, ids)}"
            )
        if bound.sign == "=" and isinstance(found, Metric) and found.better == "lower":
            limit = bound.limit
            raise UsageError(
                f"--min {bound.metric}={limit}: lower is better there, and = asks for at least; "
                f"write '{bound.metric}<={limit}', or '{bound.metric}>={limit}' if you mean it"
            )


def broken(bounds: Iterable[Bound], groups: list[Group]) -> Iterator[str]:
    """A sentence for each bound that a group does not keep to, or has no value for."""
    for bound in bounds:
        for group in groups:
            told = _miss(bound, group.metrics)
            where = f" (suite {quoted(group.suite)}, candidate {quoted(group.candidate)})"
            if told is not None:
                yield f"--min {bound.text}: {told}{where if len(groups) > 1 else ''}"


def _miss(bound: Bound, metrics: Metrics) -> str | None:
    """What is wrong with a value; None where nothing is."""
    found = _find(metrics, bound.metric)
    if isinstance(found, Metric) and found.value is not None:
        count = f"{found.n} of {found.of} runs"
    elif isinstance(found, PassK) and found.value is not None:
        count = f"{found.tasks} of {found.of} tasks"
    else:
        return f"it is undefined: {_why(found)}"
    if bound.holds(found.value):
        return None
    short = f"{found.value:.6g}"
    told = repr(found.value) if float(short) == bound.value else short
    return f"it is {told}, in {count}"


def _why(found: Metric | PassK | None) -> str:
    if isinstance(found, Metric):
        return "nobody said why" if found.why is UNSET else found.why
    have, of = (0, 0) if found is None else (found.tasks, found.of)
    return f"{have} of {of} tasks have so many trials"


def _find(metrics: Metrics, name: str) -> Metric | PassK | None:
    """A metric by id; of pass_at_k and pass_hat_k one k, an empty one where no task has so many."""
    found = metrics.get(name)
    if isinstance(found, Metric):
        return found
    base, _, k = name.rpartition(".")
    several = metrics.get(base)
    if not isinstance(several, dict) or k not in _KS:
        return None
    first = several["1"]
    return several.get(k, PassK(value=None, available=None, tasks=0, of=first.of))
