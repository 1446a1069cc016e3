"""What the rules of functions need whose results are elements of their arguments.

A selection is known by its *places*: for each element of the result its position in the flat argument, or -1
where it has come from elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Axes, Shape
from zygpy.runtime.indexing import float_dtype
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.numbers import placed
from zygpy.runtime.reductions import merge_axes, sorted_positions, stable_order, unmerge_axes

Array = np.ndarray[Any, Any]


def numbered(shape: Shape) -> Array:
    """The places of an array of this shape, in that shape.

    >>> numbered((2, 3)).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    return np.arange(int(np.prod(shape)), dtype=np.intp).reshape(shape)


def nowhere(shape: Shape) -> Array:
    """The places of what has come from elsewhere."""
    return np.full(shape, -1, np.intp)


def elements_at(value: Any, places: Any) -> Any:
    """The elements at the places, zero for those from elsewhere.

    >>> elements_at(np.array([5.0, 6.0]), np.array([1, -1, 0])).tolist()
    [6.0, 0.0, 5.0]
    """
    return np.append(np.ravel(value), np.zeros(1, float_dtype(value)))[places]


def elements_transpose(value: Any, shape: Shape, places: Any, apart: bool = False) -> Any:
    """The transpose of `elements_at` on an array of this shape; `apart` says that no place is there twice.

    >>> elements_transpose(np.array([1.0, 2.0, 4.0]), (2,), np.array([1, -1, 1])).tolist()
    [0.0, 5.0]
    """
    result = np.zeros(int(np.prod(shape)) + 1, float_dtype(value))
    values = np.ravel(np.broadcast_to(value, np.shape(places)))
    if apart:
        result[np.ravel(places)] = values
    else:
        np.add.at(result, np.ravel(places), values)
    return np.reshape(result[:-1], shape)[()]


def values_of(result: Any) -> Any:
    """What `np.unique` and its like give, or its cotangent, without what they give besides."""
    values = result[0] if isinstance(result, tuple | list) else result
    return 0.0 if values is None else values


def beside_others(values: Any, result: Any) -> Any:
    """The tangent of what `np.unique` and its like give: that of the distinct elements, and zeros for what
    they give besides.

    >>> beside_others(np.ones(1), (np.array([3.0]), np.array([2])))
    (array([1.]), array([0.]))
    """
    if not isinstance(result, tuple):
        return values
    parts = [values, *[np.zeros(np.shape(part)) for part in result[1:]]]
    return like_tuple(type(result), parts)


def with_values(value: Any, structure: Any) -> Any:
    """The transpose of `values_of`, for a result that is a tuple where there is a structure of one."""
    return value if structure is None else placed(value, 0, len(structure[1]))


def found_places(values: Any, array: Any) -> Array:
    """The place of the first element of an array that is equal to a value, for each of the values.

    >>> found_places(np.array([3.0, 1.0, 2.0]), np.array([[1.0, 3.0], [3.0, 1.0]])).tolist()
    [1, 0, -1]
    """
    flat = np.ravel(array)
    if not flat.size:
        return nowhere(np.shape(values))
    order = stable_order(flat)
    found = order[np.minimum(np.searchsorted(flat, values, sorter=order), flat.size - 1)]
    chosen = flat[found]
    same = (chosen == values) | ((chosen != chosen) & (values != values))
    return np.where(same, found, -1)


def first_places(ar: Any, values: Any = None, axis: int | None = None) -> Array:
    """The places of what `np.unique` gives: the first ones of elements, or of parts along an axis, that are
    equal. `values`: the elements that it gives, where they are in no order."""
    if axis is None:
        return found_places(values, ar)
    first = np.unique(ar, return_index=True, axis=axis)[1]
    return np.take(numbered(np.shape(ar)), first, axis)


def places_found_only(values: Any, array: Any, before: Any) -> Array:
    """The places in an array of those values that are not in the one before."""
    return np.where(found_places(values, before) < 0, found_places(values, array), -1)


def places_of_order(a: Any, y: Any, axis: int | None = -1) -> Array:
    """The places of what holds the elements of `a` in another order along an axis."""
    if axis is None:
        return places_of_order(np.ravel(a), y)
    places = np.empty(np.shape(y), np.intp)
    sources = np.take_along_axis(numbered(np.shape(a)), stable_order(np.asarray(a), axis), axis)
    np.put_along_axis(places, stable_order(np.asarray(y), axis), sources, axis)
    return places


def trimmed_places(filt: Any, trim: str = "fb", axis: Any = None) -> Array:
    """The places of what `np.trim_zeros` leaves."""
    return numbered(np.shape(filt))[trimmed_window(filt, trim, axis)]


def trimmed_window(filt: Any, trim: str = "fb", axis: Any = None) -> tuple[slice, ...]:
    """The slices that `np.trim_zeros` leaves.

    >>> trimmed_window([0.0, 0.5, 0.0, 2.0, 0.0])
    (slice(1, 4, None),)
    """
    array = np.asarray(filt)
    found = np.argwhere(array)
    axes = range(array.ndim) if axis is None else np.atleast_1d(axis) % array.ndim
    window = [slice(None)] * array.ndim
    for one in axes:
        start = found[:, one].min(initial=array.shape[one]) if "f" in trim.lower() else 0
        stop = found[:, one].max(initial=-1) + 1 if "b" in trim.lower() else array.shape[one]
        window[one] = slice(int(start), int(stop))
    return tuple(window)


# ------------------------------------------------------------------------------------ order statistics


