"""The examples of rules, hooks and checkpoints once more, where the gradient is differentiated itself."""

import operator

import numpy as np
import pytest

import zygpy as zg
from tests.test_custom_rules import ways  # noqa: F401 (every test uses it)

X = np.array([1.0, 2.0])


def second(function, x):
    return zg.derivative(zg.derivative(function))(x)


def test_a_hook_of_a_product():
    def product(a, b):
        return zg.hook(operator.neg, a) * b

    assert zg.gradient(product, 2, 3) == (-3.0, 2.0)
    assert zg.gradient(lambda a, b: zg.gradient(product, a, b)[0], 2.0, 3.0)[1] == -1.0
    assert zg.gradient(lambda a, b: zg.gradient(product, a, b)[1], 2.0, 3.0)[0] == 1.0


def test_a_hook_is_a_part_of_the_gradient_that_is_differentiated():
    def doubled(x):
        return np.sum(zg.hook(lambda bar: 2.0 * bar, x) ** 3)  # its gradient is 6 x ** 2

    assert second(doubled, 2.0) == 24.0
    np.testing.assert_array_equal(zg.hessian(doubled, X), np.diag(12.0 * X))
    assert zg.pushforward(doubled, 2.0)(1.0) == 24.0


def test_gradients_that_are_shown(capsys):
    assert second(lambda x: zg.showgrad(x) ** 3, 2.0) == 12.0
    assert "∂(x) = 12.0" in capsys.readouterr().out


def test_what_is_ignored():
    assert second(lambda x: zg.ignore(x) * x**2, 3.0) == 6.0


def test_updates_at_once():
    def updated(x):
        return zg.eager_update(None, x, lambda state, model, gradient: None) ** 2 * x

    assert zg.gradient(updated, 2.0) == (4.0,)
    assert second(updated, 2.0) == 4.0


CHECKPOINTS = {
    "of a function": lambda x: zg.checkpoint(lambda t: t**3, x),
    "of what it captures": lambda x: zg.checkpoint(lambda t: x * t**2, x),
    "in a checkpoint": lambda x: zg.checkpoint(lambda t: zg.checkpoint(lambda s: s**2, t) * t, x),
    "of a list": lambda x: zg.checkpoint(lambda pair: pair[0] ** 2 * pair[1], [x, x]),
}


@pytest.mark.parametrize("function", CHECKPOINTS.values(), ids=CHECKPOINTS)
def test_checkpoints(function):
    assert second(function, 2.0) == 12.0


def test_a_checkpoint_of_arrays():
    hessian = zg.hessian(lambda x: zg.checkpoint(lambda t: np.sum(t**3), x), X)
    np.testing.assert_array_equal(hessian, np.diag(6.0 * X))


def test_a_checkpoint_by_implicit_parameters():
    grads = zg.gradient(lambda: zg.checkpoint(lambda t: np.sum(X**2) * t, 3.0), zg.Params([X]))
    np.testing.assert_array_equal(grads[X], 6.0 * X)


def with_a_list_that_grows(u, steps=12):
    kept = [u]
    for i in range(steps):
        kept.append(kept[-1] + 0.1 * np.sin(kept[i // 2]))
    return np.sum(kept[-1] * kept[steps // 2])


@pytest.mark.parametrize("segments", [None, 3])
def test_a_checkpointed_loop_with_a_list_that_grows(segments):
    decorated = zg.checkpointed(segments=segments)(with_a_list_that_grows)
    np.testing.assert_allclose(zg.gradient(decorated, X)[0], zg.gradient(with_a_list_that_grows, X)[0])
    ones = np.ones(2)
    np.testing.assert_allclose(zg.hvp(decorated, X, ones), zg.hvp(with_a_list_that_grows, X, ones))
