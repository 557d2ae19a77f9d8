"""The benchmark against the articles: their code is cut out of prose, and does what they print."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
TEXT = """Una tesis, con "comillas" y un paréntesis (abierto.

    def suelta(): no es Python

from os import path

@staticmethod
def doble(n):
    return n * 2


VECES = 3
print("no se ejecuta")

Y eso fue todo lo que hacía falta.

import json

def triple(n):
    return n * 3
"""


@pytest.fixture(scope="module")
def articles() -> Iterator[ModuleType]:
    """Return the benchmark as a module."""
    sys.path.insert(0, str(BENCHMARKS))
    import articles

    yield articles
    sys.path.remove(str(BENCHMARKS))
    for name in ("articles", "score"):
        del sys.modules[name]


def run(articles: ModuleType, text: str, *wanted: str) -> dict[str, object]:
    """Return what a listing defines."""
    found: dict[str, object] = {}
    exec(compile(articles.extract(text, wanted), "text", "exec"), found)  # noqa: S102  # the text stands above
    return found


def test_a_listing_is_cut_out_of_prose(articles: ModuleType) -> None:
    """From its first import up to the sentence after it, and the second one by itself."""
    found = run(articles, TEXT, "doble")
    assert (found["doble"](4), found["VECES"], "triple" in found) == (8, 3, False)
    assert run(articles, TEXT, "triple")["triple"](4) == 12


def test_only_definitions_are_executed(
    articles: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """A call that stands in a listing, such as its demonstration, is left out."""
    run(articles, TEXT, "doble")
    assert capsys.readouterr().out == ""


def test_a_text_that_changed_is_told(articles: ModuleType, tmp_path: Path) -> None:
    """By the names that no listing defines together, and the file."""
    with pytest.raises(ValueError, match="no listing defines doble, triple; the text may"):
        articles.extract(TEXT, ("doble", "triple"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(articles, "ARTICLES", tmp_path)
        (tmp_path / "001-path-assertions.txt").write_text(TEXT, "utf-8")
        with pytest.raises(
            SystemExit, match=r"001-path-assertions\.txt: no listing defines evaluar"
        ):
            articles.load_article("001-path-assertions")


@pytest.mark.shared
def test_article_000_prints_what_it_says(articles: ModuleType) -> None:
    """Its two runs, with the results that stand under the listing."""
    its = articles.load_article("000-trajectories")
    case = {"id": "saldo_001", "trayectoria_referencia": ["buscar_cliente", "ver_saldo"]}
    steps = [
        *[("ver_saldo", {"id": None}, "ERROR: id es obligatorio", 1800, 30)] * 3,
        ("listar_clientes", {}, "[... 40k tokens ...]", 42000, 25),
        ("buscar_cliente", {"rut": "12345678-9"}, "id=8812", 44000, 40),
        ("ver_saldo", {"id": 8812}, "142900", 45000, 30),
    ]
    made = [
        its.Paso(tool, given, seen, "ERROR" not in seen, read, written)
        for tool, given, seen, read, written in steps
    ]
    found = its.evaluar_caso(its.Trayectoria(made, "", exito=True), case)
    assert found == {
        "id": "saldo_001", "exito": True, "camino_ok": True, "eficiencia": 0.333, "bucle": True,
        "redundantes": 2, "pasos": 6, "costo_usd": 0.41197, "paso_culpable": 1,
    }  # fmt: skip


@pytest.mark.shared
def test_a_line_of_the_workload_reaches_the_three(articles: ModuleType, tmp_path: Path) -> None:
    """By hand: b was expected and a forbidden; x is invented, and b wants a whole number."""
    case = {"id": "c", "mode": "set", "reference": [{"name": "b", "arguments": {"n": 1}}]}
    case |= {"min_steps": 1, "required": ["b"], "forbidden": ["a"], "dependencies": [["a", "b"]]}
    messages: list[dict[str, object]] = [{"role": "system", "content": ""}]
    for name, seen in (("x", "ERROR: la herramienta 'x' no existe"), ("b", "ERROR de argumentos")):
        made = [{"id": name, "function": {"name": name, "arguments": '{"n": "two"}'}}]
        spent = {"prompt_tokens": 100, "completion_tokens": 10}
        messages.append({"tool_calls": made, "usage": spent, "latency_ms": 1})
        messages.append({"role": "tool", "content": seen})
    cases, tools = tmp_path / "cases.jsonl", tmp_path / "tools.json"
    cases.write_text(json.dumps(case) + "\n", "utf-8")
    schema = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
    told = {"description": "", "parameters": schema}
    tools.write_text(json.dumps([{"function": {"name": name, **told}} for name in "ab"]), "utf-8")
    theirs = articles.Theirs()
    theirs.load(cases, tools)
    record = {"case_id": "c", "success": False, "messages": [*messages, {"content": "no"}]}
    paths, rules, chosen = theirs.score(json.dumps(record))
    assert (paths["camino_ok"], paths["eficiencia"], paths["paso_culpable"]) == (True, 0.5, 1)
    assert paths["costo_usd"] == 0.0009  # 200 tokens at 3 and 20 at 15 dollars a million
    assert rules == ["'b' sin 'a' previo"]
    assert (chosen["tasa_alucinadas"], chosen["validez_esquema"]) == (0.5, 0.5)
