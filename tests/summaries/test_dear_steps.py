"""Dear steps: cost, tokens and size of observation, by tool and by position."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayecto.document import KINDS, LABEL, DearStep, DearSteps, StepTokens
from trayecto.formats import read
from trayecto.metrics import score
from trayecto.prices import load
from trayecto.rates import NO_RATES, Rates
from trayecto.records import Record
from trayecto.summaries import summarize
from trayecto.summaries.dear_steps import Accumulator
from trayecto.trajectory import Call, Child, Source, Spent, Trajectory, Turn, Usage

Make = Callable[..., Any]

AIRLINE = "data/tau-bench/historical_trajectories/gpt-4o-airline.json"
NATIVE = "traces/openai-agents/native_chat.jsonl"
NAMES = {"suite": "s", "candidate": "c", "case_id": "t", "trial": None}


class ByRequest:
    """A dollar for each request of the model "m", beside a dollar for a million tokens."""

    source = "by request"
    rates = NO_RATES

    def cost(self, model: str | None, usage: Usage) -> int | None:
        """Price one request in nano-dollars."""
        return 10**9 + 1000 * (usage.input + usage.output) if model == "m" else None

    def is_flat(self, model: str | None) -> bool:
        """Only what costs nothing does not go by the request."""
        return model == "free"

    def why(self, model: str | None) -> str:
        """Say that there is no price."""
        return f"no price for {model}"


def turn(tools: str, tokens: int | None = None, output: int = 0, **fields: Any) -> Turn:  # noqa: ANN401  # any field of it
    """Make a generation that called one-letter tools; a tool's observation has its calls' size."""
    calls = tuple(Call(at, tool, {}, "x" * 10, "ok") for at, tool in enumerate(tools, 1))
    usage = None if tokens is None else Usage(tokens, None, None, output)
    return Turn(1, "assistant", None, calls, usage, **fields)


def run(*turns: Turn, at: int = 1, model: str | None = "m", **fields: Any) -> Record:  # noqa: ANN401  # any field of it
    """Make a run of these generations, all of one model."""
    used = [each.usage for each in turns]
    spent = (Spent(model, None if None in used else Usage(0, None, None, 0)),)
    given = {**NAMES, "id": f"r{at}", "source": Source("made", "f", at), "spent": spent}
    return Record(Trajectory(**{**given, "turns": turns, **fields}))


def observed(*texts: str | None, **fields: Any) -> Record:  # noqa: ANN401  # any field of it
    """Make a run without tokens that called "a" and saw these texts."""
    calls = [Call(at, "a", {}, text, "ok") for at, text in enumerate(texts, 1)]
    return run(*[Turn(each.index, "assistant", None, (each,)) for each in calls], **fields)


def steps(*records: Record, prices: object = None) -> DearSteps:
    """Return what records come to."""
    return summarize(score(records, prices=prices)).groups[0].dear_steps


def tools(found: DearSteps) -> dict[str | None, DearStep]:
    """Return the lines by tool."""
    return {each.tool: each for each in found.tools}


def positions(found: DearSteps) -> dict[int | None, DearStep]:
    """Return the lines by position."""
    return {each.position: each for each in found.positions}


def fresh(step: DearStep | None) -> int | None:
    """Return a line's fresh input."""
    return None if step is None or step.tokens is None else step.tokens.input


def test_a_call_costs_what_its_generation_cost(dollar: Make) -> None:
    """By hand: 300 and 500 tokens of "a", 200 of "b", at a dollar a million."""
    found = steps(run(turn("a", 300), turn("b", 100, 100), turn("a", 500)), prices=dollar)
    assert [(each.tool, each.cost_usd, each.mean_usd) for each in found.tools] == [
        ("a", 0.0008, 0.0004),
        ("b", 0.0002, 0.0002),
    ]
    assert tools(found)["b"].tokens == StepTokens(
        input=100, cache_read=None, cache_write=None, output=100
    )
    assert (found.by, tools(found)["a"].mean_tokens) == ("cost", 400)


def test_positions_are_calls_of_the_run(dollar: Make) -> None:
    """The second call of a run is at 2, whichever generation made it."""
    found = steps(run(turn("a", 10), turn("ba", 9)), run(turn("b", 5), at=2), prices=dollar)
    assert {at: fresh(step) for at, step in positions(found).items()} == {1: 15, 2: 5, 3: 4}
    assert [each.position for each in found.positions] == [1, 2, 3]


