"""Calls of the array functions that have rules, in every form that a rule names.

Each entry is (function, positional arguments, keyword arguments). Numbers are distinct and not zero,
away from kinks and ties, so that numerical derivatives exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.rules import (
    decomposition_calls,
    fourier_calls,
    keyword_calls,
    reduction_calls,
    scipy_calls,
    scipy_fourier_calls,
    scipy_matrix_calls,
    selection_calls,
)
from tests.rules.calls import Call, array, call, hermitian, square
from zygpy.runtime import helpers as h
from zygpy.runtime import layouts, methods

AXES: tuple[dict[str, Any], ...] = (
    {},
    {"axis": 0},
    {"axis": -1},
    {"axis": (0, 2)},
    {"axis": (-1, 0)},
    {"keepdims": True},
    {"axis": 1, "keepdims": True},
    {"axis": (0, 1), "keepdims": True},
)


def reductions() -> Iterator[Call]:
    x = array(2, 3, 4)
    reducing = (
        np.sum, np.mean, np.prod, np.max, np.min, np.var, np.std, np.ptp, np.median,
        np.nansum, np.nanmean, np.nanmax, np.nanmin, np.average,
    )  # fmt: skip
    for function in reducing:
        for keywords in AXES:
            yield call(function, x, **keywords)
        yield call(function, array(3), axis=0)
        yield call(function, array(5))
        yield call(function, np.float64(1.5))
    for function in (np.sum, np.mean, np.prod, np.var, np.std, np.nansum, np.nanmean):
        yield call(function, x, dtype=np.float64)
    for function in (np.var, np.std):
        yield call(function, x, ddof=1)
        yield call(function, x, axis=(0, 2), ddof=1.5, keepdims=True)
    yield call(np.sum, [1.0, 2.0])
    zeros = np.array([[0.0, 2.0, 3.0], [0.0, 1.5, 0.0], [1.0, 2.0, -3.0]])
    for axis in (None, 0, 1):
        yield call(np.prod, zeros, axis=axis)
        yield call(np.cumprod, zeros, axis=axis)
    holes = np.array([[np.nan, 2.0, 3.0], [1.0, np.nan, -1.0]])
    for function in (np.nansum, np.nanmean, np.nanmax, np.nanmin):
        for axis in (None, 0, 1):
            yield call(function, holes, axis=axis)
    yield call(np.average, x, weights=np.abs(array(2, 3, 4, start=9)) + 0.5)
    yield call(np.average, x, weights=np.abs(array(2, 3, 4, start=9)) + 0.5, axis=1)
    yield call(np.average, x, weights=np.abs(array(3)) + 0.5, axis=1, keepdims=True)
    yield call(np.average, x, weights=np.abs(array(2, 4)) + 0.5, axis=(0, 2))
    yield call(np.average, x, weights=np.abs(array(4, 2)) + 0.5, axis=(2, 0))


def scans() -> Iterator[Call]:
    x = array(2, 3, 4)
    for function in (np.cumsum, np.cumprod):
        for axis in (None, 0, 1, -1):
            yield call(function, x, axis=axis)
        yield call(function, x, dtype=np.float64)
        yield call(function, np.float64(1.5))
    for n in (0, 1, 2, 3, 5):
        yield call(np.diff, x, n=n)
        yield call(np.diff, x, n, 1)
    yield call(np.ediff1d, x)
    for axis in (0, 1, -1):
        yield call(np.trapezoid, x, axis=axis)
        yield call(np.trapezoid, x, dx=0.3, axis=axis)
        yield call(np.trapezoid, x, array(x.shape[axis]), axis=axis)
        yield call(np.trapezoid, x, array(2, 3, 4, start=30), axis=axis)


def shapes() -> Iterator[Call]:
    x, m = array(2, 3, 4), array(3, 4)
    yield call(np.reshape, x, (4, -1))
    yield call(np.reshape, x, 24)
    yield call(np.reshape, x, (6, 4), order="F")
    if hasattr(np, "unstack"):  # since NumPy 2.1 it may be given by its name
        yield call(np.reshape, x, shape=(6, 4), order="F")
    yield call(np.ravel, x)
    yield call(np.ravel, x.T, order="F")
    yield call(layouts.reshaped, x, (6, 4), "F")
    yield call(np.transpose, x)
    yield call(np.transpose, x, (2, 0, 1))
    yield call(np.transpose, x, axes=(-1, 0, 1))
    yield call(np.matrix_transpose, x)
    yield call(np.swapaxes, x, 0, -1)
    yield call(np.moveaxis, x, 0, -1)
    yield call(np.moveaxis, x, (0, 1), (-1, 0))
    yield call(np.squeeze, array(1, 3, 1))
    yield call(np.squeeze, array(1, 3, 1), axis=0)
    yield call(np.expand_dims, m, 1)
    yield call(np.expand_dims, m, axis=(0, -1))
    yield call(np.broadcast_to, m, (2, 3, 4))
    yield call(np.broadcast_to, array(3, 1), shape=(3, 4))
    yield call(np.broadcast_to, 1.5, (3,))
    yield call(np.broadcast_arrays, array(3, 1), array(4), 1.5)
    for function in (np.atleast_1d, np.atleast_2d, np.atleast_3d):
        for value in (1.5, array(3), m, x):
            yield call(function, value)
        yield call(function, 1.5, array(3), m)
    for name in ("flip", "fliplr", "flipud", "rot90", "roll"):
        yield call(getattr(np, name), x, *((1,) if name == "roll" else ()))
    yield call(np.flip, x, 1)
    yield call(np.flip, x, axis=(0, 2))
    yield call(np.rot90, x, 2)
    yield call(np.rot90, x, k=-1, axes=(1, 2))
    yield call(np.roll, x, -2, axis=1)
    yield call(np.roll, x, (1, 2), axis=(0, 2))


def joining() -> Iterator[Call]:
    x, m = array(2, 3, 4), array(3, 4)
    yield call(np.concatenate, [m, array(2, 4, start=20)])
    yield call(np.concatenate, (m, array(3, 1, start=20), array(3, 2, start=30)), axis=-1)
    yield call(np.concatenate, [m, array(5, start=20)], axis=None)
    for axis in (0, 1, -1):
        yield call(np.stack, [m, array(3, 4, start=20)], axis=axis)
    yield call(np.stack, (1.5, 2.5))
    for function in (np.vstack, np.hstack, np.column_stack, np.dstack):
        yield call(function, [m, array(3, 4, start=20)])
        yield call(function, (array(4), array(4, start=20)))
        yield call(function, (x, array(2, 3, 4, start=40)))
    yield call(np.vstack, [m, array(4)])
    yield call(np.hstack, [array(2), array(3), 1.5])
    yield call(np.column_stack, [array(3), m])
    yield call(np.append, m, array(2, 4), axis=0)
    yield call(np.append, m, 2.5)
    for sections in (2, [1, 3], [3, 1]):
        yield call(np.array_split, x, sections, axis=-1)
    yield call(np.array_split, x, 2, 1)
    yield call(np.split, x, 2, axis=-1)
    yield call(np.vsplit, x, 2)
    yield call(np.hsplit, x, 3)
    yield call(np.hsplit, array(4), 2)
    yield call(np.dsplit, x, [1])
    yield call(np.meshgrid, array(3), array(2))
    yield call(np.meshgrid, array(3), array(2), indexing="ij", sparse=True)
    yield call(np.meshgrid, array(3), array(2), 1.5)
    yield call(np.meshgrid, array(3))


def repeating() -> Iterator[Call]:
    x, m = array(2, 3, 4), array(3, 4)
    yield call(np.repeat, m, 2)
    yield call(np.repeat, m, 2, axis=1)
    yield call(np.repeat, m, [2, 0, 3], axis=0)
    yield call(np.repeat, array(3), [0, 0, 1])
    yield call(np.repeat, 1.5, 3)
    for reps in (2, (2, 3), (2, 1, 3), (1, 2, 1, 2)):
        yield call(np.tile, m, reps)
    yield call(np.tile, 1.5, 3)
    for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
        yield call(np.pad, m, 2, mode=mode)
        yield call(np.pad, m, ((1, 2), (0, 3)), mode)
    yield call(np.pad, m, (1, 2), constant_values=1.5)
    if hasattr(np, "matvec"):  # since NumPy 2.2 it takes a dict
        yield call(np.pad, array(3), {0: (1, 2)})
    for indices in (1, [0, 2, 2, -1], np.array([[0, 1], [1, 1]])):
        yield call(np.take, m, indices)
        yield call(np.take, m, indices, axis=0)
        yield call(np.take, x, indices, axis=-1)
    yield call(np.take, m, [5, -1], axis=0, mode="wrap")
    yield call(np.take, m, [5, -1], axis=0, mode="clip")
    yield call(np.take_along_axis, m, np.argsort(m, axis=1), axis=1)
    yield call(np.take_along_axis, m, np.array([[0, 0, 2, 1]]), axis=0)
    yield call(np.take_along_axis, m, np.array([5, 5, 0]), axis=None)
    yield call(np.compress, [True, False, True], m, axis=0)
    yield call(np.compress, [True, False, True], m)
    yield call(np.extract, m > 0, m)


def diagonals() -> Iterator[Call]:
    x = array(2, 3, 4)
    for k in (0, 1, -1):
        for m in (array(3, 4), array(4, 3), array(3)):
            yield call(np.diag, m, k)
            yield call(np.diagflat, m, k)
            yield call(np.triu, m, k)
            yield call(np.tril, m, k)
        yield call(np.diagonal, x, k)
        yield call(np.diagonal, x, offset=k, axis1=2, axis2=1)
        yield call(np.trace, x, k)
        yield call(np.trace, x, offset=k, axis1=2, axis2=0)
    yield call(np.triu, x)
    yield call(np.trace, array(3, 3))
    yield call(np.diagonal, x, 7)


def creation() -> Iterator[Call]:
    m = array(3, 4)
    yield call(np.full, (2, 3), 1.5)
    yield call(np.full, (2, 3), array(3), dtype=np.float64)
    yield call(np.full_like, m, 1.5)
    yield call(np.full_like, m, array(4), dtype=float)
    for function in (np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray):
        yield call(function, m)
        yield call(function, [1.5, 2.5])
        yield call(function, [[1.5, 2.5], (array(2), [0.5, 0.1])][1])
        yield call(function, [array(2), [3.5, 1.5]], dtype=float)
        yield call(function, 1.5)
    yield call(np.array, m, copy=True)
    yield call(np.array, m, copy=None, order="F", subok=True, ndmin=4)
    yield call(np.array, [1.5, 2.5], ndmin=2)
    yield call(np.asarray, m, order="F")
    yield call(np.copy, m)
    yield call(np.from_dlpack, m)
    yield call(np.from_dlpack, m, copy=True)
    yield call(np.arange, 0.5, 3.2, 0.7)
    yield call(np.arange, 0.5, 3.2)
    for endpoint in (True, False):
        yield call(np.linspace, 0.5, 2.5, 5, endpoint=endpoint)
        yield call(np.linspace, array(3), 2.5, num=4, endpoint=endpoint, axis=-1)
        yield call(np.linspace, array(3), array(2, 3), 4, endpoint)
        yield call(np.linspace, array(3), 2.5, 4, endpoint, dtype=np.float64)
        yield call(np.logspace, 0.5, 1.5, 4, endpoint=endpoint, base=3.0)
        yield call(np.geomspace, 0.5, 2.5, 4, endpoint=endpoint)
    for count in (1, 2, 5, 6):
        yield call(np.kaiser, count, 2.5)
    yield call(np.vander, array(3))
    yield call(np.vander, array(3), N=5)
    yield call(np.vander, array(3), N=1)


def sorting() -> Iterator[Call]:
    x = array(2, 3, 4)
    yield call(np.bincount, [2, 0, 2, 5], array(4))
    yield call(np.bincount, np.array([1, 1]), weights=array(2), minlength=4)
    for axis in (-1, 0, None):
        yield call(np.sort, x, axis=axis)
    knots, heights = np.array([0.0, 0.7, 1.5, 3.0]), array(4)
    yield call(np.interp, np.array([-1.0, 0.3, 0.4, 2.5, 5.0]), knots, heights)
    yield call(np.interp, 1.1, knots, heights)
    yield call(np.interp, np.array([[1.1], [2.0]]), knots, heights)
    outside = np.array([-1.0, -0.4, 0.3, 2.5, 5.0])
    for keywords in ({"left": 1.5}, {"right": -0.5}, {"left": 1.5, "right": -0.5}):
        yield call(np.interp, outside, knots, heights, **keywords)
    for mode in ("full", "same", "valid"):
        for a, v in ((5, 3), (5, 2), (5, 4), (3, 5), (2, 5), (4, 5), (3, 3), (1, 1)):
            yield call(np.convolve, array(a), array(v, start=7), mode)
            yield call(np.correlate, array(a), array(v, start=7), mode=mode)
    for points in (1.5, array(3), array(2, 3)):
        yield call(np.polyval, array(4), points)
    yield call(np.polyval, array(1), array(3))


RANKS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (6, 3, 4)),
    ((6, 2, 3), (5, 1, 3, 4)),
    ((6, 5, 2, 3), (3, 4)),
    ((2, 3), (6, 5, 3, 4)),
)


def products() -> Iterator[Call]:
    for a, b in RANKS:
        yield call(np.matmul, array(*a), array(*b, start=50))
        yield call(np.dot, array(*a), array(*b, start=50))
        yield call(np.inner, array(*a), np.swapaxes(array(*b, start=50), -1, max(-2, -len(b))))
    for function in (np.dot, np.inner, np.kron, np.outer):
        yield call(function, 1.5, array(3))
        yield call(function, array(2, 3), 1.5)
        yield call(function, 1.5, 2.5)
    for a, b in (((2,), (3,)), ((2, 3), (3, 2)), ((2, 3), (4,)), ((4,), (2, 3)), ((2, 3, 2), (2, 2))):
        yield call(np.kron, array(*a), array(*b, start=50))
        yield call(np.outer, array(*a), array(*b, start=50))
    yield call(np.vdot, array(2, 3), array(3, 2, start=50))
    yield call(np.vecdot, array(2, 3), array(3, start=50))
    yield call(np.vecdot, array(3, 2), array(3, 2, start=50), axis=0)
    x, z = array(2, 3, 4), array(4, 3, 5, start=50)
    yield call(np.tensordot, x, array(3, 4, 2, start=50))
    yield call(np.tensordot, x, z, 1)
    yield call(np.tensordot, array(3), array(2), 0)
    yield call(np.tensordot, x, z, axes=([1, 2], [1, 0]))
    yield call(np.tensordot, x, z, axes=((-1, 1), (0, 1)))
    yield call(np.tensordot, x, z, axes=(1, 1))
    yield call(np.tensordot, x, array(4, 2, 3, start=50), axes=([2, 0, 1], [0, 1, 2]))
    yield call(np.cross, array(3), array(3, start=9))
    yield call(np.cross, array(2, 3), array(3, start=9))
    yield call(np.cross, array(3), array(4, 2, 3, start=9))
    yield call(np.cross, array(3, 2), array(3, 2, start=9), axis=0)
    yield call(np.cross, array(3, 2), array(2, 3, start=9), axisa=0)
    yield call(np.cross, array(3, 2), array(2, 3, start=9), 0, -1, 0)
    yield call(np.cross, array(1, 3), array(4, 3, start=9))


def einsums() -> Iterator[Call]:
    m, v, x = array(3, 4), array(4, start=20), array(2, 3, 4, start=30)
    s = array(3, 3)
    for subscripts, operands in (
        ("ij,j->i", (m, v)),
        ("ij,j", (m, v)),
        ("i,i", (v, v + 1)),
        ("i,j->ij", (v, array(2))),
        ("ij->ji", (m,)),
        ("ij->", (m,)),
        ("ij->j", (m,)),
        ("ii->i", (s,)),
        ("ii", (s,)),
        ("iij->j", (array(3, 3, 2),)),
        ("ii,ij->j", (s, m)),
        ("...j,j->...", (x, v)),
        ("...ij,...jk->...ik", (array(5, 1, 2, 3), array(6, 3, 4))),
        ("...ij,kj", (x, array(5, 4))),
        ("bij, jk, kl -> bil", (x, array(4, 2), array(2, 3))),
        ("ij,kl->", (m, array(2, 2))),
        ("i...->...", (x,)),
        ("ij,ij,ij->i", (m, m + 1, m - 1)),
    ):
        yield call(np.einsum, subscripts, *operands)
    yield call(np.einsum, "ij,jk,kl->il", m, m.T, m, optimize=True)


def matrices() -> Iterator[Call]:
    a, stack = square(3, 3), square(2, 3, 3)
    for matrix in (a, stack, square(1, 1)):
        yield call(np.linalg.inv, matrix)
        yield call(np.linalg.det, matrix)
        yield call(np.linalg.slogdet, matrix)
        yield call(np.linalg.slogdet, -matrix)
        for n in (0, 1, 2, 5, -1, -2):
            yield call(np.linalg.matrix_power, matrix, n)
    yield call(np.linalg.det, np.array([[1.0, 2.0], [2.0, 4.0]]))
    yield call(np.linalg.det, np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 0.5]))
    yield call(np.linalg.det, np.zeros((2, 2)))
    for matrix, right in (
        (a, array(3)),
        (a, array(3, 2)),
        (stack, array(3)),
        (stack, array(2, 3, 1)),
        (a, array(2, 3, 2)),
        (square(5, 1, 3, 3), array(2, 3, 2)),
    ):
        yield call(np.linalg.solve, matrix, right)
    for matrix in (hermitian(3, 3), hermitian(2, 3, 3)):
        yield call(np.linalg.cholesky, matrix)
        for letter in "LU":
            yield call(np.linalg.eigvalsh, matrix, letter)
            yield call(np.linalg.eigh, matrix, UPLO=letter)


def norms() -> Iterator[Call]:
    x, v = array(2, 3, 4), array(5)
    x = x + np.sign(x)
    yield call(np.linalg.norm, x)
    yield call(np.linalg.norm, v)
    yield call(np.linalg.norm, x[0], "fro")
    yield call(np.linalg.norm, x, axis=(0, 2))
    yield call(np.linalg.norm, x, "fro", (1, 2), True)
    for order in (None, 1, 2, 3, 2.5, 0.5, -1, -2, 0, np.inf, -np.inf):
        yield call(np.linalg.norm, v, order)
        yield call(np.linalg.norm, x, order, axis=1)
        yield call(np.linalg.norm, x, ord=order, axis=-1, keepdims=True)


def method_calls() -> Iterator[Call]:
    x = array(2, 3, 4)
    yield call(methods.reshape, x, 4, 6)
    yield call(methods.view, x)
    if hasattr(np.ndarray, "to_device"):
        yield call(methods.to_device, x, "cpu")
    yield call(methods.reshape, x, (4, 6), order="F")
    yield call(methods.transpose, x)
    yield call(methods.transpose, x, None)
    yield call(methods.transpose, x, 2, 0, 1)
    yield call(methods.transpose, x, (2, 0, 1))
    yield call(methods.flatten, x)
    yield call(methods.flatten, x, "F")
    yield call(methods.copy, x)
    yield call(methods.astype, x, np.float64)
    yield call(np.astype, x, np.float64)
    yield call(methods.item, np.array([1.5]))
    yield call(methods.item, x, 7)
    yield call(methods.item, x, -1)
    yield call(methods.item, x, 1, 2, 3)
    yield call(methods.item, x, (1, 2, 3))
    yield call(methods.tolist, x)
    yield call(methods.tolist, np.array(1.5))
    yield call(methods.compress, x, [True, False, True], axis=1)


def helper_calls() -> Iterator[Call]:
    """The run-time helpers: their rules make second derivatives."""
    x, m, v = array(2, 3, 4), array(3, 4), array(4)
    yield call(h.unbroadcast, x, (3, 1))
    yield call(h.unbroadcast, x, ())
    yield call(h.unbroadcast, 1.5, (2, 3))
    yield call(h.unbroadcast, v, (3, 1))
    yield call(h.rebroadcast, array(3, 1), (2, 3, 4))
    for keywords in AXES:
        yield call(h.unreduce, np.sum(x, **keywords), x.shape, **keywords)
        yield call(h.rereduce, x, **keywords)
    for axis in (None, 0, -1, (0, 2), (2, 0)):
        yield call(h.merge_axes, x, axis)
        yield call(h.unmerge_axes, h.merge_axes(x, axis), x.shape, axis)
        yield call(h.products_of_others, x, axis)
        places = h.max_positions(x, axis)
        yield call(h.take_positions, x, places, axis)
        yield call(h.take_positions, x, places, axis, True)
        yield call(h.put_positions, np.max(x, axis=axis), places, x.shape, axis)
        yield call(h.put_positions, np.max(x, axis=axis, keepdims=True), places, x.shape, axis, True)
        yield call(h.spread_norm, np.max(x, axis=axis), x, np.inf, axis)
        yield call(h.gather_norm, x, x, -np.inf, axis, True)
        yield call(h.spread_norm, np.max(x, axis=axis), x, 2, axis)
        yield call(h.gather_norm, x, x, 2, axis)
    yield call(h.spread_weights, array(4, 2), x.shape, (2, 0))
    yield call(h.gather_weights, x, (4, 2), (2, 0))
    yield call(h.spread_weights, x, x.shape, None)
    yield call(h.quotient, m, array(4, start=9))
    yield call(h.quotient, 1.5, 2.5)
    yield call(h.cast_back, m, None)
    yield call(h.as_real_as, m, np.dtype(float))
    yield call(h.as_real_as, m, np.dtype(complex))
    yield call(h.products_before, m)
    yield call(h.products_after, m)
    yield call(h.products_of_others, np.array([0.0, 2.0, 0.0, 3.0]))
    for axis, places in ((0, [0, 2]), (1, [1, 3, 1]), (1, [2, 2, 0])):
        yield call(h.added_in_pieces, m, places, axis)
        pieces = (len(places), 4) if axis == 0 else (3, len(places))
        yield call(h.spread_over_pieces, array(*pieces), (3, 4), places, axis)
    yield call(h.recur_down, m, array(3, 4, start=30))
    yield call(h.recur_up, m, array(3, 4, start=30))
    yield call(h.shift_left, m)
    yield call(h.shift_right, m)
    for axis in (None, 0, 1):
        yield call(h.reverse_cumsum, np.cumsum(m, axis), m.shape, axis)
    for n in (0, 1, 2, 9):
        yield call(h.diff_transpose, np.diff(m, n), m.shape, n)
    for axis in (0, 1):
        yield call(h.sum_pairs, m, axis)
        yield call(h.sum_pairs_transpose, h.sum_pairs(m, axis), m.shape, axis)
        yield call(h.widths, m, 1.5, axis, 2)
        yield call(h.widths, array(m.shape[axis]), 1.5, axis, 2)
        yield call(h.widths_transpose, np.diff(m, axis=axis), (m.shape[axis],), axis)
        yield call(h.widths_transpose, np.diff(m, axis=axis), m.shape, axis)
    yield call(h.widths, None, 1.5, -1, 2)
    yield from helper_calls_on_shapes()
    yield from helper_calls_on_indices()
    yield from helper_calls_on_products()
    yield from helper_calls_on_matrices()
    yield from helper_calls_on_samples()


def helper_calls_on_shapes() -> Iterator[Call]:
    x, m = array(2, 3, 4), array(3, 4)
    yield call(h.reshape_back, m, (2, 6), "F")
    yield call(h.with_rank, array(1, 1, 3, 4), 2)
    yield call(h.unroll, m, (1, 2), (0, 1))
    yield call(h.unbroadcast_each, (m, x), ((4,), (3, 1)))
    yield call(h.rebroadcast_each, (array(4), array(3, 1)), ((3, 4), (2, 3, 4)))
    yield call(h.reshape_each, (m, x), ((12,), (6, 4)))
    yield call(h.reshape_each, m, ((12,),))
    yield call(h.reshape_like, (array(12), array(6, 4)), (m, x))
    yield call(h.reshape_like, (array(12),), m)
    outlines = ((3, 1), (3, 3))
    yield call(h.split_parts, m, outlines, 1)
    yield call(h.join_parts, (array(3, 1), array(3, 3)), outlines, 1)
    yield call(h.split_parts, m, ((4,), (2, 4)), 0, "rows")
    yield call(h.join_parts, [array(4), array(2, 4)], ((4,), (2, 4)), 0, "rows")
    yield call(h.split_parts, array(5), ((), (2, 2)), None)
    yield call(h.unstack, x, 1)
    yield call(h.restack, [m, m + 1], (3, 2, 4), 1)
    yield call(h.join_split, [array(3, 2), array(3, 2)], (3, 4), 2, 1)
    yield call(h.unrepeat, array(5, 4), (3, 4), [2, 0, 3], 0)
    yield call(h.unrepeat, array(6, 4), (3, 4), 2, 0)
    yield call(h.unrepeat, array(24), (3, 4), 2)
    yield call(h.untile, array(6, 12), (3, 4), (2, 3))
    for mode in ("constant", "edge", "reflect"):
        yield call(h.pad_transpose, array(5, 6), (3, 4), 1, mode)
        yield call(h.pad_constant, array(5, 6), (3, 4), 1, mode, ())
        yield call(h.pad_around, 1.5, (3, 4), 1, mode)
    yield call(h.take_transpose, array(3, 3), (3, 4), [0, 0, 2], 1)
    yield call(h.take_along_transpose, array(3, 2), (3, 4), np.array([[0, 0], [1, 2], [3, 3]]), 1)
    lengths = ((3,), (2,))
    for sparse in (False, True):
        grids = tuple(np.meshgrid(array(3), array(2), sparse=sparse))
        yield call(h.meshgrid_transpose, grids, lengths, sparse)
        yield call(h.meshgrid_tangent, (array(3), array(2)), lengths, sparse)
    yield call(h.unnest, m, h.nesting([[1.0] * 4] * 3))
    yield call(h.unnest, array(2), h.nesting((1.0, 2.0)))
    yield call(h.as_rows, [array(2), array(2, start=3)])
    yield call(h.renest, [[1.5, 2.5], [3.5, 4.5]], (2, 2))
    yield call(h.renest, m, (3, 4))
    yield call(h.in_one_array, [[1.5, 2.5], [3.5, 4.5]], (2, 2))
    yield call(h.in_one_array, [1.5, 2.5], None)
    yield call(h.uncast, m, np.dtype(float), np.dtype(float))
    yield call(h.item_transpose, 1.5, (3, 4), (5,))
    yield call(h.item_of, m, (5,))
    for index in ((), None, ..., (None, ...), (None, None)):
        yield call(methods.part_of_number, np.float64(1.5), index)


INDICES: tuple[Any, ...] = (
    1,
    -1,
    slice(0, 2),
    slice(None, None, -2),
    (0, slice(1, 3)),
    (Ellipsis, 1),
    (None, 2),
    (1, 2),
    [0, 2, 0],
    np.array([[0, 1], [1, 1]]),
    ([0, 0, 2], [1, 1, 3]),
    (slice(None), [1, 1]),
    np.arange(12).reshape(3, 4) % 3 == 0,
    (np.array([True, False, True]), slice(1, None)),
    (np.array([True, False, True]), [2, 2]),
    (),
    Ellipsis,
)
"""Indices of a 3 by 4 array, basic and advanced, some of them naming an element twice."""


def helper_calls_on_indices() -> Iterator[Call]:
    m = array(3, 4)
    for index in INDICES:
        part = m[index]
        yield call(h.getitem_cotangent, part, m.shape, m.dtype, index)
        yield call(h.getitem_cotangent, 1.5, m.shape, m.dtype, index)
        yield call(h.setitem_cotangent, m, index, np.shape(part), m.dtype)
        yield call(h.setitem_cotangent, m, index, (), m.dtype)
        yield call(h.setitem_tangent, part, m.shape, m.dtype, index)
        yield call(h.cleared, m, index)


def helper_calls_on_products() -> Iterator[Call]:
    for a, b in RANKS:
        x, z = array(*a), array(*b, start=50)
        y = np.matmul(x, z)
        yield call(h.matmul_left, y, z, a)
        yield call(h.matmul_right, y, x, b)
        y = np.dot(x, z)
        yield call(h.dot_left, y, z, a)
        yield call(h.dot_right, y, x, b)
        z = np.swapaxes(z, -1, max(-2, -len(b)))
        y = np.inner(x, z)
        yield call(h.inner_left, y, z, a)
        yield call(h.inner_right, y, x, z.shape)
    yield call(h.divisor_sum, array(3), array(3, start=20), 2.5)
    yield call(h.divisor_sum, array(2, 3), array(2, 3, start=20), -0.5)
    m, v = array(2, 3), array(4, start=50)
    yield call(h.kron_left, np.kron(m, v), v, m.shape)
    yield call(h.kron_right, np.kron(m, v), m, v.shape)
    axes = ([1, 0], [0, 2])
    x, z = array(2, 3, 5), array(3, 4, 2, start=50)
    yield call(h.tensordot_left, np.tensordot(x, z, axes), z, x.shape, axes)
    yield call(h.tensordot_right, np.tensordot(x, z, axes), x, z.shape, axes)
    yield call(h.swapped, x)
    yield call(h.cross_left, array(2, 3), array(3, start=9), (2, 3))
    yield call(h.cross_left, array(2, 3), array(3, 2, start=9), (3, 2), 0, 0, 1)
    for _, (subscripts, *operands), _ in einsums():
        y = np.einsum(subscripts, *operands)
        held, tangents = tuple(operands), tuple(one + 1.5 for one in operands)
        others = tuple(one * 0.5 for one in operands)
        yield call(h.einsum_cotangents, y, subscripts, held)
        yield call(h.einsum_tangent, subscripts, held, tangents)
        yield call(h.einsum_curvature, y, subscripts, held, tangents)
        yield call(h.einsum_second, subscripts, held, tangents, others)
    yield call(h.conjugated, (array(2), array(3)))


def helper_calls_on_matrices() -> Iterator[Call]:
    a, stack = square(3, 3), square(2, 3, 3)
    yield call(h.diagonal_transpose, array(2, 3), (2, 3, 4), 1, 1, 2)
    yield call(h.diagonal_transpose, array(2, 1), (2, 3, 4), 0, 1, 2)
    yield call(h.diag_transpose, array(3), (3, 4), 0)
    yield call(h.diag_transpose, array(4, 4), (3,), 1)
    for function in (h.adjoint_solve, h.plain_solve):
        yield call(function, a, array(3), True)
        yield call(function, stack, array(2, 3), True)
        yield call(function, stack, array(2, 3, 2))
        yield call(function, a, array(2, 3, 2))
    yield call(h.outer_products, array(2, 3), array(2, 3, start=9), True)
    yield call(h.outer_products, array(2, 3, 4), array(2, 3, 4, start=9))
    yield call(h.inner_products, stack, array(2, 3), True)
    yield call(h.inner_products, stack, array(2, 3, 2))
    for matrix in (a, stack, square(2, 2), np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 0.5])):
        yield call(h.cofactors, matrix)
    for matrix in (a, stack, square(2, 2)):
        yield call(h.cofactors_cotangent, array(*matrix.shape, start=40), matrix)
    yield call(h.traces, stack)
    yield call(h.inverse, stack)
    yield call(h.phase_seed, 1.5, 1.0)
    for exponent in (-1, 0, 1, 1.5):
        yield call(h.signed_power, array(5), exponent)
        yield call(h.power_or_zero, np.abs(array(5)), exponent)
    yield call(h.block_upper, a, array(3, 3))
    yield call(h.diagonal_blocks, array(4, 4))
    yield call(h.upper_right, array(4, 4))
    yield call(h.in_upper_right, a)
    yield call(h.half_lower, stack)
    for letter in "LU":
        yield call(h.triangle, stack, letter)
        yield call(h.triangle_transpose, stack, letter)
    yield call(h.gaps, array(2, 3))


def helper_calls_on_samples() -> Iterator[Call]:
    x, knots = np.array([-1.0, 0.3, 0.4, 2.5, 5.0]), np.array([0.0, 0.7, 1.5, 3.0])
    yield call(h.interval_values, array(3), x, knots)
    yield call(h.interval_sums, array(5), x, knots)
    yield call(h.interpolate_transpose, array(5), x, knots)
    for axis in (0, 1, None):
        order = np.argsort(array(3, 4), axis)
        yield call(h.unsort, array(*order.shape, start=20), order, (3, 4), axis)
    for mode in ("full", "same", "valid"):
        for a_size, v_size in ((5, 2), (2, 5)):
            for name in ("convolve", "correlate"):
                full = array(a_size + v_size - 1)
                part = getattr(h, f"{name}_part")(full, a_size, v_size, mode)
                yield call(getattr(h, f"{name}_part"), full, a_size, v_size, mode)
                yield call(getattr(h, f"{name}_full"), part, a_size, v_size, mode)
    yield call(h.powers, array(3), 4)
    yield call(h.powers, array(3), 0)
    for stop in (None, 3.0):
        yield call(h.range_start, array(3), stop)
        yield call(h.range_start_transpose, 1.5, stop, 3)
        yield call(h.unless_none, stop, 1.5)


GROUPS = (
    reductions, scans, shapes, joining, repeating, diagonals, creation, sorting, products, einsums,
    matrices, norms, method_calls, helper_calls, *fourier_calls.GROUPS,
    *decomposition_calls.GROUPS,
    *scipy_calls.GROUPS, *scipy_fourier_calls.GROUPS, *scipy_matrix_calls.GROUPS,
    *selection_calls.GROUPS, *reduction_calls.GROUPS, *keyword_calls.GROUPS,
)  # fmt: skip
CALLS: tuple[Call, ...] = tuple(entry for group in GROUPS for entry in group())
