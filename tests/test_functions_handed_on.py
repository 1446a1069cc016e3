"""Functions that carry something - lambdas, local functions, methods bound to their objects, partial calls - and
are handed to functions of the user's, held in fields and containers, and called there: by their text, or in
whatever way, what they do and what their gradients are is the same."""

# ruff: noqa: B007, B023, E501, E704, E731, N806, PERF401

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

C = 0.7


def apply(f, x):
    return f(x)


def twice(f, x):
    return f(f(x))


def loop(f, y, n):
    for i in range(n):
        y = f(y)
    return y


def rec(f, x, n):
    return x if n == 0 else rec(f, f(x), n - 1)


def both(f, g, x):
    return f(x) * g(x)


def compose(f, g):
    return lambda x: f(g(x))


def newton(f, df, x):
    for _ in range(8):
        x = x - f(x) / df(x)
    return x


class Holder:
    def __init__(self, f):
        self.f = f

    def run(self, x):
        return self.f(x)


class Model:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def rhs(self, y):
        return self.a * y + self.b * y * y

    def go(self, y):
        return loop(self.rhs, y, 5)


def handed_a_lambda(c):
    return apply(lambda y: c * y, c)


def called_twice(c):
    return twice(lambda y: c * y + 1, 2.0)


def handed_on_by_recursion(c):
    return rec(lambda y: c * y + 0.1, c, 4)


def two_functions(c):
    return both(lambda y: c * y, lambda z: z + c * c, 1.5)


def composed(c):
    return apply(compose(lambda x: x * c, lambda x: x + c), 1.5)


def newton_steps(c):
    return newton(lambda x: x * x - c, lambda x: 2 * x, 1.0)


def held_in_a_field(c):
    return Holder(lambda x: c * x).run(c)


def a_method_of_its_own(c):
    return Model(c, 0.1).go(c)


def list_stored_into_before(c):
    ys = [c, 2.0]
    f = lambda x: x * ys[0] + ys[1]
    ys[0] = c * c
    return apply(f, 1.5)


def list_grown_before(c):
    ys = []
    f = lambda x: x * sum(ys)
    ys.append(c)
    ys.append(c * c)
    return apply(f, 1.5)


def change(f, ys):
    ys.append(3.0)
    return f(2.0)


def list_grown_by_the_callee(c):
    ys = [c]
    return change(lambda x: x * sum(ys) * c, ys)


def change2(f, a):
    u = f(2.0)
    a[0] = 5.0
    return u + f(3.0)


def array_stored_into_between(c):
    a = np.array([c, c * c]) * 1.0
    return change2(lambda x: x * a[0] * a[1], a)


def change3(f, d):
    u = f(2.0)
    d["k"] = d["k"] * u
    d["z"] = "text"
    return u + f(3.0)


def dict_changed_between(c):
    d = {"k": c}
    return change3(lambda x: x * d["k"], d)


def change4(f, o):
    u = f(2.0)
    o.f = u * o.f
    return u + f(3.0)


def object_changed_between(c):
    o = Holder(c)
    return change4(lambda x: x * o.f, o)


def made_in_a_loop_and_called(c):
    def make(k):
        return lambda x: x * k * c

    s = 0.0
    for i in range(3):
        s = s + apply(make(i + 1.0), s + 1)
    return s


def composed_in_a_loop(c):
    h = lambda x: x
    for i in range(3):
        h = compose(lambda x: x * c, h)
    return h(2.0)


def composed_too_deep(c):
    h = lambda x: x
    for i in range(9):
        h = compose(lambda x: x * c, h)
    return h(2.0)


def one_of_two(c):
    f = (lambda x: x * c) if c > 0 else (lambda x: x + c)
    return apply(f, 2.0)


def several_in_a_list(c):
    fs = [lambda x: x * c, lambda x: x + c]
    return sum(apply(f, c) for f in fs)


def default_that_is_active(c):
    def f(x, k=c):
        return x * k

    return apply(f, 2.0)


def any_number_of_arguments(c):
    def f(x, *rest):
        return x * c

    return apply(f, 2.0)


def variable_that_is_rebound(c):
    n = 0

    def f(x):
        nonlocal n
        n += 1
        return x * c * n

    return apply(f, 2.0) + apply(f, 1.0)


def recursion_of_its_own(c):
    def fact(k):
        return 1.0 if k == 0 else c * fact(k - 1)

    return apply(fact, 3)


