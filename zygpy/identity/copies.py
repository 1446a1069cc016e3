"""Copies of things: the cotangents of a copy belong to what it was made of."""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity import bypassed
from zygpy.identity.calls import Trimmed, call
from zygpy.identity.classes import python_method
from zygpy.runtime import object_arrays
from zygpy.runtime.accumulate import containers_now, entries
from zygpy.runtime.copies import duplicate, duplicate_deeply, is_copied, parts_of, refuse_reduction
from zygpy.runtime.copies_beside import copied_beside, copied_once, copied_through
from zygpy.runtime.native import SEQUENCES, SETS, is_set
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.places import CopyOf
from zygpy.runtime.store import form_of
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The two functions that `copy.copy` and `copy.deepcopy` come down to, and `tuple` of a tuple, which is
    that very tuple: nothing has to be known of what is in it, and in that. So it is with the containers in
    what is none."""
    if function is tuple and len(args) == 1 and type(args[0]) is tuple and not kwargs:
        return args[0], Left()
    if function is containers_now and not isinstance(args[0], list | tuple | dict):
        return args[0], Left()
    if function is duplicate:
        return shallow(way, *args)
    if function is duplicate_deeply:
        return deep(way, *args)
    return beside(*args) if function is copied_beside else None


def shallow(way: Way, value: Any) -> Any:
    """`copy.copy(value)`."""
    method = python_method(value, "__copy__")
    if method is not None:
        return call(way, method, value)
    refuse_reduction(value)
    if bypassed.is_rebuilt(value):
        return bypassed.rebuilt(way, value)
    bypassed.refuse_asking_copy(value)
    y = copy.copy(value)
    if is_function_like(type(value)):
        return y, _of_function(value)
    if isinstance(value, tuple) or not is_copied(value):
        return y, Left()
    if object_arrays.holds_objects(value):
        return y, object_arrays.rearranged(value, y, object_arrays.places(value), 2)
    if isinstance(value, np.ndarray):
        return y, Copied(value, y, [(value, y)], [], 2)
    form_of(value)  # which refuses what has items and fields
    return y, Shallow(CopyOf(value, y))


def _of_function(function: Any) -> Left:
    """The pullback of the copy of a function, which carries the same as the function."""
    if isinstance(function, functools.partial) and vars(function):
        raise UnsupportedSyntaxError(
            "a partial call with attributes of its own is copied.",
            why="where the cotangents of the attributes belong is not known",
            instead="make another one: `functools.partial(p.func, *p.args, **p.keywords)`",
        )
    return Left()


class Left:
    """The copy is the thing itself, or a tuple of the same things, or carries the same."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, y_bar)


class Shallow:
    """The pullback of a copy that shares what it holds."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.back(y_bar, store)
        return (None, None)


def deep(way: Way, value: Any, memo: Any) -> Any:
    """`copy.deepcopy(value, memo)`.

    Objects with a `__deepcopy__` of their own come first, in order, and are found in the memo afterwards.
    """
    if isinstance(value, ATOMS):
        return value, Kept()
    memo = {} if memo is None else memo
    if _has_own_way(value) and id(value) not in memo:
        y, back = _in_own_way(way, value, memo)
        if y is not value:
            _remember(memo, value, y)
        return y, Own(back)
    hooked = [_by_method(way, thing, memo) for thing in _with_methods(value, memo)]
    kept = memo.setdefault(id(memo), [])
    known = len(kept)
    y = copy.deepcopy(value, memo)
    pairs = [(thing, memo[id(thing)]) for thing in kept[known:]]
    return y, Copied(value, y, pairs, hooked, 3)


ATOMS = (type(None), type(Ellipsis), type(NotImplemented), type, FunctionType, BuiltinFunctionType)
"""Classes of what is its own deep copy."""


class Kept:
    """The pullback of a deep copy that is the thing itself."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, y_bar, None)


