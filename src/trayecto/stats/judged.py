"""A rate that a judge measured, made right by what people say of some of the same kind of runs.

A judge who errs shifts every rate, and more runs do not help: where 85 % are good, and it accepts
90 % of the good and 15 % of the bad, the usual interval of 400 verdicts holds the truth 12 times in
100. Two ways out. ``corrected_rate`` needs people's labels of good and of bad runs, as many of each
as you like, and a judge who errs as often on the runs in question: take labels from each arm.
``prediction_powered`` needs labels of a random sample of the very runs that the judge saw.

Sources: Rogan and Gladen 1978 (Am. J. Epidemiol. 107); Lang and Reiczigel 2014 (Prev. Vet. Med.
113), for the interval, which Lee et al. 2025 (arXiv 2511.21140) use for judges; Angelopoulos et al.
2023 (Science 382), for prediction-powered inference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import fsum, inf, sqrt

from msgspec import Struct

from trayecto.stats.clusters import cluster_sums
from trayecto.stats.distributions import normal_quantile, student_quantile
from trayecto.stats.intervals import CONFIDENCE, Interval, RateInterval, rate_interval

_SAME = 1e-12  # values as close as that are the same
_JUDGED = {(True, True), (True, False), (False, True), (False, False)}
_UNDECIDED = {(True, None), (False, None)}


class Confusion(Struct, frozen=True):
    """A judge's verdicts against those of people, who are taken to be right.

    ``false_accepts`` are bad runs that it accepted, the error to fear. What it found undeterminable
    lowers ``coverage`` and is in no other rate. Every rate is None where nothing is counted in it.
    Raises ValueError for a count that is negative or not finite.
    """

    true_accepts: int
    false_rejects: int
    false_accepts: int
    true_rejects: int
    undeterminable: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no count."""
        counts = (*self.good, *self.bad, self.undeterminable)
        odd = next((count for count in counts if not 0 <= count < inf), None)
        if odd is not None:
            message = f"{odd!r} is no count of verdicts"
            raise ValueError(message)

    @property
    def good(self) -> tuple[int, int]:
        """How many good runs the judge accepted, and rejected."""
        return self.true_accepts, self.false_rejects

    @property
    def bad(self) -> tuple[int, int]:
        """How many bad runs the judge accepted, and rejected."""
        return self.false_accepts, self.true_rejects

    @property
    def table(self) -> list[list[int]]:
        """Rows by people, columns by the judge, good first: for kappa and its kin."""
        return [[*self.good], [*self.bad]]

    @property
    def coverage(self) -> float | None:
        """The share of runs on which the judge came to a verdict."""
        judged = sum(self.good) + sum(self.bad)
        return _share(judged, judged + self.undeterminable)

    @property
    def sensitivity(self) -> float | None:
        """The share of good runs that it accepts, of those that it judged."""
        return _share(self.true_accepts, sum(self.good))

    @property
    def specificity(self) -> float | None:
        """The share of bad runs that it rejects, of those that it judged."""
        return _share(self.true_rejects, sum(self.bad))

    @property
    def false_accept_rate(self) -> float | None:
        """The share of bad runs that it accepts."""
        return _share(self.false_accepts, sum(self.bad))

    @property
    def false_reject_rate(self) -> float | None:
        """The share of good runs that it rejects."""
        return _share(self.false_rejects, sum(self.good))

    @property
    def precision(self) -> float | None:
        """The share of accepted runs that are good; it moves with how many are good."""
        return _share(self.true_accepts, self.true_accepts + self.false_accepts)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and sensitivity."""
        right = 2 * self.true_accepts
        return _share(right, right + self.false_accepts + self.false_rejects)

    @property
    def balanced_accuracy(self) -> float | None:
        """The mean of sensitivity and specificity; a coin has one half."""
        sensitivity, specificity = self.sensitivity, self.specificity
        if sensitivity is None or specificity is None:
            return None
        return (sensitivity + specificity) / 2

    @property
    def matthews(self) -> float | None:
        """Matthews' correlation of verdicts and truth, -1 to 1; None where either is constant."""
        accepted = self.true_accepts + self.false_accepts
        rejected = self.true_rejects + self.false_rejects
        square = accepted * rejected * sum(self.good) * sum(self.bad)
        cross = self.true_accepts * self.true_rejects - self.false_accepts * self.false_rejects
        return cross / sqrt(square) if square else None


