"""From what a file says to prepared cases: every format of this folder ends here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct
from pydantic import BaseModel, ValidationError

from trayecto.case import (
    MODE_ALIASES,
    MODES,
    AnswerCheck,
    Case,
    CaseInput,
    CaseSecret,
    Compare,
    Expected,
    Limits,
    Mode,
    Reference,
    StateCheck,
    expect,
    refer,
)
from trayecto.case_formats._checks import (
    Contracts,
    check_case,
    check_contract,
    check_entry,
    check_prepared,
    folded,
    owner,
    tells_its_answer,
)
from trayecto.case_formats._explain import NULL, Refused
from trayecto.case_formats._problems import Path, Problems, Spot
from trayecto.case_formats._schema import (
    AnswerEntry,
    CallEntry,
    CaseEntry,
    NumberEntry,
    Settings,
)
from trayecto.errors import quoted
from trayecto.trajectory import Json

_MODES: dict[str, Mode] = {**{mode: mode for mode in MODES}, **MODE_ALIASES}
M = TypeVar("M", bound=BaseModel)


class Skipped(Struct, frozen=True):
    """What stands in a file and is no case, though nothing is wrong with it: which, where, why."""

    id: str
    place: str
    why: str


class CaseFile(Struct, frozen=True):
    """The cases of one file, in order, and what holds for all of them.

    ``settings`` are the suite's, as they are written. ``told`` are the ids of the cases whose task
    holds the expected answer, ``skipped`` names what became no case.
    """

    name: str
    suite: str | None
    settings: dict[str, Json]
    cases: tuple[Case, ...]
    told: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    def __iter__(self) -> Iterator[Case]:
        """Go through the cases, in order."""
        return iter(self.cases)


class Builder:
    """Takes the settings and the cases of one file, one at a time; keeps every problem."""

    def __init__(self, name: str, contracts: Contracts | None = None) -> None:
        """Start a case file of this name; with contracts, its tools must be among them."""
        self.problems = Problems(name)
        self.contracts = contracts
        self.cases: list[Case] = []
        self.skipped: list[Skipped] = []
        self.settings = Settings()
        self.written: dict[str, Json] = {}
        self.count = 0
        self.ids: dict[str, tuple[str, int]] = {}  # folded id -> id as written, line

    def take_settings(self, raw: dict[str, Json], spot: Spot, known: tuple[str, ...] = ()) -> None:
        """Check the suite's settings; ``known`` are fields that the format reads by itself."""
        mine = {key: value for key, value in raw.items() if key not in known}
        settings = self._check(Settings, mine, spot, ())
        if settings is None:
            return
        self.settings, self.written = settings, mine
        if settings.agent is not None and settings.candidates is not None:
            line = spot.find(("candidates",))
            self.problems.add(line, ("candidates",), "stands beside agent; give one of the two")

    def take_case(self, raw: object, spot: Spot, path: Path = ()) -> None:
        """Check a case and prepare it; ``path`` is where it stands in the file."""
        self.count += 1
        if isinstance(raw, dict):
            self._check_id(raw.get("id"), spot, path)
        entry = self._check(CaseEntry, raw, spot, path)
        if entry is None or self._note(check_entry(entry), spot, path):
            return
        place = f"{self.problems.file}:{spot.line}"
        case = _build(entry, self.settings, place)
        self._keep(case, spot, path, assert_nothing=entry.assert_nothing)

    def take_prepared(self, case: Case, spot: Spot) -> None:
        """Check a case that its format has prepared by itself."""
        self.count += 1
        self._check_id(case.id, spot, ())
        if not self._note(check_prepared(case), spot, ()):
            self._keep(case, spot, (), assert_nothing=False)

    def skip(self, case_id: str, place: str, why: str) -> None:
        """Name what is no case, though nothing is wrong with it."""
        self.skipped.append(Skipped(case_id, place, why))

    def finish(self) -> CaseFile:
        """Return the case file, or raise InputError with all that is wrong in it."""
        if not self.count and not self.problems.count:
            told = "holds no case"
            if self.skipped:
                told += f": {len(self.skipped):,} skipped, the first for {self.skipped[0].why}"
            self.problems.add(0, (), told)
        self.problems.check()
        return CaseFile(
            self.problems.file,
            self.settings.suite,
            self.written,
            tuple(self.cases),
            tuple([case.id for case in self.cases if tells_its_answer(case)]),
            tuple(self.skipped),
        )

    def _keep(self, case: Case, spot: Spot, path: Path, *, assert_nothing: bool) -> None:
        """Keep a prepared case, unless something in it contradicts itself or the contract."""
        wrong = self._note(check_case(case, assert_nothing=assert_nothing), spot, path)
        if self.contracts is not None:
            wrong = self._note(check_contract(case, self.contracts), spot, path) or wrong
        if not wrong:
            self.cases.append(case)

    def _check_id(self, case_id: object, spot: Spot, path: Path) -> None:
        if not isinstance(case_id, str):
            return
        line, key = spot.find(("id",)), folded(case_id)
        if key not in self.ids:
            self.ids[key] = (case_id, line)
            return
        first, where = self.ids[key]
        same = "" if first == case_id else f" ({quoted(first)} counts as the same)"
        told = f"{quoted(case_id)} is the id of two cases: lines {where} and {line}{same}"
        self.problems.add(line, (*path, "id"), told)

    def _check(self, model: type[M], raw: object, spot: Spot, path: Path) -> M | None:
        """Hold a raw value against its model; None where it is refused, and why is noted."""
        try:
            held = model.model_validate(raw)
        except ValidationError as refused:
            Refused(raw, model, spot, path).tell(refused, self.problems)
            return None
        nulls = _nulls_within(held)
        return None if nulls and self._note(nulls, spot, path) else held

    def _note(self, findings: Iterable[tuple[Path, str]], spot: Spot, path: Path) -> bool:
        """Keep what a check found; returns whether it found anything."""
        before = self.problems.count
        for field, sentence in findings:
            self.problems.add(spot.find(field), (*path, *field), sentence)
        return self.problems.count > before


