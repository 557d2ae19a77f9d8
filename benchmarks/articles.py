"""How fast scoring is beside the articles' own code on the same file.

    python benchmarks/articles.py [--records 4000 20000] [--rounds 5]

Theirs: the functions that articles 000, 001 and 002 print, a record after the other, each read with
``json.loads`` and turned into their dataclasses by as little as it takes; article 002's own router
holds the arguments against models of pydantic, as it does there. Ours: what
``trayecto score`` does, with every metric, cases and tools given. Both run in turn, each in a
process of its own on one core; CPU seconds with the cases, without start-up. The goal is that ours
takes at most half as long, although it does more.

No line of the articles stands here. Their listings are cut out of ``../shared/articles/*.txt`` and
executed in the process that times them: this is the one place of the project where a text is
executed, and whoever starts it asks for these files. Needs ``../shared/articles`` and
``../shared/perf``.
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Literal

from pydantic import BaseModel, create_model

from score import PERF, ROOT, describe, make_workload, measure, take_one_core, tell

ARTICLES = ROOT.parent / "shared" / "articles"
# What is taken of each article; the functions that are timed come first.
WANTED = {
    "000-trajectories": ("evaluar_caso", "agregar", "Trayectoria", "Paso"),
    "001-path-assertions": ("evaluar", "Caso", "Paso"),
    "002-tool-use": ("metricas_tool_use", "MockRouter", "ToolMock", "Llamada"),
}
MODES = {"exact": "exacto", "subsequence": "subsecuencia", "set": "conjunto"}
NO_BUDGET = 1 << 30  # the cases of the workload set none, and article 001 wants one
GOAL = 2.0
TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list}
TYPES["object"] = dict
DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def extract(text: str, wanted: tuple[str, ...]) -> ast.Module:
    """The first listing in a text that defines all these names: its definitions and imports.

    A listing has no mark of its own. It begins at a line that opens a string or an import, and goes
    on as far as the lines are Python. Raises ValueError where no listing has the names.
    """
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.startswith(('"""', "from ", "import ")):
            listing = _parse(lines[at:])
            named = {getattr(node, "name", "") for node in listing.body}
            if named.issuperset(wanted):
                kept = [node for node in listing.body if isinstance(node, DEFINITIONS)]
                return ast.Module(kept, [])
    raise ValueError(f"no listing defines {', '.join(wanted)}; the text may have changed")


def _parse(lines: list[str]) -> ast.Module:
    """The longest beginning that is Python: what follows it is prose."""
    while True:
        try:
            return ast.parse("\n".join(lines))
        except SyntaxError as problem:
            lines = lines[: min((problem.lineno or 1) - 1, len(lines) - 1)]


def load_article(name: str) -> ModuleType:
    """The code of one article as a module. It is executed: see the top of this file."""
    path = ARTICLES / f"{name}.txt"
    try:
        code = extract(path.read_text("utf-8"), WANTED[name])
    except (OSError, ValueError) as problem:
        sys.exit(f"{path}: {problem}")
    module = sys.modules[f"article_{name[:3]}"] = ModuleType(f"article_{name[:3]}")
    exec(compile(code, str(path), "exec"), module.__dict__)  # noqa: S102  # what this file is for
    return module


class Theirs:
    """The articles' functions, and the little that leads a line of the workload to them."""

    def __init__(self) -> None:
        """Take the code out of the articles."""
        self.paths, self.rules, self.tools = (load_article(name) for name in WANTED)
        self.mocks: dict[str, object] = {}
        self.cases: dict[str, tuple[dict[str, object], object, dict[str, object]]] = {}

    def load(self, cases: Path, tools: Path) -> None:
        """Turn the cases of the workload into the three articles' own."""
        for tool in json.loads(tools.read_text("utf-8")):
            name, told = tool["function"]["name"], tool["function"]["description"]
            model = _model(name, tool["function"]["parameters"])
            self.mocks[name] = self.tools.ToolMock(name, model, told, _say_nothing)
        for line in cases.read_text("utf-8").splitlines():
            case = json.loads(line)
            self.cases[case["id"]] = (
                {
                    "id": case["id"],
                    "trayectoria_referencia": [call["name"] for call in case["reference"]],
                    "modo": MODES[case["mode"]],
                    "pasos_minimos": case["min_steps"],
                },
                self.rules.Caso(
                    case["id"],
                    set(case["required"]),
                    set(case["forbidden"]),
                    NO_BUDGET,
                    [(before, after) for before, after in case["dependencies"]],
                ),
                {
                    "llamadas_esperadas": [
                        {"nombre": call["name"], "argumentos": call["arguments"]}
                        for call in case["reference"]
                    ],
                    "dependencias": case["dependencies"],
                },
            )

    def score(self, line: str) -> tuple[dict[str, object], list[str], dict[str, object]]:
        """What the three articles say of one record."""
        record = json.loads(line)
        of_paths, of_rules, of_tools = self.cases[record["case_id"]]
        calls = list(_calls(record["messages"]))
        run = self.paths.Trayectoria(
            [
                self.paths.Paso(name, given, seen, ok, spent[0], spent[1], late)
                for name, given, seen, ok, spent, late in calls
            ],
            record["messages"][-1]["content"],
            record["success"],
        )
        steps = [self.rules.Paso(name, given, not ok) for name, given, _, ok, _, _ in calls]
        router = self.tools.MockRouter(self.mocks)  # holds arguments against their models
        for name, given, *_ in calls:
            router.ejecutar(name, given)
        return (
            self.paths.evaluar_caso(run, of_paths),
            self.rules.evaluar(of_rules, steps),
            self.tools.metricas_tool_use(router.registro, of_tools),
        )


