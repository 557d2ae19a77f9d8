"""``trayecto schema``: JSON Schemas that are schemas."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest

Type = Callable[..., Any]  # gives code, out and err: see conftest


@pytest.mark.parametrize("shape", ["cases", "report", "trajectory"])
def test_prints_a_valid_schema(type_: Type, shape: str) -> None:
    """Each shape prints one JSON Schema that a validator takes."""
    result = type_("schema", shape)
    assert result.code == 0
    assert jsonschema_rs.meta.is_valid(json.loads(result.out))


def test_cases_are_the_default(type_: Type) -> None:
    """Editors want the schema of case files."""
    assert "reference" in type_("schema").out


def test_an_unknown_shape_is_refused(type_: Type) -> None:
    """A shape that there is not ends with 2."""
    assert type_("schema", "nothing").code == 2
