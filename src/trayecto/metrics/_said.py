"""What the agent said, held against what a case wants said: one rule for answer and culprit."""

from __future__ import annotations

from trayecto.case import AnswerCheck
from trayecto.trajectory import Trajectory


def plain(text: str) -> str:
    """A text as it is compared: small letters, no commas of thousands (tau-bench's way)."""
    return text.lower().replace(",", "")


def unsaid(trajectory: Trajectory, check: AnswerCheck) -> list[str]:
    """What the case wants and the agent did not say, in the case's order.

    Every text of ``contains`` may stand in any turn of the agent; ``equals`` is the last thing that
    it said, but for the white space around it.
    """
    said = [plain(turn.text) for turn in trajectory.turns if turn.role == "assistant" and turn.text]
    missing = [want for want in check.contains if not any(plain(want) in text for text in said)]
    if check.equals is not None:
        last = plain(trajectory.answer or "").strip()
        if last != plain(check.equals).strip():
            missing.append(check.equals)
    return missing
