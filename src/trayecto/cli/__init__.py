"""The command line: one command a file, imported when it is used.

Exit codes: 0 fine, 1 do not ship or a check failed, 2 bad input or usage, 3 not enough evidence,
4 interrupted, 5 locked. Machine output goes to stdout and nothing else does; the rest to stderr.
"""

from __future__ import annotations

import os
import sys

from cyclopts import App, CycloptsError

from trayecto.errors import TrayectoError

COMMANDS = {  # what each does, and an example
    "score": (
        "Score trajectories from files or folders, and report.",
        "trayecto score runs.jsonl --cases cases.yaml",
    ),
    "compare": (
        "Compare a candidate with a base, task by task.",
        "trayecto compare base.jsonl candidate.jsonl --margin 0.05",
    ),
    "show": (
        "Show one trajectory step by step, with what each metric found.",
        "trayecto show runs.jsonl balance_001/t2 --cases cases.yaml",
    ),
    "schema": (
        "Print the JSON Schema of case files, reports or trajectories.",
        "trayecto schema > trayecto.schema.json",
    ),
    "init": (
        "Write a starter suite: commented cases, and runs to score with them.",
        "trayecto init evals --lang es",
    ),
    "demo": ("Score the example that comes with trayecto.", "trayecto demo --lang es"),
}
INTERRUPTED = 4


def _version() -> str:
    from importlib.metadata import version  # a tenth of a second, for one option

    return version("trayecto")


app = App(
    name="trayecto",
    help="Evaluate LLM agents by their trajectory: every call, argument, observation and turn.",
    version_flags=["--version"],
    version=_version,
    result_action="return_value",
    print_error=False,
    exit_on_error=False,
    suppress_keyboard_interrupt=False,
)
for _name, (_help, _example) in COMMANDS.items():
    _place = f"trayecto.cli.{_name}:{_name}"
    app.command(_place, name=_name, help=_help, help_epilogue=f"Example: {_example}")


def main() -> None:
    """Run the command that was typed, and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(tokens: list[str]) -> int:
    """Run a command line; a user's mistake is one sentence on stderr, never a traceback."""
    try:
        code = app(tokens)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (TrayectoError, CycloptsError) as problem:
        return complain(str(problem))
    except KeyboardInterrupt:
        sys.stderr.write("trayecto: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong, and nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        return complain(f"cannot write the output: {problem.strerror or problem}")
    return code if isinstance(code, int) else 0


def complain(message: str) -> int:
    """Print an error, its control characters visible; returns the exit code of bad input."""
    from trayecto.reports import safe  # only errors need it

    first, *more = message.split("\n")
    sys.stderr.write(f"trayecto: {safe(first)}\n")
    sys.stderr.writelines(f"          {safe(line)}\n" for line in more)
    return 2
