"""Whether code that classes of a program have for operators, questions and attributes changes something."""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import CodeType, FunctionType, ModuleType
from typing import Any

from zygpy.runtime.lookup import HEAP_TYPE
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

ASKING = frozenset({"setattr", "delattr", "vars", "exec", "eval", "next", "locals", "globals"})
"""Builtins by which something may be changed."""


def all_still(space: Mapping[str, Any]) -> bool:
    """Whether no class that is found from a module's names, or those of the modules that it has its functions
    and classes from, changes anything, or calls what might, by an operator, a question or an attribute.

    >>> class Counting:
    ...     def __mul__(self, other): self.count = 1
    >>> all_still({"__name__": "m", "Counting": Counting}), all_still({"__name__": "m", "float": float})
    (False, True)
    """
    return all(map(_is_still, _classes(space)))


def _classes(space: Mapping[str, Any]) -> Iterator[type]:
    """The classes in Python that the program's own modules have."""
    waiting, seen = [space], {id(space)}
    while waiting:
        for value in list(waiting.pop().values()):
            if isinstance(value, type) and value.__flags__ & HEAP_TYPE:
                yield value
            around = _space_of(value)
            if around is not None and id(around) not in seen:
                seen.add(id(around))
                waiting.append(around)


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


def _is_still(cls: type) -> bool:
    return all(_leaves(function) for base in cls.__mro__ for function in _asked(base))


def _asked(cls: type) -> Iterator[FunctionType]:
    """The functions that a class has for what is no call of a method."""
    if not cls.__flags__ & HEAP_TYPE:
        return
    for name, value in list(vars(cls).items()):
        special = name.startswith("__") and name.endswith("__") and name not in BY_NAME
        found = value if special else _getter(value)
        if isinstance(found, FunctionType):
            yield found


def _getter(value: Any) -> Any:
    """The function that gives an attribute."""
    if isinstance(value, property):
        return value.fget
    return value.func if isinstance(value, functools.cached_property) else None


def _leaves(function: FunctionType) -> bool:
    """Whether a function changes nothing, as far as its instructions tell, and calls no other."""
    names = _names_of(function.__code__)
    if names is None or not ASKING.isdisjoint(names):
        return False
    return not any(isinstance(function.__globals__.get(name), FunctionType) for name in names)


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
