"""Our own trajectories, one a line: versioned and lossless.

Read: everything that a trajectory can hold (see ``trayecto.trajectory``). A line is
``{"format": "trayecto.trajectory/1", "trajectory": {…}}``; a newer version is refused, never
guessed. Calls must be numbered from 1 in order, positions of turns must rise, numbers about tokens
and people must be possible, and values may not be nested deeper than 128 levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from trayecto.errors import InputError
from trayecto.records import Record, Rejected
from trayecto.trajectory import Source, Trajectory
from trayecto.wire import trayecto_jsonl as wire
from trayecto.wire.files import File, read_each
from trayecto.wire.json import DEPTH, too_deep
from trayecto.wire.people import MOST as MOST_OF_PEOPLE
from trayecto.wire.people import impossible
from trayecto.wire.usage import MOST

ID = "trayecto_jsonl"


def recognises(first: object) -> bool:
    """Whether a file's first record says that it is one of ours."""
    name = first.get("format") if isinstance(first, dict) else None
    return isinstance(name, str) and name.startswith(wire.NAME)


def read(file: File) -> Iterator[Record | Rejected]:
    """Read every line as the trajectory that was written."""
    return read_each(file, wire.decode, partial(_build, file))


def _build(file: File, number: int, _: bytes, trajectory: Trajectory) -> Record:
    _check(trajectory)
    if not trajectory.source.file:
        trajectory = replace(trajectory, source=Source(ID, file.name, number))
    return Record(trajectory)


def _check(trajectory: Trajectory) -> None:
    """Refuse numbering that would make steps point at the wrong call or turn."""
    indexes = [call.index for call in trajectory.calls]
    if indexes != list(range(1, len(indexes) + 1)):
        raise InputError(
            "", f"calls must be numbered 1 to {len(indexes)} in order, not {indexes[:9]}"
        )
    positions = [turn.position for turn in trajectory.turns]
    if positions != sorted(set(positions)):
        raise InputError("", "positions of turns must rise")
    usages = [part.usage for part in trajectory.spent] + [turn.usage for turn in trajectory.turns]
    counts = [n for u in usages if u for n in (u.input, u.cache_read, u.cache_write, u.output)]
    if not all(count is None or 0 <= count <= MOST for count in counts):
        raise InputError("", f"a count of tokens that cannot be: not from 0 to {MOST:,}")
    _check_people(trajectory)
    states = (trajectory.initial_state, trajectory.final_state)
    values = [call.arguments for call in trajectory.calls]
    if any(map(too_deep, [*values, *states, trajectory.extra])):
        raise InputError("", f"nested deeper than {DEPTH} levels")


def _check_people(trajectory: Trajectory) -> None:
    """Refuse what no people can have done."""
    told = {
        "human_minutes": trajectory.human_minutes,
        "interventions": trajectory.interventions,
        "abandoned_at": trajectory.abandoned_at,
    }
    for field, value in told.items():
        if impossible(field, value):
            shown = "true" if value is True else value
            raise InputError(
                "", f"{field} cannot be {shown}: not from 0 to {MOST_OF_PEOPLE[field]:,}"
            )
