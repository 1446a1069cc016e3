"""Rules that users declare, wherever what they are for is called from."""

import contextlib
import dataclasses
import functools
import importlib
import itertools
import math
import operator
import os
import subprocess
import sys
import types
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pytest

import zygpy as zg
from zygpy import dispatch, nested, rules
from zygpy.derivation import Derivation
from zygpy.rules import custom, declare
from zygpy.runtime.custom import with_carried
from zygpy.runtime.ways import PLAIN
from zygpy.tools import checkpoint, hooks
from zygpy.units import OPTIONS, options


@pytest.fixture(autouse=True, params=[True, False][: 2 if sys.version_info < (3, 12) else 1])
def ways(request):
    with options(specialise=request.param):
        yield


@pytest.fixture(autouse=True)
def rules_as_before():
    """Declarations of one test are not seen by the next."""
    rules.load()
    assert dispatch.doors.nested is nested and zg.hook is hooks.hook  # they have rules of their own
    assert zg.checkpoint is checkpoint.checkpoint
    before, attributes = dict(custom.RULES), dict(custom.ATTRIBUTES)
    entries = {key: (list(entry.rules), entry.without) for key, entry in before.items()}
    registry = dict(declare.REGISTRY)
    yield
    custom.RULES.clear()
    custom.RULES.update(before)
    for key, (found, without) in entries.items():
        custom.RULES[key].rules[:] = found
        custom.RULES[key].without = without
    custom.ATTRIBUTES.clear()
    custom.ATTRIBUTES.update(attributes)
    for function in [function for function in declare.REGISTRY if function not in registry]:
        del declare.REGISTRY[function]
    for function, rule in registry.items():
        if declare.REGISTRY.get(function) is not rule:
            declare.REGISTRY[function] = rule
    declare.REGISTRY.changed()


def mul(a, b):
    return a * b


def tenfold():
    """The rule that shows that it was used: the second cotangent is ten times too large."""

    @zg.adjoint(mul)
    def _(a, b):
        return mul(a, b), lambda c_bar: (c_bar * b, 10.0 * c_bar * a)


def by_name(a, b):
    return mul(a, b)


def in_a_loop(a, b):
    total = 0.0
    for _ in range(3):
        total = total + mul(a, b)
    return total / 3.0


def given_to_map(a, b):
    return sum(map(mul, [a], [b]))


def given_to_reduce(a, b):
    return functools.reduce(mul, [a, b])


def partially(a, b):
    return functools.partial(mul, a)(b)


def from_a_dict(a, b):
    return {"mul": mul}["mul"](a, b)


def handed_on(a, b):
    def apply(f, *args):
        return f(*args)

    return apply(mul, a, b)


def starred(a, b):
    both = (a, b)
    return mul(*both)


def named(a, b):
    return mul(b=b, a=a)


def through_a_list(a, b):
    kept = [a]
    kept.append(b)
    kept[0] = mul(kept[0], kept[1])
    return kept[0]


def in_an_object(a, b):
    holder = types.SimpleNamespace(a=a)
    holder.c = mul(holder.a, b)
    return holder.c


def in_a_comprehension(a, b):
    return sum([mul(x, b) for x in (a,)])


def in_a_generator(a, b):
    return sum(mul(x, b) for x in (a,))


def in_a_try(a, b):
    try:
        return mul(a, b)
    finally:
        a = 0.0


def in_a_try_with_a_list(a, b):
    kept = [a]
    try:
        kept.append(mul(a, b))
        kept[0] = 1.0
        raise ValueError
    except ValueError:
        kept.append(kept[1] * 1.0)
    return kept[2]


def in_a_block_that_swallows_an_exception(a, b):
    kept = [a]
    with contextlib.suppress(KeyError):
        kept[0] = mul(a, b)
        raise KeyError
    return kept[0]


def in_a_generator_function(a, b):
    def items():
        x = a
        for i in range(2):
            x = mul(x, b) if i == 0 else x
            yield x

    return sum(items()) / 2.0


def in_a_recursion(a, b):
    def down(n):
        return mul(a, b) if n == 0 else down(n - 1)

    return down(3)


def in_a_function_that_rebinds(a, b):
    total = 0.0

    def add():
        nonlocal total
        total = total + mul(a, b)

    add()
    return total


def given_to_starmap(a, b):
    return next(iter(itertools.starmap(mul, [(a, b)])))


def given_to_accumulate(a, b):
    return list(itertools.accumulate([a, b], mul))[-1]


def in_a_wrapper(a, b):
    @functools.wraps(mul)
    def wrapper(*args, **kwargs):
        return mul(*args, **kwargs)

    return wrapper(a, b)


def on_an_element(a, b):
    v = np.array([a, a])
    first = v[:1]
    v[1] = 0.0
    return float(mul(first[0], b))


CALLS = [
    *(by_name, in_a_loop, given_to_map, given_to_reduce, partially, from_a_dict, handed_on, starred, named),
    *(through_a_list, in_an_object, in_a_comprehension, in_a_generator, in_a_try),
    *(in_a_try_with_a_list, in_a_block_that_swallows_an_exception, in_a_generator_function, in_a_recursion),
    *(in_a_function_that_rebinds, given_to_starmap, given_to_accumulate, in_a_wrapper, on_an_element),
]


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_a_rule_is_used_wherever_the_function_is_called(function):
    assert zg.gradient(function, 2.0, 3.0) == (3.0, 2.0)
    tenfold()
    assert zg.gradient(function, 2.0, 3.0) == (3.0, 20.0)
    y, back = zg.pullback(function, 2.0, 3.0)
    assert (y, back(1.0), back(2.0), back(1.0)) == (6.0, (3.0, 20.0), (6.0, 40.0), (3.0, 20.0))


