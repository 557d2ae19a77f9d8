"""Every bad input of the corpus behaves as the sidecar beside it says (RELIABILITY, section 3).

A sidecar ``b05_byte_ff.expect.yaml`` tells what the command line makes of ``b05_byte_ff.jsonl``.
One with ``make`` names a recipe of ``conftest.py``, and has no file beside it. A folder a group:
``bytes``, ``values`` and ``messages`` are traces, ``cases`` are case files for ``some_runs.jsonl``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Literal

import msgspec
import pytest
import yaml

from trayecto.cli import run
from trayecto.formats import read
from trayecto.reports import safe

CORPUS = Path(__file__).parent
ENDING = ".expect.yaml"
RUNS = CORPUS / "some_runs.jsonl"
NOBODY = 65_534
CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# Runs a command line under limits of memory and time, and writes what it took.
CHILD = """
import json, resource, sys
megabytes, seconds, *words = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_DATA, (int(megabytes) << 20,) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (int(float(seconds)) + 30,) * 2)
from trayecto.cli import run
from trayecto.formats import read
code = run(words)
used = resource.getrusage(resource.RUSAGE_SELF)
try:  # the peak since this program began; getrusage knows that of its parent too
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
except OSError:
    peak = 0
took = used.ru_utime + used.ru_stime
sys.stderr.write(f"\\n{json.dumps([code, took, peak])}")
"""
# Reads every file of a folder, and writes what the interpreter was asked for meanwhile.
WATCHED = """
import sys
from pathlib import Path
from trayecto.errors import InputError
from trayecto.formats import read
from trayecto.formats._identity import Identity
seen = []
list(read(sys.argv[1]))  # imports what is imported when it is first used
files = [path for path in sorted(Path(sys.argv[2]).glob("*.json*"))]
sys.addaudithook(lambda event, given: seen.append((event, str(given[0]) if given else "")))
for file in files:
    try:
        list(read(file))
    except InputError:
        pass
for event, what in seen:
    print(event, what, sep="\\t")
