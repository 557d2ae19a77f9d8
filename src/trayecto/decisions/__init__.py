"""Decisions: what summaries say of a change, in words that do not promise more than they hold."""

from __future__ import annotations

from trayecto.comparison import Comparison
from trayecto.decisions._arm import Side, read_arm
from trayecto.decisions.compare import compare

__all__ = ["Comparison", "Side", "compare", "read_arm"]