@pytest.mark.parametrize("function", CALLS[:14:4], ids=lambda function: function.__name__)
def test_a_rule_is_used_inside_a_gradient_and_differentiated_itself(function):
    tenfold()

    def second(a, b):
        return zg.gradient(function, a, b)[1]  # 10 * a

    assert zg.gradient(second, 2.0, 3.0) == pytest.approx((10.0, 0.0)) or zg.gradient(second, 2.0, 3.0) == (
        10.0,
        None,
    )


def test_the_pullback_of_a_rule_is_differentiated_by_what_it_captures():
    def cube(x):
        return x**3

    @zg.adjoint(cube)
    def _(x):
        square = x * x
        return square * x, lambda y_bar: (3.0 * square * y_bar,)

    first = zg.derivative(cube)
    assert first(2.0) == 12.0
    assert zg.derivative(first)(2.0) == 12.0
    assert zg.derivative(zg.derivative(first))(2.0) == 6.0


def test_seeds_and_values_are_arrays():
    def scaled(x, factor):
        return x * factor

    @zg.adjoint(scaled)
    def _(x, factor):
        return x * factor, lambda y_bar: (y_bar * factor, np.sum(y_bar * x))

    x = np.arange(3.0)
    assert zg.gradient(lambda x, f: np.sum(scaled(x, f) ** 2), x, 2.0)[1] == 20.0
    np.testing.assert_allclose(zg.gradient(lambda x, f: np.sum(scaled(x, f) ** 2), x, 2.0)[0], 8.0 * x)


def test_what_a_rule_keeps_is_kept_as_it_was():
    tenfold()

    def written_later(x):
        y = x * 1.0
        z = mul(y, y)
        y[0] = 100.0
        return np.sum(z) + np.sum(y)

    np.testing.assert_allclose(zg.gradient(written_later, np.arange(1.0, 4.0))[0], [11.0, 23.0, 34.0])


def test_an_argument_that_the_caller_changes_before_back():
    tenfold()
    x = np.arange(1.0, 4.0)
    _, back = zg.pullback(lambda x: np.sum(mul(x, x)), x)
    x[:] = 0.0
    np.testing.assert_allclose(back(1.0)[0], [11.0, 22.0, 33.0])


def exponential(x):
    return np.exp(x)


def keeping(how):
    """A rule whose pullback carries its result and its argument, in several ways."""

    @zg.adjoint(exponential)
    def _(x):
        y = np.exp(x)
        both = {"tuple": (x, y), "list": [x, y], "dict": {0: x, 1: y}, "view": (x[:], y[::1])}[how]
        return y, lambda y_bar: (y_bar * both[1] + 0.0 * both[0],)


@pytest.mark.parametrize("how", ["tuple", "list", "dict", "view"])
def test_a_result_that_is_written_to(how):
    keeping(how)

    def written_later(x):
        y = exponential(x)
        total = np.sum(y)
        y[0] = 100.0
        x = x * 1.0
        return total + np.sum(y)

    x = np.array([0.5, 1.0])
    np.testing.assert_allclose(zg.gradient(written_later, x)[0], [np.exp(0.5), 2.0 * np.exp(1.0)])
    y, back = zg.pullback(exponential, x)
    expected = back(np.ones(2))[0].copy()
    y[:] = x[:] = 7.0
    np.testing.assert_array_equal(back(np.ones(2))[0], expected)


def test_a_rule_may_give_one_of_its_arguments():
    def same(x):
        return x

    @zg.adjoint(same)
    def _(x):
        return x, lambda y_bar: (-y_bar,)

    def used_beside(x):
        y = x * 1.0
        return np.sum(same(y) * 3.0) + np.sum(y)

    np.testing.assert_allclose(zg.gradient(used_beside, np.ones(2))[0], [-2.0, -2.0])


def test_a_builtin_of_another_module():
    @zg.adjoint(math.floor)
    def _(x):
        return math.floor(x), lambda y_bar: (7.0 * y_bar,)

    assert zg.gradient(lambda x: math.floor(x) * x, 2.5) == (2.0 + 7.0 * 2.5,)
    assert zg.gradient(math.floor, 2.5) == (7.0,)


def test_a_ufunc_and_a_function_of_numpy():
    @zg.adjoint(np.sin)
    def _(x):
        return np.sin(x), lambda y_bar: (100.0 * y_bar,)

    @zg.adjoint(np.sum)
    def _(x):
        return np.sum(x), lambda y_bar: (np.full(x.shape, 5.0 * y_bar),)

    np.testing.assert_allclose(zg.gradient(lambda x: np.sum(np.sin(x)), np.ones(2))[0], [500.0, 500.0])


def test_an_operator_of_a_class():
    @zg.adjoint(Point.__add__)
    def _(self, other):
        return Point(self.x + other.x, self.y + other.y), lambda bar: ({"x": 7.0 * bar.x}, None)

    assert zg.gradient(lambda p: (p + p).x, Point(1.0, 2.0))[0] == {"x": 7.0, "y": None}
    with pytest.raises(TypeError, match=r"Class\.__mul__"):
        zg.adjoint(operator.mul)


class Model:
    def __init__(self, weight):
        self.weight = weight

    def apply(self, x):
        return self.weight * x

    @classmethod
    def double(cls, x):
        return 2.0 * x

    @staticmethod
    def triple(x):
        return 3.0 * x

    def __call__(self, x):
        return self.apply(x)

    @property
    def half(self):
        return self.weight / 2.0


