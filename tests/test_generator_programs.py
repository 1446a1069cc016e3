"""Programs with generators whose every step can go wrong: each is compared with finite differences."""

# ruff: noqa: B905, C417

import contextlib
import functools
import itertools

import numpy as np
import pytest

from zygpy import units
from zygpy.testing import check_gradient

PROGRAMS = []
GLOBAL = 2.0


def program(function):
    PROGRAMS.append(function)
    return function


class Point:
    pass


@program
def list_items_rewritten_between_items(x):
    xs = [x, 2 * x]

    def g():
        a = xs[0] * 2
        yield a
        b = xs[0] * 3
        yield b * xs[0]
        yield xs[0] * xs[0] + xs[0]

    t = 0.0
    for v in g():
        xs[0] = xs[0] * v
        t += v * xs[0]
    return t


@program
def fields_read_before_and_after_an_item(x):
    o = Point()
    o.x = x

    def g():
        y = o.x + (yield o.x * 2)
        z = o.x * y + (yield y * o.x)
        yield z * o.x

    it = g()
    a = next(it)
    o.x = a * x
    b = it.send(x)
    o.x = b + 1
    c = it.send(x * x)
    return a * b + c


def with_a_global(x):
    global GLOBAL
    y = GLOBAL + (yield x)
    yield y * GLOBAL * x


@program
def globals_rebound_between_items(x):
    global GLOBAL
    GLOBAL = 2.0
    it = with_a_global(x)
    a = next(it)
    GLOBAL = 3.0
    b = it.send(a)
    GLOBAL = 2.0
    return a * b


@program
def array_views_written_between_items(x):
    v = np.array([x, 2.0, 3.0])

    def g():
        w = v[1:]
        yield w.sum()
        yield (w * w).sum()
        w[0] = w[0] * x
        yield w.sum()

    t = 0.0
    for s in g():
        v[1] = v[1] * s
        t = t + s * v[0]
    return t


@program
def values_sent_into_a_loop(x):
    def g(a):
        while True:
            a = a * x
            r = yield a
            if r is not None:
                a = r

    it = g(x)
    s = next(it)
    s += it.send(s * 2)
    s += next(it)
    it.close()
    return s + next(it, x)


@program
def dict_values_replaced_while_walked(x):
    d = {"a": x, "b": 2 * x}

    def g():
        for k in d:
            yield k, d[k]

    t = 1.0
    for k, v in g():
        d[k] = v * x
        t = t * v + d[k]
    return t + sum(d.values())


@program
def values_sent_through_three_delegations(x):
    def inner(a):
        got = yield a
        return got * a

    def outer(a):
        r = yield from inner(a * x)
        s = yield from inner(r)
        return r + s

    def top(a):
        q = yield from outer(a)
        yield q * x

    it = top(x)
    a = next(it)
    b = it.send(a * 2)
    c = it.send(b * 3)
    return a + b + c


@program
def exception_thrown_into_a_try(x):
    log = []

    def g():
        try:
            yield x * x
            yield x * 3
        except ValueError as e:
            log.append(e.args[0] * x)
            yield log[-1] * 2
        finally:
            log.append(x)

    it = g()
    a = next(it)
    b = it.throw(ValueError(a * x))
    c = list(it)
    return a * b + sum(log) + len(c)


@program
def exception_of_a_generator_caught_by_its_loop(x):
    def g():
        yield x
        raise ValueError(x * x)

    t = 0.0
    try:
        for v in g():
            t += v * x
    except ValueError as e:
        t = t * e.args[0]
    return t


@program
def nested_generator_expression(x):
    it = (a * b for a in [x, 2 * x] for b in (a, x) if a > 0)
    first = next(it)
    return first * sum(it) + any(v > 1 for v in [x])


@program
def any_takes_an_item(x):
    g = (v * x for v in [1.0, 2.0, 3.0])
    return (2.0 if any(g) else 3.0) * x + sum(g)


@program
def unpacked_generators(x):
    g = (v * x for v in [1.0, 2.0, 3.0])
    a, b, c = g
    h = (v * x for v in [1.0, 2.0, 3.0])
    p, *q = h
    return a * b + c * p + sum(q)


