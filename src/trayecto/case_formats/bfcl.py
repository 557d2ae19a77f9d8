"""BFCL, the Berkeley function calling leaderboard: its questions as cases, a question a line.

The answers to ``BFCL_v4_parallel.json`` are found where BFCL keeps them, in
``possible_answer/BFCL_v4_parallel.json`` beside it; the suite is the category, ``parallel``.
What a question without answers, or answers without a question, asks for is not known: they are
skipped, and named. Of the kinds of questions:

- Single turns: the calls in mode ``multiset``, parallel ones in any order and nothing extra, each
  argument with its acceptable values (see ``_bfcl_answers``). BFCL's checker looks at types first:
  it refuses 5.0 where a whole number is asked for, and misses an argument that the tool requires
  though an answer frees it. Here 5.0 is 5 (ruling 3), and what the tool requires is not looked at.
- Several turns: the calls of all turns in mode ``in_order``, those of one turn as a group. BFCL
  runs the calls, and asks for the results of every turn in whatever order, and for the same state
  after it; extra calls are free. Nothing is run here, so arguments must be the reference's. Tools
  come from ``multi_turn_func_doc`` beside the file, less those that a question excludes. An
  argument that is given by position has its name from there: without it the question is skipped.
- ``irrelevance``: no tool fits, so that the run should abstain; ``relevance``: it should not.

Tools are compared by name as the questions have it: BFCL writes ``_`` for ``.`` where an API
refuses points, and runs recorded so need their names back first.

Source: bfcl-eval 2026.3.23; the design's rulings 1 and 3.
"""

from __future__ import annotations

import re

from msgspec import Struct

from trayecto.case import Case, CaseInput, CaseSecret, Reference
from trayecto.case_formats._bfcl_answers import read_truth
from trayecto.case_formats._bfcl_fault import FaultError, as_list, as_mapping, as_text, field
from trayecto.case_formats._bfcl_tools import Documents, read_tools
from trayecto.case_formats._build import Builder, CaseFile
from trayecto.case_formats._checks import Contracts
from trayecto.case_formats._lines import decoded
from trayecto.case_formats._problems import Problems, Spot
from trayecto.case_formats._source import Source
from trayecto.errors import InputError, quoted
from trayecto.trajectory import Json, Tool

ANSWERS, DOCS = "possible_answer", "multi_turn_func_doc"
NO_ANSWER = "no acceptable answer"
NO_QUESTION = "no question"
NO_NAMES = "arguments by position, and nothing names them"
_NAMED = re.compile(r"BFCL_v\d+_(.+)")
_LINE = re.compile(rb'\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"(question|ground_truth)"\s*:\s*\[')


def recognises(source: Source) -> bool:
    """Whether a file is named as BFCL names its own, or begins with a question or an answer."""
    named = _NAMED.fullmatch(source.path.stem) is not None and source.suffix.startswith(".json")
    return named or _LINE.match(source.first_line) is not None


def read(source: Source, contracts: Contracts | None = None) -> CaseFile:
    """Read the questions of a file with their answers; raise InputError with all that is wrong."""
    line = _LINE.match(source.first_line)
    if line is not None and line[1] == b"ground_truth":
        told = f"holds answers; name the file of their questions, which lies beside {ANSWERS}/"
        raise InputError(source.name, told)
    return _Reader(source, contracts).read()


class _Answer(Struct, frozen=True):
    """The acceptable answer to one question, as it is written, and its line."""

    line: int
    truth: list[Json]


