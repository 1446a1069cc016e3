"""Forward over reverse: products with Hessians, Hessians, and Jacobians by columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import rosen_hess

import zygpy as zg
from zygpy import gradients_pushed, pushing
from zygpy.derivatives import hvp_by_reverse, withjacobian_by_reverse


def rosenbrock_loop(x: Any) -> Any:
    total = 0.0
    for i in range(len(x) - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def rosenbrock(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def branching(x: Any) -> Any:
    r = x
    for i in range(7):
        if r > 0.5:
            r = r * x + math.sin(r)
        elif i > 3:
            r = r / x
        else:
            r = r * r * x
    return r


def early(x: Any) -> Any:
    if x < 0:
        return -x * x
    return math.exp(x) * x


def with_a_callee(x: Any) -> Any:
    return square_sum(x * x) + square_sum(x)


def square_sum(x: Any) -> Any:
    return np.sum(x**3)


MATRIX = np.arange(9.0).reshape(3, 3) / 9 - 0.3


def layered(x: Any) -> Any:
    h = np.tanh(MATRIX @ x)
    for _ in range(2):
        h = np.tanh(h @ MATRIX + x)
    return h @ h


def written(x: Any) -> Any:
    y = np.zeros(4)
    y[1:] = x
    y[0] = x[0] * x[1]
    y[1:] *= y[:-1]
    return np.sum(np.exp(y))


def powers(x: Any) -> Any:
    return x[0] ** 2 * x[1] ** 3 + x[2] ** 4 + 2.0 ** x[0] + x[1] ** 1.5


VECTOR = np.array([0.4, 1.3, 0.7])


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (rosenbrock_loop, VECTOR),
        (rosenbrock, VECTOR),
        (branching, 0.8),
        (branching, 1.4),
        (early, 0.7),
        (early, -0.7),
        (with_a_callee, VECTOR),
        (layered, VECTOR),
        (written, VECTOR),
        (powers, VECTOR),
    ],
)
def test_agrees_with_reverse_over_reverse(function: Any, x: Any) -> None:
    assert isinstance(gradients_pushed.gradient_push(function, (x,)), pushing.Push)
    v = 0.7 * np.cos(np.arange(3.0)) if isinstance(x, np.ndarray) else 0.7
    found, expected = zg.hvp(function, x, v), hvp_by_reverse(function, x, v)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert type(found) is type(expected)
    np.testing.assert_allclose(
        zg.hessian(function, x), zg.hessian_reverse(function, x), rtol=1e-11, atol=1e-13
    )


@pytest.mark.parametrize("function", [rosenbrock_loop, rosenbrock])
def test_hessian_of_a_hundred_variables(function: Any) -> None:
    x = np.linspace(-1.5, 1.5, 100)
    np.testing.assert_allclose(zg.hessian(function, x), rosen_hess(x), rtol=1e-10, atol=1e-10)


def test_third_derivatives_through_hvp() -> None:
    def second(x: float) -> Any:
        return zg.hvp(lambda t: t**4 * x, x, 1.0)

    assert zg.derivative(second)(2.0) == pytest.approx(12 * 3 * 2.0**2)


def test_arguments_are_left_alone() -> None:
    x, v = VECTOR.copy(), np.ones(3)
    zg.hvp(written, x, v)
    zg.hessian(written, x)
    assert (x.tolist(), v.tolist()) == (VECTOR.tolist(), [1.0] * 3)


def test_a_function_that_does_not_depend_on_its_argument() -> None:
    assert zg.hvp(lambda x: 3.0, 2.0, 1.0) == 0.0
    assert zg.hessian(lambda x: 3.0 * x, 2.0) == 0.0


def spread(t: Any, x: Any) -> Any:
    return np.concatenate([np.sin(t * np.arange(5.0)), x * t])


def test_jacobians_of_long_results_are_found_by_columns() -> None:
    args = (0.3, np.array([1.0, 2.0]))
    found, expected = zg.withjacobian(spread, *args), withjacobian_by_reverse(spread, *args)
    assert found.val.tolist() == expected.val.tolist()
    for one, other in zip(found.grad, expected.grad, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)
        assert one.shape == other.shape
    assert zg.jacobian(lambda x: np.outer(x, x), VECTOR)[0].shape == (3, 3, 3)


def test_jacobians_that_are_refused_are_so_still() -> None:
    with pytest.raises(zg.NotScalarError):
        zg.jacobian(lambda x: [x, x], 1.0)


def test_the_unit_vectors_are_nobodys() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    first, *others = [zg.jacobian(f, x)[0] for f in (lambda t: t, lambda t: t[::-1], lambda t: np.eye(4) @ t)]
    first[0, 1] = 7.0
    assert zg.jacobian(lambda t: t, x)[0].tolist() == np.eye(4).tolist()
    assert [one.flags.writeable for one in others] == [True, True]
    assert not any(np.shares_memory(first, one) for one in others)


def test_infinite_entries_of_a_matrix_stay_where_they_are() -> None:
    matrix = np.array([[math.inf, 1.0, 2.0], [0.0, 1.0, 3.0]])
    assert zg.jacobian(lambda t: matrix @ t, np.ones(3))[0].tolist() == matrix.tolist()


def test_an_infinite_tangent_of_a_square_at_zero() -> None:
    x = np.array([0.0, 4.0, 1.0])
    assert zg.pushforward(lambda t: np.sqrt(t) ** 2, x)(np.ones(3)).tolist() == [0.0, 1.0, 1.0]


def sums_in_a_handler(x: Any) -> Any:
    total = 0.0
    try:
        raise ValueError
    except ValueError:
        total += x * x
        total += x**3
    return total


def a_variable_that_is_deleted(x: Any) -> Any:
    y = x**3
    z = y * 2.0
    del z
    return y + x * x


@pytest.mark.parametrize("f", [sums_in_a_handler, a_variable_that_is_deleted])
def test_what_nobody_reads_is_left_out_with_all_that_names_it(f: Any) -> None:
    assert zg.hessian(f, 1.3) == pytest.approx(2.0 + 6.0 * 1.3, rel=1e-12)
