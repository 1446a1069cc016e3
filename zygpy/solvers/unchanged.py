"""What functions that are given to a solver may change: a solver calls them as often as it likes, and what
they have changed when it ends has no gradient."""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Callable, Iterator
from numbers import Number
from types import BuiltinMethodType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.cells import content
from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.platform_code import is_installed, is_platform
from zygpy.runtime.protocols import Reached, reachable_from


def unchanged(solve: Callable[[], Any], given: Any) -> Any:
    """What a solver finds that is given functions; refused if these have changed what others know."""
    before = state_known_to(given)
    result = solve()
    if state_known_to(given) != before:
        raise UnsupportedSyntaxError(
            "a function that is given to a solver changes what is known elsewhere.",
            why="how often a solver calls it is not part of the program, and what it changes has no gradient",
            instead="let the function compute its result alone, and compute the rest from the solution",
        )
    return result


def state_known_to(given: Any) -> list[Reached]:
    """What is found in these things now."""
    return [reachable_from(thing) for thing in things_known_to(given)]


def things_known_to(given: Any) -> list[Any]:
    """What the functions in some arguments know by other names than their own: variables, defaults, fields.

    >>> table = {}
    >>> def store(x): table["x"] = x
    >>> table in things_known_to((store, 1.0))
    True
    """
    known: list[Any] = []
    waiting, seen = list(_callables_in(given)), set[int]()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        found = [thing for thing in _known_to(function) if _is_of_program(thing)]
        known += found
        waiting += [thing for thing in found if isinstance(thing, CALLED)]
    return known


def _callables_in(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _callables_in(item)
    elif isinstance(value, dict):
        yield from _callables_in([*value.values()])
    elif callable(value) and not isinstance(value, type):
        yield value


def _known_to(function: Any) -> Iterator[Any]:
    """What a function, method, partial call or callable object knows."""
    if isinstance(function, FunctionType):
        yield from function.__defaults__ or ()
        yield from (function.__kwdefaults__ or {}).values()
        yield from own_fields(function).values()
        yield from [content(cell) for cell in function.__closure__ or ()]
        names = function.__globals__
        yield from [names[name] for name in sorted(_names_in(function.__code__)) if name in names]
    elif isinstance(function, MethodType):
        yield from (function.__self__, function.__func__)
    elif isinstance(function, BuiltinMethodType):  # such as `steps.append`
        yield function.__self__
    elif isinstance(function, functools.partial):
        yield from (function.func, *function.args, *function.keywords.values())
    elif isinstance(function, type):
        yield from vars(function).values()
    else:
        yield from (function, in_class(type(function), "__call__", None))


def _names_in(code: CodeType) -> set[str]:
    """The names of globals that code may use, with that of functions inside."""
    inner = [_names_in(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)


CALLED = (FunctionType, MethodType, functools.partial, type)


def _is_of_program(thing: Any) -> bool:
    """Whether a thing is a container, an array or a number, or the program's own: what libraries keep, such
    as caches and logs, is not looked at."""
    if isinstance(thing, FunctionType):
        file: Any = thing.__code__.co_filename
    elif isinstance(thing, (*CALLED[1:], *PLAIN_DATA)) and not isinstance(thing, type):
        return True
    else:
        cls = thing if isinstance(thing, type) else type(thing)
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return file is not None and not (is_platform(file) or is_installed(file))


PLAIN_DATA = (list, dict, set, tuple, deque, np.ndarray, Number)
