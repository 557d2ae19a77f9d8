"""The articles' functions: key by key what the articles' own code gives (golden.json)."""

import json
from pathlib import Path
from typing import Any

import pytest

from trayecto import articles
from trayecto.case import Case, CaseInput, CaseSecret, expect, refer
from trayecto.contracts import Toolbox, ToolContract
from trayecto.trajectory import Call, Spent, Trajectory, Turn, Usage

GOLDEN = Path(__file__).resolve().parents[2] / "shared" / "golden" / "golden.json"
REF = ["buscar_cliente", "ver_saldo"]
MODES = {"exacto": "exact", "subsecuencia": "in_order", "conjunto": "any_order"}


def golden(name: str) -> dict[str, Any]:
    """Return one entry of the golden file."""
    entries = json.loads(GOLDEN.read_text("utf-8"))["golden"]
    return next(entry for entry in entries if entry["id"] == name)


def run(*calls: tuple[str, Any, str, str], **fields: object) -> Trajectory:
    """Make a trajectory of calls: tool, arguments, observation, outcome."""
    made = tuple(Call(at, *call) for at, call in enumerate(calls, 1))
    names = {"id": "r", "suite": "s", "candidate": "c", "case_id": "k", "trial": None}
    return Trajectory(**names, turns=(Turn(1, "assistant", None, made),), **fields)


def named(*tools: str) -> Trajectory:
    """Make a trajectory of bare names."""
    return run(*[(tool, {}, "ok", "ok") for tool in tools])


def case(tools: list[str], mode: str = "in_order", **secret: object) -> Case:
    """Make a case whose reference names tools."""
    return Case(
        "saldo_001",
        CaseInput(),
        CaseSecret(refer([(expect(t, None),) for t in tools], mode), **secret),
    )


def steps(given: list[dict[str, Any]]) -> Trajectory:
    """Make the trajectory of a golden entry's steps; both runs of the article succeeded."""
    calls = [(s["tool"], s["args"], s["obs"], "ok" if s["ok"] else "error") for s in given]
    used = Usage(sum(s["tin"] for s in given), None, None, sum(s["tout"] for s in given))
    return run(*calls, success=True, spent=(Spent("m", used),))


@pytest.mark.shared
@pytest.mark.parametrize("name", ["sana", "patologica"])
def test_evaluar_caso(name: str) -> None:
    """Article 000's published output, equal key by key."""
    entry = golden(f"article000_evaluar_caso_{name}")
    found = articles.evaluar_caso(steps(entry["input"]["steps"]), case(REF, min_calls=2))
    assert found == entry["expected"]


@pytest.mark.shared
def test_agregar() -> None:
    """Rounded twice, and a success blamed: as published."""
    both = [
        golden(f"article000_evaluar_caso_{name}")["expected"] for name in ("sana", "patologica")
    ]
    found = articles.agregar(both)
    expected = golden("article000_agregar_both")["expected"]
    assert {
        **found,
        "fallos_por_paso": {str(k): v for k, v in found["fallos_por_paso"].items()},
    } == expected


@pytest.mark.shared
@pytest.mark.parametrize("name", ["poll", "empty", "key_order", "early_fail", "inverted"])
def test_edge_cases(name: str) -> None:
    """The runs that the golden entry describes in words; what is polled is not in the reference."""
    poll = [("consultar_estado", {"pedido": 77}, f"etapa {n}", "ok") for n in range(3)]
    orders = [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 2}]
    runs = {
        "poll": run(*poll),
        "empty": run(),
        "key_order": run(*[("consultar_estado", arguments, "x", "ok") for arguments in orders]),
        "early_fail": run(("buscar_cliente", {}, "ERROR", "error")),
        "inverted": named("ver_saldo", "buscar_cliente"),
    }
    found = articles.evaluar_caso(runs[name], case(REF, min_calls=2))
    expected = golden("article000_edge_cases")["expected"][name]
    assert {key: found[key] for key in expected} == expected


