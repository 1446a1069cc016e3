"""The functions in Python that run when a value is called, or something in it."""

from __future__ import annotations

import dis
from collections import deque
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import chain, islice
from types import CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from zygpy.runtime.cells import content
from zygpy.runtime.lookup import HEAP_TYPE, in_class, own_fields
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.writing_programs import writing_program

DEPTH = 4
"""How far into each other functions are looked into for arrays."""

ITEMS = 50
"""How many items of a container are looked at."""

THINGS = 1000
"""How many things are looked at in one."""


def functions_in(value: Any) -> Iterator[FunctionType]:
    """The functions that are called when a value is, or something in it, however deep; for functions of NumPy
    that write into an array the programs that do the same.

    >>> [found.__name__ for found in functions_in({"a": functions_in, "b": [1.0, partial(content)]})]
    ['functions_in', 'content']
    """
    for thing in things_in(value):
        found = thing if isinstance(thing, FunctionType) else writing_program(thing)
        if found is not None:
            yield found


def things_in(value: Any) -> Iterator[Any]:
    """The functions and objects that a value is or has in it, and what these have in turn."""
    waiting, seen = [value], set[int]()
    while waiting and len(seen) < THINGS:
        thing = waiting.pop()
        thing = thing.__func__ if isinstance(thing, MethodType) else thing
        if isinstance(thing, PLAIN) or id(thing) in seen:
            continue
        seen.add(id(thing))
        yield thing
        waiting += reversed(list(islice(_parts(thing), ITEMS)))


PLAIN = (type, ModuleType, str, bytes, int, float, complex, np.ndarray, np.generic, type(None))
"""Classes of what has no functions in it."""


def _parts(value: Any) -> Iterator[Any]:
    """What a function, a container or an object holds, and what runs when an object is called."""
    if isinstance(value, FunctionType):
        yield from (content(cell) for cell in value.__closure__ or ())
        yield from (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
    elif isinstance(value, partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from value
    elif isinstance(value, SimpleNamespace):
        yield from vars(value).values()
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
    found = [content(cell) for cell in function.__closure__ or ()]
    if not is_platform(function.__code__.co_filename):
        found += [function.__globals__.get(name) for name in globals_in(function.__code__)]
    for value in found:
        yield from _arrays_in(value, depth - 1, seen)


@lru_cache(maxsize=1024)
def globals_in(code: CodeType) -> tuple[str, ...]:
    """The global variables that code reads, and functions that are made in it: no attributes, which may have
    the names of such."""
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    own = [one.argval for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    return tuple(dict.fromkeys([*own, *chain.from_iterable(map(globals_in, inside))]))


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


def answering_methods(value: Any, also: tuple[str, ...] = ()) -> Iterator[FunctionType]:
    """The methods in Python that a class has for comparing, hashing, printing and dropping its objects, and
    for classes that inherit from it, where they may bind something: Python calls them without a name. `also`
    are the names of others.

    >>> class Told:
    ...     def __str__(self): self.told = True
    ...     def __eq__(self, other): return True
    >>> [found.__name__ for found in answering_methods(Told())]
    ['__str__']
    """
    cls = value if isinstance(value, type) else type(value)
    if not cls.__flags__ & HEAP_TYPE or isinstance(value, FunctionType | MethodType):
        return
    waiting, seen = [*also, *ANSWERING], set[str]()
    while waiting:
        name = waiting.pop()
        found = in_class(cls, name, None) if name not in seen else None
        seen.add(name)
        found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
        if isinstance(found, FunctionType) and not is_platform(found.__code__.co_filename):
            waiting += names_in(found.__code__)  # of which some are methods that it calls
            if _may_bind(found):
                yield found


ANSWERING = (
    *("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__contains__", "__hash__", "__bool__"),
    *("__len__", "__str__", "__repr__", "__format__", "__int__", "__index__", "__float__", "__complex__"),
    *("__del__", "__init_subclass__", "__set_name__", "__instancecheck__", "__subclasscheck__"),
)
"""Methods that Python calls without a name in the code."""


@lru_cache(maxsize=4096)
def _binds(code: CodeType) -> bool:
    """Whether code stores something but in a local variable."""
    return any(step.opname in BINDING for step in dis.get_instructions(code))


BINDING = frozenset({"STORE_ATTR", "STORE_GLOBAL", "DELETE_ATTR", "DELETE_GLOBAL", "STORE_SUBSCR"})
"""Instructions that bind what others find."""


def _may_bind(function: FunctionType) -> bool:
    """Whether a function may bind something that others find, itself or by what it calls."""
    code = function.__code__
    called = (function.__globals__.get(name) for name in code.co_names)
    return _binds(code) or "setattr" in code.co_names or any(isinstance(one, FunctionType) for one in called)
