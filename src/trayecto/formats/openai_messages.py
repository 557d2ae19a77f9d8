"""Conversations in OpenAI's message shape: chat messages, or Responses items.

Read: one conversation a line, a list of conversations, or a single one. A conversation is a list of
messages, or an object with ``messages``, or with Responses ``input`` and ``output``. Beside them an
object may hold ``id``, ``suite``, ``candidate``, ``case_id``, ``trial``, ``model``, ``success``,
``status``, ``latency_ms``, ``tools``, ``initial_state`` and ``final_state``; of the people beside
the agent ``human_minutes``, ``interventions`` and ``abandoned_at`` (in seconds, ``false`` where
nobody gave up). Usage, model and ``latency_ms`` may stand on a message. Other fields of the object
are kept in ``extra`` where the reader is asked for them.

- ``status`` is one of ours; a Responses object may have its own (a failed one is the provider's
  failure). Any other is unknown, with the warning ``unknown_status``.
- A time, or a number about people, that cannot be is unknown, with a warning.
- A result that begins "Error" is an error, any other is ok; ``is_error`` and ``status`` decide
  where they are given.
- Calls and results are paired by position, then by id: ids are unique only while they wait.
- Without ``case_id`` each conversation is a case of its own.

Source: OpenAI API reference, chat completions and Responses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args

from msgspec import Struct, ValidationError, convert
from msgspec.json import Decoder
from msgspec.structs import replace

from trayecto.errors import InputError
from trayecto.records import Record, Rejected
from trayecto.trajectory import Json, Source, Status, Tool, Trajectory
from trayecto.wire.extras import unknown_fields
from trayecto.wire.files import File, read_each
from trayecto.wire.json import DEPTH, too_deep
from trayecto.wire.json import number as read_number
from trayecto.wire.messages import (
    AGENTDOJO,
    FOREIGN,
    Conversation,
    Message,
    read_conversation,
)
from trayecto.wire.people import impossible
from trayecto.wire.plain_chat import PlainMessage, read_plain
from trayecto.wire.responses import ITEM_TYPES, read_items
from trayecto.wire.usage import OpenAIUsage, spend

ID = "openai_messages"
ROLES = {"system", "developer", "user", "assistant", "tool", "function"}


class _Function(Struct, frozen=True, gc=False):
    name: str
    description: str | None = None
    parameters: dict[str, object] | None = None


class _Tool(Struct, frozen=True, gc=False):
    """A tool in the chat shape (``function``, ``custom``), or in the Responses shape (flat)."""

    type: str | None = None
    function: _Function | None = None
    custom: _Function | None = None
    name: str | None = None
    description: str | None = None
    parameters: dict[str, object] | None = None


class _Fields(Struct, frozen=True, gc=False, kw_only=True):
    """What a line says beside its messages."""

    id: str | int | None = None
    case_id: str | int | None = None
    trial: int | None = None
    model: str | None = None
    success: bool | None = None
    suite: str | None = None
    candidate: str | None = None
    status: str | None = None
    latency_ms: float | None = None
    human_minutes: float | None = None
    interventions: int | None = None
    abandoned_at: float | bool | None = None
    tools: list[_Tool] | None = None
    initial_state: object = None
    final_state: object = None
    input: str | list[dict[str, object]] | None = None
    output: list[dict[str, object]] | None = None
    usage: OpenAIUsage | None = None


class _Plain(_Fields, frozen=True, gc=False):
    messages: list[PlainMessage]


class _Conversation(_Fields, frozen=True, gc=False):
    messages: list[Message] | None = None


_STATUSES: dict[str | None, Status] = {status: status for status in get_args(Status)}
_STATUSES |= {None: "unknown", "": "unknown"}
_RESPONSES: dict[str | None, Status] = {
    "failed": "infra_error",
    "queued": "not_run",
    "in_progress": "unknown",
    "incomplete": "unknown",
}
_KNOWN = set(_Conversation.__struct_fields__)
_decode = Decoder(_Conversation, float_hook=read_number).decode
_decode_plain = Decoder(_Plain, float_hook=read_number).decode
_decode_list = Decoder(list[dict[str, object]], float_hook=read_number).decode
_decode_chat = Decoder(list[Message], float_hook=read_number).decode


def recognises(first: object) -> bool:
    """Whether a file's first record is a conversation, or its first message."""
    if isinstance(first, dict):
        if first.keys() >= AGENTDOJO:
            return False
        messages = first.get("messages")
        if isinstance(messages, list):
            foreign = any(map(_is_foreign, messages))
            return not foreign and _is_message(next(iter(messages), {"role": "user"}))
        output = first.get("output")
        return _is_message(first) or (isinstance(output, list) and any(map(_is_item, output)))
    return isinstance(first, list) and bool(first) and (_is_message(first[0]) or _is_item(first[0]))


def _is_message(value: object) -> bool:
    """A message of this shape: other shapes name the same roles but hold other content."""
    if not isinstance(value, dict) or value.get("role") not in ROLES or _is_foreign(value):
        return _is_item(value)
    return True


def _is_foreign(value: object) -> bool:
    """Whether a message is written in another shape, whose calls would be missed here."""
    if not isinstance(value, dict):
        return False
    content = value.get("content")
    blocks = content if isinstance(content, list) else ()
    kinds = {block.get("type") for block in blocks if isinstance(block, dict)}
    return "parts" in value or not kinds.isdisjoint(FOREIGN)


