"""Trace formats: each file of this folder reads one, and finds it by content.

A format is a module with ``recognises(first)``, which looks at a file's first record, and
``read(file)``, which yields a record for everything that becomes a trajectory, and names what does
not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import TypedDict, Unpack

from msgspec import Struct

from trayecto import _folder
from trayecto.errors import InputError, UsageError, choose, quoted
from trayecto.formats._files import Meant, find_files
from trayecto.formats._identity import Identity, Names, Slots
from trayecto.records import Account, Passed, Record, Rejected
from trayecto.trajectory import Trajectory
from trayecto.wire.files import File

Item = Record | Rejected


class Options(TypedDict, total=False):
    """How ``read`` reads, all of it optional; see there."""

    strict: bool
    keep_duplicates: bool
    extras: bool
    suite: str | None
    candidate: str | None


class Found(Struct, frozen=True, gc=False):
    """A file, its format, and whether it was named itself."""

    file: File
    format: ModuleType
    named: bool


def load() -> dict[str, ModuleType]:
    """Every format of this folder, by id."""
    return _folder.entries(sys.modules[__name__])


class Reading:
    """The records of some files, read one at a time, each time that they are iterated.

    ``account`` says what became of everything, as far as it was read.
    """

    def __init__(
        self, found: list[Found], account: Account, *, keep_duplicates: bool, names: Names
    ) -> None:
        """Keep the files; those that hold the same slots are compared before the first record."""
        self.found = found
        self.account = account
        self.keep_duplicates = keep_duplicates
        self.names = names
        self._opened: dict[str, object] | None = None

    def __iter__(self) -> Iterator[Record]:
        """Read every file in order; raises InputError where one fills a slot twice."""
        account = self._begin()
        account.files = len(self.found)
        identity = self._survey() if len(self.found) > 1 else None
        for number, found in enumerate(self.found):
            slots = Slots()
            for place, item in enumerate(self._items(found)):
                if isinstance(item, Rejected):
                    account.reject(item)
                    continue
                account.records += 1
                if slots.fill(item.trajectory) and not self.keep_duplicates:
                    self._refuse(found, item)
                record = item if identity is None else identity.resolve(number, place, item)
                if record is not None:
                    self._count(record.trajectory, account)
                    yield record
            if found.file.grew:
                account.warn("file_grew", found.file.name)

    def _begin(self) -> Account:
        """Set the account back to what it was when the files were opened: reading begins anew."""
        if self._opened is None:
            self._opened = deepcopy(vars(self.account))
        else:
            vars(self.account).update(deepcopy(self._opened))
        return self.account

    def _items(self, found: Found, *, again: bool = False) -> Iterator[Item]:
        """What a file holds; one of a folder that can no longer be read is listed, but only once.

        ``again`` reads for another purpose than to count.
        """
        try:
            items: Iterator[Item] = found.format.read(found.file)
            yield from items if self.names == Names() else map(self._give, items)
        except InputError as problem:
            if found.named:
                raise
            if not again:
                self.account.files -= 1
                self.account.fail(found.file.name, problem.problem)

    def _give(self, item: Item) -> Item:
        """The item under the names that were asked for."""
        return self.names.give(item) if isinstance(item, Record) else item

    @staticmethod
    def _count(trajectory: Trajectory, account: Account) -> None:
        source = trajectory.source
        account.formats[source.format] += 1
        for code in trajectory.warnings:
            account.warn(code, f"{source.file}:{source.record}")

    def _survey(self) -> Identity:
        """Read everything once for its identity: which records are the same, which names clash."""
        identity = Identity(keep_duplicates=self.keep_duplicates)
        for number, found in enumerate(self.found):
            for place, item in enumerate(self._items(found, again=True)):
                if isinstance(item, Record):
                    identity.see(number, place, found.file, item.trajectory)
        identity.settle(self.account)
        return identity

    def _refuse(self, found: Found, record: Record) -> None:
        """Name both records that fill a slot."""
        slot = record.trajectory.slot
        same = [
            item.trajectory.source.record
            for item in self._items(found, again=True)
            if isinstance(item, Record) and item.trajectory.slot == slot
        ]
        suite, candidate, case, trial = slot
        raise InputError(
            f"{found.file.name}:{same[1]}",
            f"trial {trial} of case {quoted(case)} (suite {quoted(suite)}, candidate "
            f"{quoted(candidate)}) was already filled by record {same[0]}; number the trials, "
            "or pass --keep-duplicates",
        )


def read(
    *paths: str | Path,
    format: str = "auto",  # noqa: A002  # the option's name everywhere
    **options: Unpack[Options],
) -> Reading:
    """Read trajectories from files and folders, finding each file's format by its content.

    ``format`` names one instead. ``strict`` rejects records in which a key stands twice;
    ``keep_duplicates`` counts a slot that is filled twice as two attempts; ``extras`` keeps the
    fields of a record that its format does not know in ``Trajectory.extra``, which takes time.
    ``suite`` and ``candidate`` replace the names of everything that is read, before it is looked at
    which trials are the same. A file that is named and is no trace raises InputError; in a folder
    it is listed in the account.
    """
    _refuse_unknown(options)
    names = Names(options.get("suite"), options.get("candidate"))
    strict, extras = options.get("strict", False), options.get("extras", False)
    if not paths:
        message = "no file or folder was named"
        raise UsageError(message)
    known = load()
    if format != "auto" and format not in known:
        message = f"format {format!r} is not known; {choose(format, ['auto', *known])}"
        raise UsageError(message)
    account = Account()
    found = []
    for meant in find_files(paths):
        try:
            file = _open(meant, strict=strict, extras=extras)
            module = recognise(file, known)  # also where the format is named: it must be JSON
        except InputError as problem:
            if meant.named:
                raise
            account.skipped.append(Passed(meant.name, problem.problem))
            continue
        module = known.get(format, module)
        if module is not None:
            found.append(Found(file, module, meant.named))
        elif meant.named:
            raise InputError(meant.name, f"is no trace that is known here: {', '.join(known)}")
        else:
            account.skipped.append(Passed(meant.name, "JSON of another shape"))
    twice = options.get("keep_duplicates", False)
    return Reading(found, account, keep_duplicates=twice, names=names)


def _refuse_unknown(options: Options) -> None:
    """Refuse an option that there is not, as Python would, and a name that is empty."""
    for name in options:
        if name not in Options.__annotations__:
            raise TypeError(
                f"read() has no option {name!r}; {choose(name, Options.__annotations__)}"
            )
    for name in ("suite", "candidate"):
        if options.get(name) == "":
            raise UsageError(f"{name}: an empty name was given; leave it out, or give one")


def _open(meant: Meant, *, strict: bool, extras: bool) -> File:
    """Open a file; raises InputError where it cannot be a trace, or is left alone."""
    if meant.left is not None:
        raise InputError(meant.name, meant.left)
    return File(meant.path, meant.name, strict=strict, extras=extras)


def recognise(file: File, known: dict[str, ModuleType] | None = None) -> ModuleType | None:
    """The format of a file, by the first record that one knows; None where none knows any.

    A file may begin with a broken line or a header: its records are looked through, a few of them.
    """
    formats = (load() if known is None else known).values()
    for value in chain([file.first], file.samples()):
        for module in formats:
            if module.recognises(value):
                return module
    return None
