"""Calls of reductions with masks, initial values, given means and corrections."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.rules.calls import Call, array, call

X = array(2, 3, 4)
MASKS = (np.arange(24).reshape(2, 3, 4) % 5 != 1, np.arange(12).reshape(3, 4) != 5)


def masked() -> Iterator[Call]:
    for where in MASKS:
        for keywords in ({}, {"axis": 1}, {"axis": (0, -1), "keepdims": True}):
            for function in (np.sum, np.mean, np.prod, np.var, np.std):
                yield call(function, X, where=where, **keywords)
            for function in (np.sum, np.prod):
                yield call(function, X, where=where, initial=1.5, **keywords)
            for function, initial in ((np.max, -9.0), (np.max, 0.9), (np.min, 9.0), (np.min, -0.9)):
                yield call(function, X, where=where, initial=initial, **keywords)


def initial_values() -> Iterator[Call]:
    for function in (np.sum, np.prod, np.max, np.min):
        for initial in (-0.7, 0.7):
            yield call(function, X, initial=initial)
            yield call(function, X, axis=0, initial=initial)
            yield call(function, array(3), keepdims=True, initial=initial)
            yield call(function, np.zeros((3, 0)), axis=1, initial=initial)


def corrected() -> Iterator[Call]:
    for function in (np.var, np.std):
        yield call(function, X, correction=1)
        yield call(function, X, axis=1, correction=0.5, where=MASKS[0])
        yield call(function, X, axis=1, ddof=1, where=MASKS[1])
        for keepdims in (False, True):
            mean = np.mean(X, axis=1, keepdims=True) + 0.1
            yield call(function, X, axis=1, mean=mean, keepdims=keepdims)
            yield call(function, X, axis=1, mean=mean, keepdims=keepdims, where=MASKS[0], correction=1)


GROUPS = (masked, initial_values, corrected)
