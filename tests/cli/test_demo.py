"""``trayecto demo``: the shipped example."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Type = Callable[..., Any]  # gives code, out and err: see conftest


def test_the_example_has_everything_to_see(type_: Type) -> None:
    """The example shows a loop, wrong writes, an absence, costs and a broken run, and no warning.

    Twelve of its twenty runs succeed: counted by hand in ``example/runs.jsonl``.
    """
    document = json.loads(type_("demo", "--json").out)
    assert (document["trajectories"], document["tasks"]) == (20, 5)
    assert document["metrics"]["task_success"]["value"] == 12 / 20
    assert document["metrics"]["cost_usd"]["missing"] == 0
    assert {"wrong_write", "never_done", "value_never_said"} <= {
        line["cause"] for line in document["groups"][0]["attribution"]
    }
    assert document["warnings"] == []


def test_the_report_speaks_both_languages(type_: Type) -> None:
    """The demo prints the report, in the language that is asked for."""
    assert "60.0 %" in type_("demo").out
    assert type_("demo", "--lang", "es").code == 0
