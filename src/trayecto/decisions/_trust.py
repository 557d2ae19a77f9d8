"""Whether a recorded success can be trusted: one that had to write, and wrote nothing, cannot.

Counted: runs that are recorded as a success, whose reference has a call that changes the world; of
them, those without any call of such a tool that did not fail, sub-agents' calls included. What
writes is what the suite or the contracts say, else guessed from the name, as the culprit does.

Source: the project's design notes; "Establishing Best Practices for Building Rigorous Agentic
Benchmarks" (2507.02825), on rewards that a run which did nothing gets.
"""

from __future__ import annotations

from msgspec import Struct

from trayecto.contracts import is_write
from trayecto.facts import calls_of_children, known_effects
from trayecto.metrics import Scored

LIMIT = 0.05  # share of contradicted successes from which on success is not to be trusted


class Trust(Struct):
    """Recorded successes that had to write, and those among them that wrote nothing."""

    expected: int = 0
    contradicted: int = 0

    def add(self, run: Scored) -> None:
        """Count one run."""
        trajectory, case = run.trajectory, run.case
        reference = None if case is None else case.secret.reference
        if not trajectory.success or trajectory.success_from != "recorded" or reference is None:
            return
        effects = known_effects(run.facts, case)
        if any(is_write(tool, effects) for tool in reference.tools):
            self.expected += 1
            calls = [*run.facts.calls, *calls_of_children(run.facts)]
            written = (call for call in calls if is_write(call.tool, effects))
            self.contradicted += all(call.outcome == "error" for call in written)

    def merge(self, other: Trust) -> None:
        """Add the runs of another part."""
        self.expected += other.expected
        self.contradicted += other.contradicted

    @property
    def doubtful(self) -> bool:
        """Whether more than 5 % of the successes contradict what was done."""
        return self.contradicted > LIMIT * self.expected

    def __str__(self) -> str:
        """``2 of 77``."""
        return f"{self.contradicted} of {self.expected}"
