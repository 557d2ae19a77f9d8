"""The document: several groups, any split of the runs, what was read, and real runs."""

import random
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto import summaries
from trayecto.document import Group
from trayecto.figures import Metric
from trayecto.formats import read
from trayecto.metrics import Column, Scored, score
from trayecto.records import Account, Rejected
from trayecto.reports.json import schema
from trayecto.summaries import Document, Summary, document, summarize

Make = Callable[..., Any]

LEVELS = "data/tau-bench-levels/final_results"
AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"

Pool = tuple[list[Scored], tuple[Column, ...]]


def encode(found: object) -> bytes:
    """Return a document's bytes."""
    return msgspec.json.encode(found)


@pytest.fixture(scope="module")
def pool(record: Make, scored: Make, dollar: Make) -> Pool:
    """Return 360 runs of two suites and two candidates, odd in many ways, scored once."""
    paths = ["ab", "ba", "a", "aabb", "aAab", "abababab", "aaaa", "", "xab"]
    chance = random.Random(7)
    made = [
        record(
            f"case{number % 11}",
            tools,
            success=chance.choice([True, True, False, None]),
            reference=chance.choice([None, "ab", "abc", ""]),
            match=chance.choice(["exact", "in_order", "multiset"]),
            tokens=chance.choice([None, 7, 12_345]),
            model=chance.choice(["m", "m", "other"]),
            latency_ms=chance.choice([None, 1.001, 3, chance.random() * 1000, -1]),
            status=chance.choice(["completed"] * 6 + ["infra_error", "budget_exceeded", "not_run"]),
            suite=suite,
            candidate=candidate,
        )
        for number, tools, suite, candidate in product(range(10), paths, ["s1", "s2"], ["a", "b"])
    ]
    return scored(made, dollar)


def add_up(parts: list[list[Scored]], columns: tuple[Column, ...]) -> Document:
    """Sum up each part by itself, then merge the parts in their order."""
    groups: dict[tuple[str, str], Summary] = {}
    for part in parts:
        mine: dict[tuple[str, str], Summary] = {}
        for run in part:
            key = (run.trajectory.suite, run.trajectory.candidate)
            mine.setdefault(key, Summary(*key, columns)).add([run])
        for key, summary in mine.items():
            groups.setdefault(key, Summary(*key, columns)).merge(summary)
    return document([groups[key] for key in sorted(groups)], Account(), None)


def in_one_go(runs: list[Scored], columns: tuple[Column, ...]) -> Document:
    """Sum up without merging anything."""
    groups: dict[tuple[str, str], Summary] = {}
    for run in runs:
        key = (run.trajectory.suite, run.trajectory.candidate)
        groups.setdefault(key, Summary(*key, columns)).add([run])
    return document([groups[key] for key in sorted(groups)], Account(), None)


@given(st.randoms(use_true_random=False), st.integers(1, 9))
def test_any_split_and_order_gives_the_same_bytes(
    pool: Pool, chance: random.Random, parts: int
) -> None:
    """Merging is exact: machines may share the work as they like."""
    runs, columns = pool
    shuffled = runs[:]
    chance.shuffle(shuffled)
    cuts = sorted(chance.randint(0, len(runs)) for _ in range(parts - 1))
    ends = [0, *cuts, len(runs)]
    split = [shuffled[a:b] for a, b in pairwise(ends)]
    assert encode(add_up(split, columns)) == encode(in_one_go(runs, columns))


def test_merging_leaves_the_parts_as_they_are(pool: Pool) -> None:
    """A part may be merged into several totals."""
    runs, columns = pool
    part = Summary("s", "c", columns)
    for run in runs[:50]:
        part.add([run])
    before = encode(part.value())
    for others in (runs[50:100], runs[100:150]):
        whole = Summary("s", "c", columns)
        whole.merge(part)
        for run in others:
            whole.add([run])
        assert encode(whole.value()) != before
    assert encode(part.value()) == before