def _say_nothing(_: object) -> str:
    """What a mock answers: what was observed stands in the record."""
    return ""


def _model(name: str, schema: dict[str, object]) -> type[BaseModel]:
    """A tool's arguments as article 002 describes them: a model of pydantic."""
    fields: dict[str, tuple[object, object]] = {}
    for field, kind in schema["properties"].items():
        if "enum" in kind:
            type_: object = Literal[tuple(kind["enum"])]
        else:
            type_ = TYPES[kind["type"]]
        fields[field] = (type_, ...) if field in schema["required"] else (type_ | None, None)
    return create_model(name, **fields)


Made = tuple[str, dict[str, object], str, bool, tuple[int, int], int]


def _calls(messages: list[dict[str, object]]) -> Iterator[Made]:
    """The calls of a conversation with their results, which follow them at once."""
    for message, answer in pairwise(messages):
        for call in message.get("tool_calls", ()):
            made, usage, seen = call["function"], message["usage"], answer["content"]
            spent = usage["prompt_tokens"], usage["completion_tokens"]
            ok = not seen.startswith("ERROR")
            given = json.loads(made["arguments"])
            yield made["name"], given, seen, ok, spent, message["latency_ms"]


def run_articles(traces: Path, tools: Path) -> None:
    """Time the articles, in this process; what they found goes to stderr."""
    theirs = Theirs()
    started = time.process_time()
    theirs.load(Path(f"{traces.with_suffix('')}.cases.jsonl"), tools)
    loaded = time.process_time()
    with traces.open(encoding="utf-8") as lines:
        found = [theirs.score(line) for line in lines]
    total = theirs.paths.agregar([each for each, _, _ in found])
    scored = time.process_time()
    tell(score=scored - loaded, cases=loaded - started)
    names = [*found[0][0], "fallos", *found[0][2]]
    sys.stderr.write(f"{len(names)} values a run ({', '.join(names)}); {json.dumps(total)}\n")


def measure_articles(traces: Path, tools: Path) -> tuple[float, str]:
    """Run the articles in a process of their own: CPU seconds, and what they computed."""
    command = [sys.executable, __file__, "--traces", str(traces), "--tools", str(tools)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    told = json.loads(done.stdout)
    return told["score"] + told["cases"], done.stderr.strip()


def compare(records: int, rounds: int) -> float:
    """Run both in turn, and print the ratio of each pair and what either computes."""
    traces = make_workload(records)
    tools = Path(f"{traces.with_suffix('')}.tools.json")
    pairs, told = [], ""
    for _ in range(rounds):
        theirs, told = measure_articles(traces, tools)
        ours = measure("product", traces)
        pairs.append((theirs, ours["cases"] + ours["score"]))
    ratios = [theirs / ours for theirs, ours in pairs]
    theirs, ours = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = statistics.median(ratios)
    print(
        f"{records:,} records: the articles {theirs:.2f} CPU s, ours {ours:.2f}: {ratio:.2f} times "
        f"as fast ({min(ratios):.2f} to {max(ratios):.2f})"
    )
    print(f"  theirs: {told}")
    return ratio


def main() -> int:
    """Compare at every size; exit 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, nargs="+", default=[4000, 20_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--traces", type=Path, help="time the articles alone, on this file")
    parser.add_argument("--tools", type=Path)
    asked = parser.parse_args()
    take_one_core()
    if asked.traces:
        run_articles(asked.traces, asked.tools)
        return 0
    print(describe())
    missing = [path for path in (ARTICLES, PERF) if not path.exists()]
    if missing:
        print(f"needs {missing[0].relative_to(ROOT.parent)}, which is not here")
        return 2
    ratios = [compare(records, asked.rounds) for records in asked.records]
    print(f"  ours: {say_ours()}")
    fast = min(ratios) >= GOAL
    print(f"the goal is {'kept' if fast else 'missed'}: at least {GOAL:.0f} times as fast")
    return int(not fast)


def say_ours() -> str:
    """What the product computes of the same file."""
    from trayecto.metrics import score

    columns = [column.id for column in score([]).columns]
    return (
        f"{len(columns)} values a run ({', '.join(columns)}), every call held against the JSON "
        "Schema of its tool; means by task and by difficulty, pass@k and pass^k, where failed runs "
        "broke, confused tools, dear steps, and the reason of every undefined value"
    )


if __name__ == "__main__":
    sys.exit(main())
