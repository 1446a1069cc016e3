"""Operators of what is found when the code runs, and its tangent beside it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.operators import SPELLED, joining_by_c, operator_program, unary_method
from zygpy.load.signatures import PLAIN
from zygpy.pushed.attributes import left
from zygpy.pushed.found import OPERANDS, called, ready_operation, run
from zygpy.pushed.sets import (
    changed_set,
    combined,
    combines_sets,
)
from zygpy.rules.custom import is_ruled
from zygpy.runtime import operations
from zygpy.runtime.lookup import in_class, is_among
from zygpy.runtime.tangent_items import items_of
from zygpy.runtime.zeros import (
    CannotPush,
    has_partner,
    keeps_numbers,
)


def operated(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What `pushed_operation` does, in code that can be differentiated."""
    if combines_sets(operation, args, dots):
        return combined(operation, args, dots)
    joined = joined_as(operation, args, dots)
    if joined == "lists":
        return args[0] + args[1], dots[0] + dots[1]
    if joined == "repeated":
        return args[0] * args[1], dots[0] * args[1]
    if joined == "texts":
        return operation(*args), None
    methods = methods_of_operator(operation, args)
    if methods is None:
        return run(ready_operation(operation, args, dots), args, dots, ())
    for method, turned in methods:
        given, along = (args[::-1], dots[::-1]) if turned else (args, dots)
        y, y_dot = called(method, None, given, along, True)
        if y is not NotImplemented:
            return y, y_dot
    raise TypeError(message_of_operator(operation, args))


def is_operator(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether what is called is an operator by its name (`operator.mul`), of other things than numbers and
    arrays."""
    if not is_among(function, NAMED) or is_ruled(function):
        return False
    return len(args) == NAMED[function] and not all(isinstance(value, OPERANDS) for value in args)


def joined_as(operation: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> str | None:
    """Whether an operator joins two lists, or two tuples, with their tangents, or repeats one, or is one on
    texts; None if it does none of these."""
    if any(isinstance(arg, str | bytes) for arg in args):
        return "texts" if all(type(arg) in PLAIN for arg in args) else left(operation)
    cls = type(args[0])
    if cls not in (list, tuple):
        return None
    if operation is operator.add:
        return "lists" if all(type(v) is cls for v in (*args, *dots)) else left(operation)
    if operation is operator.mul and type(args[1]) is int:
        return "repeated" if type(dots[0]) is cls else left(operation)
    return None


def methods_of_operator(operation: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, bool], ...] | None:
    """The methods that an operator on objects asks, in order, each with whether it is given the operands
    turned about; None for an operator on numbers and arrays.

    Raises CannotPush where C code is among them.
    """
    own = unary_method(operation, args)
    if own is not None:
        return ((own, False),)
    try:
        found = operator_program(operation, args)
    except UnsupportedSyntaxError as error:
        raise CannotPush from error
    if found is None:
        return None
    forward, backward = found
    if joining_by_c(operation, args) is not None:
        raise CannotPush
    methods = ((forward, False), (backward, True))
    return tuple([(method, turned) for method, turned in methods if method is not None])


NAMED: Mapping[Any, int] = {
    **dict.fromkeys((*operations.BINARY.values(), divmod, pow), 2),
    **dict.fromkeys((*operations.UNARY.values(), abs, round), 1),
}
"""The operators that can be called by their names, among them builtins that ask for a method in the same way,
and how many operands each has."""


def message_of_operator(operation: Any, args: tuple[Any, ...]) -> str:
    """What Python says where nobody implements an operator."""
    left, right = (type(arg).__name__ for arg in args)
    return f"unsupported operand type(s) for {SPELLED[operation]}: {left!r} and {right!r}"


def changed(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """What `pushed_change` does, in the same way."""
    x, v = args
    how = "set" if combines_sets(operation, args, dots) else changed_as(operation, args, dots)
    if how == "list":
        beside = items_of(dots[1], v)
        x += v
        dots[0].extend(beside)
    elif how == "sum":
        x += v
        if dots[1] is not None:
            x_dot = dots[0]
            x_dot += dots[1]
    elif how == "difference":
        x -= v
        if dots[1] is not None:
            x_dot = dots[0]
            x_dot -= dots[1]
    elif how in CHANGING:
        return CHANGING[how](operation, args, dots)
    else:
        y, y_dot = operated(operation, args, dots)
        if how == "array":
            x[...] = y
            dots[0][...] = y_dot
        else:
            return y, y_dot
    return x, dots[0]


def changed_by_method(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[Any, Any]:
    """The same by the method of a class in Python."""
    y, y_dot = called(method_of_change(operation, args[0]), None, args, dots, True)
    return operated(operation, args, dots) if y is NotImplemented else (y, y_dot)


CHANGING: Mapping[str, Callable[..., tuple[Any, Any]]] = {"method": changed_by_method, "set": changed_set}
"""What changes something that is neither a list nor an array."""


def method_of_change(operation: Any, value: Any) -> Any:
    """The method that an operator in place calls, if it is written in Python; else None."""
    found = in_class(type(value), f"__i{operation.__name__.strip('_')}__", None)
    if found is not None and type(found) is not FunctionType:
        raise CannotPush
    return found


def changed_as(operation: Any, args: tuple[Any, Any], dots: tuple[Any, Any]) -> str:
    """How an operator in place changes something: an array or a list in its memory, an object by its method;
    `new` if it gives something new.

    Raises CannotPush where that is not known.
    """
    x, v = args
    if type(x) is np.ndarray:
        if type(dots[0]) is not np.ndarray or not keeps_numbers(x, v):
            raise CannotPush
        if operation is operator.add:
            return "sum"
        return "difference" if operation is operator.sub else "array"
    if type(x) is list:
        joined = operation is operator.add and type(v) in WALKED
        return "list" if joined and type(dots[0]) is list else left(operation)
    if type(x) in PLAIN or isinstance(x, np.generic | tuple):
        return "new"
    if not has_partner(x):
        raise CannotPush
    return "new" if method_of_change(operation, x) is None else "method"


WALKED = (list, tuple, np.ndarray, range, dict, type(dict[Any, Any]().values()))
"""What a list may be extended by without running any code."""
