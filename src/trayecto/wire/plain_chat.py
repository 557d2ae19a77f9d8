"""The plainest chat, read straight: most records of most files, and so read fastest.

Plain is: texts that are strings, function calls whose arguments are the text of an object, one
result for each call, with its id, after it and in the order of the calls, and usage that tells no
parts. Where anything else stands in a message, a decoder refuses it, or ``read_plain`` returns
None: the record is then read by ``wire.messages``, which reads every shape, and this one alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import DecodeError, Meta, Struct

from trayecto.trajectory import Call, Outcome, Role, Turn, Usage
from trayecto.wire.arguments import SHORT, decode_object, is_odd
from trayecto.wire.messages import ERRORS, Conversation, says_error
from trayecto.wire.usage import MOST

Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]


class _Function(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    name: str
    arguments: str


class _Request(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    id: str
    function: _Function
    type: Literal["function"] = "function"


class _Usage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    prompt_tokens: Count
    completion_tokens: Count
    total_tokens: int | None = None


class PlainText(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="role"):
    """What system or user said."""

    content: str


class PlainSystem(PlainText, frozen=True, gc=False, tag="system"):
    """Instructions to the model."""


class PlainUser(PlainText, frozen=True, gc=False, tag="user"):
    """What the user said."""


class PlainAssistant(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="role", tag="assistant"
):
    """One generation; null is what it writes for what it has not."""

    content: str | None = None
    tool_calls: list[_Request] | None = None
    usage: _Usage | None = None
    latency_ms: Annotated[float, Meta(ge=0)] | None = None
    refusal: None = None
    function_call: None = None


class PlainAnswer(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="role", tag="tool"
):
    """The result of a call."""

    content: str
    tool_call_id: str
    name: str | None = None


PlainMessage: TypeAlias = PlainSystem | PlainUser | PlainAssistant | PlainAnswer


NO_ANSWER = PlainAnswer("", "")
# What begins like an error stands between these in the alphabet: most texts are told by their first
# letters, without a call.
FIRST, AFTER = min(ERRORS), chr(ord(max(ERRORS)[0]) + 1)


class _NotPlainError(Exception):
    """A conversation that is not plain after all."""


def read_plain(messages: Sequence[PlainMessage]) -> Conversation | None:
    """Make turns of messages; None where the conversation is not plain after all."""
    answers = [message for message in messages if type(message) is PlainAnswer]
    try:
        return _read(messages, answers)
    except (DecodeError, RecursionError, _NotPlainError):
        return None


def _read(messages: Sequence[PlainMessage], answers: list[PlainAnswer]) -> Conversation:
    """Make turns, each call with the next answer: one flat loop, being run for every message.

    Raises _NotPlainError where ids or places say that an answer belongs to another call, and where
    arguments are odd.
    """
    turns: list[Turn] = []
    ids: list[str] = []
    given = iter(answers)
    answered = said = counted = into = out = 0
    last: str | None = None
    for position, message in enumerate(messages, 1):
        if type(message) is PlainAnswer:
            answered += 1
        elif type(message) is PlainAssistant:
            if answered > len(ids):
                raise _NotPlainError
            calls: list[Call] = []
            for request in message.tool_calls or ():
                answer, function, call_id = next(given, NO_ANSWER), request.function, request.id
                text, written = answer.content, function.arguments
                arguments = decode_object(written)
                closer = written.count(":") != len(arguments) or len(written) > SHORT
                if answer.tool_call_id != call_id or (closer and is_odd(written, arguments)):
                    raise _NotPlainError
                ids.append(call_id)
                failed = FIRST <= text < AFTER and says_error(text)
                outcome: Outcome = "error" if failed else "ok"
                calls.append(Call(len(ids), function.name, arguments, text, outcome, call_id))
            said += 1
            words, used, usage = message.content or None, message.usage, None
            last = words or last
            if used is not None:
                counted += 1
                read, made = used.prompt_tokens, used.completion_tokens
                into, out = into + read, out + made
                usage = Usage(read, None, None, made)
            took = message.latency_ms
            turns.append(Turn(position, "assistant", words, tuple(calls), usage, None, took))
        else:
            role: Role = "user" if type(message) is PlainUser else "system"
            turns.append(Turn(position, role, message.content))
    if len(ids) != answered or len(set(ids)) != answered:
        raise _NotPlainError
    total = Usage(into, None, None, out) if counted == said else None  # part of a sum is no sum
    return Conversation(tuple(turns), last, (), {None: total} if said else {})
