"""Methods of builtin classes that are called as functions: `number.__add__`, `list.append`, `ndarray.sum`."""

from __future__ import annotations

import operator
from types import BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any

DESCRIPTORS = (MethodDescriptorType, WrapperDescriptorType)
"""The types of methods of builtin classes that are not bound to an object."""


def is_method_of(function: Any, value: Any) -> bool:
    """Whether a method that is not bound to an object is the one that an object of a builtin class has.

    >>> is_method_of(list.append, []), is_method_of(list.append, ())
    (True, False)
    """
    return type(value).__module__ in ("builtins", "numpy") and (
        getattr(type(value), function.__name__, None) is function
    )


def operator_for(value: Any, name: str, args: tuple[Any, ...]) -> Any:
    """The function of `operator` that does what a special method does, or None.

    A number's method leaves the operation to the other operand in places, which the operator does not.

    >>> operator_for(2.0, "__add__", (1,)), operator_for(2, "__add__", (1.0,)), operator_for(2, "real", ())
    (<built-in function add>, None, None)
    """
    function = vars(operator).get(name)
    if not name.startswith("__") or not isinstance(function, BuiltinFunctionType):
        return None
    return None if isinstance(value, int | float | complex) and _gives_up(value, name, args) else function


def _gives_up(value: Any, name: str, args: tuple[Any, ...]) -> bool:
    return getattr(value, name)(*args) is NotImplemented
