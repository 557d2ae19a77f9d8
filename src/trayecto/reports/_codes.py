"""The words for codes of our values, in English and in Spanish: causes, statuses, flags of calls.

Templates are read by ``trayecto.reports._words``, as its own are.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Texts: TypeAlias = dict[str, tuple[str, str]]  # English, Spanish

CAUSES: Final[Texts] = {
    "wrong_write": ("wrong write", "escritura errónea"),
    "refused_write": ("refused write", "escritura rechazada"),
    "blocked_by": ("blocked a write", "bloqueó otra"),
    "never_done": ("never done", "nunca hecho"),
    "value_never_said": ("value never said", "valor no dicho"),
    "failed_execution": ("failed execution", "ejecución fallida"),
    "ran_out": ("ran out", "se agotó"),
}

STATUSES: Final[Texts] = {
    "completed": ("completed", "completa|completas"),
    "agent_error": ("agent error|agent errors", "error del agente|errores del agente"),
    "budget_exceeded": ("out of budget", "sin presupuesto"),
    "deadline_exceeded": ("out of time", "sin tiempo"),
    "infra_error": (
        "infrastructure error|infrastructure errors",
        "error de infraestructura|errores de infraestructura",
    ),
    "harness_error": ("harness error|harness errors", "error del arnés|errores del arnés"),
    "sim_invalid": (
        "invalid simulation|invalid simulations",
        "simulación inválida|simulaciones inválidas",
    ),
    "cancelled": ("cancelled", "cancelada|canceladas"),
    "not_run": ("not run", "no ejecutada|no ejecutadas"),
    "unknown": ("with unknown status", "de estado desconocido"),
}

# What was odd about one call as it was read.
FLAGS: Final[Texts] = {
    "ambiguous_arguments": (
        "an argument is given twice: the last one counts",
        "un argumento está dos veces: vale el último",
    ),
    "empty_arguments": ("the trace gives no arguments", "la traza no da argumentos"),
    "encoded_twice": (
        "the arguments are JSON text inside JSON text",
        "los argumentos son texto JSON dentro de texto JSON",
    ),
    "python_literal": (
        "the arguments are written as Python, not as JSON",
        "los argumentos están escritos como Python, no como JSON",
    ),
}
