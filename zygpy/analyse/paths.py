"""Resolving dotted names against a function's live surroundings, with the guards that this needs."""

from __future__ import annotations

import builtins
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.ir import core
from zygpy.ir.classes import is_plain_module_class
from zygpy.ir.kinds import Known, kind_of
from zygpy.runtime.instances import method_of
from zygpy.runtime.lookup import is_computed_of_class

MISSING = object()


@dataclass(frozen=True, eq=False)
class Scope:
    """Where a function's free names live.

    `fixed` are the cells of a generated function, which hold helpers and other generated functions;
    `replaced` the names of functions that may be others when they are read than they are now; what the
    program in it `rests_on` before anything of it is looked at, and by which names those functions are found
    whose bodies stand `in_place` of their calls.
    """

    globals: Mapping[str, Any]
    cells: Mapping[str, types.CellType]
    helpers: Mapping[str, Any]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    replaced: frozenset[str] = frozenset()
    rests_on: tuple[Guard, ...] = ()
    in_place: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Resolved:
    """The object that a path (or its longest resolvable beginning) names now.

    `depth` counts the names consumed; what is behind them is read as attributes of data.
    """

    value: Any
    depth: int
    guards: tuple[Guard, ...]


def is_stable(value: Any) -> bool:
    """Whether a value is code or a namespace, which the derivation may depend on by identity."""
    return isinstance(kind_of(value), Known)


def resolve(path: core.Path, scope: Scope) -> Resolved:
    """Follow a path as far as it leads through modules and classes, and to a method that has a rule."""
    value, guard = _root(path, scope)
    if value is MISSING:
        return Resolved(MISSING, 0, ())
    guards = [] if guard is None else [guard]
    depth = 1
    for name in path.names[1:]:
        if not isinstance(value, types.ModuleType | type):
            standing = method_of(value, name)
            if standing is not None and guards:
                guards[-1] = Guard(guards[-1].owner, guards[-1].name, value)
                value, depth = standing, depth + 1
            break
        if name in scope.replaced or _is_computed(value, name):
            break
        found = getattr(value, name, MISSING)
        if found is MISSING or (_is_given(value, name) and not is_stable(found)):
            break
        if is_stable(found):
            guards.append(Guard(value, name, found))
        else:
            guards.append(Guard(value, name, kind=kind_of(found)))
        value, depth = found, depth + 1
    return Resolved(value, depth, tuple(guards))


def _is_computed(owner: Any, name: str) -> bool:
    """Whether code in Python gives an attribute of a class or module each time, or its class has it."""
    if isinstance(owner, type):
        return is_computed_of_class(owner, name)
    cls: type = type(owner)
    return name not in vars(owner) and not is_plain_module_class(cls)


def _is_given(owner: Any, name: str) -> bool:
    """Whether a module's own `__getattr__` gives what it has not."""
    return isinstance(owner, types.ModuleType) and name not in vars(owner)


def _root(path: core.Path, scope: Scope) -> tuple[Any, Guard | None]:
    name = path.names[0]
    if path.scope == "builtin":
        return getattr(builtins, name), None
    if path.scope == "helper":
        return scope.helpers[name], None
    if path.scope == "captured":
        return _captured(name, scope)
    if name in scope.fixed:
        return scope.fixed[name], None
    if name in scope.replaced:
        return MISSING, None
    value = scope.globals.get(name, MISSING)
    if value is MISSING:
        value = getattr(builtins, name, MISSING)
    if value is MISSING:
        return MISSING, None
    return value, _guard(scope.globals, name, value)


def _captured(name: str, scope: Scope) -> tuple[Any, Guard | None]:
    cell = scope.cells.get(name)
    if cell is None:
        return MISSING, None
    try:
        value = cell.cell_contents
    except ValueError:  # the variable has no value yet
        return MISSING, None
    return value, _guard(cell, "cell_contents", value)


def _guard(owner: Any, name: str, value: Any) -> Guard:
    return Guard(owner, name, value) if is_stable(value) else Guard(owner, name, kind=kind_of(value))
