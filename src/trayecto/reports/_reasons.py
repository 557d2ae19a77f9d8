"""Every reason for which a score has no value, in Spanish; metrics give them in English."""

from __future__ import annotations

import re
from typing import Final

from trayecto.reports._words import Lang

REASONS: Final[dict[str, str]] = {
    "a check failed, and no step that we can see explains it": (
        "una verificación falló y ningún paso visible lo explica"
    ),
    "a generation has no token counts": "una generación no tiene conteo de tokens",
    "a price goes by request, and the requests are not told apart": (
        "un precio va por pedido y los pedidos no se distinguen"
    ),
    "a price goes by the second, and a recorded time cannot be": (
        "un precio va por segundo y un tiempo registrado es imposible"
    ),
    "a price goes by the second, and the trace has no times": (
        "un precio va por segundo y la traza no tiene tiempos"
    ),
    "a recorded time cannot be": "un tiempo registrado es imposible",
    "a repeated call has no observation": "una llamada repetida no tiene observación",
    "every check we can make passed": "todo lo que se puede verificar pasó",
    "it ended in an error of the agent, although its success was recorded": (
        "terminó en un error del agente, aunque se registró su éxito"
    ),
    "it falls on a run that hit its deadline, and whose time was not recorded": (
        "cae en una corrida que llegó a su plazo y cuyo tiempo no se registró"
    ),
    "it hit its deadline, and its time was not recorded": (
        "llegó a su plazo y su tiempo no se registró"
    ),
    "no call in line has expected arguments": (
        "ninguna llamada alineada tiene argumentos esperados"
    ),
    "no task has a value on both sides": "ninguna tarea tiene valor en ambos lados",
    "every task differs by the same, so nothing tells how much another would": (
        "todas las tareas difieren en lo mismo: nada dice cuánto diferiría otra"
    ),
    "neither direction of this metric is good": "ningún sentido de esta métrica es bueno",
    "the infrastructure failed too often, or more often on one side": (
        "la infraestructura falló demasiado, o más en un lado"
    ),
    "more than 5 % of the runs have no grade on a side": (
        "más de 5 % de las corridas no están calificadas en un lado"
    ),
    "no task has a run on both sides in which the agent had a fair chance": (
        "ninguna tarea tiene en ambos lados una corrida en que el agente tuvo oportunidad"
    ),
    "not every paired task has so many graded trials on both sides": (
        "no todas las tareas tienen tantos intentos calificados en ambos lados"
    ),
    "too few tasks to bound it": "muy pocas tareas para acotarlo",
    "what people's minutes cost is not told by task": (
        "lo que cuestan los minutos de las personas no se dice por tarea"
    ),
    "the base costs nothing on the paired tasks": "la base no cuesta nada en las tareas comunes",
    "not every run of the paired tasks tells it on both sides": (
        "no todas las corridas de las tareas comunes lo dicen en ambos lados"
    ),
    "not every run of the paired tasks is known to be accepted or not on both sides": (
        "no de todas las corridas de las tareas comunes se sabe si se aceptan"
    ),
    "the candidate has no more accepted runs than the base": (
        "la candidata no tiene más corridas aceptadas que la base"
    ),
    "every cluster gives the same, so nothing tells how much another would differ": (
        "todos los grupos dan lo mismo: nada dice cuánto diferiría otro"
    ),
    "one cluster: nothing tells how much another would differ": (
        "un solo grupo: nada dice cuánto diferiría otro"
    ),
    "no call failed": "ninguna llamada falló",
    "no call was done": "ninguna llamada se completó",
    "no price table was given": "no se dio una tabla de precios",
    "no reference path": "no hay camino de referencia",
    "no reference path and no expected value": "no hay camino de referencia ni valor esperado",
    "no reference path and no min_calls": "no hay camino de referencia ni min_calls",
    "no run succeeded": "ninguna corrida tuvo éxito",
    "no run was accepted": "ninguna corrida fue aceptada",
    "a limit is set, and the trace does not tell what was spent": (
        "hay un límite y la traza no dice cuánto se gastó"
    ),
    "no price of a person's minute is stated": "no se declara el precio de un minuto humano",
    "no run tells interventions": "ninguna corrida dice las intervenciones",
    "no run tells the minutes of people": "ninguna corrida dice los minutos humanos",
    "no run tells whether somebody gave it up": "ninguna corrida dice si alguien la abandonó",
    "no trial was planned": "no se planificó ningún intento",
    "nobody gave a run up": "nadie abandonó una corrida",
    "only runs that were given up say so": "solo lo dicen las corridas abandonadas",
    "no call could be held against a schema": "ninguna llamada se pudo comparar con un esquema",
    "no call has an observation": "ninguna llamada tiene observación",
    "nobody knows whether the run succeeded": "nadie sabe si la corrida tuvo éxito",
    "nobody told which tools only read": "nadie dijo qué herramientas solo leen",
    "nobody told which tools there were": "nadie dijo qué herramientas había",
    "the trace does not tell the final state": "la traza no dice el estado final",
    "the trace does not tell the state before the first call": (
        "la traza no dice el estado antes de la primera llamada"
    ),
    "no token counts": "no hay conteo de tokens",
    "nobody recorded whether the attack succeeded": "nadie registró si el ataque tuvo éxito",
    "nobody recorded whether the run failed": "nadie registró si la corrida falló",
    "nobody recorded whether the run succeeded": "nadie registró si la corrida tuvo éxito",
    "other": "otras",
    "out of budget, although its success was recorded": (
        "sin presupuesto, aunque se registró su éxito"
    ),
    "out of time, although its success was recorded": "sin tiempo, aunque se registró su éxito",
    "the agent took no turn": "el agente no tuvo ningún turno",
    "the case does not ask for it": "el caso no lo pide",
    "the harness broke it, although its success was recorded": (
        "la rompió el arnés, aunque se registró su éxito"
    ),
    "the infrastructure broke it, although its success was recorded": (
        "la rompió la infraestructura, aunque se registró su éxito"
    ),
    "the run has no turn of the agent": "la corrida no tiene turnos del agente",
    "the reference is empty": "la referencia está vacía",
    "the reference is empty, and no call was done": (
        "la referencia está vacía y ninguna llamada se completó"
    ),
    "the run made no call": "la corrida no hizo llamadas",
    "the run has no turn": "la corrida no tiene turnos",
    "the run is held: nobody has decided yet": "la corrida está retenida: nadie decidió aún",
    "the run succeeded": "la corrida tuvo éxito",
    "the run was not attacked": "la corrida no fue atacada",
    "the run was not graded": "la corrida no fue calificada",
    "the trace does not say whether the run was attacked": (
        "la traza no dice si la corrida fue atacada"
    ),
    "the trace does not tell cached tokens apart": "la traza no distingue los tokens de caché",
    "the trace tells tokens for the whole run only": (
        "la traza solo da los tokens de toda la corrida"
    ),
    "the trace has no times": "la traza no tiene tiempos",
    "the trace names no model": "la traza no nombra ningún modelo",
}

