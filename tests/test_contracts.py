"""Tool contracts: what a digest covers, what a schema accepts, and what is guessed of an effect."""

import socket
from time import process_time

import pytest
from msgspec.structs import replace

from trayecto.contracts import (
    BOXES,
    EFFECTS,
    KINDS,
    WRITES,
    Toolbox,
    ToolContract,
    assumed_effect,
    is_write,
    toolbox_of,
    why_no_schema,
)
from trayecto.trajectory import Call, Json, Tool

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


def box(schema: dict[str, object] | None) -> Toolbox:
    """Return a toolbox with one tool of a schema."""
    return Toolbox([ToolContract("count", "", schema)])


def is_valid(toolbox: Toolbox, arguments: object) -> bool | None:
    """Hold one call against the schema; None where that cannot be done."""
    checked, invalid = toolbox.check([Call(1, "count", arguments, None, "ok")])
    return not invalid if checked else None


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [({"n": 1}, True), ({"n": "1"}, False), ({}, False), ({"n": 1, "m": 2}, True), ("{", False)],
)
def test_arguments_keep_to_the_schema(arguments: object, *, kept: bool) -> None:
    """JSON Schema's own rules; text that is no object keeps to none."""
    call = Call(1, "count", arguments, None, "ok")
    assert box(COUNT).check([call]) == (1, [] if kept else [call])
    assert (box(COUNT).violations(call) == []) is kept


def test_a_tool_without_a_schema_cannot_be_checked() -> None:
    """Nor one that is not there; neither has violations."""
    for toolbox, tool in ((box(None), "count"), (box(COUNT), "other")):
        assert toolbox.check([Call(1, tool, {}, None, "ok")]) == (0, [])
        assert toolbox.violations(Call(1, tool, {}, None, "ok")) == []
    assert "count" in box(None)
    assert "other" not in box(None)


def test_integers_of_any_size_are_checked() -> None:
    """JSON has no largest integer; half of a surrogate pair is no reason to stop either."""
    assert is_valid(box(COUNT), {"n": 10**400}) is True
    short = box({"properties": {"t": {"maxLength": 3}}})
    assert is_valid(short, {"t": "\ud835"}) in (True, False)


def test_the_toolbox_of_a_trace_is_made_once() -> None:
    """Runs of one agent name the same tools again and again."""
    tools = (Tool("count", "Counts.", COUNT), Tool("free"))
    found = toolbox_of(tools)
    assert toolbox_of((Tool("count", "Counts.", {**COUNT}), Tool("free"))) is found
    assert toolbox_of((Tool("count"),)) is not found
    assert found.contracts["count"].parameters == COUNT
    assert found.check([Call(1, "free", {}, None, "ok")]) == (0, [])


def test_toolboxes_are_not_kept_for_ever() -> None:
    """A trace whose tools change from run to run does not fill the memory."""
    first = toolbox_of((Tool("first"),))
    for number in range(BOXES):
        toolbox_of((Tool(f"t{number}"),))
    assert toolbox_of((Tool("first"),)) is not first


def test_effects_are_what_contracts_say() -> None:
    """Unknown ones are left out: a suite or a guess may speak."""
    assert Toolbox([PAY, ToolContract("x")]).effects == {"pay": "write"}


def test_a_schema_fetches_nothing() -> None:
    """Tool lists come with traces: a reference in one is an address that must not be asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        schema = {"$ref": f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"}
        assert "not present in a registry" in str(why_no_schema(schema))
        assert is_valid(box(schema), {}) is None
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize("schema", [{"type": 3}, {"pattern": "("}, {"$ref": "#/nowhere"}])
def test_a_schema_that_is_none_says_why(schema: dict[str, object]) -> None:
    """In one line; a trace's own is not used."""
    why = why_no_schema(schema)
    assert why
    assert "\n" not in why
    assert is_valid(box(schema), {}) is None


def test_a_pattern_is_matched_in_linear_time() -> None:
    """Nested repetition takes exponential time where patterns backtrack."""
    slow = box({"properties": {"a": {"pattern": "^(a+)+$"}}})
    started = process_time()
    assert is_valid(slow, {"a": "a" * 10_000 + "b"}) is False
    assert process_time() - started < 1


def test_every_class_of_violation_can_happen() -> None:
    """The words of JSON Schema lead to classes that the docstrings name."""
    assert set(KINDS) == {
        *("no_object", "missing", "extra", "type", "choice", "range", "format", "other")
    }


@pytest.mark.parametrize(
    ("schema", "round_"),
    [
        ({"$ref": "#"}, True),
        ({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"$ref": "#/$defs/x"}}}, True),
        ({"properties": {"a": {"$ref": "#"}}}, False),  # a tree: each level is one deeper
        ({"allOf": [{"$ref": "#"}]}, True),
        ({"anyOf": [{"type": "string"}, {"not": {"$ref": "#"}}]}, True),
        ({"if": {"$ref": "#/then"}, "then": {"else": {"$ref": "#"}}}, True),
        ({"$defs": {"a": {"oneOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}}, True),
        ({"properties": {"enum": {"$ref": "#/properties/enum"}}}, True),  # a name, no word
        ({"enum": [{"$ref": "#/enum/0"}]}, False),  # a value, and no schema
        ({"anyOf": [{"type": "null"}, {"properties": {"next": {"$ref": "#"}}}]}, False),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "object"}}}, False),
    ],
)
def test_a_reference_that_leads_to_itself_asks_for_nothing(
    schema: dict[str, object], *, round_: bool
) -> None:
    """Every call would keep to it (Y22)."""
    assert ("leads back to itself" in str(why_no_schema(schema))) is round_


def test_a_pattern_that_is_not_regular_says_what_is_not_taken() -> None:
    """Look-ahead is legal in JSON Schema, and has no linear engine."""
    schema = {"properties": {"a": {"pattern": "^(?=a)b"}}}
    assert "look-ahead and back-references are not taken" in str(why_no_schema(schema))


def test_a_schema_nested_deeper_than_its_engine_follows_is_refused_and_no_crash() -> None:
    """A schema of a trace is hostile: one that is nested deep says why it cannot be used."""
    schema: dict[str, Json] = {"type": "integer"}
    for _ in range(50):
        schema = {"properties": {"a": schema}}
    assert why_no_schema(schema) is None
    for _ in range(400):
        schema = {"properties": {"a": schema}}
    assert "limit" in str(why_no_schema(schema))


@pytest.mark.parametrize(
    ("tool", "effects", "writes"),
    [
        ("pay", {}, True),  # by its name
        ("get_it", {}, False),
        ("get_it", {"get_it": "write"}, True),  # what is told goes before what is guessed
        ("pay", {"pay": "read"}, False),
        ("pay", {"pay": "unknown"}, True),
        ("drop", {"drop": "irreversible"}, True),
    ],
)
def test_what_writes(tool: str, effects: dict[str, str], *, writes: bool) -> None:
    """As the suite or the contract says, else as the name lets guess."""
    assert is_write(tool, effects) is writes


def test_names_that_are_remembered_are_bounded() -> None:
    """An agent may invent any number of tools, and names of any length."""
    assert is_write("x" * 10_000, {})
    assert all(is_write(f"tool{number}", {}) for number in range(3_000))
    assert not is_write("find_it", {})
