"""Grey morphology of `scipy.ndimage` as programs that are differentiated; loaded with SciPy alone.

Erosions and dilations choose, of the elements in a window less or plus the heights of a structure, the least
or the largest one; of equal ones the first in the order of the window's places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.image_filters import (
    check_order,
    check_output,
    chosen_axes,
    finished,
    in_rank,
    measured,
    numbers,
    turned_origin,
    window_places,
)
from zygpy.runtime.image_ranks import BEYOND, NOWHERE, form
from zygpy.runtime.library_values import as_given
from zygpy.runtime.windows import extended

EROSION, DILATION = -1.0, 1.0
"""The sign of a structure's heights."""


def morphed(name: str, sign: float, x: Any, structure: Any, output: Any, keywords: Any) -> Any:
    """SciPy's value, which is an element of a window with a height of the structure."""
    check_output(name, output)
    check_order(name, keywords["axes"], np.ndim(x))
    given = {"structure": structure, **keywords}
    value = measured(name, (x,), {"output": output, **given})
    whole = value if output is None else measured(name, (x,), given)
    if np.size(x) == 0:
        return as_given(value, numbers(x) * 1.0)
    places = chosen_places(whole, sign, x, given)
    elements = elements_at(x, places, keywords["cval"])
    if structure is None:
        return as_given(value, elements if output is None else elements.astype(value.dtype))
    heights = sign * np.ravel(structure)[chosen_heights(whole, sign, x, given)]
    return finished(value, elements + np.where(np.equal(places, NOWHERE), 0.0, heights), x, output)


def elements_at(x: Any, places: Any, cval: Any) -> Any:
    """The elements that stand in these places, or what lies beyond the edges."""
    inside = np.greater_equal(places, 0)
    elements = np.ravel(x)[np.where(inside, places, 0)]
    return np.where(inside, elements, np.where(np.equal(places, BEYOND), cval, 0.0))


def chosen_places(value: Any, sign: float, x: Any, given: Any) -> Any:
    """Where the elements stand that were chosen, counted along the whole array."""
    return _choices(value, sign, x, given)[0]


def chosen_heights(value: Any, sign: float, x: Any, given: Any) -> Any:
    """The places in the structure of the heights that came with what was chosen."""
    return _choices(value, sign, x, given)[1]


def _choices(value: Any, sign: float, x: Any, given: Any) -> Any:
    x = np.asarray(x)
    window, heights, origins = _region(sign, x, given)
    wide, places = _with_margins(x, np.shape(window), origins, given)
    found, entries = np.full(np.shape(value), NOWHERE), np.zeros(np.shape(value), int)
    numbered = np.arange(window.size).reshape(window.shape)
    numbered = np.flip(numbered) if sign == DILATION else numbered
    nearest = np.full(np.shape(value), np.inf)
    starts = np.argwhere(window)
    for count, start in reversed(list(enumerate(starts))):
        part = tuple(slice(one, one + length) for one, length in zip(start, x.shape, strict=True))
        height = None if heights is None else raised(sign * heights[tuple(start)], x.dtype, count == 0)
        away = _distance(wide[part], height, value)
        chosen = away <= nearest
        nearest = np.where(chosen, away, nearest)
        found = np.where(chosen, places[part], found)
        entries = np.where(chosen, numbered[tuple(start)], entries)
    return found, entries


def raised(height: Any, kind: Any, first: bool) -> Any:
    """A height as SciPy adds it: of the image's type, but for the first one in the window.

    >>> raised(0.1, np.dtype(np.float32), False), raised(0.1, np.dtype(np.float32), True)
    (0.10000000149011612, 0.1)
    """
    return float(height) if first else float(np.asarray(height).astype(kind))


def _distance(elements: Any, height: Any, value: Any) -> Any:
    """How far elements, with a height, are from the value: SciPy's sums may be rounded in another way."""
    if height is None:
        return np.where(elements == value, 0.0, np.nan)
    candidate = (elements.astype(float) + height).astype(value.dtype)
    return np.where(candidate == value, 0.0, np.abs(candidate.astype(float) - value))


