"""Cotangents of Python functions that take sequences: `sum`, `max`, `math.prod`, `math.hypot`, ...

A list or tuple of contributions mirrors the sequence; its entries may be None.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from zygpy.errors import ZygpyError
from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.derivatives import times
from zygpy.runtime.numbers import zero


def _like(items: Any, values: Sequence[Any]) -> Any:
    """Values in a container of the kind of `items`: array, list or tuple."""
    if isinstance(items, np.ndarray):
        return np.array([0.0 if value is None else value for value in values])
    return list(values) if isinstance(items, list) else tuple(values)


def each_added(g: Any, items: Any) -> Any:
    """Each item's cotangent where `g` is that of their sum.

    >>> each_added(2.0, [1.0, 3.0])
    [2.0, 2.0]
    """
    if isinstance(items, np.ndarray):
        return np.broadcast_to(unbroadcast(g, items.shape[1:]), items.shape)
    return _like(items, [unbroadcast(g, np.shape(item)) for item in items])


def total(parts: Any) -> Any:
    """The sum of a sequence of cotangents, None counting as zero.

    >>> total([1.0, None, 2.0]), total(None)
    (3.0, 0.0)
    """
    present = [entry for entry in parts if entry is not None] if parts is not None else []
    return functools.reduce(operator.add, present) if present else 0.0


def each_times(factor: Any, items: Any) -> Any:
    """Every item times a factor; a zero on either side gives zero, None stays.

    >>> each_times(2.0, (1.0, None))
    (2.0, None)
    """
    return _like(items, [None if item is None else times(factor, item) for item in items])


def mirrored(values: Any, items: Any) -> Any:
    """The values in a container of the kind of `items`."""
    return _like(items, list(values))


def pairwise(a: Any, b: Any) -> Any:
    """The products of corresponding items; None counts as zero and gives None.

    >>> pairwise([1.0, None], [3.0, 4.0])
    [3.0, None]
    """
    pairs = zip(a, b, strict=True)
    return _like(a, [None if x is None or y is None else times(x, y) for x, y in pairs])


def sum_of_products(a: Any, b: Any) -> Any:
    """The sum of the products of corresponding items, None counting as zero.

    >>> sum_of_products([1.0, None], [3.0, 4.0])
    3.0
    """
    return total(list(pairwise(a, b)))


def differences(p: Any, q: Any) -> Any:
    """The items of `p` less those of `q`.

    >>> differences([3, 2], (1, 1))
    [2, 1]
    """
    return _like(p, [a - b for a, b in zip(p, q, strict=True)])


def flipped(items: Any) -> list[Any]:
    """The items in reverse, as a list."""
    return [items[index] for index in range(len(items) - 1, -1, -1)]


def seeded(value: Any, count: int) -> list[Any]:
    """A list of `value` and `count` zeros (None)."""
    return [value] + [None] * count


def scan(inputs: Any, factors: Any) -> list[Any]:
    """The recurrence `s[0] = inputs[0]`, `s[i] = inputs[i] + factors[i - 1] * s[i - 1]`.

    >>> scan([1, None, None], [2, 3])  # running products
    [1, 2, 6]
    """
    state = zero(0) if inputs[0] is None else inputs[0]
    states = [state]
    for entry, factor in zip(inputs[1:], factors, strict=True):
        state = state * factor if entry is None else entry + state * factor
        states.append(state)
    return states


def extreme_cotangent(g: Any, chosen: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cotangents of the arguments of `max` or `min` that returned `chosen`: the first such gets `g`.

    >>> extreme_cotangent(1.0, 3.0, (2.0, 3.0, 3.0)), extreme_cotangent(1.0, 2, ([1, 2],))
    ((0.0, 1.0, 0.0), ([0.0, 1.0],))
    """
    if len(args) > 1:
        return _one_of(g, _position(args, chosen), args)
    items = args[0]
    if isinstance(items, np.ndarray):
        bar = np.zeros(items.shape, np.result_type(g))
        bar[_position(items, chosen)] = g
        return (bar,)
    if not isinstance(items, list | tuple):
        raise ZygpyError(
            f"no gradient through max or min of a {type(items).__name__}.",
            why="What was chosen from can no longer be read.",
            instead="Make it a list first: 'max(list(xs))'.",
        )
    return (_like(items, _one_of(g, _position(items, chosen), items)),)


def _one_of(g: Any, index: int, items: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(g if i == index else _nothing(item) for i, item in enumerate(items))


def _nothing(item: Any) -> Any:
    """Zero for a number, no cotangent for anything else."""
    return zero(item) if isinstance(item, int | float | np.generic) or hasattr(item, "numerator") else None


def _position(items: Any, chosen: Any) -> int:
    """Where `max` or `min` found what it returned: the first item that is it, or equals it."""
    for index, item in enumerate(items):
        if item is chosen:
            return index
    for index, item in enumerate(items):
        if item == chosen or (item != item and chosen != chosen):
            return index
    raise ValueError("the items have changed since the extreme one was chosen")


def extreme_entry(bars: Any, chosen: Any, args: tuple[Any, ...]) -> Any:
    """The entry of `bars`, a cotangent shaped like `args`, at the place of the chosen one.

    >>> extreme_entry((5.0, 7.0), 3.0, (2.0, 3.0))
    7.0
    """
    if len(args) == 1:
        bars, args = bars[0], args[0]
    entry = None if bars is None else bars[_position(args, chosen)]
    return 0.0 if entry is None else entry
