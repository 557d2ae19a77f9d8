"""BFCL's calls that stand as Python text, ``cd(folder='document')``: read, never executed.

A call is a plain name with arguments that are written out: texts, numbers, True, False, None, and
lists, tuples and dictionaries of these. Anything else (a name, an attribute, an operator, a call
inside a call, an f-string, a star) is refused by what it is. Tuples become lists, and 1.0 is 1, as
in every JSON that is read here.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Sequence

from trayecto.case_formats._bfcl_fault import FaultError
from trayecto.case_formats._problems import Path
from trayecto.case_formats._source import DEPTH, DIGITS
from trayecto.errors import choose, quoted
from trayecto.trajectory import Json

LONGEST = 65_536  # characters of one call
_BROKEN = (SyntaxError, ValueError, RecursionError, MemoryError)  # MemoryError: the parser's stack
_KINDS: dict[type[ast.expr], str] = {
    ast.Attribute: "an attribute",
    ast.BinOp: "an operator",
    ast.Call: "a call",
    ast.JoinedStr: "an f-string",
    ast.Lambda: "a lambda",
    ast.Name: "a name",
    ast.Starred: "a star",
}


class WrittenCall:
    """One call as it is written: its tool, and its arguments."""

    def __init__(self, text: str, path: Path) -> None:
        """Parse the text, which stands at ``path``; raise where it is no call of a name."""
        self.text = text
        self.path = path
        self.call = self._parse()
        if not isinstance(self.call.func, ast.Name):
            raise self._fault("calls no tool by its name")
        self.tool = self.call.func.id

    @property
    def by_position(self) -> bool:
        """Whether an argument is given without its name."""
        return bool(self.call.args)

    def arguments(self, names: Sequence[str] | None) -> dict[str, Json]:
        """The arguments by name; those given by position take the tool's own ``names`` in turn.

        ``names`` is None where nobody says them: then there is nothing to hold the call against.
        """
        given: list[tuple[str, ast.expr]] = []
        if names is not None:
            if len(self.call.args) > len(names):
                told = f"gives {len(self.call.args)} arguments by position, of {len(names)}"
                raise self._fault(told)
            given += zip(names, self.call.args, strict=False)
        for keyword in self.call.keywords:
            if keyword.arg is None:
                raise self._fault("holds **, which is not a value written out")
            if names is not None and keyword.arg not in names:
                told = choose(keyword.arg, names) if names else "it takes none"
                raise self._fault(f"has no argument {quoted(keyword.arg)}; {told}")
            given.append((keyword.arg, keyword.value))
        found: dict[str, Json] = {}
        for name, node in given:
            if name in found:
                raise self._fault(f"gives argument {quoted(name)} twice")
            found[name] = self._literal(node, DEPTH)
        return found

    def _parse(self) -> ast.Call:
        if len(self.text) > LONGEST:
            raise self._fault(f"is longer than {LONGEST:,} characters")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an odd escape in data is nobody's warning
                node = ast.parse(self.text.strip(), mode="eval").body
        except _BROKEN as problem:
            why = problem.msg if isinstance(problem, SyntaxError) else "nested too deeply"
            raise self._fault(f"cannot be read as a call: {why}") from None
        if not isinstance(node, ast.Call):
            raise self._fault("is not a call")
        return node

    def _fault(self, told: str) -> FaultError:
        return FaultError(self.path, f"{quoted(self.text)} {told}")

    def _literal(self, node: ast.expr, levels: int) -> Json:
        """The value that an expression writes out."""
        if levels == 0:
            raise self._fault(f"is nested deeper than {DEPTH} levels")
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._literal(each, levels - 1) for each in node.elts]
        if isinstance(node, ast.Dict):
            return self._mapping(node, levels - 1)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = node.operand.value if isinstance(node.operand, ast.Constant) else None
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return self._constant(-value)
        kind = _KINDS.get(type(node), "an expression")
        raise self._fault(f"holds {kind}, which is not a value written out")

    def _mapping(self, node: ast.Dict, levels: int) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            if not isinstance(name, str):
                raise self._fault("has a mapping with a key that is not a text")
            if name in found:
                raise self._fault(f"has key {quoted(name)} twice in one mapping")
            found[name] = self._literal(value, levels)
        return found

    def _constant(self, value: object) -> Json:
        """A constant as JSON has it."""
        if isinstance(value, float):
            if not math.isfinite(value):
                raise self._fault(f"holds {value}, which is no number that could be compared")
            return int(value) if value.is_integer() else value
        if isinstance(value, str):
            return value.encode(errors="backslashreplace").decode()  # half a surrogate pair
        if isinstance(value, int) and abs(value) >= 10**DIGITS:
            raise self._fault(f"holds a number of more than {DIGITS:,} digits")
        if value is None or isinstance(value, int):
            return value
        raise self._fault(f"holds {quoted(value)}, which is no value of JSON")
