"""Agreement: the golden values, scikit-learn and statsmodels, and Krippendorff's own example."""

from collections.abc import Callable
from itertools import permutations
from math import inf, nan, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from trayecto.stats.agreement import (
    cohen_kappa,
    gwet_ac1,
    krippendorff_alpha,
    raw_agreement,
    tabulate,
    weighted_kappa,
)

Golden = Callable[[str], tuple[dict, dict]]
SCALE = [1, 2, 3, 4, 5]
TEXTBOOK = [[20, 5], [10, 15]]
HUMAN, JUDGE = [1, 3, 4, 5, 3, 4, 1, 5, 4, 3], [1, 4, 4, 5, 3, 5, 3, 5, 4, 4]  # nobody used 2
# Krippendorff 2011: four observers (rows), twelve units, a point where there is no label
KRIPPENDORFF = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
LABELS = st.lists(st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), min_size=1)
TABLES = st.integers(2, 4).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 30), min_size=size, max_size=size), min_size=size, max_size=size
    )
)
UNITS = st.lists(st.lists(st.sampled_from([1, 2, 3, 5, None]), max_size=4), max_size=8)
LEVELS = ("nominal", "ordinal", "interval")


@pytest.mark.parametrize(
    ("table", "agreement", "kappa", "ac1"),
    [
        (TEXTBOOK, 0.7, 0.4, 0.405941),
        ([[90, 5], [5, 0]], 0.9, -0.052632, 0.889503),
        ([[10, 2, 0], [1, 8, 3], [0, 2, 14]], 0.8, 0.695817, 0.702118),
    ],
)
def test_the_golden_tables(
    table: list[list[int]], agreement: float, kappa: float, ac1: float
) -> None:
    """Golden agreement_textbook, _paradox and _three_cat, by two implementations each."""
    found = (raw_agreement(table), cohen_kappa(table).kappa, gwet_ac1(table))
    assert found == pytest.approx((agreement, kappa, ac1), abs=5e-7)


@pytest.mark.parametrize("name", ["textbook", "paradox", "three_cat"])
def test_the_golden_file(golden: Golden, name: str) -> None:
    """The same three, read where they lie."""
    given_, expected = golden(f"agreement_{name}")
    table = given_["table_rows_human_cols_judge"]
    found = {
        "agreement": raw_agreement(table),
        "kappa": cohen_kappa(table).kappa,
        "ac1": gwet_ac1(table),
    }
    assert found == pytest.approx(expected, abs=5e-7)


def test_one_class_of_labels(golden: Golden) -> None:
    """Golden kappa_degenerate: 0/0 is undefined, not 1 nor 0; the raw agreement is 1."""
    given_, expected = golden("kappa_degenerate")
    table = tabulate(given_["human"], given_["judge"], [0, 1])
    assert [cohen_kappa(table)] == expected == [None]
    assert weighted_kappa(table, "linear") is weighted_kappa(table) is None
    assert raw_agreement(table) == 1


def test_the_golden_error(golden: Golden) -> None:
    """Golden kappa_se: Fleiss, Cohen and Everitt's error and interval."""
    given_, expected = golden("kappa_se")
    found = cohen_kappa(given_["table"], confidence=given_["conf"])
    told = (found.error, found.interval.low, found.interval.high)
    assert told == pytest.approx((expected["se"], *expected["ci"]), abs=5e-7)


def test_the_full_scale_counts(golden: Golden) -> None:
    """Golden weighted_kappa_missing_level_TRAP: without level 2 the kappas are the wrong ones."""
    given_, wrong = golden("weighted_kappa_missing_level_TRAP")
    assert (given_["human"], given_["judge"]) == (HUMAN, JUDGE)
    full, short = tabulate(HUMAN, JUDGE, SCALE), tabulate(HUMAN, JUDGE, [1, 3, 4, 5])
    for weights in ("linear", "quadratic"):
        expected = cohen_kappa_score(HUMAN, JUDGE, labels=SCALE, weights=weights)
        assert weighted_kappa(full, weights).kappa == pytest.approx(expected, abs=1e-12)
        assert abs(expected - wrong[weights]) > 0.005
        assert weighted_kappa(short, weights).kappa == pytest.approx(wrong[weights], abs=5e-7)


