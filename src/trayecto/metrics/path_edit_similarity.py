"""How alike the path and the reference are: 1 minus the edit distance over the longer length.

Counted: names of the tools of calls whose outcome is not an error, against the reference's names
in the order in which it lists them; insertions, deletions and substitutions cost 1. Arguments do
not count. Unit: share, 0 to 1. Higher is better. Undefined without a reference, with an empty one
in a mode that allows extra calls (it asserts nothing), and when both sides are empty. Without a
call it is 0 against any reference that has one.

Source: Levenshtein 1966, computed by rapidfuzz.
"""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

from trayecto.case import Case
from trayecto.facts import Facts
from trayecto.metrics._reference import reference_of
from trayecto.metrics._reference import why_no_reference as needs
from trayecto.scores import Score

UNIT = "share"
BETTER = "higher"

__all__ = ["BETTER", "UNIT", "needs", "path_edit_similarity"]

NOTHING = Score(None, "the reference is empty, and no call was done")


def path_edit_similarity(facts: Facts, case: Case) -> Score:
    """Compare the two sequences of names."""
    expected = reference_of(case).tools
    tools = facts.tools
    if len(facts.done) < len(tools):
        tools = [call.tool for call in facts.done]
    if not tools and not expected:
        return NOTHING
    return Score(Levenshtein.normalized_similarity(tools, expected))
