"""Tests of the models of a case file: they agree with the values that cases are made of."""

from typing import get_args

import pytest
from pydantic import ValidationError

from trayecto.case import MODE_ALIASES, MODES, CaseSecret
from trayecto.case_formats._schema import CaseDocument, CaseEntry, MatchName, Settings


def test_every_mode_and_alias_may_be_written() -> None:
    """The schema lists what the rulings name, and nothing else."""
    assert get_args(MatchName) == (*MODES, *MODE_ALIASES)


def test_every_field_of_a_judgement_can_be_written() -> None:
    """What a metric may ask of a case has a field in the file; limits stand in the settings."""
    fields = CaseEntry.model_fields.keys() | Settings.model_fields.keys()
    assert set(CaseSecret.__struct_fields__) <= fields


def test_a_document_is_its_settings_and_cases() -> None:
    """Nothing else stands at the top of a file."""
    assert CaseDocument.model_fields.keys() - Settings.model_fields.keys() == {"cases"}


def test_no_field_of_a_case_is_a_setting() -> None:
    """In JSON lines the header is told from a case by its fields; only critical is in both."""
    assert CaseEntry.model_fields.keys() & Settings.model_fields.keys() == {"critical"}


@pytest.mark.parametrize("trials", ["4", 4.0, True])
def test_nothing_is_converted(trials: object) -> None:
    """A number in quotes is text."""
    with pytest.raises(ValidationError):
        Settings.model_validate({"trials": trials})
