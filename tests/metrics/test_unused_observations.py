"""Results that nobody used."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.errors import UsageError
from trayecto.metrics import score
from trayecto.metrics.unused_observations import unused_observations
from trayecto.records import Record
from trayecto.scores import Score
from trayecto.trajectory import Trajectory, Turn

Make = Callable[..., Any]


def ending(run: Trajectory, text: str) -> Trajectory:
    """Add what the agent says at the end."""
    return replace(run, turns=(*run.turns, Turn(99, "assistant", text)))


@pytest.mark.parametrize(
    ("steps", "said", "unused"),
    [
        ([("find", {}, "id=8812"), ("get", {"id": 8812}, "142900")], "It is 142900.", ()),
        ([("find", {}, "id=8812"), ("get", {"id": 7}, "142900")], "It is 142900.", (1,)),
        ([("find", {}, "id=8812"), ("get", {"id": 8812}, "142900")], "Done.", (2,)),
        ([("find", {}, "ok")], "Done.", ()),  # nothing new in it
        ([("find", {}, "Santiago")], "In SANTIAGO.", ()),
        ([("find", {"q": "Santiago"}, "Santiago")], "Done.", ()),  # known before
        ([("find", {}, "503 timeout", "error")], "Done.", ()),  # it brought nothing
        ([("find", {}, "id=8812"), ("find", {}, "id=8812")], "8812", ()),  # nothing new again
        ([[("a", {}, "id=11"), ("b", {}, "id=22")]], "22", (1,)),
        ([[("a", {}, "id=11"), ("b", {"id": 11}, "id=22")]], "22", ()),  # 11 was known
    ],
)
def test_what_is_new_and_never_comes_up_again(
    judge: Make, run: Make, steps: list[Any], said: str, unused: tuple[int, ...]
) -> None:
    """By hand, from the definition."""
    found = judge(unused_observations, ending(run(*steps), said))
    assert found == Score(len(unused), None, unused)


def test_it_is_undefined_of_nothing(judge: Make, run: Make) -> None:
    """And where nobody saw anything."""
    assert judge(unused_observations, run()).why == "the run has no turn"
    assert judge(unused_observations, run([])) == Score(0)
    assert judge(unused_observations, run(("a", {}, None))).why == "no call has an observation"
    assert judge(unused_observations, run(("a", "{id", "id=77"))) == Score(1, None, (1,))


def test_it_is_computed_only_for_who_asks(run: Make) -> None:
    """Ruling 5: opt-in; a name that is none says which there are."""
    [plain] = score([Record(run("a"))])
    [asked] = score([Record(run("a"))], metrics=["unused_observations"])
    assert "unused_observations" not in plain.plan.at
    assert "unused_observations" in asked.plan.at
    with pytest.raises(UsageError, match=r"'unused' is not known; .*unused_observations"):
        score([], metrics=["unused"])


def test_escapes_are_no_letters(judge: Make, run: Make) -> None:
    """A line break before a word does not make it another word."""
    steps = [("find", {}, "ref abc123"), ("get", {"q": "ref:\nabc123"}, "ok")]
    assert judge(unused_observations, ending(run(*steps), "Done.")) == Score(0)
