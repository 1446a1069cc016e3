"""What a function finds without being given it is put back, for those who begin it again in another way."""

from __future__ import annotations

import dis
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache, partial
from itertools import chain, islice
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    SimpleNamespace,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from zygpy.runtime.as_before import AsBefore
from zygpy.runtime.callables import names_in
from zygpy.runtime.found_elsewhere import MOST, found_by, is_of_the_platform, modules_of
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.zeros import has_partner

HOLDING = (list, dict, set, deque, np.ndarray, OrderedDict, Counter)
"""Classes of what is put back by what it holds."""

WITHOUT_A_STATE = (None, list, dict, set, int, float)
"""What makes the values of a `defaultdict`, each time in the same way."""

FieldOfRecord: Any = type(namedtuple("One", "item").item)  # type: ignore[attr-defined]

STILL = (
    *(FunctionType, BuiltinFunctionType, MethodType, partial, type, property, staticmethod, classmethod),
    *(CellType, MappingProxyType, MemberDescriptorType, GetSetDescriptorType, MethodDescriptorType),
    *(
        WrapperDescriptorType,
        tuple,
        FieldOfRecord,
        frozenset,
        np.ufunc,
        slice,
        range,
        type(Ellipsis),
        type(NotImplemented),
    ),
)
"""Classes of what does not change, or holds what is put back beside it."""

MISSING = object()
"""In place of a variable that has no value."""


class Surroundings:
    """All that a function finds, as it is now.

    >>> log = [1.0]
    >>> around = Surroundings.of(lambda x: log.append(x))
    >>> log.append(2.0)
    >>> around.put_back()
    >>> log
    [1.0]
    """

    def __init__(self, things: list[Any]) -> None:
        functions = [thing for thing in things if isinstance(thing, FunctionType)]
        self._contents = AsBefore(tuple([thing for thing in things if not isinstance(thing, STILL)]))
        self._variables = list(chain.from_iterable(map(_variables, functions)))
        self._cells = [
            (cell, _content(cell)) for function in functions for cell in function.__closure__ or ()
        ]
        classes = [thing for thing in things if isinstance(thing, type) and not is_of_the_platform(thing)]
        self._classes = [(cls, dict(vars(cls))) for cls in classes]

    @classmethod
    def of(cls, function: Any) -> Surroundings | None:
        """The same by the function; None where it finds more than is looked at, or what cannot be put back:
        an iterator, a file, what has a state of its own."""
        things = list(islice(found_by(function), MOST))
        if len(things) == MOST or not all(map(_can_be_put_back, things)):
            return None
        return cls(things)

    def put_back(self) -> None:
        """Let everything be as it was."""
        self._contents.put_back()
        for table, name, value in self._variables:
            if value is MISSING:
                table.pop(name, None)
            else:
                table[name] = value
        for cell, value in self._cells:
            if value is not MISSING:
                cell.cell_contents = value
        for cls, fields in self._classes:
            _set_attributes(cls, fields)


def _can_be_put_back(thing: Any) -> bool:
    """Whether something is as it was when it holds what it held.

    >>> _can_be_put_back(defaultdict(list)), _can_be_put_back(defaultdict(iter([1.0]).__next__))
    (True, False)
    """
    if type(thing).__module__ == "dataclasses":  # what a class tells of its fields
        return True
    if type(thing) is defaultdict:
        return any(thing.default_factory is known for known in WITHOUT_A_STATE)
    own = has_partner(thing) and not hasattr(type(thing), "__next__")
    return isinstance(thing, STILL) or type(thing) in HOLDING or (own and _holds_alone(type(thing)))


def _holds_alone(cls: type) -> bool:
    """Whether objects of a class in Python have no state but fields, and items of the classes above."""
    return all(
        base in (object, SimpleNamespace, Enum, *HOLDING) or not is_of_the_platform(base)
        for base in cls.__mro__
    )


def _variables(function: FunctionType) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """The global variables that a function may bind, its own and those of modules, with what they hold."""
    code = function.__code__
    if is_platform(code.co_filename):
        return
    tables: Iterable[tuple[dict[str, Any], tuple[str, ...]]] = [
        (function.__globals__, bound_in(code)),
        *((vars(module), names_in(code)) for module in modules_of(function)),
    ]
    for table, names in tables:
        yield from ((table, name, table.get(name, MISSING)) for name in names)


@lru_cache(maxsize=1024)
def bound_in(code: CodeType) -> tuple[str, ...]:
    """The global variables that code binds or deletes, and functions that are made in it."""
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    own = [
        one.argval for one in dis.get_instructions(code) if one.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")
    ]
    return tuple(dict.fromkeys([*own, *chain.from_iterable(map(bound_in, inside))]))


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def _set_attributes(cls: type, fields: dict[str, Any]) -> None:
    now = dict(vars(cls))
    for name in now.keys() - fields.keys():
        type.__delattr__(cls, name)
    for name, value in fields.items():
        if now.get(name, MISSING) is not value:
            type.__setattr__(cls, name, value)