@pytest.mark.shared
@pytest.mark.parametrize("mode", MODES)
def test_the_three_ways_to_compare(mode: str) -> None:
    """Five paths, by name only."""
    entry = golden(f"article000_match_{mode}")
    given = case(entry["input"]["ref"], MODES[mode])
    paths = [named(*observed) for observed in entry["input"]["observed"]]
    assert [articles.evaluar_caso(path, given)["camino_ok"] for path in paths] == entry["expected"]


@pytest.mark.shared
def test_evaluar() -> None:
    """Article 001's sentences, in its order."""
    entry = golden("article001_evaluar")
    given = entry["input"]
    secret = CaseSecret(
        required=tuple(given["required"]),
        forbidden=tuple(given["forbidden"]),
        max_calls=given["max_steps"],
        order=tuple(map(tuple, given["order"])),
    )
    rules = Case("k", CaseInput(), secret)
    assert [articles.evaluar(rules, named(*made)) for made in given["runs"]] == entry["expected"]


def contract(name: str, **kinds: str) -> ToolContract:
    """Return a tool whose arguments are all required, each of a JSON type."""
    properties = {key: {"type": kind} for key, kind in kinds.items()}
    return ToolContract(
        name, "", {"type": "object", "properties": properties, "required": [*kinds]}
    )


TOOLS = {
    "buscar_cliente": contract("buscar_cliente", rut="string"),
    "ver_saldo": contract("ver_saldo", id="integer"),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", ["ok", "mixed", "inverted", "none"])
def test_metricas_tool_use(name: str) -> None:
    """Article 002 as coded; the golden entry writes a violated pair as two names in a row."""
    entry = golden("article002_metricas_tool_use_as_coded")
    given = entry["input"]["case"]
    calls = [(expect(c["nombre"], c["argumentos"]),) for c in given["llamadas_esperadas"]]
    secret = CaseSecret(refer(calls), order=tuple(map(tuple, given["dependencias"])))
    made = run(*[(tool, arguments, "", "ok") for tool, arguments in entry["input"]["runs"][name]])
    found = articles.metricas_tool_use(made, Case("k", CaseInput(), secret), TOOLS)
    pairs = [tool for pair in found["violaciones_dependencia"] for tool in pair]
    assert {**found, "violaciones_dependencia": pairs} == entry["expected"][name]


def test_what_is_unknown_is_none() -> None:
    """No success recorded, no tokens: the articles have no word for either."""
    found = articles.evaluar_caso(named(*REF), case(REF))
    assert (found["exito"], found["costo_usd"]) == (None, None)
    whole = articles.agregar([found])
    assert (whole["exito_tarea"], whole["costo_medio_usd"], whole["camino_ok"]) == (None, None, 1)


def test_what_the_article_cannot_compare_is_refused() -> None:
    """No reference, a mode that it does not have, nothing to aggregate."""
    with pytest.raises(ValueError, match="no reference; article 000 compares in exact, in_order"):
        articles.evaluar_caso(run(), Case("k", CaseInput(), CaseSecret()))
    with pytest.raises(ValueError, match="mode 'subset'"):
        articles.evaluar_caso(run(), case(REF, "subset"))
    with pytest.raises(ValueError, match="no result"):
        articles.agregar([])


def test_text_for_arguments_fits_no_schema() -> None:
    """Broken arguments are the agent's fault, and no crash; texts match but for case and space."""
    broken = Call(1, "ver_saldo", "{", None, "ok")
    assert Toolbox(TOOLS.values()).check([broken]) == (1, [broken])
    wanted = Case(
        "k", CaseInput(), CaseSecret(refer([(expect("buscar_cliente", {"rut": " A "}),)]))
    )
    made = run(("buscar_cliente", {"rut": "a"}, "", "ok"), ("ver_saldo", "{", "", "error"))
    found = articles.metricas_tool_use(made, wanted, TOOLS)
    assert (found["exactitud_argumentos"], found["validez_esquema"]) == (1.0, 0.5)
