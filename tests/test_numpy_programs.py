"""Functions of NumPy that are written in Python, or call what they are given, and are entered."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient

X = np.array([0.7, -1.3, 2.1, 0.2])
W = np.array([0.4, 1.7, 0.6, 0.9])
M = np.array([[0.7, -1.3, 2.1, 0.3], [0.4, 1.7, -0.6, 0.8], [1.1, -0.2, 0.9, -1.4]])
PLACES = np.array([0.1, 0.4, 0.9, 1.7])


def weighed(values: Any) -> Any:
    return np.sum(values * np.cos(1.0 + np.arange(np.size(values))).reshape(np.shape(values)))


def each_weighed(parts: Any) -> Any:
    total = 0.0
    for part in parts:
        total = total + weighed(part)
    return total


def scaled_along_rows(x: Any, factor: Any) -> Any:
    return np.apply_along_axis(lambda row: np.outer(row, row) * factor, 1, x)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "gradient": (lambda x: weighed(np.gradient(x)), (X,)),
    "gradient of second order": (lambda x: weighed(np.gradient(x, 0.3, edge_order=2)), (X,)),
    "gradient by the spacing": (lambda x, h: weighed(np.gradient(x, h)), (X, 0.3)),
    "gradient by the places": (lambda x, p: weighed(np.gradient(x, p)), (X, PLACES)),
    "gradient by the places, of second order": (
        lambda x, p: weighed(np.gradient(x, p, edge_order=2)),
        (X, PLACES),
    ),
    "gradient by equal places": (lambda x, p: weighed(np.gradient(x, p)), (X, np.arange(float(X.size)))),
    "gradient by equal places, of second order": (
        lambda x, p: weighed(np.gradient(x, p, edge_order=2)),
        (X, 0.5 * np.arange(float(X.size))),
    ),
    "gradients": (lambda m: each_weighed(np.gradient(m)), (M,)),
    "gradients with spacings": (lambda m, h, p: each_weighed(np.gradient(m, h, p)), (M, 0.3, PLACES)),
    "gradient along an axis": (lambda m: weighed(np.gradient(m, 0.5, axis=-1)), (M,)),
    "gradients along axes": (lambda m: each_weighed(np.gradient(m, 0.5, 0.2, axis=(1, 0))), (M,)),
    "edges of bins of a chosen width": (lambda x: weighed(np.histogram_bin_edges(x, "auto")), (X,)),
    "edges of bins in two dimensions": (lambda x, y: each_weighed(np.histogram2d(x, y, 3)[1:]), (X, W)),
    "cov": (lambda m: weighed(np.cov(m)), (M,)),
    "cov of columns": (lambda m: weighed(np.cov(m, rowvar=False, bias=True)), (M,)),
    "cov of two": (lambda x, w: weighed(np.cov(x, w, ddof=0)), (X, W)),
    "cov with weights": (lambda m, w: weighed(np.cov(m, aweights=w, fweights=[1, 2, 1, 3])), (M, W)),
    "corrcoef": (lambda m: weighed(np.corrcoef(m)), (M,)),
    "average and weights": (lambda x, w: each_weighed(np.average(x, weights=w, returned=True)), (X, W)),
    "averages and weights": (
        lambda m, w: each_weighed(np.average(m, 1, w, True)),
        (M, W),
    ),
    "average and count": (lambda m: each_weighed(np.average(m, axis=0, returned=True)), (M,)),
    "poly": (lambda x: weighed(np.poly(x)), (X,)),
    "polyadd": (lambda x, w: weighed(np.polyadd(x, w[:2]) ** 2), (X, W)),
    "polysub": (lambda x, w: weighed(np.polysub(x[:3], w) ** 2), (X, W)),
    "polymul": (lambda x, w: weighed(np.polymul(x, w[:2])), (X, W)),
    "polydiv": (lambda x, w: each_weighed(np.polydiv(x, w[:2])), (X, W)),
    "polyder": (lambda x: weighed(np.polyder(x) ** 2), (X,)),
    "polyder twice": (lambda x: weighed(np.polyder(x, 2) ** 2), (X,)),
    "polyint": (lambda x: weighed(np.polyint(x) ** 2), (X,)),
    "polyint twice": (lambda x, k: weighed(np.polyint(x, 2, k) ** 2), (X, W[:2])),
    "roots": (lambda x: np.sum(np.abs(np.roots(x)) ** 3), (X,)),
    "polyfit": (lambda x: weighed(np.polyfit(PLACES, x, 1) ** 2), (X,)),
    "polyfit by the places and weights": (
        lambda p, x, w: weighed(np.polyfit(p, x, 2, w=w) ** 2),
        (PLACES, X, W),
    ),
    "piecewise": (
        lambda x, a: weighed(np.piecewise(x, [x > 1, x < 0], [lambda v: a * v * v, np.sin, 3.0])),
        (X, 1.5),
    ),
    "piecewise with arguments": (
        lambda x, a: weighed(np.piecewise(x, [x > 1], [lambda v, b: b * v * v, lambda v, b: v - b], a)),
        (X, 1.5),
    ),
    "over axes": (lambda m: weighed(np.apply_over_axes(np.prod, m, [0, 1])), (M,)),
    "along an axis": (lambda m: weighed(np.apply_along_axis(lambda v: v @ v * v[0], 0, m)), (M,)),
    "along an axis, to vectors": (lambda m: weighed(np.apply_along_axis(np.cumsum, -1, m) ** 2), (M,)),
    "along an axis, to matrices": (lambda m, a: weighed(scaled_along_rows(m, a)), (M, 1.5)),
    "along an axis, with arguments": (
        lambda m, a: weighed(np.apply_along_axis(lambda v, b, power: b * v[0] ** power, 1, m, a, power=2)),
        (M, 1.5),
    ),
    "histogram": (lambda w: weighed(np.histogram(PLACES, 3, weights=w * w)[0]), (W,)),
    "density": (lambda w: weighed(np.histogram(PLACES, 3, weights=w * w, density=True)[0]), (W,)),
    "histogram in bins": (lambda w: weighed(np.histogram(PLACES, [0.0, 0.5, 2.0], weights=w)[0] ** 2), (W,)),
    "edges": (lambda x: weighed(np.histogram(x, 3)[1] ** 2), (X,)),
    "density by edges": (
        lambda e: weighed(np.histogram(PLACES, e, density=True)[0]),
        (np.array([0.0, 0.5, 2.0]),),
    ),
    "bin edges": (lambda x: weighed(np.histogram_bin_edges(x, bins=4) ** 2), (X,)),
    "histogram in the plane": (
        lambda w: weighed(np.histogram2d(PLACES, PLACES[::-1], 2, weights=w * w)[0]),
        (W,),
    ),
    "histogram in space": (
        lambda w: weighed(np.histogramdd(np.stack([PLACES] * 3, 1), 2, weights=w * w, density=True)[0]),
        (W,),
    ),
    "outer products": (lambda x, w: weighed(np.multiply.outer(x, w) ** 2), (X, W)),
    "outer quotients": (lambda x, m: weighed(np.divide.outer(x, m)), (X, M)),
    "outer maxima": (lambda x, w: weighed(np.maximum.outer(x, w) ** 2), (X, W)),
    "reduced": (lambda m: weighed(np.add.reduce(m * m) * np.multiply.reduce(m, 0)), (M,)),
    "reduced along an axis": (lambda m: weighed(np.maximum.reduce(m, axis=1, keepdims=True) ** 2), (M,)),
    "accumulated": (lambda m: weighed(np.multiply.accumulate(m) * np.add.accumulate(m, 1)), (M,)),
    "differences": (lambda x, w: weighed(np.diff(x, prepend=w[0], append=w[:2]) ** 2), (X, W)),
    "differences of matrices": (
        lambda m, w: weighed(np.diff(m, 2, 0, append=w[0], prepend=m[:1]) ** 2),
        (M, W),
    ),
    "differences in a row": (lambda m, w: weighed(np.ediff1d(m, w[0], w[1:3]) ** 2), (M, W)),
    "interpolated": (
        lambda x, w: weighed(np.interp(x, PLACES, w, left=w[0] * 3, right=w[1]) ** 2),
        (X, W),
    ),
    "blocks": (lambda x, w: weighed(np.block([[x, w], [w * w, x]]) ** 2), (X, W)),
    "blocks of matrices": (lambda m, w: weighed(np.block([[m], [w], [w, w]][:2]) ** 2), (M, W)),
    "chosen": (lambda x, w: weighed(np.choose([0, 1, 1, 0], [x * x, w]) ** 2), (X, W)),
    "chosen by a method": (lambda x, w: weighed(np.array([0, 1, 1, 0]).choose([x, w]) ** 2), (X, W)),
    "unstacked": (lambda m: each_weighed([row**2 for row in np.moveaxis(m, 1, 0)]), (M,)),
    "rolled": (lambda m: weighed(np.rollaxis(m, 1) ** 2), (M,)),
    "real if close": (lambda x: weighed(np.real_if_close(x * x)), (X,)),
    "operators as methods": (lambda x, w: weighed(x.__truediv__(w).__mul__(x).__pow__(2)), (X, W)),
    "from a function": (
        lambda x: weighed(np.fromfunction(lambda i, j: x[i] * j * x, (4, 4), dtype=int)),
        (X,),
    ),
    "kaiser": (lambda beta: weighed(np.kaiser(5, beta)), (2.5,)),
    "cumulative": (
        lambda x: weighed(np.cumulative_prod(np.cumulative_sum(x, include_initial=True)[1:])),
        (X,),
    ),
}
AT_HOME_SINCE = {"cumulative": "cumulative_sum"}


@pytest.mark.parametrize("name", [one for one in PROGRAMS if hasattr(np, AT_HOME_SINCE.get(one, "sum"))])
def test_programs(name: str) -> None:
    program, args = PROGRAMS[name]
    expected = program(*args)
    value, _ = zg.pullback(program, *args)
    assert value == expected
    check_gradient(program, *args)


LONG = ("gradient by the places", "cov")
TWICE = ("polymul", "blocks", "chosen", "poly", *(LONG if "ZYGPY_ALL_CASES" in os.environ else ()))


@pytest.mark.parametrize("name", TWICE)
def test_programs_have_second_derivatives(name: str) -> None:
    program, args = PROGRAMS[name]
    check_gradient(program, *args, order=2)


def test_values_are_those_of_numpy() -> None:
    generator = np.random.default_rng(3)
    for shape, axis in (((3, 4, 2), 1), ((3, 4, 2), -1), ((5,), 0), ((2, 3), (0))):
        x = generator.normal(size=shape)
        for function in (np.sum, np.cumsum, lambda v: np.outer(v, v), lambda v: v[0] > 0, lambda v: 1):
            expected = np.apply_along_axis(function, axis, x)
            value, _ = zg.pullback(lambda x, f=function, axis=axis: np.apply_along_axis(f, axis, x), x)
            assert value.dtype == expected.dtype
            np.testing.assert_array_equal(value, expected)


def test_slopes_are_those_of_numpy() -> None:
    generator = np.random.default_rng(5)
    places, integers = np.cumsum(generator.uniform(0.1, 1, size=5)), np.array([0, 1, 3, 4, 9])
    for dtype in (np.float64, np.float32, np.complex128, np.int64):
        x = (10 * generator.normal(size=(4, 5))).astype(dtype)
        for edge_order in (1, 2):
            for spacings, axis in (
                *(((), None), ((0.3,), None), ((0.3, 2), None), ((3, places), (0, 1))),
                *((((places),), 1), ((integers,), -1), ((np.arange(4.0) / 3,), 0), ((np.float32(0.1),), 0)),
            ):
                expected = np.gradient(x, *spacings, axis=axis, edge_order=edge_order)
                value, _ = zg.pullback(
                    lambda x, s, a=axis, e=edge_order: np.gradient(x, *s, axis=a, edge_order=e), x, spacings
                )
                assert type(value) is type(expected)
                np.testing.assert_array_equal(value, expected)
                assert np.asarray(value).dtype == np.asarray(expected).dtype


@pytest.mark.parametrize(
    "program",
    [
        lambda x: np.gradient(x, 1.0, 2.0),
        lambda x: np.gradient(x, [1.0, 2.0]),
        lambda x: np.gradient(x[:1]),
        lambda x: np.gradient(x, edge_order=3),
        lambda x: np.gradient(x, axis=1),
    ],
)
def test_what_numpy_says_of_wrong_arguments(program: Callable[..., Any]) -> None:
    with pytest.raises(Exception) as expected:  # noqa: PT011 (whatever NumPy raises)
        program(X)
    with pytest.raises(type(expected.value), match=str(expected.value)[:20].replace("(", ".")):
        zg.gradient(lambda x: np.sum(program(x)), X)


def test_averages_and_weights_are_those_of_numpy() -> None:
    generator = np.random.default_rng(4)
    x, w = generator.normal(size=(3, 4, 5)), generator.uniform(1, 2, size=(3, 4, 5))
    for keywords in (
        {"weights": w},
        {"weights": w, "axis": 1},
        {"weights": w[0, 0], "axis": 2},
        {"weights": w[0, 0], "axis": 2, "keepdims": True},
        {"weights": w[0].T, "axis": (2, 1)},
        {"axis": (0, 2)},
        {},
    ):
        expected = np.average(x, returned=True, **keywords)
        value, _ = zg.pullback(lambda x, k=keywords: np.average(x, returned=True, **k), x)
        for one, other in zip(value, expected, strict=True):
            np.testing.assert_array_equal(one, other)
            assert np.shape(one) == np.shape(other)


def test_nothing_to_apply_a_function_to() -> None:
    with pytest.raises(ValueError, match="Cannot apply_along_axis"):
        zg.gradient(lambda x: np.apply_along_axis(np.sum, 1, x).sum(), np.ones((0, 3)))
    with pytest.raises(np.exceptions.AxisError):
        zg.gradient(lambda x: np.apply_along_axis(np.sum, 2, x).sum(), np.ones((2, 3)))


@pytest.mark.parametrize("specialise", [True, False])
def test_items_of_numpy_scalars(specialise):
    def number(x):
        y = np.sum(x)
        return y[()] * 2.0 + np.float64(x[0])[...] * y[None][0] + np.sum(y[np.newaxis, None] * x)

    x = np.array([1.0, 3.0])
    with units.options(specialise=specialise):
        (found,) = zg.gradient(number, x)
        (second,) = zg.gradient(lambda x: zg.gradient(number, x)[0][1], x)
    assert found.tolist() == [2.0 + 5.0 + 8.0, 2.0 + 1.0 + 8.0]
    assert second.tolist() == [3.0, 2.0]
