"""Chat messages in OpenAI's shape, and how their calls and results are paired.

Also other formats keep conversations in this shape: they share these types and the pairing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from trayecto.errors import InputError
from trayecto.trajectory import Call, Outcome, Turn
from trayecto.wire.arguments import FreeText, Parsed, read_arguments
from trayecto.wire.usage import OpenAIUsage, Used, add_up_by_model


class Part(Struct, frozen=True, gc=False):
    """A piece of a message's content; pieces that are not text (images, audio) are not fetched."""

    type: str = "text"
    text: str | None = None
    refusal: str | None = None


# Parts of other shapes that hold calls and results: they are not passed over as texts without text.
FOREIGN = frozenset({"tool_use", "tool_result", "thinking", "tool-call", "tool-result"})
# What an AgentDojo record names beside messages that look like these and are written otherwise.
AGENTDOJO = frozenset({"suite_name", "pipeline_name", "user_task_id"})
Content: TypeAlias = str | list[Part | str] | None


class Function(Struct, frozen=True, gc=False):
    """The called function; its arguments are JSON text, or an object, or whatever was written."""

    name: str
    arguments: object = None


class Custom(Struct, frozen=True, gc=False):
    """The called custom tool, which takes free text instead of JSON."""

    name: str
    input: str = ""


NO_FUNCTION = Function("")


class Request(Struct, frozen=True, gc=False):
    """A tool call as the model asked for it: of a function, or of a custom tool."""

    function: Function = NO_FUNCTION
    id: str | None = None
    custom: Custom | None = None


class System(Struct, frozen=True, gc=False, tag_field="role", tag="system"):
    """Instructions to the model."""

    content: Content = None


class Developer(System, frozen=True, gc=False, tag_field="role", tag="developer"):
    """Instructions to the model, under their newer name."""


class User(Struct, frozen=True, gc=False, tag_field="role", tag="user"):
    """What the user said."""

    content: Content = None


class Assistant(Struct, frozen=True, gc=False, tag_field="role", tag="assistant"):
    """One generation: text, refusal, reasoning and calls; ``latency_ms`` is a custom of traces."""

    content: Content = None
    tool_calls: list[Request] | None = None
    function_call: Function | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    usage: OpenAIUsage | None = None
    model: str | None = None
    latency_ms: float | None = None


class Answer(Struct, frozen=True, gc=False, tag_field="role", tag="tool"):
    """The result of a call; some producers flag a failure, most only say so in the text."""

    content: object = None
    tool_call_id: str | None = None
    name: str | None = None
    is_error: bool | None = None
    status: str | None = None


class FunctionAnswer(Answer, frozen=True, gc=False, tag_field="role", tag="function"):
    """The result of a call in the older shape, which has a name and no id."""


Message: TypeAlias = System | Developer | User | Assistant | Answer | FunctionAnswer


ERRORS = ("Error", "ERROR")


def says_error(text: str) -> bool:
    """Whether a result reports a failure, where the format has no flag: it begins with "Error"."""
    return text[:5] in ERRORS and not text[5:6].isalnum()


class Dialect(Struct, frozen=True, gc=False):
    """Where a producer differs: how arguments are written, and which results are failures.

    A result that begins like one of ``error`` is a failure if ``failed`` says so too.
    """

    arguments: Callable[[object], Parsed] = read_arguments
    error: tuple[str, ...] = ERRORS
    failed: Callable[[str], bool] = says_error


class Conversation(Struct, frozen=True, gc=False):
    """Turns with their calls and observations, the last thing the assistant said, and oddities.

    ``used`` is the usage of the generations, added up.
    """

    turns: tuple[Turn, ...]
    answer: str | None
    warnings: tuple[str, ...]
    used: Used


OPENAI = Dialect()
UNANSWERED = Answer()  # stands for the result of a call that has none


class _OddError(Exception):
    """A conversation that is not written straight: its results have to be paired first."""


