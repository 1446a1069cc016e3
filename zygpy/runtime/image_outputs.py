"""Functions of `scipy.ndimage` that are given an array as `output`, which they write into.

The programs of the functions themselves are told the type of that array; what they give is stored in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime import image_filters as filters
from zygpy.runtime import image_morphology as morphology
from zygpy.runtime import image_ranks as ranks
from zygpy.runtime import image_warps as warps


def type_of(output: Any) -> Any:
    """What the program is told of the output: the type of an array that is to be written into."""
    return output.dtype if isinstance(output, np.ndarray) else output


def stored(value: Any, output: Any) -> Any:
    """The result, in the array that was given for it if there is one."""
    if not isinstance(output, np.ndarray):
        return value
    check_shape(value, output)
    output[...] = value
    return output


def shape_of(output_shape: Any, output: Any) -> Any:
    """The shape of a result: that of the array that is to be written into, if no other one is told."""
    return np.shape(output) if output_shape is None and isinstance(output, np.ndarray) else output_shape


def check_shape(value: Any, output: Any) -> None:
    """Raise what SciPy raises for an array that does not fit."""
    if np.shape(value) != np.shape(output):
        raise RuntimeError("output shape not correct")


def check_apart(name: str, input: Any, output: Any) -> None:
    """Raise MissingRuleError for an output that SciPy changes while it still reads the input there."""
    if isinstance(output, np.ndarray) and np.may_share_memory(np.asarray(input), output):
        raise MissingRuleError(
            f"'scipy.ndimage.{name}' has no rule for output= that lies in the memory of its input.",
            why="SciPy reads there what it has written already",
            instead="give it another array",
        )


def correlate(
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.correlate`."""
    value = filters.correlate(input, weights, type_of(output), mode, cval, origin, axes=axes)
    return stored(value, output)


