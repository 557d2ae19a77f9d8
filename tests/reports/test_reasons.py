"""Reasons: English as metrics give them, Spanish from the catalogue."""

import re

import pytest

from trayecto.reports._reasons import PATTERNS, REASONS, reason


def test_an_unknown_reason_prints_as_it_is() -> None:
    """A metric of the user's own may give any."""
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
        (
            "no price is known for model 'gpt-9'",
            "no se conoce el precio del modelo 'gpt-9'",
        ),
        ("acceptance unknown for 2 of 3 runs", "no se sabe si se aceptan 2 de 3 corridas"),
    ],
)
def test_reasons_are_translated_with_their_values(why: str, expected: str) -> None:
    """A number or a name inside a reason stays."""
    assert reason("es", why) == expected


def test_every_pattern_keeps_its_values() -> None:
    """A translated pattern repeats every group that it found."""
    for pattern, words in PATTERNS.items():
        assert {f"\\{n}" for n in range(1, pattern.groups + 1)} == set(re.findall(r"\\\d", words))