def test_nothing_is_averaged_over_groups(record: Make, total: Make) -> None:
    """One block for each suite and candidate, sorted; over all only counts."""
    made = [
        record("t", "ab", suite="s2", candidate="a"),
        record("t", "aB", suite="s1", candidate="b", success=False),
        record("t", "", suite="s1", candidate="a"),
    ]
    found = total(made)
    assert [(group.suite, group.candidate) for group in found.groups] == [
        ("s1", "a"), ("s1", "b"), ("s2", "a"),
    ]  # fmt: skip
    assert [group.metrics["task_success"].value for group in found.groups] == [1, 0, 1]
    assert found.metrics is msgspec.UNSET
    assert (found.trajectories, found.tasks) == (3, 2)
    assert (found.calls.total, found.calls.error) == (4, 1)
    assert found.statuses == {"completed": 3}


def test_the_metrics_of_a_single_group_stand_on_top_too(record: Make, total: Make) -> None:
    """Where there is one group, nobody has to look for it."""
    found = total([record("t")])
    assert found.metrics == found.groups[0].metrics
    assert list(found.metrics) == sorted(found.metrics)


def test_of_nothing_there_is_an_empty_document(total: Make) -> None:
    """No run, no group, no number."""
    found = total([])
    assert (found.trajectories, found.tasks, found.groups) == (0, 0, [])
    assert found.metrics is msgspec.UNSET


def test_who_watches_sees_every_run_once(record: Make) -> None:
    """A report per run is written on the way."""
    made = [record("t"), record("u")]
    seen: list[Scored] = []
    summarize(score(made), seen.append)
    assert [run.trajectory for run in seen] == [each.trajectory for each in made]


def test_prices_are_named(record: Make, total: Make, dollar: Make) -> None:
    """The source of the prices is in every result that was made with them."""
    assert total([record("t")], dollar).prices == "a dollar"
    assert total([record("t")]).prices is None


def test_nothing_that_was_read_is_dropped_silently(tmp_path: Path) -> None:
    """Ruling 16: a cut line, a broken file and a file of another kind all stand in the account."""
    line = '{"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}]}'
    (tmp_path / "runs.jsonl").write_text(f"{line}\n{line[:40]}\n{line}\n", "utf-8")
    (tmp_path / "broken.json").write_text("{", "utf-8")
    (tmp_path / "LICENSE").write_text("Do what you want.", "utf-8")
    found = summarize(score(read(tmp_path)))
    at = found.read
    assert (found.trajectories, at.records) == (2, 2 + at.rejected)
    assert [(Path(each.file).name, each.record) for each in at.rejected_records][-1:] == [
        ("runs.jsonl", 2)
    ]
    named = [*at.rejected_records, *at.skipped, *at.failed]
    assert {Path(each.file).name for each in named} == {"runs.jsonl", "broken.json", "LICENSE"}
    assert all(each.why for each in named)
    assert found.formats == {"openai_messages": 2}


def test_warnings_are_counted_with_their_first_places(record: Make) -> None:
    """Sorted by code; repeated call ids are counted at the top too."""
    scores = score([record("t")])
    scores.account.warn("repeated_call_id", "runs.jsonl:3", 2)
    scores.account.warn("repeated_call_id", "runs.jsonl:9")
    scores.account.warn("no_case", "runs.jsonl:1")
    found = summarize(scores)
    assert [(each.code, each.count, each.example) for each in found.warnings] == [
        ("no_case", 1, "runs.jsonl:1"),
        ("repeated_call_id", 3, "runs.jsonl:3"),
    ]
    places = [each.places for each in found.warnings]
    assert places == [msgspec.UNSET, ["runs.jsonl:3", "runs.jsonl:9"]]
    assert found.read.repeated_call_ids == 3


def test_a_document_keeps_to_its_schema(pool: Pool) -> None:
    """What machines read is what the published JSON Schema promises, and no NaN."""
    found = encode(add_up([pool[0]], pool[1]))
    read_back = msgspec.json.decode(found)
    assert list(jsonschema_rs.validator_for(schema()).iter_errors(read_back)) == []
    assert read_back["schema"] == "trayecto.report/1"
    assert b"NaN" not in found
    assert b"Infinity" not in found


