"""The document of a comparison: what is written, and what is left out."""

import json

import msgspec
import pytest
from msgspec import UNSET

from trayecto import comparison
from trayecto.comparison import SCHEMA, Comparison, Difference, Parting

PLAIN = Difference(base=0.5, candidate=0.6, difference=0.1, tasks=9, unit="share", better="higher")
STRUCTS = [
    kind
    for kind in vars(comparison).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct
]


def test_what_is_not_known_is_written_as_null() -> None:
    """And what was not asked for is not written."""
    written = json.loads(msgspec.json.encode(PLAIN))
    assert (written["interval"], written["p_value"], written["verdict"]) == (None, None, None)
    assert {"margin", "ratio", "capability", "ignoring_clusters", "why"}.isdisjoint(written)


def test_the_view_stands_inside_the_metric() -> None:
    """The same shape again, once."""
    nested = msgspec.structs.replace(PLAIN, capability=PLAIN)
    again = msgspec.json.decode(msgspec.json.encode(nested), type=Difference)
    assert again == nested
    assert again.capability.capability is UNSET


def test_several_candidates_have_no_single_one() -> None:
    """A comparison names one candidate or several, never both."""
    one = json.loads(msgspec.json.encode(Comparison(base="a", candidate="b", groups=[])))
    several = json.loads(msgspec.json.encode(Comparison(base="a", candidates=["b"], groups=[])))
    assert (one["candidate"], "candidates" in one) == ("b", False)
    assert (several["candidates"], "candidate" in several) == (["b"], False)
    assert one["schema"] == several["schema"] == SCHEMA == "trayecto.compare/1"


@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_every_value_is_frozen_and_documented(kind: type[msgspec.Struct]) -> None:
    """Nothing downstream writes on them."""
    assert kind.__struct_config__.frozen
    assert kind.__doc__


def test_a_parting_tells_both_sides() -> None:
    """The turn and the tool of either side, null where it has none."""
    made = Parting(
        what="ended", step=2, base_turn=None, candidate_turn=5, base_tool=None, candidate_tool="a"
    )
    written = json.loads(msgspec.json.encode(made))
    assert (written["base_turn"], written["candidate_turn"]) == (None, 5)
