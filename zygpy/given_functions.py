"""The kinds of functions that a program is given: those that have captured something, partial calls, and
methods that are bound to objects.

Their text is entered, as that of functions which the program makes itself, as long as all that they carry is
known: numbers, texts, arrays, containers and objects of these, and such functions.
"""

from __future__ import annotations

import functools
from types import FunctionType, MethodType
from typing import Any

from zygpy.analyse.fields import FUNCTIONS, OF_FUNCTION, OF_FUNCTION_FOUND, OF_OWN_METHOD, argument_kind
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.ir.classes import captures, is_foreign, is_generated, makes_generators
from zygpy.ir.kinds import (
    CLOSURE,
    MAXIMUM_CARRIED,
    Dict,
    Fields,
    Itself,
    Kind,
    Known,
    List,
    LocalFunction,
    Never,
    Nothing,
    Object,
    OnlyNone,
    Text,
    Tuple,
    carries_gradient,
    carrying,
    is_numeric,
    kind_of,
)
from zygpy.rules.custom import is_ruled
from zygpy.runtime.cells import content
from zygpy.runtime.partials import RECEIVER, carried_values, name_of_wrapped
from zygpy.units import standing_in, unit_of

PARTIAL: Any = functools.partial


def kind_of_given(function: Any, depth: int = 0) -> LocalFunction | None:
    """The kind of a function that carries something; None where it is not known what that does."""
    if depth >= MAXIMUM_CARRIED or is_ruled(function):
        return None
    if type(function) is PARTIAL:
        return _kind_of_partial(function, depth)
    if type(function) is MethodType:
        return _kind_of_method(function, depth)
    if not _is_plain(function) or not _has_no_state(function):
        return None
    return _kind_of_function(function, depth)


def kind_of_found(function: Any) -> LocalFunction | None:
    """The same of one that is found by a name, so that nobody asks for the gradient of what it carries: it
    may have fields of its own (`wrapper.calls += 1`), and know itself."""
    if type(function) is not FunctionType or is_ruled(function):
        return kind_of_given(function)
    return _kind_of_function(function, 0, own_name_of(function)) if _is_plain(function) else None


def own_name_of(function: FunctionType) -> str | None:
    """The variable in which a function has captured itself; None if it has not."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return next((name for name, cell in cells if content(cell) is function), None)


def _is_plain(function: Any) -> bool:
    """Whether a function carries what it has captured, and nothing else but fields."""
    if type(function) is not FunctionType or not captures(function):
        return False
    if function.__defaults__ or function.__kwdefaults__ or str(function.__module__).startswith("zygpy."):
        return False
    return not (is_generated(function) or is_foreign(function) or makes_generators(function))


def _has_no_state(function: FunctionType) -> bool:
    """Whether a function has no fields of its own, but for the one by which is known what it wraps."""
    fields = vars(function)
    return not fields or ([*fields] == ["__wrapped__"] and name_of_wrapped(function) is not None)


def _kind_of_function(function: FunctionType, depth: int, own: str | None = None) -> LocalFunction | None:
    """The kind of a function that has captured something: of that where it is itself, by its `own` name, no
    more is known than that it is a function."""
    try:
        unit = unit_of(function)
        if set(unit.captured) & {*unit.source.rebound, *unit.source.unbound}:
            return None
        stand_in = standing_in(unit, function, own)
    except (SourceNotFoundError, ZygpyError, SyntaxError):
        return None
    cells = dict(zip(unit.captured, function.__closure__ or (), strict=True))
    known = _carried({name: content(cell) for name, cell in cells.items() if name != own}, depth)
    if known is None:
        return None
    kinds = {**dict(known), **({own: CLOSURE} if own else {})}
    return carrying(stand_in, tuple([(name, kinds[name]) for name in cells]))


def _kind_of_method(method: MethodType, depth: int) -> LocalFunction | None:
    """The kind of a method that is bound to an object: one that a decorator has made carries in front of the
    object what that carries, as long as none of it has a gradient."""
    called = method.__func__
    if type(called) is not FunctionType or is_ruled(called) or is_generated(called):
        return None
    receiver = _carried({RECEIVER: method.__self__}, depth)
    if captures(called):
        made = _kind_of_function(called, depth) if _is_plain(called) and _has_no_state(called) else None
        if receiver is None or made is None or any(carries_gradient(kind) for _, kind in made.captured):
            return None
        return carrying(made.function, (*made.captured, *receiver))
    if not isinstance(kind_of(called), Known) or makes_generators(called) or is_foreign(called):
        return None
    return None if receiver is None else carrying(called, receiver)


def kind_of_own_method(method: MethodType) -> LocalFunction | None:
    """The kind of a method that an object keeps which is bound to itself; None where it is not known what it
    does."""
    called = method.__func__
    if type(called) is not FunctionType or is_ruled(called) or not isinstance(kind_of(called), Known):
        return None
    if makes_generators(called) or is_generated(called) or is_foreign(called):
        return None
    return carrying(called, ((RECEIVER, Itself(type(method.__self__))),))


def _kind_of_partial(function: Any, depth: int) -> LocalFunction | None:
    called = function.func
    if vars(function) or type(called) is not FunctionType or not isinstance(kind_of(called), Known):
        return None
    if makes_generators(called) or is_ruled(called):
        return None
    values = carried_values(function)
    del values["__wrapped__"]
    known = _carried(values, depth)
    return None if known is None else carrying(called, known, partial=True)


def _carried(values: dict[str, Any], depth: int) -> Fields | None:
    """The kinds of what a function carries; None where something may be changed by others meanwhile."""
    found = [(name, _kind_of_carried(value, depth)) for name, value in values.items()]
    return tuple(found) if all(_is_plain_data(kind) for _, kind in found) else None


def _kind_of_carried(value: Any, depth: int) -> Kind:
    if isinstance(value, FUNCTIONS):
        return kind_of_given(value, depth + 1) or kind_of(value)
    return argument_kind(value, depth + 1)


def _is_plain_data(kind: Kind) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_is_plain_data, kind.items))
    if isinstance(kind, List | Dict):
        items = [item for _, item in kind.items or ()] if isinstance(kind, Dict) else []
        return all(map(_is_plain_data, [kind.element, *items]))
    if isinstance(kind, Object):
        return kind.fields is not None and all(_is_plain_data(item) for _, item in kind.fields)
    return is_numeric(kind) or isinstance(kind, Text | Nothing | Never | OnlyNone | Known | LocalFunction)


OF_FUNCTION.append(kind_of_given)
OF_FUNCTION_FOUND.append(kind_of_found)
OF_OWN_METHOD.append(kind_of_own_method)
