"""Right answers by a failing path: listed, not only counted."""

from collections.abc import Callable
from typing import Any

from trayecto.document import LABEL
from trayecto.summaries import right_answers
from trayecto.trajectory import Source

Make = Callable[..., Any]


def test_a_success_off_the_path_is_listed_with_what_failed(record: Make, total: Make) -> None:
    """The pathological run of article 000 loops; another one never looks the customer up."""
    made = [
        record("sane", "bv", reference="bv"),
        record("loops", "VVVlbv", reference="bv"),
        record("guesses", "v", reference="bv"),
        record("circles", "ababab"),
        record("failed", "v", success=False, reference="bv"),
        record("unknown", "v", success=None, reference="bv"),
    ]
    found = total(made).groups[0].right_answers
    assert (found.count, found.of) == (3, 4)
    assert [(each.case, each.failed) for each in found.examples] == [
        ("loops", ["loop"]),
        ("guesses", ["path_match"]),
        ("circles", ["call_cycle", "loop"]),
    ]


def test_the_list_is_in_the_order_of_the_files(record: Make, total: Make) -> None:
    """A reader finds them as they stand, however they came."""
    made = [record("t", "v", reference="bv", id=f"r{at}") for at in range(5)]
    found = total(made[::-1]).groups[0].right_answers
    assert [each.id for each in found.examples] == ["r0", "r1", "r2", "r3", "r4"]


def test_all_are_counted_and_the_first_are_listed(record: Make, total: Make) -> None:
    """A thousand examples help nobody; the count is of all."""
    made = [record("t", "v", reference="bv") for _ in range(250)]
    found = total(made[::-1]).groups[0].right_answers
    assert found.count == 250
    names = [each.trajectory.id for each in made[: right_answers.LISTED]]
    assert [each.id for each in found.examples] == names


def test_merging_keeps_the_first_of_both(record: Make, scored: Make) -> None:
    """Two parts of two hundred each list the same as one of four hundred."""
    runs, columns = scored([record("t", "v", reference="bv") for _ in range(400)])
    parts = [right_answers.Accumulator(columns) for _ in range(2)]
    for at, run in enumerate(runs):
        parts[at % 2].add(run)
    parts[1].merge(parts[0])
    listed = [each.id for each in parts[1].value()["right_answers"].examples]
    assert listed == [run.trajectory.id for run in runs[: right_answers.LISTED]]


def test_a_check_that_is_undefined_did_not_fail(record: Make, total: Make) -> None:
    """A run without a reference and without calls fails no check."""
    found = total([record("t", "")]).groups[0].right_answers
    assert (found.count, found.of, found.examples) == (0, 1, [])


def test_an_example_can_be_found(record: Make, total: Make) -> None:
    """File and record lead to it; id and case are labels."""
    made = record("c" * 500, "v", reference="bv", id="i" * 500, source=Source("made", "a.json", 7))
    [found] = total([made]).groups[0].right_answers.examples
    assert (found.file, found.record) == ("a.json", 7)
    assert (len(found.id), len(found.case)) == (LABEL, LABEL)
