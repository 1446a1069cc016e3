"""Rules that users declare for methods of arrays, objects, cached functions and named tuples."""

import functools
import operator
from typing import NamedTuple

import numpy as np
import pytest

import zygpy as zg
from tests.test_custom_rules import Point, constructor, dist, getters, rules_as_before, ways  # noqa: F401

W = np.array([2.0, 3.0])


def cube(x):
    return x**3


def tenfold_cube():
    """A rule that shows that it was used: the slope is 10 x."""

    @zg.adjoint(cube)
    def _(x):
        return cube(x), lambda y_bar: (10.0 * x * y_bar,)


cached_cube = functools.lru_cache(cube)
"""The same function, called through a cache."""


def test_a_rule_is_used_through_a_cache():
    assert zg.gradient(lambda x: cached_cube(x), 2.0) == (12.0,)
    tenfold_cube()
    assert zg.gradient(lambda x: cached_cube(x), 2.0) == (20.0,)
    assert zg.gradient(cached_cube, 2.0) == (20.0,)
    assert zg.derivative(zg.derivative(lambda x: cached_cube(x)))(2.0) == 10.0
    assert zg.pushforward(lambda x: cached_cube(x) * x, 2.0)(1.0) == 8.0 + 2.0 * 20.0


@pytest.mark.parametrize("made", [functools.lru_cache, functools.partial])
def test_a_rule_for_what_wraps_a_function(made):
    wrapped = made(cube)

    @zg.adjoint(wrapped)
    def _(x):
        return wrapped(x), lambda y_bar: (10.0 * x * y_bar,)

    assert zg.gradient(lambda x: wrapped(x), 2.0) == (20.0,)
    assert zg.gradient(lambda x: sum(map(wrapped, [x])), 2.0) == (20.0,)
    assert zg.derivative(zg.derivative(lambda x: wrapped(x)))(2.0) == 10.0
    assert zg.gradient(cube, 2.0) == (12.0,)


class Holder:
    def __init__(self, value):
        self.value = value


def of_a_changed_object(x):
    holder = Holder(1.0)
    holder.value = x * 1.0
    return holder.value.dot(W)


def bound_to_a_changed_object(x):
    holder = Holder(1.0)
    holder.value = x * 1.0
    return sum(map(holder.value.dot, [W]))


DOTS = {
    "as a method": lambda x: x.dot(W),
    "through the class": lambda x: np.ndarray.dot(x, W),
    "by map": lambda x: sum(map(np.ndarray.dot, [x], [W])),
    "bound": lambda x: sum(map(x.dot, [W])),
    "by a name": lambda x: getattr(x, "dot")(W),  # noqa: B009 (the name may be computed)
    "by methodcaller": lambda x: operator.methodcaller("dot", W)(x),
    "by partial": lambda x: functools.partial(np.ndarray.dot, x)(W),
    "in a comprehension": lambda x: [item.dot(W) for item in (x,)][0],  # noqa: RUF015
    "of a changed object": of_a_changed_object,
    "bound to a changed object": bound_to_a_changed_object,
}


@pytest.mark.parametrize("function", DOTS.values(), ids=DOTS)
def test_a_method_of_arrays(function):
    x = np.array([1.0, 4.0])
    np.testing.assert_array_equal(zg.gradient(function, x)[0], W)

    @zg.adjoint(np.ndarray.dot)
    def _(x, y):
        return x.dot(y), lambda y_bar: (10.0 * y_bar * x, None)

    np.testing.assert_array_equal(zg.gradient(function, x)[0], 10.0 * x)
    np.testing.assert_array_equal(zg.gradient(lambda x: np.dot(x, W), x)[0], W)


def test_a_method_of_arrays_at_second_order_and_by_parameters():
    @zg.adjoint(np.ndarray.dot)
    def _(x, y):
        return x.dot(y), lambda y_bar: (10.0 * y_bar * x, None)

    x = np.array([1.0, 4.0])
    np.testing.assert_array_equal(zg.hessian(lambda x: x.dot(W), x), 10.0 * np.eye(2))
    assert zg.pushforward(lambda x: x.dot(W), x)(np.ones(2)) == 50.0
    np.testing.assert_array_equal(zg.gradient(lambda: x.dot(W), zg.Params([x]))[x], 10.0 * x)


