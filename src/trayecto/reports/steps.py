"""One trajectory step by step: what was said and called, and what metrics found at each step."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.json import Encoder
from rich.cells import cell_len

from trayecto.metrics import Column as MetricColumn
from trayecto.metrics import Entry, Findings, Scored
from trayecto.reports._codes import CAUSES, FLAGS, STATUSES
from trayecto.reports._fit import clamp, cut
from trayecto.reports._marks import SEPARATOR, UNKNOWN, quantity
from trayecto.reports._page import GAP, Column, Page
from trayecto.reports._reasons import reason
from trayecto.reports._safe import safe
from trayecto.reports._words import Lang, label, name_metric, position
from trayecto.scores import Culprit, Score, Value
from trayecto.trajectory import Arguments, Call, Json, Outcome, Trajectory, Turn

_TEXT_LINES, _OBSERVATION_LINES, _ARGUMENT_LINES = 4, 3, 3
_TURN, _ROLE, _INDEX = 4, 9, 3  # columns of a turn's position and role, of a call's index
_INDENT = _TURN + GAP
_NAME = 26
_SHOWN = 200  # characters of one argument
_GUTTER = "│ "  # in front of foreign text, so that it cannot pass for ours
_STYLES: dict[Outcome, str] = {"ok": "dim", "error": "red", "unknown": "dim"}
_MARKS: dict[Outcome, str] = {"ok": "✓", "error": "■", "unknown": "◌"}
_RESULTS = {True: "result_true", False: "result_false", None: "result_none"}
_encode = Encoder(order="deterministic").encode


class _Findings(Struct, frozen=True):
    """What metrics found: names by call, and where the run broke."""

    names: dict[int, list[str]]
    culprit: Culprit | None


def show(
    scored: Scored,
    entries: list[Entry],
    *,
    lang: Lang = "en",
    width: int = 80,
    color: bool = False,
    content: bool = True,
) -> str:
    """Write one scored trajectory as text.

    Without ``content`` nothing that agent, user or tools wrote is shown, only how long it is.
    """
    page = Page(lang, width, color=color)
    columns = [column for entry in entries for column in entry.columns]
    scores = _scores(scored, columns)
    findings = _find(page, scores)
    _header(page, scored.trajectory, findings.culprit)
    for turn in scored.trajectory.turns:
        _turn(page, turn, findings, content=content)
    _children(page, scored.trajectory)
    _list_scores(page, scores)
    if content:
        _in_words(page, scored, entries)
    return page.text()


def _scores(scored: Scored, columns: list[MetricColumn]) -> list[tuple[MetricColumn, Score]]:
    """Every score with its column, those that do not apply with the reason, in our order."""
    found = [
        (columns[place], score)
        for place, score in zip(scored.plan.places, scored.scores, strict=True)
    ]
    found += [(columns[place], Score(None, why)) for place, why in scored.plan.skipped]
    return sorted(found, key=lambda pair: position(pair[0].id))


def _find(page: Page, scores: list[tuple[MetricColumn, Score]]) -> _Findings:
    names: dict[int, list[str]] = {}
    culprit = None
    for column, score in scores:
        if isinstance(score.value, Culprit):
            culprit = score.value
            continue
        for step in score.steps:
            names.setdefault(step, []).append(safe(name_metric(page.lang, column.id)))
    return _Findings(names, culprit)


def _header(page: Page, trajectory: Trajectory, culprit: Culprit | None) -> None:
    """Print which attempt this is, how it ended, where it broke, and where it stands."""
    page.line((cut(trajectory.id, page.width), "bold"))
    which = [trajectory.suite, trajectory.candidate, page.say("case", id=trajectory.case_id)]
    if trajectory.trial is not None:
        which.append(page.say("trial_number", n=trajectory.trial))
    page.series([safe(each) for each in which if each])
    ended = [_result(page, trajectory), label(STATUSES, page.lang, trajectory.status)]
    ended += [
        page.say("check_true" if passed else "check_false", name=safe(name))
        for name, passed in sorted(trajectory.checks.items())
    ]
    page.series(ended)
    if culprit is not None:
        page.paragraph(f"■ {_place(page, culprit)}", style="bold red")
    source = trajectory.source
    place = page.say("record", file=safe(source.file), n=source.record)
    page.series([place, safe(source.format)], style="dim")
    if not trajectory.turns:
        page.head(page.say("no_turns"))


def _result(page: Page, trajectory: Trajectory) -> str:
    result = page.say(_RESULTS[trajectory.success])
    return result if trajectory.success_from is None else f"{result} ({trajectory.success_from})"


def _turn(page: Page, turn: Turn, findings: _Findings, *, content: bool) -> None:
    """Print one turn: its place and role, its text, its calls."""
    page.gap()
    culprit = findings.culprit
    start = f"{turn.position:>{_TURN}}  "
    parts = [(start, "bold"), (turn.role, "bold" if turn.role == "assistant" else "")]
    if culprit is not None and culprit.also == turn.position:
        parts.append((f"   ◐ {page.say('look_also')}", "yellow"))
    page.line(*parts)
    if turn.text:
        _quote(page, turn.text, _INDENT, _TEXT_LINES, content=content)
    for call in turn.calls:
        _call(page, call, findings, content=content)
    if culprit is not None and culprit.call is None and culprit.turn == turn.position:
        _broke(page, culprit)


def _quote(page: Page, text: str, indent: int, lines: int, *, content: bool) -> None:
    """Print foreign text behind a line of its own, and how much of it is left."""
    blank = " " * indent
    if not content:
        page.line((f"{blank}{page.say('hidden', n=len(text))}", "dim"))
        return
    shown, left = clamp(text, page.width - indent - len(_GUTTER), lines)
    for line in shown:
        page.line((blank + _GUTTER, "dim"), (line, ""))
    if left:
        page.line((f"{blank}{_GUTTER}", "dim"), (page.say("more_characters", n=left), "dim italic"))


def _call(page: Page, call: Call, findings: _Findings, *, content: bool) -> None:
    """Print one call: tool and outcome, arguments, observation, and what metrics found."""
    outcome = f"{_MARKS[call.outcome]} {page.say(_OUTCOMES[call.outcome])}"
    if call.error:
        outcome += f" {cut(call.error, page.width // 3)}"
    free = page.width - _INDENT - _INDEX - 2 * GAP - cell_len(outcome)
    page.line(
        (f"{' ' * _INDENT}{call.index:>{_INDEX}}{' ' * GAP}", "dim"),
        (cut(call.tool, free), "bold"),
        (" " * GAP + outcome, _STYLES[call.outcome]),
    )
    indent = _INDENT + _INDEX + GAP
    for flag in call.flags:
        told = safe(label(FLAGS, page.lang, flag))
        page.line((f"{' ' * indent}◐ {told}", "yellow"))
    if content:
        text = _readable(call.arguments) or page.say("no_arguments")
        shown, left = clamp(text, page.width - indent, _ARGUMENT_LINES)
        if left:
            shown.append(page.say("more_characters", n=left))
        for line in shown:
            page.line((" " * indent + line, ""))
    if call.observation is None:
        page.line((" " * indent + page.say("no_observation"), "dim"))
    else:
        _quote(page, call.observation, indent, _OBSERVATION_LINES, content=content)
    _found_at(page, call, findings, indent)


_OUTCOMES: dict[Outcome, str] = {
    "ok": "outcome_ok",
    "error": "outcome_error",
    "unknown": "outcome_none",
}


def _found_at(page: Page, call: Call, findings: _Findings, indent: int) -> None:
    names = findings.names.get(call.index)
    if names:
        told = page.say("found_here", names=", ".join(names))
        for line in page.wrap(told, page.width - indent - GAP):
            page.line((f"{' ' * indent}◐ {line}", "yellow"))
    if findings.culprit is not None and findings.culprit.call == call.index:
        _broke(page, findings.culprit, indent)


def _broke(page: Page, culprit: Culprit, indent: int = _INDENT) -> None:
    cause = label(CAUSES, page.lang, culprit.kind)
    page.line((f"{' ' * indent}■ {page.say('broke_here')}: {cause}", "bold red"))


def _readable(arguments: Arguments) -> str:
    """Arguments as ``key value · key value``; the raw text where they are no object."""
    if isinstance(arguments, str):
        return arguments
    return SEPARATOR.join(f"{key} {_written(value)}" for key, value in arguments.items())


def _written(value: Json) -> str:
    text = value if isinstance(value, str) else _encoded(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _encoded(value: Json) -> str:
    try:
        return _encode(value).decode()
    except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot say
        return str(value)


def _children(page: Page, trajectory: Trajectory) -> None:
    if trajectory.children:
        page.gap()
    for child in trajectory.children:
        calls = page.say("calls", n=len(child.trajectory.calls))
        key = "child_alone" if child.call is None else "child"
        told = page.say(key, id=safe(child.trajectory.id), calls=calls, n=child.call)
        page.paragraph(told)


def _list_scores(page: Page, scores: list[tuple[MetricColumn, Score]]) -> None:
    """Print every score: its value, or why it has none."""
    page.head(page.say("scores"))
    widths = [cell_len(safe(name_metric(page.lang, column.id))) for column, _ in scores]
    name = min(max([*widths, 1]), page.width // 2, 2 * _NAME)
    rest = Column(page.width - name - GAP)
    for column, score in scores:
        style = "dim" if score.value is None else ""
        for number, line in enumerate(page.wrap(_value(page, column, score), rest.width)):
            shown = "" if number else name_metric(page.lang, column.id)
            page.row([Column(name), rest], [shown, line], style=style)


def _value(page: Page, column: MetricColumn, score: Score) -> str:
    value: Value | None = score.value
    if value is None:
        return f"{UNKNOWN}  {safe(reason(page.lang, score.why or ''))}".rstrip()
    if isinstance(value, Culprit):
        return _place(page, value)
    if isinstance(value, bool):
        return page.say("yes" if value else "no")
    return quantity(value, column.unit)


def _place(page: Page, culprit: Culprit) -> str:
    """Where a run broke: cause, turn, call and tool."""
    cause = label(CAUSES, page.lang, culprit.kind)
    key = "at_turn" if culprit.call is None else "at_call"
    told = page.say(key, cause=cause, turn=culprit.turn, call=culprit.call)
    return told if culprit.tool is None else f"{told}  {safe(culprit.tool)}"


def _in_words(page: Page, scored: Scored, entries: list[Entry]) -> None:
    """Print what metrics that explain themselves have to say."""
    told = [pair for entry in entries for pair in _explained(page, scored, entry)]
    if not told:
        return
    page.head(page.say("in_words"))
    for name, words in told:
        page.line((name, "bold"))
        for line in words.split("\n"):
            _hang(page, safe(line))


def _hang(page: Page, line: str) -> None:
    """Print a line and, further in, what does not fit on it."""
    start = " " * (len(line) - len(line.lstrip()) + 2 * GAP)
    first = page.wrap(line, page.width - GAP)[0]
    rest = line[len(first) :].lstrip()
    page.line((" " * GAP + first, ""))
    for each in page.wrap(rest, page.width - len(start)) if rest else ():
        page.line((start + each, ""))


def _explained(page: Page, scored: Scored, entry: Entry) -> Iterator[tuple[str, str]]:
    explain = getattr(entry.module, "explain", None)
    if explain is None or entry.columns[0].id not in scored.plan.at:
        return  # the plan left it out: of this run, or of its case, it has nothing to say
    given = (scored.facts, scored.case)
    derived = getattr(entry.module, "DERIVED", False)
    words = explain(*given, Findings(scored.plan, scored.scores)) if derived else explain(*given)
    if words:
        yield safe(name_metric(page.lang, entry.columns[0].id)), words
