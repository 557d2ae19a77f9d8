"""Tables of two by two: golden values and scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trayecto.stats.two_by_two import fisher_exact, mcnemar_exact, newcombe

COUNTS = st.integers(0, 25).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("lost", "won", "p_value"),
    [(6, 1, 0.125), (10, 2, 0.038574), (5, 5, 1.0), (5, 0, 0.0625), (6, 0, 0.03125),
     (3, 0, 0.25), (0, 0, 1.0), (9, 24, 0.0135), (5, 22, 0.0015), (4, 6, 0.7539)],
)  # fmt: skip
def test_mcnemar_s_golden_values(lost: int, won: int, p_value: float) -> None:
    """Golden mcnemar_exact_*, and the paired counts of tau-bench's three levels."""
    digits = 5e-7 if len(str(p_value)) > 6 else 5e-5
    assert mcnemar_exact(lost, won) == pytest.approx(p_value, abs=digits)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_a_binomial_test(lost: int, won: int) -> None:
    """Scipy's two-sided test of one half, and the same the other way round."""
    expected = stats.binomtest(lost, lost + won).pvalue if lost + won else 1
    assert mcnemar_exact(lost, won) == pytest.approx(expected, abs=1e-9)
    assert mcnemar_exact(lost, won) == mcnemar_exact(won, lost)


@pytest.mark.parametrize(
    ("base", "other", "p_value"),
    [((5, 5), (0, 5), 0.007937), ((5, 5), (2, 5), 0.166667), ((4, 5), (1, 5), 0.206349)],
)
def test_fisher_s_golden_values(
    base: tuple[int, int], other: tuple[int, int], p_value: float
) -> None:
    """Golden fisher_task_flag_*: with five trials only 5 to 0 and 5 to 1 are below 0.05."""
    assert fisher_exact(*base, *other) == pytest.approx(p_value, abs=5e-7)


@given(COUNTS, COUNTS)
def test_scipy_s_fisher(one: tuple[int, int], other: tuple[int, int]) -> None:
    """Of all tables with these margins."""
    table = [[one[0], one[1] - one[0]], [other[0], other[1] - other[0]]]
    assert fisher_exact(*one, *other) == pytest.approx(stats.fisher_exact(table)[1], abs=1e-9)


@pytest.mark.parametrize(
    ("one", "other"),
    [((500, 1000), (520, 1000)), ((90, 3000), (130, 3000)), ((2, 900), (880, 900))],
)
def test_fisher_of_long_runs(one: tuple[int, int], other: tuple[int, int]) -> None:
    """The ways to make a table are beyond all floats here; scipy's p all the same."""
    table = [[one[0], one[1] - one[0]], [other[0], other[1] - other[0]]]
    assert fisher_exact(*one, *other) == pytest.approx(stats.fisher_exact(table)[1], abs=1e-9)


def test_newcombe_s_golden_value() -> None:
    """Golden newcombe_two_independent: 47 of 50 minus 45 of 50."""
    found = newcombe(47, 50, 45, 50)
    assert (found.low, found.high) == pytest.approx((-0.076764, 0.160236), abs=5e-7)
    assert newcombe(0, 0, 1, 2) is None


@given(COUNTS, COUNTS)
def test_newcombe_mirrors(one: tuple[int, int], other: tuple[int, int]) -> None:
    """The difference the other way round has the other sign, and lies within."""
    found, turned = newcombe(*one, *other), newcombe(*other, *one)
    if found is not None:
        assert found.low == pytest.approx(-turned.high, abs=1e-12)
        difference = one[0] / one[1] - other[0] / other[1]
        assert found.low - 1e-12 <= difference <= found.high + 1e-12


def test_counts_that_cannot_be() -> None:
    """Negative ones, and more successes than trials."""
    for wrong in (lambda: mcnemar_exact(-1, 2), lambda: fisher_exact(3, 2, 0, 1)):
        with pytest.raises(ValueError, match="is no count"):
            wrong()


def test_many_trials_by_scipy() -> None:
    """50,000 on each side: each table is made from the one before, in whole numbers."""
    found = fisher_exact(2_500, 50_000, 2_400, 50_000)
    table = [[2_500, 47_500], [2_400, 47_600]]
    assert found == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-6)
    table = [[0, 1_000], [12, 988]]
    assert fisher_exact(0, 1_000, 12, 1_000) == pytest.approx(stats.fisher_exact(table).pvalue)
