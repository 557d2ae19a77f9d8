"""Where two runs part: by tool, by arguments, at an end, or nowhere."""

import pytest

from trayecto.decisions._arm import Step
from trayecto.decisions._parting import parting


def steps(text: str) -> list[Step]:
    """Return steps: a letter a tool, a digit after it its arguments, a turn for each."""
    pairs = [(text[at], text[at + 1]) for at in range(0, len(text), 2)]
    return [
        Step(tool, number.encode(), 10 * at, writes=False)
        for at, (tool, number) in enumerate(pairs, 1)
    ]


@pytest.mark.parametrize(
    ("base", "candidate", "what", "step", "tools"),
    [
        ("a1b1", "a1c1", "tool", 2, ("b", "c")),
        ("a1b1", "a2b1", "arguments", 1, ("a", "a")),
        ("a1b1c1", "a1b1", "ended", 3, ("c", None)),
        ("a1", "a1b1", "ended", 2, (None, "b")),
        ("", "a1", "ended", 1, (None, "a")),
        ("a1b1", "a1b1", "none", None, (None, None)),
        ("", "", "none", None, (None, None)),
    ],
)
def test_the_first_step_that_differs(
    base: str, candidate: str, what: str, step: int | None, tools: tuple[str | None, str | None]
) -> None:
    """Counted from 1, with the tool on either side."""
    found = parting(steps(base), steps(candidate))
    assert (found.what, found.step) == (what, step)
    assert (found.base_tool, found.candidate_tool) == tools


def test_the_turns_are_those_of_each_side() -> None:
    """A step may stand in turn 20 here and in turn 10 there."""
    found = parting(steps("a1b1")[1:], steps("c1"))
    assert (found.base_turn, found.candidate_turn) == (20, 10)
    assert parting(steps("a1"), []).candidate_turn is None


def test_it_mirrors() -> None:
    """Base and candidate turned round part at the same step."""
    one, other = parting(steps("a1b1"), steps("a1")), parting(steps("a1"), steps("a1b1"))
    assert (one.what, one.step) == (other.what, other.step)
    assert (one.base_turn, one.candidate_turn) == (other.candidate_turn, other.base_turn)
