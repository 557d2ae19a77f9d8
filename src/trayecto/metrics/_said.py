"""What the agent said, held against what a case wants said: one rule for answer and culprit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from trayecto.case import AnswerCheck
from trayecto.scores import Score
from trayecto.tolerance import is_close, is_found
from trayecto.trajectory import Trajectory

SCANNED = 1 << 20  # characters in which numbers are looked for
DIGITS = 4_300  # of one number
GROUP = 3  # digits between two marks of thousands
SILENT = Score(None, "the run has no turn of the agent")
_NUMBER = re.compile(
    r"(?<![\w.])[-\u2212+]?[0-9][0-9.,'\u00a0\u202f]*+(?:[eE][-+]?[0-9]{1,3}(?![0-9]))?"
)
_SPACES = re.compile("['\u00a0\u202f]")


def spoke(trajectory: Trajectory) -> bool:
    """Whether the run has a turn of the agent; without one nobody knows what it would say."""
    return any(turn.role == "assistant" for turn in trajectory.turns)


def plain(text: str) -> str:
    """A text as it is compared: small letters, no commas of thousands (tau-bench's way)."""
    return text.lower().replace(",", "")


def wanted(check: AnswerCheck) -> list[str]:
    """Everything that a case wants said, as texts."""
    number = None if check.number is None else str(check.number)
    singles = (check.equals, number, check.pattern)
    return [*check.contains, *(text for text in singles if text is not None)]


def unsaid(trajectory: Trajectory, check: AnswerCheck) -> list[str]:
    """What the case wants and the agent did not say, in the case's order.

    Every text of ``contains`` may stand in any turn of the agent, and ``pattern`` may match in any;
    ``equals`` is the last thing that it said, but for the white space around it, and the last thing
    that it said holds ``number``.
    """
    texts = [turn.text for turn in trajectory.turns if turn.role == "assistant" and turn.text]
    said = [plain(text) for text in texts]
    missing = [want for want in check.contains if not _is_said(want, said, texts)]
    last = trajectory.answer or ""
    if check.equals is not None and plain(last).strip() != plain(check.equals).strip():
        missing.append(check.equals)
    if check.number is not None and not _holds(last, check.number, check):
        missing.append(str(check.number))
    if check.pattern is not None and not any(is_found(check.pattern, text) for text in texts):
        missing.append(check.pattern)
    return missing


def _is_said(want: str, said: list[str], texts: list[str]) -> bool:
    """Whether a text stands in what was said; one of commas only, in what was written."""
    short = plain(want)
    return any(short in text for text in said) if short else any(want in text for text in texts)


def _holds(text: str, number: float, check: AnswerCheck) -> bool:
    wanted = Decimal(str(number))
    return any(is_close(found, wanted, check.tolerance) for found in numbers(text))


def numbers(text: str) -> Iterator[Decimal]:
    """Every number in a text, by each way to read it.

    142.900 is a hundred and forty-two thousand where a point marks thousands, and 142.9 where it
    marks decimals: both are given. Two different marks are thousands, then decimals.
    """
    for found in _NUMBER.finditer(text[:SCANNED]):
        written = _SPACES.sub("", found.group().replace("\u2212", "-").rstrip(".,'\u00a0\u202f"))
        if len(written) <= DIGITS:
            for reading in _readings(written):
                yield Decimal(reading)


def _readings(written: str) -> Iterator[str]:
    """How a number may be meant, with a point for its decimals."""
    marks = [mark for mark in written if mark in ".,"]
    if not marks:
        yield written
        return
    last = marks[-1]
    whole, _, rest = written.rpartition(last)
    plain_whole = whole.replace(".", "").replace(",", "")
    if marks.count(last) == 1:
        yield f"{plain_whole}.{rest}"
    digits = rest.lower().partition("e")[0]
    leads = plain_whole.lstrip("-+")[:1] not in ("", "0")  # 0.500 has no thousands
    if len(set(marks)) == 1 and len(digits) == GROUP and leads:
        yield plain_whole + rest
