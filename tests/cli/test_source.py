"""The options that commands share: what is read, and by what it is judged."""

import sys
from pathlib import Path

import pytest

from trayecto.cli._cases import load_judges
from trayecto.cli._source import Input, prepare, typed_path
from trayecto.errors import UsageError
from trayecto.formats import read

LINE = '{"case_id": "c", "success": true, "messages": [{"role": "assistant", "content": "hi"}]}\n'


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    """Return a file with one run."""
    path = tmp_path / "runs.jsonl"
    path.write_text(LINE, "utf-8")
    return path


def test_an_empty_path_is_a_mistake() -> None:
    """An unset variable is not this folder."""
    assert typed_path("runs") == Path("runs")
    with pytest.raises(UsageError, match="an empty path was given"):
        typed_path("")


def test_nothing_is_read_before_it_is_asked_for(traces: Path) -> None:
    """Scores are prepared; then every run is scored by every metric."""
    scores = prepare(read(traces), Input(), load_judges(None, None))
    assert scores.account.records == 0
    (run,) = scores
    assert run.value("task_success") is True
    assert scores.account.records == 1


def test_an_opt_in_metric_by_its_name(traces: Path) -> None:
    """It is computed only where it is named."""
    plain = prepare(read(traces), Input(), load_judges(None, None))
    named = prepare(read(traces), Input(metric=("unused_observations",)), load_judges(None, None))
    extra = {column.id for column in named.columns} - {column.id for column in plain.columns}
    assert extra == {"unused_observations"}


def test_a_metric_of_the_user_s_own(traces: Path, tmp_path: Path, monkeypatch: object) -> None:
    """A module right here is found, as ``python -m`` finds it."""
    (tmp_path / "mine.py").write_text(
        "from trayecto.scores import Score\n"
        "UNIT, BETTER = 'share', 'higher'\n"
        "def polite(facts, case):\n    return Score(True)\n",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(tmp_path)])
    scores = prepare(read(traces), Input(metric=("mine:polite",)), load_judges(None, None))
    (run,) = scores
    assert run.value("polite") is True
    sys.modules.pop("mine", None)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (":f", "write it as module:function"),
        ("no_such_module:f", "ModuleNotFoundError"),
        ("math:nowhere", "AttributeError"),
        ("math:pi", "pi is no function"),
    ],
)
def test_a_metric_that_is_none(traces: Path, name: str, told: str) -> None:
    """One sentence with the name, and no traceback."""
    with pytest.raises(UsageError, match=told):
        prepare(read(traces), Input(metric=(name,)), load_judges(None, None))
