"""Tests of conversations in OpenAI's shape: layouts, what stands beside messages, odd numbers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from trayecto.case import canonical
from trayecto.formats import read
from trayecto.formats.openai_messages import recognises
from trayecto.trajectory import Source, Spent, Tool, Trajectory, Usage

One = Callable[[object], Trajectory]
Many = Callable[[object], list[Trajectory]]
Write = Callable[..., object]

USER = {"role": "user", "content": "hola"}
DONE = {"role": "assistant", "content": "listo"}
TALK = [USER, DONE]
USED = {"prompt_tokens": 10, "completion_tokens": 5}


def called(*written: tuple[object, str]) -> list[dict[str, object]]:
    """Return a conversation with one call of `calc` a message, each with its result."""
    talk: list[dict[str, object]] = [USER]
    for place, (arguments, result) in enumerate(written):
        call = {"id": f"c{place}", "function": {"name": "calc", "arguments": arguments}}
        talk.append({"role": "assistant", "content": None, "tool_calls": [call]})
        talk.append({"role": "tool", "tool_call_id": f"c{place}", "content": result})
    return [*talk, DONE]


@pytest.mark.parametrize(
    ("content", "places"),
    [
        (b'{"messages": [%s]}\n{"messages": [%s]}\n', [1, 2]),
        (b"[%s]\n\n[%s]\n", [1, 3]),
        (b'[{"messages": [%s]}, {"messages": [%s]}]', [1, 2]),
        (b"[[%s], [%s]]", [1, 2]),
        (b"[\n  [%s],\n  [%s]\n]\n", [1, 2]),
        (b'\xef\xbb\xbf{"messages": [%s]}\r\n{"messages": [%s]}\r\n', [1, 2]),
    ],
)
def test_two_conversations_in_every_layout(
    trajectories: Many, content: bytes, places: object
) -> None:
    """Lines or a list, of objects or of bare lists."""
    talks = tuple(json.dumps(TALK)[1:-1].encode() for _ in places)
    found = trajectories(content % talks)
    assert [one.source for one in found] == [
        Source("openai_messages", "runs.json", place) for place in places
    ]
    assert [[turn.text for turn in one.turns] for one in found] == [["hola", "listo"]] * 2


@pytest.mark.parametrize(
    "content",
    [
        {"messages": TALK},
        TALK,
        [{"messages": TALK}],
        [TALK],
        json.dumps(TALK, indent=1).encode(),
        json.dumps({"messages": TALK}, indent=1).encode(),
        b"\xef\xbb\xbf" + json.dumps(TALK).encode(),
        [USER, {**DONE, "content": [{"type": "text", "text": "listo"}]}],
        {"input": "hola", "output": [{"type": "message", **DONE}]},
        {"input": [USER], "output": [{"type": "message", **DONE}]},
        [{"type": "message", **USER}, {"type": "message", **DONE}],
    ],
)
def test_one_conversation_in_every_layout(one: One, content: object) -> None:
    """A single conversation may be an object, a list of messages, or Responses items."""
    found = one(content)
    assert [(turn.role, turn.text) for turn in found.turns] == [
        ("user", "hola"),
        ("assistant", "listo"),
    ]
    assert (found.answer, found.source.record) == ("listo", 1)


def test_a_conversation_that_is_cut_is_one_rejected_record(write: Write) -> None:
    """Its messages are not taken for conversations."""
    reading = read(write(json.dumps(TALK, indent=1).encode()[:-20]))
    assert list(reading) == []
    (rejected,) = reading.account.rejected
    assert (rejected.record, rejected.why) == (1, "truncated record")


def test_what_stands_beside_the_messages_is_kept(one: One) -> None:
    """Identity, outcome, tools and state come from the object."""
    tool = {"name": "calc", "description": "adds", "parameters": {"type": "object"}}
    found = one(
        {
            "id": 7,
            "suite": "s",
            "candidate": "c",
            "case_id": 3,
            "trial": 2,
            "success": False,
            "status": "agent_error",
            "latency_ms": 5,
            "tools": [{"type": "function", "function": tool}, {"type": "function", **tool}],
            "initial_state": {"n": 0},
            "final_state": {"n": 1.0},
            "messages": TALK,
        }
    )
    assert (found.id, found.slot) == ("7", ("s", "c", "3", 2))
    assert (found.success, found.success_from, found.status) == (False, "recorded", "agent_error")
    assert (found.latency_ms, found.initial_state, found.final_state) == (5.0, {"n": 0}, {"n": 1})
    assert found.tools == (Tool("calc", "adds", {"type": "object"}),) * 2


def test_what_is_not_told_is_unknown(one: One) -> None:
    """Nothing is 0, False or "now" because nobody said it; names come from the file (ruling 15)."""
    found = one({"messages": TALK})
    assert found.slot == ("openai_messages", "runs", "runs#1", None)
    assert (found.id, found.status, found.success, found.success_from) == (
        "runs#1",
        "unknown",
        None,
        None,
    )
    assert (found.latency_ms, found.tools, found.final_state) == (None, None, None)
    assert found.spent == (Spent(None, None),)


def test_the_model_is_the_candidate_where_none_is_named(one: One) -> None:
    """What was compared is most often the model."""
    assert one({"model": "m", "messages": TALK}).candidate == "m"


@pytest.mark.parametrize("status", ["infra-error", "failed", "in_progress", "Completed"])
def test_a_status_of_another_tongue_is_unknown_and_told(write: Write, status: str) -> None:
    """Only the statuses of DESIGN §3 are believed; each other word is counted, with its place."""
    odd = {"status": status, "messages": TALK}
    reading = read(write([{"messages": TALK}, odd, odd]))
    assert [record.trajectory.status for record in reading] == ["unknown"] * 3
    assert reading.account.warnings == {"unknown_status": 2}
    assert reading.account.examples == {"unknown_status": "runs.json:2"}


@pytest.mark.parametrize("status", ["unknown", "", None])
def test_a_status_that_is_not_told_is_no_oddity(one: One, status: object) -> None:
    """Unknown, and nothing to warn of."""
    found = one({"status": status, "messages": TALK})
    assert (found.status, found.warnings) == ("unknown", ())


@pytest.mark.parametrize(
    ("status", "expected", "warnings"),
    [
        ("completed", "completed", ()),
        ("failed", "infra_error", ()),
        ("cancelled", "cancelled", ()),
        ("queued", "not_run", ()),
        ("incomplete", "unknown", ()),
        ("in_progress", "unknown", ()),
        (None, "unknown", ()),
        ("crashed", "unknown", ("unknown_status",)),
    ],
)
def test_a_response_has_words_of_its_own(
    one: One, status: object, expected: str, warnings: object
) -> None:
    """One that failed is the provider's failure, not the agent's."""
    found = one({"status": status, "input": "hola", "output": [{"type": "message", **DONE}]})
    assert (found.status, found.warnings) == (expected, warnings)


def test_custom_tools_are_read(one: One) -> None:
    """A call takes text; the declared tool has its own name."""
    call = {"id": "c", "type": "custom", "custom": {"name": "sql", "input": '{"n": 1}'}}
    found = one(
        {
            "tools": [{"type": "custom", "custom": {"name": "sql", "description": "asks"}}],
            "messages": [USER, {"role": "assistant", "tool_calls": [call]}, DONE],
        }
    )
    assert [(call.tool, call.arguments) for call in found.calls] == [("sql", '{"n": 1}')]
    assert found.tools == (Tool("sql", "asks"),)


EXTRAS: dict[str, object] = {"team": "é", "n": 1.0, "big": 2**64 + 1, "at": {"a": [None, True]}}


def test_unknown_fields_are_kept_where_they_are_asked_for(write: Write) -> None:
    """Otherwise they are not looked at, which would take time (J20)."""
    path = write([{"messages": TALK, **EXTRAS}, TALK, {"messages": TALK, "id": 3}])
    assert [record.trajectory.extra for record in read(path)] == [{}, {}, {}]
    found = [record.trajectory for record in read(path, extras=True)]
    assert [one.extra for one in found] == [EXTRAS, {}, {}]
    assert type(found[0].extra["n"]) is int
    plain = [record.trajectory for record in read(path)]
    assert [replace(one, extra={}) for one in found] == plain


@pytest.mark.parametrize("value", ["1e999", "[" * 129 + "]" * 129])
def test_an_unknown_field_never_costs_the_record(write: Write, value: str) -> None:
    """What cannot be decoded, or would be too deep to write again, is kept as its text."""
    talk, odd = json.dumps(TALK).encode(), value.encode()
    path = write(b'[{"messages": %s}, {"messages": %s, "odd": %s}]' % (talk, talk, odd))
    reading = read(path, extras=True)
    assert [record.trajectory.extra for record in reading] == [{}, {"odd": value}]
    assert reading.account.warnings == {}


def test_usage_is_summed_over_the_generations(one: One) -> None:
    """What only one generation tells (cached tokens, reasoning) is unknown of the sum."""
    more = {
        **USED,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    found = one(
        {"model": "m", "messages": [USER, {**DONE, "usage": more}, {**DONE, "usage": USED}]}
    )
    assert found.spent == (Spent("m", Usage(20, None, None, 10)),)
    assert found.warnings == ()


def test_usage_that_cannot_be_is_unknown_and_told(one: One) -> None:
    """Minus one token is no crash, and no number (J14)."""
    bad = {"prompt_tokens": -1, "completion_tokens": 5}
    found = one({"messages": [USER, {**DONE, "usage": bad}, {**DONE, "usage": USED}]})
    assert (found.spent, found.warnings) == ((Spent(None, None),), ("unusable_usage",))


def test_usage_that_is_not_given_is_no_oddity(one: One) -> None:
    """Unknown, and nothing to warn of."""
    found = one({"messages": [USER, {**DONE, "usage": None}, {**DONE, "usage": USED}]})
    assert (found.spent, found.warnings) == ((Spent(None, None),), ())


@pytest.mark.parametrize(
    ("times", "kept", "warnings"),
    [
        ([1.5, 2], [1.5, 2.0], ()),
        ([1.5, None], [1.5, None], ()),
        ([1.5, -2], [1.5, None], ("unusable_latency",)),
    ],
)
def test_times_of_generations_stand_with_them(
    one: One, times: list[object], kept: list[object], warnings: object
) -> None:
    """The trace tells no time of the whole, so there is none; a negative one is none (J14)."""
    found = one({"messages": [USER, *({**DONE, "latency_ms": time} for time in times)]})
    assert [turn.latency_ms for turn in found.turns[1:]] == kept
    assert (found.latency_ms, found.warnings) == (None, warnings)


def test_the_time_of_the_whole_counts_more_than_its_parts(one: One) -> None:
    """It includes the tools; a negative one is unknown."""
    said = {**DONE, "latency_ms": 2}
    assert one({"latency_ms": 9, "messages": [USER, said]}).latency_ms == 9.0
    found = one({"latency_ms": -9, "messages": [USER, said]})
    assert (found.latency_ms, found.warnings) == (None, ("unusable_latency",))


def test_a_response_object_is_read_with_its_usage(one: One) -> None:
    """What the endpoint returns, with the input beside it."""
    found = one(
        {
            "object": "response",
            "id": "resp_1",
            "model": "m",
            "status": "completed",
            "input": "hola",
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "c", "name": "calc", "arguments": '{"n":1}'},
            ],
            "tools": [{"type": "function", "name": "calc"}, {"type": "web_search"}],
            "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
        }
    )
    assert (found.id, found.candidate, found.status) == ("resp_1", "m", "completed")
    assert [(call.tool, call.arguments) for call in found.calls] == [("calc", {"n": 1})]
    assert found.spent == (Spent("m", Usage(10, None, None, 5)),)
    assert found.tools == (Tool("calc"), Tool("web_search"))


def test_a_bare_list_of_items_is_read_as_responses(one: One) -> None:
    """Calls and outputs are items of their own, without a role."""
    call = {"type": "function_call", "call_id": "c", "name": "calc", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "2"}
    found = one([USER, call, output, {"type": "message", **DONE}])
    assert [(call.tool, call.observation) for call in found.calls] == [("calc", "2")]
    assert (found.answer, found.warnings) == ("listo", ())


@pytest.mark.parametrize("field", ["messages", "input", "output"])
def test_a_record_without_a_conversation_is_rejected(write: Write, field: str) -> None:
    """Null where a list is needed is no empty conversation (J12)."""
    reading = read(write([{"messages": TALK}, {field: None, "id": "x"}]))
    assert len(list(reading)) == 1
    (rejected,) = reading.account.rejected
    assert rejected.why == "no conversation: neither `messages`, nor `input` and `output`"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"messages": [{"role": "alien"}]}, "invalid value 'alien' - at `$.messages[0].role`"),
        ({"input": [{"role": "alien"}]}, "item 0: role 'alien' is not known; choose system, dev"),
        ({"tools": [{"description": "x"}]}, "a tool without a name"),
        ({"trial": "3"}, "expected `int | null`, got `str` - at `$.trial`"),
    ],
)
def test_what_cannot_be_read_is_named(write: Write, more: dict[str, object], why: str) -> None:
    """The reason says which value, and where (M5, J13)."""
    talk = {} if "input" in more else {"messages": TALK}
    reading = read(write([{"messages": TALK}, {**talk, **more}]))
    assert len(list(reading)) == 1
    (rejected,) = reading.account.rejected
    assert (rejected.record, rejected.why[: len(why)]) == (2, why)


@pytest.mark.parametrize(("levels", "read_"), [(128, True), (129, False)])
def test_a_state_is_kept_to_128_levels(write: Write, levels: int, read_: bool) -> None:  # noqa: FBT001  # a column of the table
    """What cannot be compared later is not read now (B14)."""
    state = json.loads("[" * levels + "]" * levels)
    reading = read(write([{"messages": TALK, "final_state": state}]))
    assert len(list(reading)) == read_
    rejected = [item.why for item in reading.account.rejected]
    assert rejected == [] if read_ else ["a state is nested deeper than 128 levels"]


def test_input_08(one: One) -> None:
    """A call id used again in a later turn: two steps, two observations, nothing dropped."""

    def ask(sku: str) -> dict[str, object]:
        arguments = json.dumps({"sku": sku})
        return {
            "id": "stock:0",
            "type": "function",
            "function": {"name": "stock", "arguments": arguments},
        }

    def reply(text: str) -> dict[str, object]:
        return {"role": "tool", "tool_call_id": "stock:0", "content": text}

    a, b = ({"role": "assistant", "content": None, "tool_calls": [ask(sku)]} for sku in "AB")
    both = {"role": "assistant", "content": None, "tool_calls": [ask("A"), ask("B")]}
    later = one({"messages": [USER, a, reply("4"), b, reply("0"), DONE]})
    inside = one({"messages": [USER, both, reply("4"), reply("0"), DONE]})
    for found in (later, inside):
        steps = [(call.arguments, call.observation, call.outcome) for call in found.calls]
        assert steps == [({"sku": "A"}, "4", "ok"), ({"sku": "B"}, "0", "ok")]
    assert later.warnings == ("repeated_call_id",)
    assert inside.warnings == ("duplicate_id_in_message",)


def test_input_09(one: One) -> None:
    """Malformed arguments: six steps, flags, raw text kept, and signatures 1 = 4 = 6."""
    talk = called(
        ('{"n":1}', "ok\ud835"),
        ("", "ok"),
        ('{"n": 1', "ok"),
        ('"{\\"n\\": 1}"', "ok"),
        ("[1,2]", "ok"),
        ({"n": 1}, "ok"),
    )
    found = one({"messages": talk})
    calls = found.calls
    assert [call.arguments for call in calls] == [
        {"n": 1},
        {},
        '{"n": 1',
        {"n": 1},
        "[1,2]",
        {"n": 1},
    ]
    flags = {call.index: call.flags for call in calls if call.flags}
    assert flags == {2: ("empty_arguments",), 4: ("encoded_twice",)}
    assert [call.observation for call in calls] == ["ok\\ud835", *["ok"] * 5]
    assert found.warnings == ("empty_arguments", "encoded_twice", "lone_surrogate")
    forms = [canonical(call.arguments) for call in calls]
    assert [place for place, form in enumerate(forms, 1) if form == forms[0]] == [1, 4, 6]


@pytest.mark.parametrize(
    "first",
    [
        {"role": "user", "parts": [{"text": "hola"}]},
        {"messages": [{"role": "user", "parts": []}]},
        {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "x"}]}]},
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]}],
        {"messages": "hola"},
        {"output": "hola"},
        {"messages": [["user", "hola"]]},
    ],
)
def test_other_shapes_with_the_same_names_are_not_taken_for_ours(first: object) -> None:
    """Gemini and Anthropic name the same roles, and hold other content."""
    assert recognises(first) is False


def test_a_conversation_without_messages_is_one(one: One) -> None:
    """An agent that said nothing ran all the same."""
    found = one({"messages": []})
    assert (found.turns, found.answer, found.spent) == ((), None, ())


def test_content_of_another_shape_is_rejected(shared: Path) -> None:
    """Anthropic's blocks in a bare list of messages are no texts: no call is passed over."""
    reading = read(shared / "traces/raw-sdk/anthropic_openinference_messages.json")
    assert list(reading) == []
    (rejected,) = reading.account.rejected
    assert rejected.why == "content of type 'tool_use' is another shape: calls would be missed"


