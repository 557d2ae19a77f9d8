"""What every test may use: the fixture and marker `shared`, and two Hypothesis profiles."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

# No deadline: on a busy machine a slow example says nothing about the code. What CI says of a
# commit it says again tomorrow, so there the examples are always the same; new ones are drawn
# everywhere else, and many of them by --hypothesis-profile=hunt.
settings.register_profile("default", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True, database=None)
settings.register_profile("hunt", max_examples=5_000, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "default")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder beside the project that holds large real data."""
    return SHARED


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses `shared`, write that into the JUnit file, and skip it where it is absent."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("shared")
        if item.get_closest_marker("shared"):
            item.user_properties.append(("needs", "shared"))
            if not SHARED.is_dir():
                item.add_marker(pytest.mark.skip(reason="needs ../shared"))
