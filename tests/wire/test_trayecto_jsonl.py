"""Tests of our own line: lossless, versioned, described by a schema."""

import json

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.errors import InputError
from trayecto.trajectory import (
    Call,
    Child,
    Source,
    Spent,
    Tool,
    Trajectory,
    Turn,
    Usage,
)
from trayecto.wire.trayecto_jsonl import VERSION, decode, encode, schema

numbers = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(max_size=5)
maybe = st.none() | texts
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(texts, json_values, max_size=2)
counts = st.integers(0, 10**9)
times = st.none() | st.floats(0, 1e9)
known = st.none() | counts
usages = st.none() | st.builds(Usage, counts, known, known, counts, known)
outcomes = st.sampled_from(["ok", "error", "unknown"])
roles = st.sampled_from(["system", "user", "assistant", "tool"])
calls = st.builds(
    Call,
    index=counts,
    tool=texts,
    arguments=objects | texts,
    observation=maybe,
    outcome=outcomes,
    id=maybe,
    flags=st.lists(texts, max_size=2).map(tuple),
    error=maybe,
    latency_ms=times,
    agent=maybe,
    fault=maybe,
)
turns = st.builds(
    Turn,
    position=counts,
    role=roles,
    text=maybe,
    calls=st.lists(calls, max_size=2).map(tuple),
    usage=usages,
    model=maybe,
    latency_ms=times,
    reasoning=maybe,
    start_ns=st.none() | st.integers(0, 2**70),
)
plain = st.builds(
    Trajectory,
    id=texts,
    suite=texts,
    candidate=texts,
    case_id=texts,
    trial=st.none() | st.integers(-5, 5),
    turns=st.lists(turns, max_size=2).map(tuple),
    source=st.builds(Source, texts, texts, counts),
    status=st.sampled_from(["completed", "infra_error", "unknown"]),
    grade=st.sampled_from(["graded", "missing", "held"]),
    success=st.none() | st.booleans(),
    success_from=st.none() | st.just("judge"),
    checks=st.dictionaries(texts, st.booleans(), max_size=2),
    answer=maybe,
    spent=st.lists(st.builds(Spent, maybe, usages), max_size=2).map(tuple),
    latency_ms=times,
    human_minutes=times,
    interventions=known,
    abandoned_at=times | st.booleans(),
    refuses_unknown_tools=st.booleans(),
    tools=st.none() | st.lists(st.builds(Tool, texts, maybe, objects), max_size=1).map(tuple),
    initial_state=json_values,
    final_state=json_values,
    attack=st.sampled_from([None, "none", "failed", "succeeded", "unknown"]),
    warnings=st.lists(texts, max_size=2).map(tuple),
    extra=objects,
)
EMPTY = Trajectory(id="i", suite="s", candidate="c", case_id="k", trial=None, turns=())


@given(plain, st.none() | plain)
def test_a_line_is_lossless(trajectory: Trajectory, child: Trajectory | None) -> None:
    """What was written is read back equal, children included; -0.0 and 0.0 become 0 once."""
    if child is not None:
        trajectory = msgspec.structs.replace(trajectory, children=(Child(child, 1),))
    line = encode(trajectory)
    again = decode(line)
    assert (again, b"\n" in line) == (trajectory, False)
    assert decode(encode(again)) == again


def test_a_line_says_what_it_is() -> None:
    """The format's name and version come first, and nothing unknown is written as 0 or false."""
    assert json.loads(encode(EMPTY)) == {
        "format": "trayecto.trajectory/1",
        "trajectory": {
            "id": "i",
            "suite": "s",
            "candidate": "c",
            "case_id": "k",
            "trial": None,
            "turns": [],
        },
    }


@pytest.mark.parametrize("version", ["trayecto.trajectory/2", "trayecto.trajectory/"])
def test_another_version_is_refused(version: str) -> None:
    """A newer line is never guessed at."""
    line = encode(EMPTY).replace(VERSION.encode(), version.encode())
    with pytest.raises(InputError, match=f"format '{version}' is not '{VERSION}'"):
        decode(line)


@given(plain)
def test_a_line_fits_its_schema(trajectory: Trajectory) -> None:
    """Who validates before sending is not refused."""
    validator = jsonschema_rs.validator_for(schema())
    assert validator.is_valid(json.loads(encode(trajectory)))
    assert not validator.is_valid({"format": VERSION})


def test_a_long_name_of_a_format_is_cut() -> None:
    """A message does not repeat a megabyte of a stranger's text."""
    line = encode(EMPTY).replace(VERSION.encode(), b"x" * 1_000_000)
    with pytest.raises(InputError) as raised:
        decode(line)
    assert len(raised.value.problem) < 200