class _Reader:
    """Reads one file of questions, and that of their answers."""

    def __init__(self, source: Source, contracts: Contracts | None) -> None:
        named = _NAMED.fullmatch(source.path.stem)
        self.source = source
        self.category = named[1] if named else source.path.stem
        self.builder = Builder(source.name, contracts)
        self.builder.take_settings({"suite": self.category}, Spot(0))
        self.documents = Documents(source.path.parent / DOCS)
        path = source.path.parent / ANSWERS / source.path.name
        self.problems = Problems(str(path))  # of the answers
        self.answers = _read_answers(Source(path), self.problems) if path.exists() else None
        self.asked: set[str] = set()

    def read(self) -> CaseFile:
        """Read every question; an answer that is left over has none."""
        for _, line, value in decoded(self.source, self.builder.problems):
            try:
                self._take(value, line)
            except FaultError as fault:
                self.builder.problems.add(line, fault.path, fault.sentence)
        self.builder.problems.check()
        self.problems.check()
        for case_id, answer in (self.answers or {}).items():
            if case_id not in self.asked:
                self.builder.skip(case_id, f"{self.problems.file}:{answer.line}", NO_QUESTION)
        return self.builder.finish()

    def _take(self, value: Json, line: int) -> None:
        """Take one question as a case, where it can be told what it asks for."""
        question = as_mapping(value, ())
        case_id = as_text(field(question, "id", ()), ("id",))
        task = _task(field(question, "question", ()))
        tools = self._tools(question)
        place = f"{self.source.name}:{line}"
        self.asked.add(case_id)
        abstain = _should_abstain(case_id, self.category)
        reference = self._refer(case_id, place, tools) if abstain is None else None
        if abstain is not None or reference is not None:
            secret = CaseSecret(reference, should_abstain=abstain)
            case = Case(case_id, CaseInput(task), secret, self.category, place=place, tools=tools)
            self.builder.take_prepared(case, Spot(line))

    def _tools(self, question: dict[str, Json]) -> tuple[Tool, ...] | None:
        """The tools that stand in a question, or those of the classes that it names."""
        if "function" in question:
            return read_tools(question["function"], ("function",))
        classes = as_list(field(question, "involved_classes", ()), ("involved_classes",))
        without = as_list(question.get("excluded_function", []), ("excluded_function",))
        return self.documents.tools(classes, without)

    def _refer(self, case_id: str, place: str, tools: tuple[Tool, ...] | None) -> Reference | None:
        """The calls that are expected; None where they cannot be told, and why is noted."""
        if self.answers is None:
            told = f"its answers are not there; BFCL keeps them in {self.problems.file}"
            raise InputError(self.source.name, told)
        answer = self.answers.get(case_id)
        if answer is None:
            self.builder.skip(case_id, place, NO_ANSWER)
            return None
        try:
            reference = read_truth(answer.truth, tools)
        except FaultError as fault:
            self.problems.add(answer.line, ("ground_truth", *fault.path), fault.sentence)
            return None
        if reference is None:
            self.builder.skip(case_id, place, NO_NAMES)
        return reference


def _read_answers(source: Source, problems: Problems) -> dict[str, _Answer]:
    """Every answer by the id of its question; raise InputError with all that is wrong."""
    found: dict[str, _Answer] = {}
    for _, line, value in decoded(source, problems):
        try:
            entry = as_mapping(value, ())
            case_id = as_text(field(entry, "id", ()), ("id",))
            truth = as_list(field(entry, "ground_truth", ()), ("ground_truth",))
        except FaultError as fault:
            problems.add(line, fault.path, fault.sentence)
            continue
        if case_id in found:
            lines = f"lines {found[case_id].line} and {line}"
            problems.add(line, ("id",), f"{quoted(case_id)} is answered twice: {lines}")
        found[case_id] = _Answer(line, truth)
    problems.check()
    return found


def _task(turns: Json) -> str:
    """What the agent is told: the messages of all turns, in order."""
    told: list[str] = []
    for at, turn in enumerate(as_list(turns, ("question",))):
        for inner, message in enumerate(as_list(turn, ("question", at))):
            path = ("question", at, inner)
            told.append(
                as_text(field(as_mapping(message, path), "content", path), (*path, "content"))
            )
    return "\n\n".join(told)


def _should_abstain(case_id: str, category: str) -> bool | None:
    """Whether no tool fits a question; None where its kind does not ask that."""
    for name in (case_id, category):
        if "relevance" in name:
            return "irrelevance" in name
    return None