def test_nothing_expected(record: Make, total: Make) -> None:
    """INPUT-04: path 2 of 4, recall 0.5 of n 2, and what is not applicable is not averaged."""
    made = [
        record("a", "", reference="", match="exact"),
        record("b", "w", reference="", match="exact"),
        record("c", "h", reference="h"),
        record("d", "", reference="l"),
    ]
    found = total(made).metrics
    assert (found["path_match"].value, found["path_match"].n) == (0.5, 4)
    assert (found["path_recall"].value, found["path_recall"].n, found["path_recall"].of) == (
        0.5,
        2,
        4,
    )
    assert (found["path_precision"].value, found["path_precision"].n) == (0.5, 2)


@pytest.fixture(scope="module")
def airline(shared: Path) -> Document:
    """Return the document of the 200 published airline runs."""
    return summarize(score(read(shared / AIRLINE)))


def test_airline_pass_k(airline: Document) -> None:
    """The published row of tau-bench, and EXPECTED.json for pass@k."""
    hats = [round(each.value, 3) for each in airline.metrics["pass_hat_k"].values()]
    ats = [round(each.value, 3) for each in airline.metrics["pass_at_k"].values()]
    assert hats == [0.420, 0.273, 0.220, 0.200]
    assert ats == [0.420, 0.567, 0.660, 0.720]


def test_airline_counts(airline: Document) -> None:
    """200 trajectories of 50 tasks, 1,164 calls, 73 errors, 73 repeated ids, nothing lost."""
    assert (airline.trajectories, airline.tasks, airline.read.rejected) == (200, 50, 0)
    assert (airline.calls.total, airline.calls.error, airline.calls.unknown) == (1164, 73, 0)
    assert airline.read.repeated_call_ids == 73


def test_airline_efficiency(airline: Document) -> None:
    """24 of 84 successes have no efficiency: 22 empty references, 2 without a call."""
    found = airline.metrics["path_efficiency"]
    assert (found.n, found.of) == (60, 84)
    assert found.undefined == {"the reference is empty": 22, "the run made no call": 2}


def test_airline_cost(airline: Document) -> None:
    """Unknown is null with its reason, for the cost and for what an accepted run costs."""
    cost = airline.metrics["cost_usd"]
    assert (cost.value, cost.total, cost.missing) == (None, None, 200)
    assert cost.why == "no price table was given"
    assert airline.metrics["cost_per_accepted_usd"].why == "cost known for 0 of 200 runs"


@pytest.mark.parametrize(
    "name",
    [
        "assertions-agent-none-0.1_range_0-100_6_18_2025.json",
        "tool-calling-l0-4o.json",
        "tool-calling-l1-4o.json",
        "tool-calling-l2-4o.json",
    ],
)
def test_the_four_levels(shared: Path, name: str) -> None:
    """EXPECTED.json: trajectories, tasks, calls and pass^1."""
    expected = msgspec.json.decode((shared / "data" / "EXPECTED.json").read_bytes())
    wanted = expected[f"tau-bench-levels/final_results/{name}"]
    found = summarize(score(read(shared / LEVELS / name)))
    assert (found.trajectories, found.tasks) == (wanted["n"], wanted["tasks"])
    assert found.calls.total == wanted["tool_calls"]
    assert round(found.metrics["pass_hat_k"]["1"].value, 4) == wanted["pass^1"]
    assert round(found.metrics["pass_at_k"]["1"].value, 4) == wanted["pass@1"]
    assert round(found.metrics["task_success"].value, 4) == wanted["pass^1"]


def test_the_crashed_runs_of_the_levels(shared: Path) -> None:
    """The 34 crashed runs of the assertions agent say nothing of it: 35 of the other 66 succeed."""
    name = "assertions-agent-none-0.1_range_0-100_6_18_2025.json"
    found = summarize(score(read(shared / LEVELS / name)))
    assert found.statuses["infra_error"] + found.statuses["harness_error"] == 34
    assert found.metrics["task_success"].capability == 35 / 66
    assert sum(line.trajectories for line in found.groups[0].attribution) == 65


