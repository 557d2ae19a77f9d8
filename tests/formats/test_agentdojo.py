"""Tests of AgentDojo runs: what each part of a run becomes, and what nobody may make of it."""

import json
from collections.abc import Callable

import pytest

from trayecto.case import expect
from trayecto.formats import read
from trayecto.formats.agentdojo import recognises
from trayecto.records import Record
from trayecto.trajectory import Trajectory

One = Callable[[object], Trajectory]
Write = Callable[..., object]
Message = dict[str, object]

ATTACK = {"attack_type": "important_instructions", "injection_task_id": "injection_task_1"}
USER: Message = {"role": "user", "content": [{"type": "text", "content": "Buy a watch."}]}
DRIFT = {
    "tool_permission": {"get_page": "Read", "post_page": "Write", "send": "Execute", "x": "Fly"},
    "initial_trajectory": ["get_page", "send"],
    "total_tokens": 35141,
}


def run(*messages: Message, **more: object) -> dict[str, object]:
    """Return a run as it stands in a file: benign, and done."""
    given = {"suite_name": "shopping", "pipeline_name": "gpt-4o", "user_task_id": "user_task_0"}
    given |= {"injection_task_id": None, "attack_type": None, "error": None}
    given |= {"utility": True, "security": True, "duration": 1.5}
    return {**given, "messages": [USER, *messages], **more}


def drift(*messages: Message, **more: object) -> dict[str, object]:
    """Return a run as DRIFT writes it."""
    written = run(**{**ATTACK, **DRIFT, "conversations": [USER, *messages], **more})
    return {key: value for key, value in written.items() if key not in ("messages", "error")}


def ask(*tools: str, ids: tuple[str | None, ...] = ("a", "b", "c"), **more: object) -> Message:
    """Return a message with parallel calls."""
    calls = [{"function": tool, "args": {"n": 1.0}, "id": ids[at]} for at, tool in enumerate(tools)]
    return {"role": "assistant", "content": None, "tool_calls": calls, **more}


def tell(
    content: object = "ok", error: str | None = None, tool: str = "f", call_id: str | None = "a"
) -> Message:
    """Return the result of a call."""
    parts = [{"type": "text", "content": content}] if isinstance(content, str) else content
    call = {"function": tool, "args": {}, "id": call_id}
    told = {"role": "tool", "content": parts, "error": error}
    return {**told, "tool_call_id": call_id, "tool_call": call}


@pytest.mark.parametrize(
    ("more", "suite", "case"),
    [
        ({}, "shopping/none", "user_task_0"),
        ({"attack_type": "none", "injection_task_id": ""}, "shopping/none", "user_task_0"),
        (ATTACK, "shopping/important_instructions", "user_task_0/injection_task_1"),
        (
            {"user_task_id": "injection_task_3"},
            "shopping/injection_as_user",
            "injection_task_3",
        ),
        ({"attack_type": "dos"}, "shopping/dos", "user_task_0"),
    ],
)
def test_three_kinds_of_suites_stay_apart(
    one: One, more: dict[str, object], suite: str, case: str
) -> None:
    """Benign, attacked, and an injected task as the user's (ruling 15)."""
    found = one(run(**more))
    assert found.slot == (suite, "gpt-4o", case, None)


def test_a_run_is_a_trajectory(one: One) -> None:
    """It is named as AgentDojo files it; utility is its success, as recorded."""
    found = one(run({"role": "assistant", "content": [{"type": "text", "content": "Done."}]}))
    assert found.id == "gpt-4o/shopping/user_task_0/none/none"
    assert (found.success, found.success_from, found.grade) == (True, "recorded", "graded")
    assert (found.status, found.answer, found.latency_ms) == ("completed", "Done.", 1500)
    assert (found.source.format, found.source.file, found.source.record) == (
        "agentdojo",
        "runs.json",
        1,
    )
    assert found.warnings == ()


def test_nothing_is_invented(one: One) -> None:
    """No tools, no tokens, no model, no trial: the file tells none of them."""
    found = one(run({"role": "assistant", "content": "Done.", "tool_calls": None}))
    assert (found.tools, found.trial) == (None, None)
    assert [(spent.model, spent.usage) for spent in found.spent] == [(None, None)]
    assert found.refuses_unknown_tools is True


def test_the_user_task_is_the_cluster(write: Write) -> None:
    """A case knows what it was asked, in which suite, and with which cases it goes together."""
    (record,) = read(write(run(**ATTACK)))
    case = record.case
    assert (case.id, case.suite) == ("user_task_0/injection_task_1", record.trajectory.suite)
    assert (case.cluster, case.task.text) == ("user_task_0", "Buy a watch.")
    assert (case.secret.reference, case.effects) == (None, {})