def test_the_right_weighted_kappas() -> None:
    """The notes' 0.7953, by the square of the distance, which is the default; and 9/14 linearly."""
    table = tabulate(HUMAN, JUDGE, SCALE)
    assert weighted_kappa(table).kappa == pytest.approx(0.7953, abs=5e-5)
    assert weighted_kappa(table, "linear").kappa == pytest.approx(9 / 14, abs=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of scikit-learn, which divides 0 by 0
@pytest.mark.filterwarnings("ignore::UserWarning")
@given(LABELS)
def test_scikit_learn_s_kappa(labels: list[tuple[int, int]]) -> None:
    """With the scale passed, and None where theirs is not a number."""
    one, other = zip(*labels, strict=True)
    table = tabulate(one, other, SCALE)
    for weights in (None, "linear", "quadratic"):
        expected = cohen_kappa_score(one, other, labels=SCALE, weights=weights)
        found = cohen_kappa(table) if weights is None else weighted_kappa(table, weights)
        if found is None:
            assert np.isnan(expected)
        else:
            assert found.kappa == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of a test in statsmodels that is not used
@given(TABLES, st.floats(0.5, 0.99))
def test_statsmodels_errors(table: list[list[int]], confidence: float) -> None:
    """Error and interval of all three kappas, by their formula with weights, cut at -1 and 1."""
    kinds = {None: cohen_kappa, "linear": weighted_kappa, "quadratic": weighted_kappa}
    for weights, kind in kinds.items():
        options = {"weights": weights} if weights else {}
        found = kind(table, **options, confidence=confidence)
        if found is None or found.error is None:
            continue
        expected = cohens_kappa(np.array(table), wt=weights)
        assert found.kappa == pytest.approx(expected.kappa, abs=1e-9)
        assert found.error**2 == pytest.approx(expected.var_kappa, rel=1e-6, abs=1e-12)
        half = found.error * stats.norm.ppf((1 + confidence) / 2)
        assert found.interval.low == pytest.approx(max(-1, found.kappa - half), abs=1e-9)
        assert found.interval.high == pytest.approx(min(1, found.kappa + half), abs=1e-9)


@pytest.mark.parametrize(
    ("table", "kappa"), [([[20, 0], [0, 30]], 1), ([[0, 9], [9, 0]], -1), ([[0, 9], [0, 0]], 0)]
)
def test_no_spread_is_no_certainty(table: list[list[int]], kappa: float) -> None:
    """Raters who never differ, always differ, or each say one thing: the error would be 0."""
    found = cohen_kappa(table)
    assert (found.kappa, found.error, found.interval) == (kappa, None, None)


@given(TABLES, st.integers(2, 9))
def test_more_of_the_same(table: list[list[int]], times: int) -> None:
    """So many times the items: the same values, and an error smaller by the root of it."""
    more = [[times * count for count in row] for row in table]
    found, again = weighted_kappa(table), weighted_kappa(more)
    assert close(gwet_ac1(table), gwet_ac1(more))
    if found is not None:
        assert again.kappa == pytest.approx(found.kappa, abs=1e-12)
    if found is not None and found.error is not None:
        assert again.error * sqrt(times) == pytest.approx(found.error, rel=1e-6)


@given(TABLES)
def test_raters_and_levels_may_change_places(table: list[list[int]]) -> None:
    """The first for the second, the scale turned round; any order of levels without weights."""
    size = range(len(table))
    turned = [[table[j][i] for j in size] for i in size]
    mirrored = [row[::-1] for row in table[::-1]]
    for other in (turned, mirrored):
        for statistic in (raw_agreement, gwet_ac1, cohen_kappa, weighted_kappa):
            assert close(statistic(table), statistic(other))
    for order in permutations(size):
        shuffled = [[table[i][j] for j in order] for i in order]
        for statistic in (raw_agreement, gwet_ac1, cohen_kappa):
            assert close(statistic(table), statistic(shuffled))


def close(one: object, other: object) -> bool:
    """Whether two values of a statistic are the same but for rounding."""
    one, other = getattr(one, "kappa", one), getattr(other, "kappa", other)
    return one is other if one is None else one == pytest.approx(other, abs=1e-9)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_two_levels_have_no_distances(a: int, b: int, c: int, d: int) -> None:
    """Then all kappas are one."""
    plain = cohen_kappa([[a, b], [c, d]])
    for weights in ("linear", "quadratic"):
        assert weighted_kappa([[a, b], [c, d]], weights) == plain


def test_ac1_by_hand() -> None:
    """3 of 4 agree; shares 5/8 and 3/8, so chance is 15/32: (24 - 15) / (32 - 15)."""
    assert gwet_ac1([[2, 1], [0, 1]]) == pytest.approx(9 / 17, abs=1e-12)


def test_ac1_at_its_edges() -> None:
    """One class is full agreement, one level none; a level that nobody used lowers chance by it."""
    assert gwet_ac1([[7, 0], [0, 0]]) == 1
    assert gwet_ac1([[7]]) is None
    assert gwet_ac1([[2, 1, 0], [0, 1, 0], [0, 0, 0]]) == pytest.approx((48 - 15) / (64 - 15))


@given(TABLES)
def test_their_ranges(table: list[list[int]]) -> None:
    """Each within -1 and 1, and chance never helps: nothing is above the raw agreement."""
    raw = raw_agreement(table)
    for found in (cohen_kappa(table), weighted_kappa(table)):
        if found is not None:
            assert -1 - 1e-9 <= found.kappa <= 1
            assert found.interval is None or -1 <= found.interval.low <= found.interval.high <= 1
    for value in (gwet_ac1(table), cohen_kappa(table) and cohen_kappa(table).kappa):
        assert value is None or -1 - 1e-9 <= value <= raw + 1e-9


def test_no_items() -> None:
    """Nothing can be said of none."""
    for table in ([], [[0]], [[0, 0], [0, 0]]):
        for statistic in (raw_agreement, gwet_ac1, cohen_kappa, weighted_kappa):
            assert statistic(table) is None
    assert tabulate([], [], ["pass", "fail"]) == [[0, 0], [0, 0]]


def test_a_table_of_labels() -> None:
    """Rows are the first rater's, in the order of the scale."""
    one, other = ["pass", "pass", "fail", "pass"], ["pass", "fail", "fail", "pass"]
    assert tabulate(one, other, ["pass", "fail"]) == [[2, 1], [0, 1]]
    assert tabulate(one, other, ["fail", "pass"]) == [[1, 0], [1, 2]]


def test_labels_that_cannot_be() -> None:
    """Off the scale, also if missing; a level twice; raters of different length."""
    for odd in (6, "1", None, nan):
        with pytest.raises(ValueError, match=r"is not on the scale \[1, 2, 3, 4, 5\]"):
            tabulate([1, 2], [2, odd], SCALE)
    with pytest.raises(ValueError, match=r"stands twice on the scale \[1, 2, 1\]"):
        tabulate([1], [2], [1, 2, 1])
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        tabulate([1, 2], [1], SCALE)


@pytest.mark.parametrize("statistic", [raw_agreement, gwet_ac1, cohen_kappa, weighted_kappa])
def test_tables_that_cannot_be(statistic: Callable) -> None:
    """Not square, with a count below 0, or with what is no number."""
    for wrong in ([[1, 2]], [[1, 2], [3]], [[], []]):
        with pytest.raises(ValueError, match="a table is square"):
            statistic(wrong)
    for odd in (-1, nan, inf):
        with pytest.raises(ValueError, match=f"{odd} is no count"):
            statistic([[1, 2], [odd, 3]])


def test_options_that_cannot_be() -> None:
    """Named in the message."""
    with pytest.raises(ValueError, match="weights 'cubic' are not"):
        weighted_kappa(TEXTBOOK, "cubic")
    with pytest.raises(ValueError, match="level 'ratio' is not"):
        krippendorff_alpha([[1, 2]], "ratio")
    for confidence in (0, 1, 95, nan):
        with pytest.raises(ValueError, match=f"confidence {confidence} is not between"):
            cohen_kappa(TEXTBOOK, confidence=confidence)


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorff_s_example(level: str, alpha: float) -> None:
    """The values printed in the paper, to its three digits."""
    units = [
        [None if label == "." else int(label) for label in unit]
        for unit in zip(*KRIPPENDORFF, strict=True)
    ]
    assert krippendorff_alpha(units, level) == pytest.approx(alpha, abs=5e-4)


def test_alpha_of_the_textbook_table(golden: Golden) -> None:
    """Golden krippendorff_two_raters: 0.4, to the digit that small samples move it by."""
    given_, expected = golden("krippendorff_two_raters")
    assert given_["same_table_as"] == "agreement_textbook"
    units = [[0, 0]] * 20 + [[0, 1]] * 5 + [[1, 0]] * 10 + [[1, 1]] * 15
    assert [krippendorff_alpha(units)] == pytest.approx(expected, abs=5e-7)


def test_alpha_of_one_label_throughout(golden: Golden) -> None:
    """Golden krippendorff_all_same: undefined, also on other levels; and so is that of none."""
    given_, expected = golden("krippendorff_all_same")
    units = list(zip(*given_["observers_x_units"], strict=True))
    for level in LEVELS:
        assert [krippendorff_alpha(units, level)] == expected == [None]
        assert krippendorff_alpha([], level) is None
        assert krippendorff_alpha([[1], [None, 2], []], level) is None


def squared_distance(level: str, one: float, other: float, labels: list[float]) -> float:
    """Return the squared distance of two labels as the paper prints it, for each level."""
    if level == "nominal":
        return float(one != other)
    if level == "interval":
        return (one - other) ** 2
    low, high = min(one, other), max(one, other)
    between = sum(low <= label <= high for label in labels)
    return (between - (labels.count(low) + labels.count(high)) / 2) ** 2


@given(UNITS, st.sampled_from(LEVELS))
def test_alpha_by_pairs(units: list[list[int | None]], level: str) -> None:
    """Every pair of labels within a unit, against every pair of all labels, as the paper has it."""
    kept = [[label for label in unit if label is not None] for unit in units]
    kept = [unit for unit in kept if len(unit) > 1]
    labels = [label for unit in kept for label in unit]
    within = sum(
        squared_distance(level, *pair, labels) / (len(unit) - 1)
        for unit in kept
        for pair in permutations(unit, 2)
    )
    among = sum(squared_distance(level, *pair, labels) for pair in permutations(labels, 2))
    found = krippendorff_alpha(units, level)
    expected = 1 - within * (len(labels) - 1) / among if among else None
    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-9))