@pytest.mark.parametrize(
    ("calls", "tokens", "parts"),
    [("ab", 10, [5, 5]), ("abc", 10, [4, 3, 3]), ("abc", 11, [4, 4, 3]), ("abcd", 2, [1, 1, 0, 0])],
)
def test_several_calls_share_their_generation(calls: str, tokens: int, parts: list[int]) -> None:
    """In equal whole parts, the first ones one more: the sum is the generation's."""
    found = steps(run(turn(calls, tokens)))
    assert [fresh(positions(found)[at]) for at in range(1, len(calls) + 1)] == parts
    assert sum(parts) == tokens


def test_answers_stand_apart(dollar: Make) -> None:
    """What a generation without a call cost is no tool's, and not lost."""
    talk = Turn(1, "user", "hello")
    found = steps(run(talk, turn("a", 100), turn("", 70, 5)), prices=dollar)
    assert (found.answers.calls, found.answers.cost_usd, found.answers.call) == (1, 0.000075, None)
    assert (found.answers.observed, found.answers.characters) == (0, None)
    assert [each.calls for each in found.tools] == [1]


def test_without_an_answer_there_is_none() -> None:
    """A run that only called has no such line."""
    assert steps(run(turn("a", 1))).answers is None


def test_the_size_of_observations_is_in_characters() -> None:
    """By hand: "ñandú" has five; a call that observed nothing on record is not of size 0."""
    [line] = steps(observed("ñandú", "", None, "four")).tools
    assert (line.calls, line.observed, line.characters, line.mean_characters) == (4, 3, 9, 3)


def test_without_tokens_only_the_size_is_known(dollar: Make) -> None:
    """Cost and tokens are null with the reason, and the largest observation is the example."""
    found = steps(observed("x", "xxxx"), prices=dollar)
    [line] = found.tools
    assert (found.by, line.cost_usd, line.tokens, line.mean_tokens) == ("characters", *[None] * 3)
    assert found.undefined == {"tokens": {"no token counts": 2}, "cost": {"no token counts": 2}}
    assert (line.example, line.call) == ("r1", 2)


def test_tokens_of_the_whole_run_are_no_steps() -> None:
    """A total that no generation tells is not shared out."""
    found = steps(observed("x", spent=(Spent("m", Usage(9, 0, 0, 9)),)))
    why = "the trace tells tokens for the whole run only"
    assert (found.by, found.undefined["tokens"]) == ("characters", {why: 1})


def test_without_prices_tokens_rank() -> None:
    """The order says by what it is."""
    found = steps(run(turn("a", 10), turn("b", 20), turn("a", 5)))
    assert (found.by, [each.tool for each in found.tools]) == ("tokens", ["b", "a"])
    assert found.undefined == {"cost": {"no price table was given": 3}}
    assert (tools(found)["a"].call, tools(found)["a"].priced) == (1, 0)


def test_an_unknown_cost_has_its_denominator(dollar: Make) -> None:
    """Three calls of "a": one has a price, one a model without, one no tokens."""
    found = steps(
        run(turn("a", 100), at=1),
        run(turn("a", 900), at=2, model="other"),
        run(turn("a"), at=3),
        prices=dollar,
    )
    [line] = found.tools
    assert (line.calls, line.counted, line.priced) == (3, 2, 1)
    assert (line.cost_usd, line.mean_usd, fresh(line)) == (0.0001, 0.0001, 1000)
    assert found.undefined == {
        "cost": {"no price for other": 1, "no token counts": 1},
        "tokens": {"no token counts": 1},
    }
    assert line.example == "r1"


def test_the_dearest_call_is_the_example(tmp_path: Path) -> None:
    """Output at five times the input: 300 + 5 × 100 is more than 700 + 5 × 10."""
    (tmp_path / "p.yaml").write_text("models: {m: {input: 1, output: 5}}", "utf-8")
    made = [run(turn("a", 700, 10), at=1), run(turn("a", 1, 1), turn("a", 300, 100), at=2)]
    [line] = steps(*made, prices=load(tmp_path / "p.yaml")).tools
    assert (line.example, line.file, line.record, line.call) == ("r2", "f", 2, 2)
    assert line.cost_usd == round((700 + 50 + 1 + 5 + 300 + 500) / 1e6, 9)


