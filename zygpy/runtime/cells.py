"""Cells: what holds the variables that functions share."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any


def cell_of(function: Any) -> CellType:
    """The one cell of `lambda: x`."""
    cell: CellType = function.__closure__[0]
    return cell


def with_shared_cells(function: FunctionType, *names: str) -> FunctionType:
    """The function with the cells that variables of these names hold, in place of those of the variables."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    closure = tuple(cell.cell_contents if name in names else cell for name, cell in cells)
    code, space = function.__code__, function.__globals__
    shared = FunctionType(code, space, function.__name__, function.__defaults__, closure)
    shared.__kwdefaults__, shared.__qualname__ = function.__kwdefaults__, function.__qualname__
    shared.__doc__, shared.__module__ = function.__doc__, function.__module__
    return shared


def content(cell: CellType) -> Any:
    """What a shared variable holds now; None where it is not bound."""
    try:
        return cell.cell_contents
    except ValueError:
        return None