def test_a_method_of_numbers():
    @zg.adjoint(float.conjugate)
    def _(x):
        return x, lambda y_bar: (7.0 * y_bar,)

    assert zg.gradient(lambda x: x.conjugate(), 2.0) == (7.0,)
    np.testing.assert_array_equal(zg.gradient(lambda x: np.sum(x).conjugate(), W)[0], [1.0, 1.0])


@pytest.mark.parametrize("target", [list.append, str.join, np.ndarray.__mul__, np.ndarray.sort])
def test_methods_that_cannot_have_a_rule(target):
    with pytest.raises(TypeError, match="have rules of their own"):
        zg.adjoint(target)


def test_attributes_of_arrays_cannot_have_a_rule():
    with pytest.raises(TypeError, match="'T', have rules of their own"):
        zg.adjoint(np.ndarray, "T")


def test_a_rule_that_does_not_take_what_a_call_gives():
    @zg.adjoint(np.ndarray.dot)
    def _(x, y):
        return x.dot(y), lambda y_bar: (10.0 * y_bar * x, None)

    @zg.adjoint(np.linalg.norm)
    def _(x):
        return np.linalg.norm(x), lambda y_bar: (y_bar * x,)

    def into(x):
        result = np.zeros(())
        x.dot(W, out=result)
        return result * 1.0

    for function in (into, lambda x: np.sum(np.linalg.norm(x, axis=0))):
        with pytest.raises(zg.MissingRuleError, match=r"(?s)test_rules_of_all_forms\.py.*does not take"):
            zg.gradient(function, W)


# Objects that are called.


class Scaled:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        return self.weight * x


def first_of_a_list(q, x):
    return [q][0](x)


def by_name_of_a_dict(q, x):
    return {"q": q}["q"](x)


@pytest.mark.parametrize("declare", [zg.adjoint, zg.rrule])
@pytest.mark.parametrize("call", [lambda q, x: q(x), first_of_a_list, by_name_of_a_dict])
def test_an_object_that_is_an_argument(declare, call):
    ruled, other = Scaled(2.0), Scaled(2.0)
    assert zg.gradient(call, ruled, 3.0) == ({"weight": 3.0}, 2.0)

    @declare(ruled)
    def _(self, x):
        return self.weight * x, lambda y_bar: ({"weight": 7.0 * x * y_bar}, 5.0 * y_bar)

    assert zg.gradient(call, ruled, 3.0) == ({"weight": 21.0}, 5.0)
    assert zg.gradient(call, other, 3.0) == ({"weight": 3.0}, 2.0)
    assert zg.gradient(lambda x: zg.gradient(call, ruled, x)[0].weight, 3.0) == (7.0,)


def test_what_a_function_captures_gets_nothing_through_a_rule():
    def scaled_by(weight):
        def scaled(x):
            return weight * x

        return scaled

    scaled = scaled_by(2.0)

    @zg.rrule(scaled)
    def _(x):
        return scaled(x), lambda y_bar: ({"weight": y_bar * x}, 2.0 * y_bar)

    with pytest.raises(zg.CotangentShapeError, match=r"(?s)a cotangent of the function itself.*NoTangent"):
        zg.gradient(scaled, 3.0)


class Several:
    @classmethod
    def of_class(cls, x):
        return x**3

    def __call__(self, x):
        return x**3


class Below(Several):
    pass


OBJECT = Several()
PARTIAL = functools.partial(lambda n, x: x**n, 3)
CACHED = functools.lru_cache(lambda x: x**3)