def test_models_are_compared_in_money(tmp_path: Path) -> None:
    """Few tokens of a dear model cost more than many of a cheap one."""
    (tmp_path / "p.yaml").write_text(
        "models: {m: {input: 1, output: 1}, dear: {input: 90, output: 90}}", "utf-8"
    )
    made = [run(turn("a", 500), at=1), run(turn("a", 10), at=2, model="dear")]
    [line] = steps(*made, prices=load(tmp_path / "p.yaml")).tools
    assert (line.example, line.cost_usd) == ("r2", 0.0014)


@pytest.mark.parametrize("turned", [False, True])
def test_equal_calls_have_the_first_as_example(dollar: Make, *, turned: bool) -> None:
    """By file, record and call, in whatever order the runs come."""
    made = [run(turn("b", 1), turn("a", 7), turn("a", 7), at=at) for at in (1, 2, 3)]
    found = steps(*(made[::-1] if turned else made), prices=dollar)
    line = tools(found)["a"]
    assert (line.example, line.call) == ("r1", 2)


def test_a_turn_may_name_its_own_model(dollar: Make) -> None:
    """With several models spent, a turn that names none has no price."""
    spent = (Spent("m", Usage(1, 0, 0, 1)), Spent("other", Usage(1, 0, 0, 1)))
    made = run(turn("a", 10, model="m"), turn("b", 20), turn("c", 5, model="other"), spent=spent)
    found = steps(made, prices=dollar)
    assert {each.tool: each.cost_usd for each in found.tools} == {
        "a": 0.00001,
        "b": None,
        "c": None,
    }
    assert found.undefined["cost"] == {"no price for None": 1, "no price for other": 1}


def test_a_price_by_the_request_is_asked_for_each(dollar: Make) -> None:
    """A dollar a request, shared by the two calls of one; the answer bears its own."""
    found = steps(run(turn("ab", 10), turn("a", 20), turn("", 30)), prices=ByRequest())
    assert {each.tool: each.cost_usd for each in found.tools} == {
        "a": round(0.500005 + 1.00002, 9),
        "b": 0.500005,
    }
    assert (found.answers.cost_usd, tools(found)["a"].call) == (1.00003, 3)
    assert found.undefined == {}


def test_cached_tokens_are_told_apart_where_all_tell(dollar: Make) -> None:
    """As everywhere: what only some tell counts as input."""
    told = Turn(1, "assistant", None, turn("a").calls, Usage(5, 3, 2, 1))
    [line] = steps(run(told, told)).tools
    assert line.tokens == StepTokens(input=10, cache_read=6, cache_write=4, output=2)
    [line] = steps(run(told, turn("a", 7, 1))).tools
    assert line.tokens == StepTokens(input=17, cache_read=None, cache_write=None, output=2)
    assert line.mean_tokens == 9.5


def test_shared_cache_is_shared_too() -> None:
    """Each bucket comes out whole."""
    made = Turn(1, "assistant", None, turn("ab").calls, Usage(5, 3, None, 1))
    found = tools(steps(run(made)))
    assert found["a"].tokens == StepTokens(input=3, cache_read=2, cache_write=None, output=1)
    assert found["b"].tokens == StepTokens(input=2, cache_read=1, cache_write=None, output=0)


@pytest.mark.parametrize("tokens", [None, 5])
def test_latency_is_the_calls_own(tokens: int | None) -> None:
    """A mean of the calls that have one; a time that cannot be is none."""
    times = [100, 201.5, None, -1, 1e300]
    calls = [Call(at, "a", {}, "", "ok", latency_ms=took) for at, took in enumerate(times, 1)]
    usage = None if tokens is None else Usage(tokens, 0, 0, 0)
    [line] = steps(run(*[Turn(1, "assistant", None, (call,), usage) for call in calls])).tools
    assert (line.timed, line.mean_latency_ms) == (2, 150.75)