def test_methods():
    @zg.adjoint(Model.apply)
    def _(self, x):
        return self.weight * x, lambda y_bar: ({"weight": 5.0 * y_bar}, 6.0 * y_bar)

    @zg.adjoint(Model.triple)
    def _(x):
        return 3.0 * x, lambda y_bar: (-y_bar,)

    @zg.adjoint(Model.double)
    def _(cls, x):
        return 2.0 * x, lambda y_bar: (None, -2.0 * y_bar)

    model = Model(2.0)
    assert zg.gradient(lambda m, x: m.apply(x), model, 3.0) == ({"weight": 5.0}, 6.0)
    assert zg.gradient(lambda m, x: m(x), model, 3.0) == ({"weight": 5.0}, 6.0)
    assert zg.gradient(model.apply, 3.0) == (6.0,)
    assert zg.gradient(lambda x: Model.triple(x), 3.0) == (-1.0,)
    assert zg.gradient(lambda x: Model.double(x), 3.0) == (-2.0,)
    assert zg.gradient(lambda w, x: Model(w).apply(x), 2.0, 3.0) == (5.0, 6.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda a, b: Model(a).apply(b),
        lambda a, b: [Model(a)][0].apply(b),
        lambda a, b: getattr(Model(a), "apply")(b),  # noqa: B009 (the name may be computed)
        lambda a, b: Model.apply(Model(a), b),
        lambda a, b: Inheriting(a).apply(b),
        lambda a, b: list(map(Model(a).apply, [b]))[0],  # noqa: RUF015
    ],
)
def test_a_method_however_it_is_called(call):
    @zg.adjoint(Model.apply)
    def _(self, x):
        return self.weight * x, lambda y_bar: ({"weight": 5.0 * y_bar}, 6.0 * y_bar)

    assert zg.gradient(call, 2.0, 3.0) == (5.0, 6.0)


def test_what_copies_a_pullback_binds_nothing_of_the_users():
    """Or a third derivative through a rule that is found by its name would be refused."""
    found, called = Derivation(PLAIN).bound_by(with_carried)
    assert (list(found), called) == ([], [])


def test_a_rule_that_raises_in_a_try():
    def root(x):
        return math.sqrt(x)

    @zg.adjoint(root)
    def _(x):
        return math.sqrt(x), lambda y_bar: (100.0 * y_bar,)

    def caught(x):
        kept = [x]
        try:
            kept.append(x * 2.0)
            kept.append(root(-x))
        except ValueError:
            kept.append(root(x))
        return kept[-1] + kept[1]

    assert zg.gradient(caught, 4.0) == (102.0,)


def test_a_property():
    @zg.adjoint(Model, "half")
    def _(model):
        return model.weight / 2.0, lambda y_bar: ({"weight": 50.0 * y_bar},)

    assert zg.gradient(lambda m: m.half * 2.0, Model(2.0))[0] == {"weight": 100.0}
    assert zg.gradient(lambda w: Model(w).half * 2.0, 2.0) == (100.0,)


class Inheriting(Model):
    def apply(self, x):
        return super().apply(x)


class Callable:
    def __call__(self, x):
        return x * x


callable_object = Callable()


def test_an_object_that_can_be_called():
    @zg.adjoint(callable_object)
    def _(self, x):
        assert self is callable_object
        return x * x, lambda y_bar: (None, 20.0 * x * y_bar)

    assert zg.gradient(callable_object, 3.0) == (60.0,)
    assert zg.gradient(lambda x: callable_object(x), 3.0) == (60.0,)
    assert zg.gradient(lambda x: Callable()(x), 3.0) == (6.0,)


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    __hash__ = None


def dist(p):
    return math.sqrt(p.x**2 + p.y**2)


def getters():
    @zg.adjoint(Point, "x")
    def _(p):
        return p.x, lambda x_bar: (Point(x_bar, 0.0),)

    @zg.adjoint(Point, "y")
    def _(p):
        return p.y, lambda y_bar: (Point(0.0, y_bar),)


def constructor():
    @zg.adjoint(Point)
    def _(x, y):
        return Point(x, y), lambda p: (p.x, p.y)


def test_gradients_of_points_are_records_before_rules_are_declared():
    found = zg.gradient(lambda a: dist(a + Point(3, 4)), Point(1, 2))[0]
    assert found == {"x": 0.5547001962252291, "y": 0.8320502943378437}


def test_getters_give_points():
    getters()
    assert zg.gradient(lambda a: dist(a), Point(1, 2))[0] == Point(0.4472135954999579, 0.8944271909999159)


@pytest.mark.parametrize("function", [lambda x: dist(Point(x, 1)), lambda x: dist(Point(1, 2) + Point(x, 1))])
def test_points_as_gradients_need_a_rule_for_the_constructor(function):
    getters()
    with pytest.raises(zg.ZygpyError, match=r"@zg.adjoint\(Point\)"):
        zg.gradient(function, 1)
    constructor()
    zg.gradient(function, 1)


def test_through_the_constructor():
    getters()
    constructor()
    assert zg.gradient(lambda x: dist(Point(x, 1)), 1) == (0.7071067811865475,)
    assert zg.gradient(lambda a: dist(a + Point(3, 4)), Point(1, 2))[0] == Point(
        0.5547001962252291, 0.8320502943378437
    )

    def in_lists(x):
        points = [Point(x, 1.0), Point(2.0, x)]
        points[0] = points[0] + points[1]
        return dist(points[0])

    x = 2.0
    assert zg.gradient(in_lists, x) == pytest.approx(
        (((x + 2.0) + (1.0 + x)) / dist(Point(x + 2.0, 1.0 + x)),)
    )


def test_points_at_second_order():
    getters()
    constructor()
    second = zg.derivative(zg.derivative(lambda x: dist(Point(x, 1.0))))
    assert second(1.0) == pytest.approx(2.0**-1.5)


def test_a_rule_for_one_attribute_alone():
    @zg.adjoint(Point, "x")
    def _(p):
        return p.x, lambda x_bar: (Point(x_bar, 0.0),)

    with pytest.raises(zg.ZygpyError, match="every attribute of 'Point'"):
        zg.gradient(dist, Point(1.0, 2.0))