def called_here_and_there(c):
    f = lambda x: x * c
    return f(2.0) + apply(f, 3.0) + (f is f)


def key_of_a_dict(c):
    f = lambda x: x * c
    d = {f: 2.0}

    def look(g):
        return d[g] * g(1.0)

    return look(f)


def ident(f, g):
    return f if f is g else None


def compared_by_identity(c):
    f = lambda x: x * c
    return ident(f, f)(2.0)


def partial_call(c):
    f = functools.partial(lambda k, x: k * x, c)
    return loop(f, 1.0, 3)


def partial_call_by_name(c):
    return loop(functools.partial(lambda k, x, z=1.0: k * x * z, c, z=c), 1.0, 3)


def object_changed_behind_the_method(c):
    m = Model(c, 0.1)
    r = m.rhs
    m.a = m.a * 2
    return apply(r, 1.0)


def arrays_through_it(c):
    a = np.ones(3) * c
    f = lambda x: x * a
    return np.sum(loop(f, np.array([1.0, 2.0, 3.0]), 3))


def functions_in_functions(c):
    def outer(x):
        def inner(y):
            return x * y * c

        return apply(inner, x)

    return apply(outer, c)


def raising(f, x):
    try:
        return f(x)
    except ValueError as e:
        return e.args[0]


def exception_from_it(c):
    def f(x):
        if x > 1:
            raise ValueError(x * c)
        return x

    return raising(f, 2.0)


def gen(f, n):
    x = 1.0
    for i in range(n):
        x = f(x)
        yield x


def called_by_a_generator(c):
    return sum(gen(lambda x: x * c, 4))


def called_by_map(c):
    return sum(map(compose(lambda x: x * c, lambda x: x + c), [1.0, 2.0]))


def deflt(f=None, x=1.0):
    return x if f is None else f(x)


def given_or_not(c):
    return deflt(lambda x: x * c, c) + deflt(x=c) + deflt(f=lambda x: c + x)


def star(*fs):
    return sum(f(1.0) for f in fs)


def unpacked_functions(c):
    return star(lambda x: x * c, lambda x: x + c * c)


def kw(**fs):
    return fs["a"](1.0) * fs["b"](2.0)


def functions_by_keyword(c):
    return kw(a=lambda x: x * c, b=lambda x: x + c * c)


def functions_in_a_dict(c):
    ops = {"a": lambda x: x * c, "b": lambda x: x + c}
    return apply(ops["a"], 2.0) + apply(ops["b"], 1.0)


def captures_another(c):
    f = lambda x: x * c
    g = lambda x: f(x) + c
    return apply(g, 2.0)


def captured_is_rebound(c):
    x = c
    f = lambda y: x * y
    x = c * c
    return apply(f, 2.0)


def setattr_f(f):
    f.count = 1
    return f(2.0) * f.count


def with_an_attribute(c):
    return setattr_f(lambda x: x * c)


def inplace(f, a):
    b = a
    b *= 2.0
    return f(1.0)


def array_changed_in_place(c):
    a = np.array([c, 1.0])
    return inplace(lambda x: x * a[0] * a[1], a)


def keeps_a_buffer(c):
    buf = np.zeros(2)

    def f(x):
        buf[0] = x * c
        return buf[0] * c

    return loop(f, 1.0, 3)


def notes_what_it_is_given(c):
    log = []

    def f(x):
        log.append(x * c)
        return x * c

    return loop(f, 1.0, 3) + sum(log)


def ret(f):
    return f


def handed_back(c):
    return ret(lambda x: x * c)(2.0)


def tup(f):
    return f, f(1.0)


def handed_back_with_more(c):
    g, v = tup(lambda x: x * c)
    return g(v)


def differentiated_inside(c):
    return zg.gradient(lambda y: apply(lambda x: x * x * c * y, y), c)[0]


def derivative_inside(c):
    f = lambda x: x**3 * c
    return apply(lambda x: zg.gradient(f, x)[0], c)


def sorting_a_list(c):
    xs = [3.0, 1.0, 2.0]
    xs.sort(key=lambda v: (v - c) ** 2)
    return xs[0] * c + xs[1] * c * c


def accumulated(c):
    return sum(itertools.accumulate([1.0, 2.0, 3.0], lambda a, b: a * c + b))


def folded(c):
    return functools.reduce(lambda a, b: a * c + b, [1.0, 2.0, 3.0])


def optional(f):
    return 1.0 if f is None else f(2.0)