@program
def reduction_of_an_endless_generator(x):
    def fib():
        a, b = x, x * x
        while True:
            yield a
            a, b = b, a + b

    return functools.reduce(lambda s, v: s * 0.5 + v, itertools.islice(fib(), 6), 1.0)


@program
def recursion_with_delegation(x, n=3):
    def g(k):
        if k > 0:
            yield x * k
            yield from g(k - 1)
            yield x + k

    t = 1.0
    for v in g(n):
        t = t * 0.3 + v * v
    return t


@program
def context_manager_made_inside(x):
    @contextlib.contextmanager
    def cm(a):
        yield a * x

    with cm(x) as p, cm(p) as q:
        return p * q


@program
def list_that_grows_while_it_is_walked(x):
    xs = [x]

    def g():
        for v in xs:
            if len(xs) < 5:
                xs.append(v * x)
            yield v

    return sum(v * v for v in g())


@program
def pairs_of_one_iterator(x):
    it = iter([x, x * x, 3.0])
    pairs = zip(it, it)
    return sum(a * b for a, b in pairs)


@program
def filter_of_a_map(x):
    m = map(lambda v: v * x, [x, 2.0])
    f = filter(None, m)
    return next(f) * next(f)


@program
def enumerated_and_reversed(x):
    e = enumerate(v * x for v in (x, 2.0))
    r = reversed([x, x * x])
    return sum(i * v for i, v in e) + next(r) * 2


@program
def sorted_with_a_key(x):
    s = sorted((v * x for v in (3.0, 1.0, 2.0)), key=lambda v: -v)
    return s[0] * s[2] + max((v * x for v in (3.0, 1.0)), default=0) + min(v + x for v in (1.0, 2.0))


@program
def decorated_with_wraps(x):
    def deco(f):
        @functools.wraps(f)
        def w(*a):
            return f(*a) * x

        return w

    @deco
    def h(y):
        return y * y

    return h(x * 2)


@program
def lists_of_indices_that_repeat(x):
    v = np.array([x, 2.0, x * x])

    def g():
        for k in (0, 0, 2):
            yield v[k], v[[0, 0, k]]

    t = 0.0
    for s, w in g():
        t = t + s * np.sum(w * w)
    return t


@program
def handlers_with_nothing_to_do(x):
    def g(x):
        yield x
        try:
            pass
        except ValueError:
            x = 0.0
        yield x * x

    items = g(x)
    return next(items) * next(items)


class Stages:
    def __init__(self, factor):
        self.factor, self.count = factor, 0

    def __call__(self, values, *, scale=1.0):
        for value in values:
            self.count += 1
            yield value * self.factor * scale


class MoreStages(Stages):
    def __call__(self, values, **options):
        yield self.factor
        yield from super().__call__(values, **options)


@program
def objects_whose_call_is_a_generator(x):
    chain = MoreStages(x)
    total = 0.0
    for value in chain((x * x * k for k in range(5)), scale=x):
        if value > 6.0:
            break
        total += value * value
    return total * chain.count + sum(Stages(x)([x, 1.0]))


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_gradient(function, specialise):
    with units.options(specialise=specialise):
        check_gradient(function, 1.3)


def orders(items):
    """All orders of a list: a generator function that asks for its own items."""
    if len(items) < 2:
        yield items
    else:
        for k in range(len(items)):
            for rest in orders(items[:k] + items[k + 1 :]):
                yield [items[k], *rest]


def twice(n, x):
    if n > 0:
        yield x
        yield from thrice(n - 1, 2.0 * x)


def thrice(n, x):
    if n > 0:
        yield x
        for v in twice(n - 1, 3.0 * x):
            yield v * x


def of_orders(x):
    total = 0.0
    for a, b in orders([x, x * x]):
        total = total + a * b * b
    return total


def of_two_functions(x):
    return sum(v * v for v in twice(3, x))


def of_a_local_one(x):
    def down(n, y):
        if n > 0:
            yield n * y
            yield from down(n - 1, y * x)

    total = 0.0
    for v in down(3, x):
        total = total * 0.5 + v * v
    return total


@pytest.mark.parametrize("function", [of_orders, of_two_functions, of_a_local_one])
def test_generators_that_ask_for_their_own_items(function):
    """Their bodies come to no end where they are put in place of each call."""
    check_gradient(function, 1.3)
