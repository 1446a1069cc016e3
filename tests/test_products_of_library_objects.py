"""Products with Hessians of functions that call objects of SciPy: they are right, and are pushed forward."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si
import scipy.ndimage as nd
import scipy.signal as ss
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from zygpy import derivatives
from zygpy.analyse.known_tests import is_of
from zygpy.errors import MissingRuleError
from zygpy.ir.kinds import TEXT, Known

N = 8
RANDOM = np.random.default_rng(4)
X = RANDOM.random(N) + 0.5
V = RANDOM.random(N)
LONG, ALONG = RANDOM.random(40), RANDOM.random(40)
T = np.linspace(0.0, 2.0, N)
Q = np.array([0.1, 0.75, 1.3, 1.9])
MATRIX = sp.csr_matrix(sp.random(N, N, density=0.4, random_state=1) + 4 * sp.eye(N))
ARRAY = sp.csc_array(MATRIX)
ROW = sp.csr_array(np.arange(float(N)) % 3)
FACTORS = sl.splu(sp.csc_matrix(MATRIX))
OF_COMPLEX = sl.splu(sp.csc_matrix(MATRIX) * (1 + 0.5j))
FILTER = ss.butter(2, 0.3)
CURVE = si.CubicSpline(T, np.sin(3 * T))
CURVES = si.CubicSpline(T, np.stack([np.sin(T), np.exp(T)], axis=1))
TURNS = si.CubicSpline(T, np.exp(1j * T))


def cubed(y: Any) -> Any:
    return (np.abs(y) ** 3).sum()


def with_closure(x: Any) -> Any:
    matrix = MATRIX

    def product(z: Any) -> Any:
        return matrix @ z

    return (product(x) ** 3).sum()


def captured(spline: Any, nu: int = 0) -> Any:
    return lambda x: cubed(spline(x, nu))


OF_VECTORS: dict[str, Callable[[Any], Any]] = {
    "matrix": lambda x: ((MATRIX @ x) ** 3).sum(),
    "in a closure": with_closure,
    "array": lambda x: ((ARRAY @ x) ** 3).sum(),
    "array of one axis": lambda x: (ROW @ x) ** 3,
    "factors": lambda x: (FACTORS.solve(x) ** 3).sum(),
    "complex factors": lambda x: cubed(OF_COMPLEX.solve(x, "H")),
    "captured": captured(CURVE),
    "captured, complex": captured(TURNS),
    "cubic": lambda y: (si.CubicSpline(T, y)(Q) ** 3).sum(),
    "conditions": lambda y: (si.CubicSpline(T, y, bc_type=((1, y[0]), (2, 0.5)))(Q) ** 3).sum(),
    "by breakpoints": lambda t: (si.CubicSpline(np.cumsum(t), np.sin(T))(Q) ** 2).sum(),
    "monotone": lambda y: (si.PchipInterpolator(T, y)(Q) ** 3).sum(),
    "Akima": lambda y: (si.Akima1DInterpolator(T, y)(Q) ** 3).sum(),
    "lines": lambda y: (si.interp1d(T, y)(Q) ** 3).sum(),
    "basis": lambda y: (si.make_interp_spline(T, y)(Q) ** 3).sum(),
    "windows": lambda x: (nd.convolve1d(x, np.array([1.0, 2.0, 1.0]), mode="constant", cval=2.0) ** 3).sum(),
    "in the plane": lambda x: (nd.gaussian_filter(x.reshape(2, 4), (1.0, 0.5)) ** 3).sum(),
    "zoomed": lambda x: (nd.zoom(x, 1.5) ** 3).sum(),
}
OF_SIGNALS: dict[str, Callable[[Any], Any]] = {
    "welch": lambda x: (ss.welch(x, nperseg=16)[1] ** 2).sum(),
    "stft": lambda x: cubed(ss.stft(x, nperseg=16)[2]),
    "spectrogram": lambda x: (ss.spectrogram(x, nperseg=16)[2] ** 2).sum(),
    "both ways": lambda x: (ss.filtfilt(*FILTER, x) ** 3).sum(),
}
CASES = [
    *[pytest.param(f, X, V, id=name) for name, f in OF_VECTORS.items()],
    *[pytest.param(f, LONG, ALONG, id=name) for name, f in OF_SIGNALS.items()],
]


@pytest.fixture
def pushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products that would be computed by the gradient of a gradient fail."""

    def refused(f: Any, x: Any, v: Any) -> Any:
        raise AssertionError("by reverse over reverse")

    monkeypatch.setattr(derivatives, "hvp_by_reverse", refused)


