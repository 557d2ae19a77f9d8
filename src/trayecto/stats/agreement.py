"""How far raters agree: raw, beyond chance by Cohen and by Gwet, and for many raters.

Two raters are given as a square table, which ``tabulate`` makes from labels: a row for each level
that the first may give, a column for each of the second. The full scale is passed, since a level
that nobody used still lies between others. No number tells all: of 90, 5, 5 and 0 labels 90 % agree
while kappa is below 0, so show the table beside it.

Sources: Cohen 1960 (Educ. Psychol. Meas. 20) and 1968 (Psychol. Bull. 70); Fleiss, Cohen and
Everitt 1969 (Psychol. Bull. 72), for the error; Gwet 2008 (Br. J. Math. Stat. Psychol. 61);
Krippendorff 2011 (Computing Krippendorff's Alpha-Reliability).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, product
from math import fsum, isfinite, sqrt
from typing import Literal, TypeAlias

from msgspec import Struct

from trayecto.stats.clusters import check_finite
from trayecto.stats.distributions import normal_quantile
from trayecto.stats.intervals import CONFIDENCE, Interval

Table: TypeAlias = Sequence[Sequence[float]]
Weights: TypeAlias = Literal["linear", "quadratic"]
Level: TypeAlias = Literal["nominal", "ordinal", "interval"]
_Distance: TypeAlias = Callable[[int, int], int]
_NO_SPREAD = 1e-12  # what rounding may leave of a spread that is none
_DISTANCES: Mapping[str, _Distance] = {
    "equal": lambda one, other: int(one != other),
    "linear": lambda one, other: abs(one - other),
    "quadratic": lambda one, other: (one - other) ** 2,
}


class Kappa(Struct, frozen=True):
    """A kappa, at most 1, with its standard error and interval.

    ``error`` and ``interval`` are None where the error would be 0, as it is if the raters never
    differ: so many labels do not tell how often they would.
    """

    kappa: float
    error: float | None
    interval: Interval | None


def tabulate(
    one: Sequence[Hashable], other: Sequence[Hashable], scale: Sequence[Hashable]
) -> list[list[int]]:
    """The square table of two raters' labels of the same items, in the order of the full scale.

    Raises ValueError where the raters have not equally many labels, for a label that is not on the
    scale, and for a level that stands on it twice.
    """
    places = {level: place for place, level in enumerate(scale)}
    if len(places) < len(scale):
        message = f"a level stands twice on the scale {list(scale)!r}"
        raise ValueError(message)
    odd = [label for label in (*one, *other) if label not in places]
    if odd:
        message = f"label {odd[0]!r} is not on the scale {list(scale)!r}"
        raise ValueError(message)
    table = [[0] * len(scale) for _ in scale]
    for left, right in zip(one, other, strict=True):
        table[places[left]][places[right]] += 1
    return table


def raw_agreement(table: Table) -> float | None:
    """The share of items with the same label from both raters, 0 to 1; None of no items.

    Raises ValueError for a table that is not square, and for a negative or infinite count.
    """
    total = _check_table(table)
    return fsum(row[place] for place, row in enumerate(table)) / total if total else None


def cohen_kappa(table: Table, *, confidence: float = CONFIDENCE) -> Kappa | None:
    """Cohen's kappa, ``(po - pe) / (1 - pe)``: agreement beyond what the margins make by chance.

    From -1 to 1; None of no items, and where both raters gave one and the same label throughout.
    The error takes the items for independent; else resample their clusters. Raises ValueError as
    ``raw_agreement``, and for a confidence that is not between 0 and 1.
    """
    return _kappa(table, _DISTANCES["equal"], confidence)


def weighted_kappa(
    table: Table, weights: Weights = "quadratic", *, confidence: float = CONFIDENCE
) -> Kappa | None:
    """Kappa on an ordered scale: labels further apart count more, by distance or by its square.

    Levels that nobody used must be in the table: without them the distances are too short. Range,
    None and errors as ``cohen_kappa``; raises ValueError for other weights.
    """
    if weights not in ("linear", "quadratic"):
        message = f"weights {weights!r} are not 'linear' or 'quadratic'"
        raise ValueError(message)
    return _kappa(table, _DISTANCES[weights], confidence)


def gwet_ac1(table: Table) -> float | None:
    """Gwet's AC1: agreement beyond chance ``sum of share (1 - share) / (levels - 1)``.

    Chance is small where nearly all labels are the same, so it keeps near the raw agreement there;
    where all are the same it is 1, though that says little. From -1 to 1; None of no items, and of
    fewer than two levels. Every row is a level, used or not. Raises as ``raw_agreement``.
    """
    agreement = raw_agreement(table)
    if agreement is None or len(table) == 1:
        return None
    rows, columns = _margins(table)
    shares = [(row + column) / 2 for row, column in zip(rows, columns, strict=True)]
    chance = fsum(share * (1 - share) for share in shares) / (len(table) - 1)
    return (agreement - chance) / (1 - chance)


def krippendorff_alpha(
    units: Sequence[Sequence[float | None]], level: Level = "nominal"
) -> float | None:
    """Krippendorff's alpha, ``1 - observed / expected disagreement``, for any number of raters.

    ``units`` holds the labels of each unit in any order, None for a rater who gave none; a unit
    with fewer than two is left out. Labels are numbers, which stand for names if the level is
    nominal, for ranks if it is ordinal. At most 1; 0 is chance. None where all labels are the same,
    and of none. Raises ValueError for a label that is not finite, and for another level.
    """
    if level not in ("nominal", "ordinal", "interval"):
        message = f"level {level!r} is not 'nominal', 'ordinal' or 'interval'"
        raise ValueError(message)
    counts = [Counter(label for label in unit if label is not None) for unit in units]
    check_finite([label for count in counts for label in count])
    paired = [count for count in counts if count.total() > 1]
    totals: Counter[float] = Counter()
    for count in paired:
        totals.update(count)
    places = _places(totals, level)
    expected = _disagreement(totals, places)
    if not expected:
        return None
    observed = fsum(_disagreement(count, places) / (count.total() - 1) for count in paired)
    return 1 - observed * (totals.total() - 1) / expected


def _places(totals: Mapping[float, int], level: Level) -> dict[float, float] | None:
    """Where each label lies, for distances; None on a nominal scale, where there are none."""
    if level == "nominal":
        return None
    if level == "interval":
        return {label: float(label) for label in totals}
    places, below = {}, 0
    for label in sorted(totals):  # at the middle of its ranks: the distance is that of the paper
        places[label] = below + totals[label] / 2
        below += totals[label]
    return places


def _disagreement(counts: Mapping[float, int], places: Mapping[float, float] | None) -> float:
    """The sum of squared distances over all pairs of labels."""
    return fsum(
        counts[one] * counts[other] * (1 if places is None else (places[one] - places[other]) ** 2)
        for one, other in combinations(counts, 2)
    )


def _kappa(table: Table, distance: _Distance, confidence: float) -> Kappa | None:
    """``1 - Do/De``: the mean distance of two labels, by that of labels drawn from the margins."""
    if not 0 < confidence < 1:
        message = f"confidence {confidence!r} is not between 0 and 1"
        raise ValueError(message)
    total = _check_table(table)
    if not total:
        return None
    rows, columns = _margins(table)
    cells = list(product(range(len(table)), repeat=2))
    observed = fsum(table[i][j] * distance(i, j) for i, j in cells) / total
    expected = fsum(rows[i] * columns[j] * distance(i, j) for i, j in cells)
    if not expected:
        return None
    kappa = 1 - observed / expected
    spread = _spread(table, distance, observed, expected)
    if spread <= _NO_SPREAD:
        return Kappa(kappa, None, None)
    error = sqrt(spread / total)
    half = normal_quantile((1 + confidence) / 2) * error
    return Kappa(kappa, error, Interval(max(-1.0, kappa - half), min(1.0, kappa + half)))


def _spread(table: Table, distance: _Distance, observed: float, expected: float) -> float:
    """The variance of kappa times the number of items.

    That of Fleiss, Cohen and Everitt, with distances in place of weights: how far each item moves
    the ratio of the two mean distances.
    """
    rows, columns = _margins(table)
    total = fsum(count for row in table for count in row)
    levels = range(len(table))
    from_row = [fsum(columns[j] * distance(i, j) for j in levels) for i in levels]
    from_column = [fsum(rows[i] * distance(i, j) for i in levels) for j in levels]
    moves = (
        (count, (from_row[i] + from_column[j] - expected) * observed - distance(i, j) * expected)
        for i, row in enumerate(table)
        for j, count in enumerate(row)
    )
    return fsum(count * move * move for count, move in moves) / (total * expected**4)


def _margins(table: Table) -> tuple[list[float], list[float]]:
    """The share of each level among the labels of the first rater, and of the second."""
    rows = [fsum(row) for row in table]
    columns = [fsum(column) for column in zip(*table, strict=True)]
    total = fsum(rows)
    return [row / total for row in rows], [column / total for column in columns]


def _check_table(table: Table) -> float:
    """How many items a table holds, once it is sure that it is one."""
    for row in table:
        if len(row) != len(table):
            message = f"a table is square: {len(table)} rows, but one of {len(row)}"
            raise ValueError(message)
        odd = next((count for count in row if not (isfinite(count) and count >= 0)), None)
        if odd is not None:
            message = f"{odd!r} is no count"
            raise ValueError(message)
    return fsum(count for row in table for count in row)
