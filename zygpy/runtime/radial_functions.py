"""Interpolation by radial functions of `scipy.interpolate`, as programs.

The values are SciPy's own; what its compiled parts compute is computed once more in plain operations.
Source: G. E. Fasshauer, Meshfree Approximation Methods with Matlab (2007), chapters 2 and 6.
This module is imported with the rules of `scipy.interpolate`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by


def made(
    y: Any, d: Any, neighbors: Any = None, smoothing: Any = 0.0, kernel: Any = "thin_plate_spline",
    epsilon: Any = None, degree: Any = None,
) -> Any:  # fmt: skip
    """`scipy.interpolate.RBFInterpolator`."""
    check_real(np.iscomplexobj(d))
    keywords = {
        "neighbors": neighbors,
        "smoothing": smoothing,
        "kernel": kernel,
        "epsilon": epsilon,
        "degree": degree,
    }
    found = told_by(si.RBFInterpolator, (y, d), keywords)
    places = np.asarray(y) * 1.0
    samples = np.reshape(np.asarray(d) * 1.0, (len(places), -1))
    rough_by = np.zeros(len(places)) + smoothing
    width = 1.0 if epsilon is None else epsilon
    if neighbors is not None:
        found.y, found.d = as_given(found.y, places), as_given(found.d, samples)
        found.smoothing, found.epsilon = as_given(found.smoothing, rough_by), as_given(found.epsilon, width)
        return found
    shift, scale, coefficients = solved_system(places, samples, rough_by, found.kernel, width, found.powers)
    found.y, found.epsilon = as_given(found.y, places), as_given(found.epsilon, width)
    found._shift, found._scale = as_given(found._shift, shift), as_given(found._scale, scale)
    found._coeffs = as_given(found._coeffs, coefficients)
    return found


def evaluated(self: Any, x: Any) -> Any:
    """`scipy.interpolate.RBFInterpolator.__call__`."""
    check_real(self.d_dtype is complex)
    value = told_by(si.RBFInterpolator.__call__, (self, x), {})
    places = np.asarray(x) * 1.0
    if self.neighbors is not None:
        return as_given(value, np.reshape(by_nearest(self, places), np.shape(value)))
    terms = at_places(places, self.y, self.kernel, self.epsilon, self.powers, self._shift, self._scale)
    return as_given(value, np.reshape(np.matmul(terms, self._coeffs), np.shape(value)))


def by_nearest(self: Any, places: Any) -> Any:
    """The values at some places, for each by the samples that are nearest to it, which stay as they are."""
    groups, order = neighbourhoods(self, places)
    found = []
    for points, samples in groups:
        y, d, rough_by = self.y[samples], self.d[samples], self.smoothing[samples]
        shift, scale, coefficients = solved_system(y, d, rough_by, self.kernel, self.epsilon, self.powers)
        terms = at_places(places[points], y, self.kernel, self.epsilon, self.powers, shift, scale)
        found.append(np.matmul(terms, coefficients))
    return np.concatenate(found)[order]


def neighbourhoods(interpolator: Any, places: Any) -> Any:
    """Which places have the same nearest samples, with these; and where each place stands in that order."""
    _, nearest = interpolator._tree.query(places, interpolator.neighbors)
    nearest = np.sort(np.reshape(nearest, (len(places), -1)), axis=1)
    samples, which = np.unique(nearest, return_inverse=True, axis=0)
    which = np.reshape(which, (-1,))
    groups = [(np.flatnonzero(which == place), one) for place, one in enumerate(samples)]
    return groups, np.argsort(np.argsort(which, kind="stable"), kind="stable")


def check_real(is_complex: Any) -> None:
    """Refuse interpolation of complex samples."""
    if is_complex:
        raise MissingRuleError(
            "'scipy.interpolate.RBFInterpolator' has no rule for complex samples.",
            why="real samples have one",
            instead="interpolate real and imaginary parts",
        )


def solved_system(y: Any, d: Any, smoothing: Any, kernel: Any, epsilon: Any, powers: Any) -> Any:
    """The middle and half the extent of the places, and coefficients of radial functions and monomials."""
    high, low = np.max(y, axis=0), np.min(y, axis=0)
    shift, scale = (high + low) / 2, (high - low) / 2
    scale = np.where(scale == 0, 1.0, scale)
    radial = of_distances(kernel, y * epsilon, y * epsilon) + np.diag(smoothing)
    terms = monomials((y - shift) / scale, powers)
    count = terms.shape[1]
    above = np.concatenate([radial, terms], axis=1)
    below = np.concatenate([np.transpose(terms), np.zeros((count, count))], axis=1)
    right = np.concatenate([d, np.zeros((count, d.shape[1]))], axis=0)
    return shift, scale, np.linalg.solve(np.concatenate([above, below], axis=0), right)


def at_places(x: Any, y: Any, kernel: Any, epsilon: Any, powers: Any, shift: Any, scale: Any) -> Any:
    """Radial functions and monomials at some places, by which coefficients are multiplied."""
    radial = of_distances(kernel, x * epsilon, y * epsilon)
    return np.concatenate([radial, monomials((x - shift) / scale, powers)], axis=1)


def monomials(x: Any, powers: Any) -> Any:
    """Products of powers of coordinates, a row for each place."""
    return np.prod(np.expand_dims(x, 1) ** powers, axis=-1)


def of_distances(kernel: str, x: Any, y: Any) -> Any:
    """A radial function of the distance of each place from each other; its slope at 0 is 0."""
    squares = np.sum((np.expand_dims(x, 1) - y) ** 2, axis=-1)
    apart = squares > 0
    safe = np.where(apart, squares, 1.0)
    if kernel in SMOOTH:
        return smooth(kernel, squares)
    return np.where(apart, rough(kernel, np.sqrt(safe)), 0.0)


SMOOTH = ("multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian")
"""The functions that are smooth in the square of the distance."""


def smooth(kernel: str, squares: Any) -> Any:
    """These functions."""
    if kernel == "gaussian":
        return np.exp(-squares)
    if kernel == "inverse_quadratic":
        return 1 / (squares + 1)
    return -np.sqrt(squares + 1) if kernel == "multiquadric" else 1 / np.sqrt(squares + 1)


def rough(kernel: str, r: Any) -> Any:
    """The others, which are 0 at the distance 0."""
    if kernel == "thin_plate_spline":
        return r**2 * np.log(r)
    powers = {"linear": (-1.0, 1), "cubic": (1.0, 3), "quintic": (-1.0, 5)}
    sign, power = powers[kernel]
    return sign * r**power
