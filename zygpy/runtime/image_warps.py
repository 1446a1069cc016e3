"""Interpolations of `scipy.ndimage` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of the spline at each place, by the image, the places, and
what moves them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as special

from zygpy.errors import MissingRuleError
from zygpy.runtime.broadcast import Shape
from zygpy.runtime.image_filters import check_output, finished, for_each, measured, numbers
from zygpy.runtime.image_splines import filtered, inside, picked, prepared
from zygpy.runtime.library_values import as_given


def spline_filter1d(
    input: Any, order: Any = 3, axis: Any = -1, output: Any = ..., mode: Any = "mirror"
) -> Any:
    """`scipy.ndimage.spline_filter1d`."""
    check_output("spline_filter1d", output)
    output = np.float64 if output is ... else output
    value = measured("spline_filter1d", (input, order, axis, output, mode), {})
    x = numbers(input)
    return finished(value, filtered(x, order, axis, mode) if order > 1 else x * 1.0, input, output)


def spline_filter(input: Any, order: Any = 3, output: Any = ..., mode: Any = "mirror") -> Any:
    """`scipy.ndimage.spline_filter`."""
    check_output("spline_filter", output)
    output = np.float64 if output is ... else output
    value = measured("spline_filter", (input, order, output, mode), {})
    x = numbers(input) * 1.0
    for axis in range(np.ndim(x)):
        x = filtered(x, order, axis, mode)
    return finished(value, x, input, output)


# Places that are told one by one.


def map_coordinates(
    input: Any, coordinates: Any, output: Any = None, order: Any = 3, mode: Any = "constant",
    cval: Any = 0.0, prefilter: Any = True,
) -> Any:  # fmt: skip
    """`scipy.ndimage.map_coordinates`."""
    check_output("map_coordinates", output)
    value = measured("map_coordinates", (input, coordinates, output, order, mode, cval, prefilter), {})
    places = np.asarray(coordinates).astype(np.float64)
    return finished(value, between(numbers(input), places, order, mode, cval, prefilter), input, output)


def geometric_transform(
    input: Any, mapping: Any, output_shape: Any = None, output: Any = None, order: Any = 3,
    mode: Any = "constant", cval: Any = 0.0, prefilter: Any = True, extra_arguments: Any = ...,
    extra_keywords: Any = None,
) -> Any:  # fmt: skip
    """`scipy.ndimage.geometric_transform`; the mapping is called once for each place, in the same order."""
    check_output("geometric_transform", output)
    check_mapping(mapping)
    keywords = {} if extra_keywords is None else extra_keywords
    arguments = () if extra_arguments is ... else extra_arguments
    form = np.shape(input) if output_shape is None else tuple(output_shape)
    found = [mapping(place, *arguments, **keywords) for place in places_of(form)]
    rows = np.reshape(np.asarray(found), (-1, np.ndim(input)))
    coordinates = np.reshape(np.transpose(rows), (np.ndim(input), *form))
    return map_coordinates(input, coordinates, output, order, mode, cval, prefilter)


def places_of(form: Shape) -> list[tuple[int, ...]]:
    """The indices of an array, the last of them moving fastest."""
    return list(np.ndindex(*form))


def check_mapping(mapping: Any) -> None:
    """Raise MissingRuleError for a mapping that is not written in Python."""
    if not callable(mapping):
        raise MissingRuleError(
            "'scipy.ndimage.geometric_transform' has no rule for a mapping in another language.",
            why="it cannot be read",
            instead="give it a function in Python",
        )


def between(x: Any, coordinates: Any, order: int, mode: str, cval: Any, prefilter: bool) -> Any:
    """The image between its samples; the coordinates of places stand along the first axis."""
    form, rank = np.shape(coordinates)[1:], np.shape(coordinates)[0]
    if np.size(x) == 0 or np.size(coordinates) == 0:
        return nothing(x, form + np.shape(x)[rank:])
    flat = np.reshape(coordinates, (rank, -1))
    c, margin = prepared(x, rank, order, mode, cval, prefilter)
    if mode == "grid-constant":
        found = picked(c - cval, flat, order, mode, margin) + cval
    else:
        found = picked(c, flat, order, mode, margin)
    if mode == "constant":
        there = np.reshape(inside(flat, np.shape(x)[:rank], mode), (-1,) + (1,) * (np.ndim(found) - 1))
        found = np.where(there, found, cval)
    return np.reshape(found, form + np.shape(x)[rank:])


def nothing(x: Any, form: Shape) -> Any:
    """An array without a part of the image."""
    return np.sum(x) * 0.0 + np.zeros(form)


# Places that are moved and stretched along each axis by itself.


def along_axes(x: Any, lines: Any, order: int, mode: str, cval: Any, prefilter: bool) -> Any:
    """The image between its samples, at all combinations of coordinates that are told for each axis."""
    rank = np.ndim(x)
    form = tuple(np.size(line) for line in lines)
    if np.size(x) == 0 or 0 in form:
        return nothing(x, form)
    c, margin = prepared(x, rank, order, mode, cval, prefilter)
    if mode == "grid-constant":
        c = c - cval
    for line in lines:
        c = np.moveaxis(picked(c, np.reshape(line, (1, -1)), order, mode, margin), 0, -1)
    if mode == "grid-constant":
        c = c + cval
    if mode == "constant":
        c = np.where(inside_lines(lines, np.shape(x)), c, cval)
    return c


def inside_lines(lines: Any, lengths: Shape) -> Any:
    """Whether there is an image at all combinations of coordinates."""
    there = np.ones(1, bool)
    for line, length in zip(lines, lengths, strict=True):
        there = there[..., None] & inside(np.reshape(line, (1, -1)), (length,), "constant")
    return there[0]


def shift(
    input: Any, shift: Any, output: Any = None, order: Any = 3, mode: Any = "constant", cval: Any = 0.0,
    prefilter: Any = True,
) -> Any:  # fmt: skip
    """`scipy.ndimage.shift`."""
    check_output("shift", output)
    value = measured("shift", (input, shift, output, order, mode, cval, prefilter), {})
    x = numbers(input)
    moves = for_each(shift, np.ndim(x))
    lines = [np.arange(np.shape(x)[axis]) - 1.0 * moves[axis] for axis in range(np.ndim(x))]
    return finished(value, along_axes(x, lines, order, mode, cval, prefilter), input, output)


def zoom(
    input: Any, zoom: Any, output: Any = None, order: Any = 3, mode: Any = "constant", cval: Any = 0.0,
    prefilter: Any = True, *, grid_mode: Any = False,
) -> Any:  # fmt: skip
    """`scipy.ndimage.zoom`; factors only tell how many places there are."""
    check_output("zoom", output)
    check_grid(input, grid_mode)
    value = measured("zoom", (input, zoom, output, order, mode, cval, prefilter), {"grid_mode": grid_mode})
    x = numbers(input)
    if is_left(zoom, prefilter):
        return finished(value, x * 1.0, input, output)
    lines = places_of_zoom(np.shape(x), np.shape(value), grid_mode)
    return finished(value, along_axes(x, lines, order, mode, cval, prefilter), input, output)


def is_left(factors: Any, prefilter: bool) -> bool:
    """Whether SciPy gives an image as it is."""
    return bool(prefilter) and bool(np.all(np.equal(factors, 1)))


def places_of_zoom(lengths: Shape, counts: Shape, grid_mode: bool) -> list[Any]:
    """The coordinates along each axis of as many places."""
    less = 0 if grid_mode else 1
    ratios = [
        (length - less) / (count - less) if count != less else 1.0
        for length, count in zip(lengths, counts, strict=True)
    ]
    middle = 0.5 if grid_mode else 0.0
    return [(np.arange(count) + middle) * ratio - middle for count, ratio in zip(counts, ratios, strict=True)]


def check_grid(x: Any, grid_mode: Any) -> None:
    """Raise MissingRuleError for complex images on a grid of cells."""
    if grid_mode and np.iscomplexobj(x):
        raise MissingRuleError(
            "'scipy.ndimage.zoom' has no rule for complex images with grid_mode=True.",
            why="SciPy's versions do not agree about them",
            instead="give it real and imaginary parts",
        )


# Places that are moved together.


def affine_transform(
    input: Any, matrix: Any, offset: Any = 0.0, output_shape: Any = None, output: Any = None,
    order: Any = 3, mode: Any = "constant", cval: Any = 0.0, prefilter: Any = True,
) -> Any:  # fmt: skip
    """`scipy.ndimage.affine_transform`."""
    check_output("affine_transform", output)
    given = (input, matrix, offset, output_shape, output, order, mode, cval, prefilter)
    value = measured("affine_transform", given, {})
    x, m = numbers(input), np.asarray(matrix).astype(np.float64)
    rank = np.ndim(x)
    if np.ndim(m) == 2 and np.shape(m)[1] == rank + 1:
        m, moves = m[:rank, :rank], m[:rank, rank]
    else:
        moves = for_each(offset, rank)
    if np.ndim(m) == 1:
        lines = [line_of(m[axis], moves[axis], np.shape(value)[axis]) for axis in range(rank)]
        return finished(value, along_axes(x, lines, order, mode, cval, prefilter), input, output)
    return finished(
        value, between(x, mapped(m, moves, np.shape(value)), order, mode, cval, prefilter), input, output
    )


def line_of(factor: Any, move: Any, count: int) -> Any:
    """The places along an axis that is stretched and moved."""
    return as_given(told_line(factor, move, count), factor * np.arange(count) + move)


def told_line(factor: Any, move: Any, count: int) -> Any:
    """The same as SciPy rounds them."""
    with np.errstate(all="ignore"):
        return (np.arange(count) + move / factor) * factor


def mapped(m: Any, moves: Any, form: Shape) -> Any:
    """The places to which a matrix and moves take those of an array, summed up in SciPy's order."""
    rows = []
    for row in range(np.shape(m)[0]):
        place = np.zeros(form) + moves[row]
        for axis in range(len(form)):
            place = place + m[row, axis] * steps(axis, form)
        rows.append(place)
    return np.stack(rows)


