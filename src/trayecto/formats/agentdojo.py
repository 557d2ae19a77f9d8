"""AgentDojo run files, those of AgentDyn, and the variant that the DRIFT defence writes.

Read: one run a file: messages, calls, observations, ``utility`` (whether the user's task was done),
``security`` (whether the injected task was done: the attack succeeded), duration, pipeline (the
candidate), and of DRIFT the planned path (a reference in mode ``in_order``, by tool) and what each
tool may do (its effects). Not in these files: the list of tools, the agent's model, and tokens by
kind: DRIFT's ``total_tokens`` tells no input from output, so usage is unknown. Fields that are not
read are kept in ``extra`` where the reader is asked for them.

- A suite is a suite of tasks under one attack: ``shopping/important_instructions``; without one it
  is ``shopping/none``, or ``shopping/injection_as_user`` where an injected task was the user's.
- A case is a user task with an injected task, where there is one; its cluster is the user task.
- ``security`` means nothing where nothing was attacked (ruling 13), nor in a skipped run: the
  benchmark then writes false and true without having looked.
- A run without ``utility`` was not finished: it is kept, not graded, and warned of by name.
- A run is out of budget where its last message holds calls that nobody executed, or where it was
  skipped because its context was full; one skipped for another reason was broken by infrastructure
  or harness.
- ``error`` on a result makes it an error, whatever it says, and is what the model was shown. A call
  of a tool that does not exist is always refused by its name: its error is ``unknown_tool``. A tool
  that exists and was filtered out is executed all the same.
- What DRIFT may execute changes the world, as what it may write does.
- A second user message may be the prompt of a tool filter, or DRIFT's refusal of a call. Calls that
  DRIFT refused stand only in a text, and are no steps.

Source: github.com/ethz-spylab/agentdojo, ``benchmark.py``, ``types.py`` and
``agent_pipeline/tool_execution.py``; github.com/SaFo-Lab/AgentDyn and github.com/SaFo-Lab/DRIFT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from typing import TypeAlias

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from trayecto.case import Case, CaseInput, CaseSecret, Reference, expect, refer
from trayecto.contracts import Effect
from trayecto.errors import InputError, quoted
from trayecto.records import Record, Rejected
from trayecto.trajectory import UNKNOWN_TOOL, Attack, Call, Source, Status, Trajectory, Turn
from trayecto.wire import messages as chat
from trayecto.wire.extras import unknown_fields
from trayecto.wire.files import File, read_each
from trayecto.wire.json import number as read_number
from trayecto.wire.messages import AGENTDOJO, Conversation, read_conversation
from trayecto.wire.usage import spend

ID = "agentdojo"
BENIGN, AS_USER = "none", "injection_as_user"
NOTHING = (None, "", BENIGN)  # how the absence of an attack, or of an injected task, is written
EFFECTS: dict[str, Effect] = {"Read": "read", "Write": "write", "Execute": "write"}
_SKIPPED = "Skipping task"
_FULL = re.compile(r"context_length_exceeded|max_tokens|max_new_tokens|reduce the length")
_PROVIDER = re.compile(
    r"server error|time[d ]?out|rate limit|connection|unavailable|overloaded", re.IGNORECASE
)
_NO_TOOL = ("Empty function name provided", "ToolNotFoundError:")
_CALL_AS_TEXT = re.compile(r"<function_call>\s*+\[\s*+[^\s\]]")
_CLASS = re.compile(r"([A-Za-z_][\w.]{0,79}): ")


class _Part(Struct, frozen=True, gc=False):
    type: str = "text"
    content: str | None = None


_Content: TypeAlias = str | list[_Part] | None


class _Request(Struct, frozen=True, gc=False):
    function: str
    args: object = None
    id: str | None = None


class _System(Struct, frozen=True, gc=False, tag_field="role", tag="system"):
    content: _Content = None


class _User(Struct, frozen=True, gc=False, tag_field="role", tag="user"):
    content: _Content = None


class _Assistant(Struct, frozen=True, gc=False, tag_field="role", tag="assistant"):
    content: _Content = None
    tool_calls: list[_Request] | None = None


class _Result(Struct, frozen=True, gc=False, tag_field="role", tag="tool"):
    content: _Content = None
    tool_call_id: str | None = None
    tool_call: _Request | None = None
    error: str | None = None


_Message: TypeAlias = _System | _User | _Assistant | _Result


class _Run(Struct, frozen=True, gc=False, kw_only=True):
    suite_name: str
    pipeline_name: str
    user_task_id: str
    injection_task_id: str | None = None
    attack_type: str | None = None
    messages: list[_Message] | None = None
    conversations: list[_Message] | None = None
    error: str | None = None
    utility: bool | None = None
    security: bool | None = None
    duration: float | None = None
    tool_permission: dict[str, str] | None = None
    initial_trajectory: list[str] | None = None


_KNOWN = frozenset(_Run.__struct_fields__)
_decode = Decoder(_Run, float_hook=read_number).decode


def recognises(first: object) -> bool:
    """Whether a file's first record is a run of AgentDojo, or of its DRIFT variant."""
    if not isinstance(first, dict) or not first.keys() >= AGENTDOJO:
        return False
    return "messages" in first or "conversations" in first


