"""Arrays of objects: what they hold has its cotangents by its place in the memory of the array.

The array that owns the memory is the owner of a list of cotangents, one for each of its elements in the
order of the memory; every view of it knows the places of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.memory import base_of


def holds_objects(value: Any) -> bool:
    """Whether a value is an array of objects.

    >>> holds_objects(np.array([{}, None])), holds_objects(np.array([1.0])), holds_objects([{}])
    (True, False, False)
    """
    return isinstance(value, np.ndarray) and value.dtype.kind == "O"


def any_hold_objects(values: Iterable[Any]) -> bool:
    """Whether an array of objects is among some values.

    >>> any_hold_objects((1.0, np.array([{}, None]))), any_hold_objects((1.0, np.ones(2)))
    (True, False)
    """
    return any(map(holds_objects, values))


def elements(owner: Any) -> list[Any]:
    """What an array that owns its memory holds, in the order of the memory."""
    return list(owner.ravel(order="K"))


def places(array: Any) -> Any:
    """For each element of an array its place in the memory of the owner.

    >>> square = np.array([[1, 2], [3, None]])
    >>> places(square.T).tolist(), places(square[1]).tolist()
    ([[0, 2], [1, 3]], [2, 3])
    """
    base = base_of(array)
    start = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    found = np.full(array.shape, start // base.itemsize)
    for axis, (size, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        index = [1] * array.ndim
        index[axis] = size
        found = found + (np.arange(size) * (stride // base.itemsize)).reshape(index)
    return found


def with_elements(bars: Any, array: Any) -> Any:
    """The cotangents of what the owner of an array holds, with it."""
    return zip(bars, elements(base_of(array)), strict=True)


def of_shape(bars: list[Any], array: Any) -> Any:
    """Of the cotangents of what the owner holds those of an array, as an array of its shape."""
    found, result = places(array), np.empty(array.shape, object)
    for index in np.ndindex(*array.shape):
        result[index] = bars[found[index]]
    return result


def in_order_of_memory(bars: Any, owner: Any) -> Any:
    """The cotangents of what a list or array holds, where those of an array are given as an array."""
    if not isinstance(bars, np.ndarray) or not isinstance(owner, np.ndarray):
        return bars
    if bars.shape != owner.shape:
        raise UnsupportedSyntaxError(
            "the seed of a part of an array of objects is given.",
            why="cotangents are kept for the whole array",
            instead="return a copy of the part",
        )
    found, ordered = places(owner), [None] * owner.size
    for index in np.ndindex(*owner.shape):
        ordered[found[index]] = bars[index]
    return ordered


class ElementRead:
    """`y = a[i]` for one element."""

    def __init__(self, owner: Any, place: int, value: Any) -> None:
        self.owner, self.place, self.value = owner, place, value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.add_entry(self.owner, self.owner.size, self.place, store.add(self.value, y_bar))
        return (None, None, None)


class ElementsTaken:
    """A new array of objects that came from others: `sources` has, in the order of its memory, the owner and
    place of each; None where it came from nowhere."""

    def __init__(self, value: Any, sources: Any, count: int) -> None:
        self.value, self.sources, self.count = value, sources, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = store.take_entries(base_of(self.value)) or ()
        for bar, source in zip(taken, self.sources, strict=False):
            if source is not None:
                owner, place = source
                store.add_entry(owner, owner.size, place, bar)
        return (None,) * self.count


class View:
    """A view of an array of objects, whose elements have their places already."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None,) * self.count


def read(array: Any, index: Any) -> Any:
    """`array[index]` and how it is pulled back."""
    result = array[index]
    found = places(array)[index]
    if not isinstance(found, np.ndarray):
        return result, ElementRead(base_of(array), int(found), result)
    return result, rearranged(array, result, found, 3)


def rearranged(array: Any, result: Any, found: Any, count: int) -> Any:
    """How an array is pulled back that has the elements of another, of which these were the places."""
    if base_of(result) is base_of(array):
        return View(count)
    owner = base_of(array)
    sources: list[Any] = [None] * base_of(result).size
    for target, place in zip(places(result).ravel().tolist(), found.ravel().tolist(), strict=True):
        sources[target] = (owner, place)
    return ElementsTaken(result, sources, count)


def _taken(entries: list[Any], found: list[int]) -> list[Any]:
    """The cotangents at places, which are cleared; of a place that is there twice once."""
    bars = []
    for place in found:
        bars.append(entries[place])
        entries[place] = None
    return bars


class ElementsWrite:
    """`a[i] = v`, where `found` are the places that were written."""

    def __init__(self, owner: Any, found: list[int], stored: Any, parts: bool) -> None:
        self.owner, self.found, self.stored, self.parts = owner, found, stored, parts

    def __call__(self, store: Any) -> Any:
        bars = _taken(store.entries(self.owner, self.owner.size), self.found)
        if self.parts:
            return store.add(self.stored, tuple(bars))
        whole = None
        for bar in bars:
            whole = accumulate(whole, bar)
        return whole


class ElementsCopied:
    """`a[i] = b` for another array of objects, or a part of the same."""

    def __init__(self, owner: Any, found: list[int], source: Any, sources: list[int]) -> None:
        self.owner, self.found, self.source, self.sources = owner, found, source, sources

    def __call__(self, store: Any) -> Any:
        bars = _taken(store.entries(self.owner, self.owner.size), self.found)
        for bar, place in zip(bars, self.sources, strict=True):
            store.add_entry(self.source, self.source.size, place, bar)


