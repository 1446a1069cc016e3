"""What a function reads without being given it, and whether that is still as it was."""

from __future__ import annotations

import dis
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import chain
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from zygpy.runtime.callables import methods_of_class
from zygpy.runtime.partials import CACHED
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.records import fields_of
from zygpy.runtime.store import is_bound

NUMBERS = (bool, int, float, complex, np.generic, str, bytes, type(None))
"""Classes of values that are what they are."""

LEAVES = (*NUMBERS, np.ndarray, ModuleType)
"""Classes of values in which no functions are looked for."""

WRAPPERS = (MethodType, partial, property, cached_property, classmethod, staticmethod)
WRAPPED = ("__func__", "__self__", "fget", "func")
"""What stands for functions, and the attributes by which it has them."""

FUNCTIONS = (FunctionType, *WRAPPERS)

CONTAINERS = (list, tuple, dict, set, frozenset, deque)


@dataclass(frozen=True)
class Reads:
    """Data that a function, and the functions that it calls by name, may read: what tells whether it is as
    it was, by the name of the variable that it is found by."""

    before: dict[str, Any]
    functions: frozenset[FunctionType]
    now: Callable[[], _Found]

    def changed(self) -> str | None:
        """The name of a variable that holds something else now; None if there is none."""
        now = self.now()
        other = self.functions.symmetric_difference(now.functions)
        if other:
            return str(min(function.__name__ for function in other))
        names = {**self.before, **now.data}
        return next((name for name in names if self.before.get(name) != now.data.get(name)), None)


def reads_of(function: Callable[..., Any], given: tuple[Any, ...] = ()) -> Reads:
    """What a function reads, as it is now, when it is called with some arguments.

    >>> reads_of(lambda x: x).changed() is None
    True
    """

    def now() -> _Found:
        return _Found(function, given)

    found = now()
    return Reads(found.data, frozenset(found.functions), now)


def reads_data(function: Callable[..., Any]) -> bool:
    """Whether a function, or what it calls, may read data that it is not given.

    >>> [reads_data(function) for function in (lambda x: x, lambda x: NUMBERS)]
    [False, True]
    """
    return any(seen not in ((None, None), (None, ("held",))) for seen in reads_of(function).before.values())


@dataclass(frozen=True)
class Data:
    """The functions that one calls, with itself, and the names that they mention."""

    mentioned: frozenset[str]
    functions: tuple[ref[FunctionType], ...]

    def found(self) -> Iterator[tuple[Any, str, Any]]:
        """The data that their global and captured variables hold now, with where it is, and the names."""
        for one in self.functions:
            function = one()
            if function is None:
                continue
            space = function.__globals__
            names = [name for name in globals_of(function.__code__) if name in space]
            modules = [space[name] for name in names if isinstance(space[name], ModuleType)]
            yield from [(space, name, space[name]) for name in names if is_data(space[name])]
            for module in modules:
                yield from self._of_module(module)
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
                if is_bound(cell) and is_data(cell.cell_contents):
                    yield cell, name, cell.cell_contents

    def _of_module(self, module: ModuleType) -> Iterator[tuple[Any, str, Any]]:
        if not is_foreign(module):
            parts = vars(module)
            yield from [(parts, name, part) for name, part in parts.items() if name in self.mentioned]


def is_data(value: Any) -> bool:
    """Whether what a variable holds is no function, class or module."""
    return not isinstance(value, NO_DATA)


NO_DATA = (type, ModuleType, FunctionType, BuiltinFunctionType, CACHED, np.ufunc)


def data_of(function: FunctionType) -> Data:
    """The data that a function may read, of which the functions are found once."""
    known = _DATA.get(function)
    if known is None:
        found = _Found(function, ())
        known = Data(frozenset(found.mentioned), tuple(map(ref, found.functions)))
        _DATA[function] = known
    return known


_DATA: WeakKeyDictionary[FunctionType, Data] = WeakKeyDictionary()


