"""Corrected p values: golden, statsmodels, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from trayecto.stats.multiplicity import benjamini_hochberg, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)
METHODS = {"holm": holm, "fdr_bh": benjamini_hochberg}


def test_the_golden_values() -> None:
    """Golden multiplicity: of 0.01, 0.04, 0.03 and 0.005."""
    given_ = [0.01, 0.04, 0.03, 0.005]
    assert holm(given_) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(given_) == pytest.approx([0.02, 0.04, 0.04, 0.02])


@pytest.mark.parametrize("method", METHODS)
@given(P_VALUES)
def test_statsmodels_says_the_same(method: str, p_values: list[float]) -> None:
    """In the order in which they were given."""
    expected = multipletests(p_values, method=method)[1]
    assert METHODS[method](p_values) == pytest.approx(expected.tolist(), abs=1e-12)


@given(P_VALUES, st.randoms())
def test_order_does_not_matter(p_values: list[float], random: object) -> None:
    """Each p keeps its own; none gets smaller; Holm's is never below the other's."""
    order = list(range(len(p_values)))
    random.shuffle(order)
    for method in METHODS.values():
        found, shuffled = method(p_values), method([p_values[at] for at in order])
        assert shuffled == pytest.approx([found[at] for at in order], abs=1e-12)
        assert all(new >= old - 1e-12 for new, old in zip(found, p_values, strict=True))
    pairs = zip(holm(p_values), benjamini_hochberg(p_values), strict=True)
    assert all(strict >= loose - 1e-12 for strict, loose in pairs)


def test_nothing_stays_nothing_and_no_p_is_refused() -> None:
    """A p is between 0 and 1."""
    assert holm([]) == benjamini_hochberg([]) == []
    for odd in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="is no p value"):
            holm([0.5, odd])
