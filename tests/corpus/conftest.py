"""What is too large or too odd for a repository is made when it is wanted: a recipe a name."""

from __future__ import annotations

import itertools
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

Recipe = Callable[[Path], Path]

GOOD = (
    b'{"messages": [{"role": "user", "content": "hola"}, '
    b'{"role": "assistant", "content": "listo"}], "id": "good"}\n'
)
MB = 1 << 20
GROWS = """
from trayecto.scores import Score
UNIT, BETTER = "count", "lower"
def grows(facts, case):
    \"\"\"Not a metric: whoever scores a run with it makes the file grow, once for each run.\"\"\"
    with open("b23_grows.jsonl", "ab") as file:
        file.write(b'{"messages": []}\\n')
    return Score(0)
"""


def _lines(folder: Path, *lines: bytes, name: str = "runs.jsonl") -> Path:
    path = folder / name
    path.write_bytes(b"".join(lines))
    return path


def _state(value: bytes) -> bytes:
    return b'{"id": "bad", "messages": [], "final_state": ' + value + b"}\n"


def _long(size: int) -> bytes:
    return b'{"messages": [{"role": "user", "content": "' + b"a" * size + b'"}]}\n'


def _endless(folder: Path, start: bytes) -> Path:
    """A line of 1 GB: what follows the start takes no place on the disk."""
    path = _lines(folder, start + b"a" * 5000)
    os.truncate(path, 10**9)
    return path


def deep(folder: Path) -> Path:
    """A value 100,000 levels deep."""
    return _lines(folder, GOOD, _state(b"[" * 100_000 + b"]" * 100_000))


def deep_alone(folder: Path) -> Path:
    """The same, and nothing else in the file."""
    return _lines(folder, _state(b"[" * 100_000 + b"]" * 100_000))


def long_string(folder: Path) -> Path:
    """A text of 20 MB."""
    return _lines(folder, GOOD, _long(20 * MB))


def long_string_alone(folder: Path) -> Path:
    """The same, and nothing else in the file."""
    return _lines(folder, _long(20 * MB))


def long_line(folder: Path) -> Path:
    """A line of 65 MB between two good ones."""
    return _lines(folder, GOOD, _long(65 * MB), GOOD)


def endless_line(folder: Path) -> Path:
    """A file that is one line of 1 GB, and begins like a conversation."""
    return _endless(folder, _long(0)[:-5])


def endless_list(folder: Path) -> Path:
    """A file that is one line of 1 GB, and begins like a list of conversations."""
    return _endless(folder, b"[" + GOOD.strip() + b"," + _long(0)[:-5])


def growing(folder: Path) -> Path:
    """A file that grows by a line whenever one of its runs is scored."""
    (folder / "grows.py").write_text(GROWS, "utf-8")
    return _lines(folder, GOOD * 200, name="b23_grows.jsonl")


def fifo(folder: Path) -> Path:
    """A pipe into which nobody writes."""
    os.mkfifo(folder / "pipe.jsonl")
    return folder / "pipe.jsonl"


def device(_: Path) -> Path:
    """A device that never ends."""
    return Path("/dev/zero")


def directory(folder: Path) -> Path:
    """A folder with nothing in it."""
    (folder / "empty").mkdir()
    return folder / "empty"


def unix_socket(folder: Path) -> Path:
    """A socket: its name must be short, so it is bound from inside the folder."""
    before = Path.cwd()
    os.chdir(folder)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket.jsonl")
    os.chdir(before)
    return folder / "socket.jsonl"


def loop(folder: Path) -> Path:
    """A link to a link to itself."""
    (folder / "one.jsonl").symlink_to("two.jsonl")
    (folder / "two.jsonl").symlink_to("one.jsonl")
    return folder / "one.jsonl"


def no_permission(folder: Path) -> Path:
    """A good file that nobody may read."""
    path = _lines(folder, GOOD)
    path.chmod(0)
    return path


def named(name: str, content: bytes = GOOD) -> Recipe:
    """A file of this name."""
    return lambda folder: _lines(folder, content, name=name)


def many_keys(folder: Path) -> Path:
    """An object of a million keys."""
    keys = b",".join(b'"k%d":1' % number for number in range(1_000_000))
    return _lines(folder, GOOD, _state(b"{" + keys + b"}"))


