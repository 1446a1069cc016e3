"""Transposes of products of arrays. Each product is bilinear: `left` gives what comes back to the
first operand, `right` to the second; complex operands are conjugated by the rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Shape, unbroadcast

Array = np.ndarray[Any, Any]
Pair = tuple[tuple[int, ...], tuple[int, ...]]


def swapped(x: Any) -> Any:
    """The matrices of a stack, transposed (a view)."""
    return np.swapaxes(x, -1, -2)


def _turned(x: Any) -> Any:
    """The transpose of a matrix, which may be a list of its rows."""
    return x.T if isinstance(x, np.ndarray) else np.transpose(x)


def matmul_left(value: Any, b: Any, shape: Shape) -> Any:
    """What comes back to `a`, of this shape, in `a @ b`."""
    rank, rank_b = len(shape), np.ndim(b)
    if rank == 2 and rank_b == 2:
        return np.matmul(value, _turned(b))
    if rank_b == 1:
        return np.asarray(value)[..., None] * b
    if rank == 1:
        return unbroadcast(np.matmul(b, np.expand_dims(value, -1))[..., 0], shape)
    if rank == 2:
        return _contract_stack(value, b, -1)
    return unbroadcast(np.matmul(value, swapped(b)), shape)


def matmul_right(value: Any, a: Any, shape: Shape) -> Any:
    """What comes back to `b`, of this shape, in `a @ b`."""
    rank, rank_a = len(shape), np.ndim(a)
    if rank == 2 and rank_a == 2:
        return np.matmul(_turned(a), value)
    if rank_a == 1:
        return _outer_to(a, value, shape)
    if rank == 1 and rank_a == 2:
        return np.matmul(value, a)
    if rank == 1:
        return np.matmul(np.reshape(value, -1), np.reshape(a, (np.size(value), shape[0])))
    if rank == 2:
        return _contract_stack(a, value, -2)
    return unbroadcast(np.matmul(swapped(a), value), shape)


def _outer_to(a: Array, value: Any, shape: Shape) -> Any:
    if len(shape) == 1:
        return value * a
    return np.expand_dims(a, -1) * np.expand_dims(value, -2)


def _contract_stack(a: Any, b: Any, axis: int) -> Any:
    """Sum over the stack of a @ b.T (axis -1) or a.T @ b (axis -2), without the stack of products."""
    shape = np.broadcast_shapes(np.shape(a)[:-2], np.shape(b)[:-2])
    stack = tuple(range(len(shape)))
    a = np.broadcast_to(a, shape + np.shape(a)[-2:])
    b = np.broadcast_to(b, shape + np.shape(b)[-2:])
    axes = (*stack, len(shape) + 2 + axis)
    return np.tensordot(a, b, (axes, axes))


def dot_left(value: Any, b: Any, shape: Shape) -> Any:
    """What comes back to `a`, of this shape, in `np.dot(a, b)`."""
    rank_b = np.ndim(b)
    if not shape or not rank_b:
        return unbroadcast(value * b, shape)
    if rank_b <= 2:
        return matmul_left(value, b, shape) if len(shape) <= 2 else _by_columns(value, b)
    lead = len(shape) - 1
    others = (*range(rank_b - 2), rank_b - 1)
    return np.tensordot(value, b, (tuple(range(lead, np.ndim(value))), others))


def _by_columns(value: Any, b: Any) -> Any:
    return np.matmul(value, _turned(b)) if np.ndim(b) == 2 else np.expand_dims(value, -1) * b


def dot_right(value: Any, a: Any, shape: Shape) -> Any:
    """What comes back to `b`, of this shape, in `np.dot(a, b)`."""
    rank_a = np.ndim(a)
    if not shape or not rank_a:
        return unbroadcast(value * a, shape)
    if rank_a <= 2 and len(shape) <= 2:
        return matmul_right(value, a, shape)
    axes = tuple(range(rank_a - 1))
    back = np.tensordot(a, value, (axes, axes))
    return np.moveaxis(back, 0, -2) if len(shape) > 1 else back


def inner_left(value: Any, b: Any, shape: Shape) -> Any:
    """What comes back to `a`, of this shape, in `np.inner(a, b)`."""
    if not shape or not np.ndim(b):
        return unbroadcast(value * b, shape)
    lead = len(shape) - 1
    return np.tensordot(value, b, (tuple(range(lead, np.ndim(value))), tuple(range(np.ndim(b) - 1))))


def inner_right(value: Any, a: Any, shape: Shape) -> Any:
    """What comes back to `b`, of this shape, in `np.inner(a, b)`."""
    if not shape or not np.ndim(a):
        return unbroadcast(value * a, shape)
    axes = tuple(range(np.ndim(a) - 1))
    return np.tensordot(value, a, (axes, axes))


def contracted_axes(axes: Any, rank_a: int, rank_b: int) -> Pair:
    """The `axes` of `np.tensordot` as two tuples of axes that are not negative.

    >>> contracted_axes(1, 2, 3)
    ((1,), (0,))
    """
    if np.ndim(axes) == 0 and not isinstance(axes, tuple | list):
        count = int(axes)
        return tuple(range(rank_a - count, rank_a)), tuple(range(count))
    of_a, of_b = axes
    return _positive(of_a, rank_a), _positive(of_b, rank_b)


def _positive(axes: Any, rank: int) -> tuple[int, ...]:
    return tuple(int(axis) % rank for axis in ((axes,) if np.ndim(axes) == 0 else axes))


def _others(axes: tuple[int, ...], rank: int) -> tuple[int, ...]:
    return tuple(axis for axis in range(rank) if axis not in axes)


def tensordot_left(value: Any, b: Any, shape: Shape, axes: Any = 2) -> Any:
    """What comes back to `a`, of this shape, in `np.tensordot(a, b, axes)`."""
    of_a, of_b = contracted_axes(axes, len(shape), np.ndim(b))
    free_a, free_b = _others(of_a, len(shape)), _others(of_b, np.ndim(b))
    back = np.tensordot(value, b, (tuple(range(len(free_a), np.ndim(value))), free_b))
    order = free_a + tuple(of_a[of_b.index(axis)] for axis in sorted(of_b))
    return np.transpose(back, np.argsort(order))


def tensordot_right(value: Any, a: Any, shape: Shape, axes: Any = 2) -> Any:
    """What comes back to `b`, of this shape, in `np.tensordot(a, b, axes)`."""
    of_a, of_b = contracted_axes(axes, np.ndim(a), len(shape))
    free_a, free_b = _others(of_a, np.ndim(a)), _others(of_b, len(shape))
    back = np.tensordot(a, value, (free_a, tuple(range(len(free_a)))))
    order = tuple(of_b[of_a.index(axis)] for axis in sorted(of_a)) + free_b
    return np.transpose(back, np.argsort(order))


def _interleaved(value: Any, shape_a: Shape, shape_b: Shape) -> tuple[Array, Shape, Shape]:
    """A Kronecker product split in the axes of a (even) and b (odd), with the ranks made equal."""
    rank = max(len(shape_a), len(shape_b))
    shape_a = (1,) * (rank - len(shape_a)) + shape_a
    shape_b = (1,) * (rank - len(shape_b)) + shape_b
    split = [length for pair in zip(shape_a, shape_b, strict=True) for length in pair]
    return np.reshape(value, split), shape_a, shape_b


def kron_left(value: Any, b: Any, shape: Shape) -> Any:
    """What comes back to `a`, of this shape, in `np.kron(a, b)`."""
    split, _, shape_b = _interleaved(value, shape, np.shape(b))
    rank = len(shape_b)
    odd = tuple(range(1, 2 * rank, 2))
    back = np.tensordot(split, np.reshape(b, shape_b), (odd, tuple(range(rank))))
    return np.reshape(back, shape)[()]


def kron_right(value: Any, a: Any, shape: Shape) -> Any:
    """What comes back to `b`, of this shape, in `np.kron(a, b)`."""
    split, shape_a, _ = _interleaved(value, np.shape(a), shape)
    rank = len(shape_a)
    even = tuple(range(0, 2 * rank, 2))
    back = np.tensordot(split, np.reshape(a, shape_a), (even, tuple(range(rank))))
    return np.reshape(back, shape)[()]