@given(UNITS, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_alpha_knows_no_order(units: list[list[int | None]], level: str, chance: Random) -> None:
    """Of units, nor of raters within one; and missing labels may as well be absent."""
    shuffled = [chance.sample(unit, len(unit)) for unit in chance.sample(units, len(units))]
    sparse = [[label for label in unit if label is not None] for unit in units]
    for other in (shuffled, sparse):
        assert close(krippendorff_alpha(units, level), krippendorff_alpha(other, level))


@given(UNITS)
def test_alpha_s_levels(units: list[list[int | None]]) -> None:
    """Names may be any numbers, ranks any that keep the order, and an interval has no unit."""
    changes = {
        "nominal": {1: 9, 2: -4, 3: 0.5, 5: 7},
        "ordinal": {1: -7, 2: 0, 3: 0.25, 5: 100},
        "interval": {label: 10 * label - 3 for label in (1, 2, 3, 5)},
    }
    for level, change in changes.items():
        changed = [[change.get(label) for label in unit] for unit in units]
        assert close(krippendorff_alpha(units, level), krippendorff_alpha(changed, level))


@given(LABELS)
def test_alpha_of_two_raters_is_scott_s_pi(labels: list[tuple[int, int]]) -> None:
    """But for the share 1/(2n) by which small samples move it, with no label missing."""
    pooled = [label for pair in labels for label in pair]
    chance = sum((pooled.count(level) / len(pooled)) ** 2 for level in SCALE)
    agreement = sum(one == other for one, other in labels) / len(labels)
    found = krippendorff_alpha(labels)
    if found is None:
        assert chance == 1
    else:
        pi = (agreement - chance) / (1 - chance)
        assert found == pytest.approx(pi + (1 - pi) / len(pooled), abs=1e-9)


def test_a_label_that_is_no_number() -> None:
    """Also in a unit that is left out."""
    for odd in (nan, inf):
        with pytest.raises(ValueError, match="is not a finite number"):
            krippendorff_alpha([[1, 2], [odd]])
