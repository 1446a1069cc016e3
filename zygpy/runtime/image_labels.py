"""Measurements of `scipy.ndimage` by labels as programs that are differentiated; loaded with SciPy alone.

What is measured is every region of elements that have one label. Of equal elements the first counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.image_filters import measured, numbers
from zygpy.runtime.library_values import as_given

ALL = 0
"""What is asked for where elements are in one region or in none."""


def common_shape(x: Any, labels: Any) -> Any:
    """The shape of elements and labels together."""
    return np.broadcast_shapes(np.shape(x), () if labels is None else np.shape(labels))


def elements(x: Any, labels: Any) -> Any:
    """The elements that are measured, in one row."""
    return np.ravel(np.broadcast_to(numbers(x), common_shape(x, labels)))


def regions_of(x: Any, labels: Any, index: Any) -> Any:
    """The region that every element is in, how many regions there are, and those that are asked for.

    One region more holds what is in none of them; a label that is not there asks for an empty one.
    """
    shape = common_shape(x, labels)
    if labels is None:
        return np.zeros(int(np.prod(shape)), int), 1, ALL
    labels = np.ravel(np.broadcast_to(np.asarray(labels), shape))
    if index is None or np.isscalar(index):
        inside = labels > 0 if index is None else labels == index
        return np.where(inside, 0, 1), 1, ALL
    known, regions = np.unique(labels, return_inverse=True)
    asked = np.minimum(np.searchsorted(known, index), max(known.size - 1, 0))
    there = known[asked] == index if known.size else np.zeros(np.shape(index), bool)
    return np.reshape(regions, -1), known.size, np.where(there, asked, known.size)


def is_one(index: Any, labels: Any) -> bool:
    """Whether one region is asked for."""
    return labels is None or index is None or bool(np.isscalar(index))


def sums(x: Any, labels: Any, index: Any) -> Any:
    """The sum over every region that is asked for."""
    regions, count, asked = regions_of(x, labels, index)
    row = elements(x, labels)
    if is_one(index, labels):
        return np.sum(np.where(regions == 0, row, 0.0))
    return np.bincount(regions, row, count + 1)[asked]


def counts(x: Any, labels: Any, index: Any) -> Any:
    """How many elements there are in every region that is asked for, at least one."""
    regions, count, asked = regions_of(x, labels, index)
    return np.maximum(np.bincount(regions, minlength=count + 1)[asked], 1)


def sum_labels(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.sum_labels`."""
    return as_given(measured("sum_labels", (input, labels, index), {}), sums(input, labels, index))


