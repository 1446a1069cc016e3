"""What gives something else each time that it is asked: sources of random numbers, and iterators."""

from __future__ import annotations

import copy
import functools
import random
from collections import deque
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError, dotted_name
from zygpy.runtime.generators import Generator
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.records import fields_of
from zygpy.runtime.store import is_bound
from zygpy.runtime.stretches import ATOMS, GLOBAL_RANDOM, found_by

SOURCES = (np.random.Generator, np.random.BitGenerator, np.random.RandomState, random.Random)
NOTHING = ATOMS - {type}
"""Types of values in which nothing is found."""

CONTAINERS = (list, tuple, set, frozenset, deque)


class Draws:
    """The sources of random numbers that a call may draw from, in the states that they are in."""

    def __init__(self, sources: list[Any]) -> None:
        self.sources = sources
        self.states = [_state(source) for source in sources]

    def set_in(self, sources: list[Any]) -> None:
        """Let sources give the numbers that these gave, one after the other."""
        for source, state in zip(sources, self.states, strict=True):
            _set(source, state)


def sources_of(function: Callable[..., Any], args: tuple[Any, ...]) -> list[Any]:
    """The sources of random numbers that a function may find which is called with these arguments. (Copies of
    them have copies of the sources in the same order.)

    Raises UnsupportedSyntaxError if it may ask an iterator, which cannot be asked again.

    >>> generator = np.random.default_rng(1)
    >>> sources = sources_of(lambda: generator.random(), ())
    >>> draws, first = Draws(sources), generator.random()
    >>> draws.set_in(sources)
    >>> generator.random() == first
    True
    """
    own = (*found_by(function), *args) if isinstance(function, FunctionType) else (function, *args)
    for value in _reached(own, _held):
        if _is_iterator(value):
            raise UnsupportedSyntaxError(
                f"the checkpoint of '{dotted_name(function)}' may ask a {type(value).__name__}.",
                why="the function is run once more in the backward pass, which would be given other items",
                instead="give it a list of the items",
            )
    found = _reached((function, *args), _parts)
    return [*GLOBAL_RANDOM, *[value for value in found if isinstance(value, SOURCES)]]


def _reached(values: tuple[Any, ...], parts: Callable[[Any], list[Any]]) -> Iterator[Any]:
    """All that is reached from values by their parts."""
    waiting, seen = list(values), set()
    while waiting:
        value = waiting.pop()
        if type(value) in NOTHING or isinstance(value, np.ndarray | ModuleType) or id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        if not isinstance(value, SOURCES):
            waiting += parts(value)


def _parts(value: Any) -> list[Any]:
    """What a thing consists of, or a function finds by names that its text mentions, or a class has."""
    if isinstance(value, FunctionType):
        found = found_by(value)
        return [*found, *_of_modules(value, found)]
    if isinstance(value, type):
        return [] if is_platform(_file_of(value)) else list(vars(value).values())
    return [*_held(value), *type(value).__mro__]


def _held(value: Any) -> list[Any]:
    """What a thing consists of, or a function has captured."""
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if is_bound(cell)]
        return [*cells, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    if isinstance(value, MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, type):
        return []
    fields = [item for _, item in fields_of(value)]
    if isinstance(value, dict):
        return [*_unless_plain([*value.values()]), *fields]
    return [*_unless_plain([*value]), *fields] if isinstance(value, CONTAINERS) else fields


def _unless_plain(items: list[Any]) -> list[Any]:
    return [] if NOTHING.issuperset(map(type, items)) else items


def _of_modules(function: FunctionType, found: list[Any]) -> list[Any]:
    """What a function finds in modules of the program's own."""
    modules = [value for value in found if isinstance(value, ModuleType)]
    own = [module for module in modules if not is_platform(getattr(module, "__file__", ""))]
    names = function.__code__.co_names
    return [vars(module)[name] for module in own for name in names if name in vars(module)]


def _file_of(cls: type) -> str:
    """The file of a class; that of the platform, for one that is not written in Python."""
    methods = (found for found in vars(cls).values() if isinstance(found, FunctionType))
    first = next(methods, None)
    return copy.__file__ if first is None else first.__code__.co_filename


def _is_iterator(value: Any) -> bool:
    """Whether a value is an iterator that is not written in Python, other than a generator, which knows who
    asks for its items."""
    step = getattr(type(value), "__next__", None)
    known = isinstance(value, type) or type(value) is Generator
    return step is not None and not isinstance(step, FunctionType) and not known


def _state(source: Any) -> Any:
    if isinstance(source, np.random.Generator):
        return copy.deepcopy(source.bit_generator.state)
    if isinstance(source, np.random.BitGenerator):
        return copy.deepcopy(source.state)
    return source.get_state(legacy=False) if isinstance(source, np.random.RandomState) else source.getstate()


def _set(source: Any, state: Any) -> None:
    if isinstance(source, np.random.Generator):
        source.bit_generator.state = state
    elif isinstance(source, np.random.BitGenerator):
        source.state = state
    elif isinstance(source, np.random.RandomState):
        source.set_state(state)
    else:
        source.setstate(state)
