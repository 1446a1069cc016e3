"""Functions of NumPy that write into arrays, on arrays whose cotangents are found by memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from zygpy.identity import calls
from zygpy.ir.kinds import is_number
from zygpy.runtime.accumulate import dtype_of, snapshot
from zygpy.runtime.array_writes import add_to_items, stored_part, subtract_from_items
from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.indexing import dtype_kept
from zygpy.runtime.nesting import nesting, unnest
from zygpy.runtime.store import described
from zygpy.runtime.ways import Way
from zygpy.runtime.writing_programs import writing_program


def added_at(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call that adds to items of an array, one after the other; None for any other."""
    if function is not add_to_items and function is not subtract_from_items:
        return None
    _, array, indices, added = args
    if type(array) is not np.ndarray or not is_number(array) or not _is_made_of_numbers(added):
        return None
    index = snapshot(indices)
    back = AddedAt(array, index, added, 1.0 if function is add_to_items else -1.0)
    return function(*args), back


def by_program(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of a function that writes into its first argument, by a name that was not known; else None."""
    program = writing_program(function)
    return None if program is None else calls.call(way, program, *args, **kwargs)


def _is_made_of_numbers(value: Any) -> bool:
    """Whether a value is a number, an array, or a list or tuple of such things."""
    if type(value) in (list, tuple):
        return all(map(_is_made_of_numbers, value))
    return is_number(value)


class AddedAt:
    """The pullback of such a call: the array's cotangent stays, and what was added has a part of it."""

    def __init__(self, array: Any, index: Any, added: Any, sign: float) -> None:
        self.array, self.index, self.sign = array, index, sign
        self.dtype = dtype_kept(array.dtype, dtype_of(added))
        self.shape, self.nesting, self.what = np.shape(added), nesting(added), described(added)
        self.real = not np.iscomplexobj(added)

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = self.sign * stored_part(store.memory.view(self.array), self.index, self.dtype)
        whole = unbroadcast(np.real(bar) if self.real else bar, self.shape)
        return (None, None, None, None, store.give(self.what, unnest(whole, self.nesting)))