class Own:
    """The pullback of a copy that a method of the object makes."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, *self.back(y_bar, store)[1:])


def _has_own_way(value: Any) -> bool:
    """Whether a deep copy of a value is made by methods in Python."""
    return python_method(value, "__deepcopy__") is not None or bypassed.is_rebuilt(value)


def _in_own_way(way: Way, value: Any, memo: Any) -> Any:
    method = python_method(value, "__deepcopy__")
    if method is not None:
        return call(way, method, value, memo)
    refuse_reduction(value)
    y, back = bypassed.rebuilt_deeply(way, value, memo)
    return y, back


def _remember(memo: Any, value: Any, y: Any) -> None:
    """What `copy.deepcopy` does when it has a copy."""
    memo[id(value)] = y
    memo.setdefault(id(memo), []).append(value)


def _with_methods(value: Any, memo: Any) -> list[Any]:
    """The objects in a value that are copied by methods in Python, as they are come across."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        thing = waiting.pop()
        if not is_copied(thing) or id(thing) in seen or id(thing) in memo:
            continue
        seen.add(id(thing))
        if _has_own_way(thing):
            found.append(thing)
            continue
        refuse_reduction(thing)
        bypassed.refuse_asking_copy(thing)
        waiting.extend(reversed(parts_of(thing)))
    return found


def _by_method(way: Way, thing: Any, memo: Any) -> Any:
    if id(thing) in memo:  # the copy of an earlier one came across it
        return lambda y_bar, store: None
    y, back = _in_own_way(way, thing, memo)
    if not is_copied(y) or isinstance(y, tuple):
        raise UnsupportedSyntaxError(
            f"the '__deepcopy__' of a {type(thing).__name__} gives a {type(y).__name__}.",
            why="what holds the copy has no object whose cotangent could be told from that of the original",
            instead="return an object",
        )
    _remember(memo, thing, y)
    return Trimmed(back, 0, 1)


def beside(function: Any, value: Any, dot: Any) -> Any:
    """A copy of something that no method makes, and its tangent (`zygpy.pushed.copies`)."""
    if function is duplicate:
        y, y_dot = copied_once(value, dot)
        return (y, y_dot), Beside(_sharing(value, y), _sharing(dot, y_dot))
    y, y_dot, pairs, pairs_of_dots = copied_through(value, dot)
    return (y, y_dot), Beside(Copied(value, y, pairs, [], 2), Copied(dot, y_dot, pairs_of_dots, [], 2))


def _sharing(value: Any, y: Any) -> Any:
    """The pullback of a copy that shares what it holds with what it is a copy of."""
    if y is value:
        return Left()
    return (
        Copied(value, y, [(value, y)], [], 2) if isinstance(value, np.ndarray) else Shallow(CopyOf(value, y))
    )


class Beside:
    """The pullback of a copy and its tangent."""

    def __init__(self, of_value: Any, of_dot: Any) -> None:
        self.of_value, self.of_dot = of_value, of_dot

    def __call__(self, bar: Any, store: Any) -> Any:
        y_bar, dot_bar = entries(bar, 2)
        return (None, None, self.of_value(y_bar, store)[1], self.of_dot(dot_bar, store)[1])


class Copied:
    """The pullback of a deep copy: `pairs` are the things that were copied and their copies."""

    def __init__(self, value: Any, y: Any, pairs: Any, hooked: Any, count: int) -> None:
        self.value, self.y, self.hooked, self.count = value, y, hooked, count
        self.pairs = [(thing, made, _keys(thing, made)) for thing, made in pairs]

    def __call__(self, y_bar: Any, store: Any) -> Any:
        whole = store.exchange(self.y, y_bar)
        for thing, made, keys in self.pairs:
            _hand_back(thing, made, keys, store)
        for back in reversed(self.hooked):
            back(None, store)
        return (None, store.add(self.value, whole), *(None,) * (self.count - 2))


def _keys(thing: Any, made: Any) -> Any:
    """The original's keys by those of the copy of a dict, where these are copies too."""
    if not isinstance(thing, dict) or all(mine is other for mine, other in zip(thing, made, strict=True)):
        return None
    return dict(zip(made, thing, strict=True))


def _hand_back(thing: Any, made: Any, keys: Any, store: Any) -> None:
    """Add the cotangents of a copy's content to those of the original's."""
    if object_arrays.holds_objects(thing):
        object_arrays.hand_back(thing, made, store)
    elif isinstance(thing, np.ndarray):
        store.add(thing, store.exchange(made, None))
    elif isinstance(thing, SEQUENCES):
        store.add_entries(thing, store.take_entries(made))
    elif is_set(thing):
        store.add_keys(thing, store.take_keys(made))
    elif not isinstance(thing, (tuple, *SETS)):
        taken = store.take_keys(made) or {}
        store.add_keys(thing, taken if keys is None else {keys[key]: bar for key, bar in taken.items()})
