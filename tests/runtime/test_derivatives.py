"""The helpers of singular derivatives and special functions, at the points that they exist for."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from zygpy.errors import ZygpyError
from zygpy.runtime.derivatives import (
    clipped_high,
    clipped_low,
    divided,
    divisor_cotangent,
    divisor_sum,
    exp_difference,
    finite_part,
    logarithm,
    passed_over,
    picked,
    power_base,
    power_exponent,
    raised,
    root,
    scaled_by_power,
    times,
    unit_cotangent,
)
from zygpy.runtime.numbers import conj, part, placed, unit, unless, zero
from zygpy.runtime.special import bessel_i, polygamma, sinc_derivative

INF, NAN = math.inf, math.nan


def same(found: Any, expected: Any) -> bool:
    """Equal in value, where nan equals nan."""
    return bool(np.array_equal(np.asarray(found), np.asarray(expected), equal_nan=True))


def as_arrays(value: Any) -> Any:
    return np.array([value], np.complex128 if isinstance(value, complex) else np.float64)


SCALAR_OR_ARRAY: list[Callable[[Any], Any]] = [lambda value: value, np.float64, as_arrays]


@pytest.mark.parametrize("of_kind", SCALAR_OR_ARRAY)
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [(2.0, 3.0, 6.0), (0.0, INF, 0.0), (0.0, NAN, 0.0), (INF, 0.0, 0.0), (1.0, INF, INF), (1.0, NAN, NAN)],
)
def test_times(of_kind: Callable[[Any], Any], a: float, b: float, expected: float) -> None:
    assert same(np.ravel(times(of_kind(a), of_kind(b))), [expected])


@pytest.mark.parametrize("of_kind", SCALAR_OR_ARRAY)
@pytest.mark.parametrize(
    ("value", "by", "expected"),
    [
        (6.0, 3.0, 2.0),
        (0.0, 0.0, 0.0),
        (0.0, NAN, 0.0),
        (1.0, 0.0, INF),
        (-1.0, 0.0, -INF),
        (1.0, -0.0, -INF),
        (NAN, 0.0, NAN),
        (1.0, INF, 0.0),
    ],
)
def test_divided(of_kind: Callable[[Any], Any], value: float, by: float, expected: float) -> None:
    assert same(np.ravel(divided(of_kind(value), of_kind(by))), [expected])


@pytest.mark.parametrize("of_kind", SCALAR_OR_ARRAY)
@pytest.mark.parametrize(
    ("g", "quotient", "by", "expected"),
    [(1.0, 3.0, 2.0, -1.5), (0.0, INF, 0.0, 0.0), (1.0, INF, 0.0, -INF), (1.0, 0.0, INF, 0.0)],
)
def test_divisor_cotangent(
    of_kind: Callable[[Any], Any], g: float, quotient: float, by: float, expected: float
) -> None:
    assert same(np.ravel(divisor_cotangent(of_kind(g), of_kind(quotient), of_kind(by))), [expected])


@pytest.mark.parametrize(
    ("g", "quotient", "by"),
    [
        ([1.0, 2.0], [3.0, -4.0], 2.0),
        ([0.0, 0.0], [INF, NAN], 0.0),
        ([0.0, 1.0], [INF, 2.0], 0.5),
        ([1.0, 2.0], [INF, 2.0], 0.0),
        ([], [], 2.0),
        ([[1.0, 2.0]], [[3.0, 4.0]], -2.0),
    ],
)
def test_divisor_sum(g: Any, quotient: Any, by: float) -> None:
    g, quotient = np.array(g), np.array(quotient)
    expected = np.sum(divisor_cotangent(g, quotient, by))
    assert divisor_sum(g, quotient, by) == pytest.approx(expected, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("cls", [float, np.float64])
def test_zero_stays_zero_beside_what_is_not_a_number(cls: Any) -> None:
    for by in (NAN, INF, 0.0, 2.0):
        assert divided(cls(0.0), cls(by)) == 0.0
        for quotient in (INF, NAN, 3.0, 0.0):
            assert divisor_cotangent(cls(0.0), cls(quotient), cls(by)) == 0.0
    assert divisor_cotangent(cls(INF), cls(0.0), cls(2.0)) == 0.0
    assert divisor_cotangent(cls(INF), cls(3.0), cls(2.0)) == -INF


def test_quotients_of_complex_and_exact_numbers() -> None:
    assert divided(0j, 0j) == 0
    assert divided(1 + 0j, 0j) == complex(INF, 0)
    assert divided(Fraction(1, 2), Fraction(3)) == Fraction(1, 6)
    assert divided(Fraction(0), 0) == 0
    assert isinstance(divided(Fraction(0), 0), Fraction)
    assert divided(-Fraction(1), 0) == -INF


def test_integers_too_large_for_a_float_do_not_raise() -> None:
    assert divided(1.0, 10**400) == 0.0
    assert times(-1.0, 10**400) == -INF


def test_broadcast_operands() -> None:
    column = np.array([[0.0], [1.0]])
    assert same(times(column, np.array([INF, 2.0])), [[0.0, 0.0], [INF, 2.0]])
    assert same(divided(column, np.array([0.0, 2.0])), [[0.0, 0.0], [INF, 0.5]])


@pytest.mark.parametrize(
    "helper",
    [
        lambda x: times(x, np.array([0.0, NAN], np.float32)),
        lambda x: divided(x, np.array([0.0, 2.0], np.float32)),
        lambda x: power_base(x, np.array([0.0, 2.0], np.float32), 2),
        lambda x: power_base(x, np.array([0.0, 2.0], np.float32), 0.5),
        lambda x: power_exponent(x, np.array([0.0, 2.0], np.float32), np.float32(2)),
        lambda x: picked(x, x, x),
        lambda x: passed_over(x, x, x + 1),
        lambda x: finite_part(x, x, copy=True),
        lambda x: exp_difference(x, x),
        lambda x: root(-x),
        lambda x: sinc_derivative(x, 1),
        lambda x: bessel_i(x, 1),
        lambda x: scaled_by_power(x, 3),
        zero,
        unit,
    ],
)
def test_single_precision_stays_single(helper: Callable[[Any], Any]) -> None:
    assert helper(np.array([0.0, 1.0], np.float32)).dtype == np.float32
    assert np.asarray(helper(np.float32(1.0))).dtype == np.float32


@pytest.mark.parametrize("of_kind", SCALAR_OR_ARRAY)
@pytest.mark.parametrize(
    ("g", "x", "n", "expected"),
    [
        (1.0, 3.0, 2.0, 6.0),
        (1.0, -3.0, 3.0, 27.0),
        (1.0, 0.0, 1.0, 1.0),
        (1.0, 0.0, 0.0, 0.0),
        (1.0, INF, 0.0, 0.0),
        (INF, 0.0, 2.0, 0.0),
        (0.0, 0.0, 0.5, 0.0),
        (1.0, 0.0, 0.5, INF),
        (1.0, 1e-160, -2.0, -INF),
    ],
)
def test_power_base(of_kind: Callable[[Any], Any], g: float, x: float, n: float, expected: float) -> None:
    assert np.ravel(power_base(g, of_kind(x), n)) == pytest.approx([expected])
    assert np.ravel(power_base(of_kind(g), x, of_kind(n))) == pytest.approx([expected])
    assert np.ravel(power_base(of_kind(g), of_kind(x), of_kind(n))) == pytest.approx([expected])


@pytest.mark.parametrize("of_kind", SCALAR_OR_ARRAY)
@pytest.mark.parametrize(
    ("g", "x", "n", "expected"),
    [
        (1.0, math.e, 2.0, math.e**2),
        (1.0, 0.0, 2.0, 0.0),
        (1.0, 0.0, 0.0, 0.0),
        (1.0, -2.0, 3.0, -8 * math.log(2)),
        (0.0, 0.0, -1.0, 0.0),
        (INF, 1.0, 2.0, 0.0),
    ],
)
def test_power_exponent(of_kind: Callable[[Any], Any], g: float, x: float, n: float, expected: float) -> None:
    assert np.ravel(power_exponent(of_kind(g), of_kind(x), of_kind(n))) == pytest.approx([expected])


def test_powers_of_integers() -> None:
    integers: NDArray[np.int64] = np.array([2, 0, -3])
    assert power_base(1.0, integers, 2).tolist() == [4.0, 0.0, -6.0]
    assert power_base(1.0, integers, np.array([0, 0, 1])).tolist() == [0.0, 0.0, 1.0]
    assert power_base(1.0, np.uint8(3), np.uint8(0)) == 0.0
    assert raised(np.array([2, 4]), np.array([-1, 2])).tolist() == [0.5, 16.0]


def test_powers_of_complex_and_exact_numbers() -> None:
    assert power_base(1.0, 1 + 1j, 2) == pytest.approx(2 - 2j)
    assert power_exponent(1.0, 1j, 1) == pytest.approx((1j * cmath.log(1j)).conjugate())
    assert power_exponent(1.0, 0j, 1) == 0
    assert power_base(Fraction(1), Fraction(1, 4), -1) == Fraction(-16)


def test_logarithm_never_raises() -> None:
    assert logarithm(0, 2) == 0.0
    assert logarithm(0j, 2) == 0
    assert logarithm(-1.0, 2) == 0.0
    assert same(logarithm(np.array([-1.0, 0.0]), 2), [0.0, 0.0])


def test_logarithm_of_a_negative_base_is_complex_where_the_power_is() -> None:
    assert logarithm(-1.0, 0.5) == pytest.approx(1j * math.pi)
    assert logarithm(-1.0, 1j) == pytest.approx(1j * math.pi)
    assert logarithm(np.array([-1.0, 0.0]), 1j) == pytest.approx(np.array([1j * math.pi, 0]))
    assert logarithm(np.float64(-1.0), 0.5) == 0.0


@pytest.mark.parametrize("x", [-2.0, np.float64(-2.0), -2, Fraction(-2)])
def test_unit_of_real_numbers(x: Any) -> None:
    assert unit(x) == -1
    assert unit(-x) == 1
    assert unit(x - x) == 0


def test_unit_of_the_rest() -> None:
    assert unit(3 + 4j) == 0.6 + 0.8j
    assert unit(0j) == 0
    assert math.isnan(unit(NAN))
    assert unit(np.array([3 + 4j, 0])).tolist() == [0.6 + 0.8j, 0]
    assert unit_cotangent(1.0, -3.0) == 0.0
    assert unit_cotangent(1 + 1j, 0j) == 0


def test_choices_give_everything_to_the_first_at_a_tie() -> None:
    a, y = np.array([1.0, 2.0, NAN, 0.0]), np.array([1.0, 3.0, NAN, NAN])
    assert picked(1.0, a, y).tolist() == [1.0, 0.0, 1.0, 0.0]
    assert passed_over(1.0, a, y).tolist() == [0.0, 1.0, 0.0, 1.0]


def test_clipping_at_ties_and_crossed_bounds() -> None:
    a, low, high = np.array([0.0, 1.0, -1.0, 5.0, 0.5]), 0.0, 1.0
    y = np.clip(a, low, high)
    assert picked(1.0, a, y).tolist() == [1.0, 1.0, 0.0, 0.0, 1.0]
    assert clipped_low(1.0, a, low, y).tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert clipped_high(1.0, a, low, y).tolist() == [0.0, 0.0, 0.0, 1.0, 0.0]
    assert clipped_high(1.0, a, None, np.minimum(a, high)).tolist() == [0.0, 0.0, 0.0, 1.0, 0.0]
    crossed = np.clip(a, 2.0, 1.0)
    assert clipped_high(1.0, a, 2.0, crossed).tolist() == [1.0, 0.0, 1.0, 1.0, 1.0]


def test_finite_part() -> None:
    assert finite_part(np.ones(3), np.array([1.0, NAN, INF]), copy=True).tolist() == [1.0, 0.0, 0.0]
    assert finite_part(1 + 1j, np.complex128(complex(NAN, 1)), copy=True) == 1j
    with pytest.raises(ZygpyError, match="overwrites"):
        finite_part(1.0, np.ones(2), copy=False)


def test_exp_difference_of_infinities() -> None:
    a, b = np.array([-INF, INF, 1.0, -INF]), np.array([-INF, INF, 1.0, 0.0])
    assert exp_difference(a, b).tolist() == [0.0, 1.0, 1.0, 0.0]


def test_scaled_by_power_overflows_quietly() -> None:
    assert scaled_by_power(1.0, 2000) == INF
    assert scaled_by_power(-1.0, 2000) == -INF
    assert same(scaled_by_power(np.array([1.0, 0.0]), 2000), [INF, 0.0])


def test_kinds_of_zero_and_conjugate() -> None:
    assert [type(zero(value)) for value in (1, True, 1.0, 1j, Fraction(1))] == [
        float,
        float,
        float,
        complex,
        Fraction,
    ]
    assert zero(np.array([1, 2])).dtype == np.float64
    assert zero(np.float32(1)).dtype == np.float32
    assert conj(Fraction(1, 2)) == Fraction(1, 2)
    assert conj(1j) == -1j


def test_entries_of_tuples() -> None:
    assert part((None, 3.0), 1) == 3.0
    assert part((None, 3.0), 0) == 0.0
    assert placed(3.0, 0, 2) == (3.0, None)
    assert (unless(None, 5), unless(7, 5)) == (5, 0)


# Special functions, against values from elsewhere: closed forms, and defining series summed here.

EULER = 0.57721566490153286061
APERY = 1.2020569031595942854


@pytest.mark.parametrize(
    ("order", "x", "expected"),
    [
        (0, 1.0, -EULER),
        (0, 0.5, -EULER - 2 * math.log(2)),
        (0, 0.25, -EULER - math.pi / 2 - 3 * math.log(2)),
        (0, 10.0, sum(1 / k for k in range(1, 10)) - EULER),
        (0, -0.5, -EULER - 2 * math.log(2) + 2),
        (1, 1.0, math.pi**2 / 6),
        (1, 0.5, math.pi**2 / 2),
        (1, -0.5, math.pi**2 / 2 + 4),
        (2, 1.0, -2 * APERY),
        (2, 0.5, -14 * APERY),
        (3, 1.0, math.pi**4 / 15),
    ],
)
def test_polygamma(order: int, x: float, expected: float) -> None:
    assert polygamma(order, x) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_polygamma_of_very_negative_numbers_by_recurrence(order: int) -> None:
    sign = -1 if order % 2 else 1
    steps = sum(1 / (-30.25 + k) ** (order + 1) for k in range(20))
    expected = polygamma(order, -10.25) - sign * math.factorial(order) * steps
    assert polygamma(order, -30.25) == pytest.approx(expected, rel=1e-11)


def test_polygamma_at_its_limits() -> None:
    assert math.isnan(polygamma(0, -3.0))
    assert polygamma(0, 5e-324) == -INF
    assert polygamma(1, 1e-200) == INF
    assert polygamma(0, 1e300) == pytest.approx(math.log(1e300))
    assert polygamma(0, INF) == INF


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("x", [0.0, 1e-9, 0.3, -0.7, 1.999, 2.001, 5.5, -12.25])
def test_sinc_derivative_against_its_series(order: int, x: float) -> None:
    assert sinc_derivative(x, order) == pytest.approx(_sinc_series(Fraction(x), order), rel=1e-11, abs=1e-11)


def _sinc_series(x: Fraction, order: int) -> float:
    """The power series of sinc, differentiated term by term, in exact arithmetic."""
    pi = Fraction("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
    total = Fraction(0)
    for k in range((order + 1) // 2, 80):
        power = 2 * k - order
        falling = math.factorial(2 * k) // math.factorial(power)
        total += (-1) ** k * pi ** (2 * k) * falling * x**power / math.factorial(2 * k + 1)
    return float(total)


@pytest.mark.parametrize("order", [0, 1, 2, 5])
@pytest.mark.parametrize("x", [0.0, 1e-3, 1.0, -2.5, 30.0, 200.0])
def test_bessel_i_against_its_series(order: int, x: float) -> None:
    half = Fraction(x) / 2
    terms = (half ** (2 * k + order) / math.factorial(k) / math.factorial(k + order) for k in range(300))
    expected = float(sum(terms))
    assert bessel_i(x, order) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_bessel_i_takes_arrays_of_any_size() -> None:
    assert bessel_i(np.zeros((2, 0)), 1).shape == (2, 0)
    assert bessel_i(np.array([[0.0, 1.0]]), -1).shape == (1, 2)