STILL_BY_REVERSE = ("array of one axis",)


@pytest.mark.parametrize(("f", "x", "v"), [case for case in CASES if case.id not in STILL_BY_REVERSE])
@pytest.mark.usefixtures("pushed")
def test_products_that_are_pushed(f: Any, x: Any, v: Any) -> None:
    check_product(f, x, v)


@pytest.mark.parametrize(("f", "x", "v"), [case for case in CASES if case.id in STILL_BY_REVERSE])
def test_products_by_the_gradient_of_a_gradient(f: Any, x: Any, v: Any) -> None:
    check_product(f, x, v)


def check_product(f: Any, x: Any, v: Any) -> None:
    """Beside differences of the gradient, and that beside differences of the function."""
    before, step = x.copy(), 1e-6
    found = zg.hvp(f, x, v)
    difference = zg.gradient(f, x + step * v)[0] - zg.gradient(f, x - step * v)[0]
    np.testing.assert_allclose(found, difference / (2 * step), rtol=1e-5, atol=1e-5 * np.max(np.abs(found)))
    slope = (f(x + step * v) - f(x - step * v)) / (2 * step)
    np.testing.assert_allclose(zg.gradient(f, x)[0] @ v, slope, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(x, before)
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(zg.hvp(f, x, v), found)


@pytest.mark.parametrize("dtype", [np.float32, np.complex128, np.int64])
def test_other_types(dtype: Any) -> None:
    x = np.array([1, 2, 3, 2, 5, 1, 0, 4], dtype)
    for f in (
        lambda x: cubed(MATRIX @ x),
        lambda x: cubed(FACTORS.solve(x.real * 1.0)),
        lambda x: cubed(ROW @ x),
    ):
        (found,) = zg.gradient(f, x)
        assert found.dtype == (np.float64 if dtype is np.int64 else dtype)
        wide = x.astype(np.complex128 if dtype is np.complex128 else np.float64)
        np.testing.assert_allclose(found, zg.gradient(f, wide)[0], rtol=1e-4)


def test_entries_have_gradients_too() -> None:
    bar = zg.gradient(lambda a: ((a @ X) ** 2).sum(), MATRIX)[0].data
    rows = np.repeat(np.arange(N), np.diff(MATRIX.indptr))
    np.testing.assert_allclose(bar, 2 * (MATRIX @ X)[rows] * X[MATRIX.indices])
    bar = zg.gradient(lambda a: (a @ X) ** 2, ROW)[0].data
    np.testing.assert_allclose(bar, 2 * (ROW @ X) * X[ROW.indices])


def test_entries_that_change_between_calls_are_seen() -> None:
    matrix = MATRIX.copy()

    def f(x: Any) -> Any:
        return ((matrix @ x) ** 2).sum()

    first = zg.gradient(f, X)[0]
    matrix.data *= 2
    np.testing.assert_allclose(zg.gradient(f, X)[0], 4 * first)
    matrix = sp.coo_matrix(MATRIX)
    np.testing.assert_allclose(zg.gradient(f, X)[0], first)


def test_types_of_outputs() -> None:
    x = X * 10
    for output in (np.float32, np.int32, None):
        value, back = zg.pullback(lambda x, output=output: nd.gaussian_filter(x, 1.0, output=output), x)
        assert value.dtype == nd.gaussian_filter(x, 1.0, output=output).dtype
        expected = (
            0.0 * x if output is np.int32 else zg.pullback(lambda x: nd.gaussian_filter(x, 1.0), x)[1](V)[0]
        )
        np.testing.assert_allclose(back(V.astype(value.dtype))[0], expected, rtol=1e-6, atol=1e-6)


def test_empty_signals() -> None:
    empty = np.zeros(0)
    for f in (ss.welch, ss.periodogram, ss.stft):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # as the window is longer
            value, back = zg.pullback(lambda x, f=f: f(x)[-1].sum(), empty)
            assert value == 0.0
            assert back(1.0)[0].shape == (0,)


def test_entries_that_are_no_numbers_are_refused() -> None:
    broken = sp.csr_matrix(MATRIX)
    broken.data = broken.data.astype(object)
    with pytest.raises((MissingRuleError, TypeError, ValueError)):
        zg.gradient(lambda x: (broken @ x).sum(), X)


def test_texts_are_no_arrays() -> None:
    assert is_of(TEXT, Known(np.ndarray)) is False
    assert is_of(TEXT, Known(str)) is None
