"""The front door: its names, their documentation, and that importing it does nothing."""

import subprocess
import sys
from importlib import import_module

import pytest

import trayecto

SLOW = ("msgspec", "rich", "pydantic", "pydantic_core", "yaml", "cyclopts", "genai_prices")


def fresh(code: str) -> str:
    """Run code in a fresh interpreter; return what it printed."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_every_name_can_be_imported() -> None:
    """What is promised is there, under the name by which it was asked for."""
    for name in trayecto.__all__:
        assert getattr(trayecto, name) is not None, name
    assert len(set(trayecto.__all__)) == len(trayecto.__all__)


def test_the_names_are_exactly_the_public_ones() -> None:
    """The list, the places and what completion shows agree."""
    assert dir(trayecto) == sorted(trayecto.__all__)
    assert set(trayecto._PLACES) == set(trayecto.__all__)
    found = fresh("from trayecto import *; print(*sorted(n for n in dir() if n[0] != '_'))")
    assert found.split() == sorted(trayecto.__all__)


def test_there_are_about_twenty() -> None:
    """The design's section 5: about twenty public names."""
    assert 15 <= len(trayecto.__all__) <= 25
    assert {"read", "score", "summarize", "report"} <= set(trayecto.__all__)


@pytest.mark.parametrize("name", trayecto.__all__)
def test_every_name_is_documented(name: str) -> None:
    """Who asks for help gets it, in the words of this package."""
    text = getattr(trayecto, name).__doc__
    assert text
    assert len(text.split()) >= 5


@pytest.mark.parametrize("home", trayecto._HOMES)
def test_a_public_name_is_the_thing_itself(home: str) -> None:
    """It is no copy: a value from a module is an instance of the public type."""
    module = import_module(f"trayecto.{home}")
    for found in trayecto._HOMES[home]:
        there, _, name = found.partition(" as ")
        assert getattr(trayecto, name or there) is getattr(module, there)


def test_importing_it_loads_nothing_slow() -> None:
    """Importing does nothing: each name is loaded when it is first used."""
    code = f"import trayecto, sys; print([m for m in {SLOW!r} if m in sys.modules])"
    assert fresh(code) == "[]"
    mine = (
        "import trayecto, sys; print(*sorted(m for m in sys.modules if m.startswith('trayecto')))"
    )
    assert fresh(mine) == "trayecto"


def test_using_a_name_loads_it() -> None:
    """The first use imports its home, and only what that needs."""
    loaded = "'msgspec' in sys.modules, 'rich' in sys.modules"
    assert fresh(f"import trayecto, sys; trayecto.Score; print({loaded})") == "True False"


def test_a_name_that_is_not_there() -> None:
    """The error is the usual one."""
    with pytest.raises(AttributeError, match="module 'trayecto' has no attribute 'scor'"):
        _ = trayecto.scor
