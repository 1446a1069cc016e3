"""Cotangents of shared storage: found by memory, as the primal arrays are."""

from __future__ import annotations

from fractions import Fraction
from types import NoneType
from typing import Any, TypeAlias

import numpy as np

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


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _lowest(array: Array) -> int:
    steps = zip(array.shape, array.strides, strict=True)
    below: int = sum((size - 1) * stride for size, stride in steps if stride < 0 < size)
    return _address(array) + below


def _extent(array: Array) -> int:
    """The bytes between the first and behind the last element."""
    if array.size == 0:
        return 0
    steps = zip(array.shape, array.strides, strict=True)
    between: int = sum((size - 1) * abs(stride) for size, stride in steps)
    return array.itemsize + between


def changes_in_place(value: Any) -> bool:
    """Whether `value += other` would change the value itself instead of making a new one."""
    return not isinstance(value, int | float | complex | Fraction | np.generic | tuple | str | NoneType)
