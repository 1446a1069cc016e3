"""Second derivatives of array code: what is left out and turned round does not change what they are."""

import numpy as np
import pytest

import zygpy as zg
from zygpy.gradients_pushed import gradient_push
from zygpy.runtime.derivatives import power_base

RANGE = [0.0, -0.0, 1.5, -2.0, 1e30, np.inf, -np.inf, np.nan]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_slope_of_square_beside_infinities(dtype):
    g, x = (np.array(values, dtype).ravel() for values in np.meshgrid(RANGE, RANGE))
    with np.errstate(all="ignore"):
        expected = np.where((g == 0) | (x == 0), 0, g * (2 * x))
        for given in (g, np.stack([g, g]), g[::2]):
            own = x[::2] if given.size < g.size else x
            right = expected[::2] if given.size < g.size else expected
            found = power_base(given, own, 2)
            assert found.dtype == dtype
            np.testing.assert_array_equal(found, np.broadcast_to(right, found.shape))


@pytest.mark.filterwarnings("error")
def test_slope_of_square_of_finite_numbers_warns_of_nothing():
    with np.errstate(all="raise"):
        for g in (np.array([0.0, 3.0]), np.array([[0.0, np.inf], [1.0, 2.0]]), 0.0, np.inf, 2.0):
            assert not np.isnan(power_base(g, np.array([0.0, 2.0]), 2)).any()


def test_value_alone_is_not_computed():
    def loss(x):
        a = x[1:] - x[:-1] ** 2
        return np.sum(100.0 * a**2 + (1.0 - x[:-1]) ** 2)

    push = gradient_push(loss, (np.ones(4),))
    text = push.tangent.text.source
    assert "100.0" not in text  # as the factor is 200 in the derivative
    assert "a ** 2" not in text


def test_what_may_fail_is_still_computed():
    def loss(x):
        return np.sum(3.0 * x**2 + 0.0 * (x + np.ones(5)))

    with pytest.raises(ValueError, match="broadcast"):
        zg.hvp(loss, np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="broadcast"):
        zg.hessian(loss, np.ones(3))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum((1.0 - x) ** 2 - (2.0 - x[::-1]) ** 3),
        lambda x: np.sum(-((-x) ** 2) * x - (3.0 - x) ** 2 / (1.0 + x**2)),
        lambda x: np.sum(np.exp(-(x**2)) - np.tanh(-x) ** 2),
        lambda x: np.sum(-((x[1:] - x[:-1]) ** 4) / 3.0) - np.sum(x) ** 2,
    ],
)
def test_signs(f):
    x, v = np.array([0.3, -1.2, 0.0, 2.0]), np.array([1.0, -0.5, 2.0, 0.25])
    expected = zg.hessian_reverse(f, x)
    steps = np.eye(4) * 1e-5
    near = np.stack([(zg.gradient(f, x + h)[0] - zg.gradient(f, x - h)[0]) / 2e-5 for h in steps])
    np.testing.assert_allclose(expected, near, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(zg.hessian(f, x), expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(zg.hvp(f, x, v), expected @ v, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("x", [np.float32([0.0, 1.0, 2.0]), np.array([0, 1, 2]), np.zeros(0), np.array(2.0)])
def test_forms_of_arguments(x):
    def f(x):
        return np.sum(50.0 * (1.0 - x) ** 2 - (2.0 - x) ** 2)

    found = zg.hvp(f, x, np.ones(x.shape, x.dtype))
    assert found.dtype == (np.float32 if x.dtype == np.float32 else np.float64)
    np.testing.assert_allclose(found, np.full(x.shape, 98.0), rtol=1e-6)


def test_infinite_slope_beside_zero():
    """`sqrt(x) ** 2` at 0: the derivative of a square at 0 is 0, whatever meets it."""
    with np.errstate(all="ignore"):
        push = zg.pushforward(lambda x: np.sqrt(x) ** 2, np.array([0.0, 4.0]))
        np.testing.assert_array_equal(push(np.ones(2)), [0.0, 1.0])