def sum(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.sum`."""
    return sum_labels(input, labels, index)


def mean(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.mean`."""
    value = measured("mean", (input, labels, index), {})
    return as_given(value, sums(input, labels, index) / counts(input, labels, index))


def variances(x: Any, labels: Any, index: Any) -> Any:
    """The mean square of deviations from the mean in every region that is asked for."""
    row = elements(x, labels)
    regions, count, asked = regions_of(x, labels, index)
    if is_one(index, labels):
        centred = row - sums(x, labels, index) / counts(x, labels, index)
        squares = np.sum(np.where(regions == 0, centred * np.conj(centred), 0.0))
        return squares / counts(x, labels, index)
    sizes = np.maximum(np.bincount(regions, minlength=count + 1), 1)
    centred = row - (np.bincount(regions, row, count + 1) / sizes)[regions]
    return (np.bincount(regions, centred * centred, count + 1) / sizes)[asked]


def variance(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.variance`."""
    return as_given(measured("variance", (input, labels, index), {}), variances(input, labels, index))


def standard_deviation(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.standard_deviation`, with the derivative 0 where it is 0."""
    value = measured("standard_deviation", (input, labels, index), {})
    square = variances(input, labels, index)
    there = np.not_equal(square, 0)
    return as_given(value, np.where(there, np.sqrt(np.where(there, square, 1.0)), 0.0))


# Elements that are chosen.


def extreme_places(x: Any, labels: Any, index: Any, largest: bool) -> Any:
    """Where the least or largest element of every region stands; -1 where there is none."""
    regions, count, asked = regions_of(x, labels, index)
    row = elements(x, labels)
    order = np.argsort(-row if largest else row, kind="stable")[::-1]
    found = np.full(count + 1, -1)
    found[regions[order]] = order  # the first in order is written last
    found[count:] = -1
    return found[asked]


def middle_places(x: Any, labels: Any, index: Any) -> Any:
    """Where the two elements in the middle of every region stand, which are one if their number is odd.

    For an empty region these are the least element of the first one, as SciPy has it.
    """
    regions, count, asked = regions_of(x, labels, index)
    order = np.lexsort((elements(x, labels), regions))
    sizes = np.bincount(regions, minlength=count + 1)
    starts = np.cumsum(sizes) - sizes
    lower, upper = starts + np.maximum(sizes - 1, 0) // 2, starts + sizes // 2
    empty = (sizes == 0) | (np.arange(count + 1) == count)
    both = np.where(empty, 0, np.stack([lower, upper]))[:, asked]
    return order[both]


def at(x: Any, labels: Any, places: Any) -> Any:
    """The elements that stand in these places, 0 for none."""
    return np.where(np.less(places, 0), 0.0, elements(x, labels)[places])


def minimum(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.minimum`."""
    value = measured("minimum", (input, labels, index), {})
    return as_given(value, at(input, labels, extreme_places(input, labels, index, False)))


def maximum(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.maximum`."""
    value = measured("maximum", (input, labels, index), {})
    return as_given(value, at(input, labels, extreme_places(input, labels, index, True)))


def median(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.median`."""
    value = measured("median", (input, labels, index), {})
    both = at(input, labels, middle_places(input, labels, index))
    return as_given(value, (both[0] + both[1]) / 2.0)


def extrema(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.extrema`."""
    value = measured("extrema", (input, labels, index), {})
    least = at(input, labels, extreme_places(input, labels, index, False))
    largest = at(input, labels, extreme_places(input, labels, index, True))
    return as_given(value[0], least), as_given(value[1], largest), value[2], value[3]


def center_of_mass(input: Any, labels: Any = None, index: Any = None) -> Any:
    """`scipy.ndimage.center_of_mass`."""
    value = measured("center_of_mass", (input, labels, index), {})
    x = numbers(input)
    whole = sums(x, labels, index)
    found = np.stack([sums(x * line, labels, index) for line in lines_over(np.shape(x))]) / whole
    if is_one(index, labels):
        return tuple(as_given(np.array(value), found))
    rows = found.T
    return [
        tuple([as_given(one, own) for one, own in zip(centre, row, strict=True)])
        for centre, row in zip(value, rows, strict=True)
    ]


def lines_over(shape: Any) -> Any:
    """For every axis the places along it, in an array that goes with those of this shape."""
    return [*np.ogrid[tuple(map(slice, shape))]]


# Functions of a program's own.


def stretches(x: Any, labels: Any, index: Any) -> Any:
    """The places in `index` of labels that are there, and where their elements stand; in SciPy's order."""
    labels = np.ravel(np.broadcast_to(np.asarray(labels), common_shape(x, labels)))
    asked = np.atleast_1d(index)
    if np.any(asked.astype(labels.dtype).astype(asked.dtype) != asked):
        raise ValueError(
            f"Cannot convert index values from <{asked.dtype}> to <{labels.dtype}> (labels' type) "
            "without loss of precision"
        )
    asked = asked.astype(labels.dtype)
    kept = np.flatnonzero((labels >= asked.min()) & (labels <= asked.max()))
    order = kept[labels[kept].argsort()]
    ordered = labels[order]
    found = []
    for place in asked.argsort():
        first, last = np.searchsorted(ordered, asked[place]), np.searchsorted(ordered, asked[place], "right")
        if first < last:
            found.append((int(place), order[first:last]))
    return found


def labeled_comprehension(
    input: Any, labels: Any, index: Any, func: Any, out_dtype: Any, default: Any, pass_positions: Any = False
) -> Any:
    """`scipy.ndimage.labeled_comprehension`."""
    if labels is None and index is not None:
        raise ValueError("index without defined labels")
    row = np.ravel(np.broadcast_to(np.asarray(input), common_shape(input, labels)))
    if labels is None or index is None:
        places = np.flatnonzero(regions_of(input, labels, index)[0] == 0)
        return func(row[places], places) if pass_positions else func(row[places])
    results = [default for _ in np.atleast_1d(index)]
    for place, places in stretches(input, labels, index):
        results[place] = func(row[places], places) if pass_positions else func(row[places])
    found = np.array(results, dtype=out_dtype)
    return found[0] if np.isscalar(index) else found
