"""Strata: the table of a group in parts, by properties of cases and of runs."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from trayecto.case import Case, CaseInput, CaseSecret
from trayecto.contracts import ToolContract
from trayecto.document import KINDS, LABEL, OTHER, Group
from trayecto.errors import UsageError
from trayecto.formats import read
from trayecto.metrics import Column, Scored, score
from trayecto.records import Record
from trayecto.summaries import Summary, summarize
from trayecto.summaries._strata import COUNTS, FINDS, TOKENS, UNKNOWN, finds
from trayecto.trajectory import Spent, Tool, Turn, Usage

Make = Callable[..., Any]
Pool = tuple[list[Scored], tuple[Column, ...]]
AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"


def with_case(record: Record, **labels: str) -> Record:
    """Give a run a case with some labels."""
    case = Case(record.trajectory.case_id, CaseInput(), CaseSecret(required=("a",)), **labels)
    return Record(record.trajectory, case)


def with_tools(record: Record, count: int) -> Record:
    """Give a run so many tools."""
    tools = tuple(Tool(f"tool{n}") for n in range(count))
    return Record(replace(record.trajectory, tools=tools), record.case)


def group_of(records: list[Record], *by: str) -> Group:
    """Sum up runs of one group, taken apart by some fields."""
    [group] = summarize(score(records), by=by).groups
    return group


def success(group: Group, field: str) -> dict[str, tuple[float | None, int, int]]:
    """The success of each stratum: its value, and of how many runs and tasks."""
    found = {name: metrics["task_success"] for name, metrics in group.strata[field].items()}
    return {name: (each.value, each.n, each.tasks) for name, each in found.items()}


def name(record: Record, field: str) -> str:
    """The only stratum of the only run."""
    [only] = group_of([record], field).strata[field]
    return only


def test_difficulty_is_always_told_where_cases_have_it(record: Make) -> None:
    """By hand: simple tasks t (1 of 2) and u (1 of 1) have the mean 3/4, not the pooled 2/3."""
    made = [
        with_case(record("t"), difficulty="simple"),
        with_case(record("t", success=False), difficulty="simple"),
        with_case(record("u"), difficulty="simple"),
        with_case(record("v", success=False), difficulty="edge"),
        record("w"),
    ]
    assert success(group_of(made), "difficulty") == {
        "simple": (0.75, 3, 2),
        "edge": (0.0, 1, 1),
        UNKNOWN: (1.0, 1, 1),
    }


def test_without_such_cases_there_is_no_stratum(record: Make) -> None:
    """Unless somebody asks: then all are of unknown difficulty."""
    made = [with_case(record("t")), record("u")]
    assert group_of(made).strata == {}
    assert success(group_of(made, "difficulty"), "difficulty") == {UNKNOWN: (1.0, 2, 2)}


def test_what_is_held_out_is_apart(record: Make) -> None:
    """The split of a case is a stratum of its own."""
    made = [with_case(record("t"), split="public"), with_case(record("u"), split="held_out")]
    assert list(group_of(made).strata["split"]) == ["public", "held_out"]


def test_a_stratum_has_the_metrics_of_a_group(record: Make) -> None:
    """Those of one stratum alone are those of a group of its runs, with its own denominators."""
    easy = [with_case(record("t", "ab"), difficulty="simple") for _ in range(3)]
    hard = [with_case(record("u", "b", success=None), difficulty="complex") for _ in range(2)]
    both, alone = group_of(easy + hard), group_of(hard)
    suite_only = {"cost_per_accepted_usd", "latency_ms.p50", "latency_ms.p95"}
    suite_only |= {"coverage", "coverage.answered"}
    expected = {key: each for key, each in alone.metrics.items() if key not in suite_only}
    assert both.strata["difficulty"]["complex"] == expected
    assert expected["task_success"].undefined == {"nobody recorded whether the run succeeded": 2}
    assert both.strata["difficulty"]["simple"]["required_tools"].value == 1


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0"), (1, "1-2"), (2, "1-2"), (3, "3-5"), (5, "3-5"), (6, "6-10"), (10, "6-10"),
     (11, "11-20"), (20, "11-20"), (21, "21+"), (10**9, "21+"), (None, None)],
)  # fmt: skip
def test_counts_fall_into_ranges(number: int | None, told: str | None) -> None:
    """Each range holds both of the numbers that it names."""
    assert COUNTS.name(number) == told


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "under 2,000"), (1_999, "under 2,000"), (2_000, "2,000-7,999"), (8_000, "8,000-31,999"),
     (127_999, "32,000-127,999"), (128_000, "128,000+"), (None, None)],
)  # fmt: skip
def test_tokens_fall_into_ranges(number: int | None, told: str | None) -> None:
    """From a short prompt to a full window."""
    assert TOKENS.name(number) == told


def test_tools_that_there_were_and_tools_that_were_used(record: Make) -> None:
    """Nobody knows how many there were where the trace does not say; none is a number."""
    run = with_tools(record("t", "aab"), 3)
    assert (name(run, "tools"), name(run, "tools_used")) == ("3-5", "1-2")
    assert name(with_tools(run, 0), "tools") == "0"
    assert name(record("t", ""), "tools") == UNKNOWN
    assert name(record("t", ""), "tools_used") == "0"


def test_tools_that_are_given_count(record: Make) -> None:
    """Contracts for all runs are what the agent had, where the trace tells none or others."""
    box = {name: ToolContract(name) for name in ("a", "b", "c", "d")}
    for run in (record("t", "a"), with_tools(record("t", "a"), 12)):
        (group,) = summarize(score([run], tools=box), by=["tools"]).groups
        assert list(group.strata["tools"]) == ["3-5"]


def test_turns_are_those_of_the_agent(record: Make) -> None:
    """What the user says is none."""
    turns = (Turn(1, "system", "x"), Turn(2, "user", "x"), Turn(3, "assistant", "x"))
    assert name(record("t", turns=turns), "turns") == "1-2"
    assert name(record("t", turns=()), "turns") == "0"


def turn(*tokens: int | None) -> tuple[Turn, ...]:
    """Turns that read so many tokens, 1,000 of them from a cache; None does not tell."""
    usages = [None if n is None else Usage(n - 1_000, 600, 400, 5) for n in tokens]
    return tuple(Turn(at, "assistant", "x", (), usage) for at, usage in enumerate(usages, 1))


@pytest.mark.parametrize(
    ("tokens", "told"),
    [((1_500, 2_000, 1_000), "2,000-7,999"), ((1_999,), "under 2,000"), ((9_000, None), UNKNOWN),
     ((None,), UNKNOWN), ((), UNKNOWN)],
)  # fmt: skip
def test_context_is_the_largest_of_a_turn(
    record: Make, tokens: tuple[int | None, ...], told: str
) -> None:
    """Cached tokens were read too; where one turn does not tell, the largest is not known."""
    user = Turn(9, "user", "x")
    assert name(record("t", turns=(*turn(*tokens), user)), "context") == told


def test_models(record: Make) -> None:
    """By what was spent, else by the turns; several are one stratum, whatever their order."""
    spent = (Spent("m", None), Spent("b", None))
    assert name(record("t", spent=spent), "model") == "b + m"
    assert name(record("t", spent=(Spent("m", None), Spent(None, None))), "model") == "m + unknown"
    told = (Turn(1, "assistant", "x", model="n"), Turn(2, "user", "x"))
    assert name(record("t", turns=told), "model") == "n"
    assert name(record("t"), "model") == UNKNOWN


def test_status_and_cluster(record: Make) -> None:
    """As the run, and as the case has it."""
    assert name(record("t", status="agent_error"), "status") == "agent_error"
    assert name(with_case(record("t"), cluster="ana"), "cluster") == "ana"
    assert name(with_case(record("t")), "cluster") == UNKNOWN
    assert name(record("t"), "cluster") == UNKNOWN


EXTRA = {
    "region": "south",
    "vip": True,
    "n": 3,
    "none": None,
    "empty": "",
    "in": {"a": {"b": [1, {"c": 2}]}},
    "dot.ted": "x",
    "long": "y" * 500,
}


@pytest.mark.parametrize(
    ("path", "told"),
    [("region", "south"), ("vip", "true"), ("n", "3"), ("none", UNKNOWN), ("absent", UNKNOWN),
     ("empty", '""'), ("in.a.b", '[1,{"c":2}]'), ("in.x", UNKNOWN), ("region.x", UNKNOWN),
     ("dot.ted", "x"), ("in.a.b.1.c", "2")],
)  # fmt: skip
def test_a_field_of_the_record(record: Make, path: str, told: str) -> None:
    """Text as it is, other values as JSON; what is not there is unknown, and so is null."""
    assert name(record("t", extra=EXTRA), f"extra.{path}") == told


def test_a_long_value_is_a_label(record: Make) -> None:
    """Cut as any label of the document."""
    assert len(name(record("t", extra=EXTRA), "extra.long")) == LABEL


@pytest.mark.parametrize("field", ["dificulty", "extra.", "extra", "", "region"])
def test_a_field_that_there_is_not_is_refused(field: str) -> None:
    """With what there is, and how to name a field of one's own."""
    with pytest.raises(UsageError, match=r"choose cluster, context, .* is written extra\.NAME"):
        finds([field])