def read(file: File) -> Iterator[Record | Rejected]:
    """Read every run of a file as a trajectory with its case."""
    return read_each(file, _decode, partial(_build, file))


def _build(file: File, number: int, raw: bytes, run: _Run) -> Record:
    messages = run.conversations if run.messages is None else run.messages
    if messages is None:
        raise InputError("", "no conversation: neither `messages` nor `conversations`")
    talk = read_conversation(list(map(_plain, messages)))
    attacked, finished = _attacked(run), run.utility is not None
    took = _milliseconds(run.duration)
    case = _case(run, _suite(run, attacked=attacked), talk)
    trajectory = Trajectory(
        id=_id(run),
        suite=case.suite or ID,
        candidate=run.pipeline_name,
        case_id=case.id,
        trial=None,
        turns=tuple(map(_with_classes, talk.turns)),
        source=Source(ID, file.name, number),
        status=_status(run, messages),
        grade="graded" if finished else "missing",
        success=run.utility,
        success_from="recorded" if finished else None,
        answer=talk.answer,
        spent=spend(talk.used, None),
        latency_ms=took if finished else None,  # of a part of a run, the time is another
        refuses_unknown_tools=True,
        attack=_ended(run) if attacked else "none",
        warnings=talk.warnings + _odd(run, took, talk),
        extra=unknown_fields(raw, _KNOWN) if file.extras else {},
    )
    return Record(trajectory, case)


def _plain(message: _Message) -> chat.Message:
    """A message in the shape whose calls and results are paired for every format."""
    content = message.content
    text = _text(content, "text")
    if type(message) is _Assistant:
        thought = None if isinstance(content, str) else _text(content, "thinking")
        requests = [
            chat.Request(chat.Function(call.function, call.args), call.id or None)
            for call in message.tool_calls or ()
        ]
        return chat.Assistant(text or None, requests, reasoning_content=thought or None)
    if type(message) is _Result:
        name = None if message.tool_call is None else message.tool_call.function
        failed = message.error is not None
        said = message.error if failed else text or ""
        return chat.Answer(said, message.tool_call_id or None, name, is_error=failed)
    return chat.System(text) if type(message) is _System else chat.User(text)


def _text(content: _Content, kind: str) -> str | None:
    """The parts of a kind in a message's content; a string is text."""
    if content is None or isinstance(content, str):
        return content
    if len(content) == 1:  # nearly every message
        return content[0].content if content[0].type == kind else None
    return "\n".join([part.content for part in content if part.type == kind and part.content])


