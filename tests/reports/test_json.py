"""The report for programs keeps to its published schema."""

import json

import jsonschema_rs
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from trayecto.comparison import (
    Candidate,
    Caveat,
    Compared,
    Comparison,
    Difference,
    Differs,
    Extra,
    Margin,
    MoreEvidence,
    Parting,
    Ratio,
    Regression,
    Regressions,
    TaskChange,
    Tasks,
)
from trayecto.document import Warned
from trayecto.metrics import score
from trayecto.records import Passed, Rejected
from trayecto.reports.json import comparison_schema, schema, to_json
from trayecto.scores import Goal
from trayecto.summaries import Document, summarize


@pytest.fixture(scope="module")
def validator() -> jsonschema_rs.Draft202012Validator:
    """Return what checks a document."""
    return jsonschema_rs.Draft202012Validator(schema())


def full(make: object) -> Document:
    """Return a document in which every part occurs."""
    group = make.group(
        metrics={
            "task_success": make.metric(0.4, interval=(0.3, 0.5), operational=0.4, capability=None),
            "cost_usd": make.metric(None, why="no prices", undefined={"no prices": 10}, total=None),
            "loop_rate": make.metric(0.05, goal=Goal(below=0.02), short=True),
            "pass_hat_k": {"1": make.pass_k(0.4), "2": make.pass_k(None, available=0.2)},
        },
        attribution=[make.blame(turns=[7, 9]), make.blame(None, None, turn=None, why="unknown")],
        confusion=[make.confused("a", "b"), make.confused("a", None), make.confused(None, None)],
        selection=make.selection(
            make.choice("a"), make.choice(None), why="no", undefined={"no": 10}, trajectories=0
        ),
        dear_steps=make.steps(
            make.dear_step(),
            make.step(None),
            positions=[make.step(position=1, tool=UNSET), make.step(position=None, tool=UNSET)],
            answers=make.step(UNSET, call=None),
            undefined={"cost": {"no prices": 3}},
        ),
        human=make.told(human_usd=0.5, in_cost_per_accepted=True, undefined={}),
        right_answers=make.right(1, 5, "a#1"),
        checks=[make.check()],
        strata={"difficulty": {"simple": {"task_success": make.metric(0.4)}}},
    )
    read = make.read(
        rejected=1,
        skipped=[Passed(file="a", why="b")],
        failed=[Passed(file="a", why="b")],
        rejected_records=[Rejected(file="a", record=1, why="b")],
    )
    warned = [Warned(code="duplicate", count=1, example="a:1")]
    return make.document(group, read=read, warnings=warned, metrics=group.metrics, prices="p")


def test_the_schema_is_one() -> None:
    """Any validator can read it."""
    assert jsonschema_rs.meta.is_valid(schema())
    assert schema()["$id"] == "trayecto.report/1"


def test_a_real_document_is_valid(
    airline: Document, validator: jsonschema_rs.Draft202012Validator
) -> None:
    """What we publish is what we write."""
    assert validator.is_valid(json.loads(to_json(airline)))


def test_a_full_document_is_valid(
    make: object, validator: jsonschema_rs.Draft202012Validator
) -> None:
    """Every part that can occur is described."""
    assert validator.is_valid(json.loads(to_json(full(make))))


def test_an_empty_document_is_valid(validator: jsonschema_rs.Draft202012Validator) -> None:
    """No trajectory is a report too."""
    assert validator.is_valid(json.loads(to_json(summarize(score([])))))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "trayecto.report/2"),
        (("surplus",), 1),
        (("trajectories",), "ten"),
        (("groups", 0, "surplus"), 1),
        (("groups", 0, "metrics", "task_success", "surplus"), 1),
        (("groups", 0, "metrics", "task_success", "value"), "0.4"),
        (("groups", 0, "metrics", "task_success", "better"), "larger"),
        (("groups", 0, "metrics", "loop_rate", "goal"), 0.02),
        (("groups", 0, "metrics", "loop_rate", "goal", "at_least"), 0.02),
        (("groups", 0, "metrics", "loop_rate", "short"), "yes"),
        (("groups", 0, "metrics", "pass_hat_k", "1"), 0.4),
        (("groups", 0, "metrics", "pass_hat_k", "k"), {}),
        (("groups", 0, "attribution", 0, "cause"), "bad_luck"),
        (("groups", 0, "confusion", 0, "count"), 1.5),
        (("groups", 0, "confusion", 0, "surplus"), 1),
        (("groups", 0, "selection", "tools", 0, "right"), None),
        (("groups", 0, "dear_steps", "by"), "looks"),
        (("groups", 0, "dear_steps", "tools", 0, "tokens", "input"), None),
        (("groups", 0, "dear_steps", "positions", 0, "position"), "first"),
        (("warnings", 0, "count"), None),
    ],
)
def test_another_shape_is_not_valid(
    make: object,
    validator: jsonschema_rs.Draft202012Validator,
    path: tuple[str | int, ...],
    value: object,
) -> None:
    """The schema says no to what a reader does not expect."""
    document = json.loads(to_json(full(make)))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not validator.is_valid(document)


