"""Filters of `scipy.ndimage` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of windows over the array with what lies beyond its edges.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.ndimage as nd

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_computed
from zygpy.runtime.windows import extended, window_shape, windowed


def measured(name: str, given: Any, keywords: Any) -> Any:
    """What SciPy gives; an older one may not know a keyword, which is None then."""
    return getattr(nd, name)(*given, **{key: value for key, value in keywords.items() if value is not None})


def check_output(name: str, output: Any) -> None:
    """Raise MissingRuleError for an array that is to be written to."""
    if isinstance(output, np.ndarray):
        raise MissingRuleError(
            f"'scipy.ndimage.{name}' has no rule for output= that is an array.",
            why="results are not written into an array",
            instead="take the result that is given back",
        )


def check_order(name: str, axes: Any, rank: int) -> None:
    """Raise MissingRuleError for axes of a window that do not follow each other."""
    kept = chosen_axes(axes, rank)
    if kept != sorted(kept):
        raise MissingRuleError(
            f"'scipy.ndimage.{name}' has no rule for axes that are out of order.",
            why="SciPy takes origins and windows in different orders then",
            instead="name the axes from the first to the last",
        )


def finished(value: Any, computed: Any, like: Any = None, output: Any = None) -> Any:
    """SciPy's value, whose derivative is that of what was computed; 0 if it is one of integers. It has the
    type of the array that it is `like`, unless there is a type for the output."""
    return as_computed(value, computed, like, output)


def numbers(x: Any) -> Any:
    """The array, integers as floats."""
    x = np.asarray(x)
    return x if x.dtype.kind in "fc" else x * 1.0


def chosen_axes(axes: Any, rank: int) -> list[int]:
    """The axes that are meant, counted from the first."""
    if axes is None:
        return list(range(rank))
    return [int(axis) % rank for axis in ([axes] if np.ndim(axes) == 0 else axes)]


def for_each(value: Any, count: int) -> Any:
    """A value for every axis, where one may be given for all."""
    if isinstance(value, SINGLE):
        return [value] * count
    return [value] * count if np.ndim(value) == 0 else value


SINGLE = (str, int, float, complex, np.generic, type(None))
"""Classes of what is given for all axes."""


# Convolutions and correlations.


def along_windows(x: Any, w: Any, modes: Any, cval: Any, origins: Any) -> Any:
    """The sum over a window of the array's rank, an origin and a mode for every axis."""
    if np.size(x) == 0:
        return x * 1.0
    for axis in range(np.ndim(x)):
        length = np.shape(w)[axis]
        before = length // 2 + origins[axis]
        x = extended(x, before, length - 1 - before, axis, modes[axis], cval)
    return windowed(x, w)


def along(x: Any, w: Any, axis: int, mode: Any, cval: Any, origin: int) -> Any:
    """The sum over a window along one axis."""
    rank = np.ndim(x)
    w = np.reshape(w, window_shape(np.size(w), axis % rank, rank))
    return along_windows(x, w, [mode] * rank, cval, window_origins(origin, axis % rank, rank))


def window_origins(origin: int, axis: int, rank: int) -> list[int]:
    """The origin along one axis of several."""
    return [origin if one == axis else 0 for one in range(rank)]


def turned_origin(origin: int, length: int) -> int:
    """The origin of a correlation that is the convolution with this origin."""
    return -origin - (1 if length % 2 == 0 else 0)