# Choosing among rules.


def kind_of_rule(x, y):
    return x + y


def rule_for(name, factor, *classes):
    def _(x, y):
        return kind_of_rule(x, y), lambda bar: (factor * np.sum(bar), factor * np.sum(bar))

    _.__annotations__ = dict(zip("xy", classes, strict=False))
    zg.adjoint(kind_of_rule)(_)


def test_the_most_specific_rule_is_used():
    rule_for("any", 10.0)
    rule_for("number", 20.0, float | int)
    rule_for("float", 30.0, float, float)
    assert zg.gradient(kind_of_rule, 1.0, 2.0) == (30.0, 30.0)
    assert zg.gradient(kind_of_rule, 1, 2.0) == (20.0, 20.0)
    assert zg.gradient(kind_of_rule, np.float32(1), 2.0) == (10.0, 10.0)
    assert zg.gradient(lambda x: kind_of_rule(x, x), 1.0) == (60.0,)
    assert zg.gradient(lambda x: kind_of_rule(np.sum(x), 1.0), np.ones(2))[0].tolist() == [30.0, 30.0]


def test_no_rule_fits():
    rule_for("complex", 10.0, complex)
    assert zg.gradient(kind_of_rule, 1.0, 2.0) == (1.0, 1.0)
    assert zg.which_rule(kind_of_rule, 1.0, 2.0) is None


def test_neither_of_two_rules_is_more_specific():
    rule_for("left", 10.0, float, object)
    rule_for("right", 20.0, object, float)
    assert zg.gradient(lambda y: kind_of_rule(1, y), 2.0) == (20.0,)
    with pytest.raises(zg.AmbiguousRuleError, match=r"test_custom_rules\.py"):
        zg.gradient(kind_of_rule, 1.0, 2.0)
    rule_for("both", 30.0, float, float)
    assert zg.gradient(kind_of_rule, 1.0, 2.0) == (30.0, 30.0)


def test_a_rule_for_the_same_classes_takes_the_place_of_the_one_before():
    rule_for("first", 10.0, float)
    assert zg.gradient(kind_of_rule, 1.0, 2.0) == (10.0, 10.0)
    rule_for("second", 20.0, float)
    assert zg.gradient(kind_of_rule, 1.0, 2.0) == (20.0, 20.0)


def test_subclasses_are_instances():
    class Special(Point):
        pass

    def norm(p):
        return p.x

    @zg.adjoint(norm)
    def _(p: Point):
        return p.x, lambda bar: ({"x": 5.0 * bar, "y": None},)

    assert zg.gradient(norm, Special(1.0, 2.0))[0] == {"x": 5.0, "y": None}


def test_keyword_only_parameters_get_no_cotangent():
    def power(x, *, n=2):
        return x**n

    @zg.adjoint(power)
    def _(x, *, n=2):
        return x**n, lambda y_bar: (100.0 * n * y_bar,)

    assert zg.gradient(lambda x: power(x, n=3), 2.0) == (300.0,)
    assert zg.gradient(power, 2.0) == (200.0,)
    assert zg.gradient(lambda n: power(2.0, n=n), 3.0) == (None,)


def test_any_number_of_arguments():
    def total(first, *others, scale=1.0, **named):
        return (first + sum(others)) * scale

    @zg.adjoint(total)
    def _(first, *others, scale=1.0, **named):
        count = 1 + len(others)
        return (first + sum(others)) * scale, lambda bar: tuple(bar * k for k in range(count))

    assert zg.gradient(total, 1.0, 2.0, 3.0) == (0.0, 1.0, 2.0)
    assert zg.gradient(lambda a, b: total(a, a, b, scale=2.0, note="x"), 1.0, 2.0) == (1.0, 2.0)
    assert zg.gradient(lambda xs: total(*xs), [1.0, 2.0, 3.0]) == ([0.0, 1.0, 2.0],)


def test_none_stands_for_no_gradient():
    def f(a, b):
        return a * b

    @zg.adjoint(f)
    def _(a, b):
        return a * b, lambda y_bar: None

    assert zg.gradient(f, 1.0, 2.0) == (None, None)


def test_a_rule_may_call_pullback():
    def wrapped(f, x):
        return f(x)

    @zg.adjoint(wrapped)
    def _(f, x):
        y, back = zg.pullback(f, x)
        return y, lambda y_bar: (None, -back(y_bar)[0])

    assert zg.gradient(lambda x: wrapped(math.sin, x) * x, 1.0) == (math.sin(1.0) - math.cos(1.0),)
    second = zg.derivative(zg.derivative(lambda x: wrapped(lambda t: t**3, x)))
    assert second(2.0) == -12.0


# What pullbacks give.


def wrong(bars):
    def f(a, b):
        return np.sum(a) * np.sum(b)

    @zg.adjoint(f)
    def _(a, b):
        return np.sum(a) * np.sum(b), lambda y_bar: bars

    return f


@pytest.mark.parametrize("bars", [(1.0,), (1.0, 2.0, 3.0), 1.0, np.ones(2)])
def test_the_wrong_number_of_cotangents(bars):
    with pytest.raises(zg.CotangentShapeError, match=r"test_custom_rules.py:\d+.*\n?.*pullback of the rule"):
        zg.gradient(wrong(bars), 1.0, 2.0)


@pytest.mark.parametrize("form", [tuple, list])
@pytest.mark.parametrize(
    "bars",
    [lambda c: (c,), lambda c: (c, c, c), lambda c: c, lambda c: (np.ones(3) * c, c), lambda c: ("c", c)],
)
def test_cotangents_of_rows_that_do_not_fit(form, bars):
    def product(row):
        return row[0] * row[1]

    @zg.adjoint(product)
    def _(row):
        return product(row), lambda bar: (bars(bar),)

    def called(x):
        return product(form((x, 2.0)))

    with pytest.raises(zg.CotangentShapeError, match=r"test_custom_rules.py:\d+.*\n?.*argument 0"):
        zg.gradient(called, 3.0)
    if form is tuple:
        with pytest.raises(zg.CotangentShapeError, match="argument 0"):
            zg.hvp(called, 3.0, 1.0)