@pytest.mark.parametrize("name", ["schema", "read", "groups", "warnings", "prices", "trajectories"])
def test_a_missing_part_is_not_valid(
    make: object, validator: jsonschema_rs.Draft202012Validator, name: str
) -> None:
    """Whatever is always written can be relied on."""
    document = json.loads(to_json(full(make)))
    del document[name]
    assert not validator.is_valid(document)


def test_equal_documents_give_equal_bytes(make: object) -> None:
    """The order in which metrics were computed leaves no trace."""
    document = full(make)
    group = document.groups[0]
    turned = dict(reversed(group.metrics.items()))
    other = replace(document, groups=[replace(group, metrics=turned)], metrics=turned)
    assert other == document
    assert to_json(other) == to_json(document)


def test_fields_keep_their_order(make: object) -> None:
    """The document begins with its schema and what was read."""
    assert list(json.loads(to_json(full(make))))[:4] == [
        "schema",
        "read",
        "formats",
        "trajectories",
    ]


def test_each_value_has_its_line(make: object) -> None:
    """Two reports can be compared with diff."""
    text = to_json(full(make)).decode()
    assert '\n  "trajectories": 10,\n' in text


def test_what_is_unknown_is_null_with_its_reason(make: object) -> None:
    """A number that could not be computed is present, and no number."""
    metric = json.loads(to_json(full(make)))["metrics"]["cost_usd"]
    assert (metric["value"], metric["why"]) == (None, "no prices")


def test_the_confusion_is_a_list_of_pairs(make: object) -> None:
    """DESIGN 6: expected, called, count; and where to look. What has no name is null."""
    pairs = json.loads(to_json(full(make)))["groups"][0]["confusion"]
    where = {"example": "run#1", "file": "runs.json", "record": 1, "count": 1}
    assert pairs == [
        {"expected": "a", "called": "b", **where},
        {"expected": "a", "called": None, **where},
        {"expected": None, "called": None, **where},
    ]


def test_a_dear_step_is_of_a_tool_or_of_a_position(make: object) -> None:
    """The line of a tool says nothing of a position, and the other way round."""
    steps = json.loads(to_json(full(make)))["groups"][0]["dear_steps"]
    assert [line["tool"] for line in steps["tools"]] == ["pay", None]
    assert [line["position"] for line in steps["positions"]] == [1, None]
    assert all("position" not in line for line in steps["tools"])
    assert all("tool" not in line for line in [*steps["positions"], steps["answers"]])


def test_foreign_text_is_only_a_value(make: object, hostile: str) -> None:
    """No terminal and no build server finds a command in the bytes, and nothing is lost."""
    document = make.document(make.group(candidate=hostile))
    raw = to_json(document)
    read = json.loads(raw)["groups"][0]["candidate"]
    assert read == hostile.replace("\ud800", "\\ud800")
    left = set(raw.decode()) & set("\x1b\x07\x7f\x9b\r\t\u202e\u200b\u200d")
    assert left == set()
    assert b"##" not in raw


def test_a_lone_surrogate_in_a_key_is_shown(make: object) -> None:
    """A reason may hold the name of a file that is no text."""
    metric = make.metric(None, undefined={"\udc80": 3})
    raw = to_json(make.document(make.group(metrics={"x": metric})))
    assert json.loads(raw)["groups"][0]["metrics"]["x"]["undefined"] == {"\\udc80": 3}


@pytest.fixture(scope="module")
def compared() -> jsonschema_rs.Draft202012Validator:
    """Return what checks a comparison."""
    return jsonschema_rs.Draft202012Validator(comparison_schema())