def test_late_calls_count_together(dollar: Make) -> None:
    """Fifty positions have a line; the others share one, which comes first where it is dearest."""
    found = steps(run(*[turn("a", 10) for _ in range(60)]), prices=dollar)
    late = positions(found)[None]
    assert (len(found.positions), late.calls, fresh(late)) == (51, 10, 100)
    assert (found.positions[0].position, late.call) == (None, 51)


def test_cheap_tools_count_together(dollar: Make) -> None:
    """Beyond 200 tools the others are one line: nothing is lost."""
    turns = [
        Turn(1, "assistant", None, (Call(1, f"t{at:03}", {}, "", "ok"),), Usage(at, 0, 0, 0))
        for at in range(1, 251)
    ]
    found = steps(run(*turns), prices=dollar)
    assert (len(found.tools), found.tools[0].tool, found.tools[-1].tool) == (
        KINDS + 1,
        "t250",
        None,
    )
    assert (fresh(found.tools[-1]), found.tools[-1].calls) == (sum(range(1, 51)), 50)


@pytest.mark.parametrize("tokens", [None, 5])
def test_names_are_labels(tokens: int | None) -> None:
    """A trace can call a tool and a run a megabyte."""
    call = Call(1, "t" * 1_000_000, {}, "", "ok")
    usage = None if tokens is None else Usage(tokens, 0, 0, 0)
    made = Turn(1, "assistant", None, (call,), usage)
    [line] = steps(run(made, made, id="r" * 1000)).tools
    assert (len(line.tool), len(line.example), line.calls) == (LABEL, LABEL, 2)


def test_sub_agents_bear_their_own(dollar: Make) -> None:
    """Ruling 17: a root's cost includes its children's; the example names the child."""
    child = run(turn("b", 500), id="child").trajectory
    found = steps(run(turn("a", 10), children=(Child(child, 1),)), prices=dollar)
    assert [(each.tool, each.example, each.call) for each in found.tools] == [
        ("b", "child", 1),
        ("a", "r1", 1),
    ]
    assert positions(found)[1].calls == 2


def test_all_lines_come_to_the_bill(dollar: Make) -> None:
    """The tools and the answers, and the positions and the answers, are what the runs cost."""
    made = [run(turn("abc", 1000), turn("a", 77), turn("", 5), at=at) for at in range(1, 4)]
    found = steps(*made, prices=dollar)
    whole = 3 * (1000 + 77 + 5) / 1e6
    for lines in (found.tools, found.positions):
        assert round(sum(each.cost_usd for each in [*lines, found.answers]), 9) == whole


def test_of_no_step_there_is_no_line() -> None:
    """A run that did nothing has nothing dear."""
    found = steps(run())
    assert (found.trajectories, found.tools, found.positions, found.answers) == (1, [], [], None)
    assert (found.by, found.undefined) == ("characters", {})


DRAWN = st.lists(
    st.lists(
        st.tuples(st.text("abc", max_size=3), st.none() | st.integers(0, 9), st.sampled_from("mx")),
        max_size=4,
    ),
    max_size=6,
)


@given(drawn=DRAWN, chance=st.randoms(use_true_random=False), flat=st.booleans())
def test_any_split_gives_the_same(
    dollar: Make, drawn: list[Any], chance: random.Random, *, flat: bool
) -> None:
    """Parts merge to the same in any order, examples too."""
    made = [
        run(*[turn(names, tokens, model=model) for names, tokens, model in turns], at=at)
        for at, turns in enumerate(drawn)
    ]
    scores = score(made, prices=dollar if flat else ByRequest())
    runs = list(scores)
    whole, merged = Accumulator(scores.columns), Accumulator(scores.columns)
    for each in runs:
        whole.add(each)
    chance.shuffle(runs)
    for part in (runs[::2], runs[1::2]):
        other = Accumulator(scores.columns)
        for each in part:
            other.add(each)
        merged.merge(other)
    assert merged.value() == whole.value()


def test_merging_leaves_the_other_part_as_it_is(dollar: Make) -> None:
    """A part that was added to one total may be added to another."""
    scores = score([run(turn("a", 1)), run(turn("a", 2), at=2)], prices=dollar)
    first, second = scores
    part, whole = Accumulator(scores.columns), Accumulator(scores.columns)
    part.add(first)
    before = part.value()
    whole.merge(part)
    whole.add(second)
    assert part.value() == before != whole.value()