def test_of_many_strata_the_first_by_name_are_kept(record: Make) -> None:
    """The rest is counted together: hostile values cannot grow the document."""
    made = [record("t", extra={"x": f"{n:04}"}) for n in range(KINDS + 50)]
    random.Random(3).shuffle(made)
    found = success(group_of(made, "extra.x"), "extra.x")
    assert list(found) == [*(f"{n:04}" for n in range(KINDS)), OTHER]
    assert found[OTHER] == (1.0, 50, 1)


@pytest.fixture(scope="module")
def pool(record: Make, scored: Make) -> Pool:
    """Runs that differ in everything by which they can be taken apart."""
    made = [
        with_case(
            record(
                f"t{n % 5}",
                "ab" * (n % 7),
                success=[True, False, None][n % 3],
                extra={"x": str(n * 7919 % 1000)},
                status=["completed", "infra_error"][n % 11 == 0],
            ),
            difficulty=["simple", "edge"][n % 5 == 1],
            cluster=["c", "d"][n % 5 < 3],
        )
        for n in range(2 * KINDS)
    ]
    return scored(made)


BY = ("extra.x", "cluster", *FINDS)


@given(st.randoms(use_true_random=False), st.integers(0, 2 * KINDS))
def test_any_split_and_order_gives_the_same_bytes(
    pool: Pool, chance: random.Random, cut: int
) -> None:
    """Which strata are kept does not depend on who saw which run first."""
    runs, columns = pool
    shuffled = runs[:]
    chance.shuffle(shuffled)
    whole, one, other = (Summary("s", "c", columns, BY) for _ in range(3))
    whole.add(runs)
    one.add(shuffled[:cut])
    other.add(shuffled[cut:])
    one.merge(other)
    assert msgspec.json.encode(one.value().strata) == msgspec.json.encode(whole.value().strata)