def _region(sign: float, x: Any, given: Any) -> Any:
    """The window, the heights in it and its origins; dilations turn them round."""
    structure, axes = given["structure"], given["axes"]
    footprint = given["footprint"]
    if structure is not None and footprint is None:
        footprint = np.ones(np.shape(structure), bool)
    window = form(x, given["size"], footprint, axes)
    heights = None if structure is None else in_rank(np.asarray(structure, float), axes, x.ndim)
    origins = window_places(given["origin"], axes, x.ndim, 0)
    if sign == EROSION:
        return window, heights, origins
    kept = chosen_axes(axes, x.ndim)
    origins = [
        turned_origin(origin, length) if axis in kept else origin
        for axis, (origin, length) in enumerate(zip(origins, window.shape, strict=True))
    ]
    return np.flip(window), None if heights is None else np.flip(heights), origins


def _with_margins(x: Any, lengths: Any, origins: Any, given: Any) -> Any:
    """The array with what lies beyond its edges, and the places of that."""
    modes = window_places(given["mode"], given["axes"], x.ndim, "nearest")
    plain = given["structure"] is None
    wide, places = (np.array(x) if plain else x * 1.0), np.arange(x.size).reshape(x.shape)
    for axis, length in enumerate(lengths):
        before = length // 2 + origins[axis]
        margins = (before, length - 1 - before, axis, modes[axis])
        wide = extended(wide, *margins, np.asarray(given["cval"]).astype(wide.dtype))
        places = extended(places, *margins, BEYOND).astype(np.intp)
    return wide, places


def given_window(size: Any, footprint: Any, mode: Any, cval: Any, origin: Any, axes: Any) -> Any:
    """The keywords of a filter but for the structure."""
    return {
        "size": size, "footprint": footprint, "mode": mode, "cval": cval, "origin": origin, "axes": axes,
    }  # fmt: skip


def grey_erosion(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_erosion`."""
    keywords = given_window(size, footprint, mode, cval, origin, axes)
    return morphed("grey_erosion", EROSION, input, structure, output, keywords)


def grey_dilation(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_dilation`."""
    keywords = given_window(size, footprint, mode, cval, origin, axes)
    return morphed("grey_dilation", DILATION, input, structure, output, keywords)


def opened(x: Any, structure: Any, output: Any, keywords: Any) -> Any:
    """An erosion and then a dilation."""
    x = morphed("grey_erosion", EROSION, x, structure, None, keywords)
    return morphed("grey_dilation", DILATION, x, structure, output, keywords)


def closed(x: Any, structure: Any, output: Any, keywords: Any) -> Any:
    """A dilation and then an erosion."""
    x = morphed("grey_dilation", DILATION, x, structure, None, keywords)
    return morphed("grey_erosion", EROSION, x, structure, output, keywords)


def grey_opening(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_opening`."""
    return opened(input, structure, output, given_window(size, footprint, mode, cval, origin, axes))


def grey_closing(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.grey_closing`."""
    return closed(input, structure, output, given_window(size, footprint, mode, cval, origin, axes))


def morphological_gradient(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.morphological_gradient`, to which a dtype as `output` means nothing."""
    check_output("morphological_gradient", output)
    keywords = given_window(size, footprint, mode, cval, origin, axes)
    dilated = morphed("grey_dilation", DILATION, input, structure, None, keywords)
    return dilated - morphed("grey_erosion", EROSION, input, structure, None, keywords)


def morphological_laplace(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.morphological_laplace`, to which a dtype as `output` means nothing."""
    check_output("morphological_laplace", output)
    x, keywords = np.asarray(input), given_window(size, footprint, mode, cval, origin, axes)
    dilated = morphed("grey_dilation", DILATION, x, structure, None, keywords)
    return dilated + morphed("grey_erosion", EROSION, x, structure, None, keywords) - x - x


def white_tophat(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.white_tophat`."""
    keywords = given_window(size, footprint, mode, cval, origin, axes)
    found = opened(input, structure, None, keywords)
    given = {"structure": structure, "output": output, **keywords}
    return above("white_tophat", input, given, np.asarray(input), found)


def black_tophat(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.black_tophat`."""
    keywords = given_window(size, footprint, mode, cval, origin, axes)
    found = closed(input, structure, None, keywords)
    given = {"structure": structure, "output": output, **keywords}
    return above("black_tophat", input, given, found, np.asarray(input))


def above(name: str, x: Any, given: Any, upper: Any, lower: Any) -> Any:
    """How far one image is above another, as numbers of the dtype that is asked for."""
    check_output(name, given["output"])
    value = measured(name, (x,), given)
    found = numbers(upper) - numbers(lower)
    return as_given(value, found if given["output"] is None else found.astype(value.dtype))
