"""Cases with the articles' Spanish names are read as they are, and refused under those names."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trayecto.case_formats import CaseFile, articles
from trayecto.case_formats._source import Source

Loaded = Callable[..., CaseFile]
Problems = Callable[..., list[str]]

ARTICLE_000 = """\
- id: saldo_001
  trayectoria_referencia: [buscar_cliente, ver_saldo]
  modo: subsecuencia
  pasos_minimos: 2
"""
ARTICLE_002 = (
    '{"pregunta": "saldo?", "id": "s", "dato_esperado": "142900", "llamadas_esperadas": '
    '[{"nombre": "buscar_cliente", "argumentos": {"rut": "12345678-9"}}, {"nombre": "ver_saldo"}], '
    '"dependencias": [["buscar_cliente", "ver_saldo"]]}\n'
)


def test_the_case_of_article_000(loaded: Loaded) -> None:
    """Its reference, its mode and its fewest steps."""
    [case] = loaded(ARTICLE_000)
    reference = case.secret.reference
    assert reference is not None
    assert (case.id, reference.tools, reference.match) == (
        "saldo_001",
        ("buscar_cliente", "ver_saldo"),
        "in_order",
    )
    assert case.secret.min_calls == 2


@pytest.mark.parametrize(
    ("mode", "ours"), [("exacto", "exact"), ("subsecuencia", "in_order"), ("conjunto", "any_order")]
)
def test_the_articles_modes(loaded: Loaded, mode: str, ours: str) -> None:
    """Ruling 1: read as aliases."""
    [case] = loaded(f"casos:\n  - {{id: a, trayectoria_referencia: [x], modo: {mode}}}\n")
    assert case.secret.reference is not None
    assert case.secret.reference.match == ours


def test_the_case_of_article_001(loaded: Loaded) -> None:
    """Required, forbidden, the most steps, and order."""
    text = (
        "casos:\n  - id: f\n    obligatorias: [ver_factura, verificar_identidad]\n"
        "    prohibidas: [borrar_cliente]\n    max_pasos: 3\n"
        "    orden: [[verificar_identidad, ver_factura]]\n"
    )
    [case] = loaded(text)
    secret = case.secret
    assert secret.required == ("ver_factura", "verificar_identidad")
    assert (secret.forbidden, secret.max_calls) == (("borrar_cliente",), 3)
    assert secret.order == (("verificar_identidad", "ver_factura"),)


def test_the_case_of_article_002(loaded: Loaded) -> None:
    """Its expected calls hold the arguments that count: others may be given beside them."""
    [case] = loaded(ARTICLE_002, "casos.jsonl")
    secret = case.secret
    assert secret.reference is not None
    first, second = secret.reference.entries
    assert first.accepts({"rut": "12345678-9", "more": 1})
    assert not first.accepts({"rut": "12.345.678-9"})
    assert second.arguments is None
    assert (case.task.text, secret.order) == ("saldo?", (("buscar_cliente", "ver_saldo"),))
    assert secret.answer is not None
    assert secret.answer.contains == ("142900",)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            "- {id: a, trayectoria_referencia: [x], pasos_minimos: dos}\n",
            ["cases.yaml:1: [0].pasos_minimos: 'dos' is not a whole number"],
        ),
        (
            "- id: a\n  obligatorias: [x]\n  prohibidas: [x]\n",
            ["cases.yaml:3: [0].prohibidas[0]: 'x' is required too"],
        ),
        (
            "- id: a\n  trayectoria_referencia: [x]\n  llamadas_esperadas: [{nombre: x}]\n",
            ["cases.yaml:3: [0].llamadas_esperadas: trayectoria_referencia says the same"],
        ),
        ("casos: 3\n", ["cases.yaml:1: casos: 3 is not a list of cases"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_under_the_articles_names(
    problems: Problems, content: str, told: list[str]
) -> None:
    """With the line, and with what may have been meant."""
    assert problems(content) == told


def test_a_misspelled_name_is_told_with_what_was_meant(problems: Problems) -> None:
    """The articles' names are offered, not ours."""
    [told] = problems("- id: a\n  trayectoria_referencia: [x]\n  pasos_minimo: 2\n")
    assert told.startswith("cases.yaml:3: [0].pasos_minimo: is no field of the articles; choose id")
    assert told.endswith("Did you mean 'pasos_minimos'?")


def test_broken_lines_are_named(problems: Problems) -> None:
    """A line that is no JSON, one that is no case, and a repeated key."""
    lines = ARTICLE_002 + '{"id": "b",\n3\n{"id": "c", "max_pasos": 1, "max_pasos": 2}\n'
    found = problems(lines, "casos.jsonl")
    assert [line.split(": ")[0] for line in found] == [f"casos.jsonl:{n}" for n in (2, 3, 4)]
    assert found[2].endswith("key 'max_pasos' stands twice in one object")


@pytest.mark.parametrize(
    ("text", "recognised"),
    [
        (ARTICLE_000, True),
        (ARTICLE_002, True),
        ("casos: []\n", True),
        ('[{"id": "a", "max_pasos": 2}]', True),
        ("cases:\n  - id: a\n    state: {max_pasos: 1}\n", False),
        ('{"id": "a", "state": {"max_pasos": 1}, "required": ["x"]}\n', False),
        ("cases:\n  - {id: a, required: [x]}\n", False),
        ("cases:\n  - id: a\n    task: 'lista de obligatorias: x'\n    required: [x]\n", False),
        ('{"id": "a", "task": "dependencias: ninguna", "required": ["x"]}\n', False),
    ],
)
def test_they_are_recognised_by_a_field(tmp_path: Path, text: str, *, recognised: bool) -> None:
    """A word in a text is no field."""
    path = tmp_path / ("cases.jsonl" if text.startswith("{") else "cases.yaml")
    path.write_text(text)
    assert articles.recognises(Source(path)) is recognised