class JudgedRate(Struct, frozen=True):
    """The true rate, as far as a judge and some labels tell.

    ``raw`` may lie outside of 0 and 1, which chance does if the truth is near an end; ``rate`` is
    the end then. ``interval`` lies within 0 and 1. ``error`` and ``interval`` are None where
    nothing tells them; each function says when.
    """

    raw: float
    rate: float
    error: float | None
    interval: Interval | None


def judge_confusion(people: Sequence[bool], judge: Sequence[bool | None]) -> Confusion:
    """Count a judge's verdicts, None for undeterminable, against people's of the same runs.

    Raises ValueError where they are not equally many, and for what is no verdict.
    """
    counts = Counter(zip(people, judge, strict=True))
    odd = next((pair for pair in counts if pair not in _JUDGED | _UNDECIDED), None)
    if odd is not None:
        message = f"{odd!r} is no pair of a person's verdict and a judge's"
        raise ValueError(message)
    return Confusion(
        true_accepts=counts[True, True],
        false_rejects=counts[True, False],
        false_accepts=counts[False, True],
        true_rejects=counts[False, False],
        undeterminable=sum(counts[pair] for pair in _UNDECIDED),
    )


def rogan_gladen(rate: float, sensitivity: float, specificity: float) -> float | None:
    """The true rate if a judge accepts at ``rate``: ``(rate + spec - 1) / (sens + spec - 1)``.

    Not clipped to 0 and 1. None where sensitivity and specificity add up to 1 or less: such a judge
    knows no more than a coin. Raises ValueError for what is no rate.
    """
    for value in (rate, sensitivity, specificity):
        _check_rate(value)
    informed = sensitivity + specificity - 1
    return (rate + specificity - 1) / informed if informed > _SAME else None


