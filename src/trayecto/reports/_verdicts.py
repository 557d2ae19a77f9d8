"""Every sentence and label of a comparison, in English and in Spanish.

A word for a metric is said with the rule that it rests on: "better" with a test, "not worse" with a
margin, and "undecided" in every other case. That nothing was found is never told as a finding.
"""

from __future__ import annotations

from typing import Final

from trayecto.reports._codes import Texts
from trayecto.reports._words import Lang, chosen

VERDICTS: Final[Texts] = {
    "better": ("better", "mejor"),
    "worse": ("worse", "peor"),
    "undecided": ("undecided", "sin decidir"),
    "no_worse": ("not worse", "no peor"),
}
HOWS: Final[Texts] = {
    "tool": (
        "step {step}: {base} (turn {base_turn}) against {candidate} (turn {candidate_turn})",
        "paso {step}: {base} (turno {base_turn}) frente a {candidate} (turno {candidate_turn})",
    ),
    "arguments": (
        "step {step}: {base} with other arguments (turns {base_turn}, {candidate_turn})",
        "paso {step}: {base} con otros argumentos (turnos {base_turn}, {candidate_turn})",
    ),
    "ended": (
        "step {step}: {tool} (turn {turn}) in the {side} only: the other run has ended",
        "paso {step}: {tool} (turno {turn}) solo en la {side}: la otra corrida terminó",
    ),
    "none": ("the same steps to the end", "los mismos pasos hasta el final"),
}
ASPECTS: Final[Texts] = {
    "model": ("model", "modelo"),
    "prompt": ("prompt", "prompt"),
    "tools": ("tools", "herramientas"),
    "options": ("options", "opciones"),
}
CAVEATS: Final[Texts] = {
    "success_contradicts_trajectory": (
        (
            "Recorded successes that had to write and wrote nothing: {base} in the base, "
            "{candidate} in the candidate."
        ),
        (
            "Éxitos registrados que debían escribir y no escribieron nada: {base} en la base, "
            "{candidate} en la candidata."
        ),
    ),
    "infrastructure_differs": (
        (
            "Runs that broke without the agent's fault: {base} in the base, {candidate} in the "
            "candidate. Above 5 % on a side, or further apart than 2 points or chance, nothing is "
            "said of success."
        ),
        (
            "Corridas que se rompieron sin culpa del agente: {base} en la base, {candidate} en la "
            "candidata. Con más de 5 % en un lado, o más distancia que 2 puntos o el azar, nada se "
            "dice del éxito."
        ),
    ),
    "not_graded": (
        (
            "Runs without a grade: {base} in the base, {candidate} in the candidate. Above 5 % "
            "on a side nothing is said of success."
        ),
        (
            "Corridas sin calificar: {base} en la base, {candidate} en la candidata. Con más de "
            "5 % en un lado nada se dice del éxito."
        ),
    ),
    "several_things_differ": (
        "Several things differ ({base}): which one made the difference, nobody can tell.",
        "Difieren varias cosas ({base}): no se puede saber cuál hizo la diferencia.",
    ),
    "cannot_be_significant": (
        (
            "With {base} independent task no test can reach 0.05, whatever the outcome.|"
            "With {base} independent tasks no test can reach 0.05, whatever the outcome."
        ),
        (
            "Con {base} tarea independiente ninguna prueba puede llegar a 0.05, pase lo que pase.|"
            "Con {base} tareas independientes ninguna prueba puede llegar a 0.05, pase lo que pase."
        ),
    ),
    "pooled": (
        "{base} suites are joined: a task is suite and case.",
        "Se unieron {base} suites: una tarea es suite y caso.",
    ),
}
TESTS: Final[Texts] = {
    "mcnemar_exact": ("McNemar's exact test", "prueba exacta de McNemar"),
    "sign_flip": ("permutation of signs", "permutación de signos"),
}
EVIDENCE: Final[dict[str, str]] = {
    "no difference was seen, and no number of tasks finds none; a margin can be decided": (
        "no se vio diferencia, y ningún número de tareas halla ninguna; un margen sí se decide"
    ),
    "the difference sits on the margin: no number of tasks or trials decides": (
        "la diferencia está sobre el margen: ningún número de tareas ni de intentos decide"
    ),
    "by the usual formula as many tasks as there are would do; this time they did not": (
        "según la fórmula usual bastarían tantas tareas como hay; esta vez no bastaron"
    ),
    "it would take more than a million tasks": "harían falta más de un millón de tareas",
    "so few tasks do not decide, however many trials each has": (
        "tan pocas tareas no deciden, por muchos intentos que tenga cada una"
    ),
    "the tasks differ more than the runs of each: more trials of them would not do": (
        "las tareas difieren más que las corridas de cada una: más intentos no bastarían"
    ),
    "the runs of a task differ more than the tasks: more trials of each would do as well": (
        "las corridas de una tarea difieren más que las tareas: también sirven más intentos"
    ),
    "some tasks have one trial, and nobody can tell whether more trials would do": (
        "algunas tareas tienen un solo intento: no se puede saber si servirían más"
    ),
    "with one trial a task nobody can tell whether more trials would do": (
        "con un intento por tarea no se puede saber si servirían más intentos"
    ),
}
WORDS: Final[Texts] = {
    "paired": (
        "{n:,} task on both sides|{n:,} tasks on both sides",
        "{n:,} tarea en ambos lados|{n:,} tareas en ambos lados",
    ),
    "by_id": (
        "By id alone, since a side tells no text: {n:,}",
        "Solo por id, porque un lado no dice el texto: {n:,}",
    ),
    "broke": ("the {side}'s run broke ({status})", "la corrida de la {side} se rompió ({status})"),
    "clusters": ("in {n:,} cluster|in {n:,} clusters", "en {n:,} grupo|en {n:,} grupos"),
    "only_base": ("{n:,} only in the base", "{n:,} solo en la base"),
    "only_candidate": ("{n:,} only in the candidate", "{n:,} solo en la candidata"),
    "other_text": ("{n:,} with another text", "{n:,} con otro texto"),
    "unmatched": ("Without a partner: {names}", "Sin pareja: {names}"),
    "untrusted": (
        "recorded success not trustworthy",
        "el éxito registrado no es confiable",
    ),
    "from_to": (
        "{name} {base} → {candidate}, {difference} (95 %: {interval})",
        "{name} {base} → {candidate}, {difference} (95 %: {interval})",
    ),
    "no_interval": ("no interval", "sin intervalo"),
    "counts": (
        "{won:,} won, {lost:,} lost of {n:,} task|{won:,} won, {lost:,} lost of {n:,} tasks",
        (
            "ganadas {won:,}, perdidas {lost:,} de {n:,} tarea|"
            "ganadas {won:,}, perdidas {lost:,} de {n:,} tareas"
        ),
    ),
    "tested": ("{test}: {p}", "{test}: {p}"),
    "ignoring": (
        "McNemar's test, which ignores clusters: {p}",
        "prueba de McNemar, que ignora los grupos: {p}",
    ),
    "holds": (
        "not worse by more than {margin} points (lower bound {lower})",
        "no peor por más de {margin} puntos (cota inferior {lower})",
    ),
    "margin_open": (
        "the margin of {margin} points is not excluded (bounds {lower} to {upper})",
        "no se excluye el margen de {margin} puntos (cotas {lower} a {upper})",
    ),
    "margin_broken": (
        "worse by more than {margin} points (upper bound {upper})",
        "peor por más de {margin} puntos (cota superior {upper})",
    ),
    "open": (
        "The interval holds both a loss and a gain.",
        "El intervalo contiene tanto una pérdida como una ganancia.",
    ),
    "test_decides": (
        "The interval holds no zero, and yet the test does not reach 0.05: the test decides.",
        "El intervalo no contiene el cero, pero la prueba no llega a 0.05: decide la prueba.",
    ),
    "fewer": (
        "On {n:,} of {most:,} tasks: {names}",
        "Sobre {n:,} de {most:,} tareas: {names}",
    ),
    "by_test": (
        "Undecided by the test, although the interval holds no zero: {names}",
        "Sin decidir por la prueba, aunque el intervalo no contiene el cero: {names}",
    ),
    "odd": ("{side}: {n:,} × {what}", "{side}: {n:,} × {what}"),
    "no_interval_of": ("No interval of {names}:", "Sin intervalo de {names}:"),
    "uncompared": ("Not compared: {names} ({why}).", "Sin comparar: {names} ({why})."),
    "unread": (
        "{side}: {n:,} of {of:,} records could not be read.",
        "{side}: {n:,} de {of:,} registros no se pudieron leer.",
    ),
    "fair": (
        "Where the agent had a fair chance: {verdict}",
        "Donde el agente tuvo oportunidad: {verdict}",
    ),
    "not_compared": ("Success was not compared", "No se comparó el éxito"),
    "others": ("Other metrics, {verdict}: {names}", "Otras métricas, {verdict}: {names}"),
    "more_undecided": (
        "{n:,} other metric undecided|{n:,} other metrics undecided",
        "{n:,} métrica más sin decidir|{n:,} métricas más sin decidir",
    ),
    "metric": ("Metric", "Métrica"),
    "base": ("Base", "Base"),
    "candidate": ("Candidate", "Candidata"),
    "difference": ("Diff.", "Dif."),
    "interval": ("95 %", "95 %"),
    "cand": ("Cand.", "Cand."),
    "won_lost": ("+/-", "+/-"),
    "p": ("p", "p"),
    "verdict": ("Verdict", "Veredicto"),
    "marks": (
        (
            "▲ better · ▼ worse · = not worse · ? undecided · +/- tasks won and lost · each "
            "metric is tested by itself at 0.05: of many, one in 20 moves by chance"
        ),
        (
            "▲ mejor · ▼ peor · = no peor · ? sin decidir · +/- tareas ganadas y perdidas · cada "
            "métrica se prueba sola a 0.05: de muchas, una de 20 se mueve por azar"
        ),
    ),
    "points": ("{value} points", "{value} puntos"),
    "no_ratio": ("{name}: no ratio ({why})", "{name}: sin razón ({why})"),
    "no_extra": (
        "No price of a further accepted run: {why}.",
        "Sin precio de una corrida aceptada de más: {why}.",
    ),
    "ratio": ("{name}: {value} ({interval})", "{name}: {value} ({interval})"),
    "extra": (
        "Each further accepted run costs {value}, if the differences seen are true.",
        "Cada corrida aceptada de más cuesta {value}, si las diferencias vistas son ciertas.",
    ),
    "extra_saves": (
        "There are more accepted runs for less: each further one saves {value}.",
        "Hay más corridas aceptadas por menos: cada una de más ahorra {value}.",
    ),
    "differs": ("What differs", "Qué difiere"),
    "same": ("The same on both sides: {names}", "Igual en ambos lados: {names}"),
    "untold": ("not told by both: {names}", "no lo dicen ambos: {names}"),
    "changed": ("Tasks that changed", "Tareas que cambiaron"),
    "lost_won": ("{lost:,} lost · {won:,} won", "perdidas: {lost:,} · ganadas: {won:,}"),
    "no_parting": (
        "no two graded runs show where they part",
        "no hay dos corridas calificadas que muestren dónde se separan",
    ),
    "in_base": ("base", "base"),
    "in_candidate": ("candidate", "candidata"),
    "at_write": ("among writes, {told}", "entre escrituras, {told}"),
    "more": ("and {n:,} more|and {n:,} more", "y {n:,} más|y {n:,} más"),
    "regressions": (
        "Fell by more than half a point",
        "Bajaron más de medio punto",
    ),
    "flag": ("a flag, no verdict", "una marca, no un veredicto"),
    "fell_example": ("{task} {base} → {candidate}", "{task} {base} → {candidate}"),
    "regression": (
        "{name}: {n:,} task|{name}: {n:,} tasks",
        "{name}: {n:,} tarea|{name}: {n:,} tareas",
    ),
    "evidence": ("What would decide", "Qué decidiría"),
    "more_tasks": ("{n:,} more task|{n:,} more tasks", "{n:,} tarea más|{n:,} tareas más"),
    "more_clusters": (
        "in {n:,} more cluster|in {n:,} more clusters",
        "en {n:,} grupo más|en {n:,} grupos más",
    ),
    "more_trials": (
        "{n:,} more trial of each|{n:,} more trials of each",
        "{n:,} intento más de cada una|{n:,} intentos más de cada una",
    ),
    "or": (" or ", " o "),
    "if_true": (
        (
            "{told} would decide with a chance of {power} %, if the difference seen is the true "
            "one: {why}."
        ),
        (
            "{told} decidirían con {power} % de probabilidad, si la diferencia vista es la "
            "verdadera: {why}."
        ),
    ),
    "caveats": ("Before you trust this", "Antes de confiar en esto"),
    "table": ("Candidates", "Candidatas"),
    "success": ("Success", "Éxito"),
    "cost": ("Cost", "Costo"),
    "cost_ratio": ("Ratio", "Razón"),
    "front": (
        "◆ no other is as cheap and as good",
        "◆ ninguna otra es tan barata y tan buena",
    ),
    "no_front": (
        "No Pareto front: costs are not known",
        "Sin frente de Pareto: no se conocen los costos",
    ),
    "holm": (
        "p and word by Holm over the candidates",
        "p y palabra de Holm sobre las candidatas",
    ),
    "ablation": (
        (
            "Where a candidate is the base without one part, its difference with the other sign "
            "is what that part was worth."
        ),
        (
            "Donde una candidata es la base sin una parte, su diferencia con el signo cambiado es "
            "lo que esa parte valía."
        ),
    ),
}


def tell(lang: Lang, key: str, **values: object) -> str:
    """A sentence of a comparison in a language; in the singular where ``n`` is 1."""
    return chosen(WORDS[key], lang, values)


def fill(texts: Texts, lang: Lang, key: str, **values: object) -> str:
    """A template of another part of the catalogue, by its code."""
    return chosen(texts[key], lang, values)


def evidence(lang: Lang, why: str) -> str:
    """A reason of what would decide; as it is where there is no translation."""
    return EVIDENCE.get(why, why) if lang == "es" else why