def none_at_first(c):
    f = None
    for i in range(3):
        f = lambda x: x * c * i
    return optional(f)


def made_with_defaults(c):
    fs = []
    for i in range(3):
        fs.append(lambda x, i=i: x * c * i)
    return sum(f(1.0) for f in fs)


def sees_the_last_round(c):
    fs = []
    for i in range(3):
        fs.append(lambda x: x * c * i)
    return sum(f(1.0) for f in fs)


def method_of_a_captured_object(c):
    m = Model(c, c)
    return apply(lambda y: m.rhs(y) + apply(m.rhs, y), 1.0)


def default_that_is_constant(c):
    f = lambda x, y=2.0: x * y * c
    return apply(f, 1.0)


def captures_rows(c):
    W = [[c, 1.0], [2.0, c]]
    return apply(lambda v: sum(w * v for row in W for w in row), c)


def later(f, box):
    box[0] = box[0] * 2.0
    return f()


def list_changed_before_the_call(c):
    box = [c]
    return later(lambda: box[0] * c, box)


def inner_list_changed(c):
    box = [[c]]
    inner = box[0]
    return later2(lambda: inner[0] * c, box)


def later2(f, box):
    box[0][0] = box[0][0] * 2.0
    box[0].append("t")
    return f()


def view_of_a_changed_array(c):
    a = np.array([c, c])
    v = a[1:]
    return later3(lambda: v[0] * c, a)


def later3(f, a):
    u = f()
    a[:] = a * u
    return f() * u


def fibonacci(n, x, then):
    if n < 2:
        return then(x * n)
    return fibonacci(n - 1, x, lambda a: fibonacci(n - 2, x, lambda b: then(a + b * x)))


def continued(c):
    return fibonacci(4, c, lambda v: v * c)


def unrolled(f, n, x):
    return f(x) if n == 0 else unrolled(lambda y: f(y) * x, n - 1, x)


class Handlers:
    def __init__(self):
        self.first = self.second = None


def handed_from_field_to_field(c):
    held, ys = Handlers(), []
    held.first = lambda x: x * sum(ys)
    held.second = held.first
    ys.append(c * c)
    return held.second(3.0)


def handed_from_field_to_list(c):
    held, numbers = Handlers(), {"k": 1.0}
    held.first = lambda x: x * numbers["k"]
    listed = [held.first]
    numbers["k"] = c * c
    return listed[0](3.0)


def ever_deeper(c):
    return unrolled(lambda y: y * c, 12, c)


FUNCTIONS = [
    continued,
    ever_deeper,
    handed_a_lambda,
    called_twice,
    handed_on_by_recursion,
    two_functions,
    composed,
    newton_steps,
    held_in_a_field,
    a_method_of_its_own,
    list_stored_into_before,
    list_grown_before,
    list_grown_by_the_callee,
    array_stored_into_between,
    dict_changed_between,
    object_changed_between,
    made_in_a_loop_and_called,
    composed_in_a_loop,
    composed_too_deep,
    one_of_two,
    several_in_a_list,
    default_that_is_active,
    any_number_of_arguments,
    variable_that_is_rebound,
    recursion_of_its_own,
    called_here_and_there,
    key_of_a_dict,
    compared_by_identity,
    partial_call,
    partial_call_by_name,
    object_changed_behind_the_method,
    arrays_through_it,
    functions_in_functions,
    exception_from_it,
    called_by_a_generator,
    called_by_map,
    given_or_not,
    unpacked_functions,
    functions_by_keyword,
    functions_in_a_dict,
    captures_another,
    captured_is_rebound,
    with_an_attribute,
    array_changed_in_place,
    keeps_a_buffer,
    notes_what_it_is_given,
    handed_back,
    handed_back_with_more,
    differentiated_inside,
    derivative_inside,
    sorting_a_list,
    accumulated,
    folded,
    none_at_first,
    made_with_defaults,
    sees_the_last_round,
    method_of_a_captured_object,
    default_that_is_constant,
    captures_rows,
    list_changed_before_the_call,
    inner_list_changed,
    view_of_a_changed_array,
    handed_from_field_to_field,
    handed_from_field_to_list,
]
ONCE = (with_an_attribute,)


class Keeps:
    def __init__(self):
        self.f, self.all = None, []

    def put(self, f):
        self.f = f
        self.all.append(f)
        return self


def calls_counted(c):
    n = 0

    def f(y):
        nonlocal n
        n += 1
        return y * y * c + n

    return loop(f, c, 3) / n + both(f, lambda y: f(y) * n, c) * n


