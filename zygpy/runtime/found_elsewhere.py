"""Whether a function finds what it is given by another name too: in a global variable, a variable that it
captures, a field or a default value, however deep."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.runtime.callables import globals_in, names_in
from zygpy.runtime.cells import content
from zygpy.runtime.given import things_in
from zygpy.runtime.lookup import HEAP_TYPE
from zygpy.runtime.platform_code import is_platform

MOST = 5000
"""So many things are looked at; a function that finds more may find anything."""


def finds_any_of(function: Any, value: Any, *, unknown: bool = True) -> bool:
    """Whether a function finds anything that can be changed in a value without being given it; `unknown`
    where it finds too much to tell.

    >>> held = {"rows": [np.ones(3)]}
    >>> finds_any_of(lambda x: held, (held["rows"][0][1:],)), finds_any_of(lambda x: held, (np.ones(3),))
    (True, False)
    """
    own = list(things_in((value,), None))
    arrays = [thing for thing in own if isinstance(thing, np.ndarray)]
    others = {id(thing) for thing in own if not isinstance(thing, tuple | np.ndarray)}
    for count, thing in enumerate(found_by(function)):
        if count >= MOST:
            return unknown
        if id(thing) in others:
            return True
        if isinstance(thing, np.ndarray) and any(np.may_share_memory(thing, array) for array in arrays):
            return True
    return False


def found_by(function: Any) -> Iterator[Any]:
    """The things that a function finds without being given them, itself the first."""
    waiting, seen = [function], set[int]()
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, PLAIN) or id(thing) in seen:
            continue
        seen.add(id(thing))
        yield thing
        waiting += _held_by(thing)


PLAIN = (str, bytes, int, float, complex, np.generic, np.dtype, type(None), ModuleType)
"""Classes of what holds nothing, and of what is only looked into by name."""


def _held_by(thing: Any) -> Iterable[Any]:
    """What a thing has directly in it."""
    if isinstance(thing, FunctionType):
        return _held_by_function(thing)
    if isinstance(thing, type):
        return [] if is_of_the_platform(thing) else [*thing.__bases__, *vars(thing).values()]
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.dtype == object else ()
    return gc.get_referents(thing)


def _held_by_function(function: FunctionType) -> list[Any]:
    """What a function carries, and the globals that it names, or in modules that it names."""
    held = [content(cell) for cell in function.__closure__ or ()]
    held += [function.__defaults__, function.__kwdefaults__, vars(function)]
    code = function.__code__
    if is_platform(code.co_filename):
        return held
    named = [function.__globals__.get(name) for name in globals_in(code)]
    return [*held, *named, *(vars(one).get(name) for one in modules_of(function) for name in names_in(code))]


def modules_of(function: FunctionType) -> list[ModuleType]:
    """The modules in Python that a function names."""
    named = [function.__globals__.get(name) for name in globals_in(function.__code__)]
    return [found for found in named if isinstance(found, ModuleType) and not _is_platforms(found)]


def is_of_the_platform(cls: type) -> bool:
    """Whether a class is one of Python's own, or of a library of its."""
    module = sys.modules.get(cls.__module__)
    return not cls.__flags__ & HEAP_TYPE or (module is not None and _is_platforms(module))


def _is_platforms(module: ModuleType) -> bool:
    """Whether a module is one of the platform's, or none that is written in Python."""
    filename = getattr(module, "__file__", None)
    return filename is not None and is_platform(filename)