def _nulls_within(model: BaseModel) -> list[tuple[Path, str]]:
    """Find fields that hold null, in a model and in the models right inside it."""
    found: list[tuple[Path, str]] = []
    for name in model.model_fields_set:
        value = getattr(model, name)
        if value is None:
            found.append(((name,), NULL))
        elif isinstance(value, BaseModel):
            found += [((name, *inner), told) for inner, told in _nulls_within(value)]
    return found


def _build(entry: CaseEntry, settings: Settings, place: str) -> Case:
    """Prepare a case that was checked."""
    state, limits = entry.state, settings.limits
    critical = settings.critical if entry.critical is None else entry.critical
    secret = CaseSecret(
        None if entry.reference is None else _refer(entry),
        entry.min_calls,
        None if entry.answer is None else _ask(entry.answer),
        tuple(dict.fromkeys(entry.required)),
        tuple(dict.fromkeys(entry.forbidden)),
        entry.max_calls,
        tuple((first, second) for first, second in entry.order),
        {field: tuple(values) for field, values in entry.scope.items()},
        {field: _written(limit) for field, limit in entry.tolerance.items()},
        None if state is None else StateCheck(state.equals, tuple(state.absent), state.unchanged),
        tuple(entry.secrets),
        entry.canary,
        entry.should_abstain,
        None if critical is None else tuple(critical),
        None if limits is None else Limits(**limits.model_dump()),
    )
    return Case(
        entry.id,
        CaseInput(entry.task),
        secret,
        settings.suite,
        entry.difficulty,
        entry.cluster,
        entry.split,
        place,
        {**(settings.effects or {})},
    )


def _ask(entry: AnswerEntry) -> AnswerCheck:
    """What the answer must say; a number may stand alone, or with how far it may be off."""
    number, tolerance = entry.number, None
    if isinstance(number, NumberEntry):
        number, tolerance = number.value, _written(number, but="value")
    return AnswerCheck(tuple(entry.contains), entry.equals, number, tolerance, entry.pattern)


def _written(tolerance: BaseModel | float | str, but: str = "") -> Json:
    """A tolerance as it was written: a word, a number, or a mapping of what it says."""
    if not isinstance(tolerance, BaseModel):
        return tolerance
    return {
        word: value
        for word, value in tolerance.model_dump(exclude_unset=True).items()
        if word != but
    }


def _refer(case: CaseEntry) -> Reference:
    tools = _tools(case)
    tolerance: dict[str, dict[str, Json]] = {}
    for field, limit in case.tolerance.items():
        tool = owner(field, tools)
        tolerance.setdefault(tool, {})[field[len(tool) + 1 :]] = _written(limit)
    groups = [
        tuple([_expect(one, tolerance) for one in each])
        if isinstance(each, list)
        else (_expect(each, tolerance),)
        for each in case.reference or ()
    ]
    return refer(groups, _MODES[case.match])


def _tools(case: CaseEntry) -> list[str]:
    """The tools that a reference names."""
    listed = case.reference or ()
    entries = [one for each in listed for one in (each if isinstance(each, list) else [each])]
    return [entry if isinstance(entry, str) else entry.tool for entry in entries]


def _expect(entry: str | CallEntry, tolerance: dict[str, dict[str, Json]]) -> Expected:
    if isinstance(entry, str):
        return expect(entry, None)
    compare: Compare = tuple(entry.compare) if isinstance(entry.compare, list) else entry.compare
    return expect(entry.tool, entry.arguments, compare, tolerance.get(entry.tool))