PATTERNS: Final[dict[re.Pattern[str], str]] = {
    re.compile(r"cost known for (\d+) of (\d+) runs"): r"costo conocido en \1 de \2 corridas",
    re.compile(r"minutes of people known for (\d+) of (\d+) runs"): (
        r"minutos humanos conocidos en \1 de \2 corridas"
    ),
    re.compile(r"acceptance unknown for (\d+) of (\d+) runs"): (
        r"no se sabe si se aceptan \1 de \2 corridas"
    ),
    re.compile(r"([\w.]+) could not be evaluated"): r"no se pudo evaluar \1",
    re.compile(r"no price is known for model (.+)"): r"no se conoce el precio del modelo \1",
    re.compile(r"the price of model (.+) depends on the hour of the request"): (
        r"el precio del modelo \1 depende de la hora del pedido"
    ),
    re.compile(r"the first price of model (.+) begins after the date that was asked for"): (
        r"el primer precio del modelo \1 empieza después de la fecha pedida"
    ),
    re.compile(r"an empty reference asserts nothing in mode (\w+)"): (
        r"una referencia vacía no afirma nada en modo \1"
    ),
    re.compile(r"the run broke \((\w+)\)"): r"la corrida se rompió (\1)",
}


def reason(lang: Lang, why: str) -> str:
    """A reason in a language, where it is known; else as it was given."""
    if lang == "en":
        return why
    for pattern, words in PATTERNS.items():
        if found := pattern.fullmatch(why):
            return found.expand(words)
    return REASONS.get(why, why)