@dataclasses.dataclass
class Field:
    v: object
    k: float


class Couple(NamedTuple):
    v: object
    k: float


HOLDERS = {
    "dict": (lambda v: {"v": v, "k": 2.0}, lambda v, k: {"v": v, "k": k}),
    "object": (lambda v: Field(v, 2.0), lambda v, k: {"v": v, "k": k}),
    "list": (lambda v: [v, 2.0], lambda v, k: [v, k]),
    "tuple": (lambda v: (v, 2.0), lambda v, k: (v, k)),
    "named tuple": (lambda v: Couple(v, 2.0), lambda v, k: (v, k)),
    "inside": (lambda v: {"v": [v], "k": (2.0, {"k": 2.0})}, lambda v, k: {"v": [v], "k": (None, {"k": k})}),
    "object inside": (lambda v: [Field(v, 2.0)], lambda v, k: [zg.Record({"v": v, "k": k})]),
}


def in_one(held):
    return 1.0


@pytest.mark.parametrize("holder", HOLDERS)
def test_cotangents_of_what_is_held_have_its_form(holder):
    """They were taken as they are: sums of wrong shapes, unknown keys without effect, lists times numbers."""
    made, bars_of = HOLDERS[holder]
    given = []
    zg.adjoint(in_one)(lambda held: (1.0, lambda bar: (given[-1],)))
    for v, wrong in [
        (1.5, [np.ones(7), np.ones(1), "a", {"x": 1.0}, (1.0, 2.0), Decimal(1)]),
        (
            np.ones(3),
            [np.ones(7), 1.0, np.ones((3, 1)), "a", {"x": 1.0}, [1.0, 2.0], np.ma.array(np.ones(3))],
        ),
    ]:
        for bar in wrong:
            given.append(bars_of(bar, 1.0))
            with pytest.raises(
                zg.CotangentShapeError, match=r"test_custom_rules.py:\d+.*\n?.*argument 0[.\[]"
            ):
                zg.gradient(lambda v: in_one(made(v * 3.0)) * 2.0, v)
        for number in (2, np.int64(2), True, 2.0 + 1.0j):
            given.append(bars_of(np.full(3, number).tolist() if np.ndim(v) else number, 1))
            found = zg.gradient(lambda v: in_one(made(v * 2)) * 2.0, v)[0]
            assert np.array_equal(found, np.full(np.shape(v), 2 * float(np.real(number))))
            assert type(found) is type(v)


@pytest.mark.parametrize("holder", ["dict", "object", "list", "tuple", "named tuple"])
def test_cotangents_of_what_holds_something_have_its_entries(holder):
    made, bars_of = HOLDERS[holder]
    given = [1.0, "ab", [1.0], (1.0, 1.0, 1.0), {"x": 1.0}, zg.Record({"x": 1.0}), np.ones((3, 2)), {1.0}]
    given.append([1.0, 1.0] if isinstance(bars_of(1.0, 1.0), dict) else {"v": 1.0, "k": 1.0})
    zg.adjoint(in_one)(lambda held: (1.0, lambda bar: (given[-1],)))
    while given:
        if not (holder == "object" and type(given[-1]) is set):  # as much as an object of a class of its own
            for entry in (zg.gradient, zg.jacobian):
                with pytest.raises(
                    zg.CotangentShapeError, match=r"test_custom_rules.py:\d+.*\n?.*argument 0"
                ):
                    entry(lambda v: in_one(made(v)), 1.5)
        given.pop()


def test_cotangents_of_lists_of_numbers_may_be_arrays():
    zg.adjoint(in_one)(lambda held: (1.0, lambda bar: (np.arange(len(held)) * 2 * bar,)))
    for count in (3, 100):
        values = [float(k) for k in range(count)]
        assert zg.gradient(in_one, values) == ([2.0 * k for k in range(count)],)
    zg.adjoint(in_one)(lambda held: (1.0, lambda bar: (np.array([1j, 2j]) * bar,)))
    assert zg.gradient(in_one, [1.0, 1j]) == ([0.0, 2j],)


@pytest.mark.parametrize("form", [list, tuple, lambda bar: bar.astype(int), lambda bar: bar.astype(object)])
def test_cotangents_of_arrays_may_be_lists_and_whole_numbers(form):
    def squared(x):
        return x * x

    @zg.adjoint(squared)
    def _(x):
        return squared(x), lambda bar: (form(2 * x * bar),)

    x = np.array([1.0, 2.0, 3.0])
    for found in (
        zg.gradient(lambda z: np.sum(squared(z * 2) * 3), x)[0],
        zg.pullback(lambda z: squared(z * 2) * 3, x)[1](np.ones(3))[0],
    ):
        assert found.dtype == float
        assert found.tolist() == [24.0, 48.0, 72.0]
    if form in (list, tuple):
        assert zg.hvp(lambda z: np.sum(squared(z * 2) * 3), x, np.ones(3)).tolist() == [24.0] * 3


def test_rules_that_give_something_else_than_two():
    if not OPTIONS.get().specialise:
        return  # Python says that two things cannot be unpacked

    def lone(a, b):
        return a * b

    @zg.adjoint(lone)
    def _(a, b):
        return a * b

    with pytest.raises(zg.MissingRuleError, match=r"test_custom_rules.py:\d+.*value and a pullback"):
        zg.gradient(lone, 2.0, 3.0)

    @zg.adjoint(lone)
    def _(a, b):
        return a * b, lambda bar: (bar * b, bar * a), None

    with pytest.raises(zg.MissingRuleError, match=r"test_custom_rules.py:\d+.*value and a pullback"):
        zg.hvp(lambda x: lone(x, x), 2.0, 1.0)


