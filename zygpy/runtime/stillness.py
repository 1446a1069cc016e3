"""Whether code that classes of a program have for operators, questions and attributes changes something."""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.runtime.cells import contents
from zygpy.runtime.lookup import HEAP_TYPE, in_class
from zygpy.runtime.platform_code import is_installed, is_platform

BY_NAME = frozenset(
    [
        *(
            "__init__",
            "__new__",
            "__post_init__",
            "__set_name__",
            "__init_subclass__",
            "__call__",
            "__setattr__",
        ),
        *(
            "__delattr__",
            "__setitem__",
            "__delitem__",
            "__set__",
            "__delete__",
            "__repr__",
            "__str__",
            "__format__",
        ),
        *("__enter__", "__exit__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__"),
        *("__deepcopy__", "__replace__"),
    ]
)
"""Methods that are called where objects are made, changed, called, shown or copied: by nothing else."""

CHANGING = ("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL", "STORE_DEREF")
DELETING = ("DELETE_ATTR", "DELETE_SUBSCR", "DELETE_GLOBAL", "DELETE_DEREF")
"""Instructions that change something."""

ASKING = frozenset(
    {"setattr", "delattr", "vars", "exec", "eval", "next", "locals", "globals", "print", "input", "open"}
)
"""Builtins by which something may be changed, or shown."""


OF_ITS_CLASS = frozenset({"type", "__class__"})
"""Names by which a method finds the class of what it is called of."""


def all_still(space: Mapping[str, Any]) -> bool:
    """Whether no class that is found from a module's names, or those of the modules that it has its functions
    and classes from, changes anything, or calls what might, by an operator, a question or an attribute; nor
    one that a function there makes.

    >>> class Counting:
    ...     def __mul__(self, other): self.count = 1
    >>> all_still({"__name__": "m", "Counting": Counting}), all_still({"__name__": "m", "float": float})
    (False, True)
    """
    for value, around in _found(space):
        if isinstance(value, FunctionType):
            if not _makes_still(value.__code__, around):
                return False
        elif not all(map(is_still, _with_inner(value))):
            return False
    return True


def methods_named(space: Mapping[str, Any], name: str) -> Iterator[Any]:
    """What the classes that are so found from a module's names have by a name."""
    for value, _ in _found(space):
        for cls in _with_inner(value) if isinstance(value, type) else ():
            for base in cls.__mro__:
                if name in vars(base):
                    yield vars(base)[name]