@pytest.mark.parametrize(
    ("more", "attack"),
    [
        ({"security": True}, "none"),
        ({"security": False}, "none"),
        ({"user_task_id": "injection_task_3"}, "none"),
        ({**ATTACK, "security": True}, "succeeded"),
        ({**ATTACK, "security": False}, "failed"),
        ({**ATTACK, "security": None}, "unknown"),
        ({**ATTACK, "security": True, "error": "Skipping task 'x': JSON decode error"}, "unknown"),
    ],
)
def test_security_means_something_only_in_attacked_runs(
    one: One, more: dict[str, object], attack: str
) -> None:
    """True is a successful attack (ruling 13); a skipped run is written so without a look."""
    assert one(run(**more)).attack == attack


def test_an_unfinished_run_is_not_graded(write: Write) -> None:
    """It is kept, and warned of by name; the time of a part is no time of the run."""
    written = run(**ATTACK)
    del written["utility"], written["security"]
    reading = read(write(written))
    (record,) = reading
    found = record.trajectory
    assert (found.success, found.success_from, found.grade) == (None, None, "missing")
    assert (found.status, found.attack, found.latency_ms) == ("unknown", "unknown", None)
    assert reading.account.warnings == {"unfinished_run": 1}
    assert reading.account.places == {"unfinished_run": ["runs.json:1"]}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("Skipping task user_task_0 because of JSON decode error: x", "harness_error"),
        ("Skipping task 'a' with 'b' because of internal server error: x", "infra_error"),
        ("Skipping task 'a' due to request timeout: x", "infra_error"),
        ("Skipping task 'a' with 'b' due to context_length_exceeded: x", "budget_exceeded"),
        (None, "completed"),
    ],
)
def test_how_a_run_ended(one: One, error: str | None, status: str) -> None:
    """A skipped run keeps the success that was recorded, and says who broke it."""
    found = one(run(utility=False, error=error))
    assert (found.status, found.success, found.grade) == (status, False, "graded")


def test_calls_that_nobody_executed_are_the_turn_limit(one: One) -> None:
    """AgentDojo stops after so many rounds of calls; the last ones have no result."""
    found = one(run(ask("f"), tell(), ask("f", ids=("b",)), utility=False))
    assert found.status == "budget_exceeded"
    assert [call.outcome for call in found.calls] == ["ok", "unknown"]
    assert found.warnings == ("call_without_result",)


def test_a_success_without_calls_is_one(one: One) -> None:
    """Some tasks need none."""
    found = one(run({"role": "assistant", "content": "No.", "tool_calls": []}))
    assert (found.calls, found.success) == ([], True)


@pytest.mark.parametrize(
    ("content", "error", "outcome", "kind"),
    [
        ("fine", None, "ok", None),
        ("Error: said by a page", None, "ok", None),
        ("", None, "ok", None),
        (None, None, "ok", None),
        ([], None, "ok", None),
        ("", "ValueError: no such page", "error", "ValueError"),
        ("kept", "KeyError: 'a'", "error", "KeyError"),
        ("", "blocked", "error", None),
        ("", "", "error", None),
        ("", "Invalid tool f provided.", "error", "unknown_tool"),
        ("", "Invalid tool g provided.", "error", None),
        ("", "ValueError: Invalid tool f provided.", "error", "ValueError"),
    ],
)
def test_the_error_of_a_result_decides(
    one: One, content: object, error: str | None, outcome: str, kind: str | None
) -> None:
    """Null is ok whatever the text says; a text is an error, and what the model was shown."""
    (call,) = one(run(ask("f"), tell(content, error))).calls
    assert call.observation == ((content or "") if error is None else error)
    assert (call.outcome, call.error) == (outcome, kind)


@pytest.mark.parametrize(
    "error",
    [
        "Empty function name provided. Provide a valid function name.",
        "ToolNotFoundError: The requested function `<empty-function-name>` is not available.",
    ],
)
def test_a_call_without_a_name_is_of_no_tool(one: One, error: str) -> None:
    """The runtime has two more ways to say that there is no such tool."""
    (call,) = one(run(ask("<empty-function-name>"), tell("", error))).calls
    assert call.error == "unknown_tool"


def test_parallel_calls_have_their_own_results(one: One) -> None:
    """Each by its id, in whatever order the results came; arguments are objects."""
    answers = [tell("2", None, "g", "b"), tell("", "Invalid tool f provided.", "f", "a")]
    first, second = one(run(ask("f", "g"), *answers)).calls
    assert (first.tool, first.outcome, first.error) == ("f", "error", "unknown_tool")
    assert (second.tool, second.observation, second.error) == ("g", "2", None)
    assert (first.arguments, second.index) == ({"n": 1}, 2)


