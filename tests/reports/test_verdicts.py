"""The catalogue of a comparison: complete, in both languages, and used."""

import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from trayecto import comparison
from trayecto.comparison import Aspect, Caveat, How, Test, Verdict
from trayecto.decisions import _evidence
from trayecto.reports import _verdicts
from trayecto.reports._verdicts import (
    ASPECTS,
    CAVEATS,
    EVIDENCE,
    HOWS,
    TESTS,
    VERDICTS,
    WORDS,
    evidence,
    fill,
    tell,
)

REPORTS = Path(_verdicts.__file__).parent
CATALOGUES = {
    "VERDICTS": VERDICTS, "HOWS": HOWS, "ASPECTS": ASPECTS, "CAVEATS": CAVEATS, "TESTS": TESTS,
    "WORDS": WORDS,
}  # fmt: skip


def fields(template: str) -> set[str]:
    """Return the names that a template asks for."""
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_both_languages_ask_for_the_same(catalogue: str) -> None:
    """Every form of a template, in English and in Spanish."""
    for key, (english, spanish) in CATALOGUES[catalogue].items():
        forms = [*english.split("|"), *spanish.split("|")]
        assert {frozenset(fields(form)) for form in forms} == {frozenset(fields(forms[0]))}, key
        assert len(english.split("|")) == len(spanish.split("|")), key


@pytest.mark.parametrize(
    ("catalogue", "codes"),
    [
        (VERDICTS, get_args(Verdict)),
        (HOWS, get_args(How)),
        (ASPECTS, get_args(Aspect)),
        (TESTS, get_args(Test)),
        (CAVEATS, get_args(Caveat.__annotations__["code"]) or ()),
    ],
)
def test_every_code_has_its_words(catalogue: dict[str, object], codes: tuple[str, ...]) -> None:
    """What a comparison may hold can be told, and nothing is told that it cannot hold."""
    if not codes:  # annotations are text: read the codes where they stand
        source = Path(comparison.__file__).read_text("utf-8")
        block = source.partition("class Caveat")[2].partition("    base: str")[0]
        codes = tuple(re.findall(r'"([a-z_]+)"', block))
    assert set(catalogue) == set(codes)


def test_every_sentence_is_used() -> None:
    """A key that no report asks for is dead."""
    files = ("comparison.py", "_changes.py", "_differences.py")
    source = "".join((REPORTS / name).read_text("utf-8") for name in files)
    quoted = set(re.findall(r"[\"']([a-z_]+)[\"']", source))
    assert WORDS.keys() - quoted == set()


def test_every_reason_of_evidence_is_translated() -> None:
    """What would decide, and why no number does; in English it stays as it is."""
    texts = {value for name, value in vars(_evidence).items() if name.isupper()}
    whys = {text for text in texts if isinstance(text, str)}
    assert whys == set(EVIDENCE)
    for why in whys:
        assert evidence("en", why) == why != evidence("es", why)
    assert evidence("es", "another") == "another"


def test_one_and_several() -> None:
    """A template has a form for one thing."""
    assert tell("en", "paired", n=1) == "1 task on both sides"
    assert tell("es", "paired", n=2) == "2 tareas en ambos lados"
    assert fill(CAVEATS, "en", "pooled", base=3, candidate=3).startswith("3 suites are joined")
