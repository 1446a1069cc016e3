"""Cells: what holds the variables that functions share."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.native import closure_of


def cell_of(function: Any) -> CellType:
    """The one cell of `lambda: x`."""
    cell: CellType = function.__closure__[0]
    return cell


def made_class(make: Callable[[], type], *read: Any) -> type:
    """The class that a `class` statement makes, which computes with these values when it is run.

    What `__init_subclass__` of another class that was made in a function does is not followed.
    """
    cls = make()
    for base in cls.__mro__[1:]:
        if "<locals>" in base.__qualname__ and isinstance(vars(base).get("__init_subclass__"), classmethod):
            raise UnsupportedSyntaxError(
                f"what '__init_subclass__' of '{base.__qualname__}' does is not followed.",
                instead="define the class at the top of the module.",
            )
    return cls


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