@pytest.mark.parametrize("empty", [None, ""])
def test_ids_may_be_null(one: One, empty: str | None) -> None:
    """Then calls and results go by their place, and nothing is said to repeat."""
    calls = ask("f", "g", ids=(empty, empty))
    answers = [tell("1", None, "f", empty), tell("2", None, "g", empty)]
    found = one(run(calls, *answers, ask("f", ids=(empty,)), tell("3", None, "f", empty)))
    assert [call.observation for call in found.calls] == ["1", "2", "3"]
    assert (found.warnings, {call.id for call in found.calls}) == ((), {None})


def test_results_without_ids_go_by_name(one: One) -> None:
    """Where the calls have ids, a result that has none is told by its own call."""
    answers = [tell("2", None, "g", None), tell("1", None, "f", None)]
    assert [call.observation for call in one(run(ask("f", "g"), *answers)).calls] == ["1", "2"]


def test_a_tool_filter_asks_in_a_second_user_message(one: One, write: Write) -> None:
    """The case's task is the first one; positions are those of the file's messages."""
    prompt = {"role": "user", "content": [{"type": "text", "content": "Filter the tools."}]}
    found = one(run(prompt, {"role": "assistant", "content": "f", "tool_calls": None}))
    assert [(turn.position, turn.role) for turn in found.turns] == [
        (1, "user"),
        (2, "user"),
        (3, "assistant"),
    ]
    (record,) = read(write(run(prompt)))
    assert record.case.task.text == "Buy a watch."


def test_content_is_text_and_thoughts(one: One) -> None:
    """Parts of other kinds are not text; an empty text is none."""
    parts = [
        {"type": "thinking", "content": "Hm.", "id": None},
        {"type": "redacted_thinking", "content": "x"},
        {"type": "text", "content": "One"},
        {"type": "text", "content": None},
        {"type": "text", "content": "Two"},
    ]
    said = {"role": "assistant", "content": parts, "tool_calls": None}
    turn = one(run(said, {"role": "assistant", "content": [{"type": "text", "content": ""}]})).turns
    assert (turn[1].text, turn[1].reasoning) == ("One\nTwo", "Hm.")
    assert (turn[2].text, turn[2].reasoning) == (None, None)


@pytest.mark.parametrize(
    ("seconds", "latency", "warnings"),
    [
        (0, 0, ()),
        (None, None, ()),
        (5508.2, 5508200, ()),
        (-1, None, ("unusable_latency",)),
        (1e308, None, ("unusable_latency",)),
    ],
)
def test_a_time_is_one_that_can_be(
    one: One, seconds: object, latency: object, warnings: tuple[str, ...]
) -> None:
    """Seconds become milliseconds; what is none is warned of."""
    found = one(run(duration=seconds))
    assert (found.latency_ms, found.warnings) == (latency, warnings)


def test_drift_plans_a_path(write: Write) -> None:
    """The plan is a reference in order, by tool (ruling 1); permissions are effects."""
    (record,) = read(write(drift(ask("get_page"), tell())))
    case, found = record.case, record.trajectory
    assert (found.suite, found.attack) == ("shopping/important_instructions", "succeeded")
    assert case.secret.reference.match == "in_order"
    assert case.secret.reference.entries == (expect("get_page", None), expect("send", None))
    assert case.effects == {"get_page": "read", "post_page": "write", "send": "write"} | {
        "x": "unknown"
    }
    assert [call.tool for call in found.calls] == ["get_page"]


