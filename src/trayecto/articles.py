"""The functions of the articles as they were published, over our values.

For whoever compares with the articles: every key, every rounding and every convention is theirs,
also where our own metrics say something else, and why (each metric's docstring tells):

- an empty run has efficiency 0.0, and argument accuracy and selection are 0.0 of nothing;
- a repeated call is redundant whatever it showed, so waiting for a change counts;
- ``paso_culpable`` blames the first error of runs that succeeded as well;
- selection is compared place by place, so one inserted call shifts the rest;
- a call of a tool that does not exist passes as valid against its schema.

Where the articles have no word for what is unknown, there is None: an unknown success, and the cost
of unknown tokens.

Source: article 000 (``evaluar_caso``, ``agregar``), article 001 (``evaluar``), article 002
(``metricas_tool_use``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import TypedDict

from trayecto.case import Case, Mode
from trayecto.contracts import Toolbox, ToolContract
from trayecto.facts import family
from trayecto.trajectory import Call, Json, Trajectory

PRICE_IN, PRICE_OUT = 3.0, 15.0  # dollars per million tokens, in article 000
LOOP = 3
Names = Sequence[str]


class CaseResult(TypedDict):
    """What ``evaluar_caso`` returns."""

    id: str
    exito: bool | None
    camino_ok: bool
    eficiencia: float
    bucle: bool
    redundantes: int
    pasos: int
    costo_usd: float | None
    paso_culpable: int | None


class Aggregate(TypedDict):
    """What ``agregar`` returns."""

    n: int
    exito_tarea: float | None
    camino_ok: float
    eficiencia_media: float
    tasa_bucles: float
    costo_medio_usd: float | None
    fallos_por_paso: dict[int, int]


class ToolUse(TypedDict):
    """What ``metricas_tool_use`` returns."""

    tasa_alucinadas: float
    validez_esquema: float
    precision_seleccion: float
    exactitud_argumentos: float
    violaciones_dependencia: list[tuple[str, str]]
    n_llamadas: int


def coincide_exacto(obs: Names, ref: Names) -> bool:
    """Whether both are the same."""
    return list(obs) == list(ref)


def coincide_subsecuencia(obs: Names, ref: Names) -> bool:
    """Whether ``ref`` appears in order; other names may come between."""
    rest = iter(obs)
    return all(name in rest for name in ref)


def coincide_conjunto(obs: Names, ref: Names) -> bool:
    """Whether every name of ``ref`` appears."""
    return set(ref).issubset(obs)


COMPARADORES: dict[Mode, Callable[[Names, Names], bool]] = {
    "exact": coincide_exacto,
    "in_order": coincide_subsecuencia,
    "any_order": coincide_conjunto,
}


def _firma(call: Call) -> str:
    return f"{call.tool}({json.dumps(call.arguments, sort_keys=True)})"


def detectar_bucle(trajectory: Trajectory, n: int = LOOP) -> bool:
    """Whether one call was made ``n`` times with one observation."""
    seen = Counter((_firma(call), call.observation or "") for call in trajectory.calls)
    return any(times >= n for times in seen.values())


def pasos_redundantes(trajectory: Trajectory) -> int:
    """How many calls repeat an earlier one."""
    signatures = [_firma(call) for call in trajectory.calls]
    return len(signatures) - len(set(signatures))


def eficiencia(trajectory: Trajectory, pasos_minimos: int) -> float:
    """The fewest calls over the calls made, at most 1.0; 0.0 without a call."""
    made = len(trajectory.calls)
    return min(1.0, pasos_minimos / made) if made else 0.0


def paso_culpable(trajectory: Trajectory, ref: Names | None = None) -> int | None:
    """The first call that failed, else where the path leaves ``ref``; counted from 1."""
    calls = trajectory.calls
    names = [call.tool for call in calls]
    failed = next((call.index for call in calls if call.outcome == "error"), None)
    if failed is not None or not ref or coincide_subsecuencia(names, ref):
        return failed
    return next((call.index for call in calls if call.tool not in ref), len(calls) or None)


def _costo_usd(trajectory: Trajectory) -> float | None:
    """All tokens at the article's prices, cached ones as any; None where they are not known."""
    parts = [part.usage for member in family(trajectory) for part in member.spent]
    used = [usage for usage in parts if usage is not None]
    if not used or len(used) < len(parts):
        return None
    read = sum(u.input + (u.cache_read or 0) + (u.cache_write or 0) for u in used)
    return (read * PRICE_IN + sum(u.output for u in used) * PRICE_OUT) / 1_000_000


