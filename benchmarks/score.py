"""How fast scoring is, and how much memory it takes, beside a bare typed decode of the same file.

    python benchmarks/score.py [--records 20000] [--large 200000] [--rounds 5]

Product and floor run in turn, each in a process of its own on one core; only the ratio of the two
is worth quoting, since machines differ. So do builds of Python: the floor runs in C, and scoring in
the interpreter, which is a tenth faster where it was built with ``--enable-optimizations``. The
goal is that of the compiled wheel (``make compiled``). Loading the cases counts; start-up and
printing the report are shown beside it. Needs ``../shared/perf``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import sysconfig
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trayecto.case_formats import CaseFile

ROOT = Path(__file__).resolve().parent.parent
PERF = ROOT.parent / "shared" / "perf"
WORK = ROOT / "build" / "bench"
MODES = {"exact": "exact", "subsequence": "in_order", "set": "any_order"}
LEVELS = {"facil": "simple", "media": "medium", "dificil": "complex"}
LIMIT = 4.5  # times the floor, with every metric, cases and tools given
GROWTH = 1.10
START = time.process_time()
OPTIMIZED = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")


def make_workload(records: int) -> Path:
    """Generate the traces, and write their cases once in our shape."""
    base = WORK / f"w{records}"
    cases = WORK / f"w{records}.ours.jsonl"
    if not base.with_suffix(".first.jsonl").exists():
        WORK.mkdir(parents=True, exist_ok=True)
        generate = [sys.executable, PERF / "gen_workload.py", "--n", str(records), "--out", base]
        subprocess.run(generate, check=True)
        theirs = Path(f"{base}.cases.jsonl").read_text("utf-8").splitlines()
        ours = [rewrite(line) + "\n" for line in theirs]
        cases.write_text("".join(ours), "utf-8")
        base.with_suffix(".first.ours.jsonl").write_text(ours[0], "utf-8")
        with Path(f"{base}.jsonl").open("rb") as traces:
            base.with_suffix(".first.jsonl").write_bytes(traces.readline())
    return Path(f"{base}.jsonl")


def rewrite(line: str) -> str:
    """One case of the workload as one of ours."""
    case = json.loads(line)
    return json.dumps(
        {
            "id": case["id"],
            "match": MODES[case["mode"]],
            "difficulty": LEVELS[case["difficulty"]],
            "min_calls": case["min_steps"],
            "required": case["required"],
            "forbidden": case["forbidden"],
            "order": case["dependencies"],
            "reference": [
                {"tool": call["name"], "arguments": call["arguments"]} for call in case["reference"]
            ],
        },
        ensure_ascii=False,
    )


def run_floor(traces: Path) -> None:
    """Time the bare decode, in this process."""
    sys.path.insert(0, str(PERF))
    import floor  # type: ignore[import-not-found]  # found through the path above

    start = time.process_time()
    floor.decode_all(str(traces))
    tell(score=time.process_time() - start)


def run_product(traces: Path) -> None:
    """Time what ``trayecto score TRACES --cases CASES --tools TOOLS`` does."""
    from trayecto.cli._cases import load_judges
    from trayecto.formats import read
    from trayecto.metrics import Scores
    from trayecto.metrics import score as score_records
    from trayecto.prices import load
    from trayecto.reports import report
    from trayecto.summaries import summarize

    first = traces.with_suffix(".first.jsonl")  # a record scored imports all that is imported late
    tools = Path(f"{traces.with_suffix('')}.tools.json")
    prices = load(None)
    cases, contracts = load_judges(first.with_suffix(".ours.jsonl"), tools)

    def score(path: Path, cases: CaseFile | None) -> Scores:
        return score_records(read(path), cases=cases, prices=prices, tools=contracts)

    report(summarize(score(first, cases)))
    started = time.process_time()
    cases, contracts = load_judges(traces.with_suffix(".ours.jsonl"), tools)
    loaded = time.process_time()
    document = summarize(score(traces, cases))
    scored = time.process_time()
    report(document)
    tell(
        score=scored - loaded,
        start=started - START,
        cases=loaded - started,
        report=time.process_time() - scored,
    )


def tell(**seconds: float) -> None:
    """Print figures for the parent: CPU seconds, and the peak of resident memory in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**seconds, "peak": peak}))


def measure(what: str, traces: Path) -> dict[str, float]:
    """Run one side in a process of its own, on one core."""
    command = [sys.executable, __file__, "--side", what, "--traces", str(traces)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def compare(records: int, rounds: int) -> dict[str, float]:
    """Run both sides in turn, and print the ratio of each pair."""
    traces = make_workload(records)
    pairs = [(measure("product", traces), measure("floor", traces)) for _ in range(rounds)]
    ratios = [(ours["cases"] + ours["score"]) / bare["score"] for ours, bare in pairs]
    middle = {
        key: statistics.median(ours[key] for ours, _ in pairs)
        for key in ("score", "start", "cases", "report", "peak")
    }
    floor = statistics.median(bare["score"] for _, bare in pairs)
    print(
        f"{records:,} records, every metric: {statistics.median(ratios):.2f} times the floor "
        f"({min(ratios):.2f} to {max(ratios):.2f}; cases {middle['cases']:.2f}, "
        f"scoring {middle['score']:.2f}, floor {floor:.2f} CPU s), peak {middle['peak']:.0f} MB; "
        f"beside it start {middle['start']:.2f}, report {middle['report']:.2f} CPU s"
    )
    return {"ratio": statistics.median(ratios), "peak": middle["peak"]}


def describe() -> str:
    """Say what is measured: how the package runs, and on which build of Python."""
    facts = find_spec("trayecto.facts")
    way = "as source" if facts and str(facts.origin).endswith(".py") else "compiled"
    built = "with" if OPTIMIZED else "without"
    return f"{way}, Python {sys.version.split()[0]} built {built} --enable-optimizations"


def take_one_core() -> None:
    """Stay on one core, and so do the processes that are started."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main() -> int:
    """Compare at both sizes; exit 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--large", type=int, default=200_000, help="0 leaves the large file out")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--side", choices=["product", "floor"])
    parser.add_argument("--traces", type=Path)
    asked = parser.parse_args()
    take_one_core()
    if asked.side:
        if asked.side == "floor":
            run_floor(asked.traces)
        else:
            run_product(asked.traces)
        return 0
    print(describe())
    if not PERF.exists():
        print("needs ../shared/perf, which is not here")
        return 2
    missed: list[str] = []
    small = compare(asked.records, asked.rounds)
    if small["ratio"] > LIMIT:
        missed.append(f"at most {LIMIT} times the floor")
    if asked.large:
        large = compare(asked.large, 1)
        growth = large["peak"] / small["peak"]
        print(f"memory at {asked.large:,} is {growth:.2f} times that at {asked.records:,}")
        if growth > GROWTH:
            missed.append(f"memory at most {GROWTH:.2f}")
    print(f"missed: {', '.join(missed)}" if missed else "every limit is kept")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
