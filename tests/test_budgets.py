"""The size and shape that every file of the package keeps to; ruff checks the branches (C901)."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "trayecto"
SOURCES = sorted(PACKAGE.rglob("*.py"))
PYTHON_FILES = [p for d in ("src", "tests", "benchmarks") for p in sorted((ROOT / d).rglob("*.py"))]

# Files that may say Any, each with its reason.
ANY_ALLOWED: dict[str, str] = {}

EMPTY_NAMES = re.compile(r"(^|_)(util|utils|helper|helpers|common|base|manager|managers)(_|$)")
SUPPRESSION = re.compile(r"(?i)#\s*(type:\s*ignore|noqa|pragma:\s*no\s*(cover|branch))")
SUPPRESSION_WITH_REASON = re.compile(
    r"# (type: ignore\[[\w, -]+\]|noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*|pragma: no (cover|branch))"
    r" +# \S.{9,}"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    """Return the file's place in the project, for messages."""
    return path.relative_to(ROOT).as_posix()


def nodes(kind: type | tuple[type, ...]) -> Iterator[tuple[str, ast.AST]]:
    """Yield every node of a kind in the package, with the file it is in."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, kind):
                yield name_of(path), node


def functions() -> dict[str, Function]:
    """Return every function of the package by file, line and name."""
    found = nodes((ast.FunctionDef, ast.AsyncFunctionDef))
    return {f"{file}:{node.lineno} {node.name}": node for file, node in found}


def length(node: Function) -> int:
    """Count a function's lines from its `def` on, docstring included."""
    return node.end_lineno - node.lineno + 1


def parameters(node: Function) -> int:
    """Count a function's parameters, keyword-only and starred ones too, `self` and `cls` not."""
    a = node.args
    named = [arg.arg for arg in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if arg]
    return len(named) - (named[:1] in (["self"], ["cls"]))


def catches_all(node: ast.ExceptHandler) -> bool:
    """Say whether a handler catches every error: bare, Exception or BaseException."""
    names = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else set()
    return node.type is None or bool(names & {"Exception", "BaseException"})


def public(node: ast.AST, place: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield a module and its public classes, functions and methods, nested functions left out."""
    yield place, node
    for child in getattr(node, "body", ()):
        named = isinstance(child, Function | ast.ClassDef)
        if named and not child.name.startswith("_") and not isinstance(node, Function):
            yield from public(child, f"{place} {child.name}")


def comments(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every comment of a file with its place."""
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield f"{name_of(path)}:{token.start[0]}", token.string


def lines_of(folder: Path) -> int:
    """Count the lines with something on them in a folder's Python files."""
    files = folder.rglob("*.py")
    return sum(bool(line.strip()) for p in files for line in p.read_text("utf-8").splitlines())


def test_no_file_is_longer_than_400_lines() -> None:
    """A file can be read in one sitting."""
    sizes = {name_of(p): len(p.read_text("utf-8").splitlines()) for p in SOURCES}
    assert sizes, "no source file was found"
    assert {file: n for file, n in sizes.items() if n > 400} == {}


def test_no_function_is_longer_than_50_lines() -> None:
    """A function fits on a screen."""
    assert {place: length(f) for place, f in functions().items() if length(f) > 50} == {}


def test_the_mean_function_has_at_most_12_lines() -> None:
    """Most functions say one thing."""
    lengths = [length(f) for f in functions().values()] or [0]
    assert fmean(lengths) <= 12, f"{len(lengths)} functions"


def test_no_function_has_more_than_6_parameters() -> None:
    """What belongs together is one value, not seven parameters."""
    found = {place: parameters(f) for place, f in functions().items()}
    assert {place: n for place, n in found.items() if n > 6} == {}


def test_no_explicit_any() -> None:
    """What is read from outside is decoded into a declared type, never into Any."""
    names = [(file, node) for file, node in nodes(ast.Name) if node.id == "Any"]
    names += [(file, node) for file, node in nodes(ast.Attribute) if node.attr == "Any"]
    found = {f"{file}:{node.lineno}" for file, node in names if file not in ANY_ALLOWED}
    assert found == set()


def test_every_excuse_for_any_is_needed_and_has_a_reason() -> None:
    """An excuse goes when the file that needed it does."""
    for file, reason in ANY_ALLOWED.items():
        assert len(reason.split()) >= 3, file
        assert "Any" in (ROOT / file).read_text("utf-8"), file


def test_at_most_one_broad_except() -> None:
    """Only the user's agent may fail in ways we cannot name."""
    handlers = nodes(ast.ExceptHandler)
    broad = [f"{file}:{node.lineno}" for file, node in handlers if catches_all(node)]
    assert len(broad) <= 1, broad


def test_everything_public_is_documented() -> None:
    """Every module and every public class, function and method says what it is for."""
    trees = ((ast.parse(p.read_text("utf-8")), name_of(p)) for p in SOURCES)
    found = [pair for tree, place in trees for pair in public(tree, place)]
    assert [place for place, node in found if not ast.get_docstring(node)] == []


def test_every_suppression_has_its_code_and_its_reason() -> None:
    """A silenced checker is `# noqa: CODE  # reason` or `# type: ignore[code]  # reason`."""
    pairs = [pair for path in PYTHON_FILES for pair in comments(path)]
    found = [f"{place} {text}" for place, text in pairs if SUPPRESSION.search(text)]
    bare = [text for text in found if not SUPPRESSION_WITH_REASON.search(text)]
    assert bare == []


def test_no_module_has_an_empty_name() -> None:
    """A file is named after what it holds, not after being useful."""
    paths = [p.relative_to(PACKAGE) for p in PACKAGE.rglob("*")]
    assert [p.as_posix() for p in paths if EMPTY_NAMES.search(p.stem)] == []


def test_tests_have_at_least_1_3_lines_for_each_line() -> None:
    """The tests are longer than what they test."""
    tests, source = lines_of(ROOT / "tests"), lines_of(PACKAGE)
    assert source > 0, "no source line was found"
    assert tests >= 1.3 * source, f"{tests} test lines for {source} source lines"
