"""Zeros, seeds and projection: what a cotangent must look like for the value that it belongs to."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from zygpy.errors import NotScalarError
from zygpy.runtime.accumulate import KEYS, RE_ITERABLE, entries
from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.memory import base_of
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.native import CONTAINERS, POSITIONAL, is_set, items_of, native
from zygpy.runtime.object_arrays import elements, holds_objects, of_shape
from zygpy.runtime.partials import carried_values, is_function_like
from zygpy.runtime.records import Record, fields_of
from zygpy.runtime.shown import shown_dict
from zygpy.runtime.unknown_derivatives import UnknownCotangent, check_known

NUMBERS = (int, float, complex, np.number)
_PLAIN_NUMBERS = frozenset({int, float, complex, Fraction})


def project(bar: Any, primal: Any) -> Any:
    """The cotangent in the type and shape of the primal value; never an alias of either.

    >>> project(2, 1.0), project(3.0, 1), project(None, 1.0), project(1.0, np.float32(2))
    (2.0, 3.0, None, np.float32(1.0))
    """
    if type(primal) is float and type(bar) is float:
        return bar
    if bar is None or isinstance(primal, bool | np.bool_ | str | bytes):
        return None
    if type(bar) is UnknownCotangent:
        check_known(bar)
    if type(primal) is Given:
        return _project_given(bar, primal)
    if isinstance(primal, np.ndarray):
        return _project_array(bar, primal)
    if isinstance(primal, np.generic):
        return _project_scalar(bar, primal)
    if isinstance(primal, int | float | complex | Fraction):
        return _project_number(bar, primal)
    return _project_container(bar, shown_dict(primal))


def _project_array(bar: Any, primal: np.ndarray[Any, Any]) -> Any:
    if holds_objects(primal):
        return of_shape(_project_list(bar, elements(base_of(primal))), primal)
    if primal.dtype.kind not in "iufc":
        return None
    dtype = primal.dtype if primal.dtype.kind in "fc" else np.dtype(np.float64)
    value = np.asarray(bar)
    if value.shape != primal.shape:
        value = np.asarray(unbroadcast(value, primal.shape))
    if value.dtype.kind == "c" and dtype.kind != "c":
        value = value.real
    return np.array(value, dtype)


def _project_scalar(bar: Any, primal: np.generic) -> Any:
    kind = primal.dtype.kind
    if kind not in "iufc":
        return None
    value = np.sum(bar)
    if kind != "c":
        value = np.real(value)
    return primal.dtype.type(value) if kind in "fc" else float(value)


def _project_number(bar: Any, primal: Any) -> Any:
    if isinstance(bar, np.ndarray):
        bar = bar.sum()
    if isinstance(primal, complex):
        return complex(bar)
    real = bar.real if isinstance(bar, complex | np.complexfloating) else bar
    if isinstance(primal, Fraction):
        return (
            real if isinstance(real, Fraction) else Fraction(real if isinstance(real, int) else float(real))
        )
    return float(real)


def _project_container(bar: Any, primal: Any) -> Any:
    if isinstance(primal, tuple):
        parts = [project(item, value) for item, value in zip(entries(bar, len(primal)), primal, strict=True)]
        return like_tuple(type(primal), parts)
    if isinstance(primal, deque):
        return deque(_project_list(bar, items_of(primal)), primal.maxlen)
    if isinstance(primal, list):
        return _project_list(bar, items_of(primal))
    if isinstance(primal, dict):
        get = native(primal, "get")
        return {key: project(bar[key], get(key)) for key in in_order_of(primal, bar)}
    if isinstance(primal, (range, KEYS, *POSITIONAL)):  # what an iterator walks over is no part of it
        return None
    if is_set(primal):
        return {item: project(value, item) for item, value in bar.items()}
    if isinstance(primal, RE_ITERABLE):
        items: list[Any] = [*primal]  # type: ignore[misc]
        return [project(bar.get(place), item) for place, item in enumerate(items)]
    return _project_object(bar, primal)


def in_order_of(primal: Any, bar: Any) -> list[Any]:
    """The keys of a dict's cotangent in the order of the dict; behind them those that it does not have.

    >>> in_order_of({"a": 1.0, "b": 2.0, "c": 3.0}, {"d": 0.0, "c": 5.0, "a": 4.0})
    ['a', 'c', 'd']
    """
    if len(bar) < 2:
        return list(bar)
    known = [key for key in native(primal, "keys")() if key in bar]
    return known if len(known) == len(bar) else known + [key for key in bar if key not in known]


def _project_list(bar: Any, primal: list[Any]) -> list[Any]:
    """An untouched number has gradient 0.0 in a list of numbers, None elsewhere."""
    pairs = list(zip(entries(bar, len(primal)), primal, strict=True))
    if all(type(value) in _PLAIN_NUMBERS or isinstance(value, np.inexact) for value in primal):
        return [zero_like(value) if item is None else project(item, value) for item, value in pairs]
    return [project(item, value) for item, value in pairs]


def _project_object(bar: Any, primal: Any) -> Any:
    if not isinstance(bar, dict | Record):
        return bar
    fields = bar if isinstance(bar, dict) else bar._asdict()
    carried = primal.carried if type(primal) is GivenFunction else carried_values(primal)
    if carried:
        held = {**carried, **{name: carried.get(name) for name in fields}} if fields else {}
        return Record({name: project(fields.get(name), value) for name, value in held.items()})
    held = {**dict(fields_of(primal)), **{name: getattr(primal, name, None) for name in fields}}
    return Record({name: project(fields.get(name), value) for name, value in held.items()})


def _project_given(bar: Any, primal: Given) -> Any:
    """The same of an object as it was when it was passed."""
    held = primal.__dict__
    if type(bar) is not dict or not bar.keys() <= held.keys():
        return _project_object(bar, primal)
    return Record({name: project(bar.get(name), value) for name, value in held.items()})


def as_given(value: Any, known: dict[int, Any] | None = None, depth: int = 0) -> Any:
    """What `project` has to know of an argument that the function may change, as deep as people write data.

    >>> values = [1.0, [2.0]]
    >>> given = as_given(values)
    >>> values[1].append(3.0)
    >>> given
    [1.0, [2.0]]
    """
    if type(value) in PLAIN or isinstance(value, UNCHANGING) or depth > DEEPEST:
        return value
    known = {} if known is None else known
    if id(value) in known:  # data may contain themselves
        return known[id(value)]
    if isinstance(value, tuple):
        items = [as_given(item, known, depth + 1) for item in value]
        return like_tuple(type(value), items)
    if is_set(value):
        return {item: item for item in value}  # whose cotangent has the same form
    if not isinstance(value, CONTAINERS):
        return _object_as_given(value, known, depth)
    given: Any = (
        deque(maxlen=value.maxlen) if isinstance(value, deque) else {} if isinstance(value, dict) else []
    )
    known[id(value)] = given
    if not isinstance(value, dict):
        given.extend(_each_as_given(items_of(value), known, depth + 1))
    else:
        held = dict(native(value, "items")())
        given.update(zip(held, _each_as_given(held.values(), known, depth + 1), strict=True))
    return given


def _each_as_given(items: Collection[Any], known: dict[int, Any], depth: int) -> Collection[Any]:
    if set(map(type, items)) <= PLAIN:
        return items
    return [item if type(item) in PLAIN else as_given(item, known, depth) for item in items]


UNCHANGING = (np.ndarray, *NUMBERS, Fraction, str, bytes, type, ModuleType, type(None))
"""Values that have the same gradient types whatever a function does."""


PLAIN = frozenset({float, int, str, bool, complex, type(None), np.ndarray, np.float64, np.int64})
"""The most frequent of them."""

DEEPEST = 100
"""Behind so many levels, what an argument holds is looked at after the call."""


class Given:
    """An object as it was when it was passed."""


class GivenFunction:
    """A function with what it carried when it was passed."""

    def __init__(self) -> None:
        self.carried: dict[str, Any] = {}


def _function_as_given(value: Any, known: dict[int, Any], depth: int) -> Any:
    carried = carried_values(value)
    if all(isinstance(item, UNCHANGING) for item in carried.values()):
        return value
    given = known[id(value)] = GivenFunction()
    for name, item in carried.items():
        given.carried[name] = as_given(item, known, depth + 1)
    return given


def _object_as_given(value: Any, known: dict[int, Any], depth: int) -> Any:
    if is_function_like(type(value)):
        return _function_as_given(value, known, depth)
    fields = fields_of(value)
    if not fields:
        return value
    given = Given()
    known[id(value)], held = given, given.__dict__
    for name, item in fields:
        held[name] = item if type(item) in PLAIN else as_given(item, known, depth + 1)
    return given


def zero_like(value: Any) -> Any:
    """The zero gradient of a number or array.

    >>> zero_like(3), zero_like(1.5), zero_like(np.ones(2, np.float32))
    (0.0, 0.0, array([0., 0.], dtype=float32))
    """
    return project(Fraction(0) if isinstance(value, Fraction) else 0.0, value)


def one_like(value: Any) -> Any:
    """The seed 1 in the kind of a scalar value."""
    if type(value) is float:
        return 1.0
    if isinstance(value, Fraction):
        return Fraction(1)
    if isinstance(value, np.generic | np.ndarray) and value.dtype.kind in "fc":
        return value.dtype.type(1) if isinstance(value, np.generic) else np.ones(value.shape, value.dtype)
    return 1.0


def check_scalar(y: Any) -> None:
    """Refuse a result that is not one real number."""
    if type(y) is float:
        return
    real = isinstance(y, (np.ndarray, *NUMBERS)) or hasattr(y, "numerator")
    if not real or np.ndim(y) != 0 or np.iscomplexobj(y):
        found = type(y).__name__ + (f" of shape {y.shape}" if isinstance(y, np.ndarray) else "")
        raise NotScalarError(
            f"the gradient is of a real scalar, but the function returned a {found}",
            why="only a single real number has a gradient",
            instead="reduce the result (np.sum, .real, abs), or use pullback with a seed",
        )


def scalar_seed(y: Any) -> Any:
    """The seed 1 of a real scalar result.

    Raises NotScalarError for anything else.
    """
    if type(y) is float:
        return 1.0
    if type(y) is np.float64:
        return ONE
    check_scalar(y)
    return one_like(y)


ONE = np.float64(1.0)


def unproject(grad_bar: Any, bar: Any) -> Any:
    """The cotangent of a cotangent before `project`, from that of the projected one."""
    if grad_bar is None or bar is None:
        return None
    if isinstance(bar, tuple | list):
        items = [unproject(value, item) for value, item in zip(entries(grad_bar, len(bar)), bar, strict=True)]
        return tuple(items) if isinstance(bar, tuple) else items
    if isinstance(bar, dict):
        fields = grad_bar._asdict() if isinstance(grad_bar, Record) else grad_bar
        return {key: unproject(fields.get(key), item) for key, item in bar.items()}
    if np.iscomplexobj(grad_bar) and not np.iscomplexobj(bar):
        grad_bar = grad_bar.real  # a real number that met complex ones has a real cotangent
    return grad_bar if np.shape(grad_bar) == np.shape(bar) else unbroadcast(grad_bar, np.shape(bar))


def seed_of_first(y: Any) -> Any:
    """The seed 1 of a real scalar result, or of the first entry of a tuple or dict."""
    if isinstance(y, tuple) and y:
        return (scalar_seed(y[0]), *(None,) * (len(y) - 1))
    if isinstance(y, dict) and y:
        first = next(iter(y))
        return {first: scalar_seed(y[first])}
    return scalar_seed(y)
