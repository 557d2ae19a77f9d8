"""Tests of our own format: what is read is what was written, or it is refused with a reason."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from trayecto.formats import read
from trayecto.formats.trayecto_jsonl import recognises
from trayecto.trajectory import Call, Source, Spent, Trajectory, Turn, Usage
from trayecto.wire.trayecto_jsonl import encode

Write = Callable[..., Path]

CALL = Call(1, "calc", {"n": 1}, "2", "ok")
FULL = Trajectory(
    id="i",
    suite="s",
    candidate="c",
    case_id="k",
    trial=0,
    turns=(Turn(1, "user", "hola"), Turn(2, "assistant", None, (CALL,))),
    source=Source("tau_bench", "far/away.json", 7),
    warnings=("lone_surrogate",),
)


def rejected(write: Write, trajectory: Trajectory) -> list[str]:
    """Return why a trajectory is rejected."""
    reading = read(write(encode(trajectory)))
    assert list(reading) == []
    return [item.why for item in reading.account.rejected]


def test_what_was_written_is_read(write: Write) -> None:
    """Several lines, in order; each says where it came from first."""
    other = replace(FULL, trial=1, source=Source("", "", 0))
    lines = b"\n".join([encode(FULL), encode(other)])
    assert [record.trajectory for record in read(write(lines))] == [
        FULL,
        replace(other, source=Source("trayecto_jsonl", "runs.json", 2)),
    ]


@pytest.mark.parametrize("version", ["2", "", "1.0"])
def test_another_version_is_refused(write: Write, version: str) -> None:
    """It is recognised as ours, and never guessed."""
    line = json.loads(encode(FULL)) | {"format": f"trayecto.trajectory/{version}"}
    reading = read(write(line))
    assert (recognises(line), list(reading)) == (True, [])
    (bad,) = reading.account.rejected
    assert bad.why == (
        f"format 'trayecto.trajectory/{version}' is not 'trayecto.trajectory/1': "
        "written by another version"
    )


@pytest.mark.parametrize("indexes", [(2,), (0,), (1, 1), (2, 1), (1, 3)])
def test_steps_must_be_numbered(write: Write, indexes: tuple[int, ...]) -> None:
    """A score that names step 2 must mean the second call."""
    calls = tuple(replace(CALL, index=index) for index in indexes)
    numbered = replace(FULL, turns=(Turn(1, "assistant", None, calls),))
    assert rejected(write, numbered) == [
        f"calls must be numbered 1 to {len(indexes)} in order, not {list(indexes)}"
    ]


@pytest.mark.parametrize("positions", [(2, 1), (1, 1)])
def test_positions_of_turns_must_rise(write: Write, positions: tuple[int, ...]) -> None:
    """They are places in a source."""
    turns = tuple(Turn(position, "user", "x") for position in positions)
    assert rejected(write, replace(FULL, turns=turns)) == ["positions of turns must rise"]


@pytest.mark.parametrize("field", ["arguments", "initial_state", "final_state", "extra"])
def test_values_may_not_be_nested_deeper_than_128(write: Write, field: str) -> None:
    """At the limit a line is read; one level deeper it is not (B14)."""

    def nested(levels: int) -> Trajectory:
        value = {"a": json.loads("[" * (levels - 1) + "]" * (levels - 1))}
        if field != "arguments":
            return replace(FULL, **{field: value})
        return replace(FULL, turns=(Turn(1, "assistant", None, (replace(CALL, arguments=value),)),))

    assert len(list(read(write(encode(nested(128)))))) == 1
    assert rejected(write, nested(129)) == ["nested deeper than 128 levels"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"ok"', b'"fine"', "invalid enum value 'fine' - at"),
        (b'"id":"i",', b"", "object missing required field `id`"),
        (b'"index":1', b'"index":"1"', "expected `int`, got `str`"),
        (b'"turns":[', b'"turns":null,"x":[', "expected `array`, got `null`"),
    ],
)
def test_a_field_that_is_wrong_is_named(write: Write, old: bytes, new: bytes, why: str) -> None:
    """The reason says what was found, and where."""
    reading = read(write(encode(FULL).replace(old, new)))
    assert list(reading) == []
    (bad,) = reading.account.rejected
    assert bad.why.startswith(why)


@pytest.mark.parametrize("count", [-1, 10**400])
def test_counts_of_tokens_that_cannot_be_are_refused(write: Write, count: int) -> None:
    """They would break every sum that they enter."""
    odd = Usage(count, None, None, 1)
    why = "a count of tokens that cannot be: not from 0 to 1,000,000,000,000,000"
    assert rejected(write, replace(FULL, spent=(Spent("m", odd),))) == [why]
    assert rejected(write, replace(FULL, turns=(Turn(1, "assistant", "x", usage=odd),))) == [why]


@pytest.mark.parametrize("at", [12.5, 0, False])
def test_what_people_did_is_kept(write: Write, at: float) -> None:
    """That nobody gave up is not the same as nobody saying so."""
    told = replace(FULL, human_minutes=0.5, interventions=0, abandoned_at=at)
    [record] = read(write(encode(told)))
    assert record.trajectory == told
    assert isinstance(record.trajectory.abandoned_at, bool) is (at is False)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("human_minutes", -0.5, "human_minutes cannot be -0.5: not from 0 to 1,000,000"),
        ("human_minutes", 1e300, "human_minutes cannot be 1e+300: not from 0 to 1,000,000"),
        ("interventions", -1, "interventions cannot be -1: not from 0 to 1,000,000"),
        ("abandoned_at", True, "abandoned_at cannot be true: not from 0 to 1,000,000,000"),
        ("abandoned_at", -1.0, "abandoned_at cannot be -1.0: not from 0 to 1,000,000,000"),
    ],
)
def test_numbers_about_people_that_cannot_be_are_refused(
    write: Write, field: str, value: object, why: str
) -> None:
    """They would break every sum that they enter."""
    assert rejected(write, replace(FULL, **{field: value})) == [why]
