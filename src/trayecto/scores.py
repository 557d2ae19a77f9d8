"""A score: one number about one trajectory, or the reason why there is none.

This file does not know how any score is computed.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from msgspec import UNSET, Struct, UnsetType

Kind: TypeAlias = Literal[
    "wrong_write",
    "refused_write",
    "blocked_by",
    "never_done",
    "value_never_said",
    "failed_execution",
    "ran_out",
]
Better: TypeAlias = Literal["higher", "lower", "neither"]
Over: TypeAlias = Literal["runs", "valid", "successes"]
# Why a metric of an assertion is undefined for a case that does not make it: nothing is missing.
NOT_ASKED = "the case does not ask for it"
# Why task_success is undefined where no grader was at work: nothing was asserted of the run.
UNRECORDED = "nobody recorded whether the run succeeded"


class Culprit(Struct, frozen=True, gc=False):
    """Where a failed run broke.

    ``turn`` is a position in the source, ``call`` an index, None where nothing was called (an
    absence); ``also`` is the user turn before it, to look at second. ``evidence`` is a sentence and
    may hold agent text; ``tool`` and ``kind`` are labels.
    """

    turn: int
    call: int | None
    kind: Kind
    tool: str | None
    evidence: str
    also: int | None = None


Value: TypeAlias = bool | int | float | Culprit


class Score(Struct, frozen=True, gc=False):
    """A value, or None with the reason, and the indexes of the calls that show it."""

    value: Value | None
    why: str | None = None
    steps: tuple[int, ...] = ()


class Goal(Struct, frozen=True, kw_only=True, gc=False, repr_omit_defaults=True):
    """The value that a metric starts from, as its source states it: one bound, and no gate."""

    above: float | UnsetType = UNSET
    below: float | UnsetType = UNSET
    equal: float | UnsetType = UNSET

    def is_missed(self, value: float) -> bool:
        """Whether a value falls short: what stands at the number is neither above nor below it."""
        if self.above is not UNSET:
            return value <= self.above
        return value >= self.below if self.below is not UNSET else value != self.equal


class Found(Protocol):
    """What the other metrics found of a run: what a derived metric asks."""

    def score(self, name: str) -> Score | None:
        """The score of a metric by id; None where it does not apply to the run."""

    def passes(self, name: str) -> bool | None:
        """Whether a metric's value is the good one; None where it has none, or does not apply.

        The good one of a check is True where higher is better, False or 0 where lower is.
        """