def steps(axis: int, form: Shape) -> Any:
    """The indices along one axis."""
    return np.reshape(np.arange(form[axis]), [-1 if one == axis else 1 for one in range(len(form))])


def rotate(
    input: Any, angle: Any, axes: Any = ..., reshape: Any = True, output: Any = None, order: Any = 3,
    mode: Any = "constant", cval: Any = 0.0, prefilter: Any = True,
) -> Any:  # fmt: skip
    """`scipy.ndimage.rotate`; the shape of the result counts as constant."""
    check_output("rotate", output)
    axes = (1, 0) if axes is ... else axes
    given = (input, angle, axes, reshape, output, order, mode, cval, prefilter)
    value = measured("rotate", given, {})
    x = numbers(input)
    plane = plane_of(axes, np.ndim(x))
    front = np.moveaxis(x, plane, (0, 1))
    form = (np.shape(value)[plane[0]], np.shape(value)[plane[1]])
    m = rotation(angle)
    moves = centre(np.shape(front)[:2]) - m @ centre(form)
    found = between(front, mapped(m, moves, form), order, mode, cval, prefilter)
    return finished(value, np.moveaxis(found, (0, 1), plane), input, output)


def rotation(angle: Any) -> Any:
    """The matrix of a rotation by an angle in degrees."""
    c, s = special.cosdg(angle), special.sindg(angle)
    return np.reshape(np.stack([c, s, -s, c]), (2, 2))


def centre(form: Shape) -> Any:
    """The middle of a plane of samples."""
    return (np.array(form) - 1) / 2


def plane_of(axes: Any, rank: int) -> tuple[int, ...]:
    """The two axes of a plane, the first one first."""
    return tuple(sorted(int(axis) % rank for axis in axes))
