"""Decisions: what summaries say of a change, in words that do not promise more than they hold."""

from __future__ import annotations

from trayecto.decisions.comparison import Comparison

__all__ = ["Comparison"]
