"""Calls with keywords about dtypes and shapes, and of the helpers of programs that stand for calls."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.rules.calls import Call, array, call
from zygpy.runtime import helpers as h
from zygpy.runtime import padding

X, M = array(2, 3, 4), array(3, 4)


def with_dtypes() -> Iterator[Call]:
    for function in (np.prod, np.var, np.std, np.cumprod, np.trace):
        yield call(function, M, dtype=np.float64)
    yield call(np.linalg.trace, X, offset=1, dtype=np.float64)
    yield call(np.full_like, M, 1.5, shape=(2, 5))
    yield call(np.full_like, M, array(5), shape=(2, 5), order="F", subok=False)
    if hasattr(np, "unstack"):  # since NumPy 2.1
        yield call(np.reshape, M, (4, 3), copy=True)
    yield call(np.meshgrid, array(3), array(2), copy=False)
    yield call(np.broadcast_to, array(4), (3, 4), subok=True)
    yield call(np.asarray, M, copy=True)


def broadcast_samples() -> Iterator[Call]:
    for heights, places in ((5, 2), (2, 5), (2, 2)):
        yield call(np.trapezoid, array(3, heights), array(places, start=30))
        yield call(np.trapezoid, array(heights, 3), array(places, 3, start=30), axis=0)
    yield call(np.take, array(3), np.zeros((2, 0), int))


def helper_calls() -> Iterator[Call]:
    yield call(h.as_dtype, M, np.float64)
    yield call(h.as_dtype, M)
    yield call(h.sum_pairs_transpose, array(3, 4), (3, 2))
    yield call(h.sum_pairs_transpose, array(3, 1), (3, 5))
    yield call(h.widths_transpose, array(3, 4), (2,))
    yield call(padding.between, array(2, 4), M, array(1, 4, start=30))
    yield call(padding.padded_simply, M, ((1, 2), (0, 3)), "reflect")
    yield call(padding.padded_simply, M, 1, "constant", 1.5)


GROUPS = (with_dtypes, broadcast_samples, helper_calls)
