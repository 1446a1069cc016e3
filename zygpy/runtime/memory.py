"""Cotangents of arrays that share storage, found by memory as the arrays themselves are."""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.accumulate import split_object
from zygpy.runtime.lenders import Lender

Array: TypeAlias = "np.ndarray[Any, Any]"


def base_of(array: Array) -> Any:
    """The array that owns the memory (or the outermost object that lends it)."""
    while True:
        lender = array.base
        if lender is not None and not isinstance(lender, np.ndarray):
            lender = getattr(lender, "base", None)  # `as_strided` puts an object in between
        if not isinstance(lender, np.ndarray):
            return array
        array = lender


def owner_of(array: Array) -> Any:
    """The array by which the cotangent of another is found: its base, or what shows a lender's memory."""
    while True:
        lender: Any = array.base
        if isinstance(lender, Lender) and lender.is_apart():
            return array
        if lender is not None and not isinstance(lender, np.ndarray):
            lender = getattr(lender, "base", None)
        if not isinstance(lender, np.ndarray):
            return array
        array = lender


def _is_borrowed(owner: Array) -> bool:
    """Whether an array that nothing else is found by shows memory which is not its own; what a `Lender` lends
    is told apart."""
    return owner.base is not None and not isinstance(owner.base, Lender)


def overlaps_itself(array: Array) -> bool:
    """Whether two elements of an array lie in the same place."""
    if array.size == 0:
        return False
    steps = sorted(
        (abs(step), size) for step, size in zip(array.strides, array.shape, strict=True) if size > 1
    )
    reach = array.itemsize
    for step, size in steps:
        if step < reach:
            return True
        reach += step * (size - 1)
    return False


def refuse_write_to_overlap() -> NoReturn:
    """The error for changes of an array of which several elements lie in one place: in what order NumPy
    changes them, and what it reads for the next, is not said."""
    raise UnsupportedSyntaxError(
        "an array whose elements overlap is changed.",
        why="what is left in a place that several elements share depends on the order in which NumPy writes",
        instead="change the array that it is a view of, or a copy",
    )


