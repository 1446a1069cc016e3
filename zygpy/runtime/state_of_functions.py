"""What functions under caches read that is not given by their arguments themselves, and whether that is as it
was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from zygpy.runtime.lookup import in_class
from zygpy.runtime.partials import CACHED
from zygpy.runtime.reads import LEAVES, Data, data_of, is_data, is_foreign
from zygpy.runtime.records import fields_of

AS_MANY = 4096
"""So many entries are looked at."""

NO_OBJECTS = (FunctionType, BuiltinFunctionType, CACHED, np.ufunc)
"""Classes of what has no fields that are looked at."""

NOT_CALLED = frozenset({"__init__", "__new__", "__post_init__", "__repr__", "__str__", "__del__"})
"""Special methods that are not run by what is done with an object."""


class Reached:
    """What a function may call: what it finds by name, and methods of the objects that it comes to, by names
    that are mentioned on the way."""

    def __init__(self, function: FunctionType) -> None:
        self.mentioned: set[str] = set()
        self.datas: list[Data] = []
        self.classes: WeakSet[type] = WeakSet()
        self.functions: WeakSet[FunctionType] = WeakSet()
        self._enter(function)

    def come_to(self, cls: type) -> bool:
        """Enter the methods of a class; whether it has any that was not entered before."""
        if cls in self.classes:
            return False
        self.classes.add(cls)
        count = len(self.datas)
        while sum(self._enter(method) for one in [*self.classes] for method in self._methods(one)):
            pass
        return len(self.datas) > count

    def _enter(self, function: FunctionType) -> bool:
        if function in self.functions:
            return False
        self.functions.add(function)
        data = data_of(function)
        self.datas.append(data)
        self.mentioned |= data.mentioned
        return True

    def _methods(self, cls: type) -> list[FunctionType]:
        if is_foreign(cls):
            return []
        special = [name for base in cls.__mro__ for name in vars(base) if name[:2] == "__" == name[-2:]]
        names = sorted(self.mentioned.union(special) - NOT_CALLED)
        found = [function_of(in_class(cls, name)) for name in names]
        return [function for function in found if function is not None]


def function_of(method: Any) -> FunctionType | None:
    """The function in Python that a method, property or cache calls; None of anything else."""
    for name in ("__func__", "fget", "func"):
        method = getattr(method, name, method)
    while isinstance(method, CACHED):
        method = method.__wrapped__
    return method if type(method) is FunctionType else None


_REACHED: WeakKeyDictionary[FunctionType, Reached] = WeakKeyDictionary()


def state_of(function: FunctionType, given: tuple[Any, ...]) -> dict[Any, Any]:
    """What a function may read that is not given by its arguments themselves, by the thing that has it and
    the name: the fields of objects, and what is found by global and captured variables.

    >>> class Thing:
    ...     k = 1.0
    ...     def twice(self): return 2 * self.k
    >>> thing = Thing()
    >>> thing.k = 2.0
    >>> found = [state_of(one, (thing,)) for one in (lambda thing: thing.k, lambda thing: thing.twice())]
    >>> [state[id(thing), "k"] == (thing, 2.0) for state in found]
    [True, True]
    """
    reached = _REACHED.get(function)
    if reached is None:
        reached = _REACHED[function] = Reached(function)
    found, classes = _walked(reached, given)
    while sum(map(reached.come_to, classes)):
        found, classes = _walked(reached, given)
    return found


def _walked(reached: Reached, given: tuple[Any, ...]) -> tuple[dict[Any, Any], list[type]]:
    """The state as far as it is known what is called, and the classes of which there are objects in it."""
    found: dict[Any, Any] = {}
    waiting = list(given)
    for data in reached.datas:
        for owner, name, value in data.found():
            found[id(owner), name] = owner, _shown(value)
            waiting.append(value)
    seen: set[int] = set()
    classes: dict[type, None] = {}
    while waiting and len(found) < AS_MANY:
        value = waiting.pop()
        if isinstance(value, LEAVES) or id(value) in seen or isinstance(value, NO_OBJECTS):
            continue
        seen.add(id(value))
        cls = value if isinstance(value, type) else type(value)
        classes[cls] = None
        parts = {**_of_class(cls, reached.mentioned), **_own(value, reached.mentioned)}
        for name, part in parts.items():
            found[id(value), name] = value, _shown(part)
            waiting.append(part)
    return found, list(classes)


def _own(value: Any, mentioned: set[str]) -> dict[Any, Any]:
    """What a container holds, or an object under the names that are mentioned."""
    container = isinstance(value, Mapping | list | tuple)
    parts = () if isinstance(value, type) else parts_of(value)
    return {name: part for name, part in parts if container or name in mentioned}


def _of_class(cls: type, mentioned: set[str]) -> dict[Any, Any]:
    """The data that a class of the program's own has under these names, or one behind it."""
    found = {} if is_foreign(cls) else {name: in_class(cls, name, print) for name in mentioned}
    return {name: part for name, part in found.items() if is_data(part) and not hasattr(part, "__get__")}


def parts_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """What a container or an object has."""
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        yield from enumerate(value)
    elif not isinstance(value, LEAVES):
        yield from fields_of(value)


def _shown(value: Any) -> Any:
    """What tells whether an entry is as it was: numbers that may vary are the same things."""
    if type(value) is np.ndarray and value.dtype != object:
        return (value, value.tobytes())
    return value


def is_as_it_was(now: Mapping[Any, Any], name: Any, before: tuple[Any, Any]) -> bool:
    """Whether an entry holds what it held, as far as it is there."""
    if name not in now:
        return True
    one, other = before[1], now[name][1]
    if type(one) is tuple and len(one) == 2 and type(one[0]) is np.ndarray:
        return type(other) is tuple and one[0] is other[0] and one[1] == other[1]
    if isinstance(one, int | str | bytes | bool | None):
        return type(one) is type(other) and bool(one == other)
    return one is other
