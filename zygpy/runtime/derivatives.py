"""Local derivatives that are singular somewhere: they never raise, and a zero cotangent stays zero.

All of them take Python numbers (exact ones stay exact), NumPy scalars and arrays.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from zygpy.errors import ZygpyError
from zygpy.runtime.numbers import conj, is_numpy, unit, zero

_DOUBLES = (float, np.float64)
DOUBLE = np.dtype(np.float64)
isfinite, ndarray = math.isfinite, np.ndarray
vdot: Any = getattr(np.vdot, "_implementation", np.vdot)
"""For NumPy's own arrays: none is asked whether it is another library's, which takes a third of the time."""
AT_ONCE, MANY = 8192, 1 << 17
"""Products of so many numbers are summed by one thread: for more BLAS starts several, which wait milliseconds
for each other where the processor is busy; of many numbers all else takes that long, too."""


def product_of(a: Any, b: Any) -> Any:
    """`np.vdot(a, b)` of arrays of the same size.

    >>> float(product_of(np.ones(20000), np.ones((2, 10000))))
    20000.0
    """
    if a.size <= AT_ONCE or a.size > MANY:
        return vdot(a, b)
    first, second = a.ravel(), b.ravel()
    parts = range(0, first.size, AT_ONCE)
    return sum([vdot(first[at : at + AT_ONCE], second[at : at + AT_ONCE]) for at in parts])


_LARGEST = float(np.finfo(float).max)
_product, _power = float.__mul__, float.__pow__
"""Of Python's floats and NumPy's, without NumPy's warnings, in a tenth of the time that arrays take."""


def times(a: Any, b: Any) -> Any:
    """`a * b`, with 0 where either is 0, whatever the other is.

    >>> times(0.0, math.inf), times(np.array([2.0, 0.0]), np.array([3.0, np.nan])).tolist()
    (0.0, [6.0, 0.0])
    """
    if type(a) in _DOUBLES and type(b) in _DOUBLES:
        product = _product(a, b)
        if product != product and not (a and b):
            product = 0.0
        return product if type(a) is type(b) is float else np.float64(product)
    if type(a) is float and (a == 1.0 or a == -1.0) and type(b) is np.ndarray and b.dtype.kind == "f":
        return a * b  # exact: the commonest seed can spoil nothing, and nothing is said of it
    if is_numpy(a) or is_numpy(b):
        return a * b if _are_short_and_tame(a, b) else _times_arrays(a, b)
    try:
        product = a * b
    except OverflowError:  # an integer too large for a float
        return _infinite(a, b)
    if product == product or not (a == 0 or b == 0):
        return product
    return zero(product)


SHORT = 4096
"""Arrays up to this many elements are looked at before they are multiplied, longer ones behind."""


def _are_short_and_tame(a: Any, b: Any) -> bool:
    """Whether no product of two elements is infinite or nan, so that nothing has to be silenced.

    The sum of the products tells: it is finite only if all of them are.
    """
    return (
        type(a) is np.ndarray is type(b)
        and a.dtype is DOUBLE is b.dtype
        and a.size <= SHORT
        and a.shape == b.shape
        and bool(-_LARGEST <= vdot(a, b) <= _LARGEST)
    )


