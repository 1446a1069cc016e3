"""Cells: what holds the variables that functions share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from types import BuiltinFunctionType, CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.native import closure_of


def cell_of(function: Any) -> CellType:
    """The one cell of `lambda: x`."""
    cell: CellType = function.__closure__[0]
    return cell


def made_class(make: Callable[..., type], computed: tuple[Any, ...], *read: Any) -> type:
    """The class that a `class` statement makes of what was computed before. With what it has `read` it
    computes when it is run.

    What `__init_subclass__` of another class that was made in a function does is not followed.
    """
    cls = make(*computed)
    for base in cls.__mro__[1:]:
        if "<locals>" in base.__qualname__ and isinstance(vars(base).get("__init_subclass__"), classmethod):
            raise UnsupportedSyntaxError(
                f"what '__init_subclass__' of '{base.__qualname__}' does is not followed.",
                instead="define the class at the top of the module.",
            )
    return cls


COMPUTED = "what the text of a class computes: what is done while a class is made is not followed"


def numbers_in(value: Any) -> Any:
    """A number or an array that may have a gradient, or those in a tuple; None for anything else.

    >>> numbers_in((1.5, "a", 2))
    (1.5, None, None)
    """
    if isinstance(value, tuple):
        return tuple([numbers_in(item) for item in value])
    return value if isinstance(value, float | complex | np.inexact) or _is_of_numbers(value) else None


def _is_of_numbers(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc"


def check_can_be_told(read: tuple[Any, ...]) -> None:
    """Refuse lists, dicts and objects with numbers, of which nobody can tell whether these have gradients."""
    if any(_holds_numbers(value, set()) for value in read if numbers_in(value) is None):
        raise UnsupportedSyntaxError(
            "the text of a class computes with numbers in a list, a dict or an object.",
            why="what is done while a class is made is not followed",
            instead="compute it before, and store it in the class when it is made.",
        )


def _holds_numbers(value: Any, seen: set[int]) -> bool:
    if id(value) in seen or isinstance(value, PLAIN):
        return False
    seen.add(id(value))
    if isinstance(value, FunctionType):
        return _holds_numbers([*contents(closure_of(value) or ()), *(value.__defaults__ or ())], seen)
    if isinstance(value, dict):
        return any(_holds_numbers(item, seen) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset | deque):
        return any(_holds_numbers(item, seen) for item in value)
    fields = getattr(value, "__dict__", None)
    return numbers_in(value) is not None or (fields is not None and _holds_numbers(fields, seen))


def contents(cells: tuple[CellType, ...]) -> Iterator[Any]:
    for cell in cells:
        with suppress(ValueError):  # nothing is in it yet
            yield cell.cell_contents


PLAIN = (type(None), int, str, bytes, type, BuiltinFunctionType, ModuleType, range, slice, Enum)


def with_shared_cells(function: FunctionType, *names: str) -> FunctionType:
    """The function with the cells that variables of these names hold, in place of those of the variables;
    it tells the names."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    closure = tuple(cell.cell_contents if name in names else cell for name, cell in cells)
    code, space = function.__code__, function.__globals__
    shared = FunctionType(code, space, function.__name__, function.__defaults__, closure)
    shared.__kwdefaults__, shared.__qualname__ = function.__kwdefaults__, function.__qualname__
    shared.__doc__, shared.__module__ = function.__doc__, function.__module__
    setattr(shared, GIVEN, names)
    return shared


GIVEN = "__zygpy_given__"


def given_names(function: Any) -> Any:
    """The names of the cells that a function was given."""
    return getattr(function, GIVEN, ())


def cells_of(function: Any) -> dict[str, CellType]:
    """The cells of a function's captured variables, by name; of anything else, none."""
    closure = closure_of(function) or ()
    names = function.__code__.co_freevars if closure else ()
    return dict(zip(names, closure, strict=True))


def check_bound(cell: CellType, name: str) -> None:
    """Raise what Python raises where a captured variable is read that has no value.

    >>> check_bound(CellType(1.0), "x")
    >>> check_bound(CellType(), "x")
    Traceback (most recent call last):
    NameError: cannot access free variable 'x' where it is not associated with a value in enclosing scope
    """
    try:
        cell.cell_contents  # noqa: B018  (reading it is the question)
    except ValueError:
        where = "where it is not associated with a value in enclosing scope"
        raise NameError(f"cannot access free variable '{name}' {where}") from None


def content(cell: CellType) -> Any:
    """What a shared variable holds now; None where it is not bound."""
    try:
        return cell.cell_contents
    except ValueError:
        return None
