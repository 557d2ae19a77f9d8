"""``trayecto demo``: the shipped example, scored as any file would be."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Annotated, Literal

from cyclopts import Parameter

from trayecto.cli._output import say
from trayecto.cli._source import Input
from trayecto.cli.score import Output, score


def demo(
    *,
    json: Annotated[
        bool, Parameter(negative="", help="One JSON document on stdout, and nothing else.")
    ] = False,
    lang: Annotated[Literal["en", "es"], Parameter(help="Language of the report.")] = "en",
) -> int:
    """Score the example that comes with trayecto: a support agent, five tasks, four trials each."""
    with as_file(files("trayecto") / "example") as folder:
        say(f"trayecto score {folder / 'runs.jsonl'} --cases {folder / 'cases.yaml'} …")
        return score(
            str(folder / "runs.jsonl"),
            source=Input(cases=folder / "cases.yaml", prices=folder / "prices.yaml"),
            output=Output(json=json, lang=lang),
        )
