"""How many tokens the attempt used, in four buckets that do not overlap.

``tokens.input`` is fresh input, ``tokens.cache_read`` and ``tokens.cache_write`` the input that was
read from and written to a cache, ``tokens.output`` what was generated, reasoning included. Counted:
every generation of the attempt and of its sub-agents, failed ones too. Unit: tokens. Lower is
better. Undefined where the trace has no token counts, or where one generation has none: part of a
sum is no sum.

Source: OpenTelemetry GenAI usage attributes, made disjoint; the design's values.
"""

from __future__ import annotations

from trayecto.case import Case
from trayecto.facts import Facts, family
from trayecto.scores import Score
from trayecto.wire.usage import add_up

UNIT = "tokens"
BETTER = "lower"
OVER = "runs"
PARTS = ("input", "cache_read", "cache_write", "output")

UNCOUNTED = [Score(None, "no token counts")] * 4
UNTOLD = Score(None, "the trace does not tell cached tokens apart")
PARTLY = [Score(None, "a generation has no token counts")] * 4


def tokens(facts: Facts, case: Case | None) -> list[Score]:
    """Add the buckets over the models that were used."""
    root = facts.trajectory
    spent = root.spent
    if root.children:
        members = family(root)
        if not all(member.spent for member in members):
            return PARTLY if any(member.spent for member in members) else UNCOUNTED
        spent = tuple(part for member in members for part in member.spent)
    if not spent:
        return UNCOUNTED
    used = [part.usage for part in spent]
    total = used[0] if len(used) == 1 else add_up(used)
    if total is None:
        known = any(used) or any(turn.usage for turn in root.turns)
        return PARTLY if known else UNCOUNTED
    read, write = total.cache_read, total.cache_write
    return [
        Score(total.input),
        UNTOLD if read is None else Score(read),
        UNTOLD if write is None else Score(write),
        Score(total.output),
    ]
