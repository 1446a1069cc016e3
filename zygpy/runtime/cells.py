"""Cotangents of variables that functions share, found by the identity of the cell that holds them."""

from __future__ import annotations

from types import CellType
from typing import Any

from zygpy.runtime.accumulate import accumulate


class Cells:
    """The cotangents of shared variables during one call of `back`.

    It travels from an outer adjoint to those that it calls, because any of them may run the adjoint
    of a function that reads or rebinds a variable of an enclosing one.
    """

    __zygpy_inert__ = True

    def __init__(self) -> None:
        self._cells: dict[int, tuple[CellType, Any]] = {}
        self._owned: dict[int, CellType] = {}

    def add(self, cell: CellType, value: Any) -> None:
        """Add to the cotangent of a variable that functions share."""
        if value is not None:
            _, current = self._cells.get(id(cell), (cell, None))
            self._cells[id(cell)] = (cell, accumulate(current, value))

    def take(self, cell: CellType) -> Any:
        """The cotangent of a shared variable that is bound here; before it has none."""
        return self._cells.pop(id(cell), (cell, None))[1]

    def own(self, cell: CellType) -> None:
        """Let `route` send contributions to this cell here."""
        self._owned[id(cell)] = cell

    def route(self, value: Any, bar: Any) -> Any:
        """What is left of a value's cotangent when functions' shares of the owned cells are taken out."""
        if bar is None or not self._owned:
            return bar
        if isinstance(value, tuple | list) and isinstance(bar, tuple | list):
            routed = [self.route(item, part) for item, part in zip(value, bar, strict=True)]
            return tuple(routed) if isinstance(bar, tuple) else routed
        if isinstance(value, dict) and isinstance(bar, dict):
            return {key: self.route(value.get(key), part) for key, part in bar.items()}
        closure = getattr(value, "__closure__", None)
        if closure is None or not isinstance(bar, dict):
            return bar
        return self._without_cells(dict(zip(value.__code__.co_freevars, closure, strict=True)), bar)

    def _without_cells(self, cells: dict[str, CellType], bar: dict[str, Any]) -> dict[str, Any]:
        left = {}
        for name, part in bar.items():
            if id(cells[name]) in self._owned:
                self.add(cells[name], self.route(content(cells[name]), part))
            else:
                left[name] = part
        return left


def cell_of(function: Any) -> CellType:
    """The one cell of `lambda: x`."""
    cell: CellType = function.__closure__[0]
    return cell


def content(cell: CellType) -> Any:
    """What a shared variable holds now; None where it is not bound."""
    try:
        return cell.cell_contents
    except ValueError:
        return None
