"""The plainest chat, read straight: most records of most files, and so read fastest.

Plain is: texts that are strings, function calls whose arguments are text, one result for each call,
with its id and before the next generation, and usage that tells no parts. Where anything else
stands in a message, a decoder refuses it, or ``read_plain`` returns None: the record is then read
by ``wire.messages``, which reads every shape, and this one alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import DecodeError, Meta, Struct

from trayecto.trajectory import Call, Outcome, Role, Turn, Usage
from trayecto.wire.arguments import SHORT, decode_object, is_odd
from trayecto.wire.messages import Conversation, says_error
from trayecto.wire.usage import Used

Count: TypeAlias = Annotated[int, Meta(ge=0)]


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


class _OddError(Exception):
    """A conversation that is not plain after all."""


def read_plain(messages: Sequence[PlainMessage]) -> Conversation | None:
    """Make turns of messages; None where the conversation is not plain after all."""
    answers = [message for message in messages if type(message) is PlainAnswer]
    try:
        turns = _read(messages, answers)
    except (DecodeError, RecursionError, _OddError):
        return None
    said = [turn for turn in turns if turn.role == "assistant"]
    answer = next((turn.text for turn in reversed(said) if turn.text), None)
    return Conversation(tuple(turns), answer, (), _add_up(said))


def _read(messages: Sequence[PlainMessage], answers: list[PlainAnswer]) -> list[Turn]:
    """Make turns, each call with the next answer: one flat loop, being run for every message.

    Raises _OddError where ids or places say that an answer belongs to another call, and where
    arguments are odd.
    """
    turns: list[Turn] = []
    ids: list[str] = []
    given = iter(answers)
    answered = 0
    for position, message in enumerate(messages, 1):
        if type(message) is PlainAnswer:
            answered += 1
        elif type(message) is PlainAssistant:
            if answered > len(ids):
                raise _OddError
            calls: list[Call] = []
            for request in message.tool_calls or ():
                answer, function, call_id = next(given, NO_ANSWER), request.function, request.id
                text, written = answer.content, function.arguments
                arguments = decode_object(written)
                closer = written.count(":") != len(arguments) or len(written) > SHORT
                if answer.tool_call_id != call_id or (closer and is_odd(written, arguments)):
                    raise _OddError
                ids.append(call_id)
                # What begins with "Error" or "ERROR" stands in this part of the alphabet.
                failed = "ERROR" <= text < "F" and says_error(text)
                outcome: Outcome = "error" if failed else "ok"
                calls.append(Call(len(ids), function.name, arguments, text, outcome, call_id))
            words, used, took = message.content or None, message.usage, message.latency_ms
            usage = None
            if used is not None:
                usage = Usage(used.prompt_tokens, None, None, used.completion_tokens)
            turns.append(Turn(position, "assistant", words, tuple(calls), usage, None, took))
        else:
            role: Role = "user" if type(message) is PlainUser else "system"
            turns.append(Turn(position, role, message.content))
    if len(ids) != answered or len(set(ids)) != answered:
        raise _OddError
    return turns


def _add_up(said: list[Turn]) -> Used:
    """All tokens, which no message puts down to a model; unknown where one does not tell them."""
    if not said:
        return {}
    used = [turn.usage for turn in said if turn.usage is not None]
    if len(used) < len(said):
        return {None: None}
    into, out = sum([usage.input for usage in used]), sum([usage.output for usage in used])
    return {None: Usage(into, None, None, out)}
