"""Tangents of what others can reach, for one run of tangent code that stores what varies there.

Each thing that is found by a name - a global variable, an attribute of a class, module or function - has its
tangent beside it in a table of the place's owner, and whatever can be changed has one tangent, found by its
identity, by whatever name the thing is found. They are made when they are first asked for, and are gone with
the run.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from zygpy.errors import ZygpyError
from zygpy.runtime.lookup import defining_class
from zygpy.runtime.zeros import RUNS, CannotPush, Zeros, zero_tangent


class Mirrors(Zeros):
    """The tangents of what a run finds elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Any] = []  # so that no other thing gets the identity of one of these
        self.tables: dict[int, dict[str, Any]] = {}
        self.seen: dict[tuple[int, str], Any] = {}  # what was at a place when its tangent was put beside it

    def _keep(self, value: Any, tangent: Any) -> Any:
        self.kept.append(value)
        return super()._keep(value, tangent)

    def table(self, owner: Any) -> dict[str, Any]:
        """The tangents of what an owner holds, by name."""
        if id(owner) not in self.tables:
            self.kept.append(owner)
            self.tables[id(owner)] = {}
        return self.tables[id(owner)]


def now() -> Mirrors | None:
    """Those of the present run, if it stores what varies where others find it."""
    mirrors: Mirrors | None = RUNS.mirrors
    return mirrors


def mirror_of(value: Any) -> Any:
    """The tangent of something that was not made by the present run, or zeros where nothing is stored.

    >>> mirror_of([1.0])
    [0.0]
    """
    mirrors = now()
    if mirrors is None:
        return zero_tangent(value)
    try:
        return mirrors.of(value)
    except (ZygpyError, RecursionError) as error:
        raise CannotPush from error


def has_table(owner: Any) -> bool:
    """Whether the tangents of what something holds are in a table: of a class or function, while the present
    run stores there what varies.

    >>> has_table(int)
    False
    """
    return now() is not None and (type(owner) is type or type(owner) is FunctionType)


def table_of(owner: Any) -> Any:
    """The same thing, or, of a function, the dict that it keeps its attributes in."""
    return vars(owner) if isinstance(owner, FunctionType) else owner


def check_put_there(owner: Any, name: str) -> None:
    """Leave it to reverse mode to set what a class or function does more with than to keep it."""
    if name.startswith("__") and name.endswith("__"):
        raise CannotPush


def held_dot(owner: Any, name: str, value: Any) -> dict[str, Any]:
    """The table that has the tangent of what is found by a name, which is `value`, in a class or in the dict
    of a module or function.

    Raises CannotPush where something else was put there by code without tangents, or is given there.
    """
    mirrors = _begun()
    holder = defining_class(owner, name) if isinstance(owner, type) else owner
    found = (vars(holder) if isinstance(holder, type) else holder).get(name, mirrors)
    if isinstance(found, classmethod | staticmethod) or isinstance(value, str):
        return {name: None}
    if found is not value:
        raise CannotPush
    table = mirrors.table(holder)
    if name not in table:
        table[name] = mirror_of(value)
        mirrors.seen[id(holder), name] = value
    elif mirrors.seen[id(holder), name] is not value:
        raise CannotPush
    return table


def put_there(owner: Any, name: str, value: Any) -> dict[str, Any]:
    """The same table, where the value was just put there, and its tangent is about to be."""
    mirrors = _begun()
    mirrors.seen[id(owner), name] = value
    return mirrors.table(owner)


def _begun() -> Mirrors:
    mirrors = now()
    if mirrors is None:
        raise CannotPush
    return mirrors
