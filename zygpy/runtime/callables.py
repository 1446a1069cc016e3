"""The functions in Python that run when a value is called, or something in it."""

from __future__ import annotations

import sysconfig
from collections import deque
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import chain, islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from zygpy.runtime.cells import content
from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.zeros import HEAP_TYPE

DEPTH = 4
"""How far into each other containers and objects are looked for functions."""

ITEMS = 50
"""How many items of a container are looked at."""


def functions_in(value: Any, depth: int = DEPTH) -> Iterator[FunctionType]:
    """The functions that are called when a value is, or something in it.

    >>> [found.__name__ for found in functions_in({"a": functions_in, "b": [1.0, partial(content)]})]
    ['functions_in', 'content']
    """
    if depth < 0 or isinstance(value, type | ModuleType | str | bytes | np.ndarray):
        return
    if isinstance(value, FunctionType):
        yield value
        carried = [content(cell) for cell in value.__closure__ or ()]
        for item in (*carried, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()):
            yield from functions_in(item, depth - 1)
    elif isinstance(value, MethodType):
        yield from functions_in(value.__func__, depth)
    else:
        for item in islice(_parts(value), ITEMS):
            yield from functions_in(item, depth - 1)


def _parts(value: Any) -> Iterator[Any]:
    """What a container or an object holds, and what runs when an object is called."""
    if isinstance(value, partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from value
    elif type(value).__flags__ & HEAP_TYPE:
        yield in_class(type(value), "__call__", None)
        yield from own_fields(value).values()


def arrays_found_by(
    function: Any, depth: int = DEPTH, seen: set[Any] | None = None
) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays that a function in Python, or one that it knows by name, finds without being given them.

    >>> capturing = lambda array: lambda: array
    >>> [found.shape for found in arrays_found_by(capturing(np.ones(3)))]
    [(3,)]
    """
    seen = set() if seen is None else seen
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType) or depth <= 0 or function in seen:
        return
    seen.add(function)
    if is_installed(function.__code__.co_filename):
        return
    found = [content(cell) for cell in function.__closure__ or ()]
    found += [function.__globals__.get(name) for name in names_in(function.__code__)]
    for value in found:
        yield from _arrays_in(value, depth - 1, seen)


@lru_cache(maxsize=1024)
def names_in(code: CodeType) -> tuple[str, ...]:
    """The names that code mentions, and functions that are made in it."""
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return tuple(dict.fromkeys([*code.co_names, *chain.from_iterable(map(names_in, inside))]))


def _arrays_in(value: Any, depth: int, seen: set[Any]) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays that a value is, has directly in it, or finds."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, FunctionType | MethodType):
        yield from arrays_found_by(value, depth, seen)
    elif not isinstance(value, type | ModuleType | str | bytes | None):
        items = value if isinstance(value, list | tuple) else (own_fields(value) or value)
        for item in islice(items.values() if isinstance(items, dict) else _listed(items), ITEMS):
            if isinstance(item, np.ndarray):
                yield item
            elif isinstance(item, FunctionType | MethodType):
                yield from arrays_found_by(item, depth, seen)


def _listed(items: Any) -> Any:
    return items if isinstance(items, list | tuple) else ()


INSTALLED = tuple(
    sorted({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
)
"""Where the code of Python and of installed packages is."""


@lru_cache(maxsize=4096)
def is_installed(filename: Any) -> bool:
    """Whether a file is one of Python's or of an installed package.

    >>> is_installed(sysconfig.__file__), is_installed("<stdin>")
    (True, False)
    """
    return str(filename).startswith(INSTALLED)


def methods_of(value: Any) -> Iterator[FunctionType]:
    """The methods in Python of an object.

    >>> [found.__name__ for found in methods_of(partial(content))], list(methods_of(2.0))
    ([], [])
    """
    return methods_of_class(type(value))


def methods_of_class(cls: type) -> Iterator[FunctionType]:
    """The same of all objects of a class."""
    for base in cls.__mro__:
        yield from (found for found in vars(base).values() if isinstance(found, FunctionType))


def called_as_it_stands(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function gives that is given nothing with a gradient.

    >>> called_as_it_stands(max, (1.0, 2.0), {})
    2.0
    """
    return function(*args, **kwargs)