def test_ranges_stand_in_their_order(record: Make) -> None:
    """Not 1-2, 11-20, 3-5; what is not known comes last."""
    made = [with_tools(record("t"), n) for n in (12, 4, 1, 30, 7)]
    found = group_of([record("t"), *made], "tools").strata["tools"]
    assert list(found) == ["1-2", "3-5", "6-10", "11-20", "21+", UNKNOWN]


def test_the_real_runs_are_all_in_some_stratum(shared: Path) -> None:
    """Of the 200 airline runs of tau-bench 84 succeed: so they do in whatever parts."""
    [group] = summarize(score(read(shared / AIRLINE)), by=("turns", "tools_used", "status")).groups
    for parts in group.strata.values():
        found = [metrics["task_success"] for metrics in parts.values()]
        assert sum(each.n for each in found) == 200
    assert list(group.strata) == ["status", "tools_used", "turns"]
    ended = group.strata["status"]
    assert ended.keys() == group.statuses.keys()
    assert sum(each["pass_hat_k"]["1"].of for each in ended.values()) >= 50


def test_a_case_without_labels_beside_one_with_them(record: Make) -> None:
    """Each reason stays in the stratum in which it was found."""
    made = [
        with_case(record("t", success=None), difficulty="simple"),
        with_case(record("u", grade="held")),
    ]
    parts = group_of(made).strata["difficulty"]
    whys = {name: metrics["task_success"].undefined for name, metrics in parts.items()}
    assert whys == {
        "simple": {"nobody recorded whether the run succeeded": 1},
        UNKNOWN: {"the run is held: nobody has decided yet": 1},
    }


def test_strata_are_asked_for_by_name_in_python(record: Make) -> None:
    """A mistake is found before a run is scored."""
    with pytest.raises(UsageError, match="by 'modle': there are no such strata"):
        summarize(score([record("t")]), by=["modle"])


def test_a_stratum_says_how_sure_it_is(record: Make) -> None:
    """Of the tasks that are in it: three easy ones that pass are [0.139, 1], one hard one nothing.

    Golden clustered_all_same: three clusters, all passing.
    """
    records = [
        with_case(record(f"e{number}", "a"), difficulty="simple")
        for number in range(3)
        for _ in range(2)
    ]
    records.append(with_case(record("h", "b", success=False), difficulty="complex"))
    strata = summarize(score(records)).groups[0].strata["difficulty"]
    easy, hard = (strata[name]["task_success"] for name in ("simple", "complex"))
    assert easy.interval == pytest.approx((0.139452, 1), abs=5e-7)
    assert (easy.clusters, easy.method) == (3, "wilson_neff_t")
    assert (hard.interval, hard.clusters) == (None, 1)
    assert "one cluster" in hard.interval_why
