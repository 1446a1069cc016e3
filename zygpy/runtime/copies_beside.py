"""Copies of things with the tangents beside them, made in one walk: what is one thing stays one, in the copy
and in its tangent, and the tangent of an array has the layout of the copy."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from zygpy.runtime.copies import duplicate, is_its_own_copy
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.native import is_of_another_class
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.records import fields_of
from zygpy.runtime.zeros import CannotPush, Partner, has_partner


def copied_beside(function: Any, value: Any, dot: Any) -> tuple[Any, Any]:
    """What `duplicate` or `duplicate_deeply` makes of a value, and its tangent; known to the run-time door.

    >>> copied_beside(duplicate, [1.0, 2.0], [0.5, 0.0])
    ([1.0, 2.0], [0.5, 0.0])
    """
    if function is duplicate:
        return copied_once(value, dot)
    y, y_dot, _, _ = copied_through(value, dot)
    return y, y_dot


def copied_once(value: Any, dot: Any) -> tuple[Any, Any]:
    """The copy of a value that shares what it holds."""
    y = copy.copy(value)
    if isinstance(value, np.ndarray):
        return y, _in_layout_of(y, dot)
    return y, dot if y is value else copy.copy(dot)


def copied_through(value: Any, dot: Any) -> tuple[Any, Any, list[Any], list[Any]]:
    """The deep copy of a value, its tangent, and which things were copied, with their copies: those of the
    value, and those of the tangent."""
    memo: dict[int, Any] = {}
    y = copy.deepcopy(value, memo)
    things = memo.get(id(memo), [])
    walk = Walk(memo)
    y_dot = walk.beside(value, dot)
    return y, y_dot, [(thing, memo[id(thing)]) for thing in things], walk.pairs


class Walk:
    """The walk over a tangent beside what was copied deeply: `memo` has the copies of things, `dots` those of
    their tangents, both by the identity of the things; `pairs` are the tangents that were copied, and their
    copies."""

    def __init__(self, memo: dict[int, Any]) -> None:
        self.memo = memo
        self.dots: dict[int, Any] = {}
        self.pairs: list[tuple[Any, Any]] = []

    def beside(self, value: Any, dot: Any) -> Any:
        """The tangent of the copy of something."""
        y = self.memo.get(id(value), value)
        if y is value:
            return dot
        if id(value) not in self.dots:
            self._copy(value, dot, y)
        return self.dots[id(value)]

    def _copy(self, value: Any, dot: Any, y: Any) -> None:
        if isinstance(value, np.ndarray):
            self._keep(value, dot, _in_layout_of(y, dot))
        elif isinstance(value, tuple):
            self.dots[id(value)] = like_tuple(type(dot), list(map(self.beside, value, dot)))
        elif isinstance(value, list):
            self._keep(value, dot, []).extend(map(self.beside, value, dot))
        elif isinstance(value, set | frozenset):
            self._keep(value, dot, {}).update(dot)
        elif isinstance(value, dict):
            self._keep(value, dot, {}).update({key: self.beside(value[key], dot[key]) for key in value})
        else:
            self._copy_fields(value, dot, self._keep(value, dot, Partner()))

    def _copy_fields(self, value: Any, dot: Any, made: Partner) -> None:
        fields = dict(fields_of(value))
        for name in fields:
            setattr(made, name, self.beside(fields[name], vars(dot)[name]))

    def _keep(self, value: Any, dot: Any, made: Any) -> Any:
        self.dots[id(value)] = made
        self.pairs.append((dot, made))
        return made


def _in_layout_of(y: Any, dot: Any) -> Any:
    """A copy of an array's tangent in the layout of the array's copy."""
    made = np.empty_like(y, dtype=dot.dtype)
    made[...] = dot
    return made


# ------------------------------------------------------------------------------------------ questions


def things_copied(value: Any, dot: Any, *, deeply: bool) -> list[Any]:
    """The things that a copy consists of, of which each has a tangent of its form.

    Raises CannotPush where one has not.

    >>> things_copied([1.0, {"a": (2.0, None)}], [0.5, {"a": (0.0, None)}], deeply=True)
    [[1.0, {'a': (2.0, None)}], {'a': (2.0, None)}, (2.0, None)]
    """
    waiting = [(value, dot)]
    found: dict[int, Any] = {}
    while waiting:
        thing, beside = waiting.pop()
        if id(thing) not in found and not is_its_own_copy(thing):
            found[id(thing)] = thing
            _check_form(thing, beside)
            waiting += _parts_beside(thing, beside) if deeply else []
    return list(found.values())


def _check_form(value: Any, dot: Any) -> None:
    """The same of one thing, whatever it holds."""
    if isinstance(value, np.ndarray):
        fits = (
            type(value) is type(dot) is np.ndarray and value.shape == dot.shape and not holds_objects(value)
        )
    elif isinstance(value, tuple):
        fits = isinstance(dot, tuple) and len(dot) == len(value)
        fits = fits and (type(value) is tuple or hasattr(value, "_fields"))
    elif type(value) is list:
        fits = type(dot) is list and len(dot) == len(value)
    elif type(value) in (dict, set, frozenset):
        fits = type(dot) is dict and dot.keys() == set(value) and all(map(_is_plain_key, value))
    else:
        fits = type(dot) is Partner and _is_plain_object(value)
        fits = fits and {name for name, _ in fields_of(value)} <= vars(dot).keys()
    if not fits:
        raise CannotPush


def _is_plain_key(key: Any) -> bool:
    """Whether a deep copy has the very same key."""
    return all(map(_is_plain_key, key)) if type(key) is tuple else is_its_own_copy(key)


def _is_plain_object(value: Any) -> bool:
    """Whether a value is an object that has fields and nothing else."""
    native = isinstance(value, (list, dict, set, frozenset, str, bytes, int, float, complex))
    return has_partner(value) and not (native or is_of_another_class(value) or is_function_like(type(value)))


def _parts_beside(value: Any, dot: Any) -> list[Any]:
    """What something holds, with the tangents."""
    if isinstance(value, np.ndarray | set | frozenset):
        return []
    if isinstance(value, tuple | list):
        return list(zip(value, dot, strict=True))
    if isinstance(value, dict):
        return [(value[key], dot[key]) for key in value]
    return [(part, vars(dot)[name]) for name, part in fields_of(value)]
