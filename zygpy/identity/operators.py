"""Operators on objects, by Python's protocol."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from types import BuiltinFunctionType, UnionType
from typing import Any

import numpy as np

from zygpy.derivation import no_rule_on
from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity import subclasses
from zygpy.identity.arithmetic import NUMBERS
from zygpy.identity.calls import Trimmed, call
from zygpy.identity.classes import python_method
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import Object, is_number, kind_of
from zygpy.load.signatures import has_only_fields
from zygpy.rules.custom import is_ruled
from zygpy.runtime.lookup import in_class
from zygpy.runtime.native import SEQUENCES, of_c_code
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.operations import BINARY
from zygpy.runtime.places import Ignored
from zygpy.runtime.protocols import check_all_comparing
from zygpy.runtime.ways import Way


def combined(symbol: Any, forward: Any, backward: Any, joining: Any, a: Any, b: Any) -> Any:
    """`a op b` for objects: Python's protocol of the operator's two methods, and of the one in C that joins
    containers."""
    if forward is not None:
        result = forward(a, b)
        if result is not NotImplemented:
            return result
    if backward is not None:
        result = backward(b, a)
        if result is not NotImplemented:
            return result
    if joining is not None:
        return joining(a, b)
    left, right = type(a).__name__, type(b).__name__
    raise TypeError(f"unsupported operand type(s) for {symbol}: {left!r} and {right!r}")


NAMES: Mapping[Any, str] = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.truediv: "truediv",
    operator.floordiv: "floordiv",
    operator.mod: "mod",
    operator.pow: "pow",
    operator.matmul: "matmul",
    operator.and_: "and",
    operator.or_: "or",
    operator.xor: "xor",
    operator.lshift: "lshift",
    operator.rshift: "rshift",
    divmod: "divmod",
    pow: "pow",
}
SPELLED: Mapping[Any, str] = {
    **{function: "** or pow()" if symbol == "**" else symbol for symbol, function in BINARY.items()},
    divmod: "divmod()",
    pow: "** or pow()",
}
"""What Python calls an operator that nobody implements."""

UNARY: Mapping[Any, str] = {
    operator.neg: "__neg__",
    operator.pos: "__pos__",
    operator.invert: "__invert__",
    abs: "__abs__",
    float: "__float__",
    round: "__round__",
}


def unary_method(function: Any, args: tuple[Any, ...]) -> Any:
    """The method of an object that a unary operator or builtin calls, else None."""
    if len(args) != 1 or not isinstance(function, BuiltinFunctionType | type) or function not in UNARY:
        return None
    if is_number(args[0]):
        return None
    return python_method(args[0], UNARY[function])


def _is_unary_of_none(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a unary operator or builtin is given an object that has no method for it."""
    if len(args) != 1 or not isinstance(function, BuiltinFunctionType | type) or function not in UNARY:
        return False
    plain = bool(type(args[0]).__flags__ & HEAP_TYPE)
    return plain and _has_none(args[0], UNARY[function])


def operator_program(function: Any, args: tuple[Any, ...]) -> Any:
    """The methods that an operator on objects goes through, in order, else None."""
    if len(args) != 2 or not isinstance(function, BuiltinFunctionType) or function not in NAMES:
        return None
    name, (a, b) = NAMES[function], args
    if is_number(a) and is_number(b):
        return None
    if in_class(type(a), f"__{name}__", NotImplemented) is None:
        function(a, b)  # which raises what Python raises where a class has no such operator
    forward, backward = python_method(a, f"__{name}__"), python_method(b, f"__r{name}__")
    if is_taken_for_a_number(a, b):
        backward = None
    if forward is None and (backward is None or type(a) is type(b)):
        return _check_has_one(function, a, b)
    if forward is None and not is_left_to(type(b), a):
        raise item_by_item(name, b)
    own = in_class(type(a), f"__r{name}__", None)
    if type(a) is not type(b) and issubclass(type(b), type(a)) and backward not in (None, own):
        return (None, backward) if forward is None else (_reflected_first(backward, forward), None)
    return (forward, None if type(a) is type(b) else backward)


def _check_has_one(function: Any, a: Any, b: Any) -> None:
    """Raise what Python raises for an operator that neither operand has, where nothing else is asked."""
    name = NAMES[function]
    if _has_none(a, f"__{name}__") and _has_none(b, f"__r{name}__") and not is_ruled(function):
        function(a, b)


def _has_none(value: Any, *methods: str) -> bool:
    """Whether a value is a number, or an object whose class has none of these methods, nor one by which NumPy
    would make an array or a number of it.

    >>> _has_none(1.5, "__mul__"), _has_none([], "__mul__"), _has_none(_has_none, "__mul__")
    (True, False, True)
    """
    return is_number(value) or all(
        in_class(type(value), name) is None for name in (*methods, *MAKING_NUMBERS)
    )


MAKING_NUMBERS = (
    "__array__",
    "__array_interface__",
    "__array_priority__",
    "__array_struct__",
    "__array_ufunc__",
    "__complex__",
    "__float__",
    "__getitem__",
    "__index__",
    "__len__",
)
"""Methods, and marks, of things that NumPy takes for numbers or arrays."""


def is_taken_for_a_number(a: Any, b: Any) -> bool:
    """Whether the C code of a number, or array, to the left of an object takes that for a number of its own.

    >>> class Count(int): pass
    >>> is_taken_for_a_number(1.5, Count(2)), is_taken_for_a_number(2, Count(2))
    (True, False)
    """
    if issubclass(type(b), type(a)):
        return False
    if isinstance(a, np.ndarray | np.generic):
        return isinstance(b, int | float | complex)
    taken = next((others for cls, others in TAKEN if isinstance(a, cls)), ())
    return isinstance(b, taken)