def read_conversation(messages: Sequence[Message], dialect: Dialect = OPENAI) -> Conversation:
    """Make turns of messages, each call with its own result, in the order of the conversation."""
    try:
        return _build(messages, [m for m in messages if type(m) is Answer], dialect)
    except _OddError:
        plain, answers, warnings = _pair(messages)
        built = _build(plain, answers, dialect, early=len(messages))
        return replace(built, warnings=warnings + built.warnings)


def _build(
    messages: Sequence[Message], answers: list[Answer], dialect: Dialect, *, early: int = 0
) -> Conversation:
    """Build turns with the n-th answer for the n-th call; _OddError where ids or places say no.

    One flat loop, since it runs for every message of every trace. ``early`` answers may stand
    before their call.
    """
    read, errors = dialect.arguments, dialect.error
    turns: list[Turn] = []
    ids: list[str | None] = []
    odd: list[str] = []
    answered = 0
    given = iter(answers)
    for position, message in enumerate(messages, 1):
        if type(message) is Answer:
            answered += 1
            continue
        if type(message) is not Assistant:
            turns.append(_other(position, message))
            continue
        if answered > len(ids) + early or message.function_call is not None:
            raise _OddError
        calls: list[Call] = []
        for request in message.tool_calls or ():
            answer = next(given, UNANSWERED)
            call_id, function = request.id, request.function
            if answer.tool_call_id != call_id or function is NO_FUNCTION:
                raise _OddError
            ids.append(call_id)
            arguments, flags = read(function.arguments)
            odd.extend(flags)
            text = answer.content
            outcome: Outcome = "ok"
            flagged = answer.is_error is not None or answer.status is not None
            if flagged or type(text) is not str or text.startswith(errors):
                text, outcome = _result(answer, dialect)
            calls.append(Call(len(ids), function.name, arguments, text, outcome, call_id, flags))
        words, used, took = message.content, message.usage, _time(message.latency_ms)
        words = (words if type(words) is str else text_of(words)) or message.refusal
        usage = None if used is None else used.buckets()
        who, thought = message.model, message.reasoning_content
        turns.append(Turn(position, "assistant", words, tuple(calls), usage, who, took, thought))
    if len(ids) != len(answers):
        raise _OddError
    if len(set(ids)) != len(ids):
        odd += _repeated_ids(messages)
    odd += _unusable(messages, turns)
    said = (turn.text for turn in reversed(turns) if turn.role == "assistant" and turn.text)
    return Conversation(tuple(turns), next(said, None), tuple(odd), add_up_by_model(turns))


def _time(took: float | None) -> float | None:
    """A time that can be: a negative one is none."""
    return took if took is None or took >= 0 else None


def _unusable(messages: Sequence[Message], turns: Sequence[Turn]) -> tuple[str, ...]:
    """Warn of numbers that no turn took over: a negative time, tokens fewer than their part."""
    warnings: list[str] = []
    made = [message for message in messages if type(message) is Assistant]
    said = [turn for turn in turns if turn.role == "assistant"]
    pairs = list(zip(made, said, strict=True))
    if any(m.latency_ms is not None and turn.latency_ms is None for m, turn in pairs):
        warnings.append("unusable_latency")
    if any(m.usage is not None and turn.usage is None for m, turn in pairs):
        warnings.append("unusable_usage")
    return tuple(warnings)


def _other(position: int, message: Message) -> Turn:
    """The turn of system or user; a result in the older shape is odd."""
    if isinstance(message, User):
        return Turn(position, "user", text_of(message.content))
    if isinstance(message, System):
        return Turn(position, "system", text_of(message.content))
    raise _OddError


def _result(answer: Answer, dialect: Dialect) -> tuple[str | None, Outcome]:
    """What a result says and whether it is a failure: a flag decides before the text does."""
    text = _observed(answer.content)
    if answer.is_error or answer.status == "error":
        return text, "error"
    if text is None:
        return None, "unknown"
    flagged = answer.is_error is not None or answer.status is not None
    failed = not flagged and text.startswith(dialect.error) and dialect.failed(text)
    return text, "error" if failed else "ok"


