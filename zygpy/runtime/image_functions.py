"""Filters of `scipy.ndimage` by a function of a program's own, which is called once more for the derivative.

The value is SciPy's own. The function gets what SciPy gives it, and may not change anything else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.image_filters import (
    check_order,
    check_output,
    chosen_axes,
    finished,
    for_each,
    measured,
    numbers,
    window_places,
)
from zygpy.runtime.image_ranks import form
from zygpy.runtime.windows import extended

BEYOND = -1
"""The place of a constant beyond the edges."""

# Windows and lines.


def generic_filter(
    input: Any, function: Any, size: Any = None, footprint: Any = None, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, extra_arguments: Any = ...,
    extra_keywords: Any = None, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.generic_filter`."""
    check_output("generic_filter", output)
    check_order("generic_filter", axes, np.ndim(input))
    check_function("generic_filter", function)
    arguments = () if extra_arguments is ... else extra_arguments
    keywords = {} if extra_keywords is None else extra_keywords
    given = {
        "size": size, "footprint": footprint, "output": output, "mode": mode, "cval": cval, "origin": origin,
        "extra_arguments": arguments, "extra_keywords": keywords, "axes": axes,
    }  # fmt: skip
    value = measured("generic_filter", (input, function), given)
    x, window = np.ravel(numbers(input)).astype(np.float64), form(input, size, footprint, axes)
    places = places_in_windows(np.shape(input), window, mode, origin, axes)
    rows = np.where(places == BEYOND, cval, x[np.maximum(places, 0)]) if np.size(x) else places * 1.0
    found = [function(row, *arguments, **keywords) for row in rows]
    return checked("generic_filter", value, np.reshape(np.asarray(found), np.shape(input)))


def places_in_windows(shape: Any, window: Any, mode: Any, origin: Any, axes: Any) -> Any:
    """For each element of an array the places of those in its window, counted along the array."""
    rank = len(shape)
    modes = window_places(mode, axes, rank, "nearest")
    origins = window_places(origin, axes, rank, 0)
    places = np.arange(int(np.prod(shape))).reshape(shape)
    for axis in range(rank if np.size(places) else 0):
        length = np.shape(window)[axis]
        before = length // 2 + origins[axis]
        places = extended(places, before, length - 1 - before, axis, modes[axis], BEYOND)
    found = np.zeros((int(np.prod(shape)), np.count_nonzero(window)))
    for column, start in enumerate(np.argwhere(window) if np.size(places) else ()):
        part = tuple(slice(one, one + length) for one, length in zip(start, shape, strict=True))
        found[:, column] = places[part].reshape(-1)
    return found.astype(np.intp)


def generic_filter1d(
    input: Any, function: Any, filter_size: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0, extra_arguments: Any = ..., extra_keywords: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.generic_filter1d`, whose function writes into the second array that it is given."""
    check_output("generic_filter1d", output)
    check_function("generic_filter1d", function)
    arguments = () if extra_arguments is ... else extra_arguments
    keywords = {} if extra_keywords is None else extra_keywords
    given = (input, function, filter_size, axis, output, mode, cval, origin, arguments, keywords)
    value = measured("generic_filter1d", given, {})
    x, before = np.moveaxis(numbers(input), axis, -1).astype(np.float64), filter_size // 2 + origin
    lines = extended(x, before, filter_size - 1 - before, np.ndim(x) - 1, mode, cval)
    found = [
        written(function, line, np.shape(x)[-1], arguments, keywords)
        for line in np.reshape(lines, (-1, np.shape(lines)[-1]))
    ]
    whole = np.moveaxis(np.reshape(np.asarray(found), np.shape(x)), -1, axis)
    return checked("generic_filter1d", value, whole)


def written(function: Any, line: Any, length: int, arguments: Any, keywords: Any) -> Any:
    """What a function writes into a line of this length."""
    result = np.zeros(length)
    function(line * 1.0, result, *arguments, **keywords)
    return result


# Derivatives along each axis.


def generic_laplace(
    input: Any, derivative2: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    extra_arguments: Any = ..., extra_keywords: Any = None, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.generic_laplace`."""
    check_output("generic_laplace", output)
    arguments = () if extra_arguments is ... else extra_arguments
    keywords = {} if extra_keywords is None else extra_keywords
    given = {"extra_arguments": arguments, "extra_keywords": keywords, "axes": axes}
    value = measured("generic_laplace", (input, derivative2, output, mode, cval), given)
    x, kept = np.asarray(input), chosen_axes(axes, np.ndim(input))
    modes = for_each(mode, len(kept))
    found = (0.0 if kept else 1.0) * numbers(input)
    for axis, one in zip(kept, modes, strict=True):
        found = found + derivative2(x, axis, value.dtype, one, cval, *arguments, **keywords)
    return checked("generic_laplace", value, found)


def generic_gradient_magnitude(
    input: Any, derivative: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    extra_arguments: Any = ..., extra_keywords: Any = None, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.generic_gradient_magnitude`, with the derivative 0 where it is 0."""
    check_output("generic_gradient_magnitude", output)
    check_real("generic_gradient_magnitude", input, axes)
    arguments = () if extra_arguments is ... else extra_arguments
    keywords = {} if extra_keywords is None else extra_keywords
    given = {"extra_arguments": arguments, "extra_keywords": keywords, "axes": axes}
    value = measured("generic_gradient_magnitude", (input, derivative, output, mode, cval), given)
    x, kept = np.asarray(input), chosen_axes(axes, np.ndim(input))
    modes, square = for_each(mode, len(kept)), 0.0 * numbers(input)
    for axis, one in zip(kept, modes, strict=True):
        part = derivative(x, axis, value.dtype, one, cval, *arguments, **keywords)
        square = square + part * part
    there = np.greater(square, 0)
    found = np.where(there, np.sqrt(np.where(there, square, 1.0)), 0.0)
    return checked("generic_gradient_magnitude", value, found if len(kept) > 0 else numbers(input))


# What is refused.


def checked(name: str, value: Any, found: Any) -> Any:
    """SciPy's value, whose derivative is that of what was found."""
    check_again(name, value, found)
    return finished(value, found)


def check_again(name: str, value: Any, found: Any) -> None:
    """Refuse functions that give something else when they are called once more."""
    if not np.allclose(value, found.astype(value.dtype), rtol=1e-4, equal_nan=True):
        raise MissingRuleError(
            f"'scipy.ndimage.{name}' has no rule for this function.",
            why="called once more it gives something else: it counts, or does not return what it writes",
            instead="give it a function of its arguments alone, which returns its result",
        )


def check_function(name: str, function: Any) -> None:
    """Refuse functions in another language."""
    if not callable(function):
        raise MissingRuleError(
            f"'scipy.ndimage.{name}' has no rule for a function in another language.",
            why="it cannot be read",
            instead="give it a function in Python",
        )


def check_real(name: str, x: Any, axes: Any) -> None:
    """Refuse complex arrays, and no axes."""
    if np.iscomplexobj(x) or (axes is not None and np.size(axes) == 0):
        raise MissingRuleError(
            f"'scipy.ndimage.{name}' has no rule for complex arrays, or no axes.",
            why="it is the length of a real gradient",
            instead="give it real and imaginary parts",
        )
