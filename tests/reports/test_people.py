"""What people did: a line for each thing that a run tells, and nothing else."""

from collections.abc import Callable

import pytest

from trayecto.document import Abandoned, Human, Told
from trayecto.metrics import score
from trayecto.records import Record
from trayecto.reports import report
from trayecto.reports._page import Page
from trayecto.reports._people import people
from trayecto.summaries import summarize


def printed(human: Human, lang: str = "en", width: int = 80) -> list[str]:
    """Return the lines of the section."""
    page = Page(lang, width, color=False)
    people(page, human)
    return page.text().splitlines()


def test_where_no_run_tells_there_is_no_section(make: object) -> None:
    """Most traces say nothing of people: the report does not say so for each."""
    assert printed(make.human()) == []


def test_every_number_says_how_many_runs_told_it(make: object) -> None:
    """Totals, means, and the median time until somebody gave up."""
    assert printed(make.told()) == [
        "People",
        "12.5 min of work, 1.56 a run, in 8 of 10 runs",
        "3 interventions, 0.375 a run, in 8 of 10 runs",
        "2 runs given up, of 8 of 10 that tell: 25.0 % · median 45.5 s",
    ]


def test_spanish(make: object) -> None:
    """Every word of it."""
    assert printed(make.told(human_usd=6.25), "es") == [
        "Personas",
        "12.5 min de trabajo, 1.56 por corrida, en 8 de 10 corridas",
        "$6.25 a la tarifa declarada",
        "3 intervenciones, 0.375 por corrida, en 8 de 10 corridas",
        "2 corridas abandonadas, de 8 de 10 que lo dicen: 25.0 % · mediana 45.5 s",
    ]


def test_money_stands_there_only_at_a_stated_rate(make: object) -> None:
    """Twelve and a half minutes at half a dollar."""
    assert "$" not in "".join(printed(make.told()))
    assert printed(make.told(human_usd=6.25), width=100)[1] == (
        "12.5 min of work, 1.56 a run, in 8 of 10 runs · $6.25 at the stated rate"
    )


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"interventions": Told(total=1, mean=0.5, n=2)},
            "1 intervention, 0.5 a run, in 2 of 10 runs",
        ),
        (
            {"minutes": Told(total=0.0, mean=0.0, n=3)},
            "0 min of work, 0 a run, in 3 of 10 runs",
        ),
        (
            {"abandoned": Abandoned(runs=1, share=None, n=1, median_seconds=9)},
            "1 run given up, of 1 of 10 that tell: – · median 9 s",
        ),
        (
            {"abandoned": Abandoned(runs=0, share=0.0, n=4, median_seconds=None)},
            "0 runs given up, of 4 of 10 that tell: 0.0 %",
        ),
    ],
)
def test_only_what_is_told_has_a_line(make: object, fields: dict[str, object], line: str) -> None:
    """A 0 that is told is printed, an unknown is not, and an unknown share is no number."""
    assert printed(make.human(**fields)) == ["People", line]


def test_the_report_holds_the_section(trajectory: Callable[..., object]) -> None:
    """From a run to the page; a run that tells nothing has no such heading."""
    silent = report(summarize(score([Record(trajectory())])))
    told = report(summarize(score([Record(trajectory(interventions=2))])))
    assert ("People" in silent, "People\n2 interventions, 2 a run" in told) == (False, True)
