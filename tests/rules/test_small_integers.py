"""Formulas of derivatives compute with small integers as doubles; imaginary parts of real numbers have no
tangent; and what makes arrays of other classes says nothing of what it makes."""

from __future__ import annotations

import math

import numpy as np
import numpy.ma
import pytest

import zygpy as zg

special = pytest.importorskip("scipy.special")
SMALL = (np.uint8, np.int8, np.int16)


def to_the_power(x, base):
    return np.sum(np.power(base, x))


def by_operator(x, base):
    return np.sum(base**x)


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("program", [to_the_power, by_operator])
def test_logarithm_of_a_base(dtype, program):
    """NumPy takes the logarithm of small integers in half or single precision."""
    x, base = np.array([0.4, 1.7]), np.array([120, 90], dtype)
    expected = [120**0.4 * math.log(120), 90**1.7 * math.log(90)]
    np.testing.assert_allclose(zg.gradient(program, x, base)[0], expected, rtol=1e-13)
    pushed = zg.pushforward(lambda x: program(x, base), x)(np.array([1.0, 2.0]))
    np.testing.assert_allclose(pushed, expected[0] + 2 * expected[1], rtol=1e-13)


def test_second_derivative_by_an_exponent():
    slope = zg.gradient(lambda y: zg.gradient(lambda x: float(np.uint8(200) ** x), y)[0], 0.4)[0]
    assert slope == pytest.approx(200**0.4 * math.log(200) ** 2, rel=1e-13)


def arctangents(x):
    return np.sum(np.arctan(x) * np.array([1.0, 2.0]))


def errors(x):
    return np.sum(special.erf(x) * np.array([1.0, 2.0]))


@pytest.mark.parametrize("dtype", SMALL)
def test_squares_do_not_overflow(dtype):
    x = np.array([12, 20], dtype)
    expected = [1 / (1 + 12**2), 2 / (1 + 20**2)]
    np.testing.assert_allclose(zg.gradient(arctangents, x)[0], expected, rtol=2e-3)  # of the half precision
    x = np.array([2, 12], dtype)
    expected = [2 / math.sqrt(math.pi) * math.exp(-4), 4 / math.sqrt(math.pi) * math.exp(-144)]
    np.testing.assert_allclose(zg.gradient(errors, x)[0], expected, rtol=2e-3)


@pytest.mark.parametrize("function", [special.pseudo_huber, special.stdtr, special.owens_t, special.agm])
def test_small_integers_beside_a_variable(function):
    x, other = np.array([0.4, 1.7]), np.array([120, 90], np.uint8)

    def program(x, other):
        return np.sum(function(other, x))

    expected = zg.gradient(program, x, other.astype(float))[0]
    np.testing.assert_allclose(zg.gradient(program, x, other)[0], expected, rtol=1e-12)


def polynomial(x, other):
    return np.sum(np.polyval(other, x))


def line(x, other):
    return np.sum(np.interp(x, np.array([0.0, 1.0, 2.0]), other))


def powers(x, other):
    return np.sum(np.logspace(x[0], 2.0, 3, base=other[2]))


@pytest.mark.parametrize("program", [polynomial, line, powers])
def test_functions_of_several_small_integers(program):
    x, other = np.array([0.4, 1.7]), np.array([200, 100, 3], np.uint8)
    expected = zg.gradient(program, x, other.astype(float))[0]
    np.testing.assert_allclose(zg.gradient(program, x, other)[0], expected, rtol=1e-12)
    pushed = zg.pushforward(lambda x: program(x, other), x)(np.array([1.0, 0.5]))
    np.testing.assert_allclose(pushed, expected @ [1.0, 0.5], rtol=1e-12)


def imaginary(x):
    return x.imag * 2 + x


def of_numpys(x):
    return np.float64(x).imag + np.sum(x * x)


def parts(x):
    part = x if x > 0 else 1j
    return float(part.real * 1.3 + part.imag)


def turned_angle(x):
    return (np.angle(x) * 1j).real + x


@pytest.mark.parametrize(
    ("program", "slope"), [(imaginary, 1.0), (of_numpys, 1.4), (parts, 1.3), (turned_angle, 1.0)]
)
def test_imaginary_parts_of_real_numbers(program, slope):
    assert zg.pushforward(program, 0.7)(1.0) == pytest.approx(slope)
    assert zg.gradient(program, 0.7)[0] == pytest.approx(slope)


def asks_masked(x):
    return x * x if isinstance(np.ma.array([x, 2.0], mask=[0, 1]), (int, np.ndarray)) else 0.0


def matches_matrix(x):
    match np.matrix([[x, 2.0]]):
        case np.ndarray():
            return x * x
    return 0.0


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("program", [asks_masked, matches_matrix])
def test_arrays_of_other_classes_are_arrays(program):
    """The branch that is taken is the program's own."""
    value, (slope,) = zg.withgradient(program, 0.7)
    assert (value, slope) == (program(0.7), pytest.approx(1.4))