class _Found:
    """The functions that may be called, all the names that they mention, and the data found by these."""

    def __init__(self, function: Any, given: tuple[Any, ...]) -> None:
        self.mentioned: set[str] = set()
        self.seen: dict[int, Any] = {}
        self.functions: list[FunctionType] = []
        waiting = [function, *map(type, given)]
        while waiting:
            waiting += self._reached(waiting.pop())
        self.data = self._all_data(given)

    def _reached(self, thing: Any) -> list[Any]:
        """What else a function may call, or a thing has methods for."""
        if isinstance(thing, LEAVES) or id(thing) in self.seen:
            return []
        self.seen[id(thing)] = thing
        if isinstance(thing, FunctionType):
            return self._of_function(thing)
        if isinstance(thing, type):
            return [] if is_foreign(thing) else [*methods_of_class(thing), *_descriptors(thing)]
        if isinstance(thing, WRAPPERS):
            return [part for name in WRAPPED if (part := getattr(thing, name, None)) is not None]
        if isinstance(thing, CONTAINERS):
            return list(thing.values() if isinstance(thing, dict) else thing)
        return [type(thing), *(value for _, value in fields_of(thing) if callable(value))]

    def _of_function(self, function: FunctionType) -> list[Any]:
        self.functions.append(function)
        names = mentioned(function.__code__)
        self.mentioned |= names
        space = function.__globals__
        found = [space[name] for name in globals_of(function.__code__) if name in space]
        in_modules = (
            vars(module)[name]
            for module in found
            if isinstance(module, ModuleType) and not is_platform(getattr(module, "__file__", ""))
            for name in names
            if name in vars(module)
        )
        cells = [cell.cell_contents for cell in function.__closure__ or () if is_bound(cell)]
        return [*found, *in_modules, *cells]

    def _all_data(self, given: tuple[Any, ...]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for function in self.functions:
            for name in globals_of(function.__code__):
                if name in function.__globals__:
                    data[name] = (data.get(name), self._summary(function.__globals__[name], ()))
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
                data[name] = (data.get(name), _content(cell))
        for cls in dict.fromkeys(map(type, given)):
            data[cls.__name__] = (data.get(cls.__name__), self._summary(cls, ()))
        return data

    def _summary(self, value: Any, inside: tuple[int, ...]) -> Any:
        """What tells whether a value, and what is found in it by the names that are mentioned, is as it was;
        None of what is no data."""
        if isinstance(value, NUMBERS):
            return (type(value), value)
        if isinstance(value, np.ndarray) and value.dtype == object:
            return (id(value), value.shape, self._of_items(value.ravel().tolist(), (*inside, id(value))))
        if isinstance(value, np.ndarray):
            return (id(value), value.shape, zlib.crc32(np.ascontiguousarray(value).tobytes()))
        if id(value) in inside or len(inside) > DEPTH or isinstance(value, FUNCTIONS):
            return None
        inside = (*inside, id(value))
        if isinstance(value, dict):
            return (id(value), tuple(value), self._of_items(value.values(), inside))
        if isinstance(value, CONTAINERS):
            return (id(value), self._of_items(value, inside))
        parts = {
            name: self._summary(part, inside) for name, part in _parts_of(value) if name in self.mentioned
        }
        known = {name: part for name, part in parts.items() if part is not None}
        return (id(value), known) if parts else None

    def _of_items(self, items: Collection[Any], inside: tuple[int, ...]) -> tuple[Any, ...]:
        if all(issubclass(cls, NUMBERS) for cls in set(map(type, items))):
            return tuple(items)
        return tuple([self._summary(item, inside) for item in items])


def _parts_of(value: Any) -> list[tuple[str, Any]]:
    """What an object, a class or a module has by name."""
    if isinstance(value, type | ModuleType):
        return _of_classes(value)
    return [*_of_classes(type(value)), *fields_of(value)]


def _of_classes(value: Any) -> list[tuple[str, Any]]:
    """What a module or a class has, and the classes behind it, but those in which nobody changes anything."""
    bases = value.__mro__[::-1] if isinstance(value, type) else (value,)
    return [(name, part) for base in bases if not is_foreign(base) for name, part in vars(base).items()]


DEPTH = 20
"""So deep in objects and containers data is looked at."""


def is_foreign(value: Any) -> bool:
    """Whether a class or module is the platform's, in which nobody changes data."""
    file = getattr(value, "__file__", "") if isinstance(value, ModuleType) else _file_of(value)
    return file is None or is_platform(file)


def _file_of(cls: type) -> str | None:
    """The file of a class; None of one that is not written in Python."""
    methods = (found for found in vars(cls).values() if isinstance(found, FunctionType))
    first = next(methods, None)
    if first is not None:
        return first.__code__.co_filename
    return "" if cls.__flags__ & HEAP else None


HEAP = 1 << 9
"""The flag of classes that are made as Python runs."""


def _descriptors(cls: type) -> list[Any]:
    return [found for base in cls.__mro__ for found in vars(base).values() if isinstance(found, WRAPPERS)]


def _content(cell: CellType) -> Any:
    """What tells whether a captured variable is still bound to the same number; of containers and objects the
    checkpoint keeps copies."""
    if not is_bound(cell):
        return ("unbound",)
    value = cell.cell_contents
    return (type(value), value) if isinstance(value, NUMBERS) else ("held",)


@lru_cache(maxsize=1024)
def globals_of(code: CodeType) -> tuple[str, ...]:
    """The global variables that some code reads, and that code inside it does."""
    found = [
        step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    ]
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return tuple(dict.fromkeys([*found, *chain.from_iterable(map(globals_of, inside))]))


@lru_cache(maxsize=1024)
def mentioned(code: CodeType) -> frozenset[str]:
    """The names that some code mentions, and that code inside it does."""
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset([*code.co_names, *chain.from_iterable(map(mentioned, inside))])