def sum_of_calls(c):
    best, total = None, 0.0

    def f(y):
        nonlocal best, total
        r = (y - c) ** 2 * y
        total += r
        best = r if best is None or r < best else best
        return r

    return twice(f, c + 1.0) * total + apply(f, 0.3) * best


def kept_by_an_object(c):
    def made(k):
        n = 0

        def f(y):
            nonlocal n
            n += 1
            return y * n * k

        return keep(f)

    plain, own = made(2), made(c)
    return plain.f(c) + plain.all[0](c * c) * own.f(c) + own.all[0](c)


def keep(f):
    return Keeps().put(f)


COUNTING = [calls_counted, sum_of_calls, kept_by_an_object]
"""Functions that rebind variables of the one around them, and are handed on."""
"""A function with an attribute is refused where it is differentiated twice."""


def slope(f: Callable[[float], Any], step: float = 1e-3) -> float:
    """The derivative at `C` by central differences with two steps of Richardson's extrapolation."""

    def central(step: float) -> float:
        return float(f(C + step) - f(C - step)) / (2 * step)

    one, two, three = (central(step / k) for k in (1, 2, 4))
    return (16 * (4 * three - two) / 3 - (4 * two - one) / 3) / 15


@pytest.mark.parametrize("f", FUNCTIONS)
def test_gradients(f: Callable[..., Any]) -> None:
    expected = pytest.approx(slope(f), rel=1e-8, abs=1e-8)
    y, back = zg.pullback(f, C)
    assert y == f(C)
    assert back(1.0)[0] == expected
    assert back(1.0)[0] == expected
    assert zg.pushforward(f, C)(1.0) == expected


@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f not in ONCE])
def test_second_order(f: Callable[..., Any]) -> None:
    expected = pytest.approx(slope(lambda c: zg.gradient(f, c)[0]), rel=1e-7, abs=1e-7)
    assert zg.hvp(f, C, 1.0) == expected

    def gradient(c: Any) -> Any:
        return zg.gradient(f, c)[0]

    assert (zg.gradient(gradient, C)[0] or 0.0) == expected


def runge_kutta(f: Callable[[float], float], y: float, h: float, n: int) -> float:
    for _ in range(n):
        one = f(y)
        two = f(y + 0.5 * h * one)
        y = y + h * f(y + 0.5 * h * two)
    return y


@pytest.mark.parametrize(
    "solved",
    [
        lambda c: runge_kutta(lambda y: -c * y, 1.0, 0.1, 5),
        lambda c: runge_kutta(functools.partial(lambda k, y: -k * y, c), 1.0, 0.1, 5),
    ],
)
def test_they_are_called_by_their_text(solved: Callable[[float], float]) -> None:
    text = zg.show_adjoint(solved, C)
    assert "runge_kutta_forward(" in text
    assert "store" not in text  # nothing is found by identity
    assert zg.gradient(solved, C)[0] == pytest.approx(slope(solved), rel=1e-9)


@pytest.mark.parametrize("f", COUNTING)
def test_variables_that_they_rebind(f: Callable[..., Any]) -> None:
    assert zg.gradient(f, C)[0] == pytest.approx(slope(f), rel=1e-9)
    assert f is kept_by_an_object or "pull(f" not in zg.show_adjoint(f, C)  # they are called by their text


def names_captured(function: Any) -> tuple[str, ...]:
    return tuple(function.__code__.co_freevars)


def twice_by(function: Any, x: float) -> float:
    return function(x) * function(x)


def with_its_names(x: float) -> float:
    t = x

    def growing(v: float) -> float:
        nonlocal t
        t = t * v
        return t

    return twice_by(growing, 2.0) if names_captured(growing) == ("t",) else 0.0


def by_a_gradient_inside(x: float) -> float:
    t = x

    def growing(v: float) -> float:
        nonlocal t
        t = t * v
        return t

    return zg.gradient(lambda function: twice_by(function, 2.0), growing)[0].t * x


@pytest.mark.parametrize("program", [with_its_names, by_a_gradient_inside])
def test_functions_keep_the_names_of_their_variables(program: Any) -> None:
    factor = 8.0 if program is with_its_names else 16.0
    assert program(0.7) == pytest.approx(factor * 0.7**2)
    assert zg.gradient(program, 0.7)[0] == pytest.approx(2 * factor * 0.7)
