"""How commands write."""

from __future__ import annotations

import pytest

from trayecto.cli._output import color, width


@pytest.mark.parametrize(("columns", "used"), [("40", 80), ("100", 100), ("300", 120)])
def test_width_stays_readable(monkeypatch: pytest.MonkeyPatch, columns: str, used: int) -> None:
    """Reports are between 80 and 120 columns wide, whatever the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    assert width() == used


def test_no_color_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR is respected even where color is forced; else FORCE_COLOR decides off a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert color()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not color()
