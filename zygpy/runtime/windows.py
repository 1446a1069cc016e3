"""Sums over windows that move over arrays of any rank, and what lies beyond the edges of arrays.

Three products are each other's transposes: `windowed(x, w)`, where the window stays inside of `x`,
`spread_windows(y, w)`, where it goes over all edges of `y`, and `window_products(y, x)`, which has an entry
for each place in the window. They are bilinear, without conjugates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.ndimage as nd

from zygpy.runtime.broadcast import Shape
from zygpy.runtime.indexing import float_dtype


def windowed(x: Any, w: Any) -> Any:
    """For each place where the window `w` lies inside of `x` the sum of the products.

    >>> windowed(np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 10.0])).tolist()
    [21.0, 32.0, 53.0]
    """
    if np.iscomplexobj(w):
        return windowed(x, np.real(w)) + 1j * windowed(x, np.imag(w))
    if np.iscomplexobj(x):
        return windowed(np.real(x), w) + 1j * windowed(np.imag(x), w)
    lengths = [a - b + 1 for a, b in zip(np.shape(x), np.shape(w), strict=True)]
    if min(lengths, default=1) <= 0:
        return np.zeros([max(0, length) for length in lengths], float_dtype(x))
    whole = nd.correlate(x, w, output=float_dtype(x), mode="constant")
    return np.array(whole[_inside(lengths, [b // 2 for b in np.shape(w)])])


def spread_windows(y0: Any, w: Any) -> Any:
    """The transpose of `windowed` by `x`: each element of `y0` brings the whole window along.

    >>> spread_windows(np.array([1.0, 2.0]), np.array([1.0, 10.0])).tolist()
    [1.0, 12.0, 20.0]
    """
    margins = [length - 1 for length in np.shape(w)]
    lengths = [a + 2 * margin for a, margin in zip(np.shape(y0), margins, strict=True)]
    wide = np.zeros(lengths, float_dtype(y0))
    wide[_inside(np.shape(y0), margins)] = y0
    return windowed(wide, np.flip(w))


def window_products(y0: Any, x: Any) -> Any:
    """The transpose of `windowed` by `w`: for each place in the window the sum of what meets there.

    >>> window_products(np.array([1.0, 2.0, 0.0]), np.array([1.0, 2.0, 3.0, 5.0])).tolist()
    [5.0, 8.0]
    """
    lengths = [a - b + 1 for a, b in zip(np.shape(x), np.shape(y0), strict=True)]
    result = np.zeros(lengths, np.result_type(float_dtype(y0), float_dtype(x)))
    for place in np.ndindex(*lengths):
        result[place] = np.sum(y0 * x[_inside(np.shape(y0), place)])
    return result


def _inside(lengths: Any, starts: Any) -> tuple[slice, ...]:
    """The part of an array with these lengths that starts there."""
    return tuple(slice(start, start + length) for start, length in zip(starts, lengths, strict=True))


# Beyond the edges.

OUTSIDE = ("constant", "grid-constant")
"""Modes of `scipy.ndimage` in which a constant lies beyond the edges."""


def places_beyond(length: int, before: int, after: int, mode: str) -> Any:
    """Which elements of an array stand before its first and behind its last place in a mode.

    >>> [places.tolist() for places in places_beyond(3, 2, 2, "reflect")]
    [[1, 0], [2, 1]]
    """
    places = np.concatenate([np.arange(-before, 0), np.arange(length, length + after)])
    if mode == "nearest":
        found = np.clip(places, 0, length - 1)
    elif mode in ("wrap", "grid-wrap"):
        found = places % length
    elif mode == "mirror":
        found = _turned_back(places, 2 * max(1, length - 1), 2 * max(1, length - 1)) % length
    else:
        found = _turned_back(places, 2 * length, 2 * length - 1)
    return found[:before], found[before:]


def _turned_back(places: Any, period: int, last: int) -> Any:
    """The places of a wave that goes there and back in a period."""
    there = places % period
    return np.minimum(there, last - there)


def extended(x: Any, before: int, after: int, axis: int, mode: str, cval: Any) -> Any:
    """The array with what lies beyond its edges along an axis."""
    if before + after == 0:
        return x
    if mode in OUTSIDE:
        first, last = [outside(x, count, axis) * cval for count in (before, after)]
    else:
        places = places_beyond(np.shape(x)[axis], before, after, mode)
        first, last = np.take(x, places[0], axis=axis), np.take(x, places[1], axis=axis)
    return np.concatenate([first, x, last], axis=axis)


def outside(x: Any, count: int, axis: int) -> Any:
    """Ones for places beyond the edge."""
    shape = list(np.shape(x))
    shape[axis] = count
    return np.ones(shape, np.real(np.zeros(0, float_dtype(x))).dtype)


def window_shape(length: int, axis: int, rank: int) -> Shape:
    """The shape of a window along one axis of several."""
    return tuple(length if one == axis else 1 for one in range(rank))