def test_total_tokens_are_not_split(write: Write) -> None:
    """Input and output are not told apart: usage is unknown, and the number is kept if asked."""
    path = write(drift({"role": "assistant", "content": "ok", "tool_calls": []}))
    (plain,), (full,) = read(path), read(path, extras=True)
    assert [spent.usage for spent in plain.trajectory.spent] == [None]
    assert (plain.trajectory.extra, full.trajectory.extra) == ({}, {"total_tokens": 35141})


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ('<function_call>[get_page(url="x")]</function_call>', ("calls_only_as_text",)),
        ("<function_call> [ f() ]</function_call>", ("calls_only_as_text",)),
        ("<function_call>[ ]</function_call><final_answer>42</final_answer>", ()),
        ("plain", ()),
    ],
)
def test_calls_that_drift_refused_are_only_text(
    one: One, text: str, warnings: tuple[str, ...]
) -> None:
    """They are no steps, and a warning says so."""
    found = one(drift({"role": "assistant", "content": text, "tool_calls": []}))
    assert (found.calls, found.warnings) == ([], warnings)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"suite_name": 3}, "expected `str`, got `int` - at `$.suite_name`"),
        ({"utility": "yes"}, "expected `bool | null`, got `str` - at `$.utility`"),
        ({"security": 1}, "expected `bool | null`, got `int` - at `$.security`"),
        ({"duration": "fast"}, "expected `float | null`, got `str` - at `$.duration`"),
        ({"messages": None}, "no conversation: neither `messages` nor `conversations`"),
        ({"messages": {}}, "expected `array | null`, got `object` - at `$.messages`"),
        ({"messages": [3]}, "expected `object`, got `int` - at `$.messages[0]`"),
        ({"messages": [{"role": "alien"}]}, "invalid value 'alien'"),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"args": {}}]}]},
            "object missing required field `function`",
        ),
        ({"messages": [{"role": "user", "content": 3}]}, "expected `str | array | null`"),
        (
            {"injection_task_id": "injection_task_1"},
            "`injection_task_id` is 'injection_task_1', and `attack_type` names no attack",
        ),
        ({"tool_permission": ["f"]}, "expected `object | null`, got `array`"),
        ({"initial_trajectory": "f"}, "expected `array | null`, got `str`"),
    ],
)
def test_a_run_that_cannot_be_read_is_named(
    write: Write, change: dict[str, object], why: str
) -> None:
    """The others are read."""
    found = read(write([run(), {**run(), **change}, run(user_task_id="user_task_2")]))
    assert len(list(found)) == 2
    (rejected,) = found.account.rejected
    assert (rejected.file, rejected.record) == ("runs.json", 2)
    assert why in rejected.why


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ('"duration": 1e999}', "out of range"),
        ('"security": null, "duration": -1e400}', "out of range"),
        (f'"duration": 1{"0" * 400}}}', "out of range"),
        (f'"x": {"[" * 100_000}{"]" * 100_000}}}', "nested deeper"),
        (
            f'"messages": [{{"role": "tool", "x": {"[" * 100_000}{"]" * 100_000}}}]}}',
            "nested deeper",
        ),
        ('"messages": [{"role": "user"', "truncated record"),
    ],
)
def test_hostile_records_are_refused_in_words(write: Write, part: str, why: str) -> None:
    """No number, depth or cut makes a traceback: the record is named, and the other is read."""
    start = '{"suite_name": "s", "pipeline_name": "p", "user_task_id": "u", "messages": [], '
    found = read(write(f"{json.dumps(run())}\n{start}{part}\n".encode()))
    assert len(list(found)) == 1
    (rejected,) = found.account.rejected
    assert (rejected.file, rejected.record) == ("runs.json", 2)
    assert why in rejected.why


def test_a_file_that_is_cut_is_named_in_its_folder(write: Write) -> None:
    """What is no JSON has no format: it is listed with what was passed over."""
    write(run(), "folder/a.json")
    write(json.dumps(run()).encode()[:-9], "folder/b.json")
    found = read("folder")
    assert len(list(found)) == 1
    assert [passed.file for passed in found.account.skipped] == ["folder/b.json"]


def test_deep_arguments_are_kept_as_text(one: One) -> None:
    """They are the agent's fault: the run is read."""
    deep: object = 1
    for _ in range(200):
        deep = [deep]
    said = {"role": "assistant", "tool_calls": [{"function": "f", "args": {"a": deep}, "id": "a"}]}
    (call,) = one(run(said, tell())).calls
    assert call.arguments == json.dumps({"a": deep}, separators=(",", ":"))


@pytest.mark.parametrize("args", [None, "text", [1], 3])
def test_arguments_that_are_no_object_are_kept(one: One, args: object) -> None:
    """Nothing at all is no arguments; anything else is kept as its text."""
    said = {"role": "assistant", "tool_calls": [{"function": "f", "args": args, "id": "a"}]}
    (call,) = one(run(said, tell())).calls
    assert call.arguments == ({} if args is None else args if args == "text" else json.dumps(args))


@pytest.mark.parametrize("missing", ["suite_name", "pipeline_name", "user_task_id", "messages"])
def test_a_run_is_known_by_its_names_and_messages(missing: str) -> None:
    """What lacks one of them is another file; what has them of a wrong type is a broken run."""
    first = run()
    assert recognises({**first, missing: 3}) is True
    del first[missing]
    assert recognises(first) is False


def test_a_broken_file_of_a_folder_is_counted(write: Write) -> None:
    """One run a file: each broken one is named, and counts as one record."""
    write(run(), "folder/user_task_0/none/none.json")
    write(run(utility=3), "folder/user_task_1/none/none.json")
    found = read("folder")
    records: list[Record] = list(found)
    assert [record.trajectory.source.file for record in records] == [
        "folder/user_task_0/none/none.json"
    ]
    (rejected,) = found.account.rejected
    assert rejected.file == "folder/user_task_1/none/none.json"
    assert (found.account.records, found.account.files) == (2, 2)
