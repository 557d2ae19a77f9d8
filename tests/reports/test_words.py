"""The catalogue is complete in both languages, and holds nothing that is not used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from trayecto import reports
from trayecto.document import LABEL, OTHER
from trayecto.metrics import load
from trayecto.reports._codes import CAUSES, FLAGS, STATUSES
from trayecto.reports._reasons import PATTERNS, REASONS, reason
from trayecto.reports._strata import STRATA
from trayecto.reports._words import (
    FAMILIES,
    LANGS,
    METRICS,
    WARNINGS,
    WORDS,
    Lang,
    label,
    name_metric,
    position,
    say,
)
from trayecto.scores import Kind
from trayecto.trajectory import Status

CATALOGUES = {"_codes.py", "_reasons.py", "_words.py", "_verdicts.py"}
FOLDER = Path(reports.__file__).parent
PACKAGE = FOLDER.parent
TABLES = {
    "words": WORDS,
    "metrics": METRICS,
    "families": FAMILIES,
    "causes": CAUSES,
    "statuses": STATUSES,
    "warnings": WARNINGS,
    "flags": FLAGS,
    "strata": STRATA,
}
CODE = re.compile(r"[a-z]+(_[a-z]+)+")


def sources(folder: Path) -> str:
    """Return all code of a folder, without the catalogue."""
    files = sorted(folder.rglob("*.py"))
    return "\n".join(p.read_text("utf-8") for p in files if p.name not in CATALOGUES)
    return "\n".join(p.read_text("utf-8") for p in files if p.name not in CATALOGUES)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name that is assigned to, with what it is given."""
    if isinstance(target, ast.Name):
        yield target.id, value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, given in zip(target.elts, value.elts, strict=True):
            yield from _pairs(one, given)


class Module:
    """The syntax tree of a file, with its constants and the functions that it defines."""

    def __init__(self, path: Path) -> None:
        """Read the file."""
        self.nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        self.assigned: list[tuple[str, ast.expr]] = []
        self.returns: dict[str, list[ast.expr]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Assign):
                self.assigned += _pairs(node.targets[0], node.value)
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                self.assigned.append((node.target.id, node.value))
            if isinstance(node, ast.FunctionDef):
                given = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
                self.returns[node.name] = [each for each in given if each is not None]
        self.values = dict(self.assigned)

    def codes(self) -> Iterator[str]:
        """Yield every code of a warning."""
        for node in self.nodes:
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", None)
                owner = getattr(getattr(node.func, "value", None), "id", None)
                if node.args and name == "warn" and isinstance(node.args[0], ast.Constant):
                    yield node.args[0].value
                if owner == "warnings" and name == "append":
                    yield from self._named(node.args[0], set())
                for keyword in node.keywords:
                    if keyword.arg == "warnings":
                        yield from self._named(keyword.value, set())
        for name, value in self.assigned:
            if name == "warnings":
                yield from self._named(value, set())

    def _named(self, value: ast.expr, seen: set[str]) -> Iterator[str]:
        """Yield the codes in an expression: its own, those of names in it, and of functions."""
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and CODE.fullmatch(str(node.value)):
                yield node.value
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                if node.id in self.values:
                    yield from self._named(self.values[node.id], seen)
                yield from self._given(node.id, seen)

    def _given(self, function: str, seen: set[str]) -> Iterator[str]:
        """Yield the codes that a function of the file returns, or appends to a list."""
        body = [node for node in self.nodes if getattr(node, "name", None) == function]
        for node in (each for top in body for each in ast.walk(top)):
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                yield from self._named(node.value, seen)
            if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "append":
                yield from self._named(node.args[0], seen)

    def flags(self) -> Iterator[str]:
        """Yield the codes in tuples that are part of what a function returns."""
        returned = [each for given in self.returns.values() for each in given]
        pairs = [each for value in returned for each in ast.walk(value)]
        for pair in (each for each in pairs if isinstance(each, ast.Tuple)):
            for node in (each for part in pair.elts for each in ast.walk(part)):
                if isinstance(node, ast.Constant) and CODE.fullmatch(str(node.value)):
                    yield node.value

    def whys(self) -> Iterator[str]:
        """Yield a sample of every reason: of undefined scores, needs, prices, summaries."""
        for node in self.nodes:
            if isinstance(node, ast.Call):
                name, given = getattr(node.func, "id", None), node.args
                if name == "Score" and len(given) > 1 and getattr(given[0], "value", 0) is None:
                    yield from self._texts(given[1])
                if name == "_Unpriced":
                    yield from self._texts(given[0])
                keywords = [each.value for each in node.keywords if each.arg == "why"]
                yield from (text for each in keywords for text in self._texts(each))
        for function, returned in self.returns.items():
            if function == "needs" or function.lstrip("_").startswith("why"):
                yield from (text for each in returned for text in self._texts(each))
        for name, value in self.values.items():
            if name in ("OVERRULED", "why") or (name.isupper() and isinstance(value, ast.Constant)):
                yield from (text for text in self._texts(value) if " " in text)

    def _texts(self, value: ast.expr) -> Iterator[str]:
        """Yield the sentences that an expression may be, with 9 or a model for each value."""
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value.replace("{}", "'gpt-9'")
        elif isinstance(value, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "9" for part in value.values]
            yield "".join(map(str, parts))
        elif isinstance(value, ast.Name) and value.id in self.values:
            yield from self._texts(self.values[value.id])
        elif isinstance(value, ast.IfExp):
            yield from (text for each in (value.body, value.orelse) for text in self._texts(each))
        elif isinstance(value, ast.Dict):
            yield from (text for each in value.values for text in self._texts(each))


