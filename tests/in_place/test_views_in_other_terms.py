"""Complex numbers viewed as their parts, parts as complex numbers, and memory in other strides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import zygpy as zg
from zygpy.units import options

POINT = np.array([0.3, 0.5, 0.7, 0.2])
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])
GRID = WEIGHTS.reshape(2, 2)


def parts(x):
    z = x[:2] + 1j * x[2:]
    return np.sum(z.view(float) ** 2 * WEIGHTS)


def numbers_of_parts(x):
    z = (x * x).view(complex)
    return np.sum(np.abs(z) ** 2 * [1.0, 2.0]) + z[0].real + (z[1] * z[0]).imag


def parts_changed(x):
    z = x[:2] + 1j * x[2:]
    v = z.view(float)
    v[0] = x[3]
    v[1:3] *= x[1]
    return np.sum(np.abs(z) ** 2 * WEIGHTS[:2]) + z[0].real


def numbers_changed(x):
    a = x * 1.0
    z = a.view(dtype=np.complex128)
    z *= 1j * x[0]
    z[0] = z[0] * z[1]
    z.imag += x[2]
    return np.sum(a * WEIGHTS)


def filled_later(x):
    z = np.zeros(2, complex)
    a = z.view(float)
    a[:] = x
    return np.sum(np.abs(z) ** 2) + (z[0] * z[1]).real


def in_rows(x):
    z = (x.reshape(2, 2) * 1.0).view(complex)
    return np.abs(z[0, 0]) ** 2 + z[1, 0].imag * x[0]


def steps(x):
    s = x * 1.0
    for _ in range(5):
        s = s + 0.1 * (1j * s.view(complex)).view(float)
    return np.sum(s**2 * WEIGHTS)


def by_map(x):
    found = list(map(lambda v: v.view(complex), [x, x * 2.0]))  # noqa: C417
    return np.sum(np.abs(found[1]) ** 2)


def windows(x):
    return np.sum(as_strided(x, (3, 2), (8, 8)) ** 2 * [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def windows_by_name(x):
    found = {"f": as_strided}["f"](x, shape=(3, 2), strides=(8, 8))
    return np.sum(found**2 * [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def columns(x):
    a = x.reshape(2, 2) * 1.0
    b = as_strided(a[:, 0], (2,), (16,))
    b += x[0]
    return np.sum(a * GRID)


def backwards(x):
    return np.sum(as_strided(x[::-1], (3,), (-8,)) ** 2 * WEIGHTS[:3])


def every_other_changed(x):
    a = x * 1.0
    b = as_strided(a, (2,), (16,), writeable=True)
    b *= x[1]
    return np.sum(a**2 * WEIGHTS)


def before_it_varies(x):
    a = np.zeros(4)
    b = as_strided(a, (3, 2), (8, 8), writeable=False)
    a[:] = x
    return np.sum(b**2 * [1.0, 2.0])


def repeated(x):
    return np.sum(as_strided(x, shape=(2, 3), strides=(0, 8)) ** 2 * WEIGHTS[:3])


PROGRAMS = (
    *(parts, numbers_of_parts, parts_changed, numbers_changed, filled_later, in_rows, steps, by_map),
    *(windows, windows_by_name, columns, backwards, every_other_changed, before_it_varies, repeated),
)


def slopes(f: Callable[..., Any], x: Any, h: float) -> Any:
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(4)])


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Callable[..., Any], specialise: bool) -> None:
    expected = (4 * slopes(program, POINT, 1e-4) - slopes(program, POINT, 2e-4)) / 3
    with options(specialise=specialise):
        y, back = zg.pullback(program, POINT.copy())
        along = zg.pushforward(program, POINT.copy())(WEIGHTS)
    assert y == program(POINT)
    assert [back(1.0)[0], back(2.0)[0] / 2.0] == [pytest.approx(expected, rel=1e-8)] * 2
    assert along == pytest.approx(expected @ WEIGHTS, rel=1e-8)


@pytest.mark.parametrize("program", [parts, numbers_of_parts, parts_changed, steps, windows, repeated])
def test_second_derivatives(program: Callable[..., Any]) -> None:
    def slope(x: Any) -> Any:
        return slopes(program, x, 3e-4)

    expected = (slope(POINT + 3e-4 * WEIGHTS) - slope(POINT - 3e-4 * WEIGHTS)) / 6e-4
    assert zg.hvp(program, POINT, WEIGHTS) == pytest.approx(expected, abs=1e-4)
    (found,) = zg.gradient(lambda x: np.dot(zg.gradient(program, x)[0], WEIGHTS), POINT)
    assert found == pytest.approx(expected, abs=1e-4)


def test_single_precision_keeps_its_dtype() -> None:
    (found,) = zg.gradient(lambda x: np.sum(np.abs(x.view(np.complex64)) ** 2), POINT.astype(np.float32))
    assert found.dtype == np.float32
    assert found == pytest.approx(2.0 * POINT, rel=1e-6)
    (found,) = zg.gradient(lambda z: np.sum(z.view(np.float32) ** 2), (POINT + 1j).astype(np.complex64))
    assert found.dtype == np.complex64
    assert found == pytest.approx(2.0 * (POINT + 1j), rel=1e-6)


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.complex64])
def test_bits_are_refused(dtype: Any) -> None:
    with pytest.raises(zg.MissingRuleError, match="a view of an array of float64 as"):
        zg.gradient(lambda x: np.sum(x.view(dtype)) * x[0], POINT)


@pytest.mark.parametrize(("shape", "strides"), [((5,), (8,)), ((2,), (4,)), ((3,), (-8,))])
def test_elements_of_something_else_are_refused(shape: Any, strides: Any) -> None:
    memory = np.concatenate([[1.0] * 4, POINT, [1.0] * 4])
    with pytest.raises(zg.MissingRuleError, match="no element of the array"):
        zg.gradient(lambda x: np.sum(as_strided(x, shape, strides)), memory[4:8])
