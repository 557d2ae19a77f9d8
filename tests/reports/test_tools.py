"""Two short tables: tools that were confused, and tools whose steps are dear."""

import pytest
from rich.cells import cell_len

from trayecto.document import Group
from trayecto.reports._page import Page
from trayecto.reports._tools import confused, dear


def pairs(group: Group, *, limit: int = 4, lang: str = "en", width: int = 80) -> list[str]:
    """Return the lines of the table of confused tools."""
    page = Page(lang, width, color=False)
    confused(page, group, limit)
    return page.text().splitlines()


def steps(make: object, *lines: object, by: str = "cost", lang: str = "en") -> list[str]:
    """Return the lines of the table of dear steps."""
    page = Page(lang, 80, color=False)
    dear(page, make.steps(*lines, by=by), 3)
    return page.text().splitlines()


def test_the_most_frequent_pairs_are_listed(make: object) -> None:
    """Expected, called, how often, and a run to look at; missed and extra calls are no pairs."""
    group = make.group(
        confusion=[
            make.confused(None, "think", 1200),
            make.confused("find_order", "find_product", 9),
            make.confused("pay", None, 4),
            make.confused("pay", "refund", 2),
            make.confused(None, None, 2),
        ]
    )
    assert pairs(group) == [
        "Confused tools   expected → called, in 10 runs",
        "   9  find_order  →  find_product  run#1",
        "   2  pay         →  refund        run#1",
    ]


def test_no_pair_is_no_table(make: object) -> None:
    """Where tools were only missed or added, none was confused."""
    assert pairs(make.group(confusion=[make.confused("a", None), make.confused(None, "a")])) == []


def test_only_some_pairs_are_listed(make: object) -> None:
    """The document has them all."""
    found = [make.confused(f"a{at}", "b", 9 - at) for at in range(6)]
    assert len(pairs(make.group(confusion=found))) == 1 + 4


def test_large_counts_are_not_cut(make: object) -> None:
    """A half number is a wrong one."""
    line = pairs(make.group(confusion=[make.confused("a", "b", 12_345)]))[1]
    assert line == "12,345  a  →  b  run#1"


def test_confused_tools_in_spanish(make: object) -> None:
    """The heading agrees with its number."""
    group = make.group(
        confusion=[make.confused("a", "b")], selection=make.selection(trajectories=1)
    )
    assert pairs(group, lang="es")[0] == (
        "Herramientas confundidas   esperada → llamada, en 1 corrida"
    )


@pytest.mark.parametrize("width", [60, 80, 120])
def test_long_names_fit(make: object, width: int) -> None:
    """Two long names share the line, and the example keeps its end."""
    pair = make.confused("expected_tool_" * 9, "called_tool_" * 9, 10**9)
    line = pairs(make.group(confusion=[pair]), width=width)[1]
    assert cell_len(line) <= width
    assert line.count("…") == 2
    assert line.endswith("run#1")


def test_dear_steps_by_cost(make: object) -> None:
    """Cost of all calls; tokens and characters of one; and which call to look at."""
    lines = steps(make, make.dear_step(), make.dear_step("find", cost_usd=12.3456, call=14))
    assert lines == [
        "Dear steps   by cost; tokens, and characters observed, are means of a call",
        "Tool      Calls    Cost  Tokens  Characters  Call  Example",
        "pay           4   $0.04   1,000          30     2  run#1",
        "find          4  $12.35   1,000          30    14  run#1",
    ]


def test_dear_steps_without_a_price(make: object) -> None:
    """A cost that nobody knows is no column."""
    lines = steps(make, make.dear_step(priced=0, cost_usd=None, mean_usd=None), by="tokens")
    assert lines[1:] == [
        "Tool      Calls  Tokens  Characters  Call  Example",
        "pay           4   1,000          30     2  run#1",
    ]


def test_dear_steps_without_tokens(make: object) -> None:
    """Then only the observations are known, and nothing costs 0."""
    lines = steps(make, make.step(), by="characters")
    assert lines[1:] == [
        "Tool      Calls  Characters  Call  Example",
        "pay           4          30     2  run#1",
    ]


@pytest.mark.parametrize(
    ("by", "known"), [("cost", "priced"), ("tokens", "counted"), ("characters", "observed")]
)
def test_a_part_of_the_calls_is_said(make: object, by: str, known: str) -> None:
    """Where the sum covers 3 of 4 calls it says so."""
    assert steps(make, make.dear_step(**{known: 3}), by=by)[2].split()[1] == "3/4"


def test_one_tool_of_several_may_have_no_price(make: object) -> None:
    """Its cost is a dash, not a zero."""
    line = make.dear_step("old", priced=0, cost_usd=None, mean_usd=None)
    assert steps(make, make.dear_step(), line)[3].split()[:3] == ["old", "0/4", "–"]


def test_no_observation_and_no_token_is_no_table(make: object) -> None:
    """Of calls of which nothing is known none is dear."""
    nothing = make.step(observed=0, characters=None, mean_characters=None)
    assert steps(make, nothing, by="characters") == []
    assert steps(make, by="characters") == []


def test_the_cheaper_ones_together_are_no_tool(make: object) -> None:
    """Their line is in the document only."""
    assert len(steps(make, make.dear_step(), make.dear_step(None))) == 3


def test_three_tools_are_listed(make: object) -> None:
    """A report is short."""
    assert len(steps(make, *[make.dear_step(f"t{at}") for at in range(5)])) == 2 + 3


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("by", ["cost", "tokens", "characters"])
def test_every_table_fits(make: object, by: str, lang: str) -> None:
    """At 80 columns, with long names, large numbers and a part of the calls."""
    line = make.dear_step(
        "tool_" * 20, calls=123_456, priced=123, counted=123, observed=123,
        cost_usd=98_765.43, mean_tokens=1e9, mean_characters=1e9, call=1234, example="run_" * 30,
    )  # fmt: skip
    lines = steps(make, line, by=by, lang=lang)
    assert len(lines) == 3
    assert max(map(cell_len, lines)) <= 80


def test_foreign_text_prints_inertly(make: object, hostile: str) -> None:
    """Whatever a tool or a run is called stays letters, in its column."""
    line = make.dear_step(hostile, example=hostile)
    shown = steps(make, line) + pairs(make.group(confusion=[make.confused(hostile, hostile)]))
    text = "".join(shown)
    assert set(text) & set("\x1b\x07\x9b\r\t\u202e\u200b\u200d\ud800") == set()
    assert max(map(cell_len, shown)) <= 80