def modules(*folders: str) -> list[Module]:
    """Return the files of some folders or modules of the package."""
    paths = [path for name in folders for path in sorted(PACKAGE.glob(name))]
    return [Module(path) for path in paths]


def all_codes() -> set[str]:
    """Return every warning code and flag that the package's source holds."""
    found = {code for module in modules("*.py", "[!r]*/*.py") for code in module.codes()}
    return found | all_flags()


def all_flags() -> set[str]:
    """Return every flag of a call."""
    return {code for module in modules("wire/arguments.py") for code in module.flags()}


# What would decide has its own catalogue, of longer sentences.
DECISIONS = ("decisions/_difference.py", "decisions/_success.py", "decisions/compare.py")


def all_whys() -> set[str]:
    """Return a sample of every reason in metrics, prices, summaries and decisions.

    A metric that the catalogue does not name yet prints its id and its reasons as they are, so that
    adding one touches one file and its test; once it has a name, its reasons need words too.
    """
    named = {name for metric in METRICS for name in (metric, metric.partition(".")[0])}
    metrics = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.glob("metrics/*.py")
        if path.stem.startswith("_") or named & {path.stem, f"{path.stem}_rate"}
    ]
    found = modules(*metrics, "prices.py", "spread.py", "summaries/*.py", *DECISIONS)
    return {why for module in found for why in module.whys() if why}