def correlate1d(
    input: Any, weights: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.correlate1d`."""
    check_output("correlate1d", output)
    value = measured("correlate1d", (input, weights, axis, output, mode, cval, origin), {})
    return finished(
        value, along(numbers(input), np.conj(np.asarray(weights)), axis, mode, cval, origin), input, output
    )


def convolve1d(
    input: Any, weights: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.convolve1d`."""
    check_output("convolve1d", output)
    value = measured("convolve1d", (input, weights, axis, output, mode, cval, origin), {})
    turned = np.flip(np.asarray(weights))
    origin = turned_origin(origin, np.size(turned))
    return finished(value, along(numbers(input), turned, axis, mode, cval, origin), input, output)


def correlate(
    input: Any, weights: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.correlate`."""
    check_output("correlate", output)
    check_order("correlate", axes, np.ndim(input))
    value = measured("correlate", (input, weights, output, mode, cval, origin), {"axes": axes})
    x, w = numbers(input), np.conj(np.asarray(weights))
    origins = window_places(origin, axes, np.ndim(x), 0)
    return finished(
        value,
        along_windows(x, in_rank(w, axes, np.ndim(x)), [mode] * np.ndim(x), cval, origins),
        input,
        output,
    )


def convolve(
    input: Any, weights: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.convolve`."""
    check_output("convolve", output)
    check_order("convolve", axes, np.ndim(input))
    value = measured("convolve", (input, weights, output, mode, cval, origin), {"axes": axes})
    x, w = numbers(input), np.flip(np.asarray(weights))
    w = in_rank(w, axes, np.ndim(x))
    origins = window_places(origin, axes, np.ndim(x), 0)
    origins = [turned_origin(one, length) for one, length in zip(origins, np.shape(w), strict=True)]
    return finished(value, along_windows(x, w, [mode] * np.ndim(x), cval, origins), input, output)


def in_rank(w: Any, axes: Any, rank: int) -> Any:
    """A window along some axes as one along all."""
    if np.ndim(w) == rank:
        return w
    kept = chosen_axes(axes, rank)
    return np.expand_dims(w, tuple(axis for axis in range(rank) if axis not in kept))


def window_places(origin: Any, axes: Any, rank: int, rest: Any) -> list[Any]:
    """What is given for some of the axes, and for the others the same."""
    kept = chosen_axes(axes, rank)
    found = [rest] * rank
    for axis, one in zip(kept, for_each(origin, len(kept)), strict=True):
        found[axis] = one
    return found


# Smooth windows, and differences.


def kernel(sigma: Any, order: int, radius: int) -> Any:
    """The window of a Gaussian's derivative, by Hermite polynomials (DLMF 18.9.1, 18.5.5)."""
    places = np.arange(-radius, radius + 1) * 1.0
    phi = np.exp(-0.5 / (sigma * sigma) * places**2)
    phi = phi / np.sum(phi)
    t = places / sigma
    before, found = np.zeros_like(places), np.ones_like(places)
    for degree in range(order):
        before, found = found, t * found - degree * before
    return phi * found * (-1.0 / sigma) ** order


def smoothed(
    x: Any, sigma: Any, axis: int, order: int, mode: Any, cval: Any, truncate: Any, radius: Any
) -> Any:
    """The Gaussian filter along one axis."""
    reach = reach_of(sigma, truncate, radius)
    return along(x, np.flip(kernel(sigma, order, reach)), axis, mode, cval, 0)


def reach_of(sigma: Any, truncate: Any, radius: Any) -> int:
    """How far the window of a Gaussian filter reaches."""
    return int(truncate * float(sigma) + 0.5) if radius is None else int(radius)


def gaussian_filter1d(
    input: Any, sigma: Any, axis: Any = -1, order: Any = 0, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, truncate: Any = 4.0, *, radius: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.gaussian_filter1d`; the window's length counts as constant."""
    check_output("gaussian_filter1d", output)
    given = (input, sigma, axis, order, output, mode, cval, truncate)
    value = measured("gaussian_filter1d", given, {"radius": radius})
    return finished(
        value, smoothed(numbers(input), sigma, axis, order, mode, cval, truncate, radius), input, output
    )


def gaussian_filter(
    input: Any, sigma: Any, order: Any = 0, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, truncate: Any = 4.0, *, radius: Any = None, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.gaussian_filter`; the windows' lengths count as constant."""
    check_output("gaussian_filter", output)
    given = (input, sigma, order, output, mode, cval, truncate)
    value = measured("gaussian_filter", given, {"radius": radius, "axes": axes})
    kept = chosen_axes(axes, np.ndim(input))
    found = smoothed_along(numbers(input), sigma, kept, order, mode, cval, truncate, radius)
    return finished(value, found, input, output)


def smoothed_along(
    x: Any, sigma: Any, axes: Any, order: Any, mode: Any, cval: Any, truncate: Any, radius: Any
) -> Any:
    """Gaussian filters along axes, one after the other."""
    count = len(axes)
    sigmas, orders = for_each(sigma, count), for_each(order, count)
    modes, radii = for_each(mode, count), for_each(radius, count)
    for place in range(count):
        if sigmas[place] > 1e-15:
            x = smoothed(
                x, sigmas[place], axes[place], orders[place], modes[place], cval, truncate, radii[place]
            )
    return x


def uniform_filter1d(
    input: Any, size: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """`scipy.ndimage.uniform_filter1d`."""
    check_output("uniform_filter1d", output)
    value = measured("uniform_filter1d", (input, size, axis, output, mode, cval, origin), {})
    return finished(
        value, along(numbers(input), np.full(int(size), 1.0 / size), axis, mode, cval, origin), input, output
    )


def uniform_filter(
    input: Any, size: Any = 3, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.uniform_filter`."""
    check_output("uniform_filter", output)
    value = measured("uniform_filter", (input, size, output, mode, cval, origin), {"axes": axes})
    kept, x = chosen_axes(axes, np.ndim(input)), numbers(input)
    sizes, modes, origins = [for_each(one, len(kept)) for one in (size, mode, origin)]
    for place in range(len(kept)):
        length = int(sizes[place])
        if length > 1:
            w = np.full(length, 1.0 / length)
            x = along(x, w, kept[place], modes[place], cval, origins[place])
    return finished(value, x, input, output)


def slopes(x: Any, axis: int, across: Any, mode: Any, cval: Any) -> Any:
    """Differences along one axis, and sums with these weights along the others."""
    modes, axis = for_each(mode, np.ndim(x)), axis % np.ndim(x)
    x = along(x, np.array([-1.0, 0.0, 1.0]), axis, modes[axis], cval, 0)
    for one in range(np.ndim(x)):
        if one != axis:
            x = along(x, np.array(across), one, modes[one], cval, 0)
    return x


def prewitt(input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """`scipy.ndimage.prewitt`."""
    check_output("prewitt", output)
    value = measured("prewitt", (input, axis, output, mode, cval), {})
    return finished(value, slopes(numbers(input), axis, [1.0, 1.0, 1.0], mode, cval), input, output)


def sobel(input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """`scipy.ndimage.sobel`."""
    check_output("sobel", output)
    value = measured("sobel", (input, axis, output, mode, cval), {})
    return finished(value, slopes(numbers(input), axis, [1.0, 2.0, 1.0], mode, cval), input, output)


def laplace(
    input: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *, axes: Any = None
) -> Any:
    """`scipy.ndimage.laplace`."""
    check_output("laplace", output)
    value = measured("laplace", (input, output, mode, cval), {"axes": axes})
    x = numbers(input)
    kept = chosen_axes(axes, np.ndim(x))
    modes, found = for_each(mode, len(kept)), (0.0 if kept else 1.0) * x
    for axis, one in zip(kept, modes, strict=True):
        found = found + along(x, np.array([1.0, -2.0, 1.0]), axis, one, cval, 0)
    return finished(value, found, input, output)


def gaussian_laplace(
    input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *,
    axes: Any = None, truncate: Any = 4.0, radius: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.gaussian_laplace`."""
    check_output("gaussian_laplace", output)
    given = {"axes": axes, "truncate": truncate, "radius": radius}
    value = measured("gaussian_laplace", (input, sigma, output, mode, cval), given)
    x = numbers(input)
    kept = chosen_axes(axes, np.ndim(x))
    found = (0.0 if kept else 1.0) * x
    own = sigma if len(kept) == np.ndim(x) else window_places(sigma, axes, np.ndim(x), 0.0)
    for part in curved(x, own, 2, mode, cval, axes, truncate, radius):
        found = found + part
    return finished(value, found, input, output)


def gaussian_gradient_magnitude(
    input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *,
    axes: Any = None, truncate: Any = 4.0, radius: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.gaussian_gradient_magnitude`, with the derivative 0 where it is 0."""
    check_output("gaussian_gradient_magnitude", output)
    check_magnitude(input, axes)
    given = {"axes": axes, "truncate": truncate, "radius": radius}
    value = measured("gaussian_gradient_magnitude", (input, sigma, output, mode, cval), given)
    x = numbers(input)
    square = 0.0 * x
    for part in curved(x, sigma, 1, mode, cval, axes, truncate, radius):
        square = square + part * part
    there = np.greater(square, 0)
    found = np.where(there, np.sqrt(np.where(there, square, 1.0)), 0.0)
    return finished(value, found if len(chosen_axes(axes, np.ndim(x))) > 0 else x, input, output)


def curved(
    x: Any, sigma: Any, order: int, mode: Any, cval: Any, axes: Any, truncate: Any, radius: Any
) -> list[Any]:
    """Derivatives along each axis of what Gaussian filters along all axes give."""
    rank, kept = np.ndim(x), chosen_axes(axes, np.ndim(x))
    modes = for_each(mode, len(kept))
    every = list(range(rank))
    return [
        smoothed_along(
            x, sigma, every, window_origins(order, kept[place], rank), modes[place], cval, truncate, radius
        )
        for place in range(len(kept))
    ]


def check_magnitude(x: Any, axes: Any) -> None:
    """Raise MissingRuleError for complex arrays."""
    if np.iscomplexobj(x) or (isinstance(axes, Iterable) and len(list(axes)) == 0):
        raise MissingRuleError(
            "'scipy.ndimage.gaussian_gradient_magnitude' has no rule for complex arrays, or no axes.",
            why="it is the length of a real gradient",
            instead="give it real and imaginary parts",
        )
