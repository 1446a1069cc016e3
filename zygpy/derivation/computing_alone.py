"""Which functions under a cache compute from numbers alone, so that what they give is found once."""

from __future__ import annotations

import builtins
import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.analyse.paths import resolve
from zygpy.analyse.values import Value
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.ir import core
from zygpy.ir.kinds import (
    Kind,
    Nothing,
    Number,
    NumberOrArray,
    NumpyScalar,
    RealScalar,
    Text,
    Tuple,
    Unknown,
)
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.partials import CACHED
from zygpy.runtime.shown_outside import SETTLED, Form, Outside, form_of, is_shown
from zygpy.units import Unit, unit_of

PLAIN_OPS = (
    *(core.Copy, core.Unary, core.Binary, core.Compare, core.Truth, core.GetItem, core.Display),
    core.DictDisplay,
)
"""Operations that do nothing but give a value where all that there is are numbers, texts, and containers of
them that the function itself has made."""

PLAIN_STATEMENTS = (
    *(core.Unpack, core.SetItem, core.AugmentName, core.AugmentItem, core.DelItem, core.DelName),
    *(core.Raise, core.If, core.Loop, core.Break, core.Return, core.Attempt, core.Handle),
)
"""Statements that do nothing outside of the function then."""

PLAIN_BUILTINS = frozenset(
    {
        *(abs, bool, divmod, enumerate, float, int, len, list, max, min, pow, range, reversed, round, sum),
        *(tuple, zip),
    }
)

PLAIN_METHODS = frozenset({"append", "extend", "pop", "conjugate"})
"""Methods of lists that a function has made itself, and of numbers."""

PARTS = frozenset({"real", "imag", "T", "shape", "size", "ndim"})
"""What numbers and arrays have by names."""

READING_METHODS = frozenset({"get", "items", "keys", "values", "index", "count"})
"""Methods of tables outside, which change nothing and give none of them away."""

READING_BUILTINS = frozenset({len, sum, min, max, range, zip, enumerate, reversed, list, tuple})
"""What makes something else of a table."""

OF_MATHEMATICS = (math, cmath, np)

_MAKING: Any = (np.array, np.asarray, np.zeros, np.ones, np.full, np.eye, np.arange, np.linspace)
MAKING_ARRAYS: frozenset[Any] = frozenset(
    {
        *_MAKING,
        *(np.dot, np.sum, np.prod, np.mean, np.outer, np.cross, np.stack, np.concatenate, np.where),
        *(np.linalg.norm, np.linalg.det, np.linalg.inv, np.linalg.solve),
    }
)
"""Functions of NumPy, some of those that do nothing but give an array or a number."""

HANDLING = (core.Path(("is_caught",), "helper"),)
"""What is asked of an exception that a handler is for."""

COPYING = MAKING_ARRAYS - {np.asarray}
"""Those whose results share nothing with what they are given."""

HARMLESS_OPTIONS = frozenset({"axis", "dtype", "keepdims", "start", "default"})


@dataclass
class Found:
    """What a function finds outside when it runs: functions, and the variables in which it finds numbers."""

    functions: set[Any] = field(default_factory=set)
    numbers: dict[tuple[int, str], tuple[Mapping[str, Any], str, Form]] = field(default_factory=dict)


def may_take_numbers_alone(values: Sequence[Value]) -> bool:
    """Whether arguments may all be numbers, texts or None, or tuples of these."""
    return all(_may_be_settled(value.kind) for value in values)


def _may_be_settled(kind: Kind) -> bool:
    if isinstance(kind, Tuple):
        return kind.cls is None and all(map(_may_be_settled, kind.items))
    return isinstance(kind, Number | NumpyScalar | NumberOrArray | RealScalar | Text | Nothing | Unknown)


def of_several_classes(values: Sequence[Value]) -> bool:
    """Whether any argument may be a number of one or another class, or has parts."""
    kinds = [value.kind for value in values]
    return any(not isinstance(kind, Number) or len(kind.types) > 1 for kind in kinds)