ASKED = {
    "role": "assistant",
    "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": '{"x": 1.0}'}}],
}
PLAIN = [
    USER,
    {**ASKED, "usage": USED},
    {"role": "tool", "tool_call_id": "1", "content": "Error: no"},
]
ODD = {"messages": [{**USER, "content": [{"type": "text", "text": "hola"}]}, DONE]}


@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"model": "m", "success": True, "trial": 3},
        {"output": "yes", "input": {"x": 1}},
        {"output": []},
        {"usage": USED},
        {"usage": 3},
        {"latency_ms": -1},
        {"status": "strange"},
        {"tools": [{"function": {"name": "a"}}]},
        {"tools": 3},
        {"success": 1},
    ],
)
def test_a_record_is_read_alike_whatever_its_file_begins_with(
    tmp_path: Path, beside: dict[str, object]
) -> None:
    """A plain first record chooses a faster reader, which may keep and reject nothing else."""
    found = []
    for name, first in (("plain", {"messages": PLAIN}), ("odd", ODD)):
        path = tmp_path / name / "runs.jsonl"
        path.parent.mkdir()
        lines = [{**first, "id": "first"}, {"messages": PLAIN, "id": "second", **beside}]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        reading = read(path)
        runs = [
            replace(r.trajectory, source=Source("", "", 0))
            for r in reading
            if r.trajectory.id == "second"
        ]
        found.append((runs, [rejected.why for rejected in reading.account.rejected]))
    assert found[0] == found[1]


