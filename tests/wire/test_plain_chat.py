"""Tests of the plain chat: what it reads, it reads as any other chat; the rest it leaves alone."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.trajectory import Usage
from trayecto.wire.messages import Conversation, Message, read_conversation
from trayecto.wire.plain_chat import PlainMessage, read_plain

Said = dict[str, object]
USER: Said = {"role": "user", "content": "hola"}
DONE: Said = {"role": "assistant", "content": "listo"}


def plain(*messages: Said) -> Conversation | None:
    """Read messages as plain ones; None where the decoder or the reader refuses."""
    try:
        return read_plain(msgspec.convert(list(messages), list[PlainMessage]))
    except msgspec.ValidationError:
        return None


def any_shape(*messages: Said) -> Conversation:
    """Read the same messages as any chat."""
    return read_conversation(msgspec.convert(list(messages), list[Message]))


def ask(call: str, arguments: str = "{}", tool: str = "a", **more: object) -> Said:
    """Return a generation with one call."""
    function = {"name": tool, "arguments": arguments}
    return {"role": "assistant", "tool_calls": [{"id": call, "function": function}], **more}


def reply(call: str, content: object = "ok", **more: object) -> Said:
    """Return the result of a call."""
    return {"role": "tool", "tool_call_id": call, "content": content, **more}


def test_calls_turns_usage_and_answer_are_read() -> None:
    """By hand: positions count every message, usage is added up, the last words are the answer."""
    used = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    first = ask("1", '{"x": 1.0}', usage=used, latency_ms=3)
    found = plain(USER, first, reply("1", "Error: no"), {**DONE, "usage": used})
    assert found is not None
    _, asked, said = found.turns
    [call] = asked.calls
    assert (call.arguments, call.outcome, asked.latency_ms) == ({"x": 1}, "error", 3.0)
    assert (asked.position, said.position, found.answer) == (2, 4, "listo")
    assert found.used == {None: Usage(10, None, None, 4)}


@pytest.mark.parametrize(
    "messages",
    [
        [USER, {"role": "user", "content": [{"type": "text", "text": "x"}]}],
        [ask("1", '{"a": 1, "a": 2}'), reply("1")],
        [ask("1", '{"a": ' + "[" * 200 + "]" * 200 + "}"), reply("1")],
        [ask("1", "{"), reply("1")],
        [ask("1"), reply("2")],
        [ask("1")],
        [reply("1"), ask("1")],
        [ask("1"), reply("1"), ask("1"), reply("1")],
        [ask("1"), reply("1", is_error=False)],
        [ask("1"), reply("1", None)],
        [ask("1", reasoning_content="so"), reply("1")],
        [ask("1", usage={"prompt_tokens": -1, "completion_tokens": 1}), reply("1")],
        [ask("1", usage={"prompt_tokens": 1, "completion_tokens": 1, "cached": 1}), reply("1")],
        [ask("1", latency_ms=-2), reply("1")],
    ],
)
def test_what_is_not_plain_is_left_to_the_reader_of_every_shape(messages: list[Said]) -> None:
    """Parts, odd arguments, results without a call, flags, impossible numbers."""
    assert plain(*messages) is None


TEXTS = st.sampled_from(["", "x", "Error: no", "ERROR", "Errors", "Esto", "a:b", "ñ"])
ARGUMENTS = st.sampled_from(
    ["{}", '{"a": 1}', '{"a": 1.0, "b": "x:y"}', '{"a": {"b": [1, 2]}}', '{"t": "10:30"}',
     '{"a": 1, "a": 1}', "{", "[]", '{"a": "\\u003a"}', '{"\\u0061": 1, "a": 2}', "",
     '{"long": "' + "x" * 300 + '"}']
)  # fmt: skip
USAGE = st.none() | st.fixed_dictionaries(
    {"prompt_tokens": st.integers(0, 9), "completion_tokens": st.integers(0, 9)}
)


@st.composite
def conversations(draw: st.DrawFn) -> list[Said]:
    """Return a conversation that is plain but for its arguments, and for results out of place."""
    messages: list[Said] = [{"role": "system", "content": draw(TEXTS)}, USER]
    waiting: list[str] = []
    for turn in range(draw(st.integers(0, 4))):
        ids = [f"{turn}.{call}" for call in range(draw(st.integers(0, 2)))]
        said = {"content": draw(TEXTS | st.none()), "usage": draw(USAGE)}
        calls = [ask(call, draw(ARGUMENTS), draw(TEXTS))["tool_calls"][0] for call in ids]  # type: ignore[index]  # its own shape
        messages.append({"role": "assistant", **said, "tool_calls": calls or None})
        waiting += ids
        while waiting and draw(st.integers(0, 9)):
            messages.append(reply(waiting.pop(0), draw(TEXTS)))
    return messages


@given(conversations())
def test_what_is_read_plainly_is_read_alike(messages: list[Said]) -> None:
    """The two readers never differ: the plain one is only faster."""
    found = plain(*messages)
    assert found is None or found == any_shape(*messages)