def test_builtins_that_are_functions():
    @zg.adjoint(abs)
    def _(x):
        return abs(x), lambda bar: (5.0 * bar,)

    assert zg.gradient(lambda x: abs(x), -2.0) == (5.0,)
    assert zg.gradient(lambda x: sum(map(abs, [x, x])), -2.0) == (10.0,)
    assert zg.hvp(lambda x: abs(x) * x, -2.0, 1.0) == 10.0
    with pytest.raises(TypeError, match="what an operator stands for"):
        zg.adjoint(operator.abs)(lambda x: (x, lambda bar: (bar,)))


def test_partial_functions_have_rules_of_what_is_missing():
    twice = functools.partial(lambda a, b: a * b, 2.0)

    @zg.adjoint(twice)
    def _(b):
        return twice(b), lambda bar: (7.0 * bar,)

    assert zg.gradient(twice, 3.0) == zg.gradient(lambda x: sum(map(twice, [x])), 3.0) == (7.0,)


WRONG = [(1.0, 2.0), (np.ones(3), 1.0), (np.ones(2), np.ones(1)), ([1.0], 1.0), ([[1.0], [2.0]], 1.0)]


@pytest.mark.parametrize("bars", WRONG)
def test_a_cotangent_of_the_wrong_shape(bars):
    with pytest.raises(zg.CotangentShapeError, match="shape"):
        zg.gradient(wrong(bars), np.ones(2), 2.0)


@pytest.mark.parametrize("bars", [(np.ones(2), 1.0), (1.0, np.ones((1, 1))), ([1.0], 1.0), (1.0, (1.0, 2.0))])
def test_a_cotangent_of_a_number_with_a_shape(bars):
    with pytest.raises(zg.CotangentShapeError, match=r"test_custom_rules.py:\d+.*\n?.*cotangent of shape"):
        zg.gradient(wrong(bars), 1.0, 2.0)
    f = wrong(bars)
    with pytest.raises(zg.CotangentShapeError, match="cotangent of shape"):
        zg.hvp(lambda x: f(x, 2.0) * x, 1.0, 1.0)


@pytest.mark.parametrize("bar", ["text", {"x": 1.0}, object(), np.array(["a", "b"])])
def test_a_cotangent_that_is_no_number(bar):
    for first in (1.0, np.ones(2)):
        with pytest.raises(zg.CotangentShapeError, match=r"test_custom_rules.py:\d+.*\n?.*argument 0"):
            zg.gradient(wrong((bar, 1.0)), first, 2.0)


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Slots:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


@pytest.mark.parametrize("base", [Pair, Slots])
def test_fields_that_nothing_comes_to_are_none_in_the_record_of_a_constructor(base):
    class Made(base):
        pass

    @zg.adjoint(Made)
    def _(x, y):
        return Made(x, y), lambda bar: (bar.x, bar.y)

    assert zg.gradient(lambda x: Made(x, x).x ** 3, 2.0) == (12.0,)
    assert zg.gradient(lambda x: Made(x, 2.0).y * x, 3.0) == (2.0,)
    assert zg.hvp(lambda x: Made(x[0], x[1]).x ** 3, np.array([2.0, 3.0]), np.ones(2)).tolist() == [12.0, 0.0]
    seen = []
    zg.gradient(lambda pair: zg.hook(lambda bar: (seen.append(bar), bar)[1], pair).x, base(1.0, 2.0))
    assert (seen[0].x, seen[0].y) == (1.0, None)


def test_a_rule_that_gives_no_pullback():
    def f(x):
        return x

    @zg.adjoint(f)
    def _(x):
        return x

    with pytest.raises((TypeError, ValueError)) as found:
        zg.gradient(f, 1.0)
    assert "test_custom_rules.py" in str(getattr(found.value, "__notes__", "")) + str(found.value)


def test_what_cannot_have_a_rule():
    with pytest.raises(TypeError, match="can be called"):
        zg.adjoint(3.0)
    with pytest.raises(TypeError, match=r"Model\.apply"):
        zg.adjoint(Model(1.0).apply)
    with pytest.raises(TypeError, match="built-in types"):
        zg.adjoint(list.append)
    with pytest.raises(TypeError, match="for a class"):
        zg.adjoint(mul, "x")
    with pytest.raises(TypeError, match="written in Python"):
        zg.adjoint(mul)(math.sin)


def test_a_rule_that_changes_its_argument():
    def doubled(x):
        return x * 2.0

    @zg.adjoint(doubled)
    def _(x):
        x[0] = 5.0
        return x * 2.0, lambda y_bar: (2.0 * y_bar,)

    with pytest.raises(zg.UnsupportedSyntaxError, match="changes an argument in place"):
        zg.gradient(lambda x: np.sum(doubled(x * 1.0)), np.ones(2))


# The other ways to declare.


def test_rrule():
    @zg.rrule(mul)
    def _(a, b):
        return a * b, lambda c_bar: (zg.NoTangent, zg.ZeroTangent, 10.0 * c_bar * a)

    assert zg.gradient(mul, 2.0, 3.0) == (None, 20.0)
    tenfold()
    assert zg.gradient(mul, 2.0, 3.0) == (3.0, 20.0)


def test_no_tangent_is_spelled_in_either_way():
    def times(a, b):
        return a * b

    @zg.rrule(times)
    def _(a, b):
        return a * b, lambda bar: (zg.NoTangent(), 5.0 * bar, zg.ZeroTangent())

    assert zg.gradient(lambda a, b: times(a, b), 2.0, 3.0) == (5.0, None)


