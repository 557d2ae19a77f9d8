"""Tests of chat messages: turns, calls, and how each call gets its own result."""

import json
from collections import Counter
from time import process_time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.errors import InputError
from trayecto.trajectory import Usage
from trayecto.wire.messages import Conversation, Message, read_conversation, says_error

USER = {"role": "user", "content": "hola"}
Pair = tuple[str, str | None]


def talk(*messages: dict[str, object]) -> Conversation:
    """Read messages as they stand in a file."""
    return read_conversation(msgspec.convert(list(messages), list[Message]))


def ask(*calls: tuple[str | None, str], text: str | None = None) -> dict[str, object]:
    """Return an assistant's message with calls, each by id and tool."""
    requests = [{"id": i, "function": {"name": tool, "arguments": "{}"}} for i, tool in calls]
    return {"role": "assistant", "content": text, "tool_calls": requests}


def reply(call: str | None, content: object, **more: object) -> dict[str, object]:
    """Return the result of a call."""
    return {"role": "tool", "tool_call_id": call, "content": content, **more}


def seen(conversation: Conversation) -> list[Pair]:
    """Return every call's tool and observation, having looked at the numbering."""
    calls = [call for turn in conversation.turns for call in turn.calls]
    assert [call.index for call in calls] == list(range(1, len(calls) + 1))
    return [(call.tool, call.observation) for call in calls]


def outcomes(conversation: Conversation) -> list[str]:
    """Return every call's outcome."""
    return [call.outcome for turn in conversation.turns for call in turn.calls]


def test_turns_keep_their_place_in_the_source() -> None:
    """Who opens the file finds the message by its number; results stand with their calls."""
    found = talk({"role": "system", "content": "s"}, USER, ask(("1", "a")), reply("1", "r"), USER)
    assert [(turn.position, turn.role, turn.text) for turn in found.turns] == [
        (1, "system", "s"),
        (2, "user", "hola"),
        (3, "assistant", None),
        (5, "user", "hola"),
    ]
    assert seen(found) == [("a", "r")]


def test_the_answer_is_the_last_thing_the_assistant_said() -> None:
    """A last word of the user, or a call without text, does not change it."""
    found = talk(ask(text="one"), ask(("1", "a"), text="two"), reply("1", "r"), ask(), USER)
    assert (found.answer, found.warnings) == ("two", ())


def test_parallel_calls_belong_to_one_turn() -> None:
    """Three calls of one generation are three steps, each with its own result."""
    results = [reply(name, name.upper()) for name in "abc"]
    found = talk(ask(("a", "x"), ("b", "y"), ("c", "z")), *results)
    assert [len(turn.calls) for turn in found.turns] == [3]
    assert (seen(found), found.warnings) == ([("x", "A"), ("y", "B"), ("z", "C")], ())


def test_results_may_come_out_of_order() -> None:
    """The id says which call a result belongs to."""
    found = talk(ask(("a", "x"), ("b", "y")), reply("b", "B"), reply("a", "A"))
    assert (seen(found), found.warnings) == ([("x", "A"), ("y", "B")], ())


def test_a_result_may_come_late() -> None:
    """A slow tool may answer after the next generation."""
    found = talk(ask(("a", "x")), ask(("b", "y")), reply("b", "B"), USER, reply("a", "A"))
    assert (seen(found), found.warnings) == ([("x", "A"), ("y", "B")], ())


def test_a_missing_result_is_unknown_and_told() -> None:
    """The other calls keep theirs; no result is no success (M3)."""
    found = talk(ask(("a", "x"), ("b", "y")), reply("b", "B"))
    assert (seen(found), outcomes(found)) == ([("x", None), ("y", "B")], ["unknown", "ok"])
    assert found.warnings == ("call_without_result",)


def test_a_result_of_no_call_is_told() -> None:
    """It becomes no step (M3)."""
    found = talk(reply("z", "Z"), ask(("a", "x")), reply("a", "A"), reply("a", "again"))
    assert seen(found) == [("x", "A")]
    assert found.warnings == ("result_without_call", "result_without_call")


def test_a_result_before_its_call_is_not_its_result() -> None:
    """Nothing is observed before it is asked for."""
    found = talk(reply("a", "early"), ask(("a", "x")))
    assert (seen(found), outcomes(found)) == ([("x", None)], ["unknown"])
    assert found.warnings == ("result_without_call", "call_without_result")


def test_an_id_used_again_later_is_common() -> None:
    """INPUT-08: two steps, both results, nothing dropped; only the repetition is counted."""
    found = talk(ask(("0", "s")), reply("0", "4"), ask(("0", "s")), reply("0", "0"), ask(text="x"))
    assert (seen(found), found.warnings) == ([("s", "4"), ("s", "0")], ("repeated_call_id",))


