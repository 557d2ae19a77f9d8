"""tau-bench run files: a list of runs with task, reward and messages.

Read: messages, calls, observations, reward (1.0 is success), which part of the check passed, the
task with its expected calls (a reference in mode ``superset``, by tool and arguments) and outputs.
Not in these files: tokens, times, the list of tools, the agent's model.

- A result that begins "Error" is an error; the assertions agent writes it as ``# name = "Error…``.
- A crashed run has an error in place of a reward: ``infra_error`` where it names the provider or
  the network, else ``harness_error``. A null reward record is a run that hit the turn limit.
- The file does not name its domain: a tool that only one domain has tells it.

Source: github.com/sierra-research/tau-bench, ``tau_bench/types.py`` and ``run.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder

from trayecto.case import AnswerCheck, Case, CaseInput, CaseSecret, expect, refer
from trayecto.records import Record, Rejected
from trayecto.trajectory import Json, Source, Status, Trajectory
from trayecto.wire.arguments import read_python_arguments
from trayecto.wire.files import File, read_each
from trayecto.wire.json import number
from trayecto.wire.messages import (
    Assistant,
    Conversation,
    Dialect,
    Message,
    read_conversation,
    says_error,
)
from trayecto.wire.usage import spend

ID = "tau_bench"
ONLY_IN = {
    "airline": "book_reservation cancel_reservation get_reservation_details list_all_airports "
    "search_direct_flight search_onestop_flight send_certificate update_reservation_baggages "
    "update_reservation_flights update_reservation_passengers",
    "retail": "cancel_pending_order exchange_delivered_order_items find_user_id_by_email "
    "find_user_id_by_name_zip get_order_details get_product_details list_all_product_types "
    "modify_pending_order_address modify_pending_order_items modify_pending_order_payment "
    "modify_user_address return_delivered_order_items",
}
_DOMAIN = {tool: domain for domain, tools in ONLY_IN.items() for tool in tools.split()}
_HIDDEN_ERROR = re.compile(r"# ?\w+ = [\"']Error\b")
_PROVIDER = re.compile(
    r"connection|rate limit|token limit|time[d ]?out|timeout|unavailable|overloaded|status",
    re.IGNORECASE,
)


class _Action(Struct, frozen=True, gc=False):
    name: str
    kwargs: dict[str, object] = {}


class _Task(Struct, frozen=True, gc=False):
    actions: list[_Action] = []
    outputs: list[str] = []
    instruction: str = ""


class _Parts(Struct, frozen=True, gc=False):
    r_actions: float | None = None
    r_outputs: float | None = None


class _Reward(Struct, frozen=True, gc=False):
    info: _Parts = _Parts()


class _Info(Struct, frozen=True, gc=False):
    task: _Task | None = None
    reward_info: _Reward | UnsetType | None = UNSET
    error: str | None = None


class _Run(Struct, frozen=True, gc=False):
    task_id: int | str
    reward: float | None
    traj: list[Message]
    info: _Info = _Info()
    trial: int | None = None


_decode = Decoder(_Run, float_hook=number).decode


def recognises(first: object) -> bool:
    """Whether a file's first record is a tau-bench run."""
    return isinstance(first, dict) and {"task_id", "traj", "reward"} <= first.keys()


def read(file: File) -> Iterator[Record | Rejected]:
    """Read every run of a file as a trajectory with its case."""
    return read_each(file, _decode, partial(_build, file, _domain(file)))


def _domain(file: File) -> str:
    """The domain of a file: that of the first tool which only one domain has."""
    names = re.compile(rb'"name":\s*"(\w+)"')
    for _, raw in file.records():
        for name in names.findall(raw):
            if name.decode() in _DOMAIN:
                return _DOMAIN[name.decode()]
    return ID


def _failed(text: str) -> bool:
    return says_error(text) or _HIDDEN_ERROR.match(text) is not None


_DIALECT = Dialect(read_python_arguments, ("Error", "ERROR", "#"), _failed)


def _build(file: File, domain: str, number: int, _: bytes, run: _Run) -> Record:
    talk: Conversation = read_conversation(run.traj, _DIALECT)
    case = None if run.info.task is None else _case(str(run.task_id), domain, run.info.task)
    trajectory = Trajectory(
        id=f"{file.stem}#{number}",
        suite=domain,
        candidate=file.stem,
        case_id=str(run.task_id),
        trial=run.trial,
        turns=talk.turns,
        source=Source(ID, file.name, number),
        status=_status(run.info),
        success=None if run.reward is None else run.reward == 1,
        success_from=None if run.reward is None else "recorded",
        checks=_checks(run),
        answer=talk.answer,
        spent=spend(talk.used, None),
        warnings=talk.warnings + _textual_calls(run.traj),
    )
    return Record(trajectory, case)


def _case(task_id: str, domain: str, task: _Task) -> Case:
    entries = [(expect(action.name, _arguments(action)),) for action in task.actions]
    answer = AnswerCheck(contains=tuple(task.outputs)) if task.outputs else None
    secret = CaseSecret(refer(entries, "superset"), len(entries), answer)
    return Case(task_id, CaseInput(task.instruction), secret, suite=domain)


def _arguments(action: _Action) -> dict[str, Json]:
    return action.kwargs  # type: ignore[return-value]  # decoded JSON, declared as object


def _status(info: _Info) -> Status:
    if info.error is not None:
        return "infra_error" if _PROVIDER.search(info.error) else "harness_error"
    return "budget_exceeded" if info.reward_info is None else "completed"


def _checks(run: _Run) -> dict[str, bool]:
    """Which parts of the reward are known: the state of the database, what the agent had to say.

    tau-bench looks at the outputs only after the state, and then records only them: outputs right
    and no reward mean that the state was wrong; outputs wrong say nothing of the state.
    """
    if not isinstance(run.info.reward_info, _Reward):
        return {}
    parts = run.info.reward_info.info
    if parts.r_actions is not None:
        return {"state": parts.r_actions == 1}
    if parts.r_outputs is None:
        return {}
    if parts.r_outputs != 1:
        return {"answer": False}
    return {"state": run.reward == 1, "answer": True}


def _textual_calls(messages: list[Message]) -> tuple[str, ...]:
    """Warn where calls exist only as text, which are no steps: the Qwen runs of some forks."""
    texts = (m.content for m in messages if isinstance(m, Assistant) and not m.tool_calls)
    if any(isinstance(text, str) and text.lstrip().startswith("<tool_call>") for text in texts):
        return ("calls_only_as_text",)
    return ()
