"""Whether what a call may change is known to the program by a global variable as well."""

from __future__ import annotations

import dis
import itertools
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from types import CellType, CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from zygpy.ir.kinds import is_mutable
from zygpy.load.guards import Checks, found_by
from zygpy.runtime.callables import names_in
from zygpy.runtime.cells import content
from zygpy.runtime.harmless import PLAIN
from zygpy.runtime.lookup import HEAP_TYPE, own_fields, own_slots
from zygpy.runtime.platform_code import is_platform

MANY = 50_000
"""Where globals hold more things than so many, one of them may be what is changed."""


def is_known_elsewhere(function: Any, checks: Checks, given: Iterable[Any]) -> bool:
    """Whether one of these arguments, or something in it, is what a global that the program reads holds, or
    has in it; a program reads what its functions name, those that it finds in its data too.

    >>> shared = [1.0]
    >>> def reads(items=shared):
    ...     return items[0]
    >>> checks = Checks((), (), (), (), ())
    >>> [is_known_elsewhere(len, checks, [items, reads]) for items in ([[shared]], [[1.0]])]
    [True, False]
    """
    own = list(_things(given))
    ours = {id(thing) for thing in own if _can_change(thing)}
    if not ours:
        return False
    arrays = [thing for thing in own if isinstance(thing, np.ndarray)]
    guards = (*checks.others, *[guard for *_, guard in checks.arrays])
    named = [found_by(guard) for guard in guards if guard.kind is not None and is_mutable(guard.kind)]
    behind = [*named, *_known_to([getattr(function, "__func__", function), *own], ours=True)]
    others = _things(behind, program=True)
    for thing in itertools.islice(others, MANY):
        if id(thing) in ours:
            return True
        if isinstance(thing, np.ndarray) and any(np.may_share_memory(thing, array) for array in arrays):
            return True
    return next(others, None) is not None


def may_write_to_arrays(function: Any, given: Iterable[Any]) -> bool:
    """Whether code of the program's may write to an array in place, as far as that is seen by its text.

    >>> def writes(items):
    ...     items[0] = 1.0
    >>> [may_write_to_arrays(code, []) for code in (writes, lambda x: writes(x), lambda x: x[0])]
    [True, True, False]
    """
    found = _code_of_the_program([getattr(function, "__func__", function), *given])
    return found is None or any(_writes(one.__code__) for one in found)


def may_ask_which(function: Any, given: Iterable[Any], *, answered: bool = True) -> bool:
    """Whether code of the program's may ask if two things are the same one, as far as that is seen by its
    text; what the function itself asks by `is` may be `answered` where it is differentiated.

    >>> def which(a, b):
    ...     return a is b
    >>> [may_ask_which(code, []) for code in (which, lambda a, b: which(a, b), lambda a, b: id(a))]
    [False, True, True]
    """
    own = getattr(function, "__func__", function)
    found = _code_of_the_program([own, *given])
    return found is None or any(_asks(one.__code__, itself=answered and one is own) for one in found)


def _code_of_the_program(roots: list[Any]) -> list[FunctionType] | None:
    """The functions that a program may call, but those of libraries, which change what they are told to and
    ask nothing; None where there are too many things to look through."""
    things = list(itertools.islice(_things(roots, program=True), MANY + 1))
    functions = [thing for thing in things if isinstance(thing, FunctionType)]
    if len(things) > MANY:
        return None
    return [one for one in functions if not is_platform(one.__code__.co_filename)]


@lru_cache(maxsize=1024)
def _asks(code: CodeType, *, itself: bool = False) -> bool:
    before = None
    for one in dis.get_instructions(code):
        asked = one.opname == "IS_OP" and not (before is not None and before.opname in CONSTANTS)
        if (asked and not itself) or (isinstance(one.argval, str) and one.argval in ASKING):
            return True
        before = one
    return any(_asks(constant) for constant in code.co_consts if isinstance(constant, CodeType))


CONSTANTS = frozenset({"LOAD_CONST", "LOAD_SMALL_INT", "LOAD_COMMON_CONSTANT"})

ASKING = frozenset({"id", "is_", "is_not", "shares_memory", "may_share_memory", "exec", "eval"})
"""Names of what tells one thing from another that looks the same."""


@lru_cache(maxsize=1024)
def _writes(code: CodeType) -> bool:
    for one in dis.get_instructions(code):
        if one.opname in STORING or (one.opname == "BINARY_OP" and one.argrepr.endswith("=")):
            return True
        words = one.argval if isinstance(one.argval, tuple) else (one.argval,)
        is_local = one.opname.startswith(("LOAD_FAST", "STORE_FAST", "DELETE_FAST"))
        if not is_local and any(isinstance(word, str) and word in BY_NAME for word in words):
            return True
    return any(_writes(constant) for constant in code.co_consts if isinstance(constant, CodeType))


STORING = frozenset({"STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"})

BY_NAME = frozenset(
    {
        *("at", "copyto", "fill", "fill_diagonal", "itemset", "partition", "place", "put", "putmask"),
        *("put_along_axis", "resize", "setfield", "shuffle", "permuted", "sort", "byteswap"),
        *("out", "overwrite_a", "overwrite_b", "overwrite_input", "overwrite_x", "exec", "eval"),
    }
)
"""Names of what writes to arrays: methods, functions and keywords."""

