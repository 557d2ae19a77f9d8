"""Tool contracts: what a digest covers, what a schema accepts, and what is guessed of an effect."""

import socket
from time import process_time

import pytest
from msgspec.structs import replace

from trayecto.contracts import EFFECTS, WRITES, ToolContract, assumed_effect
from trayecto.errors import InputError

PAY = ToolContract("pay", "Pays.", {"type": "object", "required": ["a"], "properties": {}}, "write")


@pytest.mark.parametrize(
    "change", [{"name": "pai"}, {"description": "Pays!"}, {"parameters": {"type": "object"}}]
)
def test_the_digest_changes_with_the_promise(change: dict[str, object]) -> None:
    """Name, description and schema are what a model sees."""
    assert replace(PAY, **change).digest != PAY.digest


def test_the_digest_does_not_change_with_the_order_of_keys() -> None:
    """Nor with the effect, which no model sees."""
    turned = dict(reversed(PAY.parameters.items()))
    assert replace(PAY, parameters=turned, effect="read").digest == PAY.digest
    assert len(PAY.digest) == 64


def test_an_effect_is_unknown_unless_somebody_says() -> None:
    """Two of the four change the world."""
    assert ToolContract("x").effect == "unknown"
    assert {"write", "irreversible"} == WRITES < set(EFFECTS)


@pytest.mark.parametrize(
    ("tool", "effect"),
    [
        ("get_order_details", "read"), ("find_user_id_by_email", "read"), ("calculate", "read"),
        ("list_all_airports", "read"), ("think", "read"), ("search_direct_flight", "read"),
        ("transfer_to_human_agents", "read"), ("cancel_pending_order", "write"),
        ("book_reservation", "write"), ("send_certificate", "write"), ("forget_me", "write"),
    ],
)  # fmt: skip
def test_a_guess_from_the_name(tool: str, effect: str) -> None:
    """ATTRIBUTION.md: a name that starts like a question reads, any other is taken to write."""
    assert assumed_effect(tool) == effect


COUNT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [({"n": 1}, True), ({"n": "1"}, False), ({}, False), ({"n": 1, "m": 2}, True), ("{", False)],
)
def test_arguments_keep_to_the_schema(arguments: object, *, kept: bool) -> None:
    """JSON Schema's own rules; text that is no object keeps to none."""
    assert ToolContract("count", "", COUNT).accepts(arguments) is kept


def test_a_schema_fetches_nothing() -> None:
    """Tool lists come with traces: a reference in one is an address that must not be asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        schema = {"$ref": f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"}
        with pytest.raises(InputError, match="tool far: its schema cannot be used"):
            ToolContract("far", "", schema).accepts({})
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize("schema", [{"type": 3}, {"pattern": "("}, {"$ref": "#/nowhere"}])
def test_a_schema_that_is_none_is_named(schema: dict[str, object]) -> None:
    """With the tool it belongs to."""
    with pytest.raises(InputError, match="tool odd: its schema cannot be used"):
        ToolContract("odd", "", schema).accepts({})


def test_a_pattern_is_matched_in_linear_time() -> None:
    """Nested repetition takes exponential time where patterns backtrack."""
    schema = {"properties": {"a": {"pattern": "^(a+)+$"}}}
    started = process_time()
    assert not ToolContract("slow", "", schema).accepts({"a": "a" * 10_000 + "b"})
    assert process_time() - started < 1