def _is_item(value: object) -> bool:
    return isinstance(value, dict) and value.get("type") in ITEM_TYPES


def read(file: File) -> Iterator[Record | Rejected]:
    """Read every conversation of a file as a trajectory."""
    decode = _decode_plainly if _is_plain(file) else _decode_any
    build = partial(_build_with_extras if file.extras else _build, file)
    if file.layout == "list" and _is_message(file.first):
        return read_each(file, decode, build, [(1, file.whole())])
    return read_each(file, decode, build)


def _is_plain(file: File) -> bool:
    """Whether a file begins plainly: then most of its records are worth a try as plain ones."""
    try:
        return read_plain(convert(file.first, _Plain).messages) is not None
    except ValidationError:
        return False


def _decode_plainly(raw: bytes) -> _Plain | _Conversation:
    """Decode the plainest shape; any other is decoded again, from its beginning."""
    try:
        return _decode_plain(raw)
    except ValidationError:
        return _decode_any(raw)


def _decode_any(raw: bytes) -> _Conversation:
    return _decode(raw) if raw.lstrip()[:1] == b"{" else _Conversation(messages=_messages(raw))


def _build(file: File, number: int, raw: bytes, line: _Plain | _Conversation) -> Record:
    return _record(file, number, line, _talk(raw, line))


def _talk(raw: bytes, line: _Plain | _Conversation) -> Conversation:
    """The conversation of a line; one that is not plain after all is decoded again."""
    if isinstance(line, _Plain):
        plain = read_plain(line.messages)
        if plain is not None:
            return plain
        line = _decode_any(raw)
    return read_conversation(_items(line) if line.messages is None else line.messages)


def _record(file: File, number: int, line: _Fields, talk: Conversation) -> Record:
    latency, warnings = line.latency_ms, talk.warnings
    if latency is not None and latency < 0:
        latency = None
        if "unusable_latency" not in warnings:
            warnings = (*warnings, "unusable_latency")
    status = _STATUSES.get(line.status) or _status(line)
    if status is None:
        status, warnings = "unknown", (*warnings, "unknown_status")
    name = f"{file.stem}#{number}" if line.id is None else str(line.id)
    made = Trajectory(
        id=name,
        suite=line.suite or ID,
        candidate=line.candidate or line.model or file.stem,
        case_id=name if line.case_id is None else str(line.case_id),
        trial=line.trial,
        turns=talk.turns,
        source=Source(ID, file.name, number),
        status=status,
        success=line.success,
        success_from=None if line.success is None else "recorded",
        answer=talk.answer,
        spent=spend(talk.used, line.model),
        latency_ms=latency,
        tools=None if line.tools is None else tuple(map(_tool, line.tools)),
        initial_state=_json(line.initial_state),
        final_state=_json(line.final_state),
        warnings=warnings,
    )
    alone = line.human_minutes is None and line.interventions is None and line.abandoned_at is None
    return Record(made if alone else _with_people(made, line))


def _with_people(run: Trajectory, line: _Fields) -> Trajectory:
    """Add what people did; a number that cannot be is unknown."""
    told = {
        "human_minutes": line.human_minutes,
        "interventions": line.interventions,
        "abandoned_at": line.abandoned_at,
    }
    known = {field: None if impossible(field, value) else value for field, value in told.items()}
    warnings = run.warnings
    if known != told:
        warnings = (*warnings, "unusable_human_number")
    return replace(run, **known, warnings=warnings)


def _status(line: _Fields) -> Status | None:
    """What a Responses object calls its state; None for any other word, and in other objects."""
    responses = isinstance(line, _Conversation) and line.messages is None
    return _RESPONSES.get(line.status) if responses else None


def _build_with_extras(file: File, number: int, raw: bytes, line: _Plain | _Conversation) -> Record:
    """Build a record with the fields that nobody here knows, as they stand in the file."""
    record = _build(file, number, raw, line)
    extra = unknown_fields(raw, _KNOWN)
    return Record(replace(record.trajectory, extra=extra), record.case)


def _items(line: _Conversation) -> list[Message]:
    """The messages of a Responses object: what went in, then what came out."""
    if line.input is None and line.output is None:
        raise InputError("", "no conversation: neither `messages`, nor `input` and `output`")
    said = line.input
    items = [{"role": "user", "content": said}] if isinstance(said, str) else said
    return read_items([*(items or ()), *(line.output or ())], line.usage)


def _messages(raw: bytes) -> list[Message]:
    """A bare list: chat messages, or Responses items where one has their type."""
    if b'"type"' in raw:
        items = _decode_list(raw)
        if any(map(_is_item, items)):
            return read_items(items)
    return _decode_chat(raw)


def _tool(tool: _Tool) -> Tool:
    at = tool.function or tool.custom or tool
    name = at.name or tool.type
    if name is None:
        raise InputError("", "a tool without a name")
    return Tool(name, at.description, at.parameters)  # type: ignore[arg-type]  # decoded JSON


def _json(value: object) -> Json:
    if too_deep(value):
        raise InputError("", f"a state is nested deeper than {DEPTH} levels")
    return value  # type: ignore[return-value]  # decoded JSON, declared as object