def test_airline_has_no_tokens_but_sizes(shared: Path) -> None:
    """Counted in the file: 377 calls of get_reservation_details observed 272,476 characters."""
    found = summarize(score(read(shared / AIRLINE))).groups[0].dear_steps
    first, second = found.tools[:2]
    assert (first.tool, first.calls, first.characters) == ("get_reservation_details", 377, 272_476)
    assert (second.tool, second.calls, second.characters) == ("search_onestop_flight", 38, 141_915)
    assert (found.by, first.cost_usd, first.tokens) == ("characters", None, None)
    assert sum(each.calls for each in found.tools) == 1164
    assert set(found.undefined) == {"cost", "tokens"}


def conversation(spans: Path, system: str) -> dict[str, object]:
    """Write one agent's generations of a recorded trace as chat messages with their usage."""
    found = [
        json.loads(line).get("span_data") or {} for line in spans.read_text("utf-8").splitlines()
    ]
    mine = [
        each
        for each in found
        if each.get("type") == "generation" and each["input"][0]["content"] == system
    ]
    messages = [*mine[-1]["input"], *mine[-1]["output"]]
    spoken = [each for each in messages if each["role"] == "assistant"]
    for message, generation in zip(spoken, mine, strict=True):
        usage = generation["usage"]
        cached = {"cached_tokens": usage["input_tokens_details"]["cached_tokens"]}
        message["usage"] = {
            "prompt_tokens": usage["input_tokens"],
            "completion_tokens": usage["output_tokens"],
            "prompt_tokens_details": cached,
        }
    return {"id": "native", "model": "gpt-5-mini", "messages": messages}


def test_a_recorded_trace_with_tokens(shared: Path, tmp_path: Path) -> None:
    """The first generation: 1,200 tokens in, 900 of them cached, 80 out, for two calls; by hand."""
    made = conversation(shared / NATIVE, "Eres un agente de soporte.")
    (tmp_path / "native.jsonl").write_text(json.dumps(made), "utf-8")
    (tmp_path / "p.yaml").write_text(
        "models: {gpt-5-mini: {input: 2, cache_read: 1, output: 10}}", "utf-8"
    )
    found = summarize(score(read(tmp_path / "native.jsonl"), prices=load(tmp_path / "p.yaml")))
    line = tools(found.groups[0].dear_steps)["buscar_pedido"]
    assert line.tokens == StepTokens(input=150, cache_read=450, cache_write=0, output=40)
    assert line.cost_usd == (150 * 2 + 450 * 1 + 40 * 10) / 1e6
    assert line.characters == len("{'pedido_id': 'P-7', 'total': 20}")
    bill = found.metrics["cost_usd"].total
    steps = found.groups[0].dear_steps
    assert round(sum(each.cost_usd for each in [*steps.tools, steps.answers]), 9) == bill


class Paid(ByRequest):
    """The same, and calls of "a" and of a long name cost ten and twenty nano-dollars."""

    rates = Rates({"a": 10, "t" * 100: 20})


def test_calls_of_a_priced_tool_cost_that_as_well() -> None:
    """By hand: a dollar and its tokens for each request, and 10 nano-dollars for each "a"."""
    found = steps(run(turn("ab", 10), turn("a", 20)), prices=Paid())
    assert {each.tool: each.cost_usd for each in found.tools} == {
        "a": round(0.500005 + 1.00002 + 20e-9, 9),
        "b": 0.500005,
    }
    assert positions(found)[1].cost_usd == round(0.500005 + 10e-9, 9)


def test_calls_without_a_known_cost_have_no_fee() -> None:
    """A part of a bill is no bill: neither without tokens, nor with a model without a price."""
    found = steps(run(turn("a")), run(turn("a", 9), at=2, model="other"), prices=Paid())
    [line] = found.tools
    assert (line.calls, line.priced, line.cost_usd) == (2, 0, None)


def test_a_long_name_has_its_price() -> None:
    """A line's name is cut; the price file names the whole."""
    call = Call(1, "t" * 100, {}, "", "ok")
    [line] = steps(run(Turn(1, "assistant", None, (call,), Usage(0, 0, 0, 0))), prices=Paid()).tools
    assert line.cost_usd == 1.00000002


