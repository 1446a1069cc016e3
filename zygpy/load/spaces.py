"""Globals of its own for a generated text that reads none of the user's: names are found there faster
than in cells."""

from __future__ import annotations

import builtins
import dis
from collections.abc import Mapping, Set
from types import CellType, CodeType, FunctionType
from typing import Any

OWN_NAMES = "__zygpy_names__"
"""Under this name, such globals have the names that were bound for the text."""

KEPT = ("__name__", "__builtins__")
"""What they take over from the user's."""

LOOKING_AROUND = frozenset({"breakpoint", "dir", "eval", "exec", "globals", "locals", "vars", "__import__"})
"""Builtins that do something else in other globals."""

READ, WRITE, MORE = (dis.opmap[name] for name in ("LOAD_GLOBAL", "STORE_GLOBAL", "EXTENDED_ARG"))


def space_of_its_own(
    live: Set[str], cells: Mapping[str, object], user_globals: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Globals for a text that mentions the names `live`; None where it needs more of the user's than
    builtins, or a cell that is filled later.

    >>> space_of_its_own({"x", "abs"}, {"x": 1}, {"y": 2}), space_of_its_own({"y"}, {}, {"y": 2})
    ({'x': 1}, None)
    """
    if any(isinstance(value, CellType) for value in cells.values()):
        return None
    if any(name not in cells and (name in user_globals or name in LOOKING_AROUND) for name in live):
        return None
    return {**{name: user_globals[name] for name in KEPT if name in user_globals}, **cells}


def reads_only(code: CodeType, names: Set[str], user_globals: Mapping[str, Any]) -> bool:
    """Whether all globals that a code object uses are reads of these names, or of builtins.

    >>> reads_only((lambda: abs(x)).__code__, {"x"}, {}), reads_only((lambda: abs(y)).__code__, {"x"}, {})
    (True, False)
    """
    words, mentioned, high = code.co_code, code.co_names, 0
    for place in range(0, len(words), 2):
        operation, argument = words[place], words[place + 1] | high
        high = argument << 8 if operation == MORE else 0
        if operation == WRITE:
            return False
        if operation == READ and not _is_there(mentioned[argument >> 1], names, user_globals):
            return False
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return all(reads_only(part, names, user_globals) for part in inner)


def _is_there(name: str, names: Set[str], user_globals: Mapping[str, Any]) -> bool:
    return name in names or (hasattr(builtins, name) and name not in user_globals)


def fill(space: dict[str, Any], functions: Mapping[str, FunctionType]) -> None:
    """Let the functions of a text find each other, and others what was bound for them."""
    own = [name for name in space if name not in KEPT]
    space.update(functions)
    space[OWN_NAMES] = (*own, *functions)


def bound_names(function: FunctionType) -> dict[str, Any]:
    """What was bound for a generated function when it was loaded, by name.

    Requires: all cells are filled.
    """
    space = function.__globals__
    own = {name: space[name] for name in space.get(OWN_NAMES, ())}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return own | {name: cell.cell_contents for name, cell in cells}
