"""Which tasks belong together, and when nothing is compared."""

from collections.abc import Callable

import pytest

from trayecto.decisions._pairing import pair_tasks
from trayecto.errors import UsageError

Make = Callable[..., object]
MANY = {f"t{number:02}": "p" for number in range(40)}


def test_tasks_pair_by_id(side: Make) -> None:
    """Each once, in the order of their names, however many trials they have."""
    found = pair_tasks(side({"b": "pf", "a": "p"}), side({"a": "f", "b": "pp"}))
    assert [pair.name for pair in found.pairs] == ["a", "b"]
    assert [(pair.base.trials, pair.candidate.trials) for pair in found.pairs] == [(1, 1), (2, 2)]
    assert found.told().paired == found.told().clusters == 2
    assert not found.declared


def test_another_text_is_another_task(side: Make, run: Make) -> None:
    """Under one id: it is not paired, and named."""
    base = side(MANY, text="Refund it.")
    other = side(MANY, text="Refund it.")
    other.tasks["t07"].texts = frozenset({"another"})
    found = pair_tasks(base, other)
    assert found.other_text == ["t07"]
    told = found.told()
    assert (told.paired, told.other_text, told.unmatched) == (39, 1, ["t07"])


def test_one_odd_text_does_not_part_a_task(side: Make) -> None:
    """A side that tells two texts of a task has it in common with one that tells one of them."""
    base, other = side(MANY, text="Refund it."), side(MANY, text="Refund it.")
    other.tasks["t07"].texts |= {"another"}
    assert pair_tasks(base, other).other_text == []


def test_where_a_side_tells_no_text_the_id_decides(side: Make) -> None:
    """A trace without cases has no texts."""
    found = pair_tasks(side({"a": "p"}, text="Refund it."), side({"a": "p"}))
    assert len(found.pairs) == 1


def test_up_to_a_twentieth_may_have_no_partner(side: Make) -> None:
    """Two of 41 tasks are named and left out; three of 42 are too many."""
    found = pair_tasks(side(MANY), side({**MANY, "new": "p"}))
    assert (found.only_base, found.only_candidate) == ([], ["new"])
    with pytest.raises(UsageError, match=r"3 of 43 tasks have no partner.*3 only in the cand"):
        pair_tasks(side(MANY), side({**MANY, "x": "p", "y": "p", "z": "p"}))


def test_nothing_in_common_is_refused(side: Make) -> None:
    """By both names, the first few of each."""
    with pytest.raises(UsageError, match=r"only in the base \('a', 'b', 'c', …\).*only in the c"):
        pair_tasks(side(dict.fromkeys("abcd", "p")), side({"z": "p"}))


def test_declared_clusters_are_counted(side: Make) -> None:
    """Two tasks of one cluster."""
    found = pair_tasks(side({"a": "p", "b": "p"}, cluster="r"), side({"a": "p", "b": "p"}))
    assert found.declared
    assert found.told().clusters == 1