def test_rrule_with_a_wrong_number_of_cotangents():
    @zg.rrule(mul)
    def _(a, b):
        return a * b, lambda c_bar: (c_bar, c_bar)

    with pytest.raises(zg.CotangentShapeError, match="itself"):
        zg.gradient(mul, 2.0, 3.0)


def test_scalar_rule():
    def softplus(x):
        return math.log1p(math.exp(x))

    zg.scalar_rule(softplus, "y = softplus(x)", x_bar="7.0 * y_bar * math.exp(x)")
    assert zg.gradient(softplus, 0.0) == (7.0,)
    assert zg.derivative(zg.derivative(softplus))(0.0) == 7.0
    assert zg.gradient(lambda x: softplus(x) * 2.0, 0.0) == (14.0,)


def test_the_result_of_a_scalar_rule_may_have_another_name():
    def product(a, b):
        return a * b

    zg.scalar_rule(product, "z = product(a, b)", a_bar="3.0 * z_bar * b", b_bar="5.0 * y_bar * z / b")
    assert zg.gradient(product, 2.0, 7.0) == (21.0, 10.0)
    assert zg.gradient(lambda z: product(z, z), 2.0) == (16.0,)


@pytest.mark.parametrize(
    ("call", "bars", "message"),
    [
        ("z = f(x, y)", {"x_bar": "z_bar * y"}, "has the name of the result"),
        ("y = f(x, y)", {"x_bar": "y_bar * y"}, "has the name of the result"),
        ("z = f(z)", {"z_bar": "z_bar"}, "has the name of the result"),
        ("y = f(x)", {"x_bar": "y_bar * unknown_name"}, "'unknown_name'"),
        ("y = f(x)", {"x_bar": "y_bar * times(x, x)"}, "'times'"),
        ("y = f(x)", {"q_bar": "y_bar"}, "for no parameter"),
        ("y = f(x)", {"x": "y_bar"}, "for no parameter"),
        ("f(x)", {"x_bar": "y_bar"}, "not of the form"),
        ("y = f(2 * x)", {"x_bar": "y_bar"}, "not the name of a parameter"),
    ],
)
def test_scalar_rules_that_are_refused(call, bars, message):
    def f(x, y=1.0):
        return x * y

    with pytest.raises(ValueError, match=message):
        zg.scalar_rule(f, call, **bars)
    assert zg.gradient(f, 2.0, 3.0) == (3.0, 2.0)


def test_scalar_rule_for_what_has_a_rule():
    zg.scalar_rule(np.tanh, "y = tanh(x)", x_bar="0.5 * y_bar")
    assert zg.gradient(lambda x: np.sum(np.tanh(x)), np.ones(2))[0].tolist() == [0.5, 0.5]


def test_non_differentiable():
    def rounded(x):
        return float(f"{x:.1f}")

    zg.non_differentiable(rounded)
    assert zg.gradient(lambda x: rounded(x) * x, 2.04) == (2.0,)
    assert zg.gradient(rounded, 2.04) == (None,)


class Quantity(float):
    pass


def test_opt_out():
    tenfold()
    zg.opt_out(mul, np.ndarray)
    assert zg.gradient(mul, 2.0, 3.0) == (3.0, 20.0)
    assert zg.gradient(lambda a: np.sum(mul(a, 3.0)), np.ones(2))[0].tolist() == [3.0, 3.0]
    assert zg.which_rule(mul, np.ones(2), 3.0) is None


def test_opt_out_of_what_has_no_source():
    zg.opt_out(np.cos, np.ndarray)
    assert zg.gradient(np.cos, 0.0) == (0.0,)
    with pytest.raises(zg.MissingRuleError, match="not to be used"):
        zg.gradient(lambda x: np.sum(np.cos(x)), np.ones(2))


def test_which_rule():
    tenfold()
    found = zg.which_rule(mul, 2.0, 3.0)
    assert (found.kind, found.place.filename) == ("adjoint", __file__)
    assert "mul" in repr(found)
    built_in = zg.which_rule(np.exp, 1.0)
    assert built_in.kind == "rule"
    assert built_in.place.filename.endswith("numpy_elementwise.py")
    assert "np.exp" in built_in.place.text


# When declarations are seen.


def test_rules_are_seen_at_the_next_call():
    def outer(a, b):
        return by_name(a, b) * 1.0

    assert zg.gradient(outer, 2.0, 3.0) == (3.0, 2.0)
    tenfold()
    assert zg.gradient(outer, 2.0, 3.0) == (3.0, 20.0)

    @zg.adjoint(mul)
    def _(a, b):
        return a * b, lambda c_bar: (1.0, 1.0)

    assert zg.gradient(outer, 2.0, 3.0) == (1.0, 1.0)


def test_what_a_rule_reads_is_read_when_it_runs():
    factor = [1.0]

    @zg.adjoint(mul)
    def _(a, b):
        return a * b, lambda c_bar: (factor[0], factor[0])

    assert zg.gradient(mul, 2.0, 3.0) == (1.0, 1.0)
    factor[0] = 5.0
    assert zg.gradient(mul, 2.0, 3.0) == (5.0, 5.0)


def test_the_rule_itself_runs_once():
    seen = []

    @zg.adjoint(mul)
    def _(a, b):
        seen.append("forward")

        def back(c_bar):
            seen.append("back")
            return c_bar * b, c_bar * a

        return a * b, back

    assert zg.gradient(by_name, 2.0, 3.0) == (3.0, 2.0)
    assert seen == ["forward", "back"]


def test_the_value_is_that_of_the_rule():
    @zg.adjoint(mul)
    def _(a, b):
        return 100.0, lambda c_bar: (1.0, 1.0)

    assert zg.withgradient(by_name, 2.0, 3.0).val == 100.0
    assert mul(2.0, 3.0) == 6.0


