"""Whether a gradient has the type, shape and dtype that its argument calls for."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import Any

import numpy as np

from zygpy.runtime.records import Record
from zygpy.testing import things, trees


def type_error(argument: Any, bar: Any, name: str) -> str | None:
    """What is wrong with the type of `bar` as the gradient of `argument`, or None.

    >>> type_error(1.0, np.float32(2), "0")
    'the gradient of argument 0 is of type float32, not float'
    >>> type_error([1, "a"], [2.0, None], "0")
    """
    if bar is None:
        return None
    if trees.is_container(argument):
        return container_error(argument, bar, name)
    if isinstance(argument, np.ndarray) and trees.is_numeric(argument):
        return array_error(argument, bar, name)
    if isinstance(bar, Record) or things.is_of_its_class(argument, bar):
        return object_error(argument, bar, name)
    return scalar_error(argument, bar, name)


def object_error(argument: Any, bar: Any, name: str) -> str | None:
    """What is wrong with the gradient of an object, or of what a function carries, by its fields."""
    problems = []
    for field, entry in things.entries(bar):
        if not things.has_entry(argument, field):
            return f"the gradient of argument {name} has other attributes than the argument"
        problems.append(type_error(things.entry(argument, field), entry, f"{name}.{field}"))
    return next((problem for problem in problems if problem is not None), None)


def container_error(argument: Any, bar: Any, name: str) -> str | None:
    """What is wrong with the gradient of a tuple, list, dict, queue or array of objects. (That of another
    class of lists or dicts is a plain one.)"""
    plain = (list, dict, deque, np.ndarray)
    wanted = next((cls for cls in plain if isinstance(argument, cls)), type(argument))
    if type(bar) is not wanted:
        return f"the gradient of argument {name} is of type {spelled(bar)}, not {wanted.__name__}"
    keys = {key for key, _ in trees.children(argument)}
    found = {key for key, _ in trees.children(bar)}
    if not found <= keys or (not isinstance(argument, dict) and found != keys):
        return f"the gradient of argument {name} has other entries than the argument"
    problems = (type_error(argument[key], entry, f"{name}[{key!r}]") for key, entry in trees.children(bar))
    return next((problem for problem in problems if problem is not None), None)


def array_error(argument: Any, bar: Any, name: str) -> str | None:
    """What is wrong with the gradient of an array."""
    if not isinstance(bar, np.ndarray):
        return f"the gradient of argument {name} is of type {spelled(bar)}, not ndarray"
    dtype = np.dtype(np.float64) if trees.is_integer(argument) else argument.dtype
    if bar.shape != argument.shape or bar.dtype != dtype:
        return f"the gradient of argument {name} is {bar.dtype}{bar.shape}, not {dtype}{argument.shape}"
    return None


def scalar_error(argument: Any, bar: Any, name: str) -> str | None:
    """What is wrong with the gradient of a number, or of something that has none."""
    if not trees.is_numeric(argument):
        return f"the gradient of argument {name} is {bar!r}, but a {spelled(argument)} has none"
    if trees.is_integer(argument):
        right = isinstance(bar, float)
        return None if right else f"the gradient of argument {name} is of type {spelled(bar)}, not float"
    wanted = Fraction if isinstance(argument, Fraction) else type(argument)
    if type(bar) is not wanted:
        return f"the gradient of argument {name} is of type {spelled(bar)}, not {wanted.__name__}"
    return None


def spelled(value: Any) -> str:
    """The name of a value's type."""
    return type(value).__name__
