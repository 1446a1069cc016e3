"""Definitions and calls: arguments of every kind, calls to other functions, functions as values."""

import functools
import math
import operator

import numpy as np

from tests.corpus import mixed as other_module
from tests.corpus.registry import program


def square(x):
    return x * x


def pair(x, y=2.0):
    return x * y, x + y


def shadow(x):
    return x**3


def scaled(x, *, scale=3.0, offset=0.0):
    return x * scale + offset


def total(*values, power=1):
    result = 0.0
    for value in values:
        result = result + value**power
    return result


def collect(x, **named):
    return x * named["a"] + named.get("b", 5.0)


def positional(x, y, /, z):
    return x * y**2 + z


@program((1.5,))
def calls_of_user_functions(x):
    return square(square(x) + x) * square(x=x)


@program((1.5,))
def default_arguments(x):
    a, b = pair(x)
    c, d = pair(x, 5.0)
    e, _ = pair(y=x, x=2.0)
    return a * b + c * d + e


@program((1.5, 0.5))
def keyword_only_arguments(x, y):
    return scaled(x) + scaled(y, scale=x) * scaled(x, offset=y, scale=2.0)


@program((1.5, 0.5))
def variable_arguments(x, y):
    return total(x, y, x * y, power=2) + total() + total(x)


@program((1.5, (0.5, 2.0)), (1.5, ()))
def starred_call(x, values):
    return total(x, *values, *values, power=3)


@program((1.5, {"a": 0.5}), (1.5, {"a": 2.0, "b": 3.0}))
def double_starred_call(x, named):
    return collect(x, **named) * collect(x, a=x)


@program((1.5, 0.5, 2.0))
def positional_only(x, y, z):
    return positional(x, y, z=z) * positional(z, x, y)


@program((1.5, 2.0, 3.0), (1.5,))
def star_parameters(x, *rest):
    for value in rest:
        x = x * value + 1
    return x * len(rest) + x


@program((2.0, 0.5))
def star_and_keyword_parameters(x, y=3.0, *rest, scale=4.0, **others):
    return x * y * scale + len(rest) + len(others) * x


@program((2.0,), (2.0, 5.0))
def parameters_with_defaults(x, y=3.0, z=None):
    z = x if z is None else z
    return x * y**2 + z


@program((1.5,))
def lambda_called_at_once(x):
    return (lambda a, b=2.0: a * b + a**2)(x) + (lambda *a: a[0] * a[1])(x, 3.0)


@program((1.5,))
def two_lambdas_on_a_line(x):
    f, g = lambda a: a**2, lambda a: a**3
    return f(x) + 5 * g(f(x))


def apply(function, *args):
    return function(*args)


def twice(function):
    def inner(x):
        return function(function(x))

    return inner


@program((0.5,))
def functions_as_arguments(x):
    return apply(square, x) + apply(math.sin, x) * apply(lambda a, b: a / b, x, 3.0) + apply(np.exp, x)


@program((0.5, math.sin), (0.5, square), (0.5, np.tanh), (0.5, lambda t: t**3))
def function_argument_from_outside(x, f):
    return f(x) * x + f(2 * x)


@program((0.5,))
def function_that_returns_a_function(x):
    return twice(square)(x) + twice(twice(math.sin))(x)


@program((0.5, 0), (0.5, 1))
def function_chosen_at_run_time(x, which):
    f = square if which == 0 else math.exp
    return f(x) * 2


@program((0.5,))
def functions_in_a_list(x):
    for f in [math.sin, square, lambda t: t + 1, np.cos]:
        x = f(x) * 1.5
    return x


@program((0.5, "cube"), (0.5, "square"))
def functions_in_a_dict(x, name):
    table = {"square": square, "cube": lambda a: a**3}
    return table[name](x)


@program((1.5, 2.0))
def partial_application(x, y):
    f = functools.partial(scaled, scale=x)
    g = functools.partial(operator.mul, y)
    return f(y) * f(2.0, offset=x) + g(x)


@program(([1.0, 2.0, 3.0],))
def reduce_over_a_list(xs):
    return functools.reduce(lambda a, b: a * b + a, xs) + functools.reduce(operator.mul, xs, 2.0)


@program(([1.0, 2.0, 3.0], 0.5))
def map_and_filter(xs, y):
    return sum(map(lambda a: a**2 * y, xs)) + sum(filter(lambda a: a > 1.5, xs)) ** 2


@program(([1.0, 2.0], [3.0, 4.0]))
def map_over_two(xs, ys):
    a, b = map(operator.mul, xs, ys)
    return a * b + a


@program((0.5,))
def function_of_another_module(x):
    return other_module.helper(x) * other_module.shadow(x) + shadow(x)


@program((0.5,))
def method_of_a_class(x):
    return Scaler(3.0).apply(x) + Scaler.double(x) * Scaler.named("y", x)


class Scaler:
    """Has a method of each kind and is never differentiated through its fields."""

    def __init__(self, scale):
        self.scale = scale

    def apply(self, x):
        return self.scale * x**2

    @staticmethod
    def double(x):
        return 2 * x

    @classmethod
    def named(cls, name, x):
        return x**3 if name == "y" else x


@program((0.5, Scaler(2.0)))
def bound_method_as_value(x, scaler):
    f = scaler.apply
    return f(x) + f(x * x)


@program((0.5,))
def annotated(x: float, n: int = 3) -> float:
    """A docstring, which is not a statement."""
    y: float = x**n
    z: "float"
    z = y * x
    return z


@program((0.5,))
def returns_nothing_useful_from_a_callee(x):
    def check(value):
        if value < 0:
            raise ValueError

    check(x)
    return x**2


@program((2.0,), tags="raises")
def callee_that_raises(x):
    return square(math.sqrt(1.0 - x))


@program((2.0,), tags="raises")
def call_with_too_few_arguments(x):
    return positional(x, x)


@program((0.5, 2.0))
def order_of_evaluation(x, y):
    steps = []

    def note(value):
        steps.append(len(steps) + 1)
        return value * steps[-1]

    return note(x) * 10 + scaled(note(y), offset=note(x), scale=note(y)) - note(x) ** 2


@program((1.5,))
def decorated_inside(x):
    @twice
    def step(y):
        return y * x + 1

    return step(x)


@program((0.7, 0.2))
def function_used_with_two_kinds(x, y):
    return square(x) + square(np.array([x, y])).sum() + square(3) + square(1j).real
