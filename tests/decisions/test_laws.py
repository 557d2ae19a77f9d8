"""Laws of a comparison: what must hold of any two sides."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from trayecto.comparison import Difference
from trayecto.decisions import Comparison, Side, compare
from trayecto.decisions._difference import Values, differ

Make = Callable[..., Side]
SHARES = st.integers(0, 4).map(lambda count: count / 4)
PAIRS = st.lists(st.tuples(SHARES, SHARES), min_size=2, max_size=24)
MIRROR = {"better": "worse", "worse": "better", "undecided": "undecided", None: None}
ENDS = st.dictionaries(
    st.sampled_from([f"t{number}" for number in range(8)]),
    st.tuples(st.text("pf", min_size=1, max_size=3), st.text("pf", min_size=1, max_size=3)),
    min_size=2,
)


def values(pairs: list[tuple[float, float]], **fields: object) -> Values:
    """Return a share of which more is better, on these tasks."""
    base, candidate = (list(side) for side in zip(*pairs, strict=True))
    found = {"units": None, "single": False, "unit": "share", "better": "higher", **fields}
    return Values(base, candidate, **found)


def turned(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the sides in each other's place."""
    return [(other, one) for one, other in pairs]


def sides(side: Make, ends: Mapping[str, tuple[str, str]], *, back: bool = False) -> Comparison:
    """Compare two sides whose tasks end so, or the other way round."""
    base = side({task: runs[0] for task, runs in ends.items()})
    candidate = side({task: runs[1] for task, runs in ends.items()})
    first, second = (candidate, base) if back else (base, candidate)
    return compare(("one", {"shop": first}), [("two", {"shop": second})])


@given(PAIRS)
def test_the_sides_turned_round(pairs: list[tuple[float, float]]) -> None:
    """Differences change their sign, the ends of the interval their places; p stays."""
    found, back = differ(values(pairs)), differ(values(turned(pairs)))
    assert found.difference == pytest.approx(-back.difference)
    assert found.interval == pytest.approx((-back.interval[1], -back.interval[0]))
    assert found.p_value == pytest.approx(back.p_value)
    assert (found.won, found.lost) == (back.lost, back.won)
    assert MIRROR[found.verdict] == back.verdict


@given(PAIRS, st.randoms())
def test_the_order_of_tasks_does_not_matter(
    pairs: list[tuple[float, float]], random: object
) -> None:
    """No number depends on it, to the last digits of a sum."""
    shuffled = pairs.copy()
    random.shuffle(shuffled)
    one, other = differ(values(pairs)), differ(values(shuffled))
    for name in ("base", "candidate", "difference", "p_value"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))
    assert one.verdict == other.verdict


@given(PAIRS)
def test_less_is_better_is_the_mirror(pairs: list[tuple[float, float]]) -> None:
    """The same numbers with the opposite word."""
    more, less = differ(values(pairs)), differ(values(pairs, better="lower"))
    assert (more.difference, more.interval, more.p_value) == (
        less.difference, less.interval, less.p_value,
    )  # fmt: skip
    assert MIRROR[more.verdict] == less.verdict
    assert (more.won, more.lost) == (less.lost, less.won)


@given(PAIRS, st.sampled_from([0.02, 0.05, 0.2, 0.6]))
def test_a_margin_never_makes_better_or_hides_worse(
    pairs: list[tuple[float, float]], margin: float
) -> None:
    """It adds no_worse to what was undecided, and worse to what is beyond it."""
    plain, held = differ(values(pairs)), differ(values(pairs), margin)
    if plain.verdict in ("better", "worse"):
        assert held.verdict == plain.verdict
    else:
        assert held.verdict in ("undecided", "no_worse", "worse")
    assert (held.verdict == "no_worse") <= (held.margin.outcome == "pass")


@given(PAIRS)
def test_a_word_needs_a_test(pairs: list[tuple[float, float]]) -> None:
    """Without a margin no word but undecided is said at a p of 0.05 or more."""
    found = differ(values(pairs))
    if found.p_value >= 0.05:
        assert found.verdict == "undecided"
    assert found.p_value >= found.reachable - 1e-12


@given(PAIRS)
def test_one_cluster_says_nothing(pairs: list[tuple[float, float]]) -> None:
    """Whatever its tasks did: no interval, no p, no word."""
    found = differ(values(pairs, units=["one"] * len(pairs)))
    assert (found.interval, found.p_value, found.verdict) == (None, None, None)
    assert found.why is not UNSET


@given(ends=ENDS)
def test_whole_comparisons_turn_round(side: Make, ends: dict[str, tuple[str, str]]) -> None:
    """Every metric, and every task that changed."""
    found, back = sides(side, ends), sides(side, ends, back=True)
    assert found.metrics.keys() == back.metrics.keys()
    for name, metric in found.metrics.items():
        other = back.metrics[name]
        assert metric.base == pytest.approx(other.candidate)
        assert MIRROR[metric.verdict] == other.verdict
    changes = {change.task: change.change for change in found.tasks_changed}
    assert {change.task: MIRROR[change.change] for change in back.tasks_changed} == changes


@given(ends=ENDS)
def test_every_number_can_be_written(side: Make, ends: dict[str, tuple[str, str]]) -> None:
    """No NaN and no infinity anywhere, and every verdict stands on numbers."""
    found = sides(side, ends)
    for metric in found.metrics.values():
        assert_finite(metric)
    tasks = found.tasks
    assert tasks.paired == len(ends)
    assert len(found.tasks_changed) <= tasks.paired


def assert_finite(metric: Difference) -> None:
    """Hold every number of a metric to be one."""
    numbers = [metric.base, metric.candidate, metric.difference, metric.p_value]
    numbers += list(metric.interval or ())
    for number in numbers:
        assert number is None or abs(number) < 1e12
    if metric.verdict in ("better", "worse"):
        assert metric.p_value is not None
        assert metric.difference