class Turns:
    """A summary of tomorrow: how many turns all runs took."""

    def __init__(self, columns: tuple[Column, ...]) -> None:
        """Start with none."""
        self.columns = columns
        self.turns = 0

    def add(self, run: Scored) -> None:
        """Count one run's."""
        self.turns += len(run.trajectory.turns)

    def merge(self, other: "Turns") -> None:
        """Add another part's."""
        self.turns += other.turns

    def metrics(self) -> dict[str, Metric]:
        """Give the sum, as a metric."""
        numbers = {"value": self.turns, "n": 1, "of": 1, "tasks": 1}
        told = {"unit": "turns", "better": "neither", "over": "runs"}
        return {"turns": Metric(**numbers, **told)}


def test_a_new_summary_is_one_file(
    record: Make, scored: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding, merging and the document know it by standing in the folder."""
    known = summaries._modules()
    module = ModuleType("turns")
    module.Accumulator = Turns
    monkeypatch.setattr(summaries, "_modules", lambda: {**known, "turns": module})
    runs, columns = scored([record("t", "ab"), record("t", "abc")])
    whole, part = Summary("s", "c", columns), Summary("s", "c", columns)
    whole.add(runs[:1])
    part.add(runs[1:])
    whole.merge(part)
    assert whole.value().metrics["turns"].value == 5


def test_every_file_of_the_folder_is_a_part(scored: Make) -> None:
    """The file name is its id."""
    parts = Summary("s", "c", scored([])[1]).parts
    folder = Path(summaries.__file__).parent
    assert set(parts) == {path.stem for path in folder.glob("[!_]*.py")}


def test_every_part_gives_fields_or_metrics_of_its_own(pool: Pool) -> None:
    """Together they fill the group, and no two of them say the same."""
    summary = Summary("s", "c", pool[1])
    summary.add(pool[0])
    fields = [name for part in summary.parts.values() for name in getattr(part, "value", dict)()]
    ids = [name for part in summary.parts.values() for name in getattr(part, "metrics", dict)()]
    own = {"suite", "candidate", "metrics", "strata"}
    assert sorted(fields) == sorted(set(Group.__struct_fields__) - own)
    assert len(ids) == len(set(ids))


def test_groups_end_as_their_lines_say(pool: Pool) -> None:
    """Succeeded, failed and ungraded are all; the lines of attribution are the failed."""
    for group in add_up([pool[0]], pool[1]).groups:
        assert group.succeeded + group.failed + group.ungraded == group.trajectories
        assert sum(line.trajectories for line in group.attribution) == group.failed
        assert group.right_answers.of == group.succeeded


def test_unreadable_records_stand_apart_from_failed_files(record: Make) -> None:
    """A report need not take one from the other."""
    scores = score([record("t")])
    scores.account.fail("bad.json", "is cut off")
    scores.account.reject(Rejected("a.jsonl", 3, "is cut off"))
    read = summarize(scores).read
    assert (read.rejected, read.unreadable, len(read.failed)) == (2, 1, 1)


def test_warnings_are_labels_of_a_limited_number(record: Make) -> None:
    """A file of our own format may bring codes of its own."""
    scores = score([record("t")])
    for number in range(300):
        scores.account.warn(f"{number:03}" + "x" * 500, "place" * 500)
    found = summarize(scores).warnings
    assert (len(found), sum(each.count for each in found)) == (201, 300)
    assert (max(len(each.code) for each in found), len(found[-1].example)) == (80, 400)
    assert [each.count for each in found if each.code == "other"] == [100]
    assert {each.places for each in found} == {msgspec.UNSET}


def test_names_of_groups_are_cut_in_the_middle(record: Make, total: Make) -> None:
    """A model's name may be a megabyte; what tells two candidates apart is often the end."""
    names = ["m" * 1_000_000 + end for end in (" @ a.json", " @ b.json")]
    groups = total([record("t", candidate=name) for name in names]).groups
    assert [len(group.candidate) for group in groups] == [160, 160]
    assert [group.candidate[-9:] for group in groups] == [" @ a.json", " @ b.json"]
