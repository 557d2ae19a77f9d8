"""The catalogue is complete in both languages, and holds nothing that is not used."""

import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from trayecto import reports
from trayecto.metrics import load
from trayecto.reports._words import (
    CAUSES,
    FAMILIES,
    LANGS,
    METRICS,
    PATTERNS,
    REASONS,
    STATUSES,
    WARNINGS,
    WORDS,
    Lang,
    label,
    name_metric,
    position,
    reason,
    say,
)
from trayecto.scores import Kind
from trayecto.trajectory import Status

FOLDER = Path(reports.__file__).parent
PACKAGE = FOLDER.parent
TABLES = {
    "words": WORDS,
    "metrics": METRICS,
    "families": FAMILIES,
    "causes": CAUSES,
    "statuses": STATUSES,
    "warnings": WARNINGS,
}


def sources(folder: Path) -> str:
    """Return all code of a folder, without the catalogue."""
    files = sorted(folder.rglob("*.py"))
    return "\n".join(p.read_text("utf-8") for p in files if p.name != "_words.py")


def placeholders(text: str) -> set[str]:
    """Return the names of the values in a template."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("table", TABLES)
def test_every_text_is_in_both_languages(table: str) -> None:
    """No entry is empty, and none has a third language."""
    assert {key for key, texts in TABLES[table].items() if len(texts) != len(LANGS)} == set()
    assert {key for key, texts in TABLES[table].items() if not all(texts)} == set()


@pytest.mark.parametrize("table", TABLES)
def test_both_languages_ask_for_the_same_values(table: str) -> None:
    """A translation drops no number."""
    for key, (english, spanish) in TABLES[table].items():
        assert placeholders(english) == placeholders(spanish), key


@pytest.mark.parametrize("table", TABLES)
def test_singular_and_plural_ask_for_the_same_values(table: str) -> None:
    """Both forms of a template take the same numbers."""
    for key, texts in TABLES[table].items():
        for text in texts:
            forms = text.split("|")
            assert len(forms) <= 2, key
            assert placeholders(forms[0]) == placeholders(forms[-1]), key


def test_every_sentence_is_used() -> None:
    """A sentence that nothing prints is gone from the catalogue."""
    code = sources(FOLDER)
    assert {key for key in WORDS if f'"{key}"' not in code and f"'{key}'" not in code} == set()


def test_every_sentence_that_is_said_exists() -> None:
    """No report asks for a sentence that is not there."""
    said = re.findall(r"\bsay\((?:page\.lang, )?[\"'](\w+)[\"']", sources(FOLDER))
    assert set(said) - set(WORDS) == set()


def test_no_sentence_stands_in_the_code() -> None:
    """Reports hold no text of two words or more outside of the catalogue and the commands."""
    for_people = sources(FOLDER).replace((FOLDER / "json.py").read_text("utf-8"), "")
    code = re.sub(r'"""[\s\S]*?"""', "", for_people)
    found = re.findall(r'(?<![rbf])"([A-Z][a-z]+ [a-z]+[^"]*)"', code)
    assert found == []


def test_every_cause_has_a_name() -> None:
    """A new kind of culprit needs its words."""
    assert set(CAUSES) == set(get_args(Kind))


def test_every_status_has_a_name() -> None:
    """A new status needs its words."""
    assert set(STATUSES) == set(get_args(Status))


@pytest.mark.parametrize("code", WARNINGS)
def test_every_warning_can_happen(code: str) -> None:
    """A code of the catalogue is one that some reader warns of."""
    assert f'"{code}"' in sources(PACKAGE)


@pytest.mark.parametrize("why", REASONS)
def test_every_reason_can_happen(why: str) -> None:
    """A reason of the catalogue stands in the code that gives it."""
    assert f'"{why}"' in sources(PACKAGE)


def test_every_named_metric_exists() -> None:
    """A name of the catalogue is one of a column, of its summary, or of the suite."""
    columns = [column for entry in load() for column in entry.columns]
    suite = {"pass_hat_k", "pass_at_k", "cost_per_accepted_usd", "latency_ms.p50", "latency_ms.p95"}
    known = {column.id for column in columns} | {column.summary for column in columns} | suite
    assert set(METRICS) - known == set()


def test_metric_names_fit_their_column() -> None:
    """Beside intervals a name has 24 columns."""
    names = [name for texts in METRICS.values() for name in texts]
    assert [name for name in names if len(name) > 24] == []


def test_metric_names_differ() -> None:
    """Two numbers never bear one name."""
    for lang in range(len(LANGS)):
        names = [texts[lang] for texts in METRICS.values()]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("lang", "n", "expected"),
    [
        ("en", 1, "1 trajectory"),
        ("en", 1164, "1,164 trajectories"),
        ("en", 0, "0 trajectories"),
        ("es", 1, "1 trayectoria"),
        ("es", 2, "2 trayectorias"),
    ],
)
def test_one_is_singular(lang: Lang, n: int, expected: str) -> None:
    """A sentence agrees with its number."""
    assert say(lang, "trajectories", n=n) == expected


def test_an_unknown_code_prints_as_it_is() -> None:
    """A metric, warning or cause of tomorrow is not lost."""
    assert name_metric("es", "my_metric") == "my_metric"
    assert label(WARNINGS, "es", "odd_thing") == "odd_thing"
    assert reason("es", "the moon was full") == "the moon was full"


def test_reasons_are_english_as_given() -> None:
    """Metrics write their reasons in English."""
    assert {why: reason("en", why) for why in REASONS} == {why: why for why in REASONS}


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        ("no token counts", "no hay conteo de tokens"),
        ("cost known for 3 of 20 runs", "costo conocido en 3 de 20 corridas"),
        (
            "an empty reference asserts nothing in mode subset",
            "una referencia vacía no afirma nada en modo subset",
        ),
        ("the run broke (infra_error)", "la corrida se rompió (infra_error)"),
        ("the run ended as cancelled", "la corrida terminó como cancelled"),
    ],
)
def test_reasons_are_translated_with_their_values(why: str, expected: str) -> None:
    """A number or a name inside a reason stays."""
    assert reason("es", why) == expected


def test_every_pattern_keeps_its_values() -> None:
    """A translated pattern repeats every group that it found."""
    for pattern, words in PATTERNS.items():
        assert {f"\\{n}" for n in range(1, pattern.groups + 1)} == set(re.findall(r"\\\d", words))


def test_success_comes_first_and_unknown_metrics_last() -> None:
    """A report lists what decides before what explains."""
    ids = ["zebra", "latency_ms", "pass_hat_k", "alpha", "task_success"]
    expected = ["task_success", "pass_hat_k", "latency_ms", "alpha", "zebra"]
    assert sorted(ids, key=position) == expected


def test_braces_in_a_value_are_no_template() -> None:
    """A file named {x} does not break a sentence."""
    assert say("en", "prices", source="{x}{0}") == "Prices: {x}{0}"