def placeholders(text: str) -> set[str]:
    """Return the names of the values in a template."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("table", TABLES)
def test_every_text_is_in_both_languages(table: str) -> None:
    """No entry is empty, and none has a third language."""
    assert {key for key, texts in TABLES[table].items() if len(texts) != len(LANGS)} == set()
    assert {key for key, texts in TABLES[table].items() if not all(texts)} == set()


@pytest.mark.parametrize("table", TABLES)
def test_both_languages_ask_for_the_same_values(table: str) -> None:
    """A translation drops no number."""
    for key, (english, spanish) in TABLES[table].items():
        assert placeholders(english) == placeholders(spanish), key


@pytest.mark.parametrize("table", TABLES)
def test_singular_and_plural_ask_for_the_same_values(table: str) -> None:
    """Both forms of a template take the same numbers."""
    for key, texts in TABLES[table].items():
        for text in texts:
            forms = text.split("|")
            assert len(forms) <= 2, key
            assert placeholders(forms[0]) == placeholders(forms[-1]), key


def test_every_sentence_is_used() -> None:
    """A sentence that nothing prints is gone from the catalogue."""
    code = sources(FOLDER)
    assert {key for key in WORDS if f'"{key}"' not in code and f"'{key}'" not in code} == set()


def test_every_sentence_that_is_said_exists() -> None:
    """No report asks for a sentence that is not there."""
    said = re.findall(r"\bsay\((?:page\.lang, )?[\"'](\w+)[\"']", sources(FOLDER))
    assert set(said) - set(WORDS) == set()


def test_no_sentence_stands_in_the_code() -> None:
    """Reports hold no text of two words or more outside of the catalogue and the commands."""
    for_people = sources(FOLDER).replace((FOLDER / "json.py").read_text("utf-8"), "")
    code = re.sub(r'"""[\s\S]*?"""', "", for_people)
    found = re.findall(r'(?<![rbf])"([A-Z][a-z]+ [a-z]+[^"]*)"', code)
    assert found == []


def test_every_cause_has_a_name() -> None:
    """A new kind of culprit needs its words."""
    assert set(CAUSES) == set(get_args(Kind))


def test_every_status_has_a_name() -> None:
    """A new status needs its words."""
    assert set(STATUSES) == set(get_args(Status))


def test_every_warning_has_words() -> None:
    """Whatever the package warns of is said in words, and what it cannot warn of is not there."""
    assert set(WARNINGS) == all_codes() | {OTHER}


def test_every_flag_of_a_call_has_words() -> None:
    """What was odd about a call is said where the call is shown."""
    assert set(FLAGS) == all_flags()


def test_every_reason_is_translated() -> None:
    """A sentence that a metric, a price or a summary gives as reason is in the catalogue."""
    assert {why for why in all_whys() if reason("es", why) == why} == set()


@pytest.mark.parametrize("why", REASONS)
def test_every_reason_can_happen(why: str) -> None:
    """A reason of the catalogue stands in the code that gives it."""
    assert f'"{why}"' in sources(PACKAGE)


def test_every_pattern_can_happen() -> None:
    """So does a reason with values."""
    whys = all_whys()
    patterns = [pattern.pattern for pattern in PATTERNS if not any(map(pattern.fullmatch, whys))]
    assert patterns == []


def test_our_reasons_are_short_enough_for_the_document() -> None:
    """What we say ourselves is never cut there."""
    assert {why for why in all_whys() if len(why) > LABEL} == set()


def test_warnings_fit_their_column() -> None:
    """At 80 columns there is room for the place beside them."""
    names = [name for texts in WARNINGS.values() for name in texts]
    assert [name for name in names if len(name) > 35] == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('account.warn("no_case", place)', {"no_case"}),
        ('account.warn("duplicate", place)', {"duplicate"}),
        ('warnings = ["one_code"] * n + ["two_codes"]', {"one_code", "two_codes"}),
        ('odd = (*talk, "odd_code")\nRun(warnings=odd)', {"odd_code"}),
        ('def look():\n found.append("seen_code")\nRun(warnings=look())', {"seen_code"}),
        ('name = "no_code"', set()),
    ],
)
def test_the_search_for_codes_finds_them(tmp_path: Path, code: str, expected: set[str]) -> None:
    """A test that looks at the source is only as good as its eyes."""
    (tmp_path / "made.py").write_text(code, "utf-8")
    assert set(Module(tmp_path / "made.py").codes()) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('IDLE = Score(None, "no turn")', {"no turn"}),
        ('Score(None, f"it broke ({status})")', {"it broke (9)"}),
        ('def needs(case):\n return "no case" if bad else None', {"no case"}),
        ('NONE, EMPTY = "no path", "an empty path"', {"no path", "an empty path"}),
        ('_Unpriced("no price of {}")', {"no price of 'gpt-9'"}),
        ("Score(1.0)", set()),
    ],
)
def test_the_search_for_reasons_finds_them(tmp_path: Path, code: str, expected: set[str]) -> None:
    """As above, for what stands in place of a value."""
    (tmp_path / "made.py").write_text(code, "utf-8")
    assert set(Module(tmp_path / "made.py").whys()) == expected


def test_every_named_metric_exists() -> None:
    """A name of the catalogue is one of a column, of its summary, or of the suite."""
    columns = [column for entry in load() for column in entry.columns]
    suite = {"pass_hat_k", "pass_at_k", "cost_per_accepted_usd", "latency_ms.p50", "latency_ms.p95"}
    suite |= {"coverage", "coverage.answered"}
    known = {column.id for column in columns} | {column.summary for column in columns} | suite
    assert set(METRICS) - known == set()


def test_metric_names_fit_their_column() -> None:
    """Beside intervals a name has 24 columns."""
    names = [name for texts in METRICS.values() for name in texts]
    assert [name for name in names if len(name) > 24] == []


def test_metric_names_differ() -> None:
    """Two numbers never bear one name."""
    for lang in range(len(LANGS)):
        names = [texts[lang] for texts in METRICS.values()]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("lang", "n", "expected"),
    [
        ("en", 1, "1 trajectory"),
        ("en", 1164, "1,164 trajectories"),
        ("en", 0, "0 trajectories"),
        ("es", 1, "1 trayectoria"),
        ("es", 2, "2 trayectorias"),
    ],
)
def test_one_is_singular(lang: Lang, n: int, expected: str) -> None:
    """A sentence agrees with its number."""
    assert say(lang, "trajectories", n=n) == expected


def test_an_unknown_code_prints_as_it_is() -> None:
    """A metric, warning or cause of tomorrow is not lost."""
    assert name_metric("es", "my_metric") == "my_metric"
    assert label(WARNINGS, "es", "odd_thing") == "odd_thing"


def test_success_comes_first_and_unknown_metrics_last() -> None:
    """A report lists what decides before what explains."""
    ids = ["zebra", "latency_ms", "pass_hat_k", "alpha", "task_success"]
    expected = ["task_success", "pass_hat_k", "latency_ms", "alpha", "zebra"]
    assert sorted(ids, key=position) == expected


def test_braces_in_a_value_are_no_template() -> None:
    """A file named {x} does not break a sentence."""
    assert say("en", "prices", source="{x}{0}") == "Prices: {x}{0}"
