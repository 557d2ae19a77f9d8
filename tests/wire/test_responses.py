"""Tests of Responses items: what one generation is, and which items are steps."""

import pytest

from trayecto.errors import InputError
from trayecto.trajectory import Turn, Usage
from trayecto.wire.messages import Conversation, read_conversation
from trayecto.wire.responses import read_items
from trayecto.wire.usage import OpenAIUsage

USER = {"role": "user", "content": "hola"}


def talk(*items: dict[str, object], usage: OpenAIUsage | None = None) -> Conversation:
    """Read items as a conversation."""
    return read_conversation(read_items(list(items), usage))


def said(text: str) -> dict[str, object]:
    """Return an assistant's message."""
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "role": "assistant", "content": [part], "status": "completed"}


def call(call_id: str, name: str, **more: object) -> dict[str, object]:
    """Return a function call."""
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}", **more}


def output(call_id: str, text: object, kind: str = "function_call_output") -> dict[str, object]:
    """Return the output of a call."""
    return {"type": kind, "call_id": call_id, "output": text}


def steps(conversation: Conversation) -> list[tuple[object, ...]]:
    """Return tool, observation and outcome of every call."""
    calls = [call for turn in conversation.turns for call in turn.calls]
    return [(call.tool, call.observation, call.outcome) for call in calls]


def generations(conversation: Conversation) -> list[Turn]:
    """Return the turns of the assistant."""
    return [turn for turn in conversation.turns if turn.role == "assistant"]


def test_messages_are_turns() -> None:
    """With or without a type, of every role."""
    found = talk(
        {"role": "developer", "content": "d"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "u"}]},
        said("a"),
    )
    assert [(turn.role, turn.text) for turn in found.turns] == [
        ("system", "d"),
        ("user", "u"),
        ("assistant", "a"),
    ]
    assert found.answer == "a"


def test_items_that_follow_each_other_are_one_generation() -> None:
    """Reasoning, text and parallel calls of one response are one turn."""
    thought = {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "t"}]}
    found = talk(
        USER, thought, said("wait"), call("1", "f"), call("2", "g"), output("1", "F"),
        output("2", "G"), said("done"),
    )  # fmt: skip  # the items in two lines, as they come
    assert [(turn.text, turn.reasoning, len(turn.calls)) for turn in generations(found)] == [
        ("wait", "t", 2),
        ("done", None, 0),
    ]
    assert steps(found) == [("f", "F", "ok"), ("g", "G", "ok")]


def test_a_refusal_is_an_answer() -> None:
    """The agent said that it will not."""
    part = {"type": "refusal", "refusal": "no"}
    assert talk(USER, {"type": "message", "role": "assistant", "content": [part]}).answer == "no"


def test_usage_belongs_to_the_generation_of_the_response() -> None:
    """What went in was made by earlier ones, of which the response says nothing."""
    usage = OpenAIUsage(input_tokens=9, output_tokens=2)
    found = talk(USER, call("1", "f"), output("1", "F"), said("done"), usage=usage)
    assert [turn.usage for turn in generations(found)] == [None, Usage(9, None, None, 2)]


def test_usage_covers_the_servers_tools_of_a_response() -> None:
    """A search between two texts was paid for by the same response."""
    search = {
        "type": "web_search_call",
        "id": "ws",
        "status": "completed",
        "action": {"query": "q"},
    }
    usage = OpenAIUsage(input_tokens=9, output_tokens=2)
    found = talk(USER, said("wait"), search, said("done"), usage=usage)
    assert [turn.usage for turn in generations(found)] == [Usage(9, None, None, 2)]
    assert found.answer == "wait\ndone"


def test_a_tool_of_a_server_carries_its_output() -> None:
    """Its call is answered in the same item, well or badly."""
    mcp = {"type": "mcp_call", "id": "m", "name": "roll", "arguments": "{}"}
    found = talk(
        USER,
        {**mcp, "output": "4", "error": None},
        {**mcp, "id": "n", "output": None, "error": "down"},
        said("done"),
    )
    assert steps(found) == [("roll", "4", "ok"), ("roll", "down", "error")]
    assert found.warnings == ()


def test_a_built_in_tool_is_a_step_without_a_result() -> None:
    """The item tells what was asked, not what was found."""
    search = {
        "type": "web_search_call",
        "id": "ws",
        "status": "completed",
        "action": {"query": "q"},
    }
    found = talk(USER, search, said("done"))
    assert steps(found) == [("web_search_call", None, "unknown")]
    assert found.turns[1].calls[0].arguments == {"action": {"query": "q"}}
    assert found.warnings == ()


def test_a_built_in_tool_takes_no_other_calls_result() -> None:
    """A function that was called before it still gets its own output."""
    search = {"type": "web_search_call", "id": "ws", "status": "completed"}
    found = talk(USER, call("1", "f"), search, output("1", "F"), said("done"))
    assert steps(found) == [("f", "F", "ok"), ("web_search_call", None, "unknown")]
    assert found.warnings == ()


def test_a_built_in_tool_with_a_call_id_waits_for_its_output() -> None:
    """The client runs it: its output is an item, and no step."""
    clicked = {"type": "computer_call", "id": "x", "call_id": "c", "action": {"type": "click"}}
    found = talk(USER, clicked, output("c", {"ok": 1}, "computer_call_output"), said("done"))
    assert (steps(found), found.warnings) == ([("computer_call", '{"ok":1}', "ok")], ())


@pytest.mark.parametrize("written", ["ls -l", '{"n": 1}', ""])
def test_a_custom_tool_takes_text(written: str) -> None:
    """Its input is kept as it is, also where it looks like JSON."""
    asked = {"type": "custom_tool_call", "call_id": "1", "name": "sh", "input": written}
    found = talk(USER, asked, output("1", "x.py", "custom_tool_call_output"))
    assert steps(found) == [("sh", "x.py", "ok")]
    assert found.turns[1].calls[0].arguments == written


@pytest.mark.parametrize(
    "item",
    [
        {"type": "mcp_list_tools", "server_label": "s", "tools": [{"name": "roll"}]},
        {"type": "item_reference", "id": "x"},
        {"type": "mcp_approval_request", "name": "roll", "arguments": "{}"},
    ],
)
def test_what_only_keeps_books_is_no_step(item: dict[str, object]) -> None:
    """Tool definitions and approvals are not tool calls."""
    assert steps(talk(USER, item, said("done"))) == []


def test_outputs_and_calls_are_matched_as_in_chat() -> None:
    """A missing output and an orphan are told."""
    found = talk(USER, call("1", "f"), output("9", "?"), said("done"))
    assert steps(found) == [("f", None, "unknown")]
    assert found.warnings == ("result_without_call", "call_without_result")


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (
            {"role": "assistent", "content": "x"},
            "item 1: role 'assistent' is not known.*assistant'",
        ),
        ({"type": "tool", "content": "x"}, "item 1: type 'tool' is not known"),
        ({"type": "function_call", "call_id": "1"}, "a function_call without a name"),
    ],
)
def test_an_item_that_cannot_be_read_is_named(item: dict[str, object], message: str) -> None:
    """Nothing is guessed, and nothing is dropped (M5)."""
    with pytest.raises(InputError, match=message):
        talk(USER, item)
