"""Products of gradients and directions, and zeros where there are none, for second derivatives."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.project import zero_like
from zygpy.runtime.records import Record, fields_of
from zygpy.runtime.store import carried_by


def is_number(value: Any) -> bool:
    """Whether a value is a number, but no truth value, or an array.

    >>> is_number(1.5), is_number(True), is_number("text")
    (True, False, False)
    """
    numbers = int | float | complex | Fraction | np.number | np.ndarray
    return isinstance(value, numbers) and not isinstance(value, bool)


def is_structure(value: Any) -> bool:
    """Whether a value is a container or an object, which may have numbers in it.

    >>> is_structure([1.0]), is_structure(1.0), is_structure(len), is_structure("text")
    (True, False, False, False)
    """
    if isinstance(value, tuple | list | dict | set | frozenset | deque):
        return True
    if is_number(value) or isinstance(value, type | ModuleType | FunctionType | str | bytes):
        return False
    return bool(fields_of(value))


def by_field(value: Any) -> Any:
    """An object, or the gradient of one, as a dict of its fields, a function as one of what it carries, and
    an array of objects as a list; anything else as it is.

    >>> by_field(Record({"a": 1.0})), by_field((1.0, 2.0))
    ({'a': 1.0}, (1.0, 2.0))
    """
    if isinstance(value, Record):
        return value._asdict()
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        return value.ravel().tolist()
    if value is None or is_number(value) or isinstance(value, bool | str | bytes | dict | tuple | list):
        return value
    if is_function_like(type(value)):
        return dict(carried_by(value))
    return dict(fields_of(value)) or value


def inner(bar: Any, v: Any) -> Any:
    """The real inner product of a gradient and a direction, which have one form; None counts as zero.

    >>> inner((2.0, None), (3.0, 5.0)), inner({"a": 1j}, {"a": 2j})
    (6.0, 2.0)
    """
    bar, v = by_field(bar), by_field(v)
    if bar is None or v is None:
        return 0.0
    if isinstance(bar, dict):
        return float(sum([inner(bar[key], v.get(key)) for key in bar]))
    if isinstance(bar, tuple | list):
        return float(sum([inner(part, direction) for part, direction in zip(bar, v, strict=True)]))
    if np.iscomplexobj(bar) or np.iscomplexobj(v):
        return float(np.sum(np.real(np.conj(bar) * v)))
    return float(np.sum(np.multiply(bar, v)))


def scaled(factor: Any, tree: Any, form: Any) -> Any:
    """Every number in a gradient or direction times a factor; None stays None.

    Only what the `form` has, too, is asked for: objects that hold each other go on for ever, and a gradient
    of one has as much of them as the program has read.

    >>> scaled(2.0, (3.0, None, {"a": 1.0, "b": 5.0}), (1.0, 1.0, {"a": 1.0}))
    (6.0, None, {'a': 2.0})
    """
    tree, form = by_field(tree), by_field(form)
    if tree is None or form is None:
        return None
    if isinstance(tree, dict):
        return {key: scaled(factor, tree[key], form[key]) for key in tree if key in form}
    if isinstance(tree, tuple | list):
        parts = [scaled(factor, item, like) for item, like in zip(tree, form, strict=True)]
        return tuple(parts) if isinstance(tree, tuple) else parts
    return factor * tree if is_number(tree) else None


def or_zero(bar: Any, x: Any) -> Any:
    """A gradient, zeros of its form where there is no path.

    >>> or_zero(None, (1.0, 2)), or_zero({"a": 2.0}, {"a": 1.0, "b": 1.0})
    ((0.0, 0.0), {'a': 2.0, 'b': 0.0})
    """
    if isinstance(x, dict):
        return {key: or_zero(None if bar is None else bar.get(key), x[key]) for key in x}
    if isinstance(x, tuple | list):
        parts = [or_zero(None if bar is None else bar[place], x[place]) for place in range(len(x))]
        return like_tuple(type(x), parts) if isinstance(x, tuple) else parts
    if bar is None and isinstance(x, np.ndarray) and x.dtype.kind in "bO":
        return np.zeros(x.shape)
    return zero_like(x) if bar is None and is_number(x) else bar