@pytest.mark.parametrize(
    ("target", "calls"),
    [
        (Several.of_class, [Several.of_class, Below.of_class, lambda x: OBJECT.of_class(x)]),
        (OBJECT, [OBJECT, lambda x: [OBJECT][0](x), lambda x: sum(map(OBJECT, [x]))]),
        (PARTIAL, [PARTIAL, lambda x: [PARTIAL][0](x), lambda x: sum(map(PARTIAL, [x]))]),
        (CACHED, [CACHED, lambda x: [CACHED][0](x), lambda x: CACHED(x)]),
    ],
)
def test_what_is_not_differentiable_is_so_by_every_name(target, calls):
    for call in calls:
        assert zg.gradient(lambda x, call=call: call(x) * x, 2.0) == (32.0,)
    zg.non_differentiable(target)
    for call in calls:
        assert zg.gradient(lambda x, call=call: call(x) * x, 2.0) == (8.0,)
    assert zg.gradient(calls[0], 2.0) == (None,)
    with pytest.raises(TypeError, match="declare an adjoint"):
        zg.scalar_rule(target, "y = f(x)", x_bar="y_bar")


def test_a_method_of_arrays_that_is_not_differentiable():
    zg.non_differentiable(np.ndarray.dot)
    assert zg.gradient(lambda x: x.dot(W), W) == (None,)
    np.testing.assert_array_equal(zg.gradient(lambda x: np.dot(x, W), W)[0], W)


# What pullbacks are given.


class Pair(NamedTuple):
    left: float
    right: float


class Cubed:
    def __init__(self, value):
        self.value = value


def test_the_constructor_of_a_named_tuple():
    @zg.adjoint(Pair)
    def _(left, right):
        return Pair(left, right), lambda bar: (10.0 * bar.left, bar.right)

    def product(x):
        return Pair(x, 1.0).left * x

    assert zg.gradient(product, 3.0) == (33.0,)
    assert zg.derivative(zg.derivative(product))(3.0) == 20.0


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: several(x)[0].value * x, 8.0 + 2.0 * 20.0),
        (lambda x: several(x)[1].left * x, 4.0),
        (lambda x: several(x)[2][0].value, 20.0),
        (lambda x: several(x)[3]["a"].value, 20.0),
    ],
)
def test_objects_in_containers_have_records(function, expected):
    @zg.adjoint(several)
    def _(x):
        def back(bars):
            cubed, pair, listed, named = bars
            total = cubed.value if cubed is not None else 0.0
            total = total + (listed[0].value if listed is not None else 0.0)
            total = total + (named["a"].value if named is not None else 0.0)
            return (10.0 * x * total + (pair.left if pair is not None else 0.0),)

        return (Cubed(x**3), Pair(x, 1.0), [Cubed(x**3)], {"a": Cubed(x**3)}), back

    assert zg.gradient(function, 2.0) == (expected,)


def several(x):
    return Cubed(x**3), Pair(x, 1.0), [Cubed(x**3)], {"a": Cubed(x**3)}


# Points at higher order.


def slope_by_x(point):
    return zg.gradient(dist, point)[0].x


@pytest.mark.parametrize("declare", [lambda: None, lambda: (getters(), constructor())])
def test_gradients_of_points(declare):
    declare()
    found = zg.gradient(slope_by_x, Point(1.0, 2.0))[0]
    assert (found.x, found.y) == pytest.approx((4.0 / 5.0**1.5, -2.0 / 5.0**1.5), rel=1e-14)


# Operators that are called by a name.


class Cubing:
    def __mul__(self, x):
        return x**3

    __matmul__ = __rtruediv__ = __mul__


@pytest.mark.parametrize(
    "function",
    [
        lambda x: operator.mul(Cubing(), x),
        lambda x: operator.mul(CUBING, x),
        lambda x: operator.matmul(CUBING, x),
        lambda x: operator.truediv(x, CUBING),
        lambda x: functools.reduce(operator.mul, [CUBING, x]),
    ],
)
def test_operators_of_objects_without_a_gradient(function):
    assert zg.gradient(function, 2.0) == (12.0,)


def test_second_derivatives_of_operators_of_objects_without_a_gradient():
    assert zg.derivative(zg.derivative(lambda x: operator.mul(CUBING, x)))(2.0) == 12.0


