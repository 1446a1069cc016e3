"""Jacobians, Hessians and products with them, against closed forms."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import rosen_der, rosen_hess

import zygpy as zg
from zygpy.units import options


@pytest.fixture(autouse=True, params=[True, False][: 2 if sys.version_info < (3, 12) else 1])
def ways(request):
    with options(specialise=request.param):
        yield


X = np.array([1.3, 0.7, 0.8, 1.9])
W = np.arange(6.0).reshape(2, 3) / 7.0


def rosen_by_elements(x):
    total = 0.0
    for i in range(len(x) - 1):
        total = total + 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def rosen_by_arrays(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


ROSEN = pytest.mark.parametrize("rosen", [rosen_by_elements, rosen_by_arrays])


# jacobian.


def test_a_matrix_times_a_vector():
    of_w, of_v = zg.jacobian(lambda w, v: w @ v, W, np.ones(3))
    np.testing.assert_allclose(of_v, W)
    assert of_w.shape == (2, 2, 3)
    np.testing.assert_allclose(of_w, np.einsum("ij,k->ijk", np.eye(2), np.ones(3)))


def test_values_of_any_rank():
    assert zg.jacobian(lambda x: x**2, 3.0)[0] == 6.0
    assert np.shape(zg.jacobian(lambda x: x**2, 3.0)[0]) == ()
    np.testing.assert_allclose(zg.jacobian(lambda x: np.sum(x**2), X)[0], 2.0 * X)
    np.testing.assert_allclose(zg.jacobian(lambda t: t * X, 2.0)[0], X)
    found = zg.jacobian(lambda x: np.outer(x, x), X)[0]
    expected = np.einsum("ik,j->ijk", np.eye(4), X) + np.einsum("jk,i->ijk", np.eye(4), X)
    np.testing.assert_allclose(found, expected)


def test_integers_and_single_precision():
    found = zg.jacobian(lambda x: x**2, np.array([1, 2]))[0]
    assert (found.tolist(), found.dtype) == ([[2.0, 0.0], [0.0, 4.0]], np.float64)
    assert zg.jacobian(lambda x: x * x, np.array([1, 2], np.float32))[0].dtype == np.float32
    assert zg.jacobian(lambda n: n * X, 2)[0].tolist() == X.tolist()


def test_what_does_not_depend_is_zero():
    assert zg.jacobian(lambda x, y: y * 2.0, X, 1.0)[0].tolist() == [0.0] * 4
    assert zg.jacobian(lambda x: np.zeros(2), np.ones(3))[0].tolist() == [[0.0] * 3] * 2
    assert zg.jacobian(lambda x, word: x, 1.0, "word")[1] is None


def test_empty_arrays():
    assert zg.jacobian(lambda x: x * 2.0, np.zeros(0))[0].shape == (0, 0)
    assert zg.jacobian(lambda x: np.sum(x), np.zeros(0))[0].shape == (0,)


def test_containers_of_arguments():
    found = zg.jacobian(lambda d: d["a"] * d["b"], {"a": 2.0, "b": np.ones(2)})[0]
    assert {key: value.tolist() for key, value in found.items()} == {
        "a": [1.0, 1.0],
        "b": [[2.0, 0.0], [0.0, 2.0]],
    }
    of_x, of_y = zg.jacobian(lambda pair: pair[0] * pair[1], (2.0, 3.0))[0]
    assert (of_x, of_y) == (3.0, 2.0)


def test_value_and_jacobian():
    found = zg.withjacobian(lambda x, y: x * y, 2.0, np.array([1.0, 3.0]))
    assert found.val.tolist() == [2.0, 6.0]
    assert found.grad[0].tolist() == [1.0, 3.0]


def test_holomorphic_functions():
    z = 0.3 + 0.4j
    np.testing.assert_allclose(zg.jacobian(np.exp, z)[0], np.exp(z))
    zs = np.array([z, 1j])
    np.testing.assert_allclose(zg.jacobian(lambda z: z**2 * 1j, zs)[0], np.diag(2j * zs))
    np.testing.assert_allclose(zg.jacobian(lambda t: np.array([t, 1j * t**2]), 2.0)[0], [1.0, 4j])
    assert zg.jacobian(lambda z: np.abs(z) ** 2, z)[0] == pytest.approx(2.0 * z)
    with pytest.raises(zg.NotScalarError, match="holomorphic"):
        zg.jacobian(np.conj, z)
    with pytest.raises(zg.NotScalarError, match="holomorphic"):
        zg.jacobian(lambda z: 1e-9 * np.conj(z), z)


def test_what_has_no_jacobian():
    with pytest.raises(zg.NotScalarError, match="tuple"):
        zg.jacobian(lambda x: (x, x), 1.0)
    with pytest.raises(zg.NotScalarError):
        zg.jacobian(lambda x: x > 0, 1.0)


def test_the_function_may_write_to_what_it_makes():
    def f(x):
        y = x * 1.0
        y[0] = y[1] * y[2]
        return y

    found = zg.jacobian(f, X)[0]
    expected = np.eye(4)
    expected[0] = [0.0, X[2], X[1], 0.0]
    np.testing.assert_allclose(found, expected)


# Second derivatives.


@ROSEN
def test_hessians(rosen):
    for hessian in (zg.hessian, zg.hessian_reverse):
        np.testing.assert_allclose(hessian(rosen, X), rosen_hess(X), rtol=1e-10)


@ROSEN
def test_products_with_hessians(rosen):
    np.testing.assert_allclose(zg.hvp(rosen, X, np.arange(4.0)), rosen_hess(X) @ np.arange(4.0), rtol=1e-10)
    np.testing.assert_allclose(zg.gradient(rosen, X)[0], rosen_der(X))


@ROSEN
def test_diagonals_of_hessians(rosen):
    np.testing.assert_allclose(zg.diaghessian(rosen, X)[0], np.diag(rosen_hess(X)), rtol=1e-10)


def test_second_derivatives_of_several_arguments():
    of_x, of_y, of_word = zg.diaghessian(lambda x, y, word: np.sum(x**3) * y**2, X, 3.0, "word")
    np.testing.assert_allclose(of_x, 6.0 * X * 9.0)
    assert of_y == pytest.approx(2.0 * np.sum(X**3))
    assert of_word is None


def test_second_derivatives_that_are_zero():
    assert zg.hessian(lambda x: 3.0, X).tolist() == np.zeros((4, 4)).tolist()
    assert zg.hvp(lambda x: np.sum(x), X, X).tolist() == [0.0] * 4
    assert zg.hvp(lambda x: 3.0, 2.0, 1.0) == 0.0
    assert zg.diaghessian(lambda x: 2.0 * x, 1.0) == (0.0,)


class Area:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __mul__(self, other):
        return Area(self.a * other.a, self.b + other.b)

    def value(self):
        return self.a**2 * self.b


def by_changed_objects(x):
    area = Area(x[0], x[1]) * Area(x[2], x[0])
    area.a = area.a * area.b
    return area.value()


def test_diagonals_of_programs_that_change_objects():
    x = np.array([0.7, -1.2, 0.4])
    expected = np.diag(zg.hessian_reverse(by_changed_objects, x))
    np.testing.assert_allclose(zg.diaghessian(by_changed_objects, x)[0], expected, rtol=1e-12)
    of_x, of_k = zg.diaghessian(lambda x, k: by_changed_objects(x) * k**2, x, 2.0)
    np.testing.assert_allclose(of_x, 4.0 * expected, rtol=1e-12)
    np.testing.assert_allclose(of_k, 2.0 * by_changed_objects(x), rtol=1e-12)


def test_second_derivatives_by_a_float_are_floats():
    assert type(zg.hvp(lambda k: np.sum(X**3) * k**2, 3.0, 1.0)) is float
    assert type(zg.diaghessian(lambda x, k: np.sum(x**3) * k**2, X, 3.0)[1]) is float


def test_gradients_of_diagonals_of_what_is_captured():
    def summed(f, *others):
        return zg.gradient(lambda x: np.sum(zg.diaghessian(f, x, *others)[0]), X)[0]

    np.testing.assert_allclose(summed(lambda x: np.sum(x**3)), np.full(4, 6.0))
    np.testing.assert_allclose(summed(lambda x, k: k * np.sum(x**3), 2.0), np.full(4, 12.0))


def test_numbers_and_matrices():
    assert zg.hessian(lambda x: x**3, 2.0) == 12.0
    found = zg.hessian(lambda w: np.sum(w**3), W)
    assert found.shape == (2, 3, 2, 3)
    np.testing.assert_allclose(found.reshape(6, 6), np.diag(6.0 * W.ravel()))


def test_products_with_containers():
    found = zg.hvp(lambda d: d["a"] ** 2 * d["b"], {"a": 2.0, "b": 3.0}, {"a": 1.0, "b": 10.0})
    assert found == {"a": 2.0 * 3.0 + 2.0 * 2.0 * 10.0, "b": 2.0 * 2.0}


@dataclass
class Part:
    c: object
    name: str = "part"


@dataclass
class Whole:
    a: float
    b: list
    part: Part


@pytest.mark.parametrize(
    "direction",
    [
        Whole(1.0, [0.5], Part(np.array([0.3, 0.4]), "another")),
        {"a": 1.0, "b": [0.5], "part": {"c": np.array([0.3, 0.4])}},
    ],
)
def test_products_with_objects(direction):
    found = zg.hvp(
        lambda w: w.a**2 * w.b[0] * np.sum(w.part.c**3),
        Whole(1.5, [2.5], Part(np.array([1.0, 2.0]))),
        direction,
    )
    a, b, cubes, dot = 1.5, 2.5, 9.0, 3.0 * 0.3 + 12.0 * 0.4  # the sum of the cubes, and its slope
    assert found.a == pytest.approx(2.0 * b * cubes + 2.0 * a * cubes * 0.5 + 2.0 * a * b * dot)
    assert found.b == [pytest.approx(2.0 * a * cubes + a**2 * dot)]
    c, c_dot = np.array([1.0, 2.0]), np.array([0.3, 0.4])
    slope = (2.0 * a * b + a**2 * 0.5) * 3.0 * c**2 + a**2 * b * 6.0 * c * c_dot
    np.testing.assert_allclose(found.part.c, slope)


def sum_of_cubes(x):
    return np.sum(x**3)


def test_a_closure_that_carries_the_very_argument():
    """What lies in the memory of both is the argument's."""

    def at(function, given, place):
        return lambda z: function(*given[:place], z, *given[place + 1 :])

    x = np.array([1.0, 2.0])
    function = at(sum_of_cubes, (x,), 0)
    np.testing.assert_allclose(zg.gradient(function, x)[0], 3.0 * x**2)
    second = zg.gradient(lambda z: np.sum(zg.gradient(function, z)[0] * x), x)[0]
    np.testing.assert_allclose(second, 6.0 * x * x)


# Forward mode.


def test_tangents():
    assert zg.pushforward(lambda x, y: x * y, 2.0, 3.0)(1.0, 10.0) == 23.0
    np.testing.assert_allclose(zg.pushforward(np.sin, X)(np.arange(4.0)), np.cos(X) * np.arange(4.0))
    push = zg.pushforward(lambda w, x: w @ x, W, np.ones(3))
    np.testing.assert_allclose(push(np.ones((2, 3)), np.zeros(3)), [3.0, 3.0])
    np.testing.assert_allclose(push(np.zeros((2, 3)), np.ones(3)), W.sum(axis=1))


def test_tangents_of_what_does_not_depend():
    assert zg.pushforward(lambda x: 3.0, 2.0)(1.0) == 0.0
