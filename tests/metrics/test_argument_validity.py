"""Which calls kept to their schema, and in what way the others did not."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from trayecto.case import Case
from trayecto.contracts import Toolbox, ToolContract
from trayecto.facts import gather
from trayecto.metrics.argument_validity import argument_validity, explain
from trayecto.scores import Score
from trayecto.trajectory import Tool, Trajectory

Make = Callable[..., Any]

CALC = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
PING = {"type": "object", "properties": {}}
TOOLS = Toolbox([ToolContract("calc", "", CALC), ToolContract("ping", "", PING)])


def judge(trajectory: Trajectory, toolbox: Toolbox | None = TOOLS) -> Score:
    """Score a run against the tools."""
    return argument_validity(gather(trajectory, None, None, toolbox), None)


def test_input_09(run: Make) -> None:
    """INPUT-09: of six calls 1, 2, 4 and 6 keep to their schema; 3 is cut and 5 is a list."""
    calls = [
        ("calc", {"n": 1}), ("ping", {}), ("calc", '{"n": 1'),
        ("calc", {"n": 1}), ("calc", "[1,2]"), ("calc", {"n": 1}),
    ]  # fmt: skip
    score = judge(run(*calls))
    assert (round(score.value, 3), score.steps) == (0.667, (3, 5))


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({}, "missing n"),
        ({"n": "1"}, "type n"),
        ({"n": 1, "k": "c"}, "choice k"),
        ({"n": 1, "m": 0}, "range m"),
        ({"n": 1, "d": "x"}, "format d"),
        ({"n": 1, "z": 1}, "extra z"),
        ({"n": 1, "o": {"a": "b"}}, "type o.a"),
        ({"n": 1, "u": True}, "other u"),
        ("{", "no_object"),
    ],
)
def test_the_class_of_each_violation(run: Make, arguments: object, kind: str) -> None:
    """By the word of JSON Schema that was broken, and where."""
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer"},
            "k": {"enum": ["a", "b"]},
            "m": {"minimum": 1},
            "d": {"pattern": "^[0-9]+$"},
            "o": {"type": "object", "properties": {"a": {"type": "number"}}},
            "u": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["n"],
        "additionalProperties": False,
    }
    facts = gather(run(("t", arguments)), None, None, Toolbox([ToolContract("t", "", schema)]))
    assert explain(facts, None) == f"not valid: call 1 t ({kind})"
    assert argument_validity(facts, None) == Score(0.0, None, (1,))


@pytest.mark.parametrize(
    ("calls", "score"),
    [
        ([("buscar_cliente", {"rut": "1"}), ("ver_saldo", {"id": 8812})], Score(1.0)),
        (
            [
                ("ver_saldo", {"id": "abc"}), ("cancelar_pedido", {}),
                ("buscar_cliente", {"rut": "12.345.678-9"}), ("ver_saldo", {"id": 8812}),
            ],
            Score(1 - 1 / 3, None, (1,)),
        ),
        ([], Score(None, "the run made no call")),
    ],
)  # fmt: skip
def test_the_golden_runs(run: Make, calls: list[Any], score: Score) -> None:
    """Golden tool_use_adopted_definitions, schema_validity: 1, 0.667 of existing tools, null."""
    schemas = {"buscar_cliente": {"rut": "string"}, "ver_saldo": {"id": "integer"}}
    box = Toolbox(
        ToolContract(tool, "", {"properties": {name: {"type": kind}}})
        for tool, fields in schemas.items()
        for name, kind in fields.items()
    )
    assert judge(run(*calls), box) == score


def test_an_invented_tool_breaks_no_schema(run: Make) -> None:
    """Ruling 9: it counts as hallucinated, and is not looked at here."""
    facts = gather(run(("calc", {"n": 1}), ("fly", {})), None, None, TOOLS)
    assert argument_validity(facts, None) == Score(1.0)
    assert judge(run(("fly", {}))).why == "no call could be held against a schema"


def test_the_trace_s_own_tools_will_do(run: Make) -> None:
    """What is given comes first; a tool without a schema is not counted."""
    told = run(("calc", {}), ("free", {"x": 1}), tools=(Tool("calc", None, CALC), Tool("free")))
    assert judge(told, None) == judge(told) == Score(0.0, None, (1,))
    alone = run(("free", {}), tools=(Tool("free"),))
    assert judge(alone, None) == Score(None, "no call could be held against a schema")


def test_the_tools_of_the_case_come_last(run: Make, make_case: Make) -> None:
    """A benchmark's question brings its own."""
    case = replace(make_case(None), tools=(Tool("calc", None, CALC),))
    assert argument_validity(gather(run(("calc", {})), case), case) == Score(0.0, None, (1,))


def test_a_schema_of_a_trace_that_is_none_checks_nothing(run: Make) -> None:
    """It came with the trace: nobody here can mend it."""
    odd = run(("calc", {}), tools=(Tool("calc", None, {"type": "nothing"}),))
    assert judge(odd, None).why == "no call could be held against a schema"


def test_it_is_undefined_without_tools_or_calls(run: Make, article_case: Case) -> None:
    """Could not look is no value."""
    assert judge(run("calc"), None) == Score(None, "nobody told which tools there were")
    assert judge(run()).why == "the run made no call"
    assert explain(gather(run("calc"), article_case), article_case) == ""
    assert judge(run(("ping", {}))) == Score(1.0)
    assert explain(gather(run("ping"), None, None, TOOLS), None) == "every call kept to its schema"
