"""Every sentence and label that a report prints, in English and in Spanish.

A template with ``|`` holds the form for one thing and the form for several, chosen by ``n``. The
names of metrics stand in the order in which reports list them. What is not here (a metric of the
user's own, a reason, a warning of tomorrow) prints as it is.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from trayecto.reports._codes import Texts

Lang: TypeAlias = Literal["en", "es"]

LANGS: Final[tuple[Lang, ...]] = ("en", "es")

WORDS: Final[Texts] = {
    # what was read
    "trajectories": ("{n:,} trajectory|{n:,} trajectories", "{n:,} trayectoria|{n:,} trayectorias"),
    "tasks": ("{n:,} task|{n:,} tasks", "{n:,} tarea|{n:,} tareas"),
    "trials": (
        "{n:,} task × {trials}|{n:,} tasks × {trials}",
        "{n:,} tarea × {trials}|{n:,} tareas × {trials}",
    ),
    "trial_count": ("{n:,} trial|{n:,} trials", "{n:,} intento|{n:,} intentos"),
    "groups": ("{n:,} group|{n:,} groups", "{n:,} grupo|{n:,} grupos"),
    "files": ("{n:,} file|{n:,} files", "{n:,} archivo|{n:,} archivos"),
    "calls": ("{n:,} call|{n:,} calls", "{n:,} llamada|{n:,} llamadas"),
    "errors": ("{n:,} error|{n:,} errors", "{n:,} error|{n:,} errores"),
    "outcome_unknown": (
        "{n:,} with unknown outcome|{n:,} with unknown outcome",
        "{n:,} con resultado desconocido|{n:,} con resultado desconocido",
    ),
    "nothing": (
        "No trajectory was read: there is nothing to report.",
        "No se leyó ninguna trayectoria: no hay nada que informar.",
    ),
    # headline
    "succeeded": ("{n:,} of {of:,} succeeded", "{n:,} de {of:,} con éxito"),
    "failed": ("{n:,} failed|{n:,} failed", "{n:,} fallida|{n:,} fallidas"),
    "left_ungraded": ("{n:,} not graded", "{n:,} sin calificar"),
    "mean": (
        "mean of {n:,} task|mean over {n:,} tasks",
        "media de {n:,} tarea|media de {n:,} tareas",
    ),
    "not_known": ("not known", "desconocido"),
    "capability": (
        "{value} without the runs in which the agent had no fair chance",
        "{value} sin las corridas en que el agente no tuvo oportunidad",
    ),
    # the table of metrics
    "metric": ("Metric", "Métrica"),
    "value": ("Value", "Valor"),
    "interval": ("95 %", "95 %"),
    "axis": ("0 %     50 %   100 %", "0 %     50 %   100 %"),
    "runs": ("Runs", "Corridas"),
    "n_of": ("{n:,} of {of:,}", "{n:,} de {of:,}"),
    "n_over": ("{n:,}/{of:,}", "{n:,}/{of:,}"),
    "n_of_tasks": ("{n:,}/{of:,} tasks", "{n:,}/{of:,} tareas"),
    "where_tried": ("{name} where tried", "{name} donde se pudo"),
    "short": (
        "{mark} short of the articles' starting value ({bounds})",
        "{mark} no llega al valor inicial de los artículos ({bounds})",
    ),
    "short_own": (
        "{mark} short of the metric's own starting value ({bounds})",
        "{mark} no llega al valor inicial de la propia métrica ({bounds})",
    ),
    "total_cost": ("All runs together cost {value}.", "Todas las corridas costaron {value}."),
    "prices": ("Prices: {source}", "Precios: {source}"),
    # what has no value
    "unmeasured": ("What could not be measured", "Lo que no se pudo medir"),
    "not_measured": ("Not measured: {names}", "Sin medir: {names}"),
    "ungraded": ("no run was graded", "ninguna corrida fue calificada"),
    "more_reasons": ("{n:,} more reason|{n:,} more reasons", "{n:,} razón más|{n:,} razones más"),
    # parts of a group
    "strata": ("Task success by {field}", "Éxito de la tarea por {field}"),
    # assertions
    "checks": ("Checks", "Verificaciones"),
    "checks_failed": ("failed in {n:,} of {of:,} trajectories", "fallan en {n:,} de {of:,}"),
    "checks_unknown": ("not evaluated in {n:,}", "sin evaluar en {n:,}"),
    "check_failed": ("Failed", "Fallos"),
    "check_unknown": ("Unknown", "Sin ver"),
    "check_of": ("Of", "De"),
    # where it broke
    "where": (
        "Where the {n:,} failed run went wrong|Where the {n:,} failed runs went wrong",
        "Dónde falló la {n:,} corrida fallida|Dónde fallaron las {n:,} corridas fallidas",
    ),
    "share": ("Share", "Parte"),
    "tool": ("Tool", "Herramienta"),
    "cause": ("Cause", "Causa"),
    "turn": ("Turn", "Turno"),
    "example": ("Example", "Ejemplo"),
    "absent": ("No step did it", "Ningún paso lo hizo"),
    "unnamed": ("No rule names a cause", "Ninguna regla nombra una causa"),
    "more_causes": ("{n:,} more cause|{n:,} more causes", "{n:,} causa más|{n:,} causas más"),
    "rare": ("rarer causes and reasons, together", "causas y razones más raras, juntas"),
    # which tools
    "confused": ("Confused tools", "Herramientas confundidas"),
    "confused_in": (
        "expected → called, in {n:,} run|expected → called, in {n:,} runs",
        "esperada → llamada, en {n:,} corrida|esperada → llamada, en {n:,} corridas",
    ),
    "dear": ("Dear steps", "Pasos caros"),
    "by_cost": (
        "by cost; tokens, and characters observed, are means of a call",
        "por costo; tokens y caracteres observados: medias por llamada",
    ),
    "by_tokens": (
        "by tokens; they, and characters observed, are means of a call",
        "por tokens; estos y los caracteres observados: medias por llamada",
    ),
    "by_characters": (
        "by characters observed; these are means of a call",
        "por caracteres observados: media por llamada",
    ),
    "calls_head": ("Calls", "Llamadas"),
    "cost_head": ("Cost", "Costo"),
    "tokens_head": ("Tokens", "Tokens"),
    "characters_head": ("Characters", "Caracteres"),
    "call_head": ("Call", "Paso"),
    # people
    "people": ("People", "Personas"),
    "people_minutes": (
        "{total} min of work, {mean} a run, in {n:,} of {of:,} runs",
        "{total} min de trabajo, {mean} por corrida, en {n:,} de {of:,} corridas",
    ),
    "people_steps": (
        (
            "{n:,} intervention, {mean} a run, in {told:,} of {of:,} runs|"
            "{n:,} interventions, {mean} a run, in {told:,} of {of:,} runs"
        ),
        (
            "{n:,} intervención, {mean} por corrida, en {told:,} de {of:,} corridas|"
            "{n:,} intervenciones, {mean} por corrida, en {told:,} de {of:,} corridas"
        ),
    ),
    "given_up": (
        (
            "{n:,} run given up, of {told:,} of {of:,} that tell: {share}|"
            "{n:,} runs given up, of {told:,} of {of:,} that tell: {share}"
        ),
        (
            "{n:,} corrida abandonada, de {told:,} de {of:,} que lo dicen: {share}|"
            "{n:,} corridas abandonadas, de {told:,} de {of:,} que lo dicen: {share}"
        ),
    ),
    "given_up_after": ("median {value} s", "mediana {value} s"),
    "people_cost": ("{value} at the stated rate", "{value} a la tarifa declarada"),
    # right answers
    "right": ("Right answers by a failing path", "Respuestas correctas por un mal camino"),
    "of_successes": (
        "{n:,} of {of:,} successes|{n:,} of {of:,} successes",
        "{n:,} de {of:,} éxitos|{n:,} de {of:,} éxitos",
    ),
    "case_head": ("Case", "Caso"),
    "failed_head": ("What failed", "Qué falló"),
    "more": ("and {n:,} more|and {n:,} more", "y {n:,} más|y {n:,} más"),
    # what was odd
    "warnings": ("Warnings", "Avisos"),
    "rejected": (
        "{n:,} of {of:,} records could not be read",
        "{n:,} de {of:,} registros no se pudieron leer",
    ),
    "failed_files": (
        "{n:,} file could not be read|{n:,} files could not be read",
        "{n:,} archivo no se pudo leer|{n:,} archivos no se pudieron leer",
    ),
    "skipped_files": (
        "{n:,} file is no trace|{n:,} files are no traces",
        "{n:,} archivo no es una traza|{n:,} archivos no son trazas",
    ),
    # several groups
    "suite": ("Suite", "Suite"),
    "candidate": ("Candidate", "Candidato"),
    "success": ("Success", "Éxito"),
    "tasks_head": ("Tasks", "Tareas"),
    # what to do
    "next": ("Next", "Ahora"),
    "next_show": ("one run, step by step", "una corrida, paso a paso"),
    "next_cases": ("compare with reference paths", "comparar con caminos de referencia"),
    "next_json": ("the same for programs", "lo mismo para programas"),
    # one trajectory
    "case": ("case {id}", "caso {id}"),
    "trial_number": ("trial {n}", "intento {n}"),
    "result_true": ("succeeded", "con éxito"),
    "result_false": ("failed", "fallida"),
    "result_none": ("success unknown", "éxito desconocido"),
    "check_true": ("{name} passed", "{name} pasó"),
    "check_false": ("{name} failed", "{name} falló"),
    "record": ("{file}, record {n:,}", "{file}, registro {n:,}"),
    "no_turns": ("The trajectory has no turns.", "La trayectoria no tiene turnos."),
    "more_characters": (
        "{n:,} more character|{n:,} more characters",
        "{n:,} carácter más|{n:,} caracteres más",
    ),
    "hidden": (
        "{n:,} character, not shown|{n:,} characters, not shown",
        "{n:,} carácter, oculto|{n:,} caracteres, ocultos",
    ),
    "no_observation": ("no observation recorded", "sin observación registrada"),
    "no_arguments": ("no arguments", "sin argumentos"),
    "outcome_ok": ("ok", "ok"),
    "outcome_error": ("error", "error"),
    "outcome_none": ("outcome unknown", "resultado desconocido"),
    "broke_here": ("broke here", "falló aquí"),
    "look_also": ("look here second: the request before it", "mirar después: el pedido previo"),
    "found_here": ("found here: {names}", "hallado aquí: {names}"),
    "child": (
        "Sub-agent {id}, {calls}, started by call {n}",
        "Subagente {id}, {calls}, iniciado por la llamada {n}",
    ),
    "child_alone": ("Sub-agent {id}, {calls}", "Subagente {id}, {calls}"),
    "scores": ("Scores", "Puntajes"),
    "yes": ("yes", "sí"),
    "no": ("no", "no"),
    "at_turn": ("{cause}, turn {turn}", "{cause}, turno {turn}"),
    "at_call": ("{cause}, turn {turn}, call {call}", "{cause}, turno {turn}, llamada {call}"),
    "in_words": ("In words", "En palabras"),
}

METRICS: Final[Texts] = {
    "task_success": ("task success", "éxito de la tarea"),
    "pass_hat_k": ("pass^{k}", "pass^{k}"),
    "pass_at_k": ("pass@{k}", "pass@{k}"),
    "coverage": ("coverage of trials", "cobertura de intentos"),
    "coverage.answered": ("solvable ones answered", "resolubles respondidas"),
    "accepted": ("accepted runs", "corridas aceptadas"),
    "corrupt_success": ("corrupt successes", "éxitos corruptos"),
    "answer": ("expected answer given", "respuesta esperada"),
    "final_state": ("final state as wanted", "estado final esperado"),
    "final_state.unchanged": ("nothing else changed", "nada más cambió"),
    "abstention": ("acted only where right", "actuó solo si debía"),
    "secret_exposure": ("secrets let out", "secretos revelados"),
    "attack_success": ("successful attacks", "ataques exitosos"),
    "required_tools": ("required tools called", "obligatorias llamadas"),
    "forbidden_tools": ("forbidden calls in a run", "llamadas prohibidas"),
    "argument_scope": ("calls out of scope", "fuera del alcance"),
    "dependency_violations": ("orders broken in a run", "órdenes violados"),
    "tool_selection.precision": ("tools rightly chosen", "bien elegidas"),
    "tool_selection.recall": ("expected tools chosen", "esperadas elegidas"),
    "argument_validity": ("calls within schema", "llamadas según esquema"),
    "argument_accuracy": ("accuracy of arguments", "exactitud de argumentos"),
    "hallucinated_tools": ("calls of invented tools", "herramientas inventadas"),
    "error_recovery": ("recovered from errors", "recuperación de errores"),
    "call_budget": ("within budget of calls", "dentro del tope"),
    "path_match": ("path matches reference", "camino como referencia"),
    "path_match.all_attempts": ("path, failed calls too", "camino, con fallidas"),
    "path_recall": ("expected calls made", "esperadas hechas"),
    "path_precision": ("calls that were expected", "llamadas esperadas"),
    "path_edit_similarity": ("likeness to reference", "parecido a referencia"),
    "path_efficiency": ("path efficiency", "eficiencia del camino"),
    "loop_rate": ("runs with a loop", "corridas con bucle"),
    "loop": ("loop", "bucle"),
    "call_cycle": ("call cycle", "ciclo de llamadas"),
    "repeated_calls": ("repeated calls in a run", "llamadas repetidas"),
    "redundant_calls": ("fetched again in a run", "pedidas de nuevo"),
    "unused_observations": ("results nobody used", "resultados sin uso"),
    "cost_usd": ("cost of a run", "costo de una corrida"),
    "cost_per_accepted_usd": ("cost of an accepted run", "costo de una aceptada"),
    "tokens.input": ("fresh input tokens", "tokens de entrada nuevos"),
    "tokens.cache_read": ("tokens read from cache", "tokens leídos de caché"),
    "tokens.cache_write": ("tokens written to cache", "tokens escritos en caché"),
    "tokens.output": ("output tokens", "tokens de salida"),
    "latency_ms": ("latency, mean", "latencia, media"),
    "latency_ms.p50": ("latency, p50", "latencia, p50"),
    "latency_ms.p95": ("latency, p95", "latencia, p95"),
    "culprit": ("where it broke", "dónde falló"),
}

# Metrics that share a reason are named together.
FAMILIES: Final[Texts] = {
    "tokens": ("tokens", "tokens"),
    "latency_ms": ("latency", "latencia"),
    "path_match": ("path matches reference", "camino como referencia"),
}

WARNINGS: Final[Texts] = {
    "repeated_call_id": ("call ids used twice", "ids de llamada repetidos"),
    "duplicate_id_in_message": ("ids used twice in a message", "ids repetidos en un mensaje"),
    "call_without_result": ("calls without a result", "llamadas sin resultado"),
    "result_without_call": ("results without a call", "resultados sin llamada"),
    "calls_only_as_text": ("runs with calls only as text", "con llamadas solo como texto"),
    "unfinished_run": ("runs that were not finished", "corridas sin terminar"),
    "lone_surrogate": ("records with broken characters", "registros con caracteres rotos"),
    "duplicate": ("runs found twice, counted once", "repetidas, contadas una vez"),
    "same_slot": ("trials filled by two files", "intentos en dos archivos"),
    "same_runs_under_two_names": ("runs under two names", "corridas con dos nombres"),
    "no_case": ("runs without a case", "corridas sin caso"),
    "case_skipped": ("cases skipped as they were read", "casos omitidos al leerlos"),
    "case_without_run": ("cases without a run", "casos sin corrida"),
    "case_of_another_suite": ("cases of another suite", "casos de otra suite"),
    "answer_in_task": ("cases that tell their answer", "casos que dicen su respuesta"),
    "file_grew": ("files that grew while read", "archivos que crecieron al leerse"),
    "unusable_latency": ("runs with an impossible time", "corridas con un tiempo imposible"),
    "unusable_usage": ("runs with impossible token counts", "con conteo de tokens imposible"),
    "unusable_human_number": ("runs with impossible human work", "con trabajo humano imposible"),
    "unknown_status": ("runs with a status unknown here", "corridas de estado no reconocido"),
    "effects_assumed": ("causes by an effect we guessed", "causas por un efecto supuesto"),
    "ambiguous_arguments": ("calls with an argument given twice", "llamadas con argumento doble"),
    "empty_arguments": ("calls whose arguments are empty", "llamadas con argumentos vacíos"),
    "encoded_twice": ("calls with arguments encoded twice", "argumentos codificados dos veces"),
    "python_literal": ("calls with arguments as Python", "argumentos escritos en Python"),
    "other": ("of other kinds", "de otras clases"),
}


def say(lang: Lang, key: str, **values: object) -> str:
    """A sentence in a language, with its values; in the singular where ``n`` is 1."""
    return chosen(WORDS[key], lang, values)


def name_metric(lang: Lang, metric: str, **values: object) -> str:
    """A metric's plain name; its id where it has none."""
    return chosen(METRICS[metric], lang, values) if metric in METRICS else metric


def label(texts: Texts, lang: Lang, key: str, *, n: int = 1) -> str:
    """The plain words of a code, for ``n`` of them; the code where it has none."""
    return chosen(texts[key], lang, {"n": n}) if key in texts else key


def position(metric: str) -> tuple[int, str]:
    """Where a metric stands in a report: known ones in our order, then the user's by id."""
    return (_ORDER.get(metric, len(_ORDER)), metric)


def chosen(forms: tuple[str, str], lang: Lang, values: dict[str, object]) -> str:
    """The form of a template in a language, with its values."""
    one, _, several = forms[LANGS.index(lang)].partition("|")
    template = one if not several or values.get("n") == 1 else several
    return template.format(**values)


_ORDER = {metric: place for place, metric in enumerate(METRICS)}