def many_keys_alone(folder: Path) -> Path:
    """The same, and nothing else in the file."""
    path = many_keys(folder)
    path.write_bytes(path.read_bytes().removeprefix(GOOD))
    return path


def many_values(folder: Path) -> Path:
    """A list of 20 million empty lists: 60 MB here, some gigabytes once they are objects."""
    return _lines(folder, _state(b"[" + b"[]," * (20 * 10**6 - 1) + b"[]]"), GOOD)


def colliding_keys(folder: Path) -> Path:
    """65,536 keys that are one to hash functions which multiply by 31: "Aa" and "BB" are."""
    words = ("".join(parts) for parts in itertools.product(("Aa", "BB"), repeat=16))
    return _lines(folder, GOOD, _state(json.dumps(dict.fromkeys(words, 1)).encode()))


def case_bomb(folder: Path) -> Path:
    """Nine levels of aliases, ten of each inside the next: a billion values."""
    lines = ["a0: &a0 [" + ", ".join("x" * 10) + "]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return _lines(folder, "\n".join(lines).encode(), name="bomb.yaml")


def long_id(folder: Path) -> Path:
    """A case whose id has 10,000 characters."""
    text = f"cases:\n  - {{id: {'a' * 10_000}, required: [find]}}\n"
    return _lines(folder, text.encode(), name="cases.yaml")


def case_values(folder: Path) -> Path:
    """A case of 20 million empty lists in a line."""
    lists = b"[]," * (20 * 10**6 - 1) + b"[]"
    return _lines(folder, b'{"id": "a", "required": [' + lists + b"]}\n", name="cases.jsonl")


def case_depth(folder: Path) -> Path:
    """A case 100,000 levels deep."""
    text = b"cases: " + b"[" * 100_000 + b"]" * 100_000
    return _lines(folder, text, name="cases.yaml")


def case_string(folder: Path) -> Path:
    """A case whose task has 20 million characters."""
    text = b'{"id": "a", "required": ["find"], "task": "' + b"a" * (20 * MB) + b'"}\n'
    return _lines(folder, text, name="cases.jsonl")


def many_cases(folder: Path) -> Path:
    """200 MB of cases, of which the first is that of the run."""
    path = folder / "cases.jsonl"
    text = "x" * 900
    with path.open("w", encoding="utf-8") as file:
        file.write('{"id": "a", "required": ["find"]}\n')
        for number in range(210_000):
            file.write(f'{{"id": "c{number}", "task": "{text}", "required": ["find"]}}\n')
    return path


def contract(reference: str) -> Recipe:
    """Return a recipe of a suite that names its tools, whose schema is a reference."""

    def make(folder: Path) -> Path:
        tools = [{"name": "find", "input_schema": {"$ref": reference}}]
        (folder / "tools.json").write_text(json.dumps(tools), "utf-8")
        path = folder / "suite.yaml"
        path.write_text("tools: tools.json\ncases: [{id: a, reference: [find]}]\n", "utf-8")
        return path

    return make


RECIPES: dict[str, Recipe] = {
    recipe.__name__: recipe
    for recipe in (
        *(deep, deep_alone, long_string, long_string_alone, long_line, endless_line, endless_list),
        *(growing, fifo, device, directory, unix_socket, loop, no_permission),
        *(many_keys, many_keys_alone, many_values, colliding_keys),
        *(case_bomb, case_values, case_depth, case_string, long_id, many_cases),
    )
}
RECIPES |= {
    "named_newline": named("two\nlines.jsonl"),
    "named_newline_empty": named("two\nlines.jsonl", b""),
    "named_option": named("-rf"),
    "contract_http": contract("http://127.0.0.1:9/schema.json"),
    "contract_file": contract("file:///etc/hostname"),
    "contract_circle": contract("#"),
    "named_backwards": named("a\u202elnosj.jsonl"),
    "named_255_bytes": named("n" * 249 + ".jsonl"),
}


@pytest.fixture
def recipes() -> dict[str, Recipe]:
    """Every recipe by its name: it writes into a folder, and returns what is to be read."""
    return RECIPES
