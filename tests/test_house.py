"""What holds for the project as a whole: locks, folders, changelog, commands."""

import re
import tomllib
from itertools import permutations
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "trayecto"
COLLECTIONS = ("case_formats", "formats", "metrics", "reports", "summaries")
LOCKS = ("core", "dev")


def read(name: str) -> str:
    """Return the text of a file of the project."""
    return (ROOT / name).read_text("utf-8")


def pins(lock: str) -> dict[str, str]:
    """Return the packages that a lock pins, each with its version."""
    return dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", read(f"requirements/{lock}.lock")))


def entries(folder: str) -> list[str]:
    """Return the names of a collection's entries: modules or packages not starting with `_`."""
    found = (PACKAGE / folder).glob("*")
    kept = (p for p in found if p.suffix == ".py" or (p / "__init__.py").is_file())
    return sorted(p.stem for p in kept if not p.stem.startswith("_"))


def targets(text: str) -> set[str]:
    """Return the make targets that a text calls: in backticks or at the start of a line."""
    return set(re.findall(r"(?m)(?:^[ $]*(?:part )?|`)make ([a-z][a-z-]*)", text))


@pytest.fixture(scope="module")
def project() -> dict[str, object]:
    """Return the project table of pyproject.toml."""
    return tomllib.loads(read("pyproject.toml"))["project"]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address(lock: str) -> None:
    """A lock works with whatever package index a machine has."""
    text = read(f"requirements/{lock}.lock")
    assert [word for word in ("://", "index-url", "find-links", "file:") if word in text] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_hash(lock: str) -> None:
    """A changed file on the package index is refused."""
    blocks = re.split(r"(?m)^(?=\S)", read(f"requirements/{lock}.lock"))
    pinned = [block for block in blocks if block.strip()]
    # one that newer Pythons have newer stands twice
    assert {block.partition("==")[0] for block in pinned} == pins(lock).keys()
    assert [block for block in pinned if "--hash=sha256:" not in block] == []


def test_the_core_needs_at_most_30_packages() -> None:
    """Every package more is one more to trust."""
    assert 0 < len(pins("core")) <= 30


def test_both_locks_agree() -> None:
    """What is tested is what is shipped."""
    assert pins("core").items() <= pins("dev").items()


def test_every_dependency_is_locked(project: dict[str, object]) -> None:
    """`make lock` was run after the last change of the dependencies."""
    names = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]}
    assert names - pins("core").keys() == set()


def test_every_supported_python_is_tested(project: dict[str, object]) -> None:
    """The versions in the classifiers are the ones that `make test-all` looks for."""
    claimed = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert claimed == re.search(r"(?m)^VERSIONS := (.*)$", read("Makefile"))[1].split()


@pytest.mark.parametrize("folder", COLLECTIONS)
def test_every_entry_of_a_collection_has_its_own_test(folder: str) -> None:
    """Who looks for the tests of metrics/loop.py finds tests/metrics/test_loop.py."""
    expected = {f"test_{name}.py" for name in entries(folder)}
    assert expected - {p.name for p in (ROOT / "tests" / folder).glob("*.py")} == set()


def test_the_entries_of_a_collection_do_not_import_each_other() -> None:
    """Each entry can be read, changed and removed alone; private helpers (_x.py) may be shared."""
    graph = grimp.build_graph("trayecto", cache_dir=None)
    names = [[f"trayecto.{folder}.{name}" for name in entries(folder)] for folder in COLLECTIONS]
    pairs = [pair for group in names for pair in permutations(group, 2)]
    linked = [(a, b) for a, b in pairs if graph.chain_exists(a, b, as_packages=True)]
    assert linked == []


def test_every_changelog_fragment_is_one_sentence() -> None:
    """A user reads one sentence for each change."""
    fragments = {p.name: p.read_text("utf-8").strip() for p in (ROOT / "changelog.d").glob("*.md")}
    assert fragments, "changelog.d holds no fragment"
    for name, text in fragments.items():
        assert re.fullmatch(r"\d+\.(feature|bugfix|change|removal)\.md", name), name
        assert re.fullmatch(r"[A-Z`].*[^.!?]\.", text), name
        assert not re.search(r"[.!?]\s", text), name


def test_the_readme_and_ci_call_the_same_test_command() -> None:
    """What the README promises is what CI runs."""
    assert {"demo", "test"} <= targets(read("README.md"))
    assert {"test", "test-all", "check"} <= targets(read(".ci/run"))


def test_every_make_command_that_is_named_exists() -> None:
    """No document names a command that is gone."""
    named = [targets(read(f)) for f in ("README.md", "CONTRIBUTING.md", ".ci/run")]
    defined = set(re.findall(r"(?m)^([a-z][a-z-]*):", read("Makefile")))
    assert set().union(*named) - defined == set()
