"""Filters of `scipy.ndimage` that choose an element of each window; loaded with SciPy alone.

Each takes the first element of the window, in the order of the window's places, that is equal to the value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.image_filters import (
    check_order,
    check_output,
    chosen_axes,
    for_each,
    in_rank,
    measured,
    window_places,
)
from zygpy.runtime.library_values import as_given
from zygpy.runtime.windows import extended, window_shape

BEYOND, NOWHERE = -1, -2
"""The places of a constant beyond the edges, and of what is not a number."""


def selected(name: str, args: Any, output: Any, keywords: Any, window: Any) -> Any:
    """SciPy's value, which is an element of the first argument in a window of this form."""
    check_output(name, output)
    check_order(name, keywords.get("axes"), np.ndim(args[0]))
    x, cval = np.asarray(args[0]), keywords["cval"]
    value = measured(name, args, {"output": output, **keywords})
    places = first_places(measured(name, args, keywords), x, window, keywords)
    inside = np.greater_equal(places, 0)
    if np.size(x) == 0:
        return as_given(value, x * 1.0)
    found = np.where(inside, np.ravel(x)[np.where(inside, places, 0)], np.where(places == BEYOND, cval, 0.0))
    return as_given(value, found if output is None else found.astype(value.dtype))


def first_places(value: Any, x: Any, window: Any, keywords: Any) -> Any:
    """Where the elements stand that were chosen, counted along the whole array."""
    rank, axes = np.ndim(x), keywords.get("axes")
    if "axis" in keywords:
        axes = keywords["axis"]
    modes = window_places(keywords["mode"], axes, rank, "nearest")
    origins = window_places(keywords["origin"], axes, rank, 0)
    numbers = np.arange(np.size(x)).reshape(np.shape(x))
    wide, places = np.array(x), numbers
    for axis in range(rank if np.size(x) else 0):
        length = np.shape(window)[axis]
        before = length // 2 + origins[axis]
        margins = (before, length - 1 - before, axis, modes[axis])
        wide = extended(wide, *margins, np.asarray(keywords["cval"]).astype(x.dtype))
        places = extended(places, *margins, BEYOND).astype(np.intp)
    found = np.full(np.shape(value), NOWHERE)
    for start in np.argwhere(window)[::-1] if np.size(x) else ():
        part = tuple(slice(one, one + length) for one, length in zip(start, np.shape(x), strict=True))
        found = np.where(wide[part] == value, places[part], found)
    return found


def form(x: Any, size: Any, footprint: Any, axes: Any) -> Any:
    """The window as truth values of the array's rank."""
    rank = np.ndim(x)
    if footprint is None:
        kept = chosen_axes(axes, rank)
        sizes = [1 if one is None else max(1, int(one)) for one in for_each(size, len(kept))]
        footprint = np.ones(sizes, bool)
    return in_rank(np.asarray(footprint, bool), axes, rank)


def line(x: Any, size: Any, axis: Any) -> Any:
    """A window along one axis."""
    return np.ones(window_shape(max(1, int(size)), axis % max(1, np.ndim(x)), np.ndim(x)), bool)


def given(size: Any, footprint: Any, mode: Any, cval: Any, origin: Any, axes: Any) -> Any:
    """The keywords of a filter."""
    return {
        "size": size, "footprint": footprint, "mode": mode, "cval": cval, "origin": origin, "axes": axes,
    }  # fmt: skip


def maximum_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.maximum_filter`."""
    keywords = given(size, footprint, mode, cval, origin, axes)
    return selected("maximum_filter", (input,), output, keywords, form(input, size, footprint, axes))


def minimum_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.minimum_filter`."""
    keywords = given(size, footprint, mode, cval, origin, axes)
    return selected("minimum_filter", (input,), output, keywords, form(input, size, footprint, axes))


def median_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.median_filter`."""
    keywords = given(size, footprint, mode, cval, origin, axes)
    return selected("median_filter", (input,), output, keywords, form(input, size, footprint, axes))


def rank_filter(
    input: Any, rank: Any, size: Any = None, footprint: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.rank_filter`."""
    keywords = given(size, footprint, mode, cval, origin, axes)
    return selected("rank_filter", (input, rank), output, keywords, form(input, size, footprint, axes))


def percentile_filter(
    input: Any, percentile: Any, size: Any = None, footprint: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.percentile_filter`."""
    keywords = given(size, footprint, mode, cval, origin, axes)
    window = form(input, size, footprint, axes)
    return selected("percentile_filter", (input, percentile), output, keywords, window)


def maximum_filter1d(
    input: Any, size: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.maximum_filter1d`."""
    keywords = {"axis": axis, "mode": mode, "cval": cval, "origin": origin}
    return selected("maximum_filter1d", (input, size), output, keywords, line(input, size, axis))


def minimum_filter1d(
    input: Any, size: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.minimum_filter1d`."""
    keywords = {"axis": axis, "mode": mode, "cval": cval, "origin": origin}
    return selected("minimum_filter1d", (input, size), output, keywords, line(input, size, axis))
