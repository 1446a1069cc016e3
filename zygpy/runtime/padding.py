"""The program that stands for `np.pad`: what is put on both sides, axis after axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.numpys_value import as_numpy_gives, numpys
from zygpy.runtime.shaping import pad_pairs

CHOOSING = ("constant", "empty", "edge", "reflect", "symmetric", "wrap")
"""Modes that put there elements of the array, or one number."""


def padded_simply(array: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    """`np.pad` in a mode that chooses elements, or with one number."""
    if mode == "constant":
        return np.pad(array, pad_width, constant_values=constant_values)
    return np.pad(array, pad_width, mode)


def padded(
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    *,
    stat_length: Any = None,
    constant_values: Any = None,
    end_values: Any = None,
    reflect_type: Any = None,
) -> Any:
    """`np.pad` in every mode that has a name."""
    check_mode(mode)
    options = options_of(stat_length, constant_values, end_values, reflect_type)
    if mode in CHOOSING and not options:
        return padded_simply(array, pad_width, mode)
    value = numpys(np.pad, (array, pad_width, mode), options)
    rank = np.ndim(array)
    odd = reflect_type == "odd"
    if mode in CHOOSING and mode != "constant" and not odd:
        return padded_simply(array, pad_width, mode)
    if np.size(array) == 0 and mode != "constant":
        return padded_simply(array, pad_width)
    given = constant_values if mode == "constant" else end_values
    numbers = np.broadcast_to(np.asarray(0 if given is None else given), (rank, 2))
    lengths = lengths_given(stat_length, rank)
    widths = pad_pairs(pad_width, rank)
    result = np.asarray(array)
    for axis in range(rank):
        rows = np.moveaxis(result, axis, 0)
        if odd:
            low, high = reflected(rows, widths[axis], mode)
        else:
            low = side(rows, widths[axis][0], mode, numbers[axis, 0], lengths[axis][0])
            high = np.flip(
                side(np.flip(rows, 0), widths[axis][1], mode, numbers[axis, 1], lengths[axis][1]), 0
            )
        result = np.moveaxis(between(low, rows, high), 0, axis)
    return as_numpy_gives(value, result)


def check_mode(mode: Any) -> None:
    """Refuse a function that is only known when the call is made."""
    if callable(mode):
        raise UnsupportedSyntaxError(
            "'np.pad' is given a function by keyword.",
            why="what it writes is followed only where it is known before",
            instead="give it as the third argument",
        )


def between(low: Any, rows: Any, high: Any) -> Any:
    """Rows with others before and behind them, as numbers of their own dtype."""
    return np.concatenate([low, rows, high], dtype=np.asarray(rows).dtype, casting="unsafe")


def options_of(stat_length: Any, constant_values: Any, end_values: Any, reflect_type: Any) -> dict[str, Any]:
    """The keywords of a call, without those that are not given."""
    options = {
        "stat_length": stat_length,
        "constant_values": constant_values,
        "end_values": end_values,
        "reflect_type": reflect_type,
    }
    return {name: value for name, value in options.items() if value is not None}


def lengths_given(stat_length: Any, rank: int) -> list[Any]:
    """The numbers of rows that statistics are computed of, for each side of each axis."""
    if stat_length is None:
        return [(None, None)] * rank
    return [(int(low), int(high)) for low, high in np.broadcast_to(stat_length, (rank, 2))]


def side(rows: Any, width: Any, mode: Any, number: Any, length: Any) -> Any:
    """What is put before the first row: so many rows, from the outermost to the innermost."""
    whole = (width, *np.shape(rows)[1:])
    if mode == "constant":
        return np.broadcast_to(number, whole)
    if mode == "linear_ramp":
        return np.linspace(number, rows[0], width, endpoint=False)
    few = rows if length is None else rows[:length]
    if mode == "mean":
        return np.broadcast_to(np.mean(few, axis=0), whole)
    if mode == "maximum":
        return np.broadcast_to(np.max(few, axis=0), whole)
    if mode == "minimum":
        return np.broadcast_to(np.min(few, axis=0), whole)
    return np.broadcast_to(np.median(few, axis=0), whole)


def reflected(rows: Any, widths: Any, mode: Any) -> Any:
    """Rows reflected at the first and the last one with the sign turned round, which may go to and fro."""
    low, high = widths
    count = len(rows)
    if count == 1:
        shape = np.shape(rows)[1:]
        return np.broadcast_to(rows, (low, *shape)), np.broadcast_to(rows, (high, *shape))
    first = 1 if mode == "reflect" else 0
    if max(low, high) + first <= count:
        below = 2 * rows[0] - np.flip(rows[first : low + first], 0)
        above = 2 * rows[-1] - np.flip(rows[count - high - first : count - first], 0)
        return below, above
    weights = reflections(count, widths, mode)
    return np.tensordot(weights[:low], rows, 1), np.tensordot(weights[low + count :], rows, 1)


def reflections(count: int, widths: tuple[int, int], mode: Any) -> Any:
    """The weights of so many rows in themselves and in what is put on both sides."""
    return np.pad(np.eye(count), (widths, (0, 0)), mode, reflect_type="odd")


def padded_by_function(array: Any, pad_width: Any, function: Any, **options: Any) -> Any:
    """`np.pad` with a function that writes into the rows that it is given."""
    result = np.pad(array, pad_width)
    widths = pad_pairs(pad_width, np.ndim(array))
    for axis in range(np.ndim(result)):
        rows = np.moveaxis(result, axis, -1)
        for place in np.ndindex(np.shape(rows)[:-1]):
            function(rows[place], widths[axis], axis, options)
    return result
