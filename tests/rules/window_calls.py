"""Calls of the rules of windows over arrays, of pieces of polynomials, and of tables of distances."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.spatial.distance as sd

from tests.rules.array_calls import Call, array, call
from zygpy.runtime import distance_formulas as formulas
from zygpy.runtime import image_splines, piecewise, windows


def window_calls() -> Iterator[Call]:
    for shape, window in (
        ((6,), (3,)),
        ((6,), (1,)),
        ((4, 5), (2, 3)),
        ((4, 5), (1, 2)),
        ((3, 2, 4), (2, 2, 1)),
    ):
        rest = tuple(a - b + 1 for a, b in zip(shape, window, strict=True))
        yield call(windows.windowed, array(*shape), array(*window, start=40))
        yield call(windows.spread_windows, array(*rest), array(*window, start=40))
        yield call(windows.window_products, array(*rest), array(*shape, start=40))


def distance_calls() -> Iterator[Call]:
    weights = np.array([0.7, 1.3, 0.4])
    yield call(formulas.weighted, array(2, 3))
    yield call(formulas.weighted, array(2, 3), weights)
    yield call(formulas.weighted, array(2, 3), weights, -1)
    yield call(formulas.weighted, array(2, 3), [0.7, 1.3, 0.4])
    yield call(formulas.transformed, array(4, 2, 3), array(3, 3, start=40))
    yield call(formulas.transformed, array(3), array(3, 3, start=40))
    yield call(formulas.as_doubles, array(2, 3))
    yield call(sd.squareform, array(6))
    yield call(sd.squareform, array(4, 4), checks=False)


REAL = (formulas.weighted, formulas.transformed, formulas.as_doubles, image_splines.shares)
"""What is about real numbers."""


def polynomial_calls() -> Iterator[Call]:
    index, steps = np.array([0, 2, 1, 1]), np.array([0.3, 0.0, 1.2, -0.4])
    for form in ((4, 3), (3, 3, 2), (1, 3)):
        for order in (0, 1, 3):
            yield call(piecewise.powers, array(*form), index, steps, order)
            yield call(piecewise.spread, array(4, *form[2:]), index, steps, order, form)


def image_calls() -> Iterator[Call]:
    for function in (image_splines.filtered, image_splines.filtered_back):
        for axis, mode in ((0, "mirror"), (-1, "reflect"), (1, "grid-wrap")):
            yield call(function, array(4, 5), 3, axis, mode)
        yield call(function, array(40), 5, 0, "reflect")
    for order in (0, 1, 2, 5):
        for nu in (0, 1, 2):
            yield call(image_splines.shares, np.array([0.2, 0.9]), order, nu)


CALLS: tuple[Call, ...] = (*window_calls(), *distance_calls(), *polynomial_calls(), *image_calls())
