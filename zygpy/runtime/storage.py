"""Cotangents of shared storage: found by memory, as the primal arrays are."""

from __future__ import annotations

from types import CellType
from typing import Any, TypeAlias

import numpy as np

from zygpy.runtime.accumulate import accumulate

Array: TypeAlias = "np.ndarray[Any, Any]"


def base_of(array: Array) -> Any:
    """The array that owns the memory (or the outermost object that lends it)."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def overlap(arrays: list[Any]) -> bool:
    """Whether two of these values are arrays that may share memory."""
    found = [value for value in arrays if isinstance(value, np.ndarray)]
    return any(np.may_share_memory(a, b) for k, a in enumerate(found) for b in found[:k])


class Cotangents:
    """One buffer of cotangents for each allocation that the adjoint meets.

    The cotangent of a view has the view's shape, and the place in the base's buffer that the view
    has in the base.
    """

    def __init__(self) -> None:
        self._buffers: dict[int, tuple[Any, Array]] = {}
        self._cells: dict[int, tuple[CellType, Any]] = {}
        self._owned: dict[int, CellType] = {}

    def view(self, array: Array) -> Array:
        """The cotangent of an array, to be updated in place."""
        base = base_of(array)
        if id(base) not in self._buffers:
            dtype = base.dtype if base.dtype.kind in "fc" else np.dtype(np.float64)
            buffer = np.zeros(_extent(base) // base.itemsize, dtype)
            self._buffers[id(base)] = (base, buffer)
        buffer = self._buffers[id(base)][1]
        offset = (_address(array) - _lowest(base)) // array.itemsize * buffer.itemsize
        strides = tuple(stride // array.itemsize * buffer.itemsize for stride in array.strides)
        return np.ndarray(array.shape, buffer.dtype, buffer, offset, strides)

    def add(self, array: Array, value: Any) -> None:
        """Add to the cotangent of an array."""
        if value is not None:
            place = self.view(array)
            if np.iscomplexobj(value) and place.dtype.kind != "c":
                value = np.real(value)
            place += value

    def take(self, array: Array, *sources: Array) -> Array | None:
        """The cotangent of an array that was allocated here, and is forgotten before; None if the
        array lies in the storage of one of the sources, or nothing has come in."""
        base = base_of(array)
        if any(base_of(source) is base for source in sources) or id(base) not in self._buffers:
            return None
        value = np.array(self.view(array))
        del self._buffers[id(base)]
        return value

    def exchange(self, array: Array) -> Array:
        """A copy of the cotangent of an array, whose place is cleared."""
        place = self.view(array)
        value = np.array(place)
        place[...] = 0
        return value

    def add_cell(self, cell: CellType, value: Any) -> None:
        """Add to the cotangent of a variable that functions share."""
        if value is not None:
            _, current = self._cells.get(id(cell), (cell, None))
            self._cells[id(cell)] = (cell, accumulate(current, value))

    def take_cell(self, cell: CellType) -> Any:
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
                self.add_cell(cells[name], self.route(content(cells[name]), part))
            else:
                left[name] = part
        return left


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _lowest(array: Array) -> int:
    return _address(array) + sum(
        (size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True) if stride < 0 < size
    )


def _extent(array: Array) -> int:
    """The bytes between the first and behind the last element."""
    if array.size == 0:
        return 0
    return array.itemsize + sum(
        (size - 1) * abs(stride) for size, stride in zip(array.shape, array.strides, strict=True)
    )


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
