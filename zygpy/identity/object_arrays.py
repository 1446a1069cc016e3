"""Arrays of objects: making and rearranging them, and operators on them."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from operator import methodcaller
from typing import Any

import numpy as np

from zygpy.derivation import no_rule_on
from zygpy.identity.calls import Prefixed, Trimmed, call
from zygpy.identity.operators import NAMES
from zygpy.ir.kinds import is_number, kind_of
from zygpy.runtime.lookup import compares_in_python
from zygpy.runtime.object_arrays import (
    FilledWith,
    any_hold_objects,
    as_list,
    as_numbers,
    elementwise,
    holds_objects,
    made,
    places,
    rearranged,
    total,
)
from zygpy.runtime.ways import Way

REARRANGING = frozenset(
    {"copy", "diagonal", "flatten", "ravel", "repeat", "reshape", "squeeze", "swapaxes", "take", "transpose"}
)
"""Methods that give the elements of an array in another shape or order."""

ALONE: Mapping[str, Any] = {"tolist": as_list, "sum": total}
"""The programs of methods without arguments."""

MAKING: tuple[Any, ...] = (np.array, np.asarray, np.asanyarray)

LIKE_METHODS: Mapping[Any, str] = {np.sum: "sum"}
"""Functions that do what a method of their first argument does."""

REARRANGING_FUNCTIONS: frozenset[Any] = frozenset(
    {
        np.broadcast_to,
        np.copy,
        np.diagonal,
        np.expand_dims,
        np.flip,
        np.moveaxis,
        np.ravel,
        np.repeat,
        np.reshape,
        np.roll,
        np.squeeze,
        np.swapaxes,
        np.take,
        np.tile,
        np.transpose,
    }
)
"""Functions that do the same to the elements of their first argument."""


def gives_objects(value: Any, name: str, args: tuple[Any, ...]) -> bool:
    """Whether a method of an array of numbers makes an array of objects of it."""
    return isinstance(value, np.ndarray) and name == "astype" and args != () and np.dtype(args[0]).kind == "O"


def method(way: Way, array: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A method of an array of objects."""
    if name in REARRANGING:
        return _in_another_order(methodcaller(name, *args, **kwargs), array, 1 + len(args) + len(kwargs))
    if name == "astype" and np.dtype(args[0]).kind == "O":
        result = array.astype(*args, **kwargs)
        return result, Trimmed(made(array, result, 2 + len(args) + len(kwargs)), 0, 1)
    if name == "astype" and len(args) == 1 and not kwargs and np.dtype(args[0]).kind in "fciu":
        y, back = call(way, as_numbers, array, args[0])
        return y, Trimmed(back, 0, 1)
    program = None if args or kwargs else ALONE.get(name)
    if program is None or array.ndim == 0:
        raise no_rule_on(name, [kind_of(array)])
    y, back = call(way, program, array)
    return y, Trimmed(back, 0, 1)


def _in_another_order(order: Any, array: Any, count: int) -> Any:
    """The elements of an array in another shape or order, as the places of them tell it."""
    result = order(array)
    return result, rearranged(array, result, order(places(array)), count)


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A function of NumPy, or an operator, that makes an array of objects or is given one; None for anything
    else."""
    if not callable(function) or not args or getattr(function, "__hash__", None) is None:
        return None
    if compares_in_python(function):
        return None
    if function in MAKING:
        return _made(way, function, args, kwargs)
    if function is np.full and len(args) > 1:
        return _filled(args, kwargs)
    if not any_hold_objects(args):
        return None
    if function in REARRANGING_FUNCTIONS and holds_objects(args[0]):
        order, count = lambda array: function(array, *args[1:], **kwargs), 1 + len(args) + len(kwargs)
        return _in_another_order(order, args[0], count)
    if function in LIKE_METHODS and holds_objects(args[0]):
        y, back = method(way, args[0], LIKE_METHODS[function], args[1:], kwargs)
        return y, Prefixed(back)
    return None if kwargs else _operator(way, UFUNCS.get(function, function), args)


def _operator(way: Way, function: Any, args: tuple[Any, ...]) -> Any:
    """An operator, element by element; None for anything else."""
    if function not in ELEMENTWISE or len(args) != 2 or any(isinstance(arg, list | tuple) for arg in args):
        return None
    y, back = call(way, elementwise, function, *args)
    return y, Trimmed(back, 1, 2)


UFUNCS: Mapping[Any, Any] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
    np.floor_divide: operator.floordiv,
    np.remainder: operator.mod,
    np.power: operator.pow,
}
"""The operators that functions of NumPy apply to objects."""

ELEMENTWISE = frozenset(NAMES) - {operator.matmul}


def _filled(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`np.full` with one object; None for numbers, which have a rule, and for several."""
    dtype = kwargs.get("dtype", args[2] if len(args) > 2 else None)
    objects = not is_number(args[1]) if dtype is None else np.dtype(dtype).kind == "O"
    if not objects or isinstance(args[1], list | tuple | np.ndarray):
        return None
    result = np.full(*args, **kwargs)
    if not holds_objects(result):
        raise no_rule_on("full", [kind_of(args[1])])
    return result, FilledWith(result, 1 + len(args) + len(kwargs))


def _made(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`np.array` and its like; None where what is made has a rule."""
    items, dtype = args[0], kwargs.get("dtype", args[1] if len(args) > 1 else None)
    if holds_objects(items) and dtype is not None and np.dtype(dtype).kind in "fciu":
        if len(args) > 2 or kwargs.keys() - {"dtype"}:
            raise no_rule_on(function.__name__, [kind_of(items)])
        y, back = method(way, items, "astype", (dtype,), {})
        return y, Spread(back, 1 + len(args) + len(kwargs))
    if dtype is None and not holds_objects(items) and not _holds_things(items):
        return None
    if dtype is not None and np.dtype(dtype).kind != "O":
        return None
    result = function(*args, **kwargs)
    return (result, made(items, result, 1 + len(args) + len(kwargs))) if holds_objects(result) else None


class Spread:
    """The pullback of a conversion of the first argument, for a call with further ones."""

    def __init__(self, back: Any, count: int) -> None:
        self.back, self.count = back, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, self.back(y_bar, store)[0], *(None,) * (self.count - 2))


def _holds_things(items: Any) -> bool:
    """Whether a list or tuple holds something that is no number."""
    if isinstance(items, list | tuple):
        return any(map(_holds_things, items))
    return not is_number(items)
