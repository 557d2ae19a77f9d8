"""Responses items (OpenAI's newer shape) as chat messages: one generation, one message.

A Responses conversation is a flat list: messages, reasoning, calls and their outputs. Items of the
assistant that follow each other were made by one generation. What is named ``…_call`` is a call of
a built-in tool; items that only keep books (a list of tools, an approval) are no steps.
"""

from __future__ import annotations

from trayecto.errors import InputError, choose, quoted
from trayecto.wire.arguments import FreeText
from trayecto.wire.messages import (
    Answer,
    Assistant,
    Content,
    Function,
    Message,
    Request,
    System,
    User,
)
from trayecto.wire.usage import OpenAIUsage

Item = dict[str, object]

CALLS = {"function_call", "custom_tool_call", "mcp_call"}
OUTPUTS = {"function_call_output", "custom_tool_call_output"}
BOOKKEEPING = {
    "item_reference",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "compaction",
}
ITEM_TYPES = {"message", "reasoning"} | CALLS | OUTPUTS
ROLES = ("system", "developer", "user")


class _Generation:
    """The assistant's items since the last message of anybody else."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.requests: list[Request] = []
        self.answers: list[Answer] = []

    def take(self, usage: OpenAIUsage | None = None) -> list[Message]:
        """Hand out the generation as messages, and start the next."""
        if not (self.texts or self.thoughts or self.requests):
            return []
        said = Assistant(
            content="\n".join(self.texts) or None,
            tool_calls=self.requests or None,
            reasoning_content="\n".join(self.thoughts) or None,
            usage=usage,
        )
        taken: list[Message] = [said, *self.answers]
        self.__init__()  # type: ignore[misc]  # empties every list at once
        return taken


def read_items(items: list[Item], usage: OpenAIUsage | None = None) -> list[Message]:
    """Turn items into messages; ``usage`` is that of the response, which made the last one."""
    messages: list[Message] = []
    open_ = _Generation()
    for place, item in enumerate(items):
        kind = str(item.get("type", "message"))
        if kind.endswith("_call_output"):
            messages += open_.take()
            messages.append(_output(item))
        elif kind in CALLS:
            _add_call(item, open_)
        elif kind == "reasoning":
            open_.thoughts += _texts(item.get("summary")) + _texts(item.get("content"))
        elif kind == "message" and item.get("role") == "assistant":
            open_.texts += _texts(item.get("content"))
        elif kind == "message":
            messages += open_.take()
            messages.append(_message(item, place))
        elif kind.endswith("_call"):
            _add_built_in(kind, item, open_)
        elif kind not in BOOKKEEPING:
            raise InputError("", f"item {place}: type {quoted(kind)} is not known")
    return messages + open_.take(usage)


def _add_call(item: Item, generation: _Generation) -> None:
    """Add a call; one that carries its own output (a server's tool) is answered by itself."""
    name = item.get("name")
    call_id = item.get("call_id") or item.get("id")
    arguments = item.get("arguments", item.get("input"))
    if item.get("type") == "custom_tool_call" and isinstance(arguments, str):
        arguments = FreeText(arguments)
    if not isinstance(name, str):
        raise InputError("", f"a {item.get('type')} without a name")
    call = call_id if isinstance(call_id, str) else None
    generation.requests.append(Request(Function(name, arguments), call))
    if "output" in item or item.get("error"):
        failed = bool(item.get("error"))
        output = item.get("error") if failed else item.get("output")
        generation.answers.append(Answer(content=output, tool_call_id=call, is_error=failed))


def _add_built_in(kind: str, item: Item, generation: _Generation) -> None:
    """Add a call of a built-in tool: with a call id, its output follows as an item."""
    call_id = item.get("call_id")
    if isinstance(call_id, str):
        generation.requests.append(Request(Function(kind, _rest(item)), call_id))
        return
    generation.requests.append(Request(Function(kind, _rest(item))))
    generation.answers.append(Answer(name=kind))


def _output(item: Item) -> Answer:
    call_id = item.get("call_id") or item.get("id")
    output = item.get("output")
    return Answer(content=output, tool_call_id=call_id if isinstance(call_id, str) else None)


def _message(item: Item, place: int) -> Message:
    role = item.get("role")
    if role not in ROLES:
        allowed = choose(str(role), [*ROLES, "assistant"])
        raise InputError("", f"item {place}: role {quoted(role)} is not known; {allowed}")
    content = _content(item.get("content"))
    return User(content) if role == "user" else System(content)


def _content(content: object) -> Content:
    return "\n".join(_texts(content)) or None


def _texts(content: object) -> list[str]:
    """The texts of a content: a string, or parts of which some hold text or a refusal."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    found = [part.get("text") or part.get("refusal") for part in parts if isinstance(part, dict)]
    return [text for text in found if isinstance(text, str)]


def _rest(item: Item) -> dict[str, object]:
    """What a built-in tool's item says beside its bookkeeping: its arguments, as far as told."""
    return {
        key: value for key, value in item.items() if key not in ("id", "call_id", "type", "status")
    }