"""

# The numbers of RELIABILITY 3.1, 3.2 and 3.4 that the corpus is to cover.
NUMBERS = {
    "b": {*range(1, 17), *range(23, 28)},
    "j": {*range(1, 21)},
    "y": {*range(1, 32)},
}
# What cannot be tested yet, and why: a field or a reader that is still to come.
LATER = {
    "j19": "no format reads dates or times of day yet",
    "y23": "no field of a case names an attachment yet",
    "y26": "no field of a case is a weight yet",
}


class Expected(msgspec.Struct, forbid_unknown_fields=True):
    """A sidecar: what is wrong with the file (``says``), and what must become of it.

    ``outcome`` is a code of RELIABILITY 3: E, R, OK, A or W. ``rejects`` are records and a piece of
    each reason, ``message`` pieces of what is said on stderr, ``line`` the one it names, ``holds``
    pieces of the lines per run, ``metrics`` values of the report. ``cases`` is a case file to score
    a trace with. A file with a ceiling of ``megabytes`` is read in a process of its own.
    """

    says: str
    outcome: Literal["error", "rejected", "ok", "accepted", "warned"]
    exit: int | None = None
    scored: int = 0
    line: int | None = None
    message: list[str] = []
    rejects: dict[int, str] = {}
    warnings: dict[str, int] = {}
    metrics: dict[str, float | None] = {}
    holds: list[str] = []
    options: list[str] = []
    cases: dict[str, object] | None = None
    make: str | None = None
    mark: Literal["slow", "soak"] | None = None
    privileged: bool = True
    seconds: float = 2
    megabytes: int | None = None


class Result(msgspec.Struct):
    """What a command left behind, and what it took: seconds of the processor, megabytes."""

    code: int
    out: str
    err: str
    seconds: float = 0
    megabytes: float = 0


def sidecars() -> list[Path]:
    """Every sidecar of the corpus."""
    return sorted(CORPUS.glob(f"*/*{ENDING}"))


def stem(path: Path) -> str:
    """The name that a file and its sidecar share."""
    return f"{path.parent.name}/{path.name.removesuffix(ENDING).split('.')[0]}"


def expectation(sidecar: Path) -> Expected:
    """What a sidecar says."""
    return msgspec.convert(yaml.safe_load(sidecar.read_text("utf-8")), Expected)


def inputs() -> dict[str, Path]:
    """Every input file of the corpus, by the name that its sidecar has too."""
    found = (path for path in CORPUS.glob("*/*") if path.is_file() and path.suffix != ".pyc")
    paths = [path for path in found if not path.name.endswith(ENDING)]
    named = {stem(path): path for path in paths}
    assert len(named) == len(paths), "two files share one sidecar"
    return named


FILES = inputs()
EXPECTED = {stem(path): expectation(path) for path in sidecars()}


@contextmanager
def unprivileged() -> Iterator[None]:
    """Be nobody for a while, where one is root, whom no permission stops."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def alone(words: list[str], megabytes: int, seconds: float) -> Result:
    """Run a command line in a process of its own, under limits of memory and time."""
    command = [sys.executable, "-c", CHILD, str(megabytes), str(seconds), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    err, _, told = done.stderr.rpartition("\n")
    assert done.returncode == 0, done.stderr[-2000:]
    code, took, peak = json.loads(told)
    return Result(code, done.stdout, err, took, peak)


@pytest.fixture
def start(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Callable[[list[str], Expected], Result]:
    """Run a command line from an empty folder: in this process, or alone if it is to be weighed."""
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def start(words: list[str], expected: Expected) -> Result:
        if expected.megabytes is not None:
            return alone(words, expected.megabytes, expected.seconds)
        if not expected.privileged:
            run(["score", str(RUNS)])  # imports what is imported late, while it may be read
            capfdbinary.readouterr()
        before = process_time()
        if expected.privileged:
            code = run(words)
        else:
            with unprivileged():
                code = run(words)
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(), err.decode(), process_time() - before)

    return start


def words_for(name: str, expected: Expected, folder: Path, recipes: dict) -> tuple[Path, list[str]]:
    """The file, and the words of the command line that scores it."""
    path = recipes[expected.make](folder) if expected.make else FILES[name]
    if not expected.privileged:
        path = path.relative_to(folder)
    words = ["score", *expected.options]
    if name.startswith("cases/"):
        shutil.copy(RUNS, folder)
        return path, [*words, RUNS.name, "--cases", str(path)]
    if expected.cases is not None:
        (folder / "cases.yaml").write_text(json.dumps(expected.cases), "utf-8")
        words += ["--cases", str(folder / "cases.yaml")]
    return path, [*words, "--", str(path)]


def check_read(expected: Expected, out: str) -> None:
    """Hold the report against a sidecar: what was read, rejected, warned of and measured."""
    document = json.loads(out)
    rejected = document["read"]["rejected_records"]
    assert document["trajectories"] == expected.scored
    assert [item["record"] for item in rejected] == [*expected.rejects]
    for item, why in zip(rejected, expected.rejects.values(), strict=True):
        assert why in item["why"]
    assert {each["code"]: each["count"] for each in document["warnings"]} == expected.warnings
    metrics = document.get("metrics", {})
    assert {key: metrics[key]["value"] for key in expected.metrics} == expected.metrics


def check_outcome(expected: Expected) -> None:
    """A sidecar must not contradict itself: an outcome is what was rejected and warned of."""
    happened = (bool(expected.rejects), bool(expected.warnings))
    if expected.outcome == "error":
        assert expected.message, "an error says something"
        assert (expected.scored, *happened) == (0, False, False)
    elif expected.outcome == "rejected":
        assert expected.rejects
    elif expected.outcome == "accepted":
        assert expected.scored
        assert expected.holds, "what the agent wrote is kept"
    else:
        assert expected.scored
        assert happened == (False, expected.outcome == "warned")


def parameter(name: str, mark: str | None) -> object:
    """A sidecar with its marker."""
    return pytest.param(name, marks=[getattr(pytest.mark, mark)] if mark else [])


@pytest.mark.parametrize("name", [parameter(name, each.mark) for name, each in EXPECTED.items()])
def test_every_file_behaves_as_expected(
    name: str, start: Callable[..., Result], tmp_path: Path, recipes: dict
) -> None:
    """Outcome, exit code, place, words, seconds and memory; and never a traceback."""
    expected = EXPECTED[name]
    check_outcome(expected)
    path, words = words_for(name, expected, tmp_path, recipes)
    result = start([words[0], "--json", "--per-run", "lines.jsonl", *words[1:]], expected)
    wanted = (2 if expected.outcome == "error" else 0) if expected.exit is None else expected.exit
    assert (result.code, "Traceback" in result.err) == (wanted, False), result.err
    place = safe(str(path)) + ("" if expected.line is None else f":{expected.line}")
    pieces = [*([place] if expected.outcome == "error" else ()), *expected.message]
    assert [piece for piece in pieces if piece not in result.err] == [], result.err
    if result.out or expected.outcome != "error":
        check_read(expected, result.out)
        kept = (tmp_path / "lines.jsonl").read_text("utf-8")
        assert [piece for piece in expected.holds if piece not in kept] == [], kept
    assert CONTROLS.findall(result.out + result.err) == []
    assert result.seconds <= expected.seconds
    assert result.megabytes <= (expected.megabytes or 512)


@pytest.mark.parametrize(
    "name", [name for name, each in EXPECTED.items() if each.megabytes is each.mark is None]
)
def test_the_report_for_people_shows_the_same(
    name: str, start: Callable[..., Result], tmp_path: Path, recipes: dict
) -> None:
    """In the terminal too nothing breaks, and nothing foreign is obeyed."""
    expected = EXPECTED[name]
    _, words = words_for(name, expected, tmp_path, recipes)
    result = start([*words[:1], "--content", "--lang", "es", *words[1:]], expected)
    wanted = (2 if expected.outcome == "error" else 0) if expected.exit is None else expected.exit
    assert (result.code, "Traceback" in result.err) == (wanted, False)
    assert CONTROLS.findall(result.out + result.err) == []
    assert result.out or expected.outcome == "error"


def test_every_file_has_a_sidecar_and_every_sidecar_a_file() -> None:
    """A file of which nobody expects anything tests nothing, nor does a sidecar alone."""
    made = {name for name, expected in EXPECTED.items() if expected.make}
    assert FILES.keys() & made == set()
    assert FILES.keys() | made == EXPECTED.keys()


@pytest.mark.parametrize("folder", ["bytes", "values", "messages"])
def test_a_whole_folder_is_read_at_once(folder: str) -> None:
    """Every file is accounted for, and every record: what is no trace is listed by name."""
    here = {name: each for name, each in EXPECTED.items() if name.startswith(f"{folder}/")}
    stored = {name: each for name, each in here.items() if not each.make}
    plain = [each for each in stored.values() if each.outcome != "error"]
    strict = sum(1 for each in plain if "--strict" in each.options)
    reading = read(CORPUS / folder, keep_duplicates=True)
    assert len(list(reading)) == sum(each.scored for each in plain) + strict
    account = reading.account
    assert account.rejected_count == sum(len(each.rejects) for each in plain) - strict
    assert (account.files, account.failed) == (len(plain), [])
    assert len(account.skipped) == len(here) + len(stored) - len(plain)


@pytest.mark.parametrize("folder", ["bytes", "values", "messages"])
def test_reading_opens_no_other_file_and_no_socket(folder: str) -> None:
    """A trace that names addresses and paths makes nobody fetch them (M4)."""
    command = [sys.executable, "-c", WATCHED, *map(str, (RUNS, CORPUS / folder))]
    output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    events = [line.split("\t") for line in output.splitlines()]
    opened = {Path(what).name for event, what in events if event == "open"}
    assert opened == {path.name for path in FILES.values() if path.parent.name == folder}
    doing = ("socket", "subprocess", "os.system", "os.exec", "ctypes", "exec", "import", "shutil")
    assert [event for event, _ in events if event.startswith(doing)] == []


def test_every_recipe_is_wanted(recipes: dict) -> None:
    """A recipe that no sidecar names makes nothing."""
    assert {each.make for each in EXPECTED.values() if each.make} == recipes.keys()


def test_every_number_has_a_file_or_a_reason() -> None:
    """What RELIABILITY lists is tested, or stands in the list of what cannot be."""
    wanted = {f"{group}{number:02}" for group, numbers in NUMBERS.items() for number in numbers}
    found = {name.split("/")[1].split("_")[0] for name in EXPECTED}
    assert found & LATER.keys() == set()
    assert wanted - found == LATER.keys()


def test_the_numbers_are_those_of_reliability(shared: Path) -> None:
    """A number that was added to the text is missed here."""
    text = (shared / "RELIABILITY.md").read_text("utf-8")
    for group, section in (("b", "3.1"), ("j", "3.2"), ("y", "3.4")):
        (part,) = re.findall(rf"(?s)### {section} .*?\n(.*?)\n###", text)
        numbers = {int(found) for found in re.findall(rf"(?:^|· ){group.upper()}(\d+) ", part)}
        assert numbers >= NUMBERS[group]
        assert group == "b" or numbers == NUMBERS[group]