def test_the_rule_of_an_operator_that_is_called_by_a_name():
    @zg.adjoint(Cubing.__mul__)
    def _(self, x):
        return x**3, lambda y_bar: (None, 10.0 * x * y_bar)

    assert zg.gradient(lambda x: operator.mul(CUBING, x), 2.0) == (20.0,)
    assert zg.gradient(lambda x: CUBING * x, 2.0) == (20.0,)


CUBING = Cubing()


class Rooted:
    def __init__(self, x: float) -> None:
        self.x = x

    @property
    def cube(self) -> float:
        return self.x**3


@pytest.mark.parametrize(
    ("name", "function", "second"),
    [("cube", lambda x: Rooted(x).cube * x, 3 * 1.5**2 + 30.0), ("x", lambda x: Rooted(x).x * x, 20.0)],
)
def test_rules_of_attributes_hold_in_second_derivatives_and_forward_mode(name, function, second):
    """These went by the class's own code, or by the field, without a word."""
    if name == "cube":
        zg.adjoint(Rooted, name)(lambda p: (p.x**3, lambda bar: ({"x": 10.0 * p.x * bar},)))
        first = 1.5**3 + 10.0 * 1.5**2
    else:
        zg.adjoint(Rooted, name)(lambda p: (p.x, lambda bar: ({"x": 10.0 * bar},)))
        first = 11.0 * 1.5
    assert zg.pushforward(function, 1.5)(2.0) == pytest.approx(2.0 * first)
    assert zg.jacobian(function, 1.5)[0] == pytest.approx(first)
    assert zg.derivative(zg.derivative(function))(1.5) == pytest.approx(second)
    assert zg.hvp(function, 1.5, 1.0) == pytest.approx(second)
    assert zg.hessian(function, 1.5) == pytest.approx(second)


def test_constructors_of_named_tuples_that_are_not_differentiable():
    def product(x):
        return Pair(x, 1.0).left * x

    assert zg.gradient(product, 3.0) == (6.0,)
    zg.non_differentiable(Pair)
    assert zg.gradient(product, 3.0) == (3.0,)
    assert zg.pushforward(product, 3.0)(1.0) == 3.0
    assert zg.gradient(lambda x: sum(p.left for p in map(Pair, [x], [x])) * x, 3.0) == (3.0,)


def reversed_slope(x):
    return x


def in_a_known_list(x):
    kept = [1.0]
    same = kept
    same.append(np.sum(reversed_slope(x) * x))
    return kept[1]


def written_to_later(x):
    y = x * 1.0
    same = reversed_slope(y)
    y[0] = y[0] * 2.0
    return np.sum(same * y)


def test_results_in_the_memory_of_arguments_are_refused_where_that_tells_arrays_apart():
    """The gradient of the other use went through the rule as well: 26 for 14.3."""
    x = np.array([1.3, 0.7])
    zg.adjoint(reversed_slope)(lambda x: (x, lambda bar: (10.0 * bar,)))
    found = zg.gradient(lambda x: np.sum(reversed_slope(x) * x), x)[0]
    np.testing.assert_allclose(found, 11.0 * x)
    for ask in (
        lambda: zg.gradient(in_a_known_list, x),
        lambda: zg.gradient(written_to_later, x),
        lambda: zg.gradient(lambda: np.sum(reversed_slope(x) * x), zg.Params([x])),
    ):
        with pytest.raises(zg.UnsupportedSyntaxError, match=r"(?s)test_rules_of_all_forms\.py.*give a copy"):
            ask()
    zg.adjoint(reversed_slope)(lambda x: (x.copy(), lambda bar: (10.0 * bar,)))
    np.testing.assert_allclose(zg.gradient(in_a_known_list, x)[0], 11.0 * x)
    found = zg.gradient(lambda: np.sum(reversed_slope(x) * x), zg.Params([x]))[x]
    np.testing.assert_allclose(found, 11.0 * x)
    np.testing.assert_allclose(zg.gradient(written_to_later, x)[0], np.array([22.0, 11.0]) * x)
