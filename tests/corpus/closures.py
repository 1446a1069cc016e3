"""Nested functions: captured variables, rebound before and after capture, nonlocal, factories."""

import math

import numpy as np

from tests.corpus.registry import program


@program((1.5, 0.5))
def captured_argument(x, y):
    def inner(z):
        return z * x + y

    return inner(y) * inner(2.0)


@program((1.5,))
def captured_and_returned(x):
    def make(scale):
        def multiply(z):
            return z * scale * x

        return multiply

    double, triple = make(2.0), make(x)
    return double(x) + triple(5.0)


@program((1.5,))
def rebound_after_capture(x):
    y = x

    def read():
        return y * y

    before = read()
    y = x**3
    return before + 10 * read()


@program((1.5, 3), (1.5, 0))
def rebound_in_a_loop(x, n):
    y = 1.0

    def step(z):
        return y * z

    total = 0.0
    for i in range(n):
        y = y * x + i
        total = total + step(x)
    return total + y


@program((1.5,))
def closure_defined_before_its_variable(x):
    def later():
        return y + x

    y = x * 4
    return later() * y


@program((1.5, 3))
def nonlocal_accumulator(x, n):
    total = 0.0

    def add(value):
        nonlocal total
        total = total + value * x
        return total

    for i in range(n):
        add(x**i)
    return total * add(1.0)


@program((1.5,))
def two_closures_share_a_cell(x):
    state = x

    def write(value):
        nonlocal state
        state = state * value

    def read():
        return state + 1

    write(3.0)
    first = read()
    write(x)
    return first * read()


@program((1.5,))
def counter_factory(x):
    def make(start):
        value = start

        def step(amount):
            nonlocal value
            value += amount * x
            return value

        return step

    a, b = make(0.0), make(x)
    a(1.0)
    b(2.0)
    return a(3.0) * b(x)


@program((1.5,))
def closures_that_see_the_last_value(x):
    functions = []
    for i in range(3):
        functions.append(lambda z: z * x + i)
    return functions[0](1.0) * functions[1](x) * functions[2](2.0)


@program((1.5,))
def closures_with_a_default_see_their_own(x):
    functions = [lambda z, i=i: z * x**i for i in range(3)]
    return functions[0](3.0) + functions[1](x) * functions[2](2.0)


@program((1.5,))
def list_of_closures_over_active_values(x):
    functions = []
    for scale in [x, x * x, 3.0]:

        def scaled(z, scale=scale):
            return scale * z

        functions.append(scaled)
    result = 1.0
    for f in functions:
        result = f(result) + x
    return result


@program((1.5,))
def closure_in_a_comprehension(x):
    return sum([(lambda z: z * x * k)(k + x) for k in range(4)])


@program((0.5, 1.5))
def compose(x, y):
    def composed(f, g):
        return lambda z: f(g(z) * x)

    return composed(math.sin, lambda a: a * y)(y)


@program((1.5,))
def three_levels(x):
    def first(a):
        def second(b):
            def third(c):
                return a * b * c * x

            return third(b + x)

        return second(a + 1)

    return first(x)


@program((1.5,))
def nonlocal_through_two_levels(x):
    value = x

    def outer():
        def inner():
            nonlocal value
            value = value**2

        inner()
        inner()

    outer()
    return value


@program((1.5,), (0.5,))
def captured_parameter_rebound_in_a_branch(x):
    def read():
        return x * 2

    if x > 1:
        x = x * x
    return read() * x


@program((1.5,))
def closure_without_arguments(x):
    def loss():
        return x**3

    return loss() + apply(loss)


def apply(function):
    return function()


def make_adder(amount):
    return lambda x: x + amount


@program((1.5,))
def factory_from_module_level(x):
    return make_adder(x)(2 * x) * make_adder(3.0)(x)


@program((np.array([1.0, 2.0]), 0.5))
def captured_array(v, x):
    def dot(w):
        return (v * w).sum()

    return dot(v) * x + dot(np.array([3.0, x]))


@program((np.array([1.0, 2.0, 3.0]),))
def captured_array_that_is_written(v):
    buffer = v.copy()

    def fill(i):
        buffer[i] = buffer[i] * v[0] + i

    fill(1)
    fill(2)
    fill(1)
    return (buffer * v).sum()


@program((1.5,))
def same_name_inside_and_out(x):
    y = x * 2

    def inner(y):
        x = y * 3
        return x

    return inner(y) * x + y


@program((1.5,))
def closure_kept_in_a_tuple_and_a_dict(x):
    y = 3 * x
    functions = (lambda: y * x, lambda: y**2)
    table = {"a": functions[1]}
    return functions[0]() + table["a"]()


@program((1.5, 0.5))
def closure_given_as_argument(x, y):
    def integrate(f, n):
        total = 0.0
        for i in range(n):
            total += f((i + 0.5) / n)
        return total / n

    return integrate(lambda t: x * t**2 + y * t, 4)


@program((1.5,))
def comprehension_scope_does_not_leak(x):
    y = x
    values = [y * y for y in (1.0, 2.0, x)]
    return sum(values) + y


@program((1.5,))
def conditional_definition(x):
    if x > 1:

        def f(z):
            return z * x

    else:

        def f(z):
            return z + x

    return f(3.0) * f(x)


@program((1.5,))
def captured_loop_variable_is_active(x):
    total = 0.0
    for y in [x, x**2]:

        def f():
            return y * 3

        total = total + f() * x
    return total
