"""The golden values, read where they lie."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Golden = Callable[[str], tuple[Any, Any]]


@pytest.fixture(scope="session")
def golden(shared: Path) -> Golden:
    """Return a function that gives the input and the expected value of an entry, by id."""
    entries = json.loads((shared / "golden" / "golden.json").read_text("utf-8"))["golden"]
    by_id = {entry["id"]: entry for entry in entries}

    def golden(name: str) -> tuple[Any, Any]:
        return by_id[name]["input"], by_id[name]["expected"]

    return golden
