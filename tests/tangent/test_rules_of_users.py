"""Forward mode through functions that have a rule of the user's, which is one for cotangents."""

import math
import operator

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing
from zygpy.api import machinery_of_gradients


def product(a, b):
    return a * b


@zg.adjoint(product)
def _(a, b):
    return product(a, b), lambda c_bar: (c_bar * b, 3.0 * c_bar * a)  # not the derivative by the second


def waves(x):
    return np.sin(x)


@zg.adjoint(waves)
def _(x):
    print("waves")
    slope = np.cos(x)
    return waves(x), lambda g: (2.0 * g * slope,)


def cubic(x):
    return x**3


zg.scalar_rule(cubic, "y = cubic(x)", x_bar="7.0 * y_bar * x")


def opaque(x):
    return x * 2.0


@zg.adjoint(opaque)
def _(x):
    return opaque(x), lambda g: (np.asarray(g, dtype=object).astype(float) * 5.0,)


def told(x):
    return x * 2.0


@zg.adjoint(told)
def _(x):
    print(zg.nestlevel())
    return told(x), lambda g: (g * 2.0,)


def pushed(f, args, dots):
    found = pushing.push_of(f, args)
    assert isinstance(found, pushing.Push), found.why
    return found.run(dots)


def test_numbers():
    assert pushed(lambda x, y: product(x * x, y) + y, (2.0, 5.0), (1.0, 10.0)) == (25.0, 150.0)
    assert pushed(lambda y: product(3.0, y), (5.0,), (1.0,)) == (15.0, 9.0)
    assert pushed(lambda y: product(y, 3.0), (5.0,), (1.0,)) == (15.0, 3.0)


def test_arrays_and_one_run(capsys):
    x, v = np.array([0.5, 2.0]), np.array([1.0, -3.0])
    y, y_dot = pushed(lambda x: waves(x * x)[::-1], (x,), (v,))
    np.testing.assert_allclose(y, np.sin(x * x)[::-1])
    np.testing.assert_allclose(y_dot, (2.0 * np.cos(x * x) * 2.0 * x * v)[::-1])
    assert capsys.readouterr().out == "waves\n"  # the rule runs once


def test_a_rule_that_is_declared_as_a_text():
    assert pushed(lambda x: cubic(x) * 1.0, (2.0,), (1.0,)) == (8.0, 14.0)


@pytest.mark.parametrize("x", [2.0, np.array([1.0, 2.0]), np.array([[1.0], [4.0]])])
def test_a_pullback_that_cannot_be_differentiated(x):
    found = zg.pushforward(lambda x: opaque(x) + x, x)(np.ones_like(x))
    np.testing.assert_allclose(found, np.full(np.shape(x), 6.0))


def test_loops_jacobians_and_gradients_of_tangents():
    def f(x):
        for _ in range(3):
            x = waves(x)
        return x

    x = np.array([0.3, 0.9])
    slope = 8.0 * np.cos(x) * np.cos(np.sin(x)) * np.cos(np.sin(np.sin(x)))
    np.testing.assert_allclose(zg.jacobian(f, x)[0], np.diag(slope))
    np.testing.assert_allclose(zg.pushforward(f, x)(np.ones(2)), slope)
    twice = zg.gradient(lambda x: np.sum(zg.pushforward(waves, x)(np.ones(2))), x)[0]
    np.testing.assert_allclose(twice, -2.0 * np.sin(x))


def test_a_rule_that_raises():
    def root(x):
        return x

    @zg.adjoint(root)
    def _(x):
        raise ZeroDivisionError("in the rule")

    with pytest.raises(ZeroDivisionError, match="in the rule"):
        zg.pushforward(lambda x: root(x) + 1.0, 2.0)(1.0)


def test_the_newest_rule_counts():
    def half(x):
        return x / 2.0

    def f(x):
        return half(x) + x

    assert zg.pushforward(f, 1.0)(1.0) == 1.5

    @zg.adjoint(half)
    def _(x):
        return half(x), lambda g: (g * 10.0,)

    assert zg.pushforward(f, 1.0)(1.0) == 11.0


def test_levels_are_those_of_gradients(capsys):
    zg.gradient(lambda x: told(x) * x, 3.0)
    expected = capsys.readouterr().out
    assert expected == "1\n"
    assert pushed(lambda x: told(x) * x, (3.0,), (1.0,)) == (18.0, 12.0)
    assert capsys.readouterr().out == expected


def test_a_derivative_that_is_not_of_the_rule():
    """A kink at a zero cotangent is no reason for a wrong tangent: pullbacks are linear."""

    def kept(x):
        return x + 0.0

    @zg.adjoint(kept)
    def _(x):
        return kept(x), lambda g: (np.where(g == 0.0, 0.0, g * 3.0),)

    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(zg.pushforward(lambda x: kept(x) * x, x)(np.ones(2)), [4.0, 8.0])


def reversed_gradient(x):
    return zg.hook(operator.neg, x[0]) * x[1]


def by_rules(x):
    return product(x[0], x[1]) * x[0]


def by_rules_in_a_loop(x):
    total = 0.0
    for _ in range(3):
        total = product(total + x[0], x[1]) + product(x[1], 0.3) * x[0]
    return total


def nothing(a, b):
    return a * b


@zg.adjoint(nothing)
def _(a, b):
    return a * b, lambda c_bar: None


def by_nothing(x):
    return nothing(x[0], x[1]) * x[0] + x[1] ** 2


def length(a, b):
    return math.sqrt(a * a + b * b)


@zg.rrule(length)
def _(a, b):
    y = math.sqrt(a * a + b * b)
    return y, lambda y_bar: (zg.NoTangent(), y_bar * a / y, zg.ZeroTangent())


def by_portable_rule(x):
    return length(x[0], x[1]) * x[1]


OF_NUMBERS = [reversed_gradient, by_rules, by_rules_in_a_loop, by_nothing, by_portable_rule]


@pytest.mark.parametrize("f", OF_NUMBERS)
def test_products_with_the_derivative_of_the_gradient(f):
    """Products are with what `hessian` gives, not its transpose, where a rule is not the derivative."""
    x = np.array([0.7, 1.2])
    whole = zg.jacobian(lambda x: zg.gradient(f, x)[0], x)[0]
    np.testing.assert_allclose(zg.hessian(f, x), whole)
    for v in np.eye(2):
        np.testing.assert_allclose(zg.hvp(f, x, v), whole @ v)
        np.testing.assert_allclose(zg.hvp(f, x, v), whole @ v)


@pytest.mark.parametrize("f", OF_NUMBERS)
def test_gradients_through_rules_of_numbers_are_pushed(f):
    found = machinery_of_gradients().gradient_push(f, (np.array([0.7, 1.2]),))
    assert isinstance(found, pushing.Push), found.why
