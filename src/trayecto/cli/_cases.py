"""What judges trajectories: a file of cases, and the contracts of the tools."""

from __future__ import annotations

import gc
from pathlib import Path

from trayecto.case_formats import CaseFile, load_cases
from trayecto.contract_files import load_tools
from trayecto.contracts import ToolContract
from trayecto.errors import InputError, quoted

RUN = ("python:", "mcp:")  # tools that would have to be imported or started
COLLECT_EVERY = 50_000  # new containers between two looks for cycles


def load_judges(
    cases: Path | None, tools: Path | None
) -> tuple[CaseFile | None, dict[str, ToolContract] | None]:
    """Load cases and contracts; without ``tools`` those of the file that the suite itself names.

    A suite that names its tools in another way (a Python module, a server) is scored without them:
    nothing of a trace is run. From then on cycles are looked for less often, and not among what
    stays: neither cases nor a stream of records make any.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        contracts = None if tools is None else load_tools(tools)
        file = None if cases is None else load_cases(cases, contracts=contracts)
        if contracts is None and file is not None and cases is not None:
            contracts = _own_tools(file, cases)
            if contracts is not None:  # the cases must know them, as they must know given ones
                file = load_cases(cases, contracts=contracts)
        return file, contracts
    finally:
        gc.freeze()
        gc.set_threshold(COLLECT_EVERY)
        if collects:
            gc.enable()


def _own_tools(file: CaseFile, cases: Path) -> dict[str, ToolContract] | None:
    """The contracts in the file that a suite names: beside it, or in a folder below."""
    named = file.settings.get("tools")
    if not isinstance(named, str) or named.startswith(RUN):
        return None
    path = Path(named)
    if path.is_absolute() or ".." in path.parts:
        problem = f"tools: {quoted(named)} is outside of the suite's folder; give it with --tools"
        raise InputError(file.name, problem)
    try:
        return load_tools(cases.parent / path)
    except InputError as problem:
        raise InputError(file.name, f"tools: {problem}") from None
