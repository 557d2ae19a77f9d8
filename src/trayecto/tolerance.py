"""Tolerance: how far an argument may be from the one that a case expects.

A tolerance is written as ``any`` (whatever is given will do, or nothing), as a number (a distance),
or as a mapping with one or more of these words:

- ``absolute``: a number may be so far away, in decimals: 0.3 is 0.1 away from 0.2.
- ``relative``: a number may be so far away, as a share of the expected one: 0.01 is one per cent.
- ``ignore_case``: large and small letters of a text are the same (Unicode case folding).
- ``ignore_punctuation``: spaces and the signs ``, . / - _ * ^`` of a text do not count, and ``'``
  is ``"``. So ``x**2`` is ``x^2``, and ``April 1, 2024`` is ``april 1 2024`` if the case of letters
  is free too: BFCL's rule for texts.
- ``date``: two ISO 8601 dates are the same day, two times the same instant; where one has no time
  of day only the days count, and where one has no offset both are taken as they are written.
- ``one_of``: a list of acceptable values, which replaces the expected one.
- ``pattern``: the whole text matches a regular expression (re2: linear time on any text).
- ``optional``: the argument may be left out.

With ``one_of``, the other words say how near to one of the values it has to be. A value that is not
of the kind that a word speaks of (a text for ``absolute``, true for a number) is never near. What
is said of a text holds for the texts inside a list or a mapping too, and what two words say of a
text holds together.

Source: article 002, *exactitud de argumentos*; BFCL's possible answers; the design's ruling 3.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Protocol, TypeAlias, cast

from msgspec.json import Encoder

from trayecto.trajectory import Json

Near: TypeAlias = Callable[[Json, Json, Json], bool]

ANY = "any"
WORDS = (
    "absolute",
    "relative",
    "ignore_case",
    "ignore_punctuation",
    "date",
    "one_of",
    "pattern",
    "optional",
)
PATTERNS = 512  # compiled patterns that are kept
MEMORY = 8 << 20  # bytes that one of them may take
_encode = Encoder(order="deterministic").encode
_PUNCTUATION = str.maketrans({**dict.fromkeys(" ,./-_*^"), "'": '"'})


class _Pattern(Protocol):
    """What is asked of a compiled pattern."""

    def fullmatch(self, text: str) -> object | None: ...

    def search(self, text: str) -> object | None: ...


def same(one: Json, other: Json) -> bool:
    """Whether two JSON values are equal: true is not 1, and the order of keys does not count."""
    return one == other and _encode(one) == _encode(other)


def allows_absence(tolerance: Json) -> bool:
    """Whether an argument may be left out."""
    if isinstance(tolerance, dict):
        return bool(tolerance.get("optional"))
    return tolerance == ANY


def is_near(actual: Json, expected: Json, tolerance: Json) -> bool:
    """Whether a value that was given is within a tolerance of the expected one."""
    if tolerance == ANY:
        return True
    if not isinstance(tolerance, dict):
        return _is_within(actual, expected, tolerance)
    if "pattern" in tolerance:
        return isinstance(actual, str) and matches_whole(str(tolerance["pattern"]), actual)
    choices = tolerance.get("one_of")
    wanted = choices if isinstance(choices, list) else [expected]
    words = [word for word in _NEAR if tolerance.get(word) not in (None, False)]
    case, signs = bool(tolerance.get("ignore_case")), bool(tolerance.get("ignore_punctuation"))
    if case or signs or not words:
        plain = _plain(actual, case=case, signs=signs)
        if any(same(plain, _plain(want, case=case, signs=signs)) for want in wanted):
            return True
    return any(_NEAR[word](actual, want, tolerance[word]) for want in wanted for word in words)


def _is_within(actual: Json, expected: Json, most: Json) -> bool:
    one, other = decimal(actual), decimal(expected)
    return one is not None and other is not None and is_close(one, other, {"absolute": most})


def _is_within_share(actual: Json, expected: Json, share: Json) -> bool:
    one, other = decimal(actual), decimal(expected)
    return one is not None and other is not None and is_close(one, other, {"relative": share})


def is_close(one: Decimal, other: Decimal, tolerance: Json) -> bool:
    """Whether a number is within ``absolute`` or ``relative`` of another.

    A bare number is the first of them; without either the two must be equal.
    """
    words = tolerance if isinstance(tolerance, dict) else {"absolute": tolerance}
    most, share = decimal(words.get("absolute")), decimal(words.get("relative"))
    far = abs(one - other)
    if most is None and share is None:
        return far == 0
    return (most is not None and far <= most) or (share is not None and far <= abs(other) * share)


def decimal(value: Json) -> Decimal | None:
    """A number as it is written, exactly; None for what is none (a bool is none)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return Decimal(str(value))


def _plain(value: Json, *, case: bool, signs: bool) -> Json:
    """A value whose texts are without what does not count; keys stay as they are."""
    if isinstance(value, str):
        text = value.casefold() if case else value
        return text.translate(_PUNCTUATION) if signs else text
    if isinstance(value, list):
        return [_plain(each, case=case, signs=signs) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each, case=case, signs=signs) for key, each in value.items()}
    return value


def _is_same_date(actual: Json, expected: Json, _: Json) -> bool:
    one, other = _moment(actual), _moment(expected)
    if one is None or other is None:
        return False
    if _is_day(str(actual)) or _is_day(str(expected)):
        return one.date() == other.date()
    if one.tzinfo is None or other.tzinfo is None:
        return one.replace(tzinfo=UTC) == other.replace(tzinfo=UTC)
    return one == other


def _is_day(text: str) -> bool:
    """Whether a text tells a day, and no time of it."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _moment(value: Json) -> datetime | None:
    """The time that a text tells in ISO 8601; None where it tells none."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


_NEAR: dict[str, Near] = {
    "absolute": _is_within,
    "relative": _is_within_share,
    "date": _is_same_date,
}


def matches_whole(pattern: str, text: str) -> bool:
    """Whether a whole text matches a pattern."""
    return _compiled(pattern).fullmatch(_encodable(text)) is not None


def is_found(pattern: str, text: str) -> bool:
    """Whether a pattern matches anywhere in a text."""
    return _compiled(pattern).search(_encodable(text)) is not None


def _encodable(text: str) -> str:
    """A text with its lone surrogates as escapes: nothing else could be searched."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def why_no_pattern(pattern: str) -> str | None:
    """Why a text is no pattern that can be used; None where it is one."""
    import re2  # type: ignore[import-untyped]  # ships no types; _Pattern says what is used

    try:
        _compiled(pattern)
    except re2.error as problem:
        told = problem.args[0]
        return told.decode(errors="replace") if isinstance(told, bytes) else str(told)
    return None


@lru_cache(PATTERNS)
def _compiled(pattern: str) -> _Pattern:
    """The pattern, compiled once: it may not take much memory, and nothing is printed for it."""
    import re2  # slow to import, and few cases hold a pattern

    options = re2.Options()
    options.log_errors = False
    options.max_mem = MEMORY
    return cast("_Pattern", re2.compile(_encodable(pattern), options))