TAKEN: tuple[tuple[type, tuple[type, ...]], ...] = (
    (int, (int,)),
    (float, (int, float)),
    (complex, (int, float, complex)),
)
"""By Python's classes of numbers, those that their operators take."""


def is_left_to(cls: type, a: Any) -> bool:
    """Whether what stands to the left of an object leaves the operation to its class.

    Arrays of NumPy do it with every item, unless the class says that they should not, and numbers of NumPy do
    it with the items of what has some.
    """
    if not isinstance(a, np.ndarray | np.generic):
        return True
    if in_class(cls, "__array_ufunc__", NotImplemented) is None:
        return True
    own = in_class(cls, "__array_priority__", None)
    if isinstance(own, int | float) and own > a.__array_priority__:
        return True
    if isinstance(a, np.generic):
        return not any(in_class(cls, name, None) for name in ("__len__", "__array__", "__array_ufunc__"))
    return False


def item_by_item(name: str, b: Any) -> UnsupportedSyntaxError:
    """The error for an operation that NumPy does with every item."""
    return UnsupportedSyntaxError(
        f"'__r{name}__' of a '{type(b).__name__}' is meant for every item of an array to the left of it.",
        why="NumPy makes an array of objects then, whose items' cotangents are not found",
        instead="let the class have `__array_ufunc__ = None`, which leaves the whole array to it",
    )


def _reflected_first(backward: Any, forward: Any) -> Any:
    """Of a subclass, the reflected method comes first."""

    def method(a: Any, b: Any) -> Any:
        result = backward(b, a)
        return forward(a, b) if result is NotImplemented else result

    return method


def chosen(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`max` and `min` where one of several objects is chosen, whose cotangents are their own."""
    if (function is not max and function is not min) or not args:
        return None
    items = args[0] if len(args) == 1 else args
    if not isinstance(items, list | tuple) or not any(isinstance(kind_of(item), Object) for item in items):
        return None
    check_all_comparing(items)
    y = function(*args, **kwargs)
    return (y, Ignored(1 + len(args) + len(kwargs))) if isinstance(kind_of(y), Object) else None


def of_classes(function: Any, args: tuple[Any, ...]) -> Any:
    """`int | float` of two classes."""
    plain = len(args) == 2 and function is operator.or_
    plain = plain and all(isinstance(arg, type | UnionType) for arg in args)
    return (function(*args), Ignored(3)) if plain else None


def _of_text(function: Any, args: tuple[Any, ...]) -> Any:
    """An operator on text, which carries no gradient; None for anything else."""
    if len(args) != 2 or not isinstance(function, BuiltinFunctionType) or function not in NAMES:
        return None
    if not any(isinstance(arg, str | bytes) for arg in args):
        return None
    if function is operator.mod and isinstance(args[1], tuple | dict):
        check_all_comparing(args[1].values() if isinstance(args[1], dict) else args[1], "told")
    elif function is operator.mod:
        check_all_comparing(args[1:], "told")
    return function(*args), Ignored(3)


def _refuse_other_arrays(function: Any, args: tuple[Any, ...]) -> None:
    """Refuse an operator on an array and one of another class: NumPy decides which of the two says what it
    means."""
    if len(args) != 2 or not isinstance(function, BuiltinFunctionType) or function not in NAMES:
        return
    arrays = [arg for arg in args if isinstance(arg, np.ndarray)]
    if len(arrays) == 2 and not all(map(is_number, arrays)) and not any(map(holds_objects, arrays)):
        raise no_rule_on(NAMES[function], [kind_of(arg) for arg in args])


def on_objects(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An operator on two things each of which is a number or an object that has nothing but fields: for these
    nobody else stands. None for any other call."""
    if type(function) is not BuiltinFunctionType or kwargs or len(args) != 2 or function not in NAMES:
        return None
    if not all(type(arg) in NUMBERS or has_only_fields(arg) for arg in args):
        return None
    protocol = operator_program(function, args)
    return None if protocol is None else _by_methods(way, function, protocol, args)


def by_protocol(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An operator, or a builtin that calls a method of its one argument."""
    joined = None if kwargs else of_classes(function, args) or subclasses.joined(function, args)
    if joined is not None:
        return joined
    own = None if kwargs else unary_method(function, args)
    if own is not None:
        return call(way, own, *args)
    if not kwargs and _is_unary_of_none(function, args) and not is_ruled(function):
        function(*args)  # which raises what Python raises
    if not kwargs:
        _refuse_other_arrays(function, args)
    protocol = operator_program(function, args)
    if protocol is None:
        return _of_text(function, args) if not kwargs else None
    return _by_methods(way, function, protocol, args)


def _by_methods(way: Way, function: Any, protocol: tuple[Any, ...], args: tuple[Any, ...]) -> Any:
    """The same by the two methods that an operator on objects goes through."""
    y, back = call(way, combined, SPELLED[function], *protocol, joining_by_c(function, args), *args)
    return y, Trimmed(back, 1, 3 + len(protocol))


def joining_by_c(function: Any, args: tuple[Any, ...]) -> Any:
    """The method in C that joins two containers when no method in Python has."""
    if function is operator.or_ and all(isinstance(arg, dict) for arg in args):
        return of_c_code(args[0], "__or__")
    if function is operator.add and isinstance(args[0], SEQUENCES):
        return of_c_code(args[0], "__add__")
    return None