def test_calls_that_nothing_active_reaches_are_made_as_they_stand():
    seen = []

    @zg.adjoint(mul)
    def _(a, b):
        seen.append("rule")
        return a * b, lambda c_bar: (c_bar * b, c_bar * a)

    assert zg.gradient(lambda x: mul(2.0, 3.0) * x, 1.0) == (6.0,)
    assert seen == []


# Rules of libraries, and checks.


LIBRARY = """
def triple(x):
    return 3.0 * x


def __zygpy_rules__(zg):
    @zg.adjoint(triple)
    def _(x):
        return 3.0 * x, lambda y_bar: (FACTOR * y_bar,)


FACTOR = 300.0
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    (tmp_path / "library_with_rules.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("library_with_rules")
    sys.modules.pop("library_with_rules", None)


def test_a_library_declares_its_rules_when_they_are_needed(library, tmp_path):
    assert "zygpy" not in LIBRARY.replace("__zygpy_rules__", "")
    assert zg.gradient(lambda x: library.triple(x), 1.0) == (300.0,)
    (tmp_path / "library_with_rules.py").write_text(LIBRARY.replace("300.0", "4000.0"))
    importlib.invalidate_caches()
    reloaded = importlib.reload(library)
    assert zg.gradient(lambda x: reloaded.triple(x), 1.0) == (4000.0,)
    assert zg.gradient(reloaded.triple, 1.0) == (4000.0,)


def test_check_rule():
    def cube(x):
        return x**3

    with pytest.raises(zg.MissingRuleError):
        zg.testing.check_rule(cube, 2.0)

    @zg.adjoint(cube)
    def _(x):
        return x**3, lambda y_bar: (3.0 * x**2 * y_bar,)

    zg.testing.check_rule(cube, 2.0)
    zg.testing.check_rule(cube, np.array([1.0, -2.0]))

    @zg.adjoint(cube)
    def _(x):
        return x**3, lambda y_bar: (3.0 * x * y_bar,)

    with pytest.raises(zg.testing.GradientMismatch):
        zg.testing.check_rule(cube, 2.0)


def test_checking():
    tenfold()

    def used(a, b, n):
        return mul(a, np.sum(b)) * n

    arguments = (2.0, np.arange(3.0), 2)
    assert zg.gradient(used, *arguments)[0] == 6.0
    with zg.checking():
        with pytest.raises(zg.testing.GradientMismatch, match=r"argument 1, index .*gradient.*reference"):
            zg.gradient(used, *arguments)
        with pytest.raises(zg.testing.GradientMismatch):
            zg.withgradient(lambda a: (mul(1.0, a), "more"), 2.0)
        assert zg.gradient(lambda a: zg.gradient(math.sin, a)[0] * a, 0.5) == pytest.approx(
            (math.cos(0.5) - 0.5 * math.sin(0.5),)
        )
        assert zg.withgradient(lambda a: {"loss": a * a}, 2.0).grad == (4.0,)
    assert zg.gradient(used, *arguments)[0] == 6.0


def test_checking_does_not_change_what_the_function_sees():
    def writes(x):
        x[0] = 5.0
        return np.sum(x * x)

    x = np.ones(2)
    with zg.checking():
        assert zg.gradient(writes, x)[0].tolist() == [0.0, 2.0]
    assert x.tolist() == [5.0, 1.0]


def test_the_environment_asks_for_checks():
    program = "import zygpy.runtime.modes as c; print(c.CHECKING.get(), c.Modes.on)"
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "ZYGPY_CHECK": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == ["True", "True"]


class Held:
    def __init__(self, v):
        self.v = v


def handed_on(v):
    return v


def times_of_objects(pair):
    return pair[0].v * pair[1].v[1] * pair[1].v[0].v


HANDED_ON = {
    "partial call": lambda x: handed_on(functools.partial(operator.mul, x * x))(2.0) * x,
    "one in a tuple": lambda x: handed_on((functools.partial(operator.mul, x * x), 1.0))[0](2.0) * x,
    "iterator": lambda x: next(handed_on(iter((2 * x * x, x)))) * x,
    "view": lambda x: sum(handed_on({"a": 2 * x * x}.values())) * x,
    "objects": lambda x: times_of_objects(handed_on((Held(2 * x * x), Held((Held(1.0), x))))),
}
"""What is handed on by a function with a rule: 2 x^3 in the end."""


@pytest.mark.parametrize("what", HANDED_ON)
def test_rules_are_given_what_things_carry(what):
    """Cotangents of functions, iterators and views are no records of fields; those of objects are."""
    zg.adjoint(handed_on)(lambda v: (v, lambda bar: (bar,)))
    assert zg.gradient(HANDED_ON[what], 1.5) == (pytest.approx(6 * 1.5**2),)


class Doubling:
    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, x: float) -> float:
        return self.factor * x * x


def test_rules_of_objects_and_partials_hold_everywhere() -> None:
    called, bound = Doubling(2.0), functools.partial(lambda c, x: c * x * x, 2.0)

    @zg.adjoint(called)
    def _(self, x):
        return 2.0 * x * x, lambda bar: (None, 20.0 * x * bar)

    @zg.adjoint(bound)
    def _(x):
        return 2.0 * x * x, lambda bar: (20.0 * x * bar,)

    def attempted(x: float) -> float:
        try:
            return bound(x)
        except ValueError:
            return 0.0

    functions = [math.sin, called]
    assert zg.pushforward(lambda x: functions[1](x), 0.5)(1.0) == 10.0
    assert zg.hvp(lambda x: called(x), 0.5, 1.0) == 20.0
    assert zg.gradient(attempted, 0.5) == (10.0,)
    assert zg.gradient(lambda x: zg.checkpoint(bound, x), 0.5) == (10.0,)
    assert zg.gradient(lambda x: zg.checkpoint(called, x), 0.5) == (10.0,)
