"""The tester on rules that are wrong in one way each: every one has to be found, and right ones pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import CotangentShapeError
from zygpy.testing import GradientMismatch, check_gradient, check_rule

X = np.array([0.5, -1.5, 2.0])
SINGLE = X.astype(np.float32)
TABLE = np.arange(1.0, 7.0).reshape(2, 3)
COMPLEX = X + 1j * np.array([1.0, 0.25, -0.5])


def cubes(x: Any) -> Any:
    return x**3


def products(x: Any, y: Any) -> Any:
    return x * y


def ruled(function: Callable[..., Any], bars: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
    """A function of the same value, for which a rule of its own says `bars(y_bar, *args)`."""
    if function is products:

        def two(x: Any, y: Any) -> Any:
            return x * y

        @zg.adjoint(two)
        def _(x: Any, y: Any) -> Any:
            return x * y, lambda y_bar: bars(y_bar, x, y)

        return two

    def one(x: Any) -> Any:
        return function(x)

    @zg.adjoint(one)
    def _(x: Any) -> Any:
        return function(x), lambda y_bar: bars(y_bar, x)

    return one


def of_cubes(y_bar: Any, x: Any) -> tuple[Any]:
    return (y_bar * np.conj(3 * x**2),)


def of_products(y_bar: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return y_bar * y, np.sum(y_bar * x, axis=0)


@pytest.mark.parametrize("x", [X, SINGLE, COMPLEX, COMPLEX.astype(np.complex64), np.float32(0.5), 0.5, 3])
def test_a_right_rule_passes(x: Any) -> None:
    check_rule(ruled(cubes, of_cubes), x, order=1)


def test_a_right_rule_passes_at_second_order() -> None:
    check_rule(ruled(cubes, of_cubes), 0.5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_right_rule_of_two_arguments_passes(dtype: Any) -> None:
    check_rule(ruled(products, of_products), TABLE.astype(dtype), X, order=1)


@pytest.mark.parametrize(
    ("bars", "x"),
    [
        (lambda y_bar, x: (y_bar * np.conj(3 * x**2) * 1.0005,), X),
        (lambda y_bar, x: (y_bar * np.conj(3 * x**2) * 1.0005,), COMPLEX),
        (lambda y_bar, x: (y_bar * 3 * x**2,), COMPLEX),  # a missing conjugate
        (lambda y_bar, x: (np.conj(y_bar) * np.conj(3 * x**2),), COMPLEX),
        (lambda y_bar, x: (np.real(y_bar * np.conj(3 * x**2)),), COMPLEX),
        (lambda y_bar, x: (-3 * y_bar * x**2,), X),
        (lambda y_bar, x: (None,), X),
        (lambda y_bar, x: (y_bar * np.where(x < 0, 0.0, 3 * x**2),), X),
        (lambda y_bar, x: (np.where(x < 0, np.nan, 3 * y_bar * x**2),), X),
        (lambda y_bar, x: (np.mean(3 * y_bar * x**2) + 0 * x,), X),
    ],
)
def test_a_wrong_number_is_found(bars: Any, x: Any) -> None:
    with pytest.raises(GradientMismatch) as caught:
        check_rule(ruled(cubes, bars), x, order=1, seed=11)
    assert (caught.value.argument, caught.value.seed) == ("0", 11)
    assert caught.value.index in ((0,), (1,), (2,))
    for said in ("argument 0", repr(caught.value.found), repr(caught.value.reference), "seed=11"):
        assert said in str(caught.value)


ROUGH = [SINGLE, SINGLE.astype(np.float16), COMPLEX.astype(np.complex64), np.float32(0.5), np.float16(0.5)]


@pytest.mark.parametrize("x", ROUGH)
def test_an_error_of_a_twentieth_percent_is_found_in_single_precision(x: Any) -> None:
    """What single precision cannot tell is told by the same in double precision."""

    def wrong(y_bar: Any, x: Any) -> Any:
        return ((y_bar * np.conj(3 * x**2) * np.asarray(1.0005, x.dtype)).astype(x.dtype),)

    function = ruled(cubes, wrong)
    for check in (check_gradient, check_rule):
        with pytest.raises(GradientMismatch, match="gradient in double precision"):
            check(function, x, order=1)
    check_rule(ruled(cubes, of_cubes), x, order=1)


def in_single_precision(x: Any) -> Any:
    return np.sum(x.astype(np.float32) ** 3).astype(np.float64) * 1.0


def partly_in_single_precision(x: Any) -> Any:
    return np.sum(x * x + 1e-3 * x.astype(np.float32).astype(np.float64))


def of_single_precision_alone(x: Any) -> Any:
    assert x.dtype != np.float64
    return np.sum(x * x)


@pytest.mark.parametrize(
    "function", [in_single_precision, partly_in_single_precision, of_single_precision_alone]
)
def test_what_computes_in_single_precision_raises_no_false_alarm(function: Any) -> None:
    for x in (SINGLE[:2], np.linspace(0.5, 2.0, 100, dtype=np.float32), SINGLE.astype(np.float16)):
        check_gradient(function, x)


def test_a_second_derivative_is_compared_in_double_precision_too() -> None:
    right = ruled(cubes, lambda y_bar, x: (3 * y_bar * squares(x),))
    zg.adjoint(squares)(lambda x: (x**2, lambda y_bar: (y_bar * x * np.asarray(2.001, x.dtype),)))
    with pytest.raises(GradientMismatch, match="second derivative in double precision"):
        check_gradient(right, SINGLE, order=2)


def squares(x: Any) -> Any:
    return x**2


@pytest.mark.parametrize(
    ("x", "dtype", "said"),
    [
        (X, np.float32, "float32, less"),
        (X, np.float16, "float16, less"),
        (SINGLE, np.float64, "float64, more"),
        (SINGLE, np.float16, "float16, less"),
        (COMPLEX, np.complex64, "complex64, less"),
        (COMPLEX.astype(np.complex64), np.complex128, "complex128, more"),
        (np.float64(0.5), np.float32, "float32, less"),
        (0.5, np.float32, "float32, less"),
    ],
)
def test_a_wrong_dtype_is_found(x: Any, dtype: Any, said: str) -> None:
    function = ruled(cubes, lambda y_bar, x: (np.asarray(of_cubes(y_bar, x)[0]).astype(dtype)[()],))
    with pytest.raises(GradientMismatch, match=said) as caught:
        check_rule(function, x, order=1)
    assert caught.value.argument == "0" and caught.value.found.dtype == dtype


def test_what_loses_precision_is_found_in_a_gradient_too() -> None:
    function = ruled(cubes, lambda y_bar, x: (of_cubes(y_bar, x)[0].astype(np.float32),))
    with pytest.raises(GradientMismatch, match="float32, less"):
        check_gradient(function, X)


def test_programs_may_compute_with_several_dtypes() -> None:
    check_gradient(lambda x: np.sum(x.astype(np.float64) ** 2), SINGLE)
    check_gradient(lambda x, y: np.sum(x * y), SINGLE, X)
    check_gradient(lambda x: float(np.sum(x * SINGLE)), 2.0, rtol=1e-3)
    check_gradient(lambda x: x.astype(np.float32) ** 2, X)


@pytest.mark.parametrize(
    "bars",
    [
        lambda y_bar, x, y: (y_bar * y, y_bar * x),  # a lost broadcast
        lambda y_bar, x, y: (y_bar * y, np.sum(y_bar * x, axis=0, keepdims=True)),
        lambda y_bar, x, y: (y_bar * y, np.sum(y_bar * x)),
        lambda y_bar, x, y: (np.sum(y_bar * y, axis=0), np.sum(y_bar * x, axis=0)),
    ],
)
def test_a_wrong_shape_is_found(bars: Any) -> None:
    with pytest.raises(CotangentShapeError, match="which has shape"):
        check_rule(ruled(products, bars), TABLE, X, order=1)


def test_one_row_of_a_broadcast_is_found() -> None:
    function = ruled(products, lambda y_bar, x, y: (y_bar * y, (y_bar * x)[0]))
    with pytest.raises(GradientMismatch, match="argument 1, index"):
        check_rule(function, TABLE, X, order=1)


def test_a_second_derivative_that_is_lost_is_found() -> None:
    function = ruled(cubes, lambda y_bar, x: (y_bar * np.conj(3 * zg.ignore(x) ** 2),))
    check_rule(function, 0.5, order=1)
    with pytest.raises(GradientMismatch, match="second derivative"):
        check_rule(function, 0.5)


@dataclass
class Line:
    slope: Any
    start: Any


def test_a_wrong_entry_of_an_object_or_a_container_is_found() -> None:
    def at(line: Any, x: Any) -> Any:
        return line.slope * x + line.start

    factor = 1.0

    @zg.adjoint(at)
    def _(line: Any, x: Any) -> Any:
        def back(y_bar: Any) -> Any:
            return {"slope": np.sum(y_bar * x), "start": factor * np.sum(y_bar)}, y_bar * line.slope

        return at(line, x), back

    check_rule(at, Line(2.0, 0.5), X, order=1)
    factor = 1.0005
    with pytest.raises(GradientMismatch) as caught:
        check_rule(at, Line(2.0, 0.5), X, order=1)
    assert caught.value.argument == "0.start"


def test_a_wrong_dtype_in_a_container_is_found() -> None:
    def total(parts: Any) -> Any:
        return np.sum(parts["a"] * parts["b"][0])

    dtype = np.float64

    @zg.adjoint(total)
    def _(parts: Any) -> Any:
        a, b = parts["a"], parts["b"][0]
        return total(parts), lambda y_bar: ({"a": (y_bar * b).astype(dtype), "b": [y_bar * a]},)

    check_rule(total, {"a": X, "b": [X + 1]}, order=1)
    dtype = np.float32
    with pytest.raises(GradientMismatch, match=r"argument 0\['a'\] is float32"):
        check_rule(total, {"a": X, "b": [X + 1]}, order=1)


REAL_PARTS: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda z: z.real, COMPLEX),
    (lambda z: z.real, 0.5 + 1.5j),
    (lambda z: np.abs(z), COMPLEX),
    (lambda z: z.real * 2.0 if z.imag > 0 else z.imag, 0.5 + 1.5j),
)


@pytest.mark.parametrize(("part", "z"), REAL_PARTS)
def test_imaginary_parts_of_cotangents_are_dropped_where_the_argument_is_real(part: Any, z: Any) -> None:
    """The argument comes from a complex number, which an imaginary part would reach."""

    def turned(x: Any) -> Any:
        return x * (1 + 2j)

    @zg.adjoint(turned)
    def _(x: Any) -> Any:
        return x * (1 + 2j), lambda y_bar: (y_bar * (1 - 2j),)

    check_gradient(lambda z: turned(part(z)) * z, z, order=2 if part is REAL_PARTS[1][0] else 1)
    check_gradient(lambda z, w: turned(part(z)) * turned(w), z, 2.0)
