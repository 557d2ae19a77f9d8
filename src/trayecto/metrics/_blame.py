"""What is shown beside a culprit: the request before it, and the facts that are no verdict.

Article 000 blames the first error or the first deviation from the reference. Held against 29 runs
labelled by people that names the right message once by the article's text and three times by its
code (``paso_culpable``), so both stay facts, printed beside the culprit and never in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trayecto.case import Reference
from trayecto.facts import Facts
from trayecto.trajectory import Call, Trajectory, Turn

LOOP = 3  # times: the design's ruling 6
_LONGEST = 100  # characters of a bare confirmation
_CONFIRMATION = re.compile(r"(?:yes|yep|yeah|ok|okay|sure|sí|si|dale)\b", re.IGNORECASE)


def agent_turns(trajectory: Trajectory) -> list[Turn]:
    """The turns of the agent."""
    return [turn for turn in trajectory.turns if turn.role == "assistant"]


def agent_calls(trajectory: Trajectory) -> list[Call]:
    """The calls of the agent: those that a simulated user makes are not its own."""
    return [call for turn in trajectory.turns if turn.role == "assistant" for call in turn.calls]


def first_error(calls: Sequence[Call]) -> Call | None:
    """The first call known to have failed; an unknown outcome is no error."""
    return next((call for call in calls if call.outcome == "error"), None)


def first_deviation(calls: Sequence[Call], reference: Reference) -> Call | None:
    """The first call whose tool is not in the reference; if all are and the order fails, the last.

    An empty reference is deviated from by nothing: the article asks only where it has a call.
    """
    if not reference.tools or not calls:
        return None
    known = frozenset(reference.tools)
    strange = next((call for call in calls if call.tool not in known), None)
    return strange if strange is not None or _follows(calls, reference) else calls[-1]


def article_by_text(calls: Sequence[Call], reference: Reference | None) -> Call | None:
    """Article 000's text: the first error or the first deviation, whichever comes first."""
    deviation = None if reference is None else first_deviation(calls, reference)
    both = [call for call in (first_error(calls), deviation) if call is not None]
    return min(both, key=lambda call: call.index, default=None)


def article_by_code(calls: Sequence[Call], reference: Reference | None) -> Call | None:
    """Article 000's ``paso_culpable``: the first error; without one, where the order breaks."""
    error = first_error(calls)
    if error is not None or reference is None or _follows(calls, reference):
        return error
    return first_deviation(calls, reference)


def _follows(calls: Sequence[Call], reference: Reference) -> bool:
    """Whether the reference's tools occur in order; other calls may come between."""
    made = iter([call.tool for call in calls])
    return all(tool in made for tool in reference.tools)


def loops(facts: Facts) -> list[list[Call]]:
    """The agent's calls with one tool, one form of arguments and one observation, 3 or more."""
    own = {call.index for call in agent_calls(facts.trajectory)} if facts.repeats else set()
    found: list[list[Call]] = []
    for group in facts.repeats:
        same: dict[str, list[Call]] = {}
        for call in group:
            if call.observation is not None and call.index in own:
                same.setdefault(call.observation, []).append(call)
        found += [calls for calls in same.values() if len(calls) >= LOOP]
    return found


def request_before(turns: Sequence[Turn], position: int) -> int | None:
    """The last turn before a position in which the user does more than confirm.

    The words are English and Spanish; in any other language that is the last user turn.
    """
    for turn in reversed(turns):
        if turn.role == "user" and turn.position < position and not _confirms(turn.text or ""):
            return turn.position
    return None


def _confirms(text: str) -> bool:
    plain = text.strip()
    return len(plain) <= _LONGEST and _CONFIRMATION.match(plain) is not None