def ranks(a: Any, axis: Axes = None) -> Array:
    """Numbers 0.0, 1.0, ... in the places of the elements along the axes: the ranks of these in some order,
    which quantiles do not depend on.

    NaN is kept, unless there is nothing else, where NumPy would warn.
    """
    array = np.asarray(a)
    merged = merge_axes(array, axis)
    result = np.empty(merged.shape, _counting_dtype(array.dtype, merged.shape[-1]))
    missing = np.isnan(merged)
    if np.any(missing):
        result[...] = np.where(missing, np.nan, np.cumsum(~missing, axis=-1) - 1)
        result[np.all(missing, axis=-1)] = 0
    else:
        result[...] = np.arange(merged.shape[-1])
    unmerged: Array = unmerge_axes(result, array.shape, axis)
    return unmerged


def _counting_dtype(dtype: np.dtype[Any], count: int) -> Any:
    """The dtype of numbers up to a count: that of the elements, so that NumPy rounds alike, where it can."""
    exact = dtype.kind == "f" and count < 1 / np.finfo(dtype).eps
    return dtype if exact else np.float64


Choice = tuple[Array, Array]
"""Two places for each element of a result, on a last axis, and how much each of the two counts."""


def choice_of_ranks(a: Any, ranking: Any, axis: Axes = None) -> Choice:
    """The elements between which stand those of these ranks, and their shares in what is interpolated.

    `ranking` has the shape of the result of a reduction along the axes, or more axes before these.

    >>> places, shares = choice_of_ranks(np.array([3.0, 1.0, 2.0]), 0.25)
    >>> places.tolist(), shares.tolist()
    ([1, 2], [0.75, 0.25])
    """
    above = np.asarray(ranking - np.floor(ranking))
    return _neighbours(a, ranking, axis), np.nan_to_num(np.stack([1 - above, above], -1))


def shares_only(value: Any) -> Any:
    """The cotangent of a choice by its shares: places have none."""
    return None, value


def weight_moved(value: Any) -> Any:
    """The cotangent of a ranking for that of a choice: as a rank grows, shares move to the place above."""
    shares = value[1]
    return shares[..., 1] - shares[..., 0]


def choice_of_gaps(a: Any, ranking: Any, axis: Axes = None) -> Choice:
    """The same elements, for the difference between the two."""
    places = _neighbours(a, ranking, axis)
    return places, np.broadcast_to(np.array([-1, 1], float_dtype(ranking)), places.shape)


def _neighbours(a: Any, ranking: Any, axis: Axes) -> Array:
    array = np.asarray(a)
    if array.size == 0:
        return np.full((*np.shape(ranking), 2), -1, np.intp)
    merged = merge_axes(array, axis)
    rank = np.reshape(ranking, (-1, *merged.shape[:-1]))
    below = np.floor(np.nan_to_num(rank)).astype(np.intp)
    pair = np.stack([below, np.minimum(below + 1, merged.shape[-1] - 1)], -1)
    missing = np.isnan(merged)
    numbers = merge_axes(numbered(array.shape), axis)
    wanted = np.unique(pair)
    if len(wanted) <= FEW_RANKS and not np.any(missing):
        found = {one: sorted_positions(merged, one, -1)[..., None] for one in wanted.tolist()}
        chosen = {one: np.take_along_axis(numbers, place, -1)[..., 0] for one, place in found.items()}
        places = np.empty(pair.shape, np.intp)
        for one, place in chosen.items():
            places[...] = np.where(pair == one, place[..., None], places)
        return places.reshape(*np.shape(ranking), 2)
    ordered = np.take_along_axis(np.where(missing, -1, numbers), stable_order(merged), -1)
    places = np.take_along_axis(np.broadcast_to(ordered, (len(rank), *ordered.shape)), pair, -1)
    places[np.isnan(rank)] = -1
    return places.reshape(*np.shape(ranking), 2)


FEW_RANKS = 4
"""Up to how many elements are picked out one by one, without sorting all."""


def interpolated(value: Any, choice: Choice) -> Any:
    """The sums of the chosen elements with their shares."""
    places, shares = choice
    return np.sum(elements_at(value, places) * shares, axis=-1)


def interpolated_transpose(value: Any, choice: Choice, shape: Shape) -> Any:
    """The transpose of `interpolated` on an array of this shape."""
    places, shares = choice
    return elements_transpose(np.expand_dims(value, -1) * shares, shape, places)


def trailing_sums(value: Any, rank: int) -> Any:
    """The sums over the axes behind the first ones, so many as `rank`."""
    return np.sum(value, axis=tuple(range(rank, np.ndim(value))))


def trailing_spread(value: Any, shape: Shape) -> Any:
    """The transpose of `trailing_sums` on an array of this shape."""
    return np.broadcast_to(np.reshape(value, np.shape(value) + (1,) * (len(shape) - np.ndim(value))), shape)


PLOTTING: dict[str, tuple[float, float]] = {
    "linear": (1, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
    "interpolated_inverted_cdf": (0, 1),
}
"""The two constants of each method of `np.quantile` that interpolates; the other methods are steps."""


def quantile_slopes(a: Any, q: Any, ranking: Any, axis: Axes, keepdims: bool, method: str) -> Any:
    """The derivatives of the ranks of quantiles by `q`: none at the ends, where NumPy clips them."""
    precision = float_dtype(ranking)
    if method not in PLOTTING:
        return np.zeros(np.shape(ranking), precision)[()]
    alpha, beta = PLOTTING[method]
    numbers = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims)
    ratios = np.reshape(q, np.shape(q) + (1,) * np.ndim(numbers))
    slope = numbers + 1 - alpha - beta
    raw = ratios * slope + alpha - 1
    inside = (raw >= 0) & (raw <= numbers - 1) & ~np.isnan(ranking)
    return np.where(inside, slope, 0).astype(precision)[()]
