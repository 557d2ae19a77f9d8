"""What the agent was in the runs of a task, as far as the traces tell.

Two candidates that differ in more than one of them cannot show which one made the difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct, field
from msgspec.json import Encoder

from trayecto.comparison import Aspect, Differs
from trayecto.document import shorten
from trayecto.trajectory import Json, Trajectory

SHOWN = 5  # values that are named
DIGEST = 8
OPTIONS = (
    "temperature", "top_p", "top_k", "seed", "max_tokens", "max_output_tokens",
    "reasoning_effort", "parallel_tool_calls", "tool_choice",
)  # fmt: skip
ASPECTS: tuple[Aspect, ...] = ("model", "prompt", "tools", "options")
_encode = Encoder(order="deterministic").encode


class Setup(Struct):
    """What was seen of each aspect; nothing where the traces do not tell."""

    model: set[str] = field(default_factory=set)
    prompt: set[str] = field(default_factory=set)
    tools: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)

    def add(self, trajectory: Trajectory) -> None:
        """Note one run."""
        self.model.update(spent.model for spent in trajectory.spent if spent.model)
        self.model.update(turn.model for turn in trajectory.turns if turn.model)
        prompts = (turn.text for turn in trajectory.turns if turn.role == "system" and turn.text)
        self.prompt.update(f"sha256:{_digest(text.encode(errors='replace'))}" for text in prompts)
        for tool in trajectory.tools or ():
            told = _digest(_encode([tool.description, tool.parameters]))
            self.tools.add(f"{tool.name} ({told})")
        for name in OPTIONS:
            if name in trajectory.extra:
                self.options.add(f"{name}={_written(trajectory.extra[name])}")

    def of(self, aspect: Aspect) -> set[str]:
        """What was seen of one aspect."""
        found: dict[Aspect, set[str]] = {
            "model": self.model,
            "prompt": self.prompt,
            "tools": self.tools,
            "options": self.options,
        }
        return found[aspect]


class Setups(Struct, frozen=True):
    """What differs on some task, what never does, and what a side does not tell on any."""

    differs: list[Differs]
    same: list[Aspect]
    untold: list[Aspect]


def compare_setups(pairs: Iterable[tuple[Setup, Setup]]) -> Setups:
    """Hold the agents against each other; what only one side tells is no difference."""
    base: dict[Aspect, set[str]] = {aspect: set() for aspect in ASPECTS}
    candidate: dict[Aspect, set[str]] = {aspect: set() for aspect in ASPECTS}
    told: set[Aspect] = set()
    for one, other in pairs:
        for aspect in ASPECTS:
            left, right = one.of(aspect), other.of(aspect)
            if aspect == "options":
                left, right = _both_tell(left, right), _both_tell(right, left)
            if left and right:
                told.add(aspect)
                base[aspect] |= left - right
                candidate[aspect] |= right - left
    differ = [aspect for aspect in ASPECTS if base[aspect] or candidate[aspect]]
    return Setups(
        [
            Differs(aspect=aspect, base=_named(base[aspect]), candidate=_named(candidate[aspect]))
            for aspect in differ
        ],
        [aspect for aspect in ASPECTS if aspect in told and aspect not in differ],
        [aspect for aspect in ASPECTS if aspect not in told],
    )


def _both_tell(options: set[str], others: set[str]) -> set[str]:
    """The options whose names the other side tells as well."""
    names = {_option(other) for other in others}
    return {option for option in options if _option(option) in names}


def _option(text: str) -> str:
    return text.partition("=")[0]


def _named(values: set[str]) -> list[str]:
    """The first by name, and how many more there are."""
    order = [shorten(value) for value in sorted(values)]
    more = len(order) - SHOWN
    return [*order[:SHOWN], f"+{more}"] if more > 0 else order


def _digest(raw: bytes) -> str:
    return sha256(raw).hexdigest()[:DIGEST]


def _written(value: Json) -> str:
    return shorten(_encode(value).decode())