CHANGEABLE = (np.ndarray, list, dict, set, bytearray, deque, CellType, SimpleNamespace)


def _can_change(thing: Any) -> bool:
    return isinstance(thing, CHANGEABLE) or (_is_object(thing) and not isinstance(thing, Enum))


def _is_object(thing: Any) -> bool:
    """Whether something is an object of a class that is written in Python, and is not Python's own, such as
    a logger or a fraction."""
    cls = type(thing)
    if not cls.__flags__ & HEAP_TYPE or isinstance(thing, type):
        return False
    top = str(cls.__module__).partition(".")[0]
    return top == "collections" or top not in sys.stdlib_module_names


def _things(roots: Iterable[Any], *, program: bool = False) -> Iterator[Any]:
    """Some things and what is in them; in a `program`, with what functions and classes among them know."""
    waiting, seen = [root for root in roots if not _is_a_librarys(root)], dict[int, Any]()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        yield thing
        waiting += [part for part in _parts(thing) if _is_of_interest(part)]
        if program and type(thing) not in CONTAINERS:
            waiting += [part for part in _known_to([thing], ours=False) if _is_of_interest(part)]


def _is_of_interest(thing: Any) -> bool:
    """Whether something can be changed, or knows something that can."""
    if type(thing) in NUMBERS or thing is None:
        return False
    if _is_a_librarys(thing):
        return False
    return not isinstance(thing, PLAIN) or isinstance(thing, np.ndarray | FunctionType | type)


def _is_a_librarys(thing: Any) -> bool:
    """Whether something is a module of Python's, NumPy's or SciPy's own, which holds much, and nothing of
    a program's but what that finds there by name."""
    if not isinstance(thing, ModuleType):
        return False
    file = getattr(thing, "__file__", None)
    own = thing.__name__ in sys.builtin_module_names if file is None else is_platform(file)
    return own or _is_of_arrays(thing)


def _is_of_arrays(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] in ("numpy", "scipy")


CONTAINERS = (list, tuple, dict, np.ndarray)


def _parts(thing: Any) -> Iterable[Any]:
    """The items and fields of a thing."""
    cls = type(thing)
    if cls is list or cls is tuple:
        return () if NUMBERS.issuperset(map(type, thing)) else thing
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.dtype == object else ()
    if isinstance(thing, CellType):
        return (content(thing),)
    if isinstance(thing, FunctionType):
        return thing.__closure__ or ()
    if isinstance(thing, MethodType):
        return thing.__self__, thing.__func__
    return () if isinstance(thing, type) else _items_and_fields(thing)


def _items_and_fields(thing: Any) -> Iterator[Any]:
    if isinstance(thing, dict):
        yield from thing.values()
        if type(thing) is dict:
            return
    elif isinstance(thing, list | tuple | set | frozenset | deque):
        yield from thing
    if any("__dict__" in vars(base) for base in type(thing).__mro__):  # which a class in C may not show
        yield from own_fields(thing).values()
    yield from (held for _, held in own_slots(thing))


NUMBERS = frozenset({int, float, complex, bool, str})


def _known_to(things: Iterable[Any], *, ours: bool) -> list[Any]:
    """What functions name and carry, and what classes hold, those of objects too. (What a function that is
    `ours` carries is given, as it is.)"""
    found: list[Any] = []
    for thing in things:
        if isinstance(thing, FunctionType):
            found += _known_to_function(thing, ours=ours)
        elif isinstance(thing, type):
            found += _held_by(thing)
        elif _is_object(thing):
            found += _held_by(type(thing))
    return found


def _known_to_function(function: FunctionType, *, ours: bool) -> list[Any]:
    space = {} if is_platform(function.__code__.co_filename) else function.__globals__
    found = _named(names_in(function.__code__), space)
    carried = () if ours else function.__closure__ or ()
    return [*found, *carried, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]


def _named(names: Iterable[str], space: Mapping[str, Any]) -> list[Any]:
    """What code that mentions these names finds in its globals, and in modules that it finds there."""
    names, found, modules = set(names), list[Any](), set[int]()
    spaces = [space]
    while spaces:
        held = spaces.pop()
        new = [held[name] for name in names if name in held]
        found += new
        inside = [thing for thing in new if isinstance(thing, ModuleType) and not _is_of_arrays(thing)]
        spaces += [vars(thing) for thing in inside if id(thing) not in modules]
        modules.update(map(id, inside))
    return found


def _held_by(cls: type) -> list[Any]:
    """What classes hold that are a program's own."""
    found: list[Any] = []
    for base in cls.__mro__:
        if base.__flags__ & HEAP_TYPE and _is_own(base):
            for value in vars(base).values():
                found.append(value)
                if type(value) is not FunctionType or value.__dict__:
                    found += [getattr(value, name, None) for name in WRAPPED]
    return found


WRAPPED = ("__func__", "fget", "fset", "func")


def _is_own(cls: type) -> bool:
    functions = (value for value in vars(cls).values() if isinstance(value, FunctionType))
    return not any(is_platform(function.__code__.co_filename) for function in functions)
