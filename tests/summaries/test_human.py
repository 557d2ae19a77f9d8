"""What people did: totals, means and shares, each over the runs that tell it."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.document import Abandoned, Human, Told
from trayecto.metrics import score
from trayecto.summaries import human, summarize
from trayecto.trajectory import Child

Make = Callable[..., Any]


@pytest.fixture
def people(record: Make, total: Make) -> Callable[..., Human]:
    """Return a function that sums up what people did in runs with these fields."""

    def people(*runs: dict[str, object], prices: object = None) -> Human:
        made = [record("t", **fields) for fields in runs]
        return total(made, prices).groups[0].human

    return people


def test_where_no_run_tells_nothing_is_known(people: Callable[..., Human], stated: Make) -> None:
    """Not 0 minutes, not no intervention, not that nobody gave up; each with its reason."""
    nothing = Told(total=None, mean=None, n=0)
    assert people({}, {}, prices=stated) == Human(
        of=2,
        minutes=nothing,
        interventions=nothing,
        abandoned=Abandoned(runs=None, share=None, n=0, median_seconds=None),
        human_usd=None,
        in_cost_per_accepted=False,
        undefined={
            "minutes": "no run tells the minutes of people",
            "interventions": "no run tells interventions",
            "abandoned": "no run tells whether somebody gave it up",
            "median_seconds": "no run tells whether somebody gave it up",
            "human_usd": "no run tells the minutes of people",
        },
    )


def test_totals_and_means_are_over_the_runs_that_tell(people: Callable[..., Human]) -> None:
    """By hand: 2.5 + 0 + 1 minutes in three of four runs, 3 + 1 interventions in two."""
    found = people(
        {"human_minutes": 2.5, "interventions": 3},
        {"human_minutes": 0.0},
        {"human_minutes": 1.0, "interventions": 1},
        {},
    )
    assert found.minutes == Told(total=3.5, mean=3.5 / 3, n=3)
    assert found.interventions == Told(total=4, mean=2, n=2)
    assert (found.of, set(found.undefined)) == (
        4,
        {"abandoned", "median_seconds", "human_usd"},
    )


@pytest.mark.parametrize(
    ("ends", "share", "median"),
    [
        ([30, False, False, False], 0.25, 30),
        ([10, 40, 20, 30], 1.0, 20),
        ([30.5, 10, 20, False, None], 0.75, 20),
        ([0, False], 0.5, 0),
    ],
)
def test_the_share_given_up_and_after_how_long(
    people: Callable[..., Human], ends: list[float | None], share: float, median: float
) -> None:
    """By hand; the median is a time that was observed, the lower one of two."""
    found = people(*[{"abandoned_at": end} for end in ends])
    gone = [end for end in ends if end is not None and end is not False]
    told = sum(end is not None for end in ends)
    assert found.abandoned == Abandoned(runs=len(gone), share=share, n=told, median_seconds=median)


def test_those_that_were_given_up_are_not_all(people: Callable[..., Human]) -> None:
    """Where no other run tells anything, the share would be 100 % whatever happened."""
    found = people({"abandoned_at": 8.0}, {"abandoned_at": 4.0}, {})
    assert found.abandoned == Abandoned(runs=2, share=None, n=2, median_seconds=4)
    assert found.undefined["abandoned"] == "only runs that were given up say so"
    assert "median_seconds" not in found.undefined


def test_where_nobody_gave_up_there_is_no_time(people: Callable[..., Human]) -> None:
    """The share is 0, since the runs say so; the median is undefined."""
    found = people({"abandoned_at": False}, {"abandoned_at": False})
    assert found.abandoned == Abandoned(runs=0, share=0.0, n=2, median_seconds=None)
    assert found.undefined["median_seconds"] == "nobody gave a run up"


def test_minutes_are_money_only_at_a_stated_rate(
    people: Callable[..., Human], stated: Make
) -> None:
    """Article 004: 10 and 2.5 minutes at half a dollar are 6.25 dollars."""
    runs = [{"human_minutes": 10.0}, {"human_minutes": 2.5}]
    paid, silent = people(*runs, prices=stated), people(*runs)
    assert (paid.human_usd, paid.in_cost_per_accepted) == (6.25, True)
    assert (silent.human_usd, silent.in_cost_per_accepted) == (None, False)
    assert silent.undefined["human_usd"] == "no price of a person's minute is stated"


def test_a_part_of_the_minutes_is_no_bill(people: Callable[..., Human], stated: Make) -> None:
    """The total of minutes is told with its runs; the money of all is not known."""
    found = people({"human_minutes": 10.0}, {}, prices=stated)
    assert (found.minutes.total, found.human_usd, found.in_cost_per_accepted) == (10, None, False)
    assert found.undefined["human_usd"] == "minutes of people known for 1 of 2 runs"


@pytest.mark.parametrize(
    "odd",
    [{"interventions": -1}, {"abandoned_at": float("nan")}, {"abandoned_at": True}],
)
def test_what_cannot_be_is_not_told(people: Callable[..., Human], odd: dict[str, object]) -> None:
    """Nor does it stop the summary of the others."""
    found = people({"interventions": 2, "abandoned_at": False}, odd)
    assert (found.interventions.total, found.abandoned.n) == (2, 1)


def test_sub_agents_do_not_count_again(record: Make, people: Callable[..., Human]) -> None:
    """What a root tells is of the whole run."""
    child = record("t", human_minutes=5.0).trajectory
    found = people({"human_minutes": 7.0, "children": (Child(child),)})
    assert found.minutes == Told(total=7, mean=7, n=1)


@pytest.fixture(scope="module")
def read(record: Make, scored: Make, stated: Make) -> Make:
    """Return a function that scores runs with these fields, at stated prices."""
    return lambda drawn: scored([record("t", **fields) for fields in drawn], stated)


CHANCE = st.randoms(use_true_random=False)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "human_minutes": st.floats(0, 1000),
        "interventions": st.integers(0, 9),
        "abandoned_at": st.just(value=False) | st.floats(0, 100),
    },
)


@given(drawn=st.lists(FIELDS, max_size=9), chance=CHANCE, exact=st.integers(1, 9))
def test_any_split_gives_the_same(
    read: Make, drawn: list[dict[str, object]], chance: random.Random, exact: int
) -> None:
    """Parts merge to the same in any order, also where there are too many times to keep."""
    runs, columns = read(drawn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(human, "EXACT", exact)
        whole, merged = human.Accumulator(columns), human.Accumulator(columns)
        for run in runs:
            whole.add(run)
        chance.shuffle(runs)
        for part in (runs[::2], runs[1::2]):
            other = human.Accumulator(columns)
            for run in part:
                other.add(run)
            merged.merge(other)
        assert merged.value() == whole.value()


def test_many_times_are_kept_coarsely(
    record: Make, scored: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To four digits, later ones too: 12.3456 s are 12.34 s."""
    monkeypatch.setattr(human, "EXACT", 1)
    runs, columns = scored([record("t", abandoned_at=at) for at in (12.3456, 5.0, 12.3499)])
    found = human.Accumulator(columns)
    for run in runs:
        found.add(run)
    assert found.value()["human"].abandoned.median_seconds == 12.34


def test_a_document_of_several_groups_keeps_people_apart(record: Make, scored: Make) -> None:
    """Nothing is added up over candidates."""
    made = [record("t", interventions=at, candidate=name) for at, name in ((1, "a"), (5, "b"))]
    found = summarize(score(made)).groups
    assert [group.human.interventions.total for group in found] == [1, 5]
