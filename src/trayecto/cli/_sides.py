"""The sides of a comparison as they are typed: what is read, what each is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from trayecto.cli._cases import load_judges
from trayecto.cli._source import Input, prepare
from trayecto.comparison import SideRead
from trayecto.decisions import Side, read_arm
from trayecto.errors import InputError, UsageError, quoted
from trayecto.formats import Reading, read
from trayecto.metrics import Scores

NAMED = 10  # records that could not be read


class Arm(Struct, frozen=True):
    """One side: its place and its name, and what will be read and scored of it."""

    path: Path
    name: str
    reading: Reading
    scores: Scores

    def sides(self, most: Callable[[int], int], *, pool: bool) -> dict[str, Side]:
        """Read and score it; ``most`` says how many of so many records may be unreadable.

        Raises InputError where more are, where nothing can be read, and where no case is of it.
        """
        found = read_arm(self.scores, str(self.path), pool=pool)
        account = self.reading.account
        allowed = most(account.records)
        if not found:
            raise InputError(str(self.path), "no trajectory could be read")
        runs = sum(side.statuses.total() for side in found.values())
        if account.warnings["no_case"] == runs:
            problem = "none of the cases is of any trajectory: their ids do not match"
            raise InputError(str(self.path), problem)
        if account.rejected_count > allowed:
            first = account.rejected[0]
            raise InputError(
                str(self.path),
                f"{account.rejected_count:,} of {account.records:,} records could not be read, "
                f"more than --max-rejects allows ({allowed:,}); "
                f"first {first.file}:{first.record}: {first.why}",
            )
        return found

    def told(self) -> SideRead:
        """What became of its records, once they were read."""
        account = self.reading.account
        return SideRead(
            side=self.name,
            files=account.files,
            records=account.records,
            rejected=account.rejected_count,
            rejected_records=account.rejected[:NAMED],
            skipped=list(account.skipped),
            warnings=dict(sorted(account.warnings.items())),
        )


def open_arms(paths: Sequence[Path], source: Input) -> list[Arm]:
    """Open the base and its candidates; nothing is scored yet.

    A name that was typed for the candidate is not the base's. Raises UsageError where a candidate
    is given twice, or one name for several.
    """
    _refuse_twice(paths[1:])
    if source.candidate is not None and len(paths) > 2:  # noqa: PLR2004  # the base and one more
        raise UsageError("--candidate names one candidate, and there are several")
    judges = load_judges(source.cases, source.tools)
    arms = []
    for number, (path, name) in enumerate(zip(paths, _names(paths), strict=True)):
        reading = read(
            path,
            format=source.format,
            strict=source.strict,
            keep_duplicates=source.keep_duplicates,
            extras=True,
            suite=source.suite,
            candidate=source.candidate if number else None,
        )
        arms.append(Arm(path, name, reading, prepare(reading, source, judges)))
    return arms


def _refuse_twice(paths: Sequence[Path]) -> None:
    (often, count), *_ = Counter(path.resolve() for path in paths).most_common()
    if count > 1:
        raise UsageError(f"{quoted(str(often))} is given as a candidate {count} times")


def _names(paths: Sequence[Path]) -> list[str]:
    """What sides are called: by file or folder, with as many folders above as tell them apart."""
    parts = [_parts(path) for path in paths]
    found = []
    for own in parts:
        others = [other for other in parts if other != own]
        ends = range(1, len(own) + 1)
        least = next((n for n in ends if own[-n:] not in [o[-n:] for o in others]), len(own))
        found.append("/".join(own[-least:]))
    return found


def _parts(path: Path) -> tuple[str, ...]:
    """The parts of a path, the last without its suffix where it is a file's."""
    *above, last = path.resolve().parts
    return (*above, Path(last).stem if path.is_file() else last)