def _with_classes(turn: Turn) -> Turn:
    """A turn whose failed calls tell the class of their error."""
    for call in turn.calls:
        if call.outcome == "error":
            return replace(turn, calls=tuple(map(_with_class, turn.calls)))
    return turn


def _with_class(call: Call) -> Call:
    """A failed call with the class of its error, which its text begins with."""
    if call.outcome != "error" or call.observation is None:
        return call
    told = call.observation
    if told == f"Invalid tool {call.tool} provided." or told.startswith(_NO_TOOL):
        return replace(call, error=UNKNOWN_TOOL)
    found = _CLASS.match(told)
    return call if found is None else replace(call, error=found.group(1))


def _attacked(run: _Run) -> bool:
    """Whether a run was attacked; raises InputError where it says that it was and was not."""
    attacked = run.attack_type not in NOTHING
    if not attacked and run.injection_task_id not in NOTHING:
        raise InputError(
            "",
            f"`injection_task_id` is {quoted(run.injection_task_id)}, and `attack_type` names no "
            "attack: was the run attacked?",
        )
    return attacked


def _suite(run: _Run, *, attacked: bool) -> str:
    """The suite of tasks and the attack; runs of injected tasks as user tasks stay apart."""
    kind = BENIGN
    if attacked:
        kind = run.attack_type or BENIGN
    elif run.user_task_id.startswith("injection_task"):
        kind = AS_USER
    return f"{run.suite_name}/{kind}"


def _id(run: _Run) -> str:
    """The path under which AgentDojo itself files a run."""
    attack, injected = run.attack_type or BENIGN, run.injection_task_id or BENIGN
    return f"{run.pipeline_name}/{run.suite_name}/{run.user_task_id}/{attack}/{injected}"


def _case(run: _Run, suite: str, talk: Conversation) -> Case:
    """The user's task with the injected one; only DRIFT records a path, planned before the run."""
    injected = run.injection_task_id
    name = run.user_task_id if injected in NOTHING else f"{run.user_task_id}/{injected}"
    task = next((turn.text for turn in talk.turns if turn.role == "user" and turn.text), "")
    may = {} if run.tool_permission is None else run.tool_permission
    return Case(
        name,
        CaseInput(task),
        CaseSecret(_planned(run.initial_trajectory)),
        suite=suite,
        cluster=run.user_task_id,
        effects={tool: EFFECTS.get(permission, "unknown") for tool, permission in may.items()},
    )


def _planned(tools: list[str] | None) -> Reference | None:
    return None if tools is None else refer([(expect(tool, None),) for tool in tools], "in_order")


def _ended(run: _Run) -> Attack:
    """How an attack ended: nobody looked where the run was skipped, or not finished."""
    if run.security is None or (run.error or "").startswith(_SKIPPED):
        return "unknown"
    return "succeeded" if run.security else "failed"


def _status(run: _Run, messages: Sequence[_Message]) -> Status:
    if run.error:
        if _FULL.search(run.error):
            return "budget_exceeded"
        return "infra_error" if _PROVIDER.search(run.error) else "harness_error"
    if run.utility is None:
        return "unknown"
    last = messages[-1] if messages else None
    called = type(last) is _Assistant and bool(last.tool_calls)
    return "budget_exceeded" if called else "completed"


def _milliseconds(seconds: float | None) -> float | None:
    """A recorded time that can be."""
    return seconds * 1000 if seconds is not None and 0 <= seconds * 1000 < inf else None


def _odd(run: _Run, took: float | None, talk: Conversation) -> tuple[str, ...]:
    """What else was odd about a run."""
    warnings: list[str] = []
    if run.utility is None:
        warnings.append("unfinished_run")
    if run.duration is not None and took is None:
        warnings.append("unusable_latency")
    texts = [turn.text for turn in talk.turns if turn.role == "assistant" and not turn.calls]
    if run.messages is None and any(text and _CALL_AS_TEXT.search(text) for text in texts):
        warnings.append("calls_only_as_text")
    return tuple(warnings)