def _observed(content: object) -> str | None:
    """A result's text: its text parts, or the JSON of what is no text."""
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part if isinstance(part, str) else _part_text(part) for part in content]
        if all(part is not None for part in parts):
            return "\n".join(part for part in parts if part is not None)
    return msgspec.json.encode(content).decode()


def _part_text(part: object) -> str | None:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def text_of(content: Content) -> str | None:
    """The text of a message's content; None where it has none."""
    if content is None or isinstance(content, str):
        return content
    texts = [part if isinstance(part, str) else _text_of_part(part) for part in content]
    return "\n".join(text for text in texts if text) or None


def _text_of_part(part: Part) -> str | None:
    if part.type in FOREIGN:
        raise InputError(
            "", f"content of type {part.type!r} is another shape: calls would be missed"
        )
    return part.text or part.refusal


Paired: TypeAlias = tuple[list[Message], list[Answer], tuple[str, ...]]
Key: TypeAlias = tuple[str, str | None]
ANY: Key = ("any", None)


def _pair(messages: Sequence[Message]) -> Paired:
    """Pair what is late, missing, out of order or without ids; older shapes become newer ones.

    A result goes to the first call still waiting with its id; without an id, to the first waiting
    call of its name, else the first at all. Ids are unique only while their call waits.
    """
    plain = [_modern(message) for message in messages]
    requests: list[Request] = []
    results: dict[int, Answer] = {}
    waiting: set[int] = set()
    queues: dict[Key, deque[int]] = defaultdict(deque)
    orphans = 0
    for message in plain:
        if isinstance(message, Assistant):
            for request in message.tool_calls or ():
                waiting.add(len(requests))
                for key in (("id", request.id), ("name", request.function.name), ANY):
                    queues[key].append(len(requests))
                requests.append(request)
        elif isinstance(message, Answer):
            found = _waiting_for(message, waiting, queues)
            if found is None:
                orphans += 1
            else:
                waiting.remove(found)
                results[found] = message
    answers = [
        replace(results.get(place, UNANSWERED), tool_call_id=request.id)
        for place, request in enumerate(requests)
    ]
    warnings = ["result_without_call"] * orphans + ["call_without_result"] * len(waiting)
    return plain, answers, tuple(warnings)


def _modern(message: Message) -> Message:
    """A message with function calls only: no custom ones, nor the older one without an id."""
    if type(message) is FunctionAnswer:
        return Answer(message.content, None, message.name, message.is_error, message.status)
    if type(message) is not Assistant:
        return message
    requests = [_as_function(request) for request in message.tool_calls or ()]
    if message.function_call is not None:
        requests.insert(0, Request(message.function_call))
    return replace(message, tool_calls=requests, function_call=None)


def _as_function(request: Request) -> Request:
    """A call of a custom tool as one of a function that takes free text."""
    if request.function is not NO_FUNCTION:
        return request
    if request.custom is None:
        raise InputError("", "a tool call without `function` or `custom`")
    written = FreeText(request.custom.input)
    return Request(Function(request.custom.name, written), request.id)


def _waiting_for(answer: Answer, waiting: set[int], queues: dict[Key, deque[int]]) -> int | None:
    """The call that a result belongs to; calls that are answered leave each queue when met."""
    call = answer.tool_call_id
    for key in [("name", answer.name), ANY] if call is None else [("id", call)]:
        queue = queues[key]
        while queue and queue[0] not in waiting:
            queue.popleft()
        if queue:
            return queue[0]
    return None


def _repeated_ids(messages: Sequence[Message]) -> tuple[str, ...]:
    """Name each id used again: in a later message that is common, in one message it is odd."""
    seen: set[str] = set()
    warnings: list[str] = []
    for message in messages:
        here: set[str] = set()
        for request in (message.tool_calls or ()) if isinstance(message, Assistant) else ():
            if request.id is None:
                continue
            if request.id in here:
                warnings.append("duplicate_id_in_message")
            elif request.id in seen:
                warnings.append("repeated_call_id")
            here.add(request.id)
        seen |= here
    return tuple(warnings)
