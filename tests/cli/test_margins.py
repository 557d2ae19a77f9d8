"""What ``--margin`` takes, and what it refuses."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from trayecto.cli._margins import parse, refuse_unanswered, refuse_unknown
from trayecto.comparison import Compared, Difference, Extra, Regressions, Tasks
from trayecto.decisions._difference import Values, differ
from trayecto.errors import UsageError
from trayecto.metrics import Column

COLUMNS = [
    Column("task_success", "task_success", "share", "higher", "valid"),
    Column("cost_usd", "cost_usd", "usd", "lower", "runs"),
    Column("abstention", "abstention", "share", "neither", "valid"),
]


def group(**metrics: Difference) -> Compared:
    """Return a suite in which these metrics were compared."""
    return Compared(
        suite="shop", base="a", candidate="b", metrics=metrics, not_compared={}, tasks_changed=[],
        tasks=Tasks(
            paired=2, by_id=0, only_base=0, only_candidate=0, other_text=0, unmatched=[], clusters=2
        ),
        regressions=Regressions(counts={}, examples=[]), more_evidence=None,
        cost_per_extra_accepted=Extra(usd=None), differs=[], same=[], untold=[], warnings=[],
    )  # fmt: skip


def compared(base: list[float], candidate: list[float], margin: float | None) -> Difference:
    """Return a share on both sides."""
    values = Values(base, candidate, None, single=False, unit="share", better="higher")
    return differ(values, margin)


@pytest.mark.parametrize(
    ("text", "name", "share"),
    [
        ("0.05", "task_success", 0.05),
        ("5%", "task_success", 0.05),
        ("path_match=0.1", "path_match", 0.1),
        ("path_match=2.5%", "path_match", 0.025),
        ("1e-3", "task_success", 0.001),
    ],
)
def test_a_margin_is_a_share(text: str, name: str, share: float) -> None:
    """Of success where no metric is named; as a number or in percent."""
    assert parse([text]) == {name: pytest.approx(share)}


@pytest.mark.parametrize(
    "text", ["0", "1", "100%", "-0.1", "nan", "inf", "x", "", "=0.1", "5 points"]
)
def test_what_is_no_margin_is_refused(text: str) -> None:
    """With what would be one, and its range."""
    with pytest.raises(UsageError, match=r"a share between 0 and 1 such as 0\.05, or 5%"):
        parse([text])


def test_a_metric_has_one_margin() -> None:
    """Named or not: the second one is a mistake, and does not win in silence."""
    assert parse(["0.05", "path_match=0.1"]) == {"task_success": 0.05, "path_match": 0.1}
    with pytest.raises(UsageError, match="task_success has a margin already"):
        parse(["0.05", "task_success=0.1"])


@pytest.mark.parametrize("name", ["cost_usd", "abstention", "task_succes", "pass_hat_k.1"])
def test_only_shares_with_a_good_direction_have_margins(name: str) -> None:
    """A cost has a ratio instead; of what is neither better nor worse nothing can be lost."""
    with pytest.raises(UsageError, match="no share that can be compared; choose"):
        refuse_unknown({name: 0.05}, COLUMNS)
    refuse_unknown({"task_success": 0.05, "pass_hat_k.4": 0.1}, COLUMNS)


def test_a_margin_that_one_suite_cannot_answer_is_refused() -> None:
    """It would be dropped there without a word."""
    whole = group(task_success=compared([1.0, 0.5], [1.0, 0.0], 0.05))
    refuse_unanswered({"task_success": 0.05}, [whole])
    with pytest.raises(UsageError, match="was not compared on suite 'shop', where there are"):
        refuse_unanswered({"path_match": 0.05}, [whole])


def test_a_share_that_leaves_0_to_1_has_no_bound() -> None:
    """A metric of the user's own may; where a word is held back the reason stands there already."""
    odd = compared([0.0, 0.0], [2.0, 3.0], 0.05)
    assert odd.margin is UNSET
    with pytest.raises(UsageError, match="leave 0 to 1"):
        refuse_unanswered({"mine": 0.05}, [group(mine=odd)])
    refuse_unanswered({"mine": 0.05}, [group(mine=replace(odd, why="the infrastructure failed"))])
