"""Which functions under a cache compute from numbers alone, so that what they give is found once."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.analyse.paths import resolve
from zygpy.analyse.values import Value
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.ir import core
from zygpy.ir.kinds import Kind, Nothing, Number, NumpyScalar, RealScalar, Text
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.kept_results import SETTLED, Outside
from zygpy.runtime.partials import CACHED
from zygpy.units import Unit, unit_of

PLAIN_OPS = (
    *(core.Copy, core.Unary, core.Binary, core.Compare, core.Truth, core.GetItem, core.Display),
    core.DictDisplay,
)
"""Operations that do nothing but give a value where all that there is are numbers, texts, and containers of
them that the function itself has made."""

PLAIN_STATEMENTS = (
    *(core.Unpack, core.SetItem, core.AugmentName, core.AugmentItem, core.DelItem, core.DelName),
    *(core.Raise, core.If, core.Loop, core.Break, core.Return),
)
"""Statements that do nothing outside of the function then."""

PLAIN_BUILTINS = frozenset(
    {
        *(abs, bool, divmod, enumerate, float, int, len, list, max, min, pow, range, reversed, round, sum),
        *(tuple, zip),
    }
)

PLAIN_METHODS = frozenset({"append", "extend", "pop"})
"""Methods of lists that a function has made itself."""


@dataclass
class Found:
    """What a function finds outside when it runs: functions, and the variables in which it finds numbers."""

    functions: set[Any] = field(default_factory=set)
    numbers: dict[tuple[int, str], tuple[Mapping[str, Any], str]] = field(default_factory=dict)


def takes_numbers_alone(values: Sequence[Value]) -> bool:
    """Whether arguments are real numbers of double precision, texts or None."""
    return all(_is_settled(value.kind) for value in values)


def _is_settled(kind: Kind) -> bool:
    if isinstance(kind, Number):
        return kind.types <= {"float", "int", "bool"}
    return isinstance(kind, Text | Nothing | RealScalar) or kind == NumpyScalar("f8")


def of_several_classes(values: Sequence[Value]) -> bool:
    """Whether any argument may be a number of one or another class."""
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
        return _is_plain_op(statement.op, unit, found)
    if isinstance(statement, core.For):
        return all(_is_plain_call(path, unit, found) for path in _iterating(statement.iterable))
    return isinstance(statement, PLAIN_STATEMENTS)


def _iterating(iterable: Any) -> Iterator[core.Path]:
    if isinstance(iterable, core.Iterate):
        yield iterable.func
        for arg in iterable.args:
            yield from _iterating(arg)


def _is_plain_op(op: core.Op, unit: Unit, found: Found) -> bool:
    match op:
        case core.Call(func=core.Path() as path):
            return _is_plain_call(path, unit, found)
        case core.CallMethod(name=name):
            return name in PLAIN_METHODS
        case core.Read(path=path):
            return _is_plain_read(path, unit, found)
    return isinstance(op, PLAIN_OPS)


def _is_plain_call(path: core.Path, unit: Unit, found: Found) -> bool:
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
    own = getattr(callee, "__module__", None) == "math" and getattr(math, callee.__name__, None) is callee
    return own or any(callee is one for one in PLAIN_BUILTINS)


def _is_plain_read(path: core.Path, unit: Unit, found: Found) -> bool:
    """Whether what is read is a number of a module for mathematics, or one that a variable outside holds,
    which is noted."""
    names, space = path.names, unit.source.globals
    if path.scope == "helper" or names[0] in unit.fixed:
        return False
    first = space.get(names[0])
    if len(names) == 2:
        return isinstance(first, ModuleType) and first in (math, np) and names[1] in ("pi", "e", "inf", "nan")
    if len(names) > 1 or type(first) not in SETTLED:
        return False
    found.numbers[id(space), names[0]] = space, names[0]
    return True