def _found(space: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """The functions and classes in Python that the program's own modules have, and the names there."""
    waiting, seen = [space], {id(space)}
    while waiting:
        names = waiting.pop()
        for value in list(names.values()):
            if (isinstance(value, type) and value.__flags__ & HEAP_TYPE) or (
                isinstance(value, FunctionType) and value.__globals__ is names
            ):
                yield value, names
            around = _space_of(value)
            if around is not None and id(around) not in seen:
                seen.add(id(around))
                waiting.append(around)


def _with_inner(cls: type) -> Iterator[type]:
    """A class and those that stand in it."""
    yield cls
    for value in list(vars(cls).values()):
        if isinstance(value, type) and value.__qualname__.startswith(f"{cls.__qualname__}."):
            yield from _with_inner(value)


def _makes_still(code: CodeType, space: Mapping[str, Any]) -> bool:
    """Whether the classes that stand in a function answer without a change, as far as its code tells."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    if "__qualname__" in code.co_names and not all(
        _is_quiet(one, space) for one in inner if _is_asked(one, code)
    ):
        return False
    return all(_makes_still(one, space) for one in inner)


def _is_asked(code: CodeType, body: CodeType) -> bool:
    """Whether a function in the body of a class may be called by something that is no call of a method."""
    name = code.co_name
    special = name.startswith("__") and name.endswith("__") and name not in BY_NAME
    return special or not {"property", "cached_property"}.isdisjoint(body.co_names)


def _space_of(value: Any) -> Mapping[str, Any] | None:
    """The names of the module that a function or class comes from, if that is one of the program's own."""
    around = None
    if isinstance(value, FunctionType):
        around = value.__globals__
    elif type(value) is ModuleType:
        around = vars(value)
    elif isinstance(value, type):
        module = sys.modules.get(value.__module__)
        around = vars(module) if type(module) is ModuleType else None
    file = None if around is None else around.get("__file__")
    own = around is not None and not (file is None or is_platform(file) or is_installed(file))
    return around if own else None


def is_still(cls: type) -> bool:
    """Whether nothing that a class has for operators, questions and attributes changes anything, or calls
    what might."""
    return all(_leaves(function, cls) for base in cls.__mro__ for function in _asked(base))


def _asked(cls: type) -> Iterator[FunctionType]:
    """The functions that a class has for what is no call of a method."""
    if not cls.__flags__ & HEAP_TYPE:
        return
    for name, value in list(vars(cls).items()):
        special = name.startswith("__") and name.endswith("__") and name not in BY_NAME
        found = value if special else _getter(value)
        if isinstance(found, FunctionType):
            yield found
        elif type(value).__flags__ & HEAP_TYPE:  # what gives attributes by a `__get__`
            yield from filter(None, [_python_method(type(value), "__get__")])


def _python_method(cls: type, name: str) -> FunctionType | None:
    found = in_class(cls, name)
    return found if isinstance(found, FunctionType) else None


def _getter(value: Any) -> Any:
    """The function that gives an attribute."""
    if isinstance(value, property):
        return value.fget
    return value.func if isinstance(value, functools.cached_property) else None


def _leaves(function: FunctionType, cls: type) -> bool:
    """Whether a function changes nothing, as far as its instructions tell, calls no other, and makes objects
    of such classes alone as do nothing else when they are made."""
    code, space = function.__code__, function.__globals__
    if not _is_quiet(code, space):
        return False
    names = _names_of(code) or frozenset()
    held = list(contents(function.__closure__ or ()))
    made = [*held, *(space.get(name) for name in names)]
    own = () if OF_ITS_CLASS.isdisjoint(names) else (cls,)
    return all(map(_is_made_quietly, [*made, *own])) and not any(map(_may_be_called, held))


def _is_quiet(code: CodeType, space: Mapping[str, Any]) -> bool:
    """Whether code changes nothing, and calls nothing of a module but classes and elementary functions."""
    names = _names_of(code)
    if names is None or not ASKING.isdisjoint(names):
        return False
    return not any(_may_be_called(space[name]) for name in names if name in space)


def _may_be_called(found: Any) -> bool:
    """Whether something is called other than a class, or an elementary function."""
    elementary = isinstance(found, np.ufunc) or getattr(found, "__module__", None) == "math"
    return callable(found) and not isinstance(found, type) and not elementary


def _is_made_quietly(made: Any) -> bool:
    """Whether making an object of a class (if it is one, of a program's) stores in that alone."""
    if not isinstance(made, type) or not made.__flags__ & HEAP_TYPE:
        return True
    methods = [_python_method(made, name) for name in ("__init__", "__post_init__", "__new__", "__setattr__")]
    return all(_begins(method.__code__, method.__globals__) for method in methods if method is not None)


def _begins(code: CodeType, space: Mapping[str, Any]) -> bool:
    """Whether a method stores in fields of what it is called of, and does nothing else that could be told."""
    steps = list(dis.get_instructions(code))
    own = code.co_varnames[:1]
    stored = {
        id(step)
        for before, step in pairwise(steps)
        if step.opname == "STORE_ATTR" and _loaded(before) == own and "SUBSCR" not in before.opname
    }
    rest = [step for step in steps if id(step) not in stored]
    names = frozenset(code.co_names)
    called = any(callable(space.get(name)) for name in names)
    return not (called or any(map(_changes, rest)) or any(map(_finds_method, rest))) and ASKING.isdisjoint(
        names
    )


def _loaded(step: dis.Instruction) -> tuple[str, ...]:
    """The variable that an instruction loads last."""
    if not step.opname.startswith("LOAD_FAST"):
        return ()
    return tuple(step.argval)[-1:] if isinstance(step.argval, tuple) else (step.argval,)


@functools.lru_cache(maxsize=4096)
def _names_of(code: CodeType) -> frozenset[str] | None:
    """The names that code asks for; None where it stores in something, or calls methods other than functions
    of `math`."""
    steps = list(dis.get_instructions(code))
    if any(map(_changes, steps)):
        return None
    called = [before for before, step in pairwise(steps) if _finds_method(step)]
    if not all(before.opname == "LOAD_GLOBAL" and before.argval == "math" for before in called):
        return None
    inner = [_names_of(const) for const in code.co_consts if isinstance(const, CodeType)]
    known = [names for names in inner if names is not None]
    return None if len(known) < len(inner) else frozenset(code.co_names).union(*known)


def _changes(step: dis.Instruction) -> bool:
    """Whether an instruction changes something: operators in place may change what others know."""
    in_place = step.opname == "BINARY_OP" and step.argrepr.endswith("=")
    return in_place or step.opname in CHANGING or step.opname in DELETING


def _finds_method(step: dis.Instruction) -> bool:
    """Whether an instruction finds what is called then, of an object."""
    if "METHOD" in step.opname or "SUPER" in step.opname:
        return True
    return sys.version_info >= (3, 12) and step.opname == "LOAD_ATTR" and bool((step.arg or 0) & 1)
