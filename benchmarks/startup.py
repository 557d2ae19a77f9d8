"""How long it takes before anything happens: the import, and --help beside a bare app.

    python benchmarks/startup.py [--rounds 11]

The bare app is cyclopts with as many commands and no more. Both run in turn, each in a process of
its own; CPU seconds of user and system.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys

from trayecto.cli import COMMANDS

IMPORT_GOAL, HELP_GOAL = 0.05, 1.3
BARE = "from cyclopts import App\napp = App(name='bare', version='1')\n" + "".join(
    f"@app.command\ndef {name}():\n    {told!r}\n" for name, (told, _) in COMMANDS.items()
)
IMPORT = (
    "import time; began = time.process_time(); import trayecto; print(time.process_time() - began)"
)


def cpu_seconds(*command: str) -> float:
    """CPU seconds of a command, user and system, as the operating system counted them."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def main() -> int:
    """Measure both; exit 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=11)
    rounds = range(parser.parse_args().rounds)
    told = [subprocess.check_output([sys.executable, "-c", IMPORT], text=True) for _ in rounds]
    imported = statistics.median(map(float, told))
    pairs = [
        (
            cpu_seconds(sys.executable, "-m", "trayecto", "--help"),
            cpu_seconds(sys.executable, "-c", f"{BARE}app(['--help'])"),
        )
        for _ in rounds
    ]
    ratio = statistics.median(ours / bare for ours, bare in pairs)
    print(f"import trayecto: {imported:.3f} CPU s; --help: {ratio:.2f} times a bare app")
    missed = imported > IMPORT_GOAL or ratio > HELP_GOAL
    print("goals missed" if missed else f"goals met: at most {IMPORT_GOAL} and {HELP_GOAL}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