def test_one_run_with_two_impossible_times_is_one_run(one: One) -> None:
    """The account counts runs."""
    messages = [USER, {**DONE, "latency_ms": -2}]
    assert one({"latency_ms": -9, "messages": messages}).warnings == ("unusable_latency",)


PEOPLE = ("human_minutes", "interventions", "abandoned_at")


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ((2.5, 3, 90), (2.5, 3, 90.0)),
        ((0, 0, 0), (0.0, 0, 0.0)),
        ((None, None, False), (None, None, False)),
        ((1_000_000, 1_000_000, 1e9), (1e6, 1_000_000, 1e9)),
        ((None, None, None), (None, None, None)),
    ],
)
def test_what_people_did_stands_beside_the_messages(
    one: One, told: tuple[object, ...], known: tuple[object, ...]
) -> None:
    """Minutes, interventions, and the second at which somebody gave up: 0 is not unknown."""
    found = one({"messages": PLAIN, **dict(zip(PEOPLE, told, strict=True))})
    assert tuple(getattr(found, field) for field in PEOPLE) == known
    assert (type(found.abandoned_at), found.warnings) == (type(known[2]), ())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("human_minutes", -1),
        ("human_minutes", 1_000_000.5),
        ("interventions", -1),
        ("interventions", 10**30),
        ("abandoned_at", -0.1),
        ("abandoned_at", 1e10),
        ("abandoned_at", True),
    ],
)
def test_what_no_people_can_have_done_is_unknown_and_told(
    one: One, field: str, value: object
) -> None:
    """Only that number: the others of the run stay; ``true`` names no second."""
    beside = dict.fromkeys(PEOPLE, 1) | {field: value}
    found = one({"messages": PLAIN, **beside})
    kept = {name: getattr(found, name) for name in PEOPLE}
    assert kept == dict.fromkeys(PEOPLE, 1) | {field: None}
    assert found.warnings == ("unusable_human_number",)


@pytest.mark.parametrize("value", ["5", [5], "NaN"])
def test_minutes_that_are_no_number_reject_the_record(tmp_path: Path, value: object) -> None:
    """As any other field of another kind does; the next record is read."""
    path = tmp_path / "runs.jsonl"
    lines = [{"messages": PLAIN, "human_minutes": minutes} for minutes in (1, value, 2)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    reading = read(path)
    assert [record.trajectory.human_minutes for record in reading] == [1, 2]
    [bad] = reading.account.rejected
    assert (bad.record, "human_minutes" in bad.why) == (2, True)