def both(*, several: bool = False) -> Comparison:
    """Return a comparison in which every part occurs, of one candidate or of several."""
    found = Difference(
        base=0.7, candidate=0.8, difference=0.1, tasks=115, unit="share", better="higher",
        interval=(0.03, 0.2), method="paired_t", clusters=60, cluster="declared",
        test="sign_flip", p_value=0.01, reachable=1e-9, ignoring_clusters=0.02, won=24, lost=9,
        verdict="better", trusted=False,
        margin=Margin(margin=0.05, lower=-0.01, upper=0.2, outcome="pass"),
    )  # fmt: skip
    bare = Difference(
        base=None, candidate=None, difference=None, tasks=0, unit="share", better="higher",
        why="no", ratio=Ratio(value=None, why="no"),
    )  # fmt: skip
    metrics = {"task_success": replace(found, capability=found), "path_match": bare}
    parted = Parting(
        what="ended", step=1, base_turn=None, candidate_turn=3, base_tool=None, candidate_tool="a"
    )
    change = TaskChange(
        task="t", change="worse", base="1/1", candidate="0/1", base_run=None, candidate_run="r",
        parted=parted,
    )  # fmt: skip
    more = MoreEvidence(tasks=210, trials=None, why="because")
    tasks = Tasks(
        paired=115,
        by_id=0,
        only_base=1,
        only_candidate=0,
        other_text=0,
        unmatched=["x"],
        clusters=60,
    )
    fell = Regression(metric="path_match", task="t", base=1.0, candidate=0.0)
    caveats = [Caveat(code="pooled", base="2", candidate="2")]
    group = Compared(
        suite="shop", base="a", candidate="b", tasks=tasks, metrics=metrics,
        tasks_changed=[change, replace(change, parted=None, parted_write=parted)],
        regressions=Regressions(counts={"path_match": 1}, examples=[fell]), more_evidence=more,
        cost_per_extra_accepted=Extra(usd=None, why="no"),
        differs=[Differs(aspect="model", base=["m"], candidate=[])], warnings=caveats,
        not_compared={"latency_ms": "why"}, same=["tools"], untold=["prompt"],
    )  # fmt: skip
    if not several:
        return Comparison(
            base="a", candidate="b", groups=[group], tasks=tasks, metrics=metrics,
            tasks_changed=[change], more_evidence=more, warnings=caveats,
        )  # fmt: skip
    row = Candidate(
        suite="shop", candidate="b", base=False, success=0.8, cost_usd=None, difference=0.1,
        interval=(0.03, 0.2), p_adjusted=0.02, verdict="better", trusted=True, cost_ratio=None,
        front=None,
    )  # fmt: skip
    return Comparison(
        base="a", candidate=UNSET, candidates=["b", "c"], groups=[group, group], table=[row]
    )


def test_the_schema_of_comparisons_is_one() -> None:
    """Any validator can read it."""
    assert jsonschema_rs.meta.is_valid(comparison_schema())
    assert comparison_schema()["$id"] == "trayecto.compare/1"


@pytest.mark.parametrize("several", [False, True])
def test_a_full_comparison_is_valid(
    compared: jsonschema_rs.Draft202012Validator, *, several: bool
) -> None:
    """With one candidate, and with several, where no single one stands at the top."""
    assert compared.is_valid(json.loads(to_json(both(several=several))))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "trayecto.report/1"),
        (("surplus",), 1),
        (("candidate",), None),
        (("groups", 0, "surplus"), 1),
        (("groups", 0, "tasks", "paired"), None),
        (("groups", 0, "metrics", "task_success", "verdict"), "same"),
        (("groups", 0, "metrics", "task_success", "interval"), [0.1]),
        (("groups", 0, "metrics", "task_success", "capability", "surplus"), 1),
        (("groups", 0, "metrics", "task_success", "margin", "outcome"), "maybe"),
        (("groups", 0, "tasks_changed", 0, "parted", "what"), "luck"),
        (("groups", 0, "differs", 0, "aspect"), "weather"),
        (("groups", 0, "warnings", 0, "code"), "odd"),
        (("groups", 0, "regressions", "counts", "path_match"), "one"),
    ],
)
def test_another_comparison_is_not_valid(
    compared: jsonschema_rs.Draft202012Validator, path: tuple[str | int, ...], value: object
) -> None:
    """The schema says no to what a reader does not expect."""
    document = json.loads(to_json(both()))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not compared.is_valid(document)


@pytest.mark.parametrize(
    "path",
    [
        ("groups",),
        ("groups", 0, "warnings"),
        ("groups", 0, "metrics", "task_success", "verdict"),
        ("groups", 0, "metrics", "path_match", "ratio", "interval"),
        ("groups", 0, "metrics", "path_match", "ratio", "method"),
        ("groups", 0, "tasks_changed", 0, "parted_write"),
    ],
)
def test_a_comparison_that_lacks_a_part_is_not_valid(
    compared: jsonschema_rs.Draft202012Validator, path: tuple[str | int, ...]
) -> None:
    """Whatever is always written can be relied on, null or not."""
    document = json.loads(to_json(both()))
    place = document
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    assert not compared.is_valid(document)