def evaluar_caso(trajectory: Trajectory, case: Case) -> CaseResult:
    """Score one trajectory by its case, as article 000 does.

    The case must have a reference in one of the article's three modes; raises ValueError otherwise.
    """
    reference = case.secret.reference
    if reference is None or reference.match not in COMPARADORES:
        mode = "no reference" if reference is None else f"mode {reference.match!r}"
        message = f"case {case.id!r}: {mode}; article 000 compares in {', '.join(COMPARADORES)}"
        raise ValueError(message)
    names = [call.tool for call in trajectory.calls]
    fewest = case.secret.min_calls
    cost = _costo_usd(trajectory)
    return {
        "id": case.id,
        "exito": trajectory.success,
        "camino_ok": COMPARADORES[reference.match](names, reference.tools),
        "eficiencia": round(
            eficiencia(trajectory, len(reference.tools) if fewest is None else fewest), 3
        ),
        "bucle": detectar_bucle(trajectory),
        "redundantes": pasos_redundantes(trajectory),
        "pasos": len(names),
        "costo_usd": None if cost is None else round(cost, 5),
        "paso_culpable": paso_culpable(trajectory, reference.tools),
    }


def agregar(resultados: Sequence[CaseResult]) -> Aggregate:
    """Aggregate results that were rounded already, as article 000 does.

    Raises ValueError for none at all: the article divides by their number.
    """
    if not resultados:
        message = "there is no result to aggregate"
        raise ValueError(message)
    successes = [result for result in resultados if result["exito"]]
    known = [result["exito"] for result in resultados if result["exito"] is not None]
    costs = [result["costo_usd"] for result in resultados if result["costo_usd"] is not None]
    culprits = [result["paso_culpable"] for result in resultados]
    whole = len(resultados)
    return {
        "n": whole,
        "exito_tarea": round(mean(known), 3) if len(known) == whole else None,
        "camino_ok": round(mean(result["camino_ok"] for result in resultados), 3),
        "eficiencia_media": (
            round(mean(result["eficiencia"] for result in successes), 3) if successes else 0.0
        ),
        "tasa_bucles": round(mean(result["bucle"] for result in resultados), 3),
        "costo_medio_usd": round(mean(costs), 5) if len(costs) == whole else None,
        "fallos_por_paso": dict(Counter(step for step in culprits if step)),
    }


def evaluar(case: Case, trajectory: Trajectory) -> list[str]:
    """Article 001's failures, in its words; empty where the path keeps every rule."""
    secret = case.secret
    used = [call.tool for call in trajectory.calls]
    failures: list[str] = []
    missing = set(secret.required) - set(used)
    if missing:
        failures.append(f"faltan herramientas: {sorted(missing)}")
    forbidden = set(secret.forbidden) & set(used)
    if forbidden:
        failures.append(f"herramientas prohibidas: {sorted(forbidden)}")
    if secret.max_calls is not None and len(used) > secret.max_calls:
        failures.append(f"{len(used)} pasos (tope {secret.max_calls})")
    failures += [
        f"'{after}' sin '{before}' previo"
        for before, after in secret.order
        if after in used and before not in used[: used.index(after)]
    ]
    return failures


def metricas_tool_use(
    trajectory: Trajectory, case: Case, tools: Mapping[str, ToolContract]
) -> ToolUse:
    """Article 002's five failures, by the tools that the agent was given."""
    calls = trajectory.calls
    reference = case.secret.reference
    expected = () if reference is None else reference.entries
    invented = [call for call in calls if call.tool not in tools]
    known = [call for call in calls if call.tool in tools]
    _, invalid = Toolbox(tools.values()).check(known)
    valid = [call for call in known if call not in invalid]
    pairs = [(c, e) for c, e in zip(valid, expected, strict=False) if c.tool == e.tool]
    right = sum(_coinciden(call.arguments, entry.arguments or {}) for call, entry in pairs)
    names = [call.tool for call in valid]
    total = len(calls) or 1
    return {
        "tasa_alucinadas": len(invented) / total,
        "validez_esquema": 1 - (len(known) - len(valid)) / total,
        "precision_seleccion": len(pairs) / max(len(expected), 1),
        "exactitud_argumentos": right / max(len(pairs), 1),
        "violaciones_dependencia": [
            (before, after)
            for before, after in case.secret.order
            if after in names and before not in names[: names.index(after)]
        ],
        "n_llamadas": len(calls),
    }


def _coinciden(made: dict[str, Json] | str, expected: dict[str, Json]) -> bool:
    """Whether every expected value was given: texts but for case and the space around them."""
    given = made if isinstance(made, dict) else {}
    return all(_coincide(given.get(name), value) for name, value in expected.items())


def _coincide(made: Json, expected: Json) -> bool:
    if isinstance(made, str) and isinstance(expected, str):
        return made.strip().lower() == expected.strip().lower()
    return made == expected