def _times_arrays(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore"):
        product = np.multiply(a, b)
        if _cannot_spoil(a) or _all_numbers(product):
            return product
        return np.where(np.equal(a, 0) | np.equal(b, 0), 0, product)[()]


def _cannot_spoil(factor: Any) -> bool:
    """Whether a product with this number is nan only where the other factor is, which then is meant."""
    return not isinstance(factor, np.ndarray) and bool(factor) and cmath.isfinite(factor)


def _all_numbers(value: Any) -> bool:
    """Whether there is no nan; NumPy's numbers and Python's exact ones together make numbers of Python's."""
    if not is_numpy(value):
        return bool(value == value)
    if value.dtype.kind not in "fc":
        return True
    squares = product_of(value, value)  # the quicker witness, though not the last word
    return bool(squares == squares) or not np.isnan(value).any()


def divided(value: Any, by: Any) -> Any:
    """`value / by`, with 0 where `value` is 0 and an infinity where only `by` is.

    >>> divided(1.0, 0.0), divided(0.0, 0.0), divided(np.array([0.0, 1.0]), 0.0).tolist()
    (inf, 0.0, [0.0, inf])
    """
    if type(by) in _DOUBLES and by:
        if type(value) in _DOUBLES:
            if value or by == by:
                return value / by
        elif type(value) is np.ndarray and math.isfinite(by):
            return value / by
    if type(by) is ndarray and by.dtype is DOUBLE and _are_quietly_divided(value, by):
        return value / by
    if is_numpy(value) or is_numpy(by):
        return _divided_arrays(value, by)
    return zero(value) if value == 0 else _divided_exactly(value, by)


_FAR, _NEAR, _ROOT = 1e150, 1e-150, 1e75
"""Quotients are finite of doubles below the first in size by doubles above the second; products of two below
the third are below the first."""


def _are_quietly_divided(value: Any, by: np.ndarray[Any, Any], limit: float = _FAR) -> bool:
    """Whether no quotient by a short array of doubles of one sign can be infinite or nan: the places of the
    least and the largest, and sums of squares, are found without complaint and sooner than with silence."""
    if not 0 < by.size <= SHORT:
        return False
    least = by.item(by.argmin())
    if not (least > _NEAR or (least < -_NEAR and by.item(by.argmax()) < -_NEAR)):
        return False
    return _is_below(value, limit)


def _is_below(x: Any, limit: float) -> bool:
    """Whether a double, or each of a short array, is of a size below this limit and a number."""
    if type(x) is ndarray:
        return x.dtype is DOUBLE and x.size <= SHORT and bool(vdot(x, x) < limit * limit)
    return type(x) in _DOUBLES and -limit < x < limit


def _divided_exactly(value: Any, by: Any) -> Any:
    try:
        return value / by
    except ZeroDivisionError:
        return _infinite(value, by)
    except OverflowError:  # an integer too large for a float
        return 0.0


def _divided_arrays(value: Any, by: Any) -> Any:
    with np.errstate(all="ignore"):
        quotient = np.divide(value, by)
        if _all_numbers(quotient):
            return quotient
        return np.where(np.equal(value, 0), 0, quotient)[()]


def divisor_cotangent(g: Any, quotient: Any, by: Any) -> Any:
    """The cotangent of `by` in `quotient = value / by`, with 0 where `g` is 0.

    >>> divisor_cotangent(1.0, 3.0, 2.0), divisor_cotangent(0.0, math.inf, 0.0)
    (-1.5, -0.0)
    """
    if type(g) in _DOUBLES and type(quotient) in _DOUBLES and type(by) in _DOUBLES:
        if by and ((g and quotient) or _are_finite(g, quotient, by)):
            return -(g * quotient) / by
    elif is_numpy(g) and is_numpy(quotient) and is_numpy(by):
        short = type(by) is ndarray and by.dtype is DOUBLE and _is_below(quotient, _ROOT)
        if short and _are_quietly_divided(g, by, _ROOT):
            return -(g * quotient) / by
        with np.errstate(all="ignore"):
            # Written as one expression, so that NumPy reuses its temporaries.
            product = -(g * quotient.conjugate()) / by.conjugate()
            if _all_numbers(product):
                return product
    return -divided(times(g, conj(quotient)), conj(by))


def divisor_sum(g: Any, quotient: Any, by: Any) -> Any:
    """The sum of `divisor_cotangent(g, quotient, by)`: the cotangent of a number that an array is divided by.

    >>> divisor_sum(np.array([1.0, 2.0]), np.array([3.0, 4.0]), 2.0)
    np.float64(-5.5)
    """
    if type(by) in _DOUBLES and by and np.shape(g) == np.shape(quotient):
        total = product_of(quotient, g)
        if cmath.isfinite(total):
            return -total / by
    return np.sum(divisor_cotangent(g, quotient, by))


def _are_finite(*numbers: float) -> bool:
    return all(map(math.isfinite, numbers))


def _infinite(a: Any, b: Any) -> Any:
    """Infinity with the sign of `a * b`, where a zero `b` counts by its sign."""
    if isinstance(a, complex):
        return complex(times(a.real, math.inf), times(a.imag, math.inf))
    if a != a:
        return math.nan
    return -math.inf if (a < 0) != _is_negative(b) else math.inf


def _is_negative(b: Any) -> bool:
    if isinstance(b, complex):
        return False
    return math.copysign(1.0, b) < 0 if b == 0 else bool(b < 0)


def turning(a: Any, b: Any) -> Any:
    """`a / (a * a + b * b)`, 0 where both are 0: how an angle turns with the coordinate across `a`.

    >>> turning(3.0, 4.0), turning(0.0, 0.0), turning(np.array([2e200]), 0.0).tolist()
    (0.12, 0.0, [5e-201])
    """
    if type(a) is float and type(b) is float:
        length = math.hypot(a, b)
        return a / length / length if length else 0.0
    with np.errstate(all="ignore"):
        found = _turning_by_squares(a, b)
        if found is not None:
            return found
        length = np.hypot(a, b)
        found = a / length / length
    return found if _all_numbers(found) else divided(divided(a, length), length)


def _turning_by_squares(a: Any, b: Any) -> Any:
    """The same of long arrays, in a tenth of the time; None where a square is too large or too small."""
    if not (type(a) is np.ndarray is type(b) and a.size > SHORT and a.dtype.kind == "f" == b.dtype.kind):
        return None
    square = a * a + b * b
    limits = np.finfo(square.dtype)
    if np.min(square, initial=1.0) > limits.tiny / limits.eps and np.max(square, initial=1.0) < np.inf:
        return np.divide(a, square, out=square)
    return None


def root(x: Any) -> Any:
    """The square root, silent where the primal had its say about the domain."""
    if type(x) is ndarray and x.dtype is DOUBLE and 0 < x.size <= SHORT and x.item(x.argmin()) >= 0.0:
        return np.sqrt(x)
    with np.errstate(all="ignore"):
        return np.sqrt(x)


def raised(x: Any, n: Any) -> Any:
    """`x ** n` that never raises: infinite where a negative power meets 0, as NumPy has it.

    >>> raised(0.0, -1), raised(2, 3), raised(np.array([2, 4]), -1).tolist()
    (inf, 8, [0.5, 0.25])
    """
    if is_numpy(x) or is_numpy(n):
        with np.errstate(all="ignore"):
            return np.power(_floating(x), n)
    try:
        return x**n
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return _overflow(x, n)


def _overflow(x: Any, n: Any) -> Any:
    if isinstance(x, complex) or isinstance(n, complex):
        return complex(math.nan, math.nan)
    return -math.inf if x < 0 and n % 2 == 1 else math.inf


def _floating(x: Any) -> Any:
    """Integers have no negative powers in NumPy."""
    if is_numpy(x):
        return x.astype(np.float64) if x.dtype.kind in "iub" else x
    return float(x) if isinstance(x, int) else x


def logarithm(x: Any, n: Any) -> Any:
    """The logarithm in the derivative of `x ** n` by `n`: 0 at 0, and `log(|x|)` below 0 where the power
    is real.

    >>> logarithm(0.0, 2), logarithm(-math.e, 2), logarithm(np.array([0.0, 1.0]), 2).tolist()
    (0.0, 1.0, [0.0, 0.0])
    """
    x = _as_base(x, n)
    if is_numpy(x):
        with np.errstate(all="ignore"):
            size = x if x.dtype.kind == "c" else np.abs(x)
            return np.log(np.where(np.equal(x, 0), 1, size))[()]
    if isinstance(x, complex):
        return cmath.log(x) if x else 0j
    return math.log(abs(x)) if x else 0.0


def _as_base(x: Any, n: Any) -> Any:
    """The base as a complex number where its power is one; what NumPy takes for an array as one."""
    x = np.asarray(x) if isinstance(x, list | tuple) else x
    if np.iscomplexobj(x):
        return x
    if is_numpy(x) or is_numpy(n):
        return x + 0j if np.iscomplexobj(n) else x
    return complex(x) if x < 0 and isinstance(raised(x, n), complex) else x


def power_base(g: Any, x: Any, n: Any) -> Any:
    """`g` times the conjugate of the derivative of `x ** n` by `x`.

    An exactly zero derivative (`n` is 0, or `x` is 0 and `n > 1`) gives 0 whatever `g` is.

    >>> power_base(1.0, 3.0, 2), power_base(math.inf, 0.0, 2), power_base(1.0, 0.0, 0.5)
    (6.0, 0.0, inf)
    """
    if type(n) is int and n == 2 and type(x) is ndarray and x.dtype is DOUBLE:
        if type(g) is ndarray and g.dtype is DOUBLE and g.shape == x.shape and isfinite(product_of(g, x)):
            product = g * x
            product += product  # half the time of a product with 2.0
            return product
        if type(g) in _DOUBLES and isfinite(twice := 2.0 * float(g)) and twice:
            return twice * x
        return _slope_of_square(g, x)
    n = np.asarray(n) if isinstance(n, list | tuple) else n
    if is_numpy(n):
        return times(g, conj(_slope_by_array(x, n)))
    if not n:
        return zero(np.multiply(g, x)) if is_numpy(x) or is_numpy(g) else zero(g)
    if is_numpy(x):
        return _power_base_of_array(g, _floating(x), n)
    try:
        slope = n * x ** (n - 1)
    except (ZeroDivisionError, OverflowError):
        slope = times(n, raised(x, n - 1))
    return times(g, conj(slope))


def _slope_of_square(g: Any, x: Any) -> Any:
    """The same of the commonest power."""
    if _is_tame(g, x):
        return g * (2.0 * x)
    with np.errstate(all="ignore"):
        product = g * (2.0 * x)
        return product if _all_numbers(product) else times(g, 2.0 * x)


def _is_tame(g: Any, x: np.ndarray[Any, Any]) -> bool:
    """Whether there is no zero beside an infinity in a product with an array of doubles: `np.vdot`, which
    never complains, tells that sooner than a look at the product."""
    if type(g) in _DOUBLES:
        return g != 0.0 and math.isfinite(g)
    if type(g) is not np.ndarray or g.dtype is not DOUBLE:
        return False
    if g.shape == x.shape:
        return math.isfinite(product_of(g, x))
    return math.isfinite(product_of(g, g)) and math.isfinite(product_of(x, x))


def _power_base_of_array(g: Any, x: Any, n: Any) -> Any:
    plain = type(x) is np.float64 and (x > 0 or (x and type(n) is int))
    if plain and type(g) in _DOUBLES and type(n) in (int, float):
        try:
            number = _product(g, n * _power(x, n - 1))
        except OverflowError:
            number = math.nan
        if number == number:
            return np.float64(number)
    with np.errstate(all="ignore"):
        # Written as one expression, so that NumPy reuses its temporaries.
        product = g * (n * x if n == 2 else n * x ** (n - 1)).conjugate()
        return product if _all_numbers(product) else times(g, conj(n * x ** (n - 1)))


def _slope_by_array(x: Any, n: Any) -> Any:
    less = np.subtract(n, 1, dtype=np.float64 if n.dtype.kind in "ub" else n.dtype.type)
    return times(n, raised(x, less))


def power_exponent(g: Any, x: Any, n: Any) -> Any:
    """`g` times the conjugate of the derivative of `x ** n` by `n`; 0 at `x == 0`.

    Where a negative `x` has a real power, this is the derivative of the real part.

    >>> power_exponent(1.0, math.e, 1), power_exponent(1.0, 0.0, 2)
    (2.718281828459045, 0.0)
    """
    return times(g, conj(times(raised(x, n), logarithm(x, n))))


def unit_cotangent(g: Any, x: Any) -> Any:
    """The cotangent of `x` through `x / |x|`: zero for real numbers, and at 0."""
    if not np.iscomplexobj(x):
        if not is_numpy(x) or (type(g) is np.ndarray and g.dtype is DOUBLE and g.shape == x.shape):
            return zero(g)
        return zero(g) + zero(x)
    turn = 1j * unit(x)
    return divided(turn * np.real(conj(turn) * g), abs(x))


def picked(g: Any, a: Any, y: Any) -> Any:
    """`g` where the operand `a` was chosen as the result `y`: at a tie the first operand is."""
    return _masked(g, _is_chosen(a, y))


def passed_over(g: Any, a: Any, y: Any) -> Any:
    """`g` where the first operand `a` was not chosen as the result `y`."""
    return _masked(g, np.logical_not(_is_chosen(a, y)))


def _masked(g: Any, mask: Any) -> Any:
    """`g` where the mask holds, and 0 elsewhere. As long as all of `g` is finite, a product takes a tenth of
    the time of a choice."""
    if isinstance(g, np.ndarray) and g.dtype.kind in "fc" and np.isfinite(product_of(g, g)):
        return np.multiply(g, mask)
    return np.where(mask, g, 0)[()]


def _is_chosen(a: Any, y: Any) -> Any:
    chosen = np.equal(a, y)
    if isinstance(y, np.ndarray) and y.dtype.kind in "fc" and _all_numbers(y):
        return chosen
    return chosen | (np.not_equal(a, a) & np.not_equal(y, y))


def clipped_low(g: Any, a: Any, low: Any, y: Any) -> Any:
    """`g` where a clipped value is the lower bound and not `a` itself."""
    return _masked(g, np.logical_not(_is_chosen(a, y)) & np.equal(low, y))


def clipped_high(g: Any, a: Any, low: Any, y: Any) -> Any:
    """`g` where a clipped value is the upper bound: neither `a` itself nor the lower one."""
    at_low = False if low is None else np.equal(low, y)
    return _masked(g, np.logical_not(_is_chosen(a, y) | at_low))


def finite_part(g: Any, x: Any, copy: bool) -> Any:
    """The cotangent through `np.nan_to_num`: `g` where `x` is finite, real and imaginary parts apart."""
    if not copy:
        raise ZygpyError(
            "no gradient through 'np.nan_to_num(x, copy=False)'.",
            why="It overwrites its argument.",
            instead="Write 'x = np.nan_to_num(x)'.",
        )
    real = np.where(np.isfinite(np.real(x)), np.real(g), 0)
    if not (np.iscomplexobj(x) and np.iscomplexobj(g)):
        return real[()]
    return (real + 1j * np.where(np.isfinite(np.imag(x)), np.imag(g), 0))[()]


def exp_difference(a: Any, b: Any) -> Any:
    """`exp(a - b)` for `a <= b`, where equal infinities give their limits 0 and 1.

    >>> exp_difference(-math.inf, -math.inf), exp_difference(math.inf, math.inf)
    (np.float64(0.0), np.float64(1.0))
    """
    with np.errstate(all="ignore"):
        weight = np.exp(np.subtract(a, b))
        if _all_numbers(weight):
            return weight
        return np.where(np.equal(a, b), np.greater(a, 0), weight)[()]


def scaled_by_power(g: Any, exponent: Any) -> Any:
    """`g * 2 ** exponent`, infinite where that is too large."""
    if is_numpy(g) or is_numpy(exponent):
        with np.errstate(all="ignore"):  # integers of arrays come as the doubles that formulas compute with
            return np.ldexp(g, exponent.astype(int) if is_numpy(exponent) else exponent)
    try:
        return math.ldexp(g, exponent)
    except OverflowError:
        return math.copysign(math.inf, g)


def per_degree(g: Any, deg: bool) -> Any:
    """The cotangent of an angle in radians, where `g` is that of one in degrees if `deg`."""
    return g * (180 / math.pi) if deg else g
