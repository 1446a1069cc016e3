"""Filters of `scipy.ndimage` for spectra as programs: products with factors that are told by frequencies.

The value is SciPy's own. The spectrum of a ball of any rank is a function of one number, a Bessel function
divided by a power: `hyp0f1(rank / 2 + 1, -r**2 / 4)`, which for rank 1 is `sin(r) / r`. Source: E. M. Stein,
G. Weiss, Introduction to Fourier Analysis on Euclidean Spaces (1971), chapter IV, theorem 3.3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.errors import MissingRuleError
from zygpy.runtime.image_filters import check_output, measured
from zygpy.runtime.library_values import as_given, check_real


def fourier_gaussian(input: Any, sigma: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> Any:
    """`scipy.ndimage.fourier_gaussian`."""
    check_output("fourier_gaussian", output)
    check_real("scipy.ndimage.fourier_gaussian", sigma)
    value = measured("fourier_gaussian", (input, sigma, n, axis, output), {})
    found = np.asarray(input)
    for place, one in enumerate(angles(np.shape(input), sigma, n, axis)):
        found = found * along_axis(np.exp(-0.5 * one**2), place, np.ndim(input))
    return of_kind(value, found)


def fourier_uniform(input: Any, size: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> Any:
    """`scipy.ndimage.fourier_uniform`."""
    check_output("fourier_uniform", output)
    check_real("scipy.ndimage.fourier_uniform", size)
    check_sizes(size)
    value = measured("fourier_uniform", (input, size, n, axis, output), {})
    found = np.asarray(input)
    for place, one in enumerate(angles(np.shape(input), size, n, axis)):
        found = found * along_axis(sc.hyp0f1(1.5, -(one**2) / 16), place, np.ndim(input))
    return of_kind(value, found)


def fourier_ellipsoid(input: Any, size: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> Any:
    """`scipy.ndimage.fourier_ellipsoid`."""
    check_output("fourier_ellipsoid", output)
    check_real("scipy.ndimage.fourier_ellipsoid", size)
    value = measured("fourier_ellipsoid", (input, size, n, axis, output), {})
    if np.size(input) == 0:
        return of_kind(value, np.asarray(input) * 1.0)
    square = 0.0
    for place, one in enumerate(angles(np.shape(input), size, n, axis)):
        square = square + along_axis(one**2, place, np.ndim(input))
    return of_kind(value, np.asarray(input) * sc.hyp0f1(np.ndim(input) / 2 + 1, -square / 16))


def fourier_shift(input: Any, shift: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> Any:
    """`scipy.ndimage.fourier_shift`."""
    check_output("fourier_shift", output)
    check_real("scipy.ndimage.fourier_shift", shift)
    value = measured("fourier_shift", (input, shift, n, axis, output), {})
    found = np.asarray(input)
    for place, one in enumerate(angles(np.shape(input), shift, n, axis)):
        found = found * along_axis(np.exp(-1j * one), place, np.ndim(input))
    return of_kind(value, found)


def angles(shape: Any, lengths: Any, n: Any, axis: Any) -> list[Any]:
    """For each axis how far a wave of each frequency turns on a way of the length that is given for it."""
    rank = len(shape)
    each = np.broadcast_to(np.asarray(lengths) * 1.0, (rank,))
    return [each[place] * turns(shape[place], n if place == axis % rank else -1) for place in range(rank)]


def turns(count: int, whole: int) -> Any:
    """The frequencies along an axis; of a real transform, whose whole length is given, the first of them."""
    if whole >= 0:
        return 2 * math.pi * np.arange(count) / whole
    return 2 * math.pi * np.fft.fftfreq(max(count, 1))[:count]


def along_axis(factor: Any, axis: int, rank: int) -> Any:
    """Factors for the places along one axis of several."""
    return np.reshape(factor, [-1 if one == axis else 1 for one in range(rank)])


def check_sizes(size: Any) -> None:
    """Refuse boxes without a size, whose factor SciPy takes for 0."""
    if not np.all(np.greater(size, 0)):
        raise MissingRuleError(
            "'scipy.ndimage.fourier_uniform' has no rule for sizes that are not greater than 0.",
            why="SciPy gives 0 there, and not the limit of small sizes, which leaves the image as it is",
            instead="give it sizes that are greater than 0",
        )


def of_kind(value: Any, computed: Any) -> Any:
    """SciPy's value, real where it is, with the derivative of what was computed."""
    return as_given(value, computed if np.iscomplexobj(value) else np.real(computed))