def correlate1d(
    input: Any,
    weights: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """`scipy.ndimage.correlate1d`."""
    value = filters.correlate1d(input, weights, axis, type_of(output), mode, cval, origin)
    return stored(value, output)


def convolve(
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.convolve`."""
    value = filters.convolve(input, weights, type_of(output), mode, cval, origin, axes=axes)
    return stored(value, output)


def convolve1d(
    input: Any,
    weights: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """`scipy.ndimage.convolve1d`."""
    value = filters.convolve1d(input, weights, axis, type_of(output), mode, cval, origin)
    return stored(value, output)


def gaussian_filter(
    input: Any,
    sigma: Any,
    order: Any = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: Any = 4.0,
    *,
    radius: Any = None,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.gaussian_filter`."""
    value = filters.gaussian_filter(
        input, sigma, order, type_of(output), mode, cval, truncate, radius=radius, axes=axes
    )
    return stored(value, output)


def gaussian_filter1d(
    input: Any,
    sigma: Any,
    axis: Any = -1,
    order: Any = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: Any = 4.0,
    *,
    radius: Any = None,
) -> Any:
    """`scipy.ndimage.gaussian_filter1d`."""
    value = filters.gaussian_filter1d(
        input, sigma, axis, order, type_of(output), mode, cval, truncate, radius=radius
    )
    return stored(value, output)


def uniform_filter(
    input: Any,
    size: Any = 3,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.uniform_filter`."""
    value = filters.uniform_filter(input, size, type_of(output), mode, cval, origin, axes=axes)
    return stored(value, output)


def uniform_filter1d(
    input: Any,
    size: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """`scipy.ndimage.uniform_filter1d`."""
    value = filters.uniform_filter1d(input, size, axis, type_of(output), mode, cval, origin)
    return stored(value, output)


def prewitt(input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """`scipy.ndimage.prewitt`."""
    value = filters.prewitt(input, axis, type_of(output), mode, cval)
    return stored(value, output)


def sobel(input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """`scipy.ndimage.sobel`."""
    value = filters.sobel(input, axis, type_of(output), mode, cval)
    return stored(value, output)


def laplace(
    input: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *, axes: Any = None
) -> Any:
    """`scipy.ndimage.laplace`."""
    check_apart("laplace", input, output)
    value = filters.laplace(input, type_of(output), mode, cval, axes=axes)
    return stored(value, output)


def gaussian_laplace(
    input: Any,
    sigma: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    *,
    axes: Any = None,
    truncate: Any = 4.0,
    radius: Any = None,
) -> Any:
    """`scipy.ndimage.gaussian_laplace`."""
    check_apart("gaussian_laplace", input, output)
    value = filters.gaussian_laplace(
        input, sigma, type_of(output), mode, cval, axes=axes, truncate=truncate, radius=radius
    )
    return stored(value, output)


def gaussian_gradient_magnitude(
    input: Any,
    sigma: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    *,
    axes: Any = None,
    truncate: Any = 4.0,
    radius: Any = None,
) -> Any:
    """`scipy.ndimage.gaussian_gradient_magnitude`."""
    check_apart("gaussian_gradient_magnitude", input, output)
    value = filters.gaussian_gradient_magnitude(
        input, sigma, type_of(output), mode, cval, axes=axes, truncate=truncate, radius=radius
    )
    return stored(value, output)


def maximum_filter(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.maximum_filter`."""
    value = ranks.maximum_filter(input, size, footprint, type_of(output), mode, cval, origin, axes=axes)
    return stored(value, output)


def minimum_filter(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.minimum_filter`."""
    value = ranks.minimum_filter(input, size, footprint, type_of(output), mode, cval, origin, axes=axes)
    return stored(value, output)


def maximum_filter1d(
    input: Any,
    size: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """`scipy.ndimage.maximum_filter1d`."""
    value = ranks.maximum_filter1d(input, size, axis, type_of(output), mode, cval, origin)
    return stored(value, output)


def minimum_filter1d(
    input: Any,
    size: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """`scipy.ndimage.minimum_filter1d`."""
    value = ranks.minimum_filter1d(input, size, axis, type_of(output), mode, cval, origin)
    return stored(value, output)


def median_filter(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.median_filter`."""
    value = ranks.median_filter(input, size, footprint, type_of(output), mode, cval, origin, axes=axes)
    return stored(value, output)


def rank_filter(
    input: Any,
    rank: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.rank_filter`."""
    value = ranks.rank_filter(input, rank, size, footprint, type_of(output), mode, cval, origin, axes=axes)
    return stored(value, output)


def percentile_filter(
    input: Any,
    percentile: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.percentile_filter`."""
    value = ranks.percentile_filter(
        input, percentile, size, footprint, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def grey_erosion(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.grey_erosion`."""
    value = morphology.grey_erosion(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def grey_dilation(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.grey_dilation`."""
    value = morphology.grey_dilation(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def grey_opening(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.grey_opening`."""
    value = morphology.grey_opening(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def grey_closing(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.grey_closing`."""
    value = morphology.grey_closing(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def white_tophat(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.white_tophat`."""
    check_apart("white_tophat", input, output)
    value = morphology.white_tophat(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def black_tophat(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.black_tophat`."""
    check_apart("black_tophat", input, output)
    value = morphology.black_tophat(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def morphological_gradient(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.morphological_gradient`."""
    value = morphology.morphological_gradient(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def morphological_laplace(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    structure: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """`scipy.ndimage.morphological_laplace`."""
    check_apart("morphological_laplace", input, output)
    value = morphology.morphological_laplace(
        input, size, footprint, structure, type_of(output), mode, cval, origin, axes=axes
    )
    return stored(value, output)


def spline_filter1d(
    input: Any, order: Any = 3, axis: Any = -1, output: Any = ..., mode: Any = "mirror"
) -> Any:
    """`scipy.ndimage.spline_filter1d`."""
    value = warps.spline_filter1d(input, order, axis, type_of(output), mode)
    return stored(value, output)


def spline_filter(input: Any, order: Any = 3, output: Any = ..., mode: Any = "mirror") -> Any:
    """`scipy.ndimage.spline_filter`."""
    value = warps.spline_filter(input, order, type_of(output), mode)
    return stored(value, output)


def map_coordinates(
    input: Any,
    coordinates: Any,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: Any = True,
) -> Any:
    """`scipy.ndimage.map_coordinates`."""
    value = warps.map_coordinates(input, coordinates, type_of(output), order, mode, cval, prefilter)
    return stored(value, output)


def geometric_transform(
    input: Any,
    mapping: Any,
    output_shape: Any = None,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: Any = True,
    extra_arguments: Any = ...,
    extra_keywords: Any = None,
) -> Any:
    """`scipy.ndimage.geometric_transform`."""
    value = warps.geometric_transform(
        input,
        mapping,
        shape_of(output_shape, output),
        type_of(output),
        order,
        mode,
        cval,
        prefilter,
        extra_arguments,
        extra_keywords,
    )
    return stored(value, output)


def affine_transform(
    input: Any,
    matrix: Any,
    offset: Any = 0.0,
    output_shape: Any = None,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: Any = True,
) -> Any:
    """`scipy.ndimage.affine_transform`."""
    value = warps.affine_transform(
        input, matrix, offset, shape_of(output_shape, output), type_of(output), order, mode, cval, prefilter
    )
    return stored(value, output)


def shift(
    input: Any,
    shift: Any,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: Any = True,
) -> Any:
    """`scipy.ndimage.shift`."""
    value = warps.shift(input, shift, type_of(output), order, mode, cval, prefilter)
    return stored(value, output)


def zoom(
    input: Any,
    zoom: Any,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: Any = True,
    *,
    grid_mode: Any = False,
) -> Any:
    """`scipy.ndimage.zoom`."""
    value = warps.zoom(input, zoom, type_of(output), order, mode, cval, prefilter, grid_mode=grid_mode)
    return stored(value, output)


def rotate(
    input: Any,
    angle: Any,
    axes: Any = ...,
    reshape: Any = True,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: Any = True,
) -> Any:
    """`scipy.ndimage.rotate`."""
    value = warps.rotate(input, angle, axes, reshape, type_of(output), order, mode, cval, prefilter)
    return stored(value, output)