def test_the_cheap_tools_together_keep_their_fees(tmp_path: Path) -> None:
    """Of 202 tools one is not listed, nor is its twin: a token and 5 nano-dollars each, by hand."""
    names = [f"t{at:03}" for at in range(1, KINDS + 3)]
    calls = [Call(1, name, {}, "", "ok") for name in names]
    turns = [
        Turn(1, "assistant", None, (call,), Usage(1 if at < 2 else 9, 0, 0, 0))
        for at, call in enumerate(calls)
    ]
    fees = ", ".join(f"{name}: 0.000000005" for name in names)
    (tmp_path / "p.yaml").write_text(f"models: {{m: {{input: 1, output: 1}}}}\ntools: {{{fees}}}")
    rest = steps(run(*turns), prices=load(tmp_path / "p.yaml")).tools[-1]
    assert (rest.tool, rest.calls, rest.cost_usd) == (None, 2, 2.01e-6)


def test_the_dearest_call_counts_its_fee(tmp_path: Path) -> None:
    """At one position: 3 tokens of "b" are dearer than 2 of "a", unless a call of "a" costs."""
    text = "models: {m: {input: 1, output: 1}}\n"
    made = [run(turn("a", 2), at=1), run(turn("b", 3), at=2)]
    found = []
    for fee in ("", "tools: {a: 0.000002}"):
        (tmp_path / "p.yaml").write_text(text + fee, "utf-8")
        [place] = steps(*made, prices=load(tmp_path / "p.yaml")).positions
        found.append((place.example, place.cost_usd))
    assert found == [("r2", 5e-6), ("r1", 7e-6)]


@pytest.fixture(scope="module")
def workload(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 120 generated runs of two models, with usage on each message."""
    base = tmp_path_factory.mktemp("workload") / "w"
    made = [sys.executable, shared / "perf" / "gen_workload.py", "--n", "120", "--out", base]
    subprocess.run(made, check=True, capture_output=True)
    return base.with_suffix(".jsonl")


def test_the_workload_adds_up(workload: Path, tmp_path: Path) -> None:
    """Sums over the raw messages: calls, characters and tokens of each tool, in plain Python."""
    calls, sizes, tokens = Counter(), Counter(), Counter()
    for line in workload.read_text("utf-8").splitlines():
        messages = json.loads(line)["messages"]
        for message, result in pairwise(messages):
            for each in message.get("tool_calls", ()):
                name = each["function"]["name"]
                calls[name] += 1
                sizes[name] += len(result["content"])
                tokens[name] += sum(message["usage"].values())
    found = summarize(score(read(workload))).groups
    ours = {
        name: [
            sum(getattr(line, field) for group in found for line in group.dear_steps.tools
                if line.tool == name)
            for field in ("calls", "characters")
        ]
        for name in calls
    }  # fmt: skip
    assert ours == {name: [calls[name], sizes[name]] for name in calls}
    lines = [line for group in found for line in group.dear_steps.tools]
    assert sum(line.tokens.input + line.tokens.output for line in lines) == tokens.total()


@pytest.mark.parametrize("fees", [False, True])
def test_the_workload_costs_what_its_runs_cost(
    workload: Path, tmp_path: Path, *, fees: bool
) -> None:
    """By tool or by position, with the answers it is the sum of all runs' costs, to the nano."""
    calls = [
        each["function"]["name"]
        for line in workload.read_text("utf-8").splitlines()
        for message in json.loads(line)["messages"]
        for each in message.get("tool_calls", ())
    ]
    tools = {name: f"0.{1_000_001 * at:09}" for at, name in enumerate(sorted(set(calls)))}
    models = {
        "modelo-a-2026-01": {"input": 3, "output": 15},
        "modelo-b-2026-03": {"input": 1, "output": 5},
    }
    priced = {"models": models, "tools": tools if fees else {}}
    (tmp_path / "p.yaml").write_text(json.dumps(priced), "utf-8")
    for group in summarize(score(read(workload), prices=load(tmp_path / "p.yaml"))).groups:
        found = group.dear_steps
        for lines in (found.tools, found.positions):
            bill = round(sum(each.cost_usd for each in [*lines, found.answers]), 9)
            assert bill == group.metrics["cost_usd"].total
        assert found.undefined == {}
        costs = [each.cost_usd for each in found.tools]
        assert costs == sorted(costs, reverse=True)
