"""Trace formats: each file of this folder reads one, and finds it by content.

A format is a module with ``recognises(first)``, which looks at a file's first record, and
``read(file)``, which yields a record for everything that becomes a trajectory, and names what does
not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from types import ModuleType

from trayecto import _folder
from trayecto.errors import InputError, UsageError, choose
from trayecto.formats._files import find_files
from trayecto.formats._identity import Identity, Slots
from trayecto.records import Account, Passed, Record, Rejected
from trayecto.trajectory import Trajectory
from trayecto.wire.files import File

Found = tuple[File, ModuleType]


def load() -> dict[str, ModuleType]:
    """Every format of this folder, by id."""
    return _folder.entries(sys.modules[__name__])


class Reading:
    """The records of some files, read one at a time, each time that they are iterated.

    ``account`` says what became of everything, as far as it was read.
    """

    def __init__(self, found: list[Found], account: Account, *, keep_duplicates: bool) -> None:
        """Keep the files; those that hold the same slots are compared before the first record."""
        self.found = found
        self.account = account
        self.keep_duplicates = keep_duplicates
        self._opened: dict[str, object] | None = None

    def __iter__(self) -> Iterator[Record]:
        """Read every file in order; raises InputError where one fills a slot twice."""
        account = self._begin()
        account.files = len(self.found)
        identity = self._survey() if len(self.found) > 1 else None
        for number, (file, module) in enumerate(self.found):
            slots = Slots()
            for item in module.read(file):
                if isinstance(item, Rejected):
                    account.reject(item)
                    continue
                account.records += 1
                if slots.fill(item.trajectory) and not self.keep_duplicates:
                    self._refuse(file, module, item)
                record = item if identity is None else identity.resolve(number, item)
                if record is not None:
                    self._count(record.trajectory, account)
                    yield record

    def _begin(self) -> Account:
        """Set the account back to what it was when the files were opened: reading begins anew."""
        if self._opened is None:
            self._opened = deepcopy(vars(self.account))
        else:
            vars(self.account).update(deepcopy(self._opened))
        return self.account

    @staticmethod
    def _count(trajectory: Trajectory, account: Account) -> None:
        source = trajectory.source
        account.formats[source.format] += 1
        for code in trajectory.warnings:
            account.warn(code, f"{source.file}:{source.record}")

    def _survey(self) -> Identity:
        """Read everything once for its identity: which records are the same, which names clash."""
        identity = Identity(keep_duplicates=self.keep_duplicates)
        for number, (file, module) in enumerate(self.found):
            for item in module.read(file):
                if isinstance(item, Record):
                    identity.see(number, file, item.trajectory)
        identity.settle(self.account)
        return identity

    @staticmethod
    def _refuse(file: File, module: ModuleType, record: Record) -> None:
        """Name both records that fill a slot."""
        slot = record.trajectory.slot
        same = [
            item.trajectory.source.record
            for item in module.read(file)
            if isinstance(item, Record) and item.trajectory.slot == slot
        ]
        suite, candidate, case, trial = slot
        raise InputError(
            f"{file.name}:{same[1]}",
            f"trial {trial} of case {case!r} (suite {suite!r}, candidate {candidate!r}) was "
            f"already filled by record {same[0]}; number the trials, or pass --keep-duplicates",
        )


def read(
    *paths: str | Path,
    format: str = "auto",  # noqa: A002  # the option's name everywhere
    strict: bool = False,
    keep_duplicates: bool = False,
) -> Reading:
    """Read trajectories from files and folders, finding each file's format by its content.

    ``format`` names one instead. ``strict`` rejects records in which a key stands twice;
    ``keep_duplicates`` counts a slot that is filled twice as two attempts. A file that is named and
    is no trace raises InputError; in a folder it is listed in the account.
    """
    if not paths:
        message = "no file or folder was named"
        raise UsageError(message)
    known = load()
    if format != "auto" and format not in known:
        message = f"format {format!r} is not known; {choose(format, ['auto', *known])}"
        raise UsageError(message)
    account = Account()
    chosen = known if format == "auto" else {format: known[format]}
    found = list(_open(paths, chosen, account, strict=strict, forced=format != "auto"))
    return Reading(found, account, keep_duplicates=keep_duplicates)


def _open(
    paths: Iterable[str | Path],
    known: dict[str, ModuleType],
    account: Account,
    *,
    strict: bool,
    forced: bool,
) -> Iterator[Found]:
    """Open every file with the format that it has; list what has none, or raise if it was named."""
    for path, name, named in find_files(paths):
        try:
            file = File(path, name, strict=strict)
            found = recognise(file, known)  # also where the format is named: it must be JSON
            module = next(iter(known.values())) if forced else found
        except InputError as problem:
            if named:
                raise
            if path.suffix in (".json", ".jsonl") and "is empty" not in problem.problem:
                account.fail(name, problem.problem)
            else:
                account.skipped.append(Passed(name, problem.problem))
            continue
        if module is not None:
            yield file, module
            continue
        if named:
            raise InputError(name, f"is no trace that is known here: {', '.join(known)}")
        account.skipped.append(Passed(name, "JSON of another shape"))


def recognise(file: File, known: dict[str, ModuleType] | None = None) -> ModuleType | None:
    """The format of a file, by its first record; None where no format knows it."""
    first = file.first
    formats = (load() if known is None else known).values()
    return next((module for module in formats if module.recognises(first)), None)
