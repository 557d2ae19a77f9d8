"""What people did in the runs of a group; nothing where no run tells it."""

from __future__ import annotations

from trayecto.document import Abandoned, Human, Told
from trayecto.reports._marks import UNKNOWN, amount, dollars, percent
from trayecto.reports._page import Page


def people(page: Page, human: Human) -> None:
    """Print minutes, interventions and runs given up, each where a run tells it."""
    told = [_minutes(page, human), _steps(page, human), _given_up(page, human)]
    lines = [line for line in told if line]
    if not lines:
        return
    page.head(page.say("people"))
    for line in lines:
        page.series(line)


def _minutes(page: Page, human: Human) -> list[str]:
    """The minutes, and the money where a rate is stated."""
    found: Told = human.minutes
    if found.total is None or found.mean is None:
        return []
    counts = {"total": amount(found.total), "mean": amount(found.mean)}
    line = page.say("people_minutes", **counts, n=found.n, of=human.of)
    if human.human_usd is None:
        return [line]
    return [line, page.say("people_cost", value=dollars(human.human_usd))]


def _steps(page: Page, human: Human) -> list[str]:
    found: Told = human.interventions
    if found.total is None or found.mean is None:
        return []
    counts = {"n": round(found.total), "mean": amount(found.mean)}
    return [page.say("people_steps", **counts, told=found.n, of=human.of)]


def _given_up(page: Page, human: Human) -> list[str]:
    found: Abandoned = human.abandoned
    if found.runs is None:
        return []
    share = UNKNOWN if found.share is None else percent(found.share)
    line = page.say("given_up", n=found.runs, told=found.n, of=human.of, share=share)
    if found.median_seconds is None:
        return [line]
    return [line, page.say("given_up_after", value=amount(found.median_seconds))]
