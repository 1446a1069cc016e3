"""Transposes of NumPy's functions that move, join, split, repeat or pick elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.broadcast import Shape, rebroadcast, unbroadcast
from zygpy.runtime.indexing import add_at, float_dtype

Array = np.ndarray[Any, Any]
Shapes = Sequence[Shape]


def reshape_back(value: Any, shape: Shape, order: Any = "C") -> Any:
    """The transpose of `np.reshape` (and `np.ravel`) on an array of this shape.

    Raises UnsupportedSyntaxError for the orders that depend on the array's memory layout.
    """
    if order in ("A", "K"):
        raise UnsupportedSyntaxError(
            f"order={order!r} depends on the memory layout.",
            why="the adjoint knows the shape of the array alone",
            instead="use order='C' or 'F', or the functions np.ravel and np.reshape, by their names",
        )
    return np.asarray(value).reshape(shape, order=order)[()]


def with_rank(value: Any, rank: int) -> Any:
    """The cotangent of an array that was given leading axes, without them."""
    return np.reshape(value, np.shape(value)[np.ndim(value) - rank :]) if np.ndim(value) > rank else value


def inverse_axes(axes: Any) -> tuple[int, ...] | None:
    """The permutation that undoes `np.transpose(x, axes)`.

    >>> inverse_axes((1, 2, 0))
    (2, 0, 1)
    """
    if axes is None or isinstance(axes, (int, np.integer)):  # the one axis of a vector
        return None
    order = [axis % len(axes) for axis in axes]
    return tuple(order.index(axis) for axis in range(len(order)))


def rolled_axes(rank: int, axis: int, start: int = 0) -> tuple[int, ...]:
    """The order of axes that `np.rollaxis` makes.

    >>> rolled_axes(4, 3, 1)
    (0, 3, 1, 2)
    """
    order = list(range(rank))
    moved = order.pop(axis)
    place = start + rank if start < 0 else start
    order.insert(place - (moved < place), moved)
    return tuple(order)


def block_parts(value: Any, arrays: Any) -> Any:
    """The transpose of `np.block`: the part of each array, nested as they are."""
    leaves = _block_leaves(arrays)
    places = np.block(_numbered(arrays, iter(np.cumsum([0, *map(np.size, leaves)]))))
    flat = np.zeros(sum(map(np.size, leaves)), float_dtype(value))
    flat[places] = value
    return _cut(flat, arrays, iter(np.cumsum([0, *map(np.size, leaves)])))


def _block_leaves(arrays: Any) -> list[Any]:
    if isinstance(arrays, list):
        return [leaf for one in arrays for leaf in _block_leaves(one)]
    return [arrays]


def _numbered(arrays: Any, starts: Iterator[Any]) -> Any:
    if isinstance(arrays, list):
        return [_numbered(one, starts) for one in arrays]
    return next(starts) + np.arange(np.size(arrays)).reshape(np.shape(arrays))


def _cut(flat: Array, arrays: Any, starts: Iterator[Any]) -> Any:
    if isinstance(arrays, list):
        return [_cut(flat, one, starts) for one in arrays]
    start = next(starts)
    return np.reshape(flat[start : start + np.size(arrays)], np.shape(arrays))[()]


def block_of_parts(parts: Any, arrays: Any) -> Any:
    """`np.block` with zeros for the symbolic zeros among the parts, of the shapes of these arrays."""
    return np.block(_without_symbols(parts, arrays))


def _without_symbols(parts: Any, arrays: Any) -> Any:
    if isinstance(arrays, list):
        given = [None] * len(arrays) if parts is None else parts
        return [_without_symbols(one, array) for one, array in zip(given, arrays, strict=True)]
    return np.zeros(np.shape(arrays)) if parts is None else parts


def choice_transpose(value: Any, a: Any, outlines: Shapes, mode: str = "raise") -> list[Any]:
    """The transpose of `np.choose` on choices of these shapes."""
    chosen = _chosen(a, len(outlines), mode)
    return [unbroadcast(np.where(chosen == place, value, 0), shape) for place, shape in enumerate(outlines)]


def _chosen(a: Any, count: int, mode: str) -> Any:
    if mode == "wrap":
        return np.mod(a, count)
    return np.clip(a, 0, count - 1) if mode == "clip" else np.asarray(a)


def choice_of_parts(parts: Sequence[Any], a: Any, outlines: Shapes, mode: str = "raise") -> Any:
    """The transpose of `choice_transpose`: `np.choose`, with zeros for the symbolic zeros."""
    pairs = zip(parts, outlines, strict=True)
    filled = [np.zeros(shape) if part is None else part for part, shape in pairs]
    return np.choose(a, filled, mode=mode)  # type: ignore[call-overload]


def unroll(value: Any, shift: Any, axis: Any = None) -> Any:
    """Undo `np.roll`."""
    return np.roll(value, np.negative(shift), axis)


def unbroadcast_each(values: Sequence[Any], outlines: Shapes) -> tuple[Any, ...]:
    """`unbroadcast` of every value that is not a symbolic zero."""
    pairs = zip(values, outlines, strict=True)
    return tuple(None if value is None else unbroadcast(value, shape) for value, shape in pairs)


def rebroadcast_each(values: Sequence[Any], outlines: Shapes) -> tuple[Any, ...]:
    """`rebroadcast` of every value that is not a symbolic zero."""
    pairs = zip(values, outlines, strict=True)
    return tuple(None if value is None else rebroadcast(value, shape) for value, shape in pairs)


def reshape_each(values: Any, outlines: Shapes) -> tuple[Any, ...]:
    """Each value in its shape; where there is one shape, `values` is the one value itself."""
    if len(outlines) == 1 and not isinstance(values, tuple | list):
        values = (values,)
    pairs = zip(values, outlines, strict=True)
    return tuple(None if value is None else np.reshape(value, shape) for value, shape in pairs)


def reshape_like(parts: Sequence[Any], model: Any) -> Any:
    """The transpose of `reshape_each`: the parts in the shapes of the model, or of its one array."""
    if not isinstance(model, tuple | list):
        return None if parts[0] is None else np.reshape(parts[0], np.shape(model))
    pairs = zip(parts, model, strict=True)
    return tuple(None if part is None else np.reshape(part, np.shape(one)) for part, one in pairs)


def _promoted(shape: Shape, promotion: str) -> Shape:
    """The shape that a stacking function gives its operand before it concatenates."""
    match promotion, len(shape):
        case ("", _) | ("rows", 2 | 3 | 4) | ("columns", 2 | 3 | 4):
            return shape
        case "flat", _:
            return (int(np.prod(shape)),)
        case "line", 0:
            return (1,)
        case "rows", 0 | 1:
            return (1, *(shape or (1,)))
        case "columns", 0 | 1:
            return (*(shape or (1,)), 1)
        case "depth", 0 | 1:
            return (1, *(shape or (1,)), 1)
        case "depth", 2:
            return (*shape, 1)
    return shape


def split_parts(value: Any, outlines: Shapes, axis: int | None = 0, promotion: str = "") -> list[Any]:
    """The transpose of concatenation: the part of `value` of each operand (views).

    `promotion` says what was done to the operands before: "flat", "line" (at least one axis),
    "rows", "columns", "depth".
    """
    if axis is None:
        axis, promotion = 0, "flat"
    before = (slice(None),) * (axis % np.ndim(value))
    parts, start = [], 0
    for shape in outlines:
        stop = start + _promoted(shape, promotion)[axis]
        part = value[(*before, slice(start, stop))]
        parts.append(part if part.shape == shape else np.reshape(part, shape))
        start = stop
    return parts


def join_parts(parts: Sequence[Any], outlines: Shapes, axis: int | None = 0, promotion: str = "") -> Any:
    """The transpose of `split_parts`: concatenation, with zeros for the symbolic zeros."""
    if axis is None:
        axis, promotion = 0, "flat"
    dtype = _common_dtype(parts)
    arrays = [
        np.zeros(shape, dtype) if part is None else np.asarray(part)
        for part, shape in zip(parts, outlines, strict=True)
    ]
    return np.concatenate([array.reshape(_promoted(array.shape, promotion)) for array in arrays], axis)


def _common_dtype(parts: Sequence[Any]) -> np.dtype[Any]:
    present = [part for part in parts if part is not None]
    return float_dtype(*present) if present else np.dtype(np.float64)


def line_axis(outlines: Shapes) -> int:
    """The axis that `np.hstack` joins operands of these shapes along."""
    return 0 if len(outlines[0]) <= 1 else 1


def unstack(value: Any, axis: int = 0) -> list[Any]:
    """The slices of `value` along the axis, as a list (views)."""
    return list(np.moveaxis(value, axis, 0))


def restack(parts: Sequence[Any], shape: Shape, axis: int = 0) -> Array:
    """The transpose of `unstack` on an array of this shape."""
    result = np.zeros(shape, _common_dtype(parts))
    moved = np.moveaxis(result, axis, 0)
    for place, part in enumerate(parts):
        if part is not None:
            moved[place] = part
    return result


def join_split(parts: Sequence[Any], shape: Shape, sections: Any, axis: int = 0) -> Array:
    """The transpose of `np.array_split` on an array of this shape."""
    result = np.zeros(shape, _common_dtype(parts))
    for place, part in zip(np.array_split(result, sections, axis), parts, strict=True):
        if part is not None:
            _refuse_other_pieces(place, part)
            place += part
    return result


def _refuse_other_pieces(place: Array, part: Any) -> None:
    if np.ndim(part) and np.shape(part) != place.shape:
        raise UnsupportedSyntaxError(
            "a nested list is split along an axis that is not the first.",
            why="NumPy divides the length of the outermost list, whatever the axis",
            instead="make an array of it before, by `np.asarray`",
        )


def unrepeat(value: Any, shape: Shape, repeats: Any, axis: int | None = None) -> Any:
    """The transpose of `np.repeat` on an array of this shape."""
    if axis is None or not shape:
        return np.reshape(unrepeat(value, (int(np.prod(shape)),), repeats, 0), shape)
    along = np.moveaxis(value, axis, 0)
    length = shape[axis]
    if np.size(repeats) == 1:
        count = int(np.reshape(repeats, ()))
        groups = along.reshape(length, count, *along.shape[1:])
        sums = (
            sum(groups[:, k] for k in range(1, count)) + groups[:, 0] if 0 < count <= FEW else groups.sum(1)
        )
    else:
        sums = _segment_sums(along, np.asarray(repeats))
    return np.moveaxis(sums, 0, axis)


FEW = 8
"""Up to how many elements are added up faster by adding arrays than along an axis."""


def _segment_sums(value: Array, lengths: Array) -> Array:
    result = np.zeros((len(lengths), *value.shape[1:]), value.dtype)
    filled = np.flatnonzero(lengths)
    if filled.size:
        starts = (np.cumsum(lengths) - lengths)[filled]
        result[filled] = np.add.reduceat(value, starts, axis=0)
    return result


def untile(value: Any, shape: Shape, reps: Any) -> Any:
    """The transpose of `np.tile` on an array of this shape."""
    counts = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    rank = max(len(counts), len(shape))
    counts = (1,) * (rank - len(counts)) + counts
    lengths = (1,) * (rank - len(shape)) + shape
    split = [number for pair in zip(counts, lengths, strict=True) for number in pair]
    return np.reshape(np.reshape(value, split).sum(tuple(range(0, 2 * rank, 2))), shape)[()]


def pad_transpose(value: Any, shape: Shape, pad_width: Any, mode: str = "constant") -> Any:
    """The transpose of `np.pad` on an array of this shape.

    Raises NotImplementedError for modes that are not a choice of elements.
    """
    for axis, length in enumerate(shape):
        value = _pad_transpose(value, pad_pairs(pad_width, len(shape))[axis], length, axis, mode)
    return value


def pad_pairs(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    if isinstance(pad_width, dict):
        width: Any = [(0, 0)] * rank
        for axis, pair in pad_width.items():
            width[axis] = (pair, pair) if np.ndim(pair) == 0 else tuple(pair)
        return list(width)
    return [(int(low), int(high)) for low, high in np.broadcast_to(pad_width, (rank, 2))]


def _pad_transpose(value: Array, pair: tuple[int, int], length: int, axis: int, mode: str) -> Array:
    along = np.moveaxis(value, axis, 0)
    if mode in ("constant", "empty"):
        return np.moveaxis(along[pair[0] : pair[0] + length], 0, axis)
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise NotImplementedError(f"np.pad(..., mode={mode!r}) has no gradient here")
    low, high = pair
    result = np.array(along[low : low + length])
    numbers = np.pad(np.arange(length), pair, mode)  # type: ignore[call-overload]
    outside = [*range(low), *range(low + length, low + length + high)]
    if len(outside) > WIDE:
        np.add.at(result, numbers[outside], along[outside])
        outside = []
    for place in outside:
        result[numbers[place]] += along[place]
    return np.moveaxis(result, 0, axis)


def pad_constant(value: Any, shape: Shape, pad_width: Any, mode: str, constant: Shape) -> Any:
    """The cotangent of a scalar `constant_values` (of shape `constant`) in `np.pad`."""
    if mode != "constant":
        return 0.0
    if constant:
        raise NotImplementedError("np.pad: only a scalar constant_values has a gradient")
    return np.sum(value) - np.sum(pad_transpose(value, shape, pad_width))


def pad_around(value: Any, shape: Shape, pad_width: Any, mode: str) -> Any:
    """The transpose of `pad_constant`: `value` around a hole of this shape."""
    hole = np.zeros(shape, float_dtype(value))
    return np.pad(hole, pad_width, constant_values=value if mode == "constant" else 0)


def take_transpose(
    value: Any, shape: Shape, indices: Any, axis: int | None = None, mode: str = "raise"
) -> Any:
    """The transpose of `np.take` on an array of this shape."""
    flat = axis is None
    lengths = (int(np.prod(shape)),) if flat or not shape else shape
    along = 0 if axis is None else axis % len(lengths)
    chosen = np.asarray(indices)
    if mode != "raise":
        last = lengths[along]
        chosen = chosen % last if mode == "wrap" else np.clip(chosen, 0, last - 1)
    result = np.zeros(lengths, float_dtype(value))
    before = (slice(None),) * along
    if chosen.ndim == 1 and np.size(value) > WIDE * chosen.size:
        for place, one in enumerate(chosen.tolist()):
            result[(*before, one)] += value[(*before, place)]
    elif np.size(value):
        add_at(result, (*before, chosen), value)
    return np.reshape(result, shape)


WIDE = 64
"""From how many elements on parts of an array are added faster one by one."""


def take_along_transpose(value: Any, shape: Shape, indices: Any, axis: int | None = -1) -> Any:
    """The transpose of `np.take_along_axis` on an array of this shape."""
    if axis is None:
        return take_transpose(value, shape, indices)
    result = np.zeros(shape, float_dtype(value))
    np.add.at(result, _along_index(shape, indices, axis % len(shape)), value)
    return result


def _along_index(shape: Shape, indices: Any, axis: int) -> tuple[Any, ...]:
    grid = np.ogrid[tuple(slice(length) for length in shape)]
    return tuple(indices if one == axis else grid[one] for one in range(len(shape)))


def meshgrid_transpose(
    values: Sequence[Any], outlines: Shapes, sparse: bool = False, indexing: str = "xy"
) -> tuple[Any, ...]:
    """The transpose of `np.meshgrid` on operands of these shapes."""
    return tuple(
        _grid_transpose(value, shape, _grid_axis(place, len(outlines), indexing))
        for place, (value, shape) in enumerate(zip(values, outlines, strict=True))
    )


def _grid_axis(place: int, count: int, indexing: str) -> int:
    return 1 - place if indexing == "xy" and count > 1 and place < 2 else place


def _grid_transpose(value: Any, shape: Shape, axis: int) -> Any:
    if value is None:
        return None
    others = tuple(one for one in range(np.ndim(value)) if one != axis)
    return np.reshape(np.sum(value, axis=others), shape)


def meshgrid_tangent(
    values: Sequence[Any], outlines: Shapes, sparse: bool = False, indexing: str = "xy"
) -> tuple[Any, ...]:
    """`np.meshgrid` of operands of these shapes, some of which may be symbolic zeros."""
    pairs = zip(values, outlines, strict=True)
    filled = [np.zeros(shape) if value is None else value for value, shape in pairs]
    return tuple(np.meshgrid(*filled, sparse=sparse, indexing=indexing))  # type: ignore[call-overload]
