"""What a reader must know before the words of a comparison."""

from collections.abc import Callable

import pytest

from trayecto.comparison import Differs
from trayecto.decisions import Side
from trayecto.decisions._caveats import caveats, infrastructure_differs
from trayecto.decisions._pairing import pair_tasks
from trayecto.decisions._trust import Trust

Make = Callable[..., Side]
MANY = {f"t{number:02}": "p" for number in range(40)}


def broken(side: Make, number: int) -> Side:
    """Return 40 runs of which so many broke without the agent's fault."""
    return side({name: "i" if at < number else "p" for at, name in enumerate(MANY)})


@pytest.mark.parametrize(
    ("base", "candidate", "differs"),
    [
        (0, 0, False),  # none
        (0, 1, True),  # 2.5 points apart
        (1, 1, False),  # 2.5 % on both sides
        (2, 2, False),  # 5 % on both sides, and not more
        (3, 3, True),  # 7.5 % is too often, wherever
        (0, 6, True),
    ],
)
def test_infrastructure_that_differs(
    side: Make, base: int, candidate: int, *, differs: bool
) -> None:
    """More than two points apart, or more than 5 % on either side (STATISTICS 1.1)."""
    assert infrastructure_differs(broken(side, base), broken(side, candidate)) is differs


def test_two_points_are_not_more_than_two(side: Make) -> None:
    """3 and 5 of 100, where floats make 0.020000000000000004 of it; 3 and 6 are more."""
    one, other = side({"a": "p"}), side({"a": "p"})
    one.statuses.update(completed=96, infra_error=3)
    other.statuses.update(completed=94, infra_error=5)
    assert not infrastructure_differs(one, other)
    other.statuses.update(completed=-1, infra_error=1)
    assert infrastructure_differs(one, other)


def test_runs_that_were_not_carried_out_are_missing(side: Make) -> None:
    """Cancelled, or never begun: that is no fault of the infrastructure."""
    one, other = side({"a": "p"}), side({"a": "p"})
    one.statuses.update(completed=99)
    other.statuses.update(completed=60, cancelled=20, not_run=19)
    assert not infrastructure_differs(one, other)


def test_a_large_suite_by_fisher(side: Make) -> None:
    """0 and 12 of 1,000 are 1.2 points apart: too far for chance, at p 0.0005."""
    one, other = side({"a": "p"}), side({"a": "p"})
    one.statuses.update(completed=999)
    other.statuses.update(completed=987, infra_error=12)
    assert infrastructure_differs(one, other)
    other.statuses["infra_error"] = 2
    assert not infrastructure_differs(one, other)


def test_every_caveat_in_its_order(side: Make) -> None:
    """The gravest first, each with the counts of both sides."""
    base, candidate = side(dict.fromkeys("abcde", "p")), side(dict.fromkeys("abcde", "i"))
    base.trust, base.pooled = Trust(10, 1), 2
    candidate.pooled = 2
    differs = [
        Differs(aspect=aspect, base=["x"], candidate=["y"]) for aspect in ("model", "prompt")
    ]
    found = caveats(base, candidate, pair_tasks(base, candidate), differs)
    assert [(each.code, each.base, each.candidate) for each in found] == [
        ("success_contradicts_trajectory", "1 of 10", "0 of 0"),
        ("infrastructure_differs", "0 of 5", "5 of 5"),
        ("cannot_be_significant", "5", "5"),
        ("several_things_differ", "model, prompt", "model, prompt"),
        ("pooled", "2", "2"),
    ]


def test_nothing_to_say(side: Make) -> None:
    """Six tasks can reach 0.05, and one thing that differs is what is compared."""
    base = side(dict.fromkeys("abcdef", "p"))
    one = [Differs(aspect="model", base=["x"], candidate=["y"])]
    assert caveats(base, base, pair_tasks(base, base), one) == []
