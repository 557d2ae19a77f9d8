"""The command line: one command a file, imported when it is used.

Exit codes: 0 fine, 1 do not ship or a check failed, 2 bad input or usage, 3 not enough evidence,
4 interrupted, 5 locked. Machine output goes to stdout and nothing else does; the rest to stderr.
"""

from __future__ import annotations

import os
import sys

from cyclopts import App, CycloptsError

from trayecto.errors import TrayectoError

COMMANDS = {
    "score": "Score trajectories from files or folders, and report.",
    "show": "Show one trajectory step by step, with what each metric found.",
    "schema": "Print the JSON Schema of case files, reports or trajectories.",
    "demo": "Score the example that comes with trayecto.",
}
INTERRUPTED = 4


def _version() -> str:
    from importlib.metadata import version  # a tenth of a second, for one option

    return version("trayecto")


app = App(
    name="trayecto",
    help="Evaluate LLM agents by their trajectory: every call, argument, observation and turn.",
    help_epilogue="Example: trayecto score runs.jsonl --cases cases.yaml",
    version_flags=["--version"],
    version=_version,
    result_action="return_value",
    print_error=False,
    exit_on_error=False,
)
for _name, _help in COMMANDS.items():
    app.command(f"trayecto.cli.{_name}:{_name}", name=_name, help=_help)


def main() -> None:
    """Run the command that was typed, and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(tokens: list[str]) -> int:
    """Run a command line; a user's mistake is one sentence on stderr, never a traceback."""
    try:
        code = app(tokens)
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
    return code if isinstance(code, int) else 0


def complain(message: str) -> int:
    """Print an error with every control character visible; the exit code of bad input."""
    from trayecto.reports._safe import safe  # only errors need it

    sys.stderr.write(f"trayecto: {safe(message)}\n")
    return 2