def corrected_rate(
    verdicts: Sequence[float],
    labels: Confusion,
    clusters: Sequence[Hashable] | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> JudgedRate | None:
    """Rogan and Gladen's rate of runs of which only the judge's verdicts are known.

    ``verdicts`` are 1 for accepted and 0, or the share accepted of each task; leave out what was
    undeterminable. The error is that of the delta method with one more label of each kind, as in
    ``(accepted + 1) / (good + 2)`` for the sensitivity; the interval is that of Lang and Reiczigel,
    with the effective number of verdicts and Student's quantile if they come in clusters. It is not
    centred on the rate, and with one or two labels of a kind may miss it. Labels count as
    independent of each other.

    None of no verdicts, and where sensitivity or specificity is undefined or they add up to 1 or
    less. Error and interval are None where there is one cluster, and where the sum is 1 or less
    with the added labels. Raises ValueError where a verdict is not in [0, 1], where verdicts and
    clusters are not equally many, and for a confidence that is not between 0 and 1.
    """
    _check_confidence(confidence)
    found = rate_interval(verdicts, clusters, confidence=confidence)
    sensitivity, specificity = labels.sensitivity, labels.specificity
    if found is None or sensitivity is None or specificity is None:
        return None
    raw = rogan_gladen(found.rate, sensitivity, specificity)
    if raw is None:
        return None
    error = interval = None
    if found.effective is not None:
        error, interval = _lang_reiczigel(found, found.effective, labels, confidence)
    return JudgedRate(raw, _clip(raw), error, interval)


def prediction_powered(
    judge: Sequence[float],
    people: Sequence[float | None],
    clusters: Sequence[Hashable] | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> JudgedRate | None:
    """The judge's mean over all runs, plus the mean of people minus judge on a random sample.

    ``people`` has None for a run without label. The paper's error takes the judge's mean from other
    runs than those with labels; here it is over all, and the error counts what the two share. So if
    every run has a label, rate and error are those of people's mean. Errors are clustered, with
    Student's quantile for the clusters that have a label.

    None where no run is labelled. Error and interval are None where one cluster is, and where
    nothing varies; so also where judge and people differ by the same on every label but some run
    has none: how often a judge errs who did not on a few labels is not known, which
    ``corrected_rate`` allows for. Raises ValueError as ``corrected_rate``, also for people's values
    and where these are not as many as the judge's.
    """
    _check_confidence(confidence)
    for value in (*judge, *(label for label in people if label is not None)):
        _check_rate(value)
    pairs = list(zip(judge, people, strict=True))
    gaps = [label - verdict for verdict, label in pairs if label is not None]
    if not gaps:
        return None
    raw = fsum(judge) / len(judge) + fsum(gaps) / len(gaps)
    error = interval = None
    number = _count_labelled(people, clusters)
    squares = fsum(share * share for share in cluster_sums(_influences(pairs, gaps), clusters))
    told = gaps if len(gaps) < len(judge) else [label for label in people if label is not None]
    if number > 1 and squares > 0 and max(told) - min(told) > _SAME:
        error = sqrt(number / (number - 1) * squares)
        half = student_quantile((1 + confidence) / 2, number - 1) * error
        interval = Interval(_clip(raw - half), _clip(raw + half))
    return JudgedRate(raw, _clip(raw), error, interval)


def _lang_reiczigel(
    found: RateInterval, effective: float, labels: Confusion, confidence: float
) -> tuple[float | None, Interval | None]:
    """The error and interval of a corrected rate; None of both if the judge is as good as a coin.

    Every rate is drawn to one half, as in Agresti and Coull's interval, and the centre is moved for
    the skew that the labels' error brings.
    """
    normal = normal_quantile((1 + confidence) / 2)
    student = student_quantile((1 + confidence) / 2, found.clusters - 1)
    trials = effective + student * student
    rate = (found.rate * effective + student * student / 2) / trials
    good, bad = sum(labels.good) + 2, sum(labels.bad) + 2
    sensitivity, specificity = (labels.true_accepts + 1) / good, (labels.true_rejects + 1) / bad
    true = rogan_gladen(rate, sensitivity, specificity)
    if true is None:
        return None, None
    of_good = sensitivity * (1 - sensitivity) / good
    of_bad = specificity * (1 - specificity) / bad
    variance = rate * (1 - rate) / trials + true * true * of_good + (1 - true) ** 2 * of_bad
    error = sqrt(variance) / (sensitivity + specificity - 1)
    centre = true + 2 * normal * normal * (true * of_good - (1 - true) * of_bad)
    return error, Interval(_clip(centre - student * error), _clip(centre + student * error))


def _influences(pairs: Sequence[tuple[float, float | None]], gaps: Sequence[float]) -> list[float]:
    """How far each run moves the prediction-powered rate, by its verdict and by its label."""
    mean = fsum(verdict for verdict, _ in pairs) / len(pairs)
    shift = fsum(gaps) / len(gaps)
    return [
        (verdict - mean) / len(pairs)
        + (0.0 if label is None else (label - verdict - shift) / len(gaps))
        for verdict, label in pairs
    ]


def _count_labelled(people: Sequence[float | None], clusters: Sequence[Hashable] | None) -> int:
    """How many clusters have a label; without clusters, how many runs."""
    names = range(len(people)) if clusters is None else clusters
    return len({name for name, label in zip(names, people, strict=True) if label is not None})


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))


def _check_rate(value: float) -> None:
    if not 0 <= value <= 1:
        message = f"{value!r} is no rate"
        raise ValueError(message)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        message = f"confidence {confidence!r} is not between 0 and 1"
        raise ValueError(message)