def write(array: Any, index: Any, stored: Any) -> Any:
    """`array[index] = stored`: how the cotangent of `stored` is found."""
    owner, found = base_of(array), places(array)[index]
    if not isinstance(found, np.ndarray):
        array[index] = stored
        return ElementsWrite(owner, [int(found)], stored, False)
    written = found.ravel().tolist()
    if holds_objects(stored) and len(set(written)) == found.size:
        given = np.broadcast_to(places(stored), found.shape)
        array[index] = stored.copy()
        return ElementsCopied(owner, written, base_of(stored), given.ravel().tolist())
    parts = isinstance(stored, list | tuple)
    if isinstance(stored, np.ndarray) or (parts and not _fits(stored, written, found)):
        raise UnsupportedSyntaxError(
            "several elements of an array of objects are written at once.",
            why="which of them has which of the values is not recorded",
            instead="write them one by one, in a loop",
        )
    array[index] = stored
    return ElementsWrite(owner, written, stored, parts)


def _fits(items: Any, written: list[int], found: Any) -> bool:
    """Whether there is one item for each of the places that are written in a row."""
    nested = any(isinstance(item, list | tuple | np.ndarray) for item in items)
    return found.ndim == 1 and len(items) == found.size == len(set(written)) and not nested


class Part:
    """What an array of objects was made of, and what that list, tuple or array had then: each a `Part` in its
    turn, or None for an element."""

    def __init__(self, owner: Any, parts: Any) -> None:
        self.owner, self.parts = owner, parts


def parts_of(items: Any, rank: int) -> Any:
    """What an array with so many axes is made of, as it is now: the lists may change afterwards."""
    if rank == 0:
        return None
    if not isinstance(items, list | tuple | np.ndarray):
        return Part(items, None)
    return Part(items, tuple([parts_of(item, rank - 1) for item in items]))


class Made:
    """The pullback of `np.array(items, dtype=object)` for a list or tuple, or several in each other."""

    def __init__(self, value: Any, items: Any, count: int) -> None:
        self.value, self.count = value, count
        self.part = parts_of(items, value.ndim)

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = store.take_entries(base_of(self.value))
        if taken is not None:
            taken = iter([taken[place] for place in places(self.value).ravel()])
        bar = None if taken is None else self.nested(self.part, taken, self.value.ndim, store)
        return (None, bar, *(None,) * (self.count - 2))

    def nested(self, part: Any, taken: Any, rank: int, store: Any) -> Any:
        """The cotangents of the items of a list or tuple, which are the next ones that were taken."""
        if rank == 0:
            return next(taken)
        if part.parts is None:
            raise UnsupportedSyntaxError(
                f"an array of objects takes a {type(part.owner).__name__} apart.",
                why="which of its parts the elements came from is not known",
                instead="give a list or tuple of the elements",
            )
        bars = tuple([self.nested(item, taken, rank - 1, store) for item in part.parts])
        if all(bar is None for bar in bars):
            return None
        return store.add(part.owner, bars)


def made(items: Any, value: Any, count: int) -> Any:
    """How an array of objects is pulled back that was made of these."""
    if holds_objects(items):
        return rearranged(items, value, places(items), count)
    return Made(value, items, count)


class FilledWith:
    """The pullback of `np.full(shape, value, dtype=object)`."""

    def __init__(self, value: Any, count: int) -> None:
        self.value, self.count = value, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        whole = None
        for bar in store.take_entries(base_of(self.value)) or ():
            whole = accumulate(whole, bar)
        return (None, None, whole, *(None,) * (self.count - 3))


def hand_back(array: Any, copied: Any, store: Any) -> None:
    """Add the cotangents of a copy's elements to those of the original's."""
    rearranged(array, copied, places(array), 0)(None, store)


def elementwise(function: Any, first: Any, second: Any) -> Any:
    """`function(first, second)` for an operator where one of the operands is an array of objects."""
    shape = np.broadcast_shapes(np.shape(first), np.shape(second))
    if isinstance(first, np.ndarray):
        first = np.broadcast_to(first, shape)
    if isinstance(second, np.ndarray):
        second = np.broadcast_to(second, shape)
    result = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        result[index] = function(_object_at(first, index), _object_at(second, index))
    return result


def _object_at(operand: Any, index: Any) -> Any:
    """An element, as NumPy makes an object of it: of numbers of its own, numbers of Python's."""
    if not isinstance(operand, np.ndarray):
        return operand.item() if isinstance(operand, np.generic) else operand
    return operand[index] if operand.dtype == object else operand[index].item()


def one_by_one(array: Any) -> Any:
    """`list(array)`."""
    return [item for item in array]  # noqa: C416  (the elements are asked for one by one)


def as_list(array: Any) -> Any:
    """`array.tolist()`."""
    if array.ndim == 1:
        return one_by_one(array)
    return [as_list(row) for row in array]


def total(array: Any) -> Any:
    """The sum of the elements of an array of objects."""
    items = as_list(array.ravel())
    result = items[0]
    for item in items[1:]:
        result = result + item
    return result


def as_numbers(array: Any, dtype: Any) -> Any:
    """An array of objects that are numbers, as an array of numbers."""
    return np.array(as_list(array.ravel()), dtype=dtype).reshape(array.shape)
