"""Derivatives of any order of special functions that SciPy has no function for; loaded with SciPy alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.numbers import zero
from zygpy.runtime.special import GAUSS_NODES, GAUSS_WEIGHTS
from zygpy.runtime.unknown_derivatives import unknown_derivative

ROOT_PI = math.sqrt(math.pi)


def in_precision_of(x: Any, value: Any) -> Any:
    """`value` in single precision where `x` is, as a number where it has rank zero."""
    narrow = {"f": np.float32, "c": np.complex64}.get(np.asarray(value).dtype.kind)
    given = np.asarray(x).dtype
    if narrow is not None and given in (np.float32, np.complex64):
        value = np.asarray(value).astype(narrow)
    return np.asarray(value)[()]


def _wide(x: Any) -> Any:
    """The number or array in double precision."""
    array = np.asarray(x)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


# ------------------------------------------------------------------------------- gamma functions

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_SHIFT = 20


def polygamma(order: int, x: Any) -> Any:
    """The derivative of that order, at least 1, of the digamma function, of complex numbers too.

    DLMF 25.11.12 for real numbers; 5.15.5 (recurrence), 5.15.6 (reflection) and 5.15.8 (asymptotic series)
    for complex ones.

    >>> round(float(polygamma(1, 1.0)), 12)  # pi ** 2 / 6
    1.644934066848
    """
    sign = -1 if order % 2 == 0 else 1
    if not np.iscomplexobj(x):
        if order == 1 and _is_long_and_positive(x):
            return _trigamma(x)
        return sign * math.factorial(order) * sc.zeta(float(order + 1), x)
    z = _wide(x)
    left = z.real < 0.5
    with np.errstate(all="ignore"):
        right = _polygamma_on_the_right(order, np.where(left, 1 - z, z))
        turned = (-1) ** order * right - _cotangent_derivative(order, np.where(left, z, 0.5))
    return in_precision_of(x, np.where(left, turned, right))


def _is_long_and_positive(x: Any) -> bool:
    """Whether it is an array of doubles for which series are quicker than SciPy's zeta function."""
    return type(x) is np.ndarray and x.dtype == np.float64 and x.size > _MANY and bool(x.min() > 0)


_MANY = 256


def _trigamma(z: Any) -> Any:
    """The derivative of the digamma function of positive numbers: DLMF 5.15.5, and 5.15.8 behind ten steps.

    >>> _trigamma(np.array([1.0, 0.5])).round(12).tolist()  # pi ** 2 / 6 and pi ** 2 / 2
    [1.644934066848, 4.934802200545]
    """
    total = np.zeros(z.shape)
    with np.errstate(all="ignore"):
        for k in reversed(range(_STEPS)):
            shifted = z + k
            total += 1.0 / (shifted * shifted)
    inverse = 1.0 / (z + _STEPS)
    square = inverse * inverse
    series = np.zeros(z.shape)
    for bernoulli in reversed(_BERNOULLI):
        series += bernoulli
        series *= square
    return total + (inverse * series + (inverse + 0.5 * square))


_STEPS = 10


def _polygamma_on_the_right(order: int, z: Any) -> Any:
    total = sum((z + k) ** -(order + 1.0) for k in range(_SHIFT)) * math.factorial(order)
    z = z + _SHIFT
    total = total + math.factorial(order - 1) * z**-order + math.factorial(order) / 2 * z ** -(order + 1.0)
    for k, bernoulli in enumerate(_BERNOULLI, start=1):
        factor = math.factorial(2 * k + order - 1) / math.factorial(2 * k)
        total = total + bernoulli * factor * z ** -(2.0 * k + order)
    return -total if order % 2 == 0 else total


def _cotangent_derivative(order: int, z: Any) -> Any:
    """The derivative of that order of `pi / tan(pi z)`, as a polynomial in the cotangent."""
    polynomial = np.polynomial.Polynomial([0.0, math.pi])
    slope = np.polynomial.Polynomial([-math.pi, 0.0, -math.pi])
    for _ in range(order):
        polynomial = polynomial.deriv() * slope
    return polynomial(1 / np.tan(math.pi * z))


