"""Filters of `scipy.signal` that continue signals and images beyond their ends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.fft as sf
import scipy.signal as ss

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError
from zygpy.runtime import signal_boundaries as boundaries

X = 1.5 + np.cos(np.arange(12.0))
V = np.sin(1.0 + np.arange(12.0))
IMAGE = X.reshape(3, 4)
KERNEL = np.array([[1.0, 2.0, 0.3], [0.5, -1.0, 0.7]])

SMOOTHED: dict[str, Callable[[Any], Any]] = {
    mode: lambda x, mode=mode: ss.savgol_filter(x, 5, 2, mode=mode)
    for mode in ("mirror", "constant", "nearest", "wrap", "interp")
}
OF_SIGNALS: dict[str, Callable[[Any], Any]] = {
    **SMOOTHED,
    "by position": lambda x: ss.savgol_filter(x, 5, 2, 1, 0.5, -1, "constant", 0.7),
    "along columns": lambda x: ss.savgol_filter(x.reshape(6, 2), 3, 1, axis=0, mode="wrap"),
    "spacing and value": lambda x: ss.savgol_filter(x, 5, 2, 1, x[0], mode="constant", cval=x[1]),
    "filled": lambda x: ss.convolve2d(x.reshape(3, 4), KERNEL, fillvalue=x[0]),
    "filled, the same": lambda x: ss.correlate2d(x.reshape(3, 4), KERNEL, "same", fillvalue=x[3]),
    "the default": lambda x: ss.convolve2d(x.reshape(3, 4), KERNEL, boundary="fill"),
    "kernels": lambda x: ss.convolve2d(IMAGE, x.reshape(2, 6)[:, :3], "same", "symm"),
    "both": lambda x: ss.correlate2d(x.reshape(3, 4), x[:6].reshape(2, 3), "same", "symm"),
    "larger kernels": lambda x: ss.convolve2d(x[:4].reshape(2, 2), x.reshape(3, 4), "same", "wrap"),
    "within": lambda x: ss.correlate2d(x.reshape(3, 4), KERNEL, "valid", "wrap"),
    **{
        f"{function.__name__} {mode} {boundary}": lambda x, f=function, m=mode, b=boundary: f(
            x.reshape(3, 4), KERNEL, m, b
        )
        for function in (ss.convolve2d, ss.correlate2d)
        for mode in ("full", "same")
        for boundary in ("wrap", "symm")
    },
}
TWICE = ("spacing and value", "both")


def check(program: Callable[[Any], Any], *, twice: bool = False) -> None:
    assert np.array_equal(zg.pullback(program, X)[0], program(X))

    def f(x: Any) -> Any:
        return np.sum(np.sin(program(x)))

    expected = reference.directional(lambda t: f(X + t * V))
    assert zg.gradient(f, X)[0] @ V == pytest.approx(float(expected), rel=1e-8, abs=1e-9)
    if twice:
        second = reference.directional(lambda t: zg.gradient(f, X + t * V)[0])
        np.testing.assert_allclose(zg.hvp(f, X, V), second, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("name", OF_SIGNALS)
def test_gradients(name: str) -> None:
    check(OF_SIGNALS[name])


@pytest.mark.parametrize("name", TWICE)
def test_second_derivatives(name: str) -> None:
    check(OF_SIGNALS[name], twice=True)


@pytest.mark.parametrize("name", ["nearest", "filled, the same", "convolve2d full wrap"])
def test_single_precision(name: str) -> None:
    program, x = OF_SIGNALS[name], X.astype(np.float32)
    assert zg.pullback(program, x)[0].dtype == program(x).dtype
    (found,) = zg.gradient(lambda x: np.sum(program(x)), x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, zg.gradient(lambda x: np.sum(program(x)), X)[0], rtol=1e-5)


@pytest.mark.parametrize("function", [ss.convolve2d, ss.correlate2d])
def test_complex_images(function: Any) -> None:
    z, kernel = IMAGE + 1j * V.reshape(3, 4), KERNEL * (1 + 0.5j)
    direction = np.conj(z) + 0.3

    def f(z: Any) -> Any:
        return np.sum(np.abs(function(z, kernel, "same", "symm")) ** 2)

    expected = reference.directional(lambda t: f(z + t * direction))
    (found,) = zg.gradient(f, z)
    assert np.sum(np.real(np.conj(found) * direction)) == pytest.approx(float(expected), rel=1e-8)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda x: ss.savgol_filter(x, 5, 2, mode="round"), "mode must be"),
        (lambda x: ss.convolve2d(x.reshape(3, 4), KERNEL, boundary="round"), "boundary"),
        (lambda x: ss.correlate2d(x, KERNEL, boundary="wrap"), "2-D"),
    ],
)
def test_what_scipy_refuses_is_refused_alike(call: Callable[[Any], Any], said: str) -> None:
    for run in (call, lambda x: zg.gradient(lambda x: np.sum(call(x)), x)):
        with pytest.raises(ValueError, match=said):
            run(X)


def test_arguments_that_a_rule_has_no_name_for_are_named() -> None:
    with pytest.raises(MissingRuleError, match=r"'dct' with 'overwrite_x='"):
        zg.gradient(lambda x: np.sum(sf.dct(x, overwrite_x=True)), X)


def test_filters_along_rows_and_columns() -> None:
    check(lambda x: ss.sepfir2d(np.outer(x, X[:5]), x[:3], x[3:8]))
    check(lambda x: ss.sepfir2d(x.reshape(3, 4), KERNEL[0], x[:1]))
    with pytest.raises(MissingRuleError, match="longer than the image"):
        zg.gradient(lambda x: np.sum(ss.sepfir2d(x.reshape(3, 4), KERNEL[0], x[:5])), X)


MODES = (
    *("constant", "symmetric", "reflect", "edge", "wrap"),
    *("smooth", "line", "antisymmetric", "antireflect"),
)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_put_around_signals_is_what_scipy_puts_there(mode: str) -> None:
    for length, taps, up, down in product((2, 3, 7), (1, 4, 23), (1, 3), (1, 2)):
        h, rows = np.cos(np.arange(taps)), np.stack([X[:length], V[:length]])
        found = boundaries.resampled(h, rows, up, down, mode, 0.3)
        np.testing.assert_allclose(found, ss.upfirdn(h, rows, up, down, mode=mode, cval=0.3), rtol=1e-10)


@pytest.mark.parametrize("mode", MODES)
def test_changes_of_the_rate_beyond_the_ends(mode: str) -> None:
    check(lambda x: ss.upfirdn(x[:5], x.reshape(4, 3), 2, 3, 0, mode), twice=mode == "line")


def test_what_stands_beyond_the_ends_has_a_gradient() -> None:
    check(lambda x: ss.upfirdn(X[:5], x, 2, 3, cval=x[0]))


OF_INTEGERS: dict[str, Callable[[Any], Any]] = SMOOTHED | {
    "sepfir2d": lambda x: ss.sepfir2d(x.reshape(3, 4), np.array([1.0, 0.5, 1.0]), np.array([1.0, 2.0, 1.0])),
    "detrend": lambda x: ss.detrend(x, overwrite_data=False),
    "upfirdn": lambda x: ss.upfirdn(V[:4], x, 2, 3, mode="line"),
    "resample_poly": lambda x: ss.resample_poly(x, 3, 2, padtype="line"),
}


@pytest.mark.parametrize("program", OF_INTEGERS.values(), ids=OF_INTEGERS)
def test_integers_are_filtered_as_numbers(program: Callable[[Any], Any]) -> None:
    """SciPy makes floats of them before it computes: none is lost in arrays of integers."""
    whole = np.array([3, -1, 4, 1, -5, 9, 2, 6, -5, 3, 5, 8])
    found, expected = (zg.gradient(lambda x: np.sum(np.sin(program(x))), x)[0] for x in (whole, whole * 1.0))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    seed = np.cos(np.arange(12.0))
    slope = np.sum(np.imag(np.sin(np.asarray(program(whole * 1.0)) + 1e-30j * program(seed)))) / 1e-30
    if program is not OF_INTEGERS["constant"]:  # which is not linear, but affine
        assert found @ seed == pytest.approx(slope, rel=1e-9)


def test_small_integers_do_not_overflow() -> None:
    places, rates = np.array([3, 40, 7, 90, 110]), np.array([5, 2])
    samples = np.cos(places)
    found = zg.gradient(
        lambda y: np.sum(ss.lombscargle(places.astype(np.int8), y, rates.astype(np.int8))), samples
    )
    expected = zg.gradient(lambda y: np.sum(ss.lombscargle(places * 1.0, y, rates * 1.0)), samples)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    seed = samples - 0.3
    moved = [np.sum(ss.lombscargle(places, samples + step * seed, rates)) for step in (1e-3, -1e-3)]
    assert found[0] @ seed == pytest.approx((moved[0] - moved[1]) / 2e-3, rel=1e-8)  # a quadratic form


def test_real_roots_are_complex_numbers_without_imaginary_parts() -> None:
    """A system without zeros has a vector of none, of another type than the roots that are computed."""
    (found,) = zg.gradient(lambda b: np.sum(ss.lti([2.0], [1.0, b, 2.0]).poles), 3.5)
    assert found == pytest.approx(-1.0, rel=1e-12)


def test_frequencies_of_small_integers() -> None:
    numbers = [np.int8(value) for value in (3, 12, 17)]
    found = zg.gradient(lambda t: np.sum(ss.chirp(t, *numbers, method="hyperbolic")), V)[0]
    expected = zg.gradient(lambda t: np.sum(ss.chirp(t, 3.0, 12.0, 17.0, method="hyperbolic")), V)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_data_that_are_overwritten_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="overwrite_data=True"):
        zg.gradient(lambda x: np.sum(ss.detrend(x * 1.0, overwrite_data=True)), X)


def test_imaginary_parts_that_are_left_out_are_refused() -> None:
    """A real periodogram, or filtered signal, of complex samples is that of their real parts."""
    for program in (
        lambda x: ss.lombscargle(X, x, V[:3]),
        lambda x: ss.savgol_filter(x, 5, 2, mode="wrap"),
    ):
        with pytest.warns(np.exceptions.ComplexWarning), pytest.raises(MissingRuleError, match="imaginary"):
            zg.gradient(lambda x, program=program: np.sum(program(x)), V + 0.3j * X)
