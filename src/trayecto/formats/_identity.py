"""Which trajectories are the same attempt, and which only bear the same name (ruling 15).

A slot is (suite, candidate, case, trial). Filling one twice in a file is an error. Across files the
same content is one attempt, kept once; other content is another attempt of a candidate that is then
named after its file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import PurePath
from typing import TypeAlias

from msgspec import Struct
from msgspec.json import Encoder
from msgspec.structs import replace

from trayecto.errors import SHOWN, quoted
from trayecto.records import Account, Record
from trayecto.trajectory import Trajectory
from trayecto.wire.files import File

Slot: TypeAlias = tuple[str, str, str, int | None]

MASKED = 1 << 12  # trials below it are kept as bits of one number, others as they are
_encode = Encoder(order="deterministic").encode


class Names(Struct, frozen=True, gc=False):
    """A suite and a candidate that replace those of everything that is read; None leaves them."""

    suite: str | None = None
    candidate: str | None = None

    def give(self, record: Record) -> Record:
        """A record under these names; who compares slots sees no other."""
        at = record.trajectory
        suite = at.suite if self.suite is None else self.suite
        candidate = at.candidate if self.candidate is None else self.candidate
        return Record(replace(at, suite=suite, candidate=candidate), record.case)


class Slots:
    """The slots that one file has filled: a bit for each trial of a case."""

    def __init__(self) -> None:
        """Start with no slot filled."""
        self._trials: dict[tuple[str, str], dict[str, int]] = {}
        self._large: set[Slot] = set()

    def fill(self, trajectory: Trajectory) -> bool:
        """Fill a trajectory's slot; True if it was filled before. Unnumbered trials never clash."""
        trial = trajectory.trial
        if trial is None:
            return False
        if not 0 <= trial < MASKED:
            filled = trajectory.slot in self._large
            self._large.add(trajectory.slot)
            return filled
        group, case = (trajectory.suite, trajectory.candidate), trajectory.case_id
        cases = self._trials.get(group)
        if cases is None:
            cases = self._trials[group] = {}
        trials = cases.get(case, 0)
        cases[case] = trials | 1 << trial
        return bool(trials >> trial & 1)


class Seen(Struct, frozen=True, gc=False):
    """One record of a survey: where it stands, what it says, and how much it tells.

    ``place`` counts the items of a file as they are read; ``record`` is where the record says that
    it stands, which in files of ours may be another file.
    """

    file: int
    place: int
    record: int
    content: bytes
    fullness: int


def content_digest(trajectory: Trajectory) -> bytes:
    """A digest of what was said and done: not of ids, times, usage or unknown fields."""
    said = [
        [
            turn.role,
            turn.text,
            [[c.tool, c.arguments, c.observation, c.outcome] for c in turn.calls],
        ]
        for turn in trajectory.turns
    ]
    return blake2b(_encode(said), digest_size=16).digest()


class Identity:
    """Who is who among the records of several files."""

    def __init__(self, *, keep_duplicates: bool = False) -> None:
        """Start with no record seen."""
        self.keep_duplicates = keep_duplicates
        self._slots: dict[Slot, list[Seen]] = defaultdict(list)
        self._names: dict[bytes, dict[tuple[str, str], int]] = defaultdict(dict)
        self._files: dict[int, str] = {}
        self._dropped: set[tuple[int, int]] = set()
        self._renamed: dict[tuple[int, str, str], str] = {}

    def see(self, file: int, place: int, source: File, trajectory: Trajectory) -> None:
        """Take note of one record: the file and its number, and the place in it."""
        self._files[file] = source.name
        content = content_digest(trajectory)
        record, fullness = trajectory.source.record, len(_encode(trajectory))
        self._slots[trajectory.slot].append(Seen(file, place, record, content, fullness))
        if trajectory.turns:
            names = self._names[content]
            name = (trajectory.suite, trajectory.candidate)
            names[name] = names.get(name, 0) + 1

    def settle(self, account: Account) -> None:
        """Decide what to drop and what to rename, and warn of it."""
        clashing: set[tuple[int, str, str]] = set()
        for (suite, candidate, case, trial), seen in self._slots.items():
            alone = len({one.file for one in seen}) == 1
            if alone or (trial is None and self.keep_duplicates):
                continue
            kept = self._drop_same(seen, account)
            if len({one.file for one in kept}) > 1:
                example = " and ".join(self._place(one) for one in kept[:2])
                account.warn("same_slot", f"{example}: case {quoted(case)}, trial {trial}")
                clashing |= {(one.file, suite, candidate) for one in kept}
        self._rename(clashing)
        twice = [names for names in self._names.values() if len(names) > 1]
        if twice:
            first = sorted(twice[0])
            example = " and ".join(f"{suite} {candidate}"[:SHOWN] for suite, candidate in first[:2])
            account.warn("same_runs_under_two_names", example, len(twice))

    def _drop_same(self, seen: list[Seen], account: Account) -> list[Seen]:
        """Of records with one content in several files, keep the fullest (the first on a tie)."""
        if self.keep_duplicates:
            return seen
        places: dict[bytes, int] = {}
        kept: list[Seen] = []
        for one in seen:
            at = places.setdefault(one.content, len(kept))
            if at == len(kept) or kept[at].file == one.file:
                kept.append(one)
                continue
            other = kept[at]
            fuller, thinner = (one, other) if one.fullness > other.fullness else (other, one)
            kept[at] = fuller
            self._dropped.add((thinner.file, thinner.place))
            account.warn("duplicate", f"{self._place(fuller)} and {self._place(thinner)}")
        return kept

    def _rename(self, clashing: set[tuple[int, str, str]]) -> None:
        """Name candidates after the shortest ending of their path that tells them apart."""
        endings = shortest_endings({self._files[file] for file, _, _ in clashing})
        for file, suite, candidate in clashing:
            ending = endings[self._files[file]]
            self._renamed[file, suite, candidate] = f"{candidate} @ {ending}"

    def _place(self, seen: Seen) -> str:
        return f"{self._files[seen.file]}:{seen.record}"

    def resolve(self, file: int, place: int, record: Record) -> Record | None:
        """A record under its settled name; None where another one stands for it."""
        trajectory = record.trajectory
        if (file, place) in self._dropped:
            return None
        name = self._renamed.get((file, trajectory.suite, trajectory.candidate))
        if name is None:
            return record
        return Record(replace(trajectory, candidate=name), record.case)


def shortest_endings(paths: Iterable[str]) -> dict[str, str]:
    """The shortest ending of each path that none of the others has."""
    endings = {path: _endings(path) for path in paths}
    counts = Counter(ending for found in endings.values() for ending in found)
    return {
        path: next(("/".join(ending) for ending in found[:-1] if counts[ending] == 1), path)
        for path, found in endings.items()
    }


def _endings(path: str) -> list[tuple[str, ...]]:
    parts = PurePath(path).parts
    return [parts[-length:] for length in range(1, len(parts) + 1)]