def rgamma_derivative(x: Any, order: int) -> Any:
    """The derivative of that order of `1 / gamma(x)`, also at the poles of the gamma function.

    On the left by Leibniz's rule from the reflection formula, DLMF 5.5.3.

    >>> [float(rgamma_derivative(-n, 1).round(12)) for n in (0.0, 1.0, 2.0)]
    [1.0, -1.0, 2.0]
    """
    z = _wide(x)
    left = z.real < 0.5
    with np.errstate(all="ignore"):
        values = _reciprocal_derivatives(np.where(left, 1.0, z), order)[order]
        mirrored = _gamma_derivatives(np.where(left, 1 - z, 1.0), order)
        waves = [math.pi ** (n - 1) * np.sin(math.pi * z + n * math.pi / 2) for n in range(order + 1)]
        waves[::2] = [
            _sine_of_multiple(z) * (-1) ** (n // 2) * math.pi ** (n - 1) for n in range(0, order + 1, 2)
        ]
        turned = sum(
            math.comb(order, n) * (-1) ** n * mirrored[n] * waves[order - n] for n in range(order + 1)
        )
    return in_precision_of(x, np.where(left, turned, values))


def _sine_of_multiple(z: Any) -> Any:
    """`sin(pi z)`, which is exactly 0 for integers."""
    nearest = np.round(z.real)
    return np.where(nearest % 2 == 0, 1, -1) * np.sin(math.pi * (z - nearest))


def _gamma_derivatives(z: Any, order: int) -> list[Any]:
    psi = [sc.psi(z), *(polygamma(n, z) for n in range(1, order))]
    found = [sc.gamma(z)]
    for n in range(order):
        found.append(sum(math.comb(n, k) * psi[k] * found[n - k] for k in range(n + 1)))
    return found


def _reciprocal_derivatives(z: Any, order: int) -> list[Any]:
    psi = [sc.psi(z), *(polygamma(n, z) for n in range(1, order))]
    found = [sc.rgamma(z)]
    for n in range(order):
        found.append(-sum(math.comb(n, k) * psi[k] * found[n - k] for k in range(n + 1)))
    return found


# ------------------------------------------------------------------------------- error functions

_FAR = 7.0
_TERMS = 30


def erfcx_derivative(x: Any, order: int) -> Any:
    """The derivative of that order of the scaled complementary error function.

    The recurrence DLMF 7.10.1 gives, and where its terms cancel each other the asymptotic series 7.12.1.

    >>> round(float(erfcx_derivative(1e9, 1)) * 1e18 * math.sqrt(math.pi), 12)
    -1.0
    """
    z = _wide(x)
    far = (np.abs(z) > _FAR) & (z.real >= 0)
    with np.errstate(all="ignore"):
        near = _by_recurrence(sc.erfcx(z), 2 * z * sc.erfcx(z) - 2 / ROOT_PI, 2.0, z, order)
        series = _series_of_erfcx(np.where(far, z, 1.0), order)
    return in_precision_of(x, np.where(far, series, near))


def _by_recurrence(value: Any, slope: Any, factor: float, z: Any, order: int) -> Any:
    """`f(order)` from `f(n + 1) = factor * (z f(n) + n f(n - 1))`."""
    if order == 0:
        return value
    for n in range(1, order):
        value, slope = slope, factor * (z * slope + n * value)
    return slope


def _series_of_erfcx(z: Any, order: int) -> Any:
    inverse = 1 / z  # whose powers become 0, where those of a large complex number become nan
    square, power = inverse * inverse, inverse ** (1.0 + order)
    total, factor = 0.0, (-1) ** order * math.factorial(order) / ROOT_PI
    for m in range(_TERMS):
        total = total + factor * power
        power = power * square
        factor *= -(2 * m + 1) / 2 * (2 * m + 1 + order) * (2 * m + 2 + order) / ((2 * m + 1) * (2 * m + 2))
    return total


def wofz_derivative(z: Any, order: int) -> Any:
    """The derivative of that order of the Faddeeva function."""
    turned = -1j * np.asarray(z)
    return in_precision_of(z, (-1j) ** order * erfcx_derivative(turned, order))


def dawsn_derivative(x: Any, order: int) -> Any:
    """The derivative of that order of Dawson's integral, DLMF 7.5.1 and 7.10.

    >>> round(float(dawsn_derivative(0.0, 1)), 12), round(float(dawsn_derivative(1e9, 1)) * 2e18, 12)
    (1.0, -1.0)
    """
    if not np.iscomplexobj(x):
        finite = np.clip(_wide(x), -1e300, 1e300)  # where all derivatives are 0 as they are at infinity
        return in_precision_of(x, ROOT_PI / 2 * wofz_derivative(finite, order).imag)
    z = _wide(x)
    upper = np.where(z.imag < 0, -z, z)
    with np.errstate(all="ignore"):
        near = _by_recurrence(sc.dawsn(z), 1 - 2 * z * sc.dawsn(z), -2.0, z, order)
        far = 0.5j * ROOT_PI * (_bell_derivative(upper, order) - wofz_derivative(upper, order))
        far = np.where(z.imag < 0, (-1) ** (order + 1) * far, far)
    return in_precision_of(x, np.where(np.abs(z) > _FAR, far, near))


def _bell_derivative(z: Any, order: int) -> Any:
    """The derivative of that order of `exp(-z * z)`."""
    bell = np.exp(-z * z)
    return _by_recurrence(bell, -2 * z * bell, -2.0, z, order)


# ---------------------------------------------------- functions with removable singularities


def log_ratio_derivative(z: Any, order: int) -> Any:
    """The derivative of that order of `log(z) / (1 - z)`, which is that of Spence's function.

    >>> [round(float(log_ratio_derivative(1.0, n)), 12) for n in range(3)]
    [-1.0, 0.5, -0.666666666667]
    """
    x = _wide(z)
    near = np.abs(x - 1) < 0.3
    with np.errstate(all="ignore"):
        away = np.where(near, 2.0, x)
        far = np.log(away) / (1 - away)
        for n in range(1, order + 1):
            far = (n * far - (-1) ** n * math.factorial(n - 1) * away ** -float(n)) / (1 - away)
    series = np.polynomial.Polynomial([-((-1.0) ** k) / (k + 1) for k in range(60 + order)]).deriv(order)
    return in_precision_of(z, np.where(near, series(np.where(near, x - 1, 0.0)), far))


def exprel_derivative(x: Any, order: int) -> Any:
    """The derivative of that order of `expm1(x) / x`, the integral of `t**order * exp(x t)` from 0 to 1.

    >>> [round(float(exprel_derivative(0.0, n)), 12) for n in range(3)]
    [1.0, 0.5, 0.333333333333]
    """
    z = _wide(x)
    near = np.abs(z) < 10
    small = np.exp(np.multiply.outer(np.where(near, z, 0.0), GAUSS_NODES)) @ (
        GAUSS_WEIGHTS * GAUSS_NODES**order
    )
    with np.errstate(all="ignore"):
        away = np.where(near, 1.0, z)
        far = sc.exprel(away)
        for n in range(1, order + 1):
            far = np.where(away == np.inf, np.inf, (np.exp(away) - n * far) / away)
    return in_precision_of(x, np.where(near, small, far))


def expn(n: Any, x: Any) -> Any:
    """The generalised exponential integral, also of negative orders, DLMF 8.19.12."""
    orders = np.asarray(n)
    result = np.asarray(sc.expn(np.maximum(orders, 0), x))
    with np.errstate(all="ignore"):
        lower, bell = sc.expn(0, x), np.exp(-np.asarray(x))
        for k in range(1, 1 + int(max(0, -orders.min(initial=0)))):
            lower = (bell + k * lower) / np.asarray(x)
            result = np.where(orders == -k, lower, result)
    return in_precision_of(x, result)


def diric_derivative(x: Any, n: Any, order: int) -> Any:
    """The derivative of that order of the periodic sinc function, which is a mean of n cosines."""
    z, counts = _wide(x), np.asarray(n)
    z, counts = np.broadcast_arrays(z, counts)
    result = np.zeros(z.shape)
    for j in range(int(counts.max(initial=0))):
        waves = j - (counts - 1) / 2
        result += np.where(j < counts, waves**order * np.cos(waves * z + order * math.pi / 2), 0.0)
    return in_precision_of(x, result / counts)


# ------------------------------------------------------------------------------- distributions

_LOW = 0.6


def kolmogorov_derivative(x: Any, order: int) -> Any:
    """The derivative of that order, at least 1, of the survival function of Kolmogorov's distribution.

    Of its two series (see DLMF 20.7.32) each converges at one end.
    """
    z = _wide(x)
    with np.errstate(all="ignore"):
        low = _kolmogorov_low(np.where(z < _LOW, z, _LOW), order)
        high = _kolmogorov_high(np.where(z < _LOW, _LOW, z), order)
    result = np.where(z < _LOW, np.where(z > 0.03, low, 0.0), high)
    return in_precision_of(x, np.where(np.isnan(z), z, result))


def _kolmogorov_high(x: Any, order: int) -> Any:
    total = 0.0
    for k in range(1, 20):
        width = math.sqrt(2) * k
        total = total - 2 * (-1) ** k * width**order * _bell_derivative(width * x, order)
    return total


def _kolmogorov_low(x: Any, order: int) -> Any:
    total = 0.0
    for k in range(1, 6):
        a = (2 * k - 1) ** 2 * math.pi**2 / 8
        terms = {1: 1.0}
        for _ in range(order):
            terms = _differentiated(terms, a)
        total = total + np.exp(-a / (x * x)) * sum(factor * x ** -float(p) for p, factor in terms.items())
    return -math.sqrt(2 * math.pi) * total


def _differentiated(terms: dict[int, float], a: float) -> dict[int, float]:
    """The derivative of `sum(factor * x**-power) * exp(-a / x**2)`, by power."""
    found: dict[int, float] = {}
    for power, factor in terms.items():
        found[power + 1] = found.get(power + 1, 0.0) - power * factor
        found[power + 3] = found.get(power + 3, 0.0) + 2 * a * factor
    return found


# ------------------------------------------------------------------------------- elliptic integrals

_STEP = 0.25
_BLOCK = 2**18
_DIGITS = 38.0  # the logarithm of how many of the digits are right
_FINEST = 8


def carlson(x: Any, y: Any, z: Any, p: Any, i: float, j: float, k: float, m: float, power: int = 0) -> Any:
    """The integral of `t**power / ((t+x)**i (t+y)**j (t+z)**k (t+p)**m)` over positive t.

    These are Carlson's symmetric integrals (DLMF 19.16) and all their derivatives. The trapezoid rule in the
    logarithm of t, whose error is `exp(-2 pi angle / step)` for singularities at that angle from the path; it
    is nan for negative numbers and where it would take too many steps.
    """
    points = np.broadcast_arrays(*(np.asarray(one) for one in (x, y, z, p)))
    dtype = np.complex128 if any(one.dtype.kind == "c" for one in points) else np.float64
    flat = np.array([np.ravel(one) for one in points], dtype)
    result = np.full(flat.shape[1], np.nan, dtype)
    halvings = _halvings(flat)
    for count in np.unique(halvings[halvings <= _FINEST]):
        members = np.flatnonzero(halvings == count)
        size = max(1, (_BLOCK // 1000) >> int(count))
        for start in range(0, len(members), size):
            some = members[start : start + size]
            result[some] = _integrated(flat[:, some], (i, j, k, m), power, _STEP * 0.5**count)
    narrow = np.zeros((), np.result_type(x, y, z, p))
    return in_precision_of(narrow, result.reshape(points[0].shape))


def _halvings(points: Any) -> Any:
    """How often the step is halved for the trapezoid rule to be precise."""
    if not np.iscomplexobj(points):
        return np.zeros(points.shape[1], int)
    angles = _angles(points)
    nearest = math.pi - (angles.max(axis=0) - angles.min(axis=0)) / 2
    with np.errstate(divide="ignore"):
        needed = np.log2(_STEP * _DIGITS / (2 * math.pi * nearest))
    return np.ceil(np.clip(needed, 0, _FINEST + 1)).astype(int)


def _angles(points: Any) -> Any:
    return np.where(points == 0, 0, np.angle(points))


def _integrated(points: Any, exponents: tuple[float, ...], power: int, step: float) -> Any:
    sizes = np.abs(points)
    used = sizes[np.array(exponents) != 0]
    some = used[used > 0]
    if not some.size or not np.isfinite(some).all():
        return np.full(points.shape[1], np.nan)
    logarithms = np.arange(math.log(some.min()) - 80, math.log(some.max()) + 80, step)
    with np.errstate(all="ignore"):
        t = np.multiply.outer(np.exp(logarithms), _direction(points))
        values = t ** (power + 1)
        for point, exponent in zip(points, exponents, strict=True):
            values = values * (t + point) ** -exponent if exponent else values
    result = step * values.sum(axis=0)
    result = np.where(_diverges(points, exponents, power), np.inf, result)
    return np.where(((points.real < 0) & (points.imag == 0)).any(axis=0), np.nan, result)


def _direction(points: Any) -> Any:
    """Where to integrate to: as far as can be from the negatives of all points."""
    if not np.iscomplexobj(points):
        return np.ones(points.shape[1])
    angles = _angles(points)
    return np.exp(0.5j * (angles.max(axis=0) + angles.min(axis=0)))


def _diverges(points: Any, exponents: tuple[float, ...], power: int) -> Any:
    """Whether the integrand is too large at 0."""
    return (points == 0).T @ np.array(exponents) >= power + 1


# ------------------------------------------------------------------------------- small ones


def per_argument(value: Any, x: Any, limit: complex) -> Any:
    """`value / x`, with its limit where x is 0."""
    with np.errstate(all="ignore"):
        return np.where(np.equal(x, 0), limit, np.divide(value, x))[()]


def whole(n: Any) -> Any:
    """The whole number that SciPy takes where it is given another one."""
    return np.trunc(n)


def whole_beside(n: Any, x: Any) -> Any:
    """The same, in single precision where `x` is."""
    return in_precision_of(x, np.trunc(np.asarray(n, float)))


def shown(degree: Any) -> Any:
    """The degree of a polynomial, 0 for one of degree -1 or -2, which is zero."""
    return np.where(_lacks(degree), 0, degree)[()]


def as_wide_as(value: Any, y: Any) -> Any:
    """A value in the shape and the precision of a result.

    >>> as_wide_as(2.0, np.zeros(2, np.float32))
    array([2., 2.], dtype=float32)
    """
    return (value + np.zeros(np.shape(y))).astype(y.dtype)


def present(degree: Any) -> Any:
    """1, and 0 for a polynomial of degree -1 or -2, which is zero (SciPy gives nan in places)."""
    return np.where(_lacks(degree), 0, 1)[()]


def one_less(degree: Any) -> Any:
    """The next lower degree of a Hermite polynomial, of which SciPy takes whole numbers only."""
    return np.maximum(degree, 1).astype(int) - 1


def _lacks(degree: Any) -> Any:
    return np.equal(degree, -1) | np.equal(degree, -2)


def is_smooth(v: Any, x: Any) -> Any:
    """Where Ferrers' function of degree v is smooth: between -1 and 1, and beyond where SciPy's sums end."""
    return np.less(np.abs(x), 1) | np.greater(np.abs(x), 1) & np.equal(np.mod(v, 1), 0)


def legendre_edge(m: Any, v: Any, x: Any) -> Any:
    """The derivative of Ferrers' function of order m and degree v where x is 1 or -1, DLMF 14.8.1, 14.7.17.

    >>> [float(legendre_edge(m, 3, 1.0)) for m in (0, 1, 2, -2, 3)], float(legendre_edge(0, 3, -1.0))
    ([6.0, inf, -30.0, -0.25, 0.0], 6.0)
    """
    m, v, x = (np.asarray(one, np.result_type(one, np.float32)) for one in (m, v, x))
    first = v * (v + 1)
    second = -(v - 1) * first * (v + 2) / 4
    steep = np.where(first == 0, 0.0, np.sign(first) * np.inf)
    degree = np.maximum(v, -1 - v)
    lacks = (np.abs(x) > 1) | ((degree % 1 == 0) & (degree < -m))
    known = (lacks, m == 0, m == 1, m == -1, m == 2, m == -2, v == v)
    right = np.select(known, (np.nan, first / 2, steep, -np.inf, second, -0.25, 0.0), np.nan)
    turned = np.where(degree % 1 == 0, -right * (1 - 2 * ((degree + m) % 2)), np.nan)
    return np.where(x > 0, right, turned)[()]


def where_right(value: Any, x: Any) -> Any:
    """`value` where x is not negative, nan elsewhere; nothing remains nothing."""
    return np.where(np.less(x, 0) & np.not_equal(value, 0), np.nan, value)[()]


def airy_root(z: Any) -> Any:
    """The square root in the scaling of the Airy functions: 0 below 0, where they are not scaled."""
    return np.sqrt(z) if np.iscomplexobj(z) else np.sqrt(np.maximum(z, 0))


def along_imaginary(value: Any, z: Any) -> Any:
    """`value` times the imaginary unit where z is complex; real numbers have no imaginary part."""
    return 1j * value if np.iscomplexobj(z) else np.zeros_like(value)[()]


def phase_share(g: Any, phase: Any) -> Any:
    """What comes back through the sign of a sum: nothing, and what is not known through a complex one."""
    if np.iscomplexobj(phase):
        return unknown_derivative(
            g, phase, "the derivative of the phase of 'logsumexp': it is not implemented."
        )
    return zero(g)


def imaginary_part(value: Any, z: Any) -> Any:
    """The transpose of `along_imaginary`."""
    return np.imag(value) if np.iscomplexobj(z) else np.zeros_like(np.real(value))[()]


def logarithm(x: Any) -> Any:
    """The logarithm, silent where the primal had its say."""
    with np.errstate(all="ignore"):
        return np.log(x)


def signed_along(moved: Any, y: Any) -> Any:
    """The tangents of the logarithm of a sum's size and of its sign, given how the sum moves by its size."""
    relative = moved * np.conj(y[1])
    if np.iscomplexobj(relative):
        return np.real(relative), 1j * np.imag(relative) * y[1]
    return relative, np.zeros_like(y[1])
