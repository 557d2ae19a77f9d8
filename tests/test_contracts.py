"""Tool contracts: what a digest covers, and what is guessed of an effect."""

import pytest
from msgspec.structs import replace

from trayecto.contracts import EFFECTS, WRITES, ToolContract, assumed_effect

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