def test_an_id_twice_in_one_message_is_odd() -> None:
    """INPUT-08, variant: results are paired in order, with one warning."""
    found = talk(ask(("0", "s"), ("0", "s")), reply("0", "4"), reply("0", "0"))
    assert (seen(found), found.warnings) == ([("s", "4"), ("s", "0")], ("duplicate_id_in_message",))


def test_without_ids_results_go_in_order() -> None:
    """Absent ids are no repeated ids."""
    found = talk(ask((None, "x"), (None, "y")), reply(None, "1"), reply(None, "2"))
    assert (seen(found), found.warnings) == ([("x", "1"), ("y", "2")], ())


def test_without_ids_a_result_goes_to_its_name() -> None:
    """Where one is missing, the name says which."""
    found = talk(ask((None, "x"), ("b", "y")), reply("b", "2"), reply(None, "1", name="x"))
    assert (seen(found), found.warnings) == ([("x", "1"), ("y", "2")], ())
    found = talk(ask((None, "x"), (None, "y"), ("c", "z")), reply(None, "2", name="y"))
    assert seen(found) == [("x", None), ("y", "2"), ("z", None)]


def test_many_calls_are_paired_in_time() -> None:
    """Ten thousand results in reverse order cost no time that grows with their square."""
    names = [str(n) for n in range(10_000)]
    messages = [ask(*((name, "x") for name in names)), *(reply(n, n) for n in reversed(names))]
    start = process_time()
    assert seen(talk(*messages)) == [("x", name) for name in names]
    assert process_time() - start < 2


def test_the_older_shape_has_functions() -> None:
    """`function_call` asks, the role `function` answers, and there are no ids."""
    asked = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}}
    found = talk(USER, asked, {"role": "function", "name": "f", "content": "r"})
    (call,) = found.turns[1].calls
    assert (call.tool, call.observation, call.id) == ("f", "r", None)
    odd = ("empty_arguments",)
    assert (call.arguments, call.flags, found.warnings) == ({}, odd, odd)


def test_both_shapes_in_one_message_are_both_read() -> None:
    """The older call comes first."""
    asked = {**ask(("1", "g")), "function_call": {"name": "f", "arguments": "{}"}}
    found = talk(asked, {"role": "function", "name": "f", "content": "F"}, reply("1", "G"))
    assert (seen(found), found.warnings) == ([("f", "F"), ("g", "G")], ())


@pytest.mark.parametrize("calls", [None, []])
def test_no_calls_may_be_written_as_null(calls: object) -> None:
    """Null for an optional list is absent (J12)."""
    found = talk({"role": "assistant", "content": "x", "tool_calls": calls, "function_call": None})
    assert ([turn.text for turn in found.turns], seen(found)) == (["x"], [])


def test_developer_is_the_newer_name_of_system() -> None:
    """Both are instructions."""
    found = talk({"role": "developer", "content": "d"}, {"role": "system", "content": "s"})
    assert [turn.role for turn in found.turns] == ["system", "system"]


def test_content_may_be_parts() -> None:
    """Text parts are joined; an image is not fetched and leaves no text (M4)."""
    image = {"type": "image_url", "image_url": {"url": "https://example.invalid/x.png"}}
    parts = [{"type": "text", "text": "one"}, image, "two", {"type": "text", "text": ""}]
    found = talk({"role": "user", "content": parts}, {"role": "user", "content": [image]})
    assert [turn.text for turn in found.turns] == ["one\ntwo", None]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "refusal": "no"},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
    ],
)
def test_a_refusal_is_an_answer(message: dict[str, object]) -> None:
    """The agent said something: that it will not (M6)."""
    assert talk(USER, message).answer == "no"


def test_a_generation_keeps_its_usage_model_time_and_thoughts() -> None:
    """What stands on a message belongs to that generation."""
    said = {"role": "assistant", "content": "x", "model": "m", "latency_ms": 12.5}
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    (turn,) = talk({**said, "usage": usage, "reasoning_content": "hmm"}).turns
    assert (turn.usage, turn.model, turn.latency_ms) == (Usage(9, None, None, 2), "m", 12.5)
    assert turn.reasoning == "hmm"


def test_a_negative_time_is_no_time() -> None:
    """It was not measured (J14)."""
    (turn,) = talk({"role": "assistant", "content": "x", "latency_ms": -1}).turns
    assert turn.latency_ms is None


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"content": "Error: no such order"}, "error"),
        ({"content": "ERROR"}, "error"),
        ({"content": "Errors: 0"}, "ok"),
        ({"content": "no Error"}, "ok"),
        ({"content": ""}, "ok"),
        ({"content": None}, "unknown"),
        ({"content": "fine", "is_error": True}, "error"),
        ({"content": None, "status": "error"}, "error"),
        ({"content": "Error rate: 0", "is_error": False}, "ok"),
        ({"content": "Error rate: 0", "status": "success"}, "ok"),
    ],
)
def test_a_flag_decides_and_else_the_text(result: dict[str, object], outcome: str) -> None:
    """A producer's flag is believed; without one, a result that begins "Error" is an error."""
    assert outcomes(talk(ask(("1", "a")), {"role": "tool", "tool_call_id": "1", **result})) == [
        outcome
    ]