def buffer_for(base: Array) -> Array:
    """Zeros for the cotangents of all the memory of an array, one after the other."""
    if base.dtype.kind in "OV":
        held = "objects" if base.dtype.kind == "O" else "records"
        raise UnsupportedSyntaxError(
            f"an array of {held} is used by what is about numbers.",
            why="the cotangents of what it holds are not kept in an array",
            instead="convert it with `astype`, or use a list",
        )
    dtype = base.dtype if base.dtype.kind in "fc" else np.dtype(np.float64)
    return np.zeros(_extent(base) // base.itemsize, dtype)


def window(buffer: Array, base: Array, array: Array) -> Array:
    """The part of a base's buffer that belongs to an array which lies in the base."""
    if array.size == 0:  # which lies nowhere
        return np.zeros(array.shape, array.dtype if array.dtype.kind in "fc" else buffer.dtype)
    offset = _address(array) - _lowest(base)
    if base.dtype.kind in "fc":
        if array.dtype.kind not in "fc" or np.finfo(array.dtype).dtype != np.finfo(base.dtype).dtype:
            raise unlike(base, array)
        return np.ndarray(array.shape, array.dtype, buffer, offset, array.strides)
    if array.itemsize != base.itemsize:
        raise unlike(base, array)
    scale = buffer.itemsize // base.itemsize if buffer.itemsize % base.itemsize == 0 else 0
    if not scale:
        raise unlike(base, array)
    strides = tuple([stride * scale for stride in array.strides])
    return np.ndarray(array.shape, buffer.dtype, buffer, offset * scale, strides)


def unlike(base: Array, array: Array) -> UnsupportedSyntaxError:
    """The error for memory that is read as numbers of two sorts."""
    return UnsupportedSyntaxError(
        f"the memory of an array of {base.dtype} is used as {array.dtype} too",
        why="cotangents are kept by memory, and the two sorts of numbers would have different ones",
        instead="convert with `astype`, which makes a copy",
    )


def places(array: Array) -> Array:
    """A number for each element, equal for those that lie in the same place."""
    steps = zip(array.shape, array.strides, strict=True)
    found: Array = np.zeros(array.shape, np.intp)
    for axis, (size, stride) in enumerate(steps):
        index = [1] * array.ndim
        index[axis] = size
        found = found + (np.arange(size) * stride).reshape(index)
    return found


def groups(array: Array) -> Any:
    """Of each place that elements of an array lie in, the index of the first; and for every element the
    number of its place."""
    _, first, inverse = np.unique(places(array), return_index=True, return_inverse=True)
    return [np.unravel_index(position, array.shape) for position in first], inverse.reshape(array.shape)


def firsts(array: Array) -> Array:
    """Whether each element is the first in its place."""
    chosen = np.zeros(array.shape, bool)
    for index in groups(array)[0]:
        chosen[index] = True
    return chosen


def summed(value: Any, numbers: Array, count: int) -> Array:
    """The sums of the values that have the same number.

    >>> summed(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 0]), 2)
    array([5., 2.])
    """
    value = np.broadcast_to(value, numbers.shape)
    sums = np.zeros(count, value.dtype)
    np.add.at(sums, numbers.ravel(), value.ravel())
    return sums


def add_into(place: Array, value: Any) -> None:
    """Add to a window, also where its elements overlap."""
    if np.iscomplexobj(value) and place.dtype.kind != "c":
        value = np.real(value)
    if overlaps_itself(place):
        indices, numbers = groups(place)
        sums = summed(np.broadcast_to(value, place.shape), numbers, len(indices))
        for position, index in enumerate(indices):
            place[index] += sums[position]
    else:
        place += value


def taken_from(place: Array) -> Array:
    """A copy of a window, which is cleared; of elements in the same place, the first has it all."""
    value = np.array(place)
    if overlaps_itself(place):
        value = np.where(firsts(place), value, 0.0)
    place[...] = 0
    return value


VIEWS_KEPT = 64
"""Of so many arrays that lie in others the windows are kept."""


def no_array(value: Any) -> UnsupportedSyntaxError:
    """The error for what was taken for an array, and is none: its cotangent would be lost here."""
    return UnsupportedSyntaxError(
        f"a {type(value).__name__} stands where there was an array before the program ran.",
        why="the cotangents of arrays are found by their memory, which a number has none of",
        instead="convert it by 'np.asarray' or 'float', and report this to the authors of zygpy",
    )


class Memory:
    """One buffer of cotangents for each allocation that the adjoint meets."""

    __zygpy_stateful__ = ("view",)

    def __init__(self) -> None:
        self.buffers: dict[int, Any] = {}
        self.views: dict[int, Any] = {}  # of arrays in others, as they were asked for: with their windows
        self.wholes: dict[int, Any] = {}  # cotangents of objects as a whole, by the place of their fields
        self.inside: dict[int, Any] = {}  # what such objects hold, with those places

    def knows(self, array: Array) -> bool:
        """Whether anything may have come in for an array."""
        return id(owner_of(array)) in self.buffers

    def hold(self, thing: Any, place: Any) -> None:
        """Note that a thing is part of an object whose cotangent is one as a whole."""
        places = self.inside[id(thing)][1] if id(thing) in self.inside else ()
        self.inside[id(thing)] = thing, (*places, id(place))

    def forget_taken(self) -> None:
        """Forget what was part of objects whose cotangents have been taken."""
        for key, (_, places) in list(self.inside.items()):
            if not any(place in self.wholes for place in places):
                del self.inside[key]

    def check_apart(self, thing: Any) -> None:
        """Refuse to give the cotangent of what is part of such an object: it is not known how it is found."""
        if id(thing) in self.wholes:
            raise split_object(*self.wholes[id(thing)][1:])
        if id(thing) in self.inside:
            for place in self.inside[id(thing)][1]:
                if place in self.wholes:
                    raise split_object(*self.wholes[place][1:])

    def view(self, array: Array) -> Array:
        """The cotangent of an array, to be updated in place."""
        if self.wholes:
            self.check_apart(owner_of(array))
        known = self.buffers.get(id(array))
        if known is not None:  # it owns its memory
            whole: Array = known[2]
            return whole
        seen = self.views.get(id(array))
        if seen is not None and seen[1:4] == (array.shape, array.strides, array.dtype):
            kept: Array = seen[4]
            return kept
        base = owner_of(array)
        if not isinstance(base, np.ndarray):
            raise no_array(base)
        if id(base) not in self.buffers:
            self.refuse_other_views(base)
            buffer = buffer_for(base)
            self.buffers[id(base)] = (base, buffer, window(buffer, base, base))
        _, buffer, whole = self.buffers[id(base)]
        if array is base:
            return whole
        found = window(buffer, base, array)
        if len(self.views) < VIEWS_KEPT:
            self.views[id(array)] = array, array.shape, array.strides, array.dtype, found
        return found

    def refuse_other_views(self, base: Array) -> None:
        """Refuse an array that shows the memory of something else, of which another array shows it too."""
        if not _is_borrowed(base):
            return
        for other, _, _ in self.buffers.values():
            if _is_borrowed(other) and np.may_share_memory(base, other):
                raise UnsupportedSyntaxError(
                    "two arrays show the memory of one object that is no array",
                    why="cotangents are found by the array that owns the memory",
                    instead="make one array of it and take views of that",
                )

    def add(self, array: Array, value: Any) -> None:
        """Add to the cotangent of an array, which may be given by rows, None where there is nothing."""
        if isinstance(value, tuple | list):
            for row, part in enumerate(value):
                self.add(array[row, ...], part)
        elif value is not None:
            add_into(self.view(array), value)

    def take(self, array: Array, *sources: Array) -> Any:
        """The cotangent of an array that was made here; None if nothing has come in, or if the array
        lies in the storage of one of the sources."""
        base = owner_of(array)
        for source in sources:
            if owner_of(source) is base:
                return None
        return self.exchange(array)

    def exchange(self, array: Array) -> Any:
        """The cotangent of an array, whose place is cleared; None if nothing has come in."""
        base = owner_of(array)
        if self.wholes:
            self.check_apart(base)
        if id(base) not in self.buffers:
            if not isinstance(base, np.ndarray):
                raise no_array(base)
            return None
        return taken_from(self.view(array))

    def cut(self, array: Array) -> Array:
        """The same of an array that was changed, with zeros where nothing has come in."""
        place = self.view(array)
        if overlaps_itself(place):
            refuse_write_to_overlap()
        return taken_from(place)


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _lowest(array: Array) -> int:
    steps = zip(array.shape, array.strides, strict=True)
    below: int = sum([(size - 1) * stride for size, stride in steps if stride < 0 < size])
    return _address(array) + below


def _extent(array: Array) -> int:
    """The bytes between the first and behind the last element."""
    if array.size == 0:
        return 0
    steps = zip(array.shape, array.strides, strict=True)
    between: int = sum([(size - 1) * abs(stride) for size, stride in steps])
    return array.itemsize + between
