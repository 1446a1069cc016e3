"""Whether a gradient has the type, shape and dtype that its argument calls for."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import Any

import numpy as np

from zygpy.runtime.records import Record
from zygpy.testing import things, trees
from zygpy.testing.trees import Path


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


def dtype_error(args: Any, value: Any, bars: Any, *, of_rule: bool) -> tuple[Path, str] | None:
    """Where cotangents as `back` gives them have less precision than all arguments and the result, and what
    is wrong with them; of a rule, also where they have more. (`gradient` hides that: it converts them.)

    Arrays and NumPy scalars decide, where there are any: a Python number takes their precision, also that of
    arrays which a program captures.

    >>> dtype_error((np.ones(2),), 2.0, (np.ones(2, np.float32),), of_rule=False)
    ((0,), 'is float32, less precise than arguments and result')
    """
    coarsest, finest = precisions((args, value))
    for path, found in trees.parts_of(args, bars).items():
        counts = of_rule or rounding(trees.lookup(args, path)) is not None
        for bar in found:
            own = rounding(bar)
            if own is not None and own > coarsest and counts:
                return path, f"is {bar.dtype}, less precise than arguments and result"
            if own is not None and own < finest and of_rule:
                return path, f"is {bar.dtype}, more precise than arguments and result"
    return None


def precisions(tree: Any) -> tuple[float, float]:
    """The coarsest and the finest rounding error of the numbers with a dtype; that of a double without."""
    found = [error for _, leaf in trees.leaves(tree) if (error := rounding(leaf)) is not None]
    return max(found, default=DOUBLE), min(found, default=DOUBLE)


DOUBLE = 2.0**-52


def rounding(leaf: Any) -> float | None:
    """The rounding error of a NumPy scalar or array with a point; None of other numbers."""
    return float(np.finfo(leaf.dtype).eps) if trees.has_float_dtype(leaf) else None


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
    class of lists or dicts is a plain one, and so is that of a class of tuples without names.)"""
    plain: Any = (list, dict, deque, np.ndarray, *(() if hasattr(argument, "_fields") else (tuple,)))
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