def computing_alone(function: FunctionType) -> Outside | None:
    """The variables outside, with the names in which they are, that a function of numbers depends on; None
    where it may depend on anything else, or do anything else than give a value, or where what it or its
    adjoint does is said by a user's rule."""
    found = Found()
    try:
        alone = _computes_alone(function, found)
    except (SourceNotFoundError, ZygpyError, SyntaxError):
        return None
    return tuple(found.numbers.values()) if alone else None


def _computes_alone(function: Any, found: Found) -> bool:
    if isinstance(function, CACHED):
        function = function.__wrapped__
    if function in found.functions:
        return True
    found.functions.add(function)
    if not _is_plain(function):
        return False
    unit = unit_of(function)
    program = unit.program
    if unit.captured or program.cells or program.generator:
        return False
    return all(_is_plain_statement(statement, unit, found) for statement in core.walk(program.body))


def _is_plain(function: Any) -> bool:
    """Whether a function is one of the user's with a text, no rule, and nothing but numbers and texts bound
    to it."""
    if type(function) is not FunctionType or is_ruled(function) or declare.find(function) is not None:
        return False
    bound = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    return not function.__closure__ and all(type(value) in SETTLED for value in bound)


def _is_plain_statement(statement: core.Statement, unit: Unit, found: Found) -> bool:
    if isinstance(statement, core.Assign):
        return _is_plain_op(statement.op, statement.target, unit, found)
    if isinstance(statement, core.For):
        return all(_is_plain_call(path, unit, found) for path in _iterating(statement.iterable))
    return isinstance(statement, PLAIN_STATEMENTS)


def _iterating(iterable: Any) -> Iterator[core.Path]:
    if isinstance(iterable, core.Iterate):
        yield iterable.func
        for arg in iterable.args:
            yield from _iterating(arg)


def _is_plain_op(op: core.Op, target: str, unit: Unit, found: Found) -> bool:
    match op:
        case core.Call(func=core.Path() as path):
            return _is_plain_call(path, unit, found)
        case core.GetAttr(name=name):
            return name in PARTS
        case core.CallMethod(name=name):
            return name in PLAIN_METHODS or name in READING_METHODS
        case core.Read(path=path):
            return _is_plain_read(path, target, unit, found)
    return isinstance(op, PLAIN_OPS)


def _is_plain_call(path: core.Path, unit: Unit, found: Found) -> bool:
    if path.names[-1] in READING_METHODS and len(path.names) > 1:
        return _is_plain_table(core.Path(path.names[:-1], path.scope), unit, found)
    if path in HANDLING:
        return True
    resolved = resolve(path, unit.callees.scope)
    if resolved.depth < len(path.names) or path.scope == "helper":
        return False
    callee = resolved.value
    if isinstance(callee, FunctionType | CACHED):
        return _computes_alone(callee, found)
    if is_ruled(callee):
        return False
    if isinstance(callee, type) and issubclass(callee, Exception):
        return getattr(builtins, callee.__name__, None) is callee
    return _is_plain_ufunc(callee) or _is_plain_builtin(callee)


def _is_plain_ufunc(callee: Any) -> bool:
    """Whether this is a ufunc of numbers: one of objects may run a function in Python.

    >>> _is_plain_ufunc(np.hypot), _is_plain_ufunc(np.frompyfunc(print, 2, 1))
    (True, False)
    """
    return isinstance(callee, np.ufunc) and not all(set(types) <= set("O->") for types in callee.types)


def _is_plain_builtin(callee: Any) -> bool:
    module = {"math": math, "cmath": cmath}.get(getattr(callee, "__module__", None) or "")
    own = module is not None and getattr(module, callee.__name__, None) is callee
    return own or any(callee is one for one in (*PLAIN_BUILTINS, *MAKING_ARRAYS))


def _is_plain_read(path: core.Path, target: str, unit: Unit, found: Found) -> bool:
    """Whether what is read is a number of a module for mathematics, or one that a variable outside holds, or
    a table of these of which nothing but its items is read; the variable is noted."""
    if len(path.names) == 2 and unit.source.globals.get(path.names[0]) in OF_MATHEMATICS:
        return path.scope != "helper" and path.names[1] in ("pi", "e", "inf", "nan", "tau")
    place = _place_of(path, unit)
    if place is None:
        return _is_handled(path, unit)
    value = place[0].get(place[1])
    if type(value) not in SETTLED and not _is_only_read(target, place[2], unit, frozenset({target})):
        return False
    found.numbers[id(place[0]), place[1]] = place
    return True


