"""Gradients of the splines of `scipy.signal`, and of its filters that choose a sample of each window."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

LINE = np.cos(np.arange(7.0) ** 1.3)
IMAGE = np.cos(np.arange(20.0) ** 1.2).reshape(4, 5)
BROAD = np.cos(np.arange(624.0) ** 1.2).reshape(24, 26)
"""So many samples that what is beyond its edges is within SciPy's precision."""
PLACES = np.array([-7.3, -6.1, -2.4, -0.6, 0.3, 1.1, 2.6, 4.7, 5.9, 6.2, 8.8, 13.7])
"""Between the samples, and beyond both ends."""
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])

LINEAR: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "cubic": (ss.cspline1d, (LINE,)),
    "cubic, of one sample": (ss.cspline1d, (LINE[:1],)),
    "cubic, of two": (ss.cspline1d, (LINE[:2],)),
    "cubic, complex": (ss.cspline1d, (LINE + 0.3j * LINE**2,)),
    "smooth": (ss.cspline1d, (LINE, 2.0)),
    "barely smooth": (ss.cspline1d, (LINE, 0.01)),
    "smooth, of three": (lambda x, s: ss.cspline1d(x, lamb=s), (LINE[:3], 0.7)),
    "quadratic": (ss.qspline1d, (LINE,)),
    "quadratic, of one sample": (ss.qspline1d, (LINE[:1],)),
    "of images": (ss.cspline2d, (BROAD[:12, :13],)),
    "of precise images": (lambda x: ss.cspline2d(x, 0.0, 1e-12), (BROAD,)),
    "of smooth images": (lambda x: ss.cspline2d(x, 0.3), (BROAD,)),
    "quadratic, of images": (ss.qspline2d, (BROAD[:12, :13],)),
    "smoothed images": (lambda x: ss.spline_filter(x, 0.3), (BROAD,)),
    "images as they are": (lambda x: ss.spline_filter(x, 0.0), (BROAD[:12, :13],)),
    "complex images": (ss.cspline2d, (BROAD[:12, :13] * (1.0 + 0.3j),)),
    "values": (ss.cspline1d_eval, (LINE, PLACES)),
    "values of two": (ss.cspline1d_eval, (LINE[:2], PLACES)),
    "values elsewhere": (ss.cspline1d_eval, (LINE, 0.7 * PLACES + 0.2, 0.7, 0.2)),
    "values at one place": (ss.cspline1d_eval, (LINE, 2.3)),
    "values in a table": (ss.cspline1d_eval, (LINE, PLACES.reshape(3, 4))),
    "complex values": (ss.cspline1d_eval, (LINE + 0.3j, PLACES)),
    "quadratic values": (ss.qspline1d_eval, (LINE, PLACES)),
    "quadratic values elsewhere": (ss.qspline1d_eval, (LINE, 0.7 * PLACES + 0.2, 0.7, 0.2)),
    "medians": (ss.medfilt, (LINE,)),
    "medians of five": (ss.medfilt, (LINE, 5)),
    "medians of images": (ss.medfilt, (IMAGE, [3, 1])),
    "medians of blocks": (ss.medfilt, (np.cos(np.arange(24.0) ** 1.2).reshape(2, 3, 4) + 2.0, [1, 3, 3])),
    "least of crosses": (lambda x: ss.order_filter(x, CROSS, 0), (IMAGE,)),
    "second of crosses": (lambda x: ss.order_filter(x, CROSS, rank=3), (IMAGE,)),
}


@pytest.mark.parametrize("name", LINEAR)
def test_gradients(name: str) -> None:
    program, args = LINEAR[name]
    before = [np.copy(arg) for arg in args]
    check_gradient(lambda *args: program(*args), *args)
    assert all(np.array_equal(arg, copy) for arg, copy in zip(args, before, strict=True))


def mixed(y: Any) -> Any:
    return np.sum(np.cos(y))


@pytest.mark.parametrize("name", ["smooth", "values elsewhere", "quadratic values elsewhere", "medians"])
def test_second_derivatives(name: str) -> None:
    program, args = LINEAR[name]
    for place, arg in enumerate(args):
        agrees_to_second_order(
            lambda x, place=place: mixed(program(*args[:place], x, *args[place + 1 :])), arg
        )


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
def test_second_derivatives_at_knots() -> None:
    (bars,) = zg.gradient(lambda t: np.sum(ss.cspline1d_eval(LINE, t)), np.arange(1.0, 6.0))
    h = 1e-5
    first = ss.cspline1d_eval(LINE, np.arange(1.0, 6.0) + h) - ss.cspline1d_eval(
        LINE, np.arange(1.0, 6.0) - h
    )
    np.testing.assert_allclose(bars, first / (2 * h), rtol=1e-7)
    second = zg.hvp(lambda t: np.sum(ss.cspline1d_eval(LINE, t)), np.arange(1.0, 6.0), np.ones(5))
    np.testing.assert_allclose(second, LINE[:5] - 2 * LINE[1:6] + LINE[2:], rtol=1e-9)


@pytest.mark.parametrize("amount", [0.05, 0.7])
def test_how_much_images_are_smoothed(amount: float) -> None:
    agrees(lambda s: mixed(ss.cspline2d(BROAD, s, 1e-4)), amount)
    agrees(lambda s: mixed(ss.cspline2d(BROAD, s, 1e-4)), 0.001)


def test_a_series_of_programs() -> None:
    agrees_to_second_order(lambda x: mixed(ss.cspline1d_eval(ss.cspline1d(x, 0.3), x + 2.0)), LINE)


def test_single_precision_and_integers() -> None:
    single = LINE.astype(np.float32)
    for program in (ss.cspline1d, ss.qspline1d, ss.medfilt, lambda c: ss.cspline1d_eval(c, PLACES)):
        (bar,) = zg.gradient(lambda x, program=program: program(x).sum(), single)
        assert bar.dtype == np.float32
        np.testing.assert_allclose(bar, zg.gradient(lambda x, p=program: p(x).sum(), LINE)[0], rtol=1e-4)
    (bar,) = zg.gradient(lambda x: ss.cspline1d(x) @ LINE, np.arange(7))
    np.testing.assert_allclose(bar, zg.gradient(lambda x: ss.cspline1d(x) @ LINE, np.arange(7.0))[0])
    (bar,) = zg.gradient(lambda x: ss.medfilt(x) @ LINE, np.array([3, 1, 4, 1, 5, 9, 2]))
    np.testing.assert_array_equal(
        bar, zg.gradient(lambda x: ss.medfilt(x) @ LINE, np.array([3.0, 1, 4, 1, 5, 9, 2]))[0]
    )


def test_of_equal_samples_one_has_the_gradient() -> None:
    (bar,) = zg.gradient(lambda x: ss.medfilt(x)[2], np.ones(5))
    assert bar.tolist() == [0.0, 1.0, 0.0, 0.0, 0.0]
    (bar,) = zg.gradient(lambda x: ss.medfilt(x)[0], np.array([0.0, 2.0, 3.0]))
    assert bar.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("function", [ss.cspline1d, ss.qspline1d])
def test_several_signals_at_once_are_refused(function: Any) -> None:
    with pytest.raises(MissingRuleError, match="more than one dimension"):
        zg.gradient(lambda x: np.sum(function(x)), np.ones((4, 4)))


def test_arrays_that_are_no_images_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="not two dimensions"):
        zg.gradient(lambda x: np.sum(ss.cspline2d(x)), np.ones((2, 3, 4)))
