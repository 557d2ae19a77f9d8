"""A trajectory: frozen, and what it derives from its turns."""

from hashlib import sha256
from typing import get_args

import pytest
from msgspec import json

from trayecto.trajectory import INVALID, Call, Status, Trajectory, Turn

NAMES = {"id": "r", "suite": "s", "candidate": "c", "case_id": "k"}


@pytest.fixture
def talk() -> Trajectory:
    """Return a run: a request, two parallel calls, a turn without calls, one call."""
    turns = (
        Turn(1, "user", "?"),
        Turn(
            2, "assistant", None, (Call(1, "a", {}, "x", "ok"), Call(2, "b", "{", None, "unknown"))
        ),
        Turn(5, "assistant", "hm"),
        Turn(6, "assistant", None, (Call(3, "a", {"n": 1}, "Error", "error"),)),
    )
    return Trajectory(**NAMES, trial=2, turns=turns)


def test_the_calls_in_their_order(talk: Trajectory) -> None:
    """Over all turns, parallel ones as they stand."""
    assert [call.index for call in talk.calls] == [1, 2, 3]
    assert Trajectory(**NAMES, trial=None, turns=()).calls == []


def test_a_slot_is_what_an_attempt_is_one_of(talk: Trajectory) -> None:
    """Ruling 15: suite, candidate, case and trial."""
    assert talk.slot == ("s", "c", "k", 2)


def test_what_a_trace_does_not_say_is_unknown(talk: Trajectory) -> None:
    """Never 0, False or now."""
    assert talk.success is talk.success_from is talk.latency_ms is talk.tools is talk.answer is None
    assert (talk.status, talk.grade, talk.spent) == ("unknown", "graded", ())


def test_nothing_can_be_changed(talk: Trajectory) -> None:
    """A metric cannot write on what it reads."""
    with pytest.raises(AttributeError):
        talk.success = True
    with pytest.raises(AttributeError):
        talk.calls[0].tool = "b"


def test_runs_do_not_share_their_mutable_parts(talk: Trajectory) -> None:
    """A default is made anew for each."""
    other = Trajectory(**NAMES, trial=None, turns=())
    talk.checks["state"] = True
    talk.extra["x"] = 1
    assert (other.checks, other.extra) == ({}, {})


def test_the_digest_of_an_observation(talk: Trajectory) -> None:
    """Of the whole text, in UTF-8; of nothing there is none."""
    assert talk.calls[0].observation_sha256 == sha256(b"x").hexdigest()
    assert talk.calls[1].observation_sha256 is None


def test_a_trajectory_survives_json(talk: Trajectory) -> None:
    """Every part is written, and read as it was."""
    assert json.decode(json.encode(talk), type=Trajectory) == talk


def test_the_statuses_without_a_fair_chance() -> None:
    """Ruling 11, capability: infra_, harness_, sim_invalid, cancelled, not_run are excluded."""
    assert set(get_args(Status)) > INVALID
    assert {"infra_error", "harness_error", "sim_invalid", "cancelled", "not_run"} == INVALID