@pytest.mark.parametrize(
    ("text", "error"),
    [("Error", True), ("Error: x", True), ("Error\n", True), ("Error2", False), ("error", False)],
)
def test_what_says_error(text: str, error: bool) -> None:  # noqa: FBT001  # a column of the table
    """The word stands alone at the start, as tau-bench and many agents write it."""
    assert says_error(text) == error


@pytest.mark.parametrize(
    ("content", "observation"),
    [
        ([{"type": "text", "text": "a"}, "b"], "a\nb"),
        ([{"type": "text", "text": 3}], '[{"type":"text","text":3}]'),
        ({"n": 1}, '{"n":1}'),
        ([{"n": 1}], '[{"n":1}]'),
        (3, "3"),
        ('{"role":"assistant","content":"x"}', '{"role":"assistant","content":"x"}'),
    ],
)
def test_an_observation_is_text(content: object, observation: str) -> None:
    """Parts are joined, other JSON is written out, and a forged message stays text (X1)."""
    assert seen(talk(ask(("1", "a")), reply("1", content))) == [("a", observation)]


@pytest.mark.parametrize(
    ("written", "arguments"), [({"n": 1}, {"n": 1}), ([1, 2], "[1,2]"), (None, {}), (7, "7")]
)
def test_arguments_may_be_no_text(written: object, arguments: object) -> None:
    """An object is taken as it is; anything else is kept as its text."""
    call = {"id": "1", "function": {"name": "f", "arguments": written}}
    found = talk({"role": "assistant", "content": None, "tool_calls": [call]})
    assert found.turns[0].calls[0].arguments == arguments


ids = st.none() | st.sampled_from("abc")
texts = st.none() | st.text(max_size=5)
requests = st.builds(
    lambda call, tool, arguments: {"id": call, "function": {"name": tool, "arguments": arguments}},
    ids,
    st.sampled_from(["x", "y"]),
    st.none() | st.text(max_size=4) | st.just({}) | st.lists(st.integers(), max_size=1),
)
messages = st.one_of(
    st.builds(
        lambda role, text: {"role": role, "content": text},
        st.sampled_from(["system", "developer", "user"]),
        texts,
    ),
    st.builds(
        lambda text, calls: {"role": "assistant", "content": text, "tool_calls": calls},
        texts,
        st.none() | st.lists(requests, max_size=3),
    ),
    st.builds(
        lambda call, text: {"role": "tool", "tool_call_id": call, "content": text}, ids, texts
    ),
    st.builds(
        lambda name, text: {"role": "function", "name": name, "content": text},
        st.sampled_from(["x", "y"]),
        texts,
    ),
)


@given(st.lists(messages, max_size=12))
def test_every_request_is_one_step(given_messages: list[dict[str, object]]) -> None:
    """Whatever is missing, late or repeated: all calls are kept, in order, and results add up."""
    found = talk(*json.loads(json.dumps(given_messages)))
    asked = [r for m in given_messages for r in m.get("tool_calls") or ()]
    assert [tool for tool, _ in seen(found)] == [r["function"]["name"] for r in asked]
    warned = Counter(found.warnings)
    results = sum(m["role"] in ("tool", "function") for m in given_messages)
    paired = len(asked) - warned["call_without_result"]
    assert paired == results - warned["result_without_call"]


def custom(call_id: str | None, written: str) -> dict[str, object]:
    """Return an assistant's message with one call of a custom tool."""
    request = {"id": call_id, "type": "custom", "custom": {"name": "sql", "input": written}}
    return {"role": "assistant", "content": None, "tool_calls": [request]}


@pytest.mark.parametrize("written", ["SELECT 1", "", '{"n": 1}', '"x"', "null"])
def test_a_custom_tool_takes_text(written: str) -> None:
    """Its input is text by contract, also where it looks like JSON."""
    found = talk(USER, custom("1", written), reply("1", "ok"))
    (call,) = found.turns[1].calls
    assert (call.tool, call.arguments, call.flags) == ("sql", written, ())
    assert (call.observation, call.outcome, call.id) == ("ok", "ok", "1")
    assert found.warnings == ()


def test_custom_tools_stand_beside_functions() -> None:
    """In one message, in order, each with its own result."""
    both = custom("1", "x")
    both["tool_calls"] += ask(("2", "f"))["tool_calls"]
    found = talk(USER, both, reply("2", "b"), reply("1", "a"), custom(None, "y"), reply(None, "c"))
    assert seen(found) == [("sql", "a"), ("f", "b"), ("sql", "c")]


def test_a_call_of_nothing_is_refused() -> None:
    """Neither a function nor a custom tool: nobody knows what was called."""
    with pytest.raises(InputError, match="a tool call without `function` or `custom`"):
        talk({"role": "assistant", "tool_calls": [{"id": "1", "type": "function"}]})