def _is_handled(path: core.Path, unit: Unit) -> bool:
    """Whether a class is read of exceptions that a computation of numbers raises: not of one that tells how
    much room there was."""
    cls = getattr(builtins, path.names[0], None)
    known = isinstance(cls, type) and issubclass(cls, Exception) and not issubclass(RecursionError, cls)
    found = resolve(path, unit.callees.scope)
    return known and len(path.names) == 1 and path.scope != "helper" and found.value is cls


def _is_plain_table(path: core.Path, unit: Unit, found: Found) -> bool:
    """Whether a variable outside is a list, tuple or dict whose items are numbers and the like, of which a
    method that reads is called; it is noted."""
    place = _place_of(path, unit)
    if place is None or not place[2][1] or place[2][0] not in (list, tuple, dict):
        return False
    found.numbers[id(place[0]), place[1]] = place
    return True


def _place_of(path: core.Path, unit: Unit) -> tuple[Mapping[str, Any], str, Form] | None:
    """The module's names in which a number or table outside is, and its own; None of anything else."""
    names, space = path.names, unit.source.globals
    if path.scope == "helper" or names[0] in unit.fixed:
        return None
    for name in names[:-1]:
        module = space.get(name)
        if type(module) is not ModuleType or module in OF_MATHEMATICS:
            return None
        space = vars(module)
    value = space.get(names[-1], is_shown)
    return (space, names[-1], form_of(value)) if value is not is_shown and is_shown(value) else None


def _is_only_read(name: str, form: Form, unit: Unit, seen: frozenset[str]) -> bool:
    """Whether nothing is done with a table but to read its items, so that it is changed by no other name;
    `seen` are the variables that hold it or parts of it."""
    return all(
        _reads_items(statement, core.Var(name), form, unit, seen)
        for statement in core.walk(unit.program.body)
        if name in _names_in(statement)
    )


def _names_in(statement: core.Statement) -> set[str]:
    """The variables that a statement itself reads, or writes to."""
    found: set[str] = set()
    waiting: list[Any] = [statement]
    while waiting:
        part = waiting.pop()
        if isinstance(part, core.Var):
            found.add(part.name)
        elif isinstance(part, tuple):
            waiting.extend(part)
        elif is_dataclass(part):
            own = [one.name for one in fields(part) if one.name not in ("body", "then", "orelse")]
            waiting.extend([getattr(part, name) for name in own])
            found.update([part.target] if isinstance(part, core.AugmentName) else ())
    return found


def _reads_items(
    statement: core.Statement, table: core.Var, form: Form, unit: Unit, seen: frozenset[str]
) -> bool:
    """Whether a statement does nothing with a table but to read its items, which share nothing with it."""
    array, flat = form[0] is np.ndarray, form[1]
    if isinstance(statement, core.For | core.Unpack):
        return flat
    if not isinstance(statement, core.Assign):
        return False
    match statement.op:
        case core.GetItem(value=value) if value == table:
            part = statement.target
            return (flat and not array) or (
                part not in seen and _is_only_read(part, (form[0], not array), unit, seen | {part})
            )
        case core.CallMethod(value=value, name=method) if value == table:
            return flat and not array and method in READING_METHODS
        case core.Call(func=core.Path() as path, args=args, keywords=keywords):
            callee = resolve(path, unit.callees.scope).value
            places = [place for place, arg in enumerate(args) if arg == table]
            options = {keyword.name for keyword in keywords if keyword.value != table}
            alone = bool(places) and len(options) == len(keywords) and options <= HARMLESS_OPTIONS
            return alone and _is_reading(callee, max(places), flat=flat)
    return isinstance(statement.op, core.Binary | core.Compare | core.Truth | core.Unary) and (flat or array)


def _is_reading(callee: Any, place: int, *, flat: bool) -> bool:
    """Whether a call makes something else of the table that it is given in this place."""
    if isinstance(callee, np.ufunc):
        return place < callee.nin
    if any(callee is one for one in READING_BUILTINS):
        return flat
    return any(callee is one for one in COPYING) and place < 2
